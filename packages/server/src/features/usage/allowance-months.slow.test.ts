import { expect, it } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/duration.ts";
import { monthOf } from "../../lib/time-zone.ts";
import { reconcileDue } from "../accounts/reconcile.ts";
import { LOS_ANGELES, SERVICE, startAllowances, TEXT } from "./testing/allowances.ts";

const PATIENCE = { timeout: 30_000, interval: 20 };
const { gateway, mine, theirs, sent, report, allowanceOf, expectUsed, jumpTo } = await startAllowances();

/** The periodic check of all accounts begins. */
async function reconciles(): Promise<void> {
  gateway.clock.advance(7 * HOUR_MS);
  await reconcileDue(gateway.app);
}

it("a message counts in the month in which it was delivered, by the provider's time, however late that is said", async () => {
  const { start, end } = monthOf(gateway.clock.now(), LOS_ANGELES);
  const wamids = await Promise.all(Array.from({ length: 4 }, () => sent(mine)));
  const [before = "", at = "", readFirst = "", within = ""] = wamids;
  await report(mine, before, "delivered", SERVICE, start - 1_000);
  await report(mine, at, "delivered", SERVICE, start);
  await report(mine, readFirst, "read", SERVICE, start + HOUR_MS);
  await report(mine, within, "delivered", SERVICE, start + DAY_MS);
  await expectUsed(mine, 3);
  // It had been delivered in the month before.
  await report(mine, readFirst, "delivered", null, start - HOUR_MS);
  await expectUsed(mine, 2);
  await jumpTo(end + 1);
  const { end: next } = monthOf(gateway.clock.now(), LOS_ANGELES);
  const resets_at = new Date(next).toISOString();
  expect(await allowanceOf(mine)).toEqual({ included: 1000, used: 0, remaining: 1000, resets_at });
  await report(mine, await sent(mine), "delivered", SERVICE);
  await expectUsed(mine, 1);
});

it("the month is that of the account's time zone, which may become known, change and be forgotten", async () => {
  const of = await gateway.sender({ timezone_id: "9999" });
  const zoneOf = async () => (await of.call("GET", "/v1/business-accounts")).body.data[0].time_zone;
  expect(await zoneOf()).toBeNull();
  const { end } = monthOf(gateway.clock.now(), null);
  await jumpTo(end + HOUR_MS);
  for (const ago of [14 * HOUR_MS, MINUTE_MS, -MINUTE_MS])
    await report(of, await sent(of, TEXT), "delivered", SERVICE, end - ago);
  await expectUsed(of, 1);
  for (const [timezone_id, zone, count] of [
    ["452", "Pacific/Kiritimati", 3],
    ["71", "Asia/Kolkata", 2],
    ["1", LOS_ANGELES, 0],
    ["0", null, 1],
  ] as const) {
    gateway.simulator.setAccount(of.account.wabaId, { timezone_id });
    await reconciles();
    await expect.poll(zoneOf, PATIENCE).toBe(zone);
    expect((await allowanceOf(of)).used).toBe(count);
  }
});

it("the month of a number that has moved is that of the account it belongs to now", async () => {
  const { end } = monthOf(gateway.clock.now(), null);
  await jumpTo(end + HOUR_MS);
  const other = await gateway.connect(theirs, { timezone_id: "71" });
  await report(theirs, await sent(theirs), "delivered", SERVICE, end - HOUR_MS);
  await report(theirs, await sent(theirs), "delivered", SERVICE, end + MINUTE_MS);
  await jumpTo(end + 9 * HOUR_MS);
  await expectUsed(theirs, 0);
  // The provider lists the number under the other account from now on.
  const moved = { id: theirs.account.providerPhoneNumberId, display_phone_number: theirs.account.phone };
  const ofOther = { id: other.account.providerPhoneNumberId, display_phone_number: other.account.phone };
  const accountOf = ({ account: { wabaId: waba_id, token } }: typeof other) => ({
    waba_id,
    token,
    name: "Shop",
    business_id: "7",
    subscribed: true,
  });
  gateway.simulator.addAccount({ ...accountOf(theirs), phone_numbers: [] });
  gateway.simulator.addAccount({ ...accountOf(other), phone_numbers: [ofOther, moved], timezone_id: "47" });
  await reconciles();
  // An hour before the month began in UTC it had begun in Berlin.
  await expect.poll(async () => (await allowanceOf(theirs)).used, PATIENCE).toBe(2);
  gateway.simulator.setAccount(other.account.wabaId, { timezone_id: "58" });
  await reconciles();
  await expect.poll(async () => (await allowanceOf(theirs)).used, PATIENCE).toBe(1);
});
