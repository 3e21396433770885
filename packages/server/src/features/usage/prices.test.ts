import { expect, it } from "vitest";
import { MINUTE_MS } from "../../lib/duration.ts";
import { callbackOf, postCallback, statusOf } from "../../testing/callback.ts";
import { person, startSenders } from "../messages/testing/senders.ts";
import { countUsage } from "./usage.store.ts";
import { countAll } from "./usage.ts";

const { gateway, mine } = await startSenders({ API_RATE_LIMIT: "off" });

const FORMS: [pricing: Record<string, unknown>, billable: number][] = [
  [{ type: "regular", billable: true }, 1],
  [{ type: "regular" }, 1],
  [{ type: "REGULAR", billable: false }, 1],
  [{ type: " regular " }, 1],
  [{ type: "regular", subtype: null }, 1],
  [{ type: "regular", subtype: "volume_tier" }, 1],
  [{ type: "regular", billable: true, subtype: "paid_exempt" }, 0],
  [{ type: "Regular", subtype: "PAID_EXEMPT" }, 0],
  [{ type: "free_customer_service", billable: true }, 0],
  [{ type: "free_entry_point", billable: "true" }, 0],
  [{ type: "free_group_customer_service" }, 0],
  [{ type: "free_of_a_kind_to_come", billable: true }, 0],
  [{ billable: true }, 1],
  [{ billable: "true" }, 1],
  [{ billable: "TRUE", type: null }, 1],
  [{ billable: true, type: "" }, 1],
  [{ billable: false }, 0],
  [{ billable: null }, 0],
  [{ billable: {} }, 0],
  [{}, 0],
];

it("billable is what the type of the price says, and the field `billable` only without one", async () => {
  const expected = await Promise.all(
    FORMS.map(async ([form, billable], index) => {
      const { body } = await mine.send(person());
      const { provider_message_id: wamid } = await mine.becomes(body.id, "accepted");
      const category = `form_${index}`;
      const status = statusOf(wamid, "delivered", gateway.clock.now(), { pricing: { ...form, category } });
      expect((await postCallback(gateway, callbackOf(mine.account, status))).status).toBe(200);
      const message = await mine.becomes(body.id, "delivered");
      expect(message.pricing).toEqual({ ...form, category });
      return [category, billable];
    }),
  );
  gateway.clock.advance(MINUTE_MS);
  await countAll(gateway.app, countUsage);
  const { data } = (await mine.call("GET", "/v1/usage")).body;
  const counted = data.map((entry: { category: string; billable: number }) => [entry.category, entry.billable]);
  expect(counted.toSorted()).toEqual(expected.toSorted());
});

it("a category has one spelling in usage, and the provider's own in the message", async () => {
  const spellings = ["authentication-international", "authentication_international", "AUTHENTICATION-INTERNATIONAL"];
  const shown = await Promise.all(
    [...spellings, "group_marketing", "group_service", "group_utility", "marketing_lite"].map(async (category) => {
      const { body } = await mine.send(person());
      const { provider_message_id: wamid } = await mine.becomes(body.id, "accepted");
      const pricing = { type: "regular", category };
      await postCallback(gateway, callbackOf(mine.account, statusOf(wamid, "read", gateway.clock.now(), { pricing })));
      return (await mine.becomes(body.id, "read")).pricing.category;
    }),
  );
  expect(shown.slice(0, 3)).toEqual(spellings);
  gateway.clock.advance(MINUTE_MS);
  await countAll(gateway.app, countUsage);
  const { data } = (await mine.call("GET", "/v1/usage")).body;
  const read = data.filter((entry: { status: string }) => entry.status === "read");
  expect(
    read.map((one: { category: string; count: number; billable: number }) => [one.category, one.count, one.billable]),
  ).toEqual([
    ["authentication_international", 3, 3],
    ["group_marketing", 1, 1],
    ["group_service", 1, 1],
    ["group_utility", 1, 1],
    ["marketing_lite", 1, 1],
  ]);
});

it("what no price has does not end the counting", async () => {
  const of = await gateway.sender();
  const long = Array.from({ length: 3_000 }, (_, index) => (index * 7_919) % 9_973).join("_");
  const odd = [
    { type: "regular", category: long },
    { type: ["regular"], category: { name: "utility" } },
    { type: {}, category: 7 },
    { type: "regular", category: " Marketing " },
    "regular",
  ];
  for (const pricing of odd) {
    const { body } = await of.send(person());
    const { provider_message_id: wamid } = await of.becomes(body.id, "accepted");
    await postCallback(gateway, callbackOf(of.account, statusOf(wamid, "read", gateway.clock.now(), { pricing })));
    await of.becomes(body.id, "read");
  }
  gateway.clock.advance(MINUTE_MS);
  await countAll(gateway.app, countUsage);
  const { data } = (await of.call("GET", "/v1/usage")).body;
  const counted = data.map((one: { category: string; billable: number }) => [one.category, one.billable]);
  expect(counted.toSorted()).toEqual(
    [
      [long.slice(0, 64), 1],
      ['{"name":"utility"}', 0],
      ["7", 0],
      ["marketing", 1],
      ["utility", 0],
    ].toSorted(),
  );
});
