import { beforeAll, expect, it } from "vitest";
import { golden, goldenNames } from "../../../provider/whatsapp/testing/golden.ts";
import { writer } from "../testing/content-cases.ts";
import { takeGoldenTemplates } from "../testing/golden-templates.ts";
import { startSenders } from "../testing/senders.ts";

const senders = await startSenders({ API_RATE_LIMIT: "off" });
const { mine, sentTo } = senders;
beforeAll(() => takeGoldenTemplates(senders));

type Payload = Record<string, unknown> & { type: string; context?: { message_id: string } };

/** Not to be had through the API as it is: a receipt, a file by its id, a person by an id of the golden files' portfolio. */
const LEFT_OUT = new Set(["request-read", "request-document", "request-text-user-id"]);

/** An inbound message with this id at the provider: its sender and our id. */
const inbound = new Map<string, { from: string; id: string }>();
async function inboundWith(providerId: string): Promise<{ from: string; id: string }> {
  const known = inbound.get(providerId);
  if (known) return known;
  const from = await writer(senders, providerId);
  const { body } = await mine.call("GET", `/v1/messages?from=${encodeURIComponent(from)}`);
  const one = { from, id: body.data[0].id };
  inbound.set(providerId, one);
  return one;
}

it.each(goldenNames("request-").filter((name) => !LEFT_OUT.has(name)))("%s is what a request becomes", async (name) => {
  const payload = golden(name).payload as Payload; // as fixtures/provider/README.md describes it
  const { type } = payload;
  const content = payload[type] as { message_id?: string };
  const named = type === "reaction" ? content.message_id : payload.context?.message_id;
  const about = named === undefined ? null : await inboundWith(named);
  const to = about?.from ?? (await writer(senders));
  const body = {
    to,
    type,
    [type]: type === "reaction" ? { ...content, message_id: about?.id } : content,
    ...(about === null || type === "reaction" ? {} : { reply_to: about.id }),
  };
  const reply = await mine.call("POST", "/v1/messages", { body });
  expect([reply.status, reply.body.errors]).toEqual([202, undefined]);
  await mine.becomes(reply.body.id, "accepted");
  const sent = sentTo(to).find(({ opaque }) => opaque?.includes(reply.body.id));
  expect(sent?.request).toEqual({ ...payload, to, biz_opaque_callback_data: expect.any(String) });
});
