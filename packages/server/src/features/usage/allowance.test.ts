import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../lib/duration.ts";
import { monthOf } from "../../lib/time-zone.ts";
import { testEngine } from "../../testing/engine.ts";
import { threadsOf } from "../conversations/testing/threads.ts";
import { countService } from "./service.store.ts";
import { LOS_ANGELES, type Price, SERVICE, startAllowances, TEXT } from "./testing/allowances.ts";
import { countAll } from "./usage.ts";

const { gateway, mine, theirs, sent, report, allowanceOf, expectUsed } = await startAllowances();

const TEMPLATE = { type: "template", template: { name: "order_ready", language: { code: "en_US" } } };
const REACTION = { type: "reaction" };
const counted = async (): Promise<number> => (await allowanceOf(mine)).used ?? 0;

describe("service_allowance", () => {
  it("is of the number, in the list, alone and in its account, and of nobody else", async () => {
    await report(mine, await sent(mine), "delivered", SERVICE);
    await expectUsed(mine, 1);
    const { end } = monthOf(gateway.clock.now(), LOS_ANGELES);
    const allowance = { included: 1000, used: 1, remaining: 999, resets_at: new Date(end).toISOString() };
    expect(await allowanceOf(mine)).toEqual(allowance);
    const [listed] = (await mine.call("GET", "/v1/phone-numbers")).body.data;
    const [account] = (await mine.call("GET", "/v1/business-accounts")).body.data;
    expect([listed, account.phone_numbers[0]]).toMatchObject([{ service_allowance: allowance }, listed]);
    expect(account.time_zone).toBe(LOS_ANGELES);
    expect(await allowanceOf(theirs)).toMatchObject({ used: 0, remaining: 1000 });
  });

  it.each<[string, number, Price, object]>([
    ["of the free thousand", 1, SERVICE, TEXT],
    ["beyond it", 1, { ...SERVICE, type: "regular", billable: true }, TEXT],
    ["in capital letters", 1, { type: "FREE_CUSTOMER_SERVICE", category: "SERVICE" }, TEXT],
    ["in a group", 1, { ...SERVICE, type: "free_group_customer_service", category: "group_service" }, TEXT],
    ["without a price", 1, null, TEXT],
    ["with a price that says nothing", 1, { category: null, type: "", subtype: 5 }, TEXT],
    ["through an entry point", 0, { type: "free_entry_point", category: "referral_conversion" }, TEXT],
    ["through an entry point, called service", 0, { type: "free_entry_point", category: "service" }, TEXT],
    ["of an exempt organisation", 0, { type: "regular", subtype: "paid_exempt", category: "service" }, TEXT],
    ["as a reaction", 0, SERVICE, REACTION],
    ["as a reaction without a price", 0, null, REACTION],
    ["as a template", 0, { type: "regular", category: "utility" }, TEMPLATE],
    ["as a template without a price", 0, null, TEMPLATE],
    ["of another category", 0, { type: "regular", category: "general_purpose_ai" }, TEXT],
  ])("%s: %i counts, from its delivery on", async (_what, count, price, more) => {
    const before = await counted();
    const wamid = await sent(mine, more);
    await report(mine, wamid, "sent", price);
    gateway.clock.advance(MINUTE_MS);
    await countAll(gateway.app, countService);
    expect(await counted()).toBe(before);
    await report(mine, wamid, "delivered", price);
    // Another one ends the wait for what does not count.
    await report(mine, await sent(mine), "read", SERVICE);
    await expectUsed(mine, before + count + 1);
  });

  it("counts each once, whatever is repeated, late or out of order, and by several processes at a time", async () => {
    const before = await counted();
    const wamids = await Promise.all(Array.from({ length: 4 }, () => sent(mine)));
    const orders = [
      ["sent", "delivered", "read", "played"],
      ["played", "read", "delivered", "sent"],
      ["read", "read", "sent", "delivered"],
      ["delivered", "failed", "read", "warning"],
    ];
    for (const [index, wamid] of wamids.entries())
      for (const word of orders[index] ?? []) {
        for (let i = 0; i < 2; i++) await report(mine, wamid, word, SERVICE);
        gateway.clock.advance(31_000);
        await Promise.all([1, 2, 3].map(() => countAll(gateway.app, countService)));
      }
    await expectUsed(mine, before + 4);
    gateway.clock.advance(HOUR_MS);
    await expectUsed(mine, before + 4);
  });

  it("takes no message of another responder without a price, and one with a price as any", async () => {
    const before = await counted();
    const { post, otherWrote, status } = threadsOf(gateway, mine);
    const priced = { pricing: SERVICE };
    await post(
      ...["wamid.other.1", "wamid.other.2"].map((id) => otherWrote("15557460001", id)),
      status("standby", "wamid.other.1", "delivered"),
      status("standby", "wamid.other.2", "delivered", priced),
    );
    await report(mine, await sent(mine), "delivered", SERVICE);
    await expectUsed(mine, before + 2);
  });

  it.each([
    [999, 1],
    [1_000, 0],
    [1_001, 0],
    [25_000, 0],
  ])("of %i used leaves %i", async (used, remaining) => {
    const of = await gateway.sender();
    await report(of, await sent(of), "delivered", SERVICE);
    await expectUsed(of, 1);
    await testEngine(gateway.database.url).rows(
      "update service_use set count = $2 where workspace_id = $1 returning 1",
      [of.uuid, used],
    );
    expect(await allowanceOf(of)).toMatchObject({ included: 1_000, used, remaining });
  });

  it("takes a price that comes later, with a repetition too, and one that is corrected", async () => {
    const before = await counted();
    const [exempt, free] = [await sent(mine), await sent(mine)];
    await report(mine, exempt, "delivered");
    await report(mine, free, "sent", { type: "free_entry_point", category: "referral_conversion" });
    await report(mine, free, "read", SERVICE);
    await expectUsed(mine, before + 2);
    await report(mine, exempt, "read", { type: "regular", subtype: "paid_exempt", category: "service" });
    await expectUsed(mine, before + 1);
    const entry = await sent(mine);
    await report(mine, entry, "delivered");
    await expectUsed(mine, before + 2);
    await report(mine, entry, "delivered", { type: "free_entry_point", category: "referral_conversion" });
    await expectUsed(mine, before + 1);
  });

  it.each(["request", "answer"] as const)("counts once when the %s of a call is lost", async (at) => {
    const before = await counted();
    await report(mine, await sent(mine), "delivered", SERVICE);
    gateway.clock.advance(MINUTE_MS);
    const caught = gateway.databaseProxy.hold("count_service", at);
    const counting = countAll(gateway.app, countService);
    (await caught).cut();
    await counting;
    await expectUsed(mine, before + 1);
  });
});
