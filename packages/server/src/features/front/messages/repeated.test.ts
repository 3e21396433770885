import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../lib/duration.ts";
import { parseId } from "../../../lib/ids.ts";
import type { Call } from "../../../testing/call.ts";
import { callbackOf, postCallback, statusOf } from "../../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { startCloudReceiver } from "../../webhooks/testing/cloud-receiver.ts";
import { expectGraphError, ofNumber } from "../testing/front.ts";

const WAIT_SECONDS = 20;
const FIELD = "biz_opaque_callback_data";
const KEY = { name: "Bot", scopes: ["*"], dedupe_by: FIELD };

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
/** With a key that takes the client's value for the idempotency key. */
let deduped: Call;
let deduping: { id: string; key: string };
beforeAll(async () => {
  gateway = await startGateway({ FRONT_WAIT: String(WAIT_SECONDS), API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
  const { status, body } = await mine.call("POST", "/v1/api-keys", { body: KEY });
  expect([status, body.dedupe_by]).toEqual([201, FIELD]);
  deduping = body;
  deduped = gateway.as(body.key);
});
afterAll(() => gateway.stop());

let people = 0;
const person = (): string => `+1555778${String(++people).padStart(4, "0")}`;
let values = 0;
const newValue = (): string => `a-value-of-the-client-${++values}`;
const send = (call: Call, to: string, value?: string, headers: Record<string, string> = {}, of = mine) =>
  call("POST", ofNumber(of, "/messages"), {
    body: {
      messaging_product: "whatsapp",
      to,
      type: "template",
      template: { name: "order_ready", language: { code: "en_US" } },
      ...(value === undefined ? {} : { [FIELD]: value }),
    },
    headers,
  });
const sentTo = (to: string) => gateway.simulator.sent({ to }).data;
const messagesOf = async (value: string, of = mine) =>
  (await of.call("GET", `/v1/messages?reference=${encodeURIComponent(value)}`)).body.data;

describe("a send without an answer of the provider", () => {
  test("is answered an id of ours, under which its statuses come, and the same to its twins and repetitions", async () => {
    const receiver = await startCloudReceiver("an-app-secret-of-the-receiver");
    const endpoint = { url: receiver.url, format: "provider", fields: ["messages"], secret: receiver.secret };
    const created = await mine.call("POST", "/v1/webhook-endpoints", { body: endpoint });
    expect(created.status).toBe(201);
    const [to, value] = [person(), newValue()];
    gateway.simulator.addFault({ kind: "reset", accept: true, recipient: to });
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(deduped, to, value)));
    answers.push(await send(deduped, to, value));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    const publicId = answers[0]?.body.messages[0].id;
    expect([answers[0]?.status, publicId]).toEqual([200, expect.stringMatching(/^wamid\.[0-9A-Za-z]{56}$/)]);
    const [sent] = sentTo(to);
    const [providerId, opaque] = [sent?.id ?? "", sent?.opaque];
    expect([sentTo(to).length, publicId === providerId]).toEqual([1, false]);
    for (const status of ["sent", "read"])
      await postCallback(
        gateway,
        callbackOf(mine.account, statusOf(providerId, status, gateway.clock.now(), { [FIELD]: opaque })),
      );
    const statuses = () => receiver.received.map(({ body }) => body.entry[0].changes[0].value.statuses[0]);
    await expect.poll(statuses, { timeout: 20_000 }).toHaveLength(2);
    expect(statuses()).toMatchObject(["sent", "read"].map((status) => ({ id: publicId, status, [FIELD]: value })));
    expect((await send(deduped, to, value)).text).toBe(answers[0]?.text);
    const quoting = await mine.call("POST", ofNumber(mine, "/messages"), {
      body: {
        messaging_product: "whatsapp",
        to,
        type: "template",
        template: { name: "order_ready", language: { code: "en_US" } },
        context: { message_id: publicId },
      },
    });
    expect(quoting.status).toBe(200);
    const [message] = await messagesOf(value);
    const name = encodeURIComponent(quoting.body.messages[0].id);
    const { body: quote } = await mine.call("GET", `/v1/messages?provider_message_id=${name}`);
    expect(quote.data).toMatchObject([{ reply_to: message.id }]);
    await mine.call("DELETE", `/v1/webhook-endpoints/${created.body.id}`);
    await receiver.close();
  });

  test("waits as long as it says for a provider that is slow", async () => {
    const to = person();
    gateway.simulator.addFault({ kind: "hang", recipient: to });
    const waiting = send(mine.call, to);
    await expect.poll(() => sentTo(to).length, { timeout: 20_000 }).toBe(1);
    gateway.clock.advance(WAIT_SECONDS * 1_000 + 1);
    const { status, body } = await waiting;
    expect([status, body.messages[0].id]).toEqual([200, expect.stringMatching(/^wamid\.[0-9A-Za-z]{56}$/)]);
  });
});

describe("the client's own value", () => {
  test("is kept in all its length, and one that is longer is refused", async () => {
    const value = "é".repeat(512);
    const to = person();
    expect((await send(mine.call, to, value)).status).toBe(200);
    expect(await messagesOf(value)).toMatchObject([{ to, reference: value }]);
    expectGraphError(await send(mine.call, to, `${value}x`), 400, 100);
    const body = { to, type: "template", template: { name: "order_ready", language: { code: "en_US" } } };
    expect((await mine.call("POST", "/v1/messages", { body: { ...body, reference: "x".repeat(257) } })).status).toBe(
      400,
    );
  });

  test("is no idempotency key without the API key's say", async () => {
    const [to, value] = [person(), newValue()];
    const [first, second] = [await send(mine.call, to, value), await send(mine.call, to, value)];
    expect(first.body.messages[0].id).not.toBe(second.body.messages[0].id);
    expect(await messagesOf(value)).toHaveLength(2);
  });
});

describe("dedupe_by", () => {
  test("gives the first answer again: to twins, to a rotated key, and for a day", async () => {
    const [to, value] = [person(), newValue()];
    const twins = await Promise.all(Array.from({ length: 10 }, () => send(deduped, to, value)));
    expect(new Set(twins.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect([twins[0]?.status, sentTo(to).length]).toEqual([200, 1]);
    const again = await send(deduped, to, value);
    expect([again.text, again.headers["idempotent-replayed"]]).toEqual([twins[0]?.text, "true"]);
    const rotated = await mine.call("POST", `/v1/api-keys/${deduping.id}/rotate`, { body: {} });
    expect([rotated.status, rotated.body.dedupe_by]).toEqual([201, FIELD]);
    expect((await mine.call("GET", `/v1/api-keys/${rotated.body.id}`)).body.dedupe_by).toBe(FIELD);
    deduped = gateway.as(rotated.body.key);
    expect((await send(deduped, to, value)).text).toBe(twins[0]?.text);
    gateway.clock.advance(DAY_MS - MINUTE_MS);
    expect((await send(deduped, to, value)).text).toBe(twins[0]?.text);
    expect(sentTo(to)).toHaveLength(1);
  });

  test("takes a value for a new one after a day, alone and beside others", async () => {
    const to = Array.from({ length: 12 }, person);
    const of = to.map(newValue);
    const all = async () => {
      const sent = await Promise.all(to.map((one, n) => send(deduped, one, of[n])));
      return sent.map(({ status, body }) => `${status} ${body.messages[0].id}`);
    };
    const first = await all();
    gateway.clock.advance(DAY_MS - MINUTE_MS);
    expect(await all()).toEqual(first);
    gateway.clock.advance(MINUTE_MS + 1);
    const alone = await send(deduped, to[0] ?? "", of[0]);
    expect(alone.headers["idempotent-replayed"]).toBeUndefined();
    const second = await all();
    expect(second[0]).toBe(`200 ${alone.body.messages[0].id}`);
    expect(second.filter((id) => first.includes(id))).toEqual([]);
    expect(await all()).toEqual(second);
    expect(to.map((one) => sentTo(one).length)).toEqual(to.map(() => 2));
  });

  test("refuses a repetition with another body, and values that are no names", async () => {
    const [to, value] = [person(), newValue()];
    expect((await send(deduped, to, value)).status).toBe(200);
    expectGraphError(await send(deduped, person(), value), 400, 100);
    expectGraphError(await send(deduped, person(), "x".repeat(15)), 400, 100);
    expect((await send(deduped, person(), "x".repeat(16))).status).toBe(200);
    expect((await send(deduped, person())).status).toBe(200);
    expect(await messagesOf("x".repeat(15))).toEqual([]);
  });

  test("gives way to a key in the headers, and is never the same as one", async () => {
    const [to, value] = [person(), newValue()];
    const ids = new Set<string>();
    for (const headers of [{}, { "x-idempotency-key": `${FIELD}:${value}` }, { "idempotency-key": value }]) {
      const { status, body } = await send(deduped, to, value, headers);
      expect(status).toBe(200);
      ids.add(body.messages[0].id);
    }
    expect(ids.size).toBe(3);
    expect((await send(deduped, to, "short", { "x-idempotency-key": "front-short" })).status).toBe(200);
  });

  test("is of its workspace", async () => {
    const [to, value] = [person(), newValue()];
    const { body } = await theirs.call("POST", "/v1/api-keys", { body: KEY });
    const ours = await send(deduped, to, value);
    const other = await send(gateway.as(body.key), to, value, {}, theirs);
    expect([ours.status, other.status]).toEqual([200, 200]);
    expect(other.body.messages[0].id).not.toBe(ours.body.messages[0].id);
    expect(await messagesOf(value, theirs)).toHaveLength(1);
  });

  test("is null by default, refused for other fields, audited, and kept by a process that does not know it", async () => {
    const plain = { name: "Plain", scopes: ["*"] };
    const { body } = await mine.call("POST", "/v1/api-keys", { body: plain });
    expect(body.dedupe_by).toBeNull();
    const refused = await mine.call("POST", "/v1/api-keys", { body: { ...plain, dedupe_by: "reference" } });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, "/dedupe_by"]);
    const { body: old } = await mine.call("POST", "/v1/api-keys", { body: KEY });
    await expect
      .poll(async () => (await mine.call("GET", `/v1/audit/activity?resource=${old.id}`)).body.data)
      .toMatchObject([{ action: "api_key.create", changes: { dedupe_by: FIELD } }]);
    await gateway.app.db.transaction(mine.uuid, (sql) =>
      sql.run("update api_key set replaced_by = $2 where id = $1", [parseId("key", old.id), parseId("key", body.id)]),
    );
    expect((await mine.call("GET", `/v1/api-keys/${body.id}`)).body.dedupe_by).toBe(FIELD);
  });
});
