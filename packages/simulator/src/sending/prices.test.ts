import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Pair, startPair, template } from "../testing/provider.ts";

const HOUR_MS = 3_600_000;
const ANA = "+15550001111";
const BEN = "+15550002222";

let nowMs = 0;
let pair: Pair;
beforeEach(async () => {
  nowMs = Date.parse("2026-11-15T12:00:00Z");
  pair = await startPair({ clock: { nowMs: () => nowMs }, settings: { callbacksInFlight: 1, pairLimit: false } });
});
afterEach(() => pair.close());

const text = { to: ANA, type: "text", text: { body: "Hi" } };
const open = (person = ANA) => pair.simulator.setWindow({ phone_number_id: "1055", person, open: true });

/** Sends, and returns the statuses that were reported of it: each word with its price. */
async function outcome(message: Record<string, unknown>): Promise<[string, Record<string, unknown> | undefined][]> {
  const { body, status } = await pair.send(message);
  expect(status).toBe(200);
  await pair.simulator.idle();
  const { id } = body.messages[0];
  return pair.receiver
    .statuses()
    .filter((one) => one["id"] === id)
    .map((one) => [one["status"], one["pricing"]]);
}
const priceOf = async (message: Record<string, unknown>) => (await outcome(message)).at(-2)?.[1];
const price = (type: string, category: string, billable = type === "regular", more: object = {}) => ({
  billable,
  pricing_model: "PMP",
  type,
  category,
  ...more,
});

describe("service messages", () => {
  test("are free for a thousand that are delivered in a month of the account, and charged from then on", async () => {
    open();
    pair.simulator.setServiceUse("1055", 998);
    expect(await priceOf(text)).toEqual(price("free_customer_service", "service"));
    expect(await outcome(text)).toEqual([
      ["sent", price("free_customer_service", "service")],
      ["delivered", price("free_customer_service", "service")],
      ["read", undefined],
    ]);
    expect(await priceOf(text)).toEqual(price("regular", "service"));
    expect(pair.simulator.bills()).toEqual([
      {
        phone_number_id: "1055",
        month: "2026-11",
        time_zone: "America/Los_Angeles",
        allowance: { included: 1000, used: 3, others: 998 },
        billable: 1,
        charges: [
          { category: "service", type: "free_customer_service", count: 2 },
          { category: "service", type: "regular", count: 1 },
        ],
      },
    ]);
    // Midnight of Los Angeles, and not of UTC.
    nowMs = Date.parse("2026-12-01T07:59:59Z");
    open();
    expect(await priceOf(text)).toEqual(price("regular", "service"));
    nowMs += 1_000;
    expect(await priceOf(text)).toEqual(price("free_customer_service", "service"));
    expect(pair.simulator.bills({ phone_number_id: "1055", month: "2026-12" })).toMatchObject([
      { allowance: { used: 1, others: 0 }, billable: 0 },
    ]);
  });

  test("count when they are delivered: what was free when it left may be charged", async () => {
    open();
    pair.simulator.setServiceUse("1055", 999);
    pair.simulator.addFault({ kind: "statuses", statuses: ["sent"] });
    const { body } = await pair.send(text);
    await pair.simulator.idle();
    expect(pair.receiver.statuses()[0]?.["pricing"].type).toBe("free_customer_service");
    expect((await outcome(text))[1]?.[1]).toEqual(price("free_customer_service", "service"));
    const late = pair.simulator.status({ id: body.messages[0].id, status: "delivered", report: false });
    expect(late.update.value).toMatchObject({ statuses: [{ pricing: price("regular", "service") }] });
    // Said again, it is not delivered again.
    pair.simulator.status({ id: body.messages[0].id, status: "delivered", report: false });
    expect(pair.simulator.bills()).toMatchObject([{ allowance: { used: 2 }, billable: 1 }]);
  });

  test("reactions are free and count for nothing", async () => {
    open();
    const { id } = pair.simulator.inbound({ phone_number_id: "1055", from: ANA, text: "Hi" });
    pair.simulator.setServiceUse("1055", 1000);
    const reaction = { to: ANA, type: "reaction", reaction: { message_id: id, emoji: "👍" } };
    expect(await outcome(reaction)).toEqual([["sent", price("free_customer_service", "service")]]);
    expect(pair.simulator.bills()).toMatchObject([{ allowance: { used: 0 }, charges: [] }]);
  });

  test("of an exempt organisation beyond the thousand are free", async () => {
    open();
    pair.simulator.setServiceUse("1055", 1000);
    await pair.call("PUT", "/sim/accounts/9001", { paid_exempt: true });
    expect(await priceOf(text)).toEqual(price("regular", "service", false, { subtype: "paid_exempt" }));
    expect(pair.simulator.bills()).toMatchObject([{ allowance: { used: 0 }, billable: 0 }]);
  });

  test("without a means of payment are accepted and not delivered beyond the thousand", async () => {
    open();
    pair.simulator.setServiceUse("1055", 999);
    await pair.call("PUT", "/sim/accounts/9001", { payment_method: false });
    expect((await outcome(text)).map(([word]) => word)).toEqual(["sent", "delivered", "read"]);
    expect((await outcome(text)).map(([word]) => word)).toEqual(["failed"]);
    expect(pair.receiver.statuses().at(-1)?.["errors"][0].code).toBe(131042);
    expect((await outcome(template(ANA))).map(([word]) => word)).toEqual(["sent", "delivered", "read"]);
    await pair.call("PUT", "/sim/accounts/9001", { payment_method: true });
    expect((await outcome(text)).map(([word]) => word)).toEqual(["sent", "delivered", "read"]);
  });

  test("of two numbers have a thousand each", async () => {
    pair.simulator.addAccount({
      waba_id: "9002",
      name: "Two",
      business_id: "7002",
      token: "EAATWO",
      timezone_id: "71",
      phone_numbers: [{ id: "2055", display_phone_number: "+15559990002" }],
    });
    pair.simulator.setServiceUse("1055", 1000);
    pair.simulator.setWindow({ phone_number_id: "2055", person: ANA, open: true });
    await pair.call("POST", "/v26.0/2055/messages", { messaging_product: "whatsapp", ...text }, "EAATWO");
    await pair.simulator.idle();
    expect(pair.simulator.bills({ phone_number_id: "2055" })).toMatchObject([
      { time_zone: "Asia/Kolkata", allowance: { used: 1 }, billable: 0 },
    ]);
    const { body } = await pair.call("GET", "/v26.0/9002?fields=timezone_id", undefined, "EAATWO");
    expect(body).toEqual({ timezone_id: "71", id: "9002" });
  });
});

describe("templates", () => {
  test("of utility are charged inside the window too", async () => {
    open();
    expect(await priceOf(template(ANA))).toEqual(price("regular", "utility"));
  });

  test("are free in an entry point: seven days by an advertisement, three otherwise, as its end says", async () => {
    const entry = async (from: string, source_type: string) => {
      pair.simulator.inbound({ phone_number_id: "1055", from, text: "Hi", referral: { source_type } });
      const [, priced] = (await outcome(template(from)))[0] ?? [];
      expect(priced).toEqual(price("free_entry_point", "referral_conversion"));
      const said = pair.receiver.statuses().findLast((one) => one["conversation"]?.expiration_timestamp !== undefined);
      return (Number(said?.["conversation"].expiration_timestamp) * 1000 - nowMs) / HOUR_MS;
    };
    expect(await entry(ANA, "ad")).toBe(168);
    expect(await entry(BEN, "post")).toBe(72);
    pair.simulator.setSettings({ freeEntryHours: 24 });
    expect(await entry("+15550003333", "ad")).toBe(24);
  });
});

describe("settings", () => {
  test("the field `billable` may be gone", async () => {
    pair.simulator.setSettings({ billableField: false });
    expect(await priceOf(template(ANA))).toEqual({ pricing_model: "PMP", type: "regular", category: "utility" });
  });

  test("prices of before October 2026", async () => {
    open();
    pair.simulator.setSettings({ prices: "july_2025" });
    pair.simulator.setServiceUse("1055", 1000);
    expect(await priceOf(text)).toEqual(price("free_customer_service", "service"));
    expect(await priceOf(template(ANA))).toEqual(price("free_customer_service", "utility"));
    expect(await priceOf(template(BEN))).toEqual(price("regular", "utility"));
  });

  test("clock, account and bills are set and read over HTTP, and a slip is refused", async () => {
    const put = (path: string, body: object) => pair.call("PUT", path, body);
    expect((await put("/sim/clock", { now: "2026-11-30T10:00:00Z" })).body).toEqual({
      now: "2026-11-30T10:00:00.000Z",
    });
    nowMs += HOUR_MS;
    await pair.send(template(ANA));
    await pair.simulator.idle();
    expect(pair.receiver.statuses()[0]?.["timestamp"]).toBe(String(Date.parse("2026-11-30T11:00:00Z") / 1000));
    expect((await put("/sim/accounts/9001", { time_zone: "Pacific/Auckland" })).status).toBe(200);
    await pair.send(template(ANA));
    await pair.simulator.idle();
    const { body } = await pair.call("GET", "/sim/bills?phone_number_id=1055");
    expect(body.data).toMatchObject([
      { month: "2026-11", billable: 1 },
      { month: "2026-12", billable: 1 },
    ]);
    expect((await put("/sim/clock", { now: null })).body).toEqual({ now: new Date(nowMs).toISOString() });
    expect((await put("/sim/clock", { now: "tomorrow" })).status).toBe(400);
    expect((await put("/sim/accounts/9001", { time_zone: "Mars/Olympus" })).status).toBe(400);
    expect((await put("/sim/accounts/9001", { timezone: "1" })).status).toBe(400);
    expect((await put("/sim/numbers/1055/service-use", { others: -1 })).status).toBe(400);
    expect((await pair.call("GET", "/sim/bills?number=1055")).status).toBe(400);
    expect((await pair.call("GET", "/sim/bills?phone_number_id=1")).status).toBe(404);
  });
});
