import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Pair, startPair, template } from "../testing/provider.ts";

let pair: Pair;
let nowMs = 1_790_000_000_000;
beforeAll(async () => {
  pair = await startPair({ clock: { nowMs: () => nowMs } });
});
afterAll(() => pair.close());
beforeEach(() => {
  pair.simulator.reset();
  pair.simulator.setDelays({ statuses: false });
});

const HOUR_MS = 3_600_000;
const [ANA, BEN, CLEO] = ["+15550001111", "+15550002222", "+15550003333"] as const;
const codeOf = async (to: string, token?: string): Promise<number | null> =>
  (await pair.send(template(to), token)).body.error?.code ?? null;

test("a portfolio reaches so many people in 24 hours, each once, by whichever number", async () => {
  pair.simulator.addAccount({
    waba_id: "9002",
    name: "Second",
    business_id: "7001",
    token: "EAASECOND",
    phone_numbers: [{ id: "1066", display_phone_number: "+1 555 999 0066" }],
    templates: [
      { name: "order_ready", language: "en_US", category: "UTILITY", components: [{ type: "BODY", text: "Ready." }] },
    ],
  });
  pair.simulator.setMessagingLimit("9001", "TIER_2");
  expect([await codeOf(ANA), await codeOf(ANA)]).toEqual([null, null]);
  const second = (to: string) =>
    pair.call("POST", "/v26.0/1066/messages", { messaging_product: "whatsapp", ...template(to) }, "EAASECOND");
  expect((await second(ANA)).status).toBe(200);
  nowMs += HOUR_MS;
  expect((await second(BEN)).status).toBe(200);
  expect(await codeOf(CLEO)).toBe(131_048);
  expect((await second(CLEO)).body.error.code).toBe(131_048);
  nowMs += 23 * HOUR_MS;
  expect(await codeOf(CLEO)).toBeNull();
  expect(await codeOf(ANA)).toBe(131_048);
});

test("who wrote, and whom a message did not reach, is not counted", async () => {
  pair.simulator.setMessagingLimit("9001", "TIER_1");
  pair.simulator.setSettings({ messagingLimitCode: 131_064 });
  pair.simulator.inbound({ phone_number_id: "1055", from: ANA, text: "hi" });
  pair.simulator.addFault({ kind: "fail", code: 131_026, recipient: BEN });
  expect([await codeOf(ANA), await codeOf(BEN), await codeOf(CLEO)]).toEqual([null, null, null]);
  expect(await codeOf(BEN)).toBe(131_064);
});

test("who was not written to because of a rate is not counted", async () => {
  pair.simulator.setMessagingLimit("9001", "TIER_1");
  pair.simulator.inbound({ phone_number_id: "1055", from: ANA, text: "hi" });
  for (let sent = 0; sent < 45; sent += 1) expect(await codeOf(ANA)).toBeNull();
  nowMs += 24 * HOUR_MS;
  expect(await codeOf(ANA)).toBe(131_056);
  expect(await codeOf(BEN)).toBeNull();
  expect(await codeOf(CLEO)).toBe(131_048);
});

test("a new limit is reported", async () => {
  pair.simulator.setMessagingLimit("9001", "TIER_2K");
  await pair.simulator.idle();
  expect(pair.receiver.changes().at(-1)).toMatchObject({
    field: "business_capability_update",
    value: { max_daily_conversations_per_business: "TIER_2K" },
  });
});
