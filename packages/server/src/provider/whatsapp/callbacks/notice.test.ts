import { describe, expect, test } from "vitest";
import { changesOf, parseChange, parseLists } from "../testing/changes.ts";
import { goldenNames } from "../testing/golden.ts";
import { detailOfNotice } from "./notice-detail.ts";

const ofAccount = { kind: "notice", providerAccountId: "9001", providerPhoneNumberId: null, at: 1_790_000_100_000 };
const ofNumber = { kind: "notice", providerAccountId: "9001", providerPhoneNumberId: "1055" };

describe("account_update", () => {
  test.each([
    ["partner-added", "PARTNER_ADDED", "granted", true],
    ["partner-app-installed", "PARTNER_APP_INSTALLED", "granted", true],
    ["partner-app-uninstalled", "PARTNER_APP_UNINSTALLED", "removed", true],
    ["partner-removed", "PARTNER_REMOVED", "removed", true],
    ["offboarded", "ACCOUNT_OFFBOARDED", "changed", true],
    ["reconnected", "ACCOUNT_RECONNECTED", "changed", true],
    ["deleted", "ACCOUNT_DELETED", "changed", true],
    ["violation", "ACCOUNT_VIOLATION", "changed", true],
    ["restriction", "ACCOUNT_RESTRICTION", "changed", true],
    ["disabled", "DISABLED_UPDATE", "changed", true],
    ["verified", "VERIFIED_ACCOUNT", "changed", true],
    ["certification", "PARTNER_CLIENT_CERTIFICATION_STATUS_UPDATE", "changed", false],
    ["ad-account-linked", "AD_ACCOUNT_LINKED", "changed", false],
    ["marketing-terms", "MM_LITE_TERMS_SIGNED", "changed", false],
    ["international-authentication", "AUTH_INTL_PRICE_ELIGIBILITY_UPDATE", "changed", false],
    ["country", "BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE", "changed", false],
    ["volume-tier", "VOLUME_BASED_PRICING_TIER_UPDATE", "changed", false],
    ["unknown-event", "ACCOUNT_PAINTED", "changed", true],
  ])("%s is a notice of the customer's account, also in the entry of the partner", (name, event, meaning, asks) => {
    expect(changesOf(`callback-account-${name}`)).toEqual([
      {
        ...ofAccount,
        event,
        meaning,
        asks,
        value: expect.objectContaining({ event }),
        detail: expect.objectContaining({ event }),
        reported: { part: { field: "account_update", entry: 0, change: 0 }, value: expect.objectContaining({ event }) },
      },
    ]);
  });

  test("without an event is set aside", () => {
    expect(parseChange("account_update", { event: 7 })).toMatchObject([
      { kind: "unrecognized", reason: "account_update without event", providerAccountId: "9001" },
    ]);
  });
});

test.each([
  ["account-review", "account_review_update", "changed", true],
  ["account-settings", "account_settings_update", "changed", false],
  ["capability-tier", "business_capability_update", "silent", true],
  ["number-quality", "phone_number_quality_update", "silent", true],
  ["number-name", "phone_number_name_update", "changed", true],
  ["security", "security", "changed", false],
  ["payment-configuration", "payment_configuration_update", "changed", false],
  ["username", "business_username_updates", "changed", false],
  ["flow", "flows", "changed", false],
])("%s is a notice of its field", (name, event, meaning, asks) => {
  expect(changesOf(`callback-${name}`)).toMatchObject([{ ...ofAccount, event, meaning, asks }]);
});

test("an alert about a number names it", () => {
  const [alert] = changesOf("callback-account-alert");
  expect(alert).toMatchObject({ ...ofNumber, event: "account_alerts", meaning: "changed" });
  expect(changesOf("callback-each-alert")).toHaveLength(6);
  expect(changesOf("callback-each-alert")[0]).toMatchObject({ providerPhoneNumberId: null });
});

test.each(["group-lifecycle", "group-participants", "group-settings", "group-status"])(
  "%s is a notice of its number",
  (name) => {
    expect(changesOf(`callback-${name}`)).toMatchObject([{ ...ofNumber, meaning: "changed", asks: false }]);
  },
);

describe("preferences", () => {
  test("name the number and the person", () => {
    const ana = { from: "+15550001111", waId: "15550001111", userId: "US.13490000000000000001", profileName: "Ana" };
    const common = { kind: "preference", providerPhoneNumberId: "1055", ...ana };
    expect(changesOf("callback-preferences-stop")).toMatchObject([
      { ...common, consent: "opted_out", source: "preference", at: 1_790_000_200_000 },
    ]);
    expect(changesOf("callback-preferences-resume")).toMatchObject([{ ...common, consent: "opted_in" }]);
    expect(changesOf("callback-preferences-signup")).toMatchObject([
      { ...common, consent: "opted_in", source: "signup", fields: { detail: "User signed up", signup_id: "s1" } },
    ]);
  });

  const stop = { category: "marketing_messages", value: "stop" };
  const person = { wa_id: "15550001111", timestamp: 1_790_000_200 };
  const read = (item: unknown) => parseLists({ user_preferences: [item] }, "user_preferences");

  test("of other kinds are notices that say nothing of the person", () => {
    const item = { ...person, ...stop, category: "something", detail: "Ana asked" };
    expect(read(item)).toMatchObject([
      {
        ...ofNumber,
        event: "user_preferences",
        at: 1_790_000_200_000,
        value: { user_preferences: [item] },
        detail: {},
      },
    ]);
  });

  test("that cannot be read are set aside", () => {
    expect(read({ ...person, ...stop })).toMatchObject([{ kind: "preference", consent: "opted_out" }]);
    for (const item of [{ ...stop, timestamp: 1_790_000_200 }, { ...stop, ...person, timestamp: "soon" }, "stop", null])
      expect(read(item)).toMatchObject([{ kind: "unrecognized", providerPhoneNumberId: "1055" }]);
    expect(parseChange("user_preferences", { user_preferences: [{ ...person, ...stop }] })).toMatchObject([
      { kind: "unrecognized", providerAccountId: "9001" },
    ]);
  });
});

test("errors of the number are notices, alone and beside messages", () => {
  expect(changesOf("callback-errors-only")).toMatchObject([{ ...ofNumber, event: "errors", asks: false }]);
  expect(changesOf("callback-beside-errors")).toMatchObject([
    { kind: "message" },
    { ...ofNumber, event: "errors", detail: { errors: [{ code: 130429, title: "Rate limit hit" }] } },
  ]);
});

/** Whether anything of a person is in a text: the names, numbers, ids and words of the golden callbacks. */
const OF_PEOPLE = /Ana|Berg|1555000\d{4}|US\.\d|wamid|wacid|Open|sdp|ctwa|ARA/;

test.each(goldenNames("callback-"))("%s: a notice of it tells nothing of a person", (name) => {
  const details = changesOf(name).flatMap((change) => (change.kind === "notice" ? [change.detail] : []));
  expect(JSON.stringify(details)).not.toMatch(OF_PEOPLE);
});

test("a field that is not of the business alone tells names of the provider's, times and errors, and nothing that somebody wrote", () => {
  const errors = [{ code: 5, title: "No", message: "No such group", error_data: { details: "of +15550001111" } }];
  const groups = [
    {
      group_id: "g1",
      type: "group_participants_add",
      timestamp: "1790000100",
      reason: "Ana wrote: hello",
      wa_id: "1555",
    },
    { group_id: "g2", errors, added_participants: [{ wa_id: "15550001111" }] },
  ];
  expect(
    detailOfNotice("group_participants_update", { groups, message: "Hello", title: "Ana", contacts: [{}] }),
  ).toEqual({
    groups: [
      { group_id: "g1", type: "group_participants_add", timestamp: "1790000100" },
      { group_id: "g2", errors: [{ code: 5, title: "No", message: "No such group" }] },
    ],
  });
  expect(
    detailOfNotice("a_field_of_next_year", { event: "E", text: "Hello", metadata: { phone_number_id: "1" } }),
  ).toEqual({
    event: "E",
    metadata: {},
  });
});
