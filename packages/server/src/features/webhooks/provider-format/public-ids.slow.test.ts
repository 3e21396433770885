import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { HOUR_MS } from "../../../lib/duration.ts";
import { parseId } from "../../../lib/ids.ts";
import { callbackOf, postCallback, statusOf, textFrom } from "../../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { PATH } from "../testing/app.ts";
import { type CloudReceiver, startCloudReceiver } from "../testing/cloud-receiver.ts";

const SECRET = "an-app-secret-of-the-receiver";
const TEN_MINUTES_MS = 600_000;

let gateway: Gateway;
let mine: Sender;
let receiver: CloudReceiver;
beforeAll(async () => {
  gateway = await startGateway();
  mine = await gateway.sender();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  receiver = await startCloudReceiver(SECRET);
  const body = { url: receiver.url, format: "provider", fields: ["messages"], secret: SECRET };
  const { status, body: endpoint } = await mine.call("POST", PATH, { body });
  expect(status).toBe(201);
  const made = receiver;
  return async () => {
    await mine.call("DELETE", `${PATH}/${endpoint.id}`);
    await made.close();
  };
});

let people = 0;
const person = (): string => `+1555124${String((people += 1)).padStart(4, "0")}`;
const got = async (count: number): Promise<void> => {
  await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(count);
};
const values = () => receiver.received.map(({ body }) => body.entry[0].changes[0].value);
const statuses = () => values().flatMap((value) => value.statuses ?? []);
const tell = async (value: object) => {
  expect((await postCallback(gateway, callbackOf(mine.account, value))).status).toBe(200);
};
const decide = (id: string) => gateway.features.services.sending.decidePublicId(mine.uuid, parseId("msg", id) ?? "");
const sentTo = (to: string) => gateway.simulator.sent({ to }).data;

/** A message that was answered under an id of ours, and sent afterwards. */
async function minted(more: object = {}) {
  const to = person();
  const send_at = new Date(gateway.clock.now() + HOUR_MS).toISOString();
  const { body } = await mine.send(to, { ...more, send_at });
  const { publicId } = await decide(body.id);
  gateway.clock.advance(HOUR_MS + 1_000);
  const { provider_message_id: id } = await mine.becomes(body.id, "accepted");
  const now = (): number => gateway.clock.now();
  const opaque = { biz_opaque_callback_data: sentTo(to)[0]?.opaque };
  return { to, digits: to.slice(1), message: body.id as string, publicId, id: id as string, now, opaque };
}

test("every status has the id that was answered and the client's own value, with a callback and without", async () => {
  const { message, publicId, id, now, opaque } = await minted({ reference: "my-own-value-0001" });
  await tell(statusOf(id, "sent", now(), opaque));
  await got(1);
  await tell(statusOf(id, "delivered", now()));
  await got(2);
  expect(statuses()).toMatchObject(
    ["sent", "delivered"].map((status) => ({
      id: publicId,
      status,
      biz_opaque_callback_data: "my-own-value-0001",
    })),
  );
  // Our own events and resources have the provider's.
  expect((await mine.call("GET", `/v1/messages/${message}`)).body.provider_message_id).toBe(id);
  const { body: view } = await mine.call("GET", `/v1/messages/${message}/provider`);
  expect(JSON.stringify(view.reports)).toContain(id);
  expect(JSON.stringify(view.reports)).not.toContain(publicId);
  expect(JSON.stringify(view.reports)).not.toContain("my-own-value-0001");
  await gateway.app.db.sql.query("delete from callback");
  const delivery = String(receiver.received[1]?.headers["x-service-delivery"]);
  expect((await mine.call("POST", `/v1/deliveries/${delivery}/retry`)).status).toBe(202);
  await got(3);
  expect(statuses()[2]).toMatchObject({
    id: publicId,
    status: "delivered",
    biz_opaque_callback_data: "my-own-value-0001",
  });
  for (const { text } of receiver.received) expect(text).not.toContain(id);
});

test("a quote, a reaction and a change name the message by the id that was answered", async () => {
  const { digits, publicId, id, now } = await minted();
  const named = [
    { type: "text", text: { body: id }, context: { from: mine.account.phone.slice(1), id } },
    { type: "reaction", reaction: { message_id: id, emoji: "👍" } },
    { type: "revoke", revoke: { original_message_id: id } },
  ];
  for (const [n, message] of named.entries()) {
    const value = textFrom(digits, `wamid.named.${digits}.${n}`, "", now()) as { messages: [object] };
    await tell({ ...value, messages: [{ ...value.messages[0], text: undefined, ...message }] });
    await got(n + 1);
  }
  const expected = [
    { text: { body: id }, context: { id: publicId } },
    { reaction: { message_id: publicId } },
    { revoke: { original_message_id: publicId } },
  ];
  const messages = () => values().map((value) => value.messages[0]);
  expect(messages()).toMatchObject(expected);
  await gateway.app.db.sql.query("delete from callback");
  for (const { headers } of receiver.received.slice())
    await mine.call("POST", `/v1/deliveries/${String(headers["x-service-delivery"])}/retry`);
  await got(6);
  expect(messages().slice(3)).toMatchObject(expected);
});

test("what names a message of another workspace keeps its id", async () => {
  const theirs = await gateway.sender();
  const { id, now } = await minted();
  const own = receiver.received.length;
  const from = person().slice(1);
  const body = { url: receiver.url, format: "provider", fields: ["messages"], secret: SECRET };
  const { body: endpoint } = await theirs.call("POST", PATH, { body });
  const value = textFrom(from, `wamid.theirs.${from}`, "Hi", now()) as { messages: [object] };
  const quoting = { ...value, messages: [{ ...value.messages[0], context: { id } }] };
  expect((await postCallback(gateway, callbackOf(theirs.account, quoting))).status).toBe(200);
  await got(own + 1);
  expect(values()[own].messages[0].context.id).toBe(id);
  await theirs.call("DELETE", `${PATH}/${endpoint.id}`);
});

test("a message whose answer was lost keeps its id: when it turns out to have arrived, and when it is sent once more", async () => {
  const to = person();
  gateway.simulator.addFault({ kind: "reset", accept: true, recipient: to });
  const { body } = await mine.send(to, { on_unknown: "resend_once" });
  await mine.becomes(body.id, "unknown");
  const { publicId, minted: isMinted } = await decide(body.id);
  expect(isMinted).toBe(true);
  gateway.clock.advance(TEN_MINUTES_MS);
  await mine.becomes(body.id, "accepted");
  const [first, second] = sentTo(to);
  for (const [n, sent] of [second, first, second].entries()) {
    const status = ["sent", "delivered", "read"][n] ?? "";
    await tell(statusOf(sent?.id ?? "", status, gateway.clock.now(), { biz_opaque_callback_data: sent?.opaque }));
  }
  await got(3);
  expect(
    statuses()
      .map(({ id, status }) => `${id} ${status}`)
      .toSorted(),
  ).toEqual(["delivered", "read", "sent"].map((status) => `${publicId} ${status}`));
  expect(receiver.received.map(({ text }) => text).join()).not.toContain("biz_opaque");
});

test("without a minted id both copies of a message have the id that was stored first", async () => {
  const to = person();
  gateway.simulator.addFault({ kind: "reset", accept: true, recipient: to });
  const { body } = await mine.send(to, { on_unknown: "resend_once" });
  await mine.becomes(body.id, "unknown");
  gateway.clock.advance(TEN_MINUTES_MS);
  const { provider_message_id } = await mine.becomes(body.id, "accepted");
  const [first] = sentTo(to);
  expect(first?.id).not.toBe(provider_message_id);
  await tell(statusOf(first?.id ?? "", "sent", gateway.clock.now(), { biz_opaque_callback_data: first?.opaque }));
  await got(1);
  expect(statuses()).toMatchObject([{ id: provider_message_id, status: "sent" }]);
  expect(await decide(body.id)).toMatchObject({ publicId: provider_message_id });
});

test("an end of which only the gateway knows is a failed status where the client has an id of ours", async () => {
  const [expired, canceled, silent, plain] = [person(), person(), person(), person()];
  const later = { send_at: new Date(gateway.clock.now() + HOUR_MS).toISOString() };
  const made = async (to: string, more: object) => {
    const { status, body } = await mine.send(to, more);
    expect(status).toBe(202);
    return body.id as string;
  };
  const at = (ms: number) => new Date(gateway.clock.now() + ms).toISOString();
  gateway.simulator.addFault({ kind: "reset", accept: false, recipient: silent });
  const lost = await made(silent, {});
  await mine.becomes(lost, "unknown");
  const names = new Map<string, string>();
  const ids = [
    await made(expired, { send_at: at(60_000), expires_at: at(61_000) }),
    await made(canceled, later),
    await made(plain, later),
  ];
  for (const id of [lost, ids[0] ?? "", ids[1] ?? ""]) names.set(id, (await decide(id)).publicId);
  for (const id of ids.slice(1)) await mine.call("POST", `/v1/messages/${id}/cancel`);
  await got(1);
  gateway.clock.advance(TEN_MINUTES_MS);
  await mine.becomes(ids[0] ?? "", "expired");
  await got(3);
  expect(statuses().map(({ id, status, errors }) => ({ id, status, code: errors[0].code }))).toEqual(
    expect.arrayContaining([...names.values()].map((id) => ({ id, status: "failed", code: 131_000 }))),
  );
});

test("nothing is sent of a person who was erased", async () => {
  const { to, id, now, opaque } = await minted();
  const { body } = await mine.call("GET", `/v1/contacts?phone=${encodeURIComponent(to)}`);
  expect((await mine.call("DELETE", `/v1/contacts/${body.data[0].id}`)).status).toBe(204);
  await tell(statusOf(id, "sent", now(), opaque));
  const other = await minted();
  await tell(statusOf(other.id, "sent", now(), other.opaque));
  await got(1);
  expect(statuses()).toMatchObject([{ id: other.publicId }]);
});
