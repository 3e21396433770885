import { beforeEach, describe, expect, it } from "vitest";
import { DAY_MS } from "../../lib/duration.ts";
import { callbackOf, postCallback, statusOf } from "../../testing/callback.ts";
import type { Sender } from "../../testing/gateway.ts";
import { person, startSenders } from "../messages/testing/senders.ts";
import { countUsage } from "./usage.store.ts";
import { countAll } from "./usage.ts";

const { gateway, theirs } = await startSenders();

let mine: Sender;
beforeEach(async () => {
  mine = await gateway.sender();
});

type Entry = {
  day: string;
  direction: string;
  status: string;
  category: string | null;
  count: number;
  billable: number;
};
const today = () => new Date(gateway.clock.now()).toISOString().slice(0, 10);
const usage = async (query = "", of: Sender = mine): Promise<Entry[]> => {
  await countAll(gateway.app, countUsage);
  const { status, body } = await of.call("GET", `/v1/usage${query}`);
  expect(status).toBe(200);
  return body.data;
};
/** Status, category and counts, in any order. */
const counts = async (query = "", of: Sender = mine) =>
  (await usage(query, of))
    .map(({ status, category, count, billable }) => [status, category, count, billable])
    .toSorted();
/** After a while: what was counted just now is not counted again at once. */
const countedLater = () => {
  gateway.clock.advance(30_000);
  return counts();
};
const report = (wamid: string, status: string, more: object = {}) =>
  postCallback(gateway, callbackOf(mine.account, statusOf(wamid, status, gateway.clock.now(), more)));
const billed = (category: string, billable = true) => ({
  pricing: { billable, pricing_model: "PMP", type: billable ? "regular" : "free_customer_service", category },
});

async function accepted(to = person(), more: object = {}): Promise<{ id: string; wamid: string }> {
  const { body } = await mine.send(to, more);
  const { id, provider_message_id: wamid } = await mine.becomes(body.id, "accepted");
  return { id, wamid };
}

describe("GET /v1/usage", () => {
  it("counts messages of both directions by status and category, of the caller's workspace alone", async () => {
    const to = person();
    await accepted(to);
    await mine.send(person(), { send_at: new Date(gateway.clock.now() + DAY_MS).toISOString() });
    await mine.inbound(to);
    await mine.call("POST", "/v1/messages", { body: { to, type: "text", text: { body: "Hi" } } });
    await expect.poll(countedLater).toEqual([
      ["accepted", null, 1, 0],
      ["accepted", "utility", 1, 0],
      ["received", null, 1, 0],
      ["scheduled", "utility", 1, 0],
    ]);
    expect(await counts("", theirs)).toEqual([]);
    const [entry] = await usage();
    expect(entry).toEqual({
      day: today(),
      direction: "outbound",
      status: "accepted",
      category: null,
      phone_number_id: mine.phoneNumberId,
      count: 1,
      billable: 0,
      cost: null,
    });
  });

  it("moves a message with its status, and takes the provider's category and price, corrected ones too", async () => {
    const { wamid } = await accepted();
    expect(await counts()).toEqual([["accepted", "utility", 1, 0]]);
    gateway.clock.advance(60_000);
    await report(wamid, "sent", billed("marketing"));
    await expect.poll(countedLater).toEqual([["sent", "marketing", 1, 1]]);
    gateway.clock.advance(60_000);
    await report(wamid, "delivered", billed("utility", false));
    await expect.poll(countedLater).toEqual([["delivered", "utility", 1, 0]]);
    gateway.clock.advance(60_000);
    await report(wamid, "read");
    await expect.poll(countedLater).toEqual([["read", "utility", 1, 0]]);
  });

  it("counts each message once, however often it is counted, by several at a time", async () => {
    for (let i = 0; i < 5; i++) await accepted();
    for (let i = 0; i < 3; i++) {
      gateway.clock.advance(60_000);
      await Promise.all([
        countAll(gateway.app, countUsage),
        countAll(gateway.app, countUsage),
        countAll(gateway.app, countUsage),
      ]);
    }
    expect(await counts()).toEqual([["accepted", "utility", 5, 0]]);
  });

  it("finds a late status weeks later, on the day of the message", async () => {
    const { wamid } = await accepted();
    const day = today();
    expect(await counts()).toEqual([["accepted", "utility", 1, 0]]);
    gateway.clock.advance(20 * DAY_MS);
    await gateway.partitionsAhead();
    expect(await counts()).toEqual([["accepted", "utility", 1, 0]]);
    await report(wamid, "delivered", billed("utility"));
    gateway.clock.advance(4 * DAY_MS);
    expect(await usage()).toMatchObject([{ day, status: "delivered", count: 1, billable: 1 }]);
  });

  it.each(["request", "answer"] as const)("counts once when the %s of a call is lost", async (at) => {
    await accepted();
    gateway.clock.advance(60_000);
    const caught = gateway.databaseProxy.hold("count_usage", at);
    const counting = countAll(gateway.app, countUsage);
    (await caught).cut();
    await counting;
    gateway.clock.advance(60_000);
    expect(await counts()).toEqual([["accepted", "utility", 1, 0]]);
  });

  it("is filtered by number and by day, both bounds exclusive", async () => {
    await accepted();
    const [day, before, after] = [0, -1, 1].map((days) =>
      new Date(gateway.clock.now() + days * DAY_MS).toISOString().slice(0, 10),
    );
    const one = [["accepted", "utility", 1, 0]];
    expect(await counts(`?phone_number_id=${mine.phoneNumberId}`)).toEqual(one);
    expect(await counts(`?day_after=${before}&day_before=${after}`)).toEqual(one);
    for (const query of [
      `day_after=${day}`,
      `day_before=${day}`,
      `phone_number_id=${theirs.phoneNumberId}`,
      "phone_number_id=none",
      "day_after=9999-12-31",
      "day_before=1970-01-01",
      `day_after=${after}&day_before=${before}`,
    ])
      expect(await counts(`?${query}`)).toEqual([]);
  });

  it.each(["day_after=2026-02-30", "day_after=today", "day_after=2020-01-01&day_before=2026-01-01", "limit=5"])(
    "refuses %s",
    async (query) => {
      expect((await mine.call("GET", `/v1/usage?${query}`)).status).toBe(400);
    },
  );
});
