import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Pair, startPair } from "../testing/provider.ts";
import { startReceiver } from "../testing/receiver.ts";
import { ACCOUNT_EVENTS, ACCOUNT_FIELDS } from "./event-values.ts";

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.close());
beforeEach(async () => {
  pair.simulator.reset();
  await pair.simulator.idle();
  pair.receiver.posts.length = 0;
});

const say = async (body: Record<string, unknown>) => {
  const answer = await pair.call("POST", "/sim/account-events", { waba_id: "9001", ...body });
  await pair.simulator.idle();
  return answer;
};
const lastEntry = () => pair.receiver.posts.at(-1)!.payload.entry[0]!;

/** What each event says beside its name, as documented. */
const KEYS: Record<string, string[]> = {
  PARTNER_ADDED: ["waba_info"],
  PARTNER_APP_INSTALLED: ["waba_info"],
  PARTNER_APP_UNINSTALLED: ["waba_info"],
  PARTNER_REMOVED: ["disconnection_info", "waba_info"],
  ACCOUNT_OFFBOARDED: [],
  ACCOUNT_RECONNECTED: [],
  ACCOUNT_DELETED: [],
  ACCOUNT_VIOLATION: ["violation_info"],
  ACCOUNT_RESTRICTION: ["restriction_info"],
  DISABLED_UPDATE: ["ban_info"],
  PARTNER_CLIENT_CERTIFICATION_STATUS_UPDATE: ["partner_client_certification_info", "waba_info"],
  AD_ACCOUNT_LINKED: ["waba_info"],
  MM_LITE_TERMS_SIGNED: ["waba_info"],
  AUTH_INTL_PRICE_ELIGIBILITY_UPDATE: ["auth_international_rate_eligibility"],
  BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE: ["country"],
  VOLUME_BASED_PRICING_TIER_UPDATE: ["volume_tier_info"],
  VERIFIED_ACCOUNT: ["phone_number"],
};

test("every event of the documentation has a usual value", () => {
  expect(Object.keys(ACCOUNT_EVENTS)).toEqual(Object.keys(KEYS));
});

test.each(Object.keys(KEYS))("account_update %s", async (event) => {
  expect((await say({ event })).body).toMatchObject({ reported: true, update: { field: "account_update" } });
  const { id, time, changes } = lastEntry();
  const { event: name, ...value } = changes[0]!.value;
  expect([name, Object.keys(value).toSorted()]).toEqual([event, KEYS[event]]);
  // The envelope of what concerns the partner names the partner; the account is inside.
  expect(id).toBe(value["waba_info"] === undefined ? "9001" : "7777");
  const account = { waba_id: "9001", owner_business_id: "7001" };
  expect({ ...account, ...value["waba_info"] }).toMatchObject(account);
  expect(time).toBeGreaterThan(1_600_000_000);
});

test.each(Object.keys(ACCOUNT_FIELDS))("field %s", async (field) => {
  await say({ field });
  const { id, changes } = lastEntry();
  expect([id, changes.length, changes[0]?.field]).toEqual(["9001", 1, field]);
  expect(Object.keys(changes[0]!.value)).not.toEqual([]);
});

test("the kinds are listed, and an unknown one is passed on with what is given", async () => {
  const { account_events, account_fields } = (await pair.call("GET", "/sim/kinds")).body;
  expect([account_events, account_fields]).toEqual([Object.keys(ACCOUNT_EVENTS), Object.keys(ACCOUNT_FIELDS)]);
  await say({ field: "weather_update", value: { sky: "clear" } });
  expect(lastEntry().changes).toEqual([{ field: "weather_update", value: { sky: "clear" } }]);
  await say({ event: "ACCOUNT_PAINTED" });
  expect(lastEntry().changes).toEqual([{ field: "account_update", value: { event: "ACCOUNT_PAINTED" } }]);
});

test("an event of a field, and a value instead of the usual one", async () => {
  await say({ field: "phone_number_quality_update", event: "DOWNGRADE" });
  expect(lastEntry().changes[0]?.value).toMatchObject({ display_phone_number: "15559990000", event: "DOWNGRADE" });
  await say({ event: "ACCOUNT_VIOLATION", value: { violation_info: { violation_type: "ALCOHOL" } } });
  expect(lastEntry().changes[0]?.value).toEqual({
    event: "ACCOUNT_VIOLATION",
    violation_info: { violation_type: "ALCOHOL" },
  });
});

test("the number that it is about", async () => {
  const numbers = ["9201", "9202"].map((id) => ({ id, display_phone_number: `+1 555 920 ${id}` }));
  pair.simulator.addAccount({ waba_id: "9200", name: "B", business_id: "7200", token: "T", phone_numbers: numbers });
  await say({ waba_id: "9200", field: "security", phone_number_id: "9202" });
  expect(lastEntry().changes[0]?.value["display_phone_number"]).toBe("15559209202");
  expect((await say({ waba_id: "9200", field: "security", phone_number_id: "1055" })).status).toBe(404);
});

test("the token dies at the same moment, with the callback or without", async () => {
  await say({ event: "PARTNER_REMOVED", token_subcode: 458, report: false });
  expect(pair.receiver.posts).toEqual([]);
  expect((await pair.call("GET", "/v26.0/9001")).body.error).toMatchObject({ code: 190, error_subcode: 458 });
});

test("what was only returned is sent later to the same place", async () => {
  const { update } = (await say({ event: "PARTNER_ADDED", report: false })).body;
  await pair.call("DELETE", "/v26.0/9001/subscribed_apps");
  expect((await pair.call("POST", "/sim/updates", update)).body).toEqual({ reported: true });
  await pair.simulator.idle();
  expect(lastEntry()).toMatchObject({ id: "7777", changes: [{ field: "account_update", value: update.value }] });
});

test("fields about a number's messages go to the account's own URL, all others to the app's", async () => {
  const own = await startReceiver();
  const override = { override_callback_uri: own.url, verify_token: "demo-verify-token" };
  await pair.call("POST", "/v26.0/9001/subscribed_apps", override);
  for (const field of ["group_settings_update", "account_settings_update", "security"]) await say({ field });
  expect(own.changes().map(({ field }) => field)).toEqual(["group_settings_update", "account_settings_update"]);
  expect(own.posts.every(({ payload }) => payload.entry[0]?.time === undefined)).toBe(true);
  expect(pair.receiver.changes().map(({ field }) => field)).toEqual(["security"]);
  await own.close();
});

test.each([
  [26, "TIER_2K", { max_daily_conversations_per_business: "TIER_2K", max_phone_numbers_per_waba: 25 }],
  [26, "TIER_250", { max_daily_conversations_per_business: "TIER_250", max_phone_numbers_per_business: 2 }],
  [23, "TIER_2K", { max_daily_conversation_per_phone: 2000, max_phone_numbers_per_waba: 25 }],
  [23, "TIER_UNLIMITED", { max_daily_conversation_per_phone: -1, max_phone_numbers_per_waba: 25 }],
])("version %i says the limit %s with its own keys", async (callbackVersion, limit, value) => {
  pair.simulator.setSettings({ callbackVersion });
  expect((await pair.call("PUT", "/sim/accounts/9001/messaging-limit", { limit })).status).toBe(200);
  await pair.simulator.idle();
  expect(lastEntry().changes).toEqual([{ field: "business_capability_update", value }]);
});
