import { beforeAll, describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/duration.ts";
import { takeGoldenTemplates } from "../testing/golden-templates.ts";
import { keyed, person, startSenders } from "../testing/senders.ts";
import { ends, offer, templateOf } from "../testing/template-parts.ts";

const senders = await startSenders({ API_RATE_LIMIT: "off" });
const { gateway, mine, countOf } = senders;
beforeAll(() => takeGoldenTemplates(senders));

const now = () => gateway.clock.now();
const iso = (aheadMs: number) => new Date(now() + aheadMs).toISOString();
const message = (more: object, to = person()) => ({ to, type: "template", template: templateOf("hello"), ...more });
const send = (body: object, headers = {}) => mine.call("POST", "/v1/messages", { body, headers });

/** Refused by a request of its own, in a batch and in a dry run, each time at the same place. */
async function expectRefused(body: { to: string }, pointer: string, code: string, detail: string, status = 400) {
  const fault = { pointer, code, detail: expect.stringContaining(detail) };
  expect(await send(body)).toMatchObject({ status, body: { errors: [fault] } });
  const { data } = (await mine.call("POST", "/v1/messages/batch", { body: { messages: [body, message({})] } })).body;
  expect(data).toMatchObject([{ error: { status, errors: [fault] } }, { message: { status: "queued" } }]);
  const dry = await mine.call("POST", "/v1/messages/validate", { body });
  expect(dry.body).toMatchObject({ sendable: false, problems: [{ status, errors: [fault] }] });
  expect(await countOf(body.to)).toBe(0);
}

describe("the time of a message", () => {
  it.each<[what: string, more: () => object, pointer: string, code: string, detail: string]>([
    ["of a year that is over", () => ({ send_at: "2020-11-26T15:00:00Z" }), "/send_at", "past", "Leave send_at out"],
    ["more than a minute ago", () => ({ send_at: iso(-61_000) }), "/send_at", "past", "This time has passed"],
    ["31 days ahead", () => ({ send_at: iso(31 * DAY_MS) }), "/send_at", "too_far", "30 days"],
    ["of another century", () => ({ send_at: "2126-11-26T15:00:00Z" }), "/send_at", "too_far", "more than a year"],
    ["that ends before now", () => ({ expires_at: iso(-1) }), "/expires_at", "past", "This time has passed"],
    ["that ends in the next century", () => ({ expires_at: "2126-11-26T15:00:00Z" }), "/expires_at", "too_far", "year"],
    [
      "that ends before it begins",
      () => ({ send_at: iso(HOUR_MS), expires_at: iso(MINUTE_MS) }),
      "/expires_at",
      "invalid",
      "after send_at",
    ],
  ])("%s is refused, with what to do", async (_what, more, ...refusal) => {
    const to = person();
    await expectRefused({ ...message(more(), to), to }, ...refusal);
  });

  it.each([0, -1_000, -59_000])("%i ms from now is now", async (aheadMs) => {
    const { status, body } = await send(message({ send_at: iso(aheadMs) }));
    expect([status, body.status]).toEqual([202, "queued"]);
    await mine.becomes(body.id, "accepted");
  });

  it("has passed when the request is repeated: its first answer is given again", async () => {
    const body = message({ send_at: iso(MINUTE_MS), expires_at: iso(2 * MINUTE_MS) });
    const batch = { messages: [message({ send_at: iso(MINUTE_MS) })] };
    const first = await send(body, keyed("soon"));
    const firstBatch = await mine.call("POST", "/v1/messages/batch", { body: batch, headers: keyed("soon-batch") });
    expect([first.status, firstBatch.status]).toEqual([202, 202]);
    gateway.clock.advance(HOUR_MS);
    const again = await send(body, keyed("soon"));
    expect([again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([202, first.text, "true"]);
    const againBatch = await mine.call("POST", "/v1/messages/batch", { body: batch, headers: keyed("soon-batch") });
    expect(againBatch.body.data).toEqual(firstBatch.body.data);
    expect((await send(body, keyed("later"))).status).toBe(400);
  });
});

describe("the end of a limited-time offer", () => {
  const seconds = (ms: number) => Math.floor(ms / 1_000);
  const POINTER = "/template/components/4/limited_time_offer/expiration_time_ms";
  const MISMATCH = 422;

  it.each<[what: string, end: () => number, code: string, detail: string]>([
    ["in seconds", () => seconds(now() + DAY_MS), "unit", "looks like seconds. Multiply it by 1000"],
    ["in microseconds", () => (now() + DAY_MS) * 1_000, "unit", "looks like microseconds. Divide it by 1000"],
    ["of yesterday", () => now() - DAY_MS, "past", "has passed"],
    ["of this very moment", () => now(), "past", "in milliseconds since 1970"],
    ["of 1971", () => 366 * DAY_MS, "past", "has passed"],
    ["in twenty years", () => now() + 20 * 365 * DAY_MS, "too_far", "more than ten years"],
  ])("%s is refused", async (_what, end, code, detail) => {
    const to = person();
    await expectRefused({ ...message({ template: offer(ends(end())) }), to }, POINTER, code, detail, MISMATCH);
  });

  it("comes after the message is sent, wherever it stands", async () => {
    const parameters = { type: "limited_time_offer", parameters: [ends(now() + HOUR_MS)] };
    const body = message({ template: offer(parameters), send_at: iso(2 * HOUR_MS) });
    const pointer = "/template/components/4/parameters/0/limited_time_offer/expiration_time_ms";
    await expectRefused(body, pointer, "past", "when the message is sent", MISMATCH);
    const sent = await send(message({ template: offer(parameters), send_at: iso(MINUTE_MS) }));
    expect([sent.status, sent.body.errors]).toEqual([202, undefined]);
  });

  it("is looked at in a fallback too", async () => {
    const fallback = { template: offer(ends(seconds(now() + DAY_MS))) };
    const body = { to: person(), type: "text", text: { body: "Hi" }, fallback };
    await expectRefused(body, `/fallback${POINTER}`, "unit", "seconds", MISMATCH);
  });

  it.each([1, 9 * 365 * DAY_MS])("%i ms ahead is sent", async (aheadMs) => {
    const { status, body } = await send(message({ template: offer(ends(now() + HOUR_MS + aheadMs)) }));
    expect([status, body.errors]).toEqual([202, undefined]);
    await mine.becomes(body.id, "accepted");
  });

  it("has passed when the request is repeated: its first answer is given again", async () => {
    const body = message({ template: offer(ends(now() + MINUTE_MS)) });
    const first = await send(body, keyed("offer"));
    expect(first.status).toBe(202);
    gateway.clock.advance(HOUR_MS);
    expect((await send(body, keyed("offer"))).text).toBe(first.text);
  });
});

it.each([
  [
    { type: "voice_call", action: { name: "voice_call", parameters: { ttl_minutes: 604_800 } } },
    "at most 43200 minutes",
  ],
  [{ type: "voice_call", action: { name: "voice_call", parameters: { ttl_minutes: 0 } } }, "at least 1 minutes"],
  [{ type: "voice_call", action: { name: "voice_call", parameters: { ttl_minutes: "5" } } }, "whole number of minutes"],
])("a number with a unit is refused with the unit that is meant: %o", async (content, detail) => {
  const interactive = { ...content, body: { text: "Call us" } };
  const { status, body } = await send({ to: person(), type: "interactive", interactive });
  const [fault] = body.errors;
  expect([status, fault.pointer]).toEqual([400, "/interactive/action/parameters/ttl_minutes"]);
  expect(fault.detail).toContain(detail);
});

it("so is one of another resource", async () => {
  const { body } = await mine.call("POST", "/v1/api-keys/key_01jd0000000000000000000000/rotate", {
    body: { overlap_seconds: 86_400_000 },
  });
  expect(body.errors).toMatchObject([{ pointer: "/overlap_seconds", detail: "must be at most 604800 seconds" }]);
});
