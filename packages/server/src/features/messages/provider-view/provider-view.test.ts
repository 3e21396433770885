import { beforeAll, describe, expect, it } from "vitest";
import { callbackOf, postCallback, statusOf, textFrom } from "../../../testing/callback.ts";
import { withClient } from "../../../testing/client.ts";
import type { Sender } from "../../../testing/gateway.ts";
import { DOTS } from "../preview/template-text.ts";
import { takeTemplates } from "../testing/golden-templates.ts";
import { person, startSenders } from "../testing/senders.ts";

const senders = await startSenders();
const { gateway, mine, theirs, sentTo } = senders;

const viewOf = async (id: string, of: Pick<Sender, "call"> = mine) =>
  await of.call("GET", `/v1/messages/${id}/provider`);
const view = async (id: string) => {
  const reply = await viewOf(id);
  expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
  return reply.body;
};
/** What the simulator got, without what is the gateway's own. */
const requestTo = (to: string, index = 0) => {
  const { biz_opaque_callback_data, ...body } = sentTo(to)[index]!.request as Record<string, unknown>;
  expect(biz_opaque_callback_data).toMatch(/^w1\./);
  return body;
};
const keyWith = async (...scopes: string[]) => {
  const { body } = await mine.call("POST", "/v1/api-keys", { body: { name: "reader", scopes } });
  return { call: gateway.as(body.key) };
};
const send = async (to: string, body: object) =>
  (await mine.call("POST", "/v1/messages", { body: { to, ...body } })).body;

describe("what was sent", () => {
  it("is the request that left, with what the provider answered", async () => {
    const to = person();
    const { id: quoted } = await mine.inbound(to);
    const { provider_message_id: quotedId } = (await mine.call("GET", `/v1/messages/${quoted}`)).body;
    const { id } = await send(to, {
      type: "text",
      text: { body: "Look: HTTPS://example.com", preview_url: true },
      reply_to: quoted,
    });
    const { provider_message_id } = await mine.becomes(id, "accepted");
    const { request, attempts, reports, message_id } = await view(id);
    expect(message_id).toBe(id);
    expect(request).toEqual({
      method: "POST",
      path: `/v26.0/${mine.account.providerPhoneNumberId}/messages`,
      body: requestTo(to),
    });
    expect(request.body.context).toEqual({ message_id: quotedId });
    expect(attempts).toEqual([
      {
        attempt: 1,
        started_at: null,
        completed_at: expect.any(String),
        outcome: "accepted",
        provider_message_id,
        error: null,
      },
    ]);
    expect(reports).toEqual([]);
  });

  it("is each attempt, also one that is under way, and nothing before the first", async () => {
    const to = person();
    gateway.simulator.addFault({ kind: "refuse", code: 131016, recipient: to });
    gateway.simulator.addFault({ kind: "hang", recipient: to });
    const { id } = (await mine.send(to)).body;
    await expect.poll(async () => (await view(id)).attempts.length).toBe(1);
    gateway.clock.advance(60_000);
    await mine.becomes(id, "sending");
    expect((await view(id)).attempts).toMatchObject([
      { attempt: 1, outcome: "refused", error: { code: "provider_error", provider: { code: 131016 } } },
      { attempt: 2, outcome: "under_way", started_at: expect.any(String), completed_at: null, error: null },
    ]);
    const later = new Date(gateway.clock.now() + 3_600_000).toISOString();
    const scheduled = (await mine.send(person(), { send_at: later })).body;
    expect(await view(scheduled.id)).toEqual({ message_id: scheduled.id, request: null, attempts: [], reports: [] });
  });

  it("is the fallback where that was sent", async () => {
    const to = person();
    const template = { name: "order_ready", language: { code: "en_US" } };
    const { id } = await send(to, { type: "text", text: { body: "Hi" }, fallback: { template } });
    await mine.becomes(id, "accepted");
    expect((await view(id)).request.body).toEqual(requestTo(to));
    expect((await view(id)).request.body).toMatchObject({ type: "template", template });
  });
});

describe("an authentication template", () => {
  const code = "829104";
  const text = { type: "text", text: code };
  beforeAll(() =>
    takeTemplates(senders, [
      {
        name: "sign_in",
        language: "en_US",
        category: "AUTHENTICATION",
        status: "APPROVED",
        components: [
          { type: "BODY", text: "{{1}} is your code." },
          {
            type: "BUTTONS",
            buttons: [{ type: "URL", text: "Copy", url: "https://www.whatsapp.com/otp/code/?code={{1}}" }],
          },
        ],
      },
    ]),
  );

  it("has dots for its code, wherever that stands", async () => {
    const to = person();
    const components = [
      { type: "body", parameters: [text] },
      { type: "button", sub_type: "url", index: "0", parameters: [text] },
    ];
    const template = { name: "sign_in", language: { code: "en_US" }, components };
    const { id } = await send(to, { type: "template", template });
    await mine.becomes(id, "accepted");
    expect(JSON.stringify(requestTo(to))).toContain(code);
    const reply = await viewOf(id);
    expect(reply.text).not.toContain(code);
    const hidden = { type: "text", text: DOTS };
    expect(reply.body.request.body.template).toEqual({
      name: "sign_in",
      language: { code: "en_US" },
      components: [
        { type: "body", parameters: [hidden] },
        { type: "button", sub_type: "url", index: "0", parameters: [hidden] },
      ],
    });
  });
});

describe("what was reported", () => {
  it("is the part of each callback that is of this message alone", async () => {
    const [one, other] = [(await mine.send(person())).body, (await mine.send(person())).body];
    const foreign = (await theirs.send(person())).body;
    const wamid = async (of: Sender, id: string) => (await of.becomes(id, "accepted")).provider_message_id as string;
    const [mineId, otherId, theirId] = [
      await wamid(mine, one.id),
      await wamid(mine, other.id),
      await wamid(theirs, foreign.id),
    ];
    const now = gateway.clock.now();
    const price = {
      pricing: { billable: true, pricing_model: "PMP", category: "utility" },
      added_later: { by: "provider" },
    };
    const shared = callbackOf(mine.account, {
      statuses: [statusOf(otherId, "sent", now), statusOf(mineId, "sent", now, price)].flatMap(
        (value) => (value as { statuses: object[] }).statuses,
      ),
    }) as { entry: object[] };
    const foreignEntry = (callbackOf(theirs.account, statusOf(theirId, "sent", now)) as { entry: object[] }).entry;
    await postCallback(gateway, { ...shared, entry: [...foreignEntry, ...shared.entry] });
    await mine.becomes(one.id, "sent");
    await theirs.becomes(foreign.id, "sent");
    gateway.clock.advance(1_000);
    await postCallback(gateway, callbackOf(mine.account, statusOf(mineId, "delivered", now)));
    await mine.becomes(one.id, "delivered");

    const { reports } = await view(one.id);
    expect(reports).toMatchObject([
      { kind: "sent", occurred_at: expect.any(String), received_at: expect.any(String) },
      { kind: "delivered" },
    ]);
    const [sent] = reports;
    expect(sent.callback.entry).toHaveLength(1);
    expect(sent.callback.entry[0].changes[0].value.statuses).toEqual([
      expect.objectContaining({ id: mineId, status: "sent", ...price }),
    ]);
    const text = JSON.stringify(reports);
    for (const neighbour of [otherId, theirId, theirs.account.wabaId]) expect(text).not.toContain(neighbour);
    expect(text).not.toContain("w1.msg_");
    expect((await viewOf(one.id, theirs)).status).toBe(404);
  });

  it("is the message itself, of one that came in", async () => {
    const [ana, ben] = [person().slice(1), person().slice(1)];
    const now = gateway.clock.now();
    const values = [textFrom(ana, "wamid.IN.A", "Is it ready?", now), textFrom(ben, "wamid.IN.B", "Not mine", now)];
    await postCallback(gateway, callbackOf(mine.account, ...values));
    const heard = async () =>
      (await mine.call("GET", "/v1/messages?provider_message_id=wamid.IN.A")).body.data[0] as
        | { id: string }
        | undefined;
    await expect.poll(heard).toBeDefined();
    const { request, attempts, reports } = await view((await heard())?.id ?? "");
    expect([request, attempts]).toEqual([null, []]);
    expect(reports).toMatchObject([
      { kind: "messages", callback: { entry: [{ changes: [{ value: { messages: [{ id: "wamid.IN.A" }] } }] }] } },
    ]);
    expect(JSON.stringify(reports)).not.toContain("Not mine");
  });

  it("is without its callback once that is no longer kept", async () => {
    const { id } = (await mine.send(person())).body;
    const { provider_message_id } = await mine.becomes(id, "accepted");
    await postCallback(gateway, callbackOf(mine.account, statusOf(provider_message_id, "sent", gateway.clock.now())));
    await mine.becomes(id, "sent");
    expect((await view(id)).reports).toMatchObject([{ kind: "sent", callback: { entry: [{}] } }]);
    await withClient(gateway.database.url, (client) => client.query("truncate callback"));
    expect((await view(id)).reports).toMatchObject([{ kind: "sent", callback: null }]);
  });
});

it("needs its scope, and is in the audit log", async () => {
  const { id } = (await mine.send(person())).body;
  const [auditor, reader] = [await keyWith("audit:read"), await keyWith("messages:read")];
  expect((await viewOf(id, auditor)).status).toBe(200);
  expect((await viewOf(id, reader)).status).toBe(403);
  for (const unknown of ["msg_01jd0000000000000000000000", "con_01jd0000000000000000000000"])
    expect((await viewOf(unknown)).status).toBe(404);
  await gateway.audited();
  const { body } = await mine.call("GET", "/v1/audit/activity?action=message_at_provider.read");
  expect(body.data.map(({ response }: { response: { status: number } }) => response.status)).toContain(200);
});

it("has nothing of a person who was erased", async () => {
  const to = person();
  const { id, contact_id } = (await mine.send(to)).body;
  const { provider_message_id } = await mine.becomes(id, "accepted");
  await postCallback(gateway, callbackOf(mine.account, statusOf(provider_message_id, "sent", gateway.clock.now())));
  await mine.becomes(id, "sent");
  expect(JSON.stringify(await view(id))).toContain(to);
  await mine.call("DELETE", `/v1/contacts/${contact_id}`);
  const { request, attempts, reports } = await view(id);
  expect([request, reports]).toEqual([null, []]);
  expect(attempts).toMatchObject([{ attempt: 1, outcome: "accepted", provider_message_id: null, error: null }]);
});
