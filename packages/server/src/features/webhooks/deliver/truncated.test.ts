import { afterAll, beforeAll, expect, test } from "vitest";
import { feedOf } from "../feed/feed.ts";
import { eventRoutes } from "../routes.ts";
import { startWebhooks, type WebhooksApp } from "../testing/app.ts";
import { TEST_EVENTS } from "../testing/deps.ts";
import { MOST_BODY_BYTES, truncated } from "./truncated.ts";

let app: WebhooksApp;
beforeAll(async () => {
  app = await startWebhooks({ routes: eventRoutes(feedOf(TEST_EVENTS)) });
  // From here on the sequences of this file have two digits each.
  await app.emit(
    (await app.workspace()).id,
    Array.from({ length: 10 }, () => ({})),
  );
});
afterAll(() => app.stop());

/** Posts an event of a message with this text; what was posted, and what the feed and `GET /v1/events/{id}` say of it. */
async function posted(text: string) {
  const { id, call, endpoint, receiver } = await app.subscribed();
  await app.emit(id, [{ text }]);
  await app.workAll(id);
  const received = receiver.received[0]!;
  expect(app.verifies(receiver, endpoint.secret)).toBe(true);
  // Not before all transactions of the cluster have ended that began before it.
  let listed: unknown[] = [];
  await expect.poll(async () => (listed = (await call("GET", "/v1/events?limit=100")).body.data)).toHaveLength(1);
  const got = await call("GET", `/v1/events/${received.body.id}`);
  return { bytes: Buffer.byteLength(received.text), body: received.body, listed, got: got.body };
}

test("a body of 256 KiB goes out whole, one byte more without its content; the feed has the same", async () => {
  const { bytes: empty } = await posted("");
  for (const letter of ["a", "ü", "€", "\u0001"]) {
    const each = JSON.stringify(letter).length === 3 ? Buffer.byteLength(letter) : 6;
    const room = MOST_BODY_BYTES - empty;
    const fits = letter.repeat(Math.floor(room / each)) + "b".repeat(room % each);
    const whole = await posted(fits);
    expect([whole.bytes, whole.body.truncated]).toEqual([MOST_BODY_BYTES, undefined]);
    expect(whole.body.data.message.text.body).toBe(fits);
    const short = await posted(`${fits}b`);
    expect(short.bytes).toBeLessThan(4_096);
    expect(short.body).toEqual({
      ...whole.body,
      id: expect.stringMatching(/^evt_/),
      workspace_id: expect.stringMatching(/^ws_/),
      sequence: expect.any(Number),
      truncated: true,
      data: {
        ...whole.body.data,
        message: expect.objectContaining({ id: expect.stringMatching(/^msg_/), status: "read", type: "text" }),
      },
    });
    expect(short.body.data.message).not.toHaveProperty("text");
    for (const { body, listed, got } of [whole, short]) expect([listed, got]).toEqual([[body], body]);
  }
});

test.each([
  [
    "an account's",
    { business_account: { id: "acc_1", name: "Acme" }, provider_event: "ALERT", detail: { text: "x".repeat(400_000) } },
    { business_account: { id: "acc_1", name: "Acme" }, provider_event: "ALERT", detail: {} },
  ],
  [
    "a person's",
    { contact: { id: "con_1", phone: "+1555", attributes: { a: "x".repeat(300_000) }, tags: ["vip"] }, source: "api" },
    { contact: { id: "con_1", phone: "+1555", tags: ["vip"] }, source: "api" },
  ],
  [
    "a call's with more fields than there is room for",
    { call: { id: "cal_1", ...Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`f${n}`, "x".repeat(500)])) } },
    { call: expect.objectContaining({ id: "cal_1", f0: "x".repeat(500) }) },
  ],
  ["a list's", { template: { id: "tpl_1" }, changed: ["x".repeat(300_000)] }, { template: { id: "tpl_1" } }],
])("%s event keeps what is short", (_, data, left) => {
  const body = { id: "evt_1", kind: "k", category: "c", workspace_id: "ws_1", created_at: "t", sequence: 1, data };
  const short = truncated(body);
  expect(short).toEqual({ ...body, data: left, truncated: true });
  expect(JSON.stringify(short).length).toBeLessThan(20_000);
  expect(truncated(body)).toEqual(short);
});
