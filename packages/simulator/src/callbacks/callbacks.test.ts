import { afterEach, beforeEach, expect, test } from "vitest";
import { NO_DELAYS, type Pair, startPair, template } from "../testing/provider.ts";
import { startReceiver } from "../testing/receiver.ts";

let pair: Pair;
beforeEach(async () => {
  pair = await startPair({ callbackRetries: { firstMs: 5, capMs: 20, giveUpMs: 60_000 } });
});
afterEach(() => pair.close());

const ANA = "+15550001111";
const states = () => pair.receiver.statuses().map((status) => status["status"]);

test("sent, delivered and read come in order, signed, with the opaque value and the price", async () => {
  const { body } = await pair.send({ ...template(ANA), biz_opaque_callback_data: "m_01J9Z" });
  await pair.simulator.idle();
  expect(states()).toEqual(["sent", "delivered", "read"]);
  const common = { id: body.messages[0].id, recipient_id: "15550001111", biz_opaque_callback_data: "m_01J9Z" };
  const pricing = { billable: true, pricing_model: "PMP", type: "regular", category: "utility" };
  expect(pair.receiver.statuses()).toMatchObject([{ ...common, pricing }, { ...common, pricing }, common]);
  expect(pair.receiver.statuses()[2]).not.toHaveProperty("pricing");
  expect(pair.receiver.posts.every((post) => post.verified)).toBe(true);
  expect(pair.simulator.sent().data[0]?.status).toBe("read");
});

test("delays are kept within their range and count from the status before", async () => {
  pair.simulator.setDelays({ sentMs: [20, 30], deliveredMs: [20, 30], readMs: null });
  const startedAt = performance.now();
  await pair.send(template(ANA));
  await pair.simulator.idle();
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(40);
  expect(states()).toEqual(["sent", "delivered"]);
});

test("the bytes on the wire are escaped: parsing and writing again changes them", async () => {
  pair.simulator.inbound({ phone_number_id: "1055", from: ANA, name: "Zoë", text: "café https://shop.example/t/1 🙂" });
  await pair.simulator.idle();
  const [post] = pair.receiver.posts;
  expect(post?.verified).toBe(true);
  expect(post?.raw).toContain(String.raw`caf\u00e9 https:\/\/shop.example\/t\/1 \ud83d\ude42`);
  expect(post?.raw).not.toBe(JSON.stringify(post?.payload));
  expect(post?.payload.entry[0]?.changes[0]?.value).toMatchObject({
    contacts: [{ profile: { name: "Zoë" }, wa_id: "15550001111" }],
    messages: [{ from: "15550001111", type: "text", text: { body: "café https://shop.example/t/1 🙂" } }],
  });
});

test("a free-form message outside the window is accepted and then fails with 131047", async () => {
  const { status } = await pair.send({ to: ANA, type: "text", text: { body: "hello" } });
  expect(status).toBe(200);
  await pair.simulator.idle();
  expect(pair.receiver.statuses()).toMatchObject([{ status: "failed", errors: [{ code: 131047 }] }]);
});

test("many statuses share a POST and none is lost or doubled", async () => {
  pair.simulator.setSettings({ throughputLimit: false, messagingLimit: false, callbacksInFlight: 1 });
  const sent = await Promise.all(
    Array.from({ length: 300 }, async (_, n) => (await pair.send(template(`+1555200${1000 + n}`))).body.messages[0].id),
  );
  await pair.simulator.idle();
  expect(pair.receiver.posts.length).toBeLessThan(300);
  const seen = pair.receiver.statuses().map((status) => `${status["id"]} ${status["status"]}`);
  expect(seen.toSorted()).toEqual(
    sent.flatMap((id) => ["delivered", "read", "sent"].map((one) => `${id} ${one}`)).toSorted(),
  );
  expect(
    Math.max(...pair.receiver.posts.map((post) => post.payload.entry[0]!.changes[0]!.value["statuses"].length)),
  ).toBeLessThanOrEqual(100);
});

test("accounts share a POST only when more of them wait than POSTs are free", async () => {
  pair.simulator.setSettings({ callbacksInFlight: 1 });
  const accounts = Array.from({ length: 30 }, (_, n) => `95${10 + n}`);
  for (const id of accounts) {
    const phone_numbers = [{ id: `${id}1`, display_phone_number: `+1555600${id}` }];
    pair.simulator.addAccount({
      waba_id: id,
      name: id,
      business_id: "7001",
      token: `T${id}`,
      subscribed: true,
      phone_numbers,
    });
    pair.simulator.inbound({ phone_number_id: `${id}1`, from: ANA, text: "hi" });
  }
  await pair.simulator.idle();
  const entries = pair.receiver.posts.flatMap((post) => post.payload.entry.map((entry) => entry.id));
  expect(entries.toSorted()).toEqual(accounts);
  expect(pair.receiver.posts.length).toBeLessThan(accounts.length);
});

test("a callback without a 200 is tried again with the same bytes until it is taken", async () => {
  const tries: string[] = [];
  pair.receiver.answer = (post) => {
    tries.push(`${post.signature} ${post.raw}`);
    return [503, 302, 404, 200][Math.min(tries.length, 4) - 1]!;
  };
  pair.simulator.inbound({ phone_number_id: "1055", from: ANA, text: "hi" });
  await pair.simulator.idle();
  expect(tries).toHaveLength(4);
  expect(new Set(tries).size).toBe(1);
  const log = pair.simulator.callbacks().data;
  expect(log.map((entry) => [entry.attempt, entry.outcome, entry.http_status, entry.retry_in_ms])).toEqual([
    [1, "retrying", 503, 5],
    [2, "retrying", 302, 10],
    [3, "retrying", 404, 20],
    [4, "delivered", 200, null],
  ]);
});

test("a receiver that never answers is given up at the end of the span", async () => {
  await pair.close();
  pair = await startPair({ callbackRetries: { firstMs: 5, capMs: 5, giveUpMs: 40, timeoutMs: 10 } });
  pair.receiver.answer = () => 0;
  pair.simulator.inbound({ phone_number_id: "1055", from: ANA, text: "hi" });
  await pair.simulator.idle();
  expect(pair.simulator.stats().callbacks).toMatchObject({ delivered: 0, given_up: 1 });
  expect(pair.simulator.callbacks().data.at(-1)).toMatchObject({ outcome: "gave_up", http_status: null });
});

test("only subscribed accounts get callbacks, and an override takes the messages but not the templates", async () => {
  await pair.call("DELETE", "/v26.0/9001/subscribed_apps");
  expect(pair.simulator.inbound({ phone_number_id: "1055", from: ANA, text: "one" }).reported).toBe(false);
  const own = await startReceiver();
  const wrong = { override_callback_uri: own.url, verify_token: "wrong" };
  expect((await pair.call("POST", "/v26.0/9001/subscribed_apps", wrong)).status).toBe(400);
  const right = { override_callback_uri: own.url, verify_token: "demo-verify-token" };
  expect((await pair.call("POST", "/v26.0/9001/subscribed_apps", right)).body).toEqual({ success: true });
  pair.simulator.inbound({ phone_number_id: "1055", from: ANA, text: "two" });
  pair.simulator.decideTemplate("1689556908129836", { status: "APPROVED" });
  await pair.simulator.idle();
  expect(own.changes().map((change) => change.value["messages"]?.[0]?.text.body)).toEqual(["two"]);
  expect(pair.receiver.changes().map((change) => change.field)).toEqual(["message_template_status_update"]);
  await own.close();
});

test("the handshake returns whether the bare challenge came back", async () => {
  expect(await pair.simulator.handshake()).toEqual({ verified: true, status: 200 });
  expect(await pair.simulator.handshake({ verify_token: "wrong" })).toEqual({ verified: false, status: 403 });
  expect(await pair.simulator.handshake({ url: "http://127.0.0.1:1/" })).toEqual({ verified: false, status: null });
});

test("wrong and missing signatures on request", async () => {
  pair.simulator.setSettings({ signature: "wrong" });
  pair.simulator.inbound({ phone_number_id: "1055", from: ANA, text: "one" });
  await pair.simulator.idle();
  pair.simulator.setSettings({ signature: "missing" });
  pair.simulator.inbound({ phone_number_id: "1055", from: ANA, text: "two" });
  await pair.simulator.idle();
  expect(pair.receiver.posts.map((post) => [post.verified, post.signature === undefined])).toEqual([
    [false, false],
    [false, true],
  ]);
});

test("reset forgets what was to come", async () => {
  pair.simulator.setDelays({ ...NO_DELAYS, sentMs: 60_000 });
  await pair.send(template(ANA));
  expect(pair.simulator.stats().statuses_scheduled).toBe(3);
  pair.simulator.reset();
  await pair.simulator.idle();
  expect(pair.simulator.stats()).toMatchObject({ requests: 0, accepted: 0, statuses_scheduled: 0 });
  expect(pair.receiver.posts).toEqual([]);
});
