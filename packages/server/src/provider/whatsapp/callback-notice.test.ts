import { describe, expect, test } from "vitest";
import { changesOf, parseChange, parseLists } from "./testing/changes.ts";

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
      { ...ofAccount, event, meaning, asks, value: expect.objectContaining({ event }) },
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
      { ...common, consent: "opted_out", at: 1_790_000_200_000 },
    ]);
    expect(changesOf("callback-preferences-resume")).toMatchObject([{ ...common, consent: "opted_in" }]);
  });

  const stop = { category: "marketing_messages", value: "stop" };
  const person = { wa_id: "15550001111", timestamp: 1_790_000_200 };
  const read = (item: unknown) => parseLists({ user_preferences: [item] }, "user_preferences");

  test("of other kinds are notices", () => {
    for (const item of [
      { ...person, ...stop, value: "signup" },
      { ...person, ...stop, category: "something" },
    ])
      expect(read(item)).toMatchObject([
        { ...ofNumber, event: "user_preferences", at: 1_790_000_200_000, value: { user_preferences: [item] } },
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
    { ...ofNumber, event: "errors", value: { errors: [{ code: 130429 }] } },
  ]);
});

test("calls are notices with who calls, and so are their statuses", () => {
  expect(changesOf("callback-call-connect")).toMatchObject([
    {
      ...ofNumber,
      event: "calls",
      at: 1_790_000_300_000,
      value: { contacts: [{ profile: { name: "Ana" } }], calls: [{ id: "wacid.CALL1", event: "connect" }] },
    },
  ]);
  expect(changesOf("callback-call-terminate")).toMatchObject([
    { event: "calls", value: { calls: [{ duration: 59 }] } },
  ]);
  expect(changesOf("callback-call-status")).toMatchObject([
    { event: "calls", value: { statuses: [{ status: "RINGING" }] } },
  ]);
});

describe("history", () => {
  test("is reported by conversation, with what its chunk says of itself", () => {
    const metadata = { phase: 0, chunk_order: 1, progress: 40 };
    expect(changesOf("callback-history")).toMatchObject([
      { ...ofNumber, event: "history", value: { history: [{ metadata, threads: [{ id: "15550001111" }] }] } },
      { ...ofNumber, event: "history", value: { history: [{ metadata, threads: [{ id: "15550002222" }] }] } },
    ]);
  });

  test("that the owner declined says so; a file that follows opens no window", () => {
    expect(changesOf("callback-history-declined")).toMatchObject([
      { event: "history", value: { history: [{ errors: [{ code: 2593109 }] }] } },
    ]);
    expect(changesOf("callback-history-media")).toMatchObject([
      { ...ofNumber, event: "history", value: { messages: [{ id: "wamid.H3" }] } },
    ]);
  });

  test("that is long is reported in parts of which none is large, and nothing is missing", () => {
    const message = (at: number) => ({ id: `wamid.H${at}`, text: { body: "é".repeat(2_000) } });
    const messages = Array.from({ length: 200 }, (_, at) => message(at));
    const parts = parseLists({ history: [{ threads: [{ id: "1", messages }] }] }, "history");
    expect(parts.length).toBeGreaterThan(5);
    for (const part of parts) expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThan(140 * 1024);
    const values = parts.map((part) => JSON.stringify(part));
    for (const { id } of messages) expect(values.filter((text) => text.includes(`"${id}"`))).toHaveLength(1);
  });

  test("with odd parts loses none of them", () => {
    for (const history of [
      [{ threads: [] }],
      [{ threads: [null] }],
      [{ threads: [{ messages: [] }] }],
      [{ threads: 1 }],
    ])
      expect(parseLists({ history }, "history")).toMatchObject([{ event: "history", value: { history } }]);
    expect(parseLists({ history: [null] }, "history")).toMatchObject([{ kind: "unrecognized" }]);
  });
});

test("contacts of the owner's phone are reported together", () => {
  expect(changesOf("callback-app-state")).toMatchObject([
    { ...ofNumber, event: "smb_app_state_sync", value: { state_sync: [{ action: "add" }, { action: "remove" }] } },
  ]);
});
