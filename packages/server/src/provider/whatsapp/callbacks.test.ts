import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CallbackChange } from "../provider.ts";
import { parseCallback } from "./callbacks.ts";
import { golden, goldenBytes, goldenNames } from "./testing/golden.ts";

const changesOf = (name: string): CallbackChange[] => parseCallback(goldenBytes(name)).changes;
const parseText = (text: string): CallbackChange[] => parseCallback(Buffer.from(text)).changes;

describe("every golden callback", () => {
  const quarantined = new Set(["callback-unknown-field", "callback-status-group", "callback-message-group"]);

  test.each(goldenNames("callback-").filter((name) => name !== "callback-batch-mixed"))("%s is understood", (name) => {
    const kinds = changesOf(name).map((change) => change.kind);
    expect(kinds).toHaveLength(1);
    expect(kinds[0] === "unrecognized").toBe(quarantined.has(name));
  });
});

describe("messages", () => {
  const message = (name: string): Extract<CallbackChange, { kind: "message" }> => {
    const [change] = changesOf(`callback-message-${name}`);
    if (change?.kind !== "message") throw new Error(`${name} is no message`);
    return change;
  };

  test("text of a known person", () => {
    expect(message("text")).toEqual({
      kind: "message",
      providerPhoneNumberId: "1055",
      providerMessageId: "wamid.IN1",
      at: 1_790_000_001_000,
      from: "+15550001111",
      waId: "15550001111",
      userId: "US.13490000000000000001",
      parentUserId: null,
      username: null,
      profileName: "Ana",
      previous: null,
      type: "text",
      content: { body: "STOP" },
      replyToProviderId: null,
      opensWindow: true,
      referral: null,
    });
  });

  test.each([
    "image",
    "document",
    "audio",
    "sticker",
    "location",
    "contacts",
    "reaction",
    "button",
    "order",
    "edit",
    "revoke",
  ])("%s keeps its content", (type) => {
    const payload = JSON.stringify(golden(`callback-message-${type}`).payload);
    expect(message(type).type).toBe(type);
    expect(payload).toContain(JSON.stringify(message(type).content));
  });

  test.each(["reply", "button", "interactive-button", "interactive-list", "interactive-flow"])(
    "%s names what it answers",
    (name) => {
      expect(message(name).replyToProviderId).toBe("wamid.SIM0001");
    },
  );

  test("forwarded text answers nothing", () => {
    expect(message("forwarded").replyToProviderId).toBeNull();
  });

  test("an ad is kept", () => {
    expect(message("referral").referral).toMatchObject({ source_type: "ad", ctwa_clid: "ARA1" });
  });

  test.each(["unsupported", "unknown-type"])("%s keeps the raw message", (name) => {
    expect(message(name)).toMatchObject({ type: "unsupported", content: { id: "wamid.IN1" }, opensWindow: true });
  });

  test("a system notice opens no window", () => {
    expect(message("system-number")).toMatchObject({ type: "system", opensWindow: false, from: "+15550001111" });
    expect(message("system-user-id")).toMatchObject({ from: null, userId: "US.13490000000000000002" });
  });

  test("a person who changed number or user id, with what they had until then", () => {
    expect(message("system-number")).toMatchObject({ waId: "15550003333", previous: { waId: "15550001111" } });
    expect(message("system-number-older")).toMatchObject({ waId: "15550003333", previous: { waId: "15550001111" } });
    expect(message("system-number-user-ids")).toMatchObject({
      waId: "15550003333",
      userId: "US.13490000000000000002",
      parentUserId: "US.ENT.13490000000000000002",
      previous: { waId: "15550001111", userId: "US.13490000000000000001" },
    });
    expect(message("system-user-id-previous")).toMatchObject({
      waId: null,
      userId: "US.13490000000000000002",
      previous: { waId: null, userId: "US.13490000000000000001" },
    });
  });

  test("a card of the person's own, which we asked for, names their number", () => {
    expect(message("contact-request")).toMatchObject({ waId: "15550001111", userId: "US.13490000000000000001" });
  });

  test("opening the chat has no content", () => {
    expect(message("request-welcome")).toMatchObject({ type: "request_welcome", content: {} });
  });

  test("people without a visible number are known by their id, wherever it stands", () => {
    const withoutNumber = { from: null, waId: null, userId: "US.13490000000000000009", profileName: "Kim" };
    expect(message("no-number")).toMatchObject(withoutNumber);
    expect(message("user-id-in-from")).toMatchObject(withoutNumber);
  });

  test("without contacts the sender is still known", () => {
    expect(message("no-contacts")).toMatchObject({ from: "+15550001111", waId: "15550001111", profileName: null });
  });

  test("a group's message opens no window", () => {
    expect(changesOf("callback-message-group")).toMatchObject([{ kind: "unrecognized", reason: "message of a group" }]);
  });

  test("escapes are read, text that databases refuse is mended", () => {
    expect(changesOf("vector-signature-escaped")).toMatchObject([
      { profileName: "Zoë 🙂", content: { body: "café https://shop.example/t/1 🙂" } },
    ]);
    expect(changesOf("vector-nul-and-lone-surrogate")).toMatchObject([{ content: { body: "a\ufffdb \ufffd c" } }]);
  });

  const broken = (fields: object): string =>
    JSON.stringify({
      object: "whatsapp_business_account",
      entry: [
        {
          id: "9001",
          changes: [
            {
              field: "messages",
              value: {
                metadata: { phone_number_id: "1055" },
                messages: [
                  {
                    id: "wamid.X",
                    timestamp: "1790000001",
                    from: "15550001111",
                    type: "text",
                    text: { body: "a" },
                    ...fields,
                  },
                ],
              },
            },
          ],
        },
      ],
    });

  test.each([
    [{ id: "" }, "message without id"],
    [{ id: "x".repeat(513) }, "message without id"],
    [{ timestamp: "yesterday" }, "message without readable time"],
    [{ timestamp: "99999999999999" }, "message without readable time"],
    [{ timestamp: -1 }, "message without readable time"],
    [{ from: "not a number" }, "message without sender"],
  ])("%j is kept aside", (fields, reason) => {
    expect(parseText(broken(fields))).toMatchObject([{ kind: "unrecognized", reason, providerPhoneNumberId: "1055" }]);
  });

  test.each([
    { text: null },
    { text: {} },
    { text: { body: 7 } },
    { type: "contacts", contacts: {} },
    { type: "__proto__" },
    { type: 3 },
  ])("%j is unsupported content of a good message", (fields) => {
    expect(parseText(broken(fields))).toMatchObject([{ kind: "message", type: "unsupported" }]);
  });
});

describe("statuses", () => {
  test("sent, with our value and the price", () => {
    expect(changesOf("callback-status-sent")).toEqual([
      {
        kind: "status",
        providerPhoneNumberId: "1055",
        providerMessageId: "wamid.SIM0001",
        status: "sent",
        at: 1_790_000_003_000,
        correlationToken: "m_01J9Z",
        error: null,
        pricing: { billable: true, pricing_model: "PMP", type: "regular", category: "utility" },
        conversation: null,
        recipient: { waId: "15550001111", userId: "US.13490000000000000001", parentUserId: null },
      },
    ]);
  });

  test.each(["sent", "delivered", "read", "played", "failed"])("%s", (status) => {
    expect(changesOf(`callback-status-${status}`)).toMatchObject([{ kind: "status", status }]);
  });

  test("failures carry their reason, and no opaque value is needed", () => {
    expect(changesOf("callback-status-failed")).toMatchObject([
      {
        correlationToken: null,
        error: {
          class: "recipient",
          code: "recipient_unreachable",
          provider: { code: 131026, details: "Unable to deliver." },
        },
      },
    ]);
    expect(changesOf("callback-status-failed-short-error")).toMatchObject([
      { error: { class: "later", code: "marketing_capped" } },
    ]);
    expect(changesOf("callback-status-failed-no-errors")).toMatchObject([
      { error: { class: "permanent", provider: null } },
    ]);
  });

  test("milliseconds are not taken for seconds", () => {
    expect(changesOf("callback-status-milliseconds")).toMatchObject([{ at: 1_790_000_003_123 }]);
  });

  test("legacy statuses are passed on as they are", () => {
    expect(changesOf("callback-status-deleted")).toMatchObject([{ kind: "other", field: "messages" }]);
  });

  test("the opaque value and conversation are optional", () => {
    expect(changesOf("callback-status-without-opaque")).toMatchObject([
      { correlationToken: null, status: "delivered" },
    ]);
    expect(changesOf("callback-status-conversation")).toMatchObject([{ conversation: { id: "c1d2" } }]);
    expect(changesOf("callback-status-user-id")).toMatchObject([{ providerMessageId: "wamid.SIM0004" }]);
  });
});

describe("management", () => {
  test("template events: no digit of the id is lost, the language is as in the API", () => {
    expect(changesOf("callback-template-big-id")).toEqual([
      {
        kind: "template_status",
        providerAccountId: "9001",
        providerTemplateId: "9223372036854775807",
        name: "order_ready",
        language: "en_US",
        event: "PAUSED",
        reason: null,
      },
    ]);
    expect(changesOf("callback-template-rejected")).toMatchObject([{ event: "REJECTED", reason: "INVALID_FORMAT" }]);
    expect(changesOf("callback-template-pending-deletion")).toMatchObject([{ reason: null }]);
  });

  test.each(["partner-added", "partner-app-installed", "partner-app-uninstalled", "partner-removed"])(
    "account %s belongs to the account in waba_info",
    (name) => {
      expect(changesOf(`callback-account-${name}`)).toMatchObject([
        { field: "account_update", providerAccountId: "9001" },
      ]);
    },
  );

  test("preferences name the number and the person", () => {
    const ana = { from: "+15550001111", waId: "15550001111", userId: "US.13490000000000000001", profileName: "Ana" };
    const common = { kind: "preference", providerPhoneNumberId: "1055", ...ana };
    expect(changesOf("callback-preferences-stop")).toMatchObject([
      { ...common, consent: "opted_out", at: 1_790_000_200_000 },
    ]);
    expect(changesOf("callback-preferences-resume")).toMatchObject([{ ...common, consent: "opted_in" }]);
  });

  test("preferences of other kinds pass as they are; what cannot be read is kept whole", () => {
    const person = { wa_id: "15550001111", timestamp: 1_790_000_200 };
    const read = (item: unknown, metadata: object = { phone_number_id: "1055" }) =>
      parseCallback(
        Buffer.from(
          JSON.stringify({
            object: "whatsapp_business_account",
            entry: [
              { id: "9001", changes: [{ field: "user_preferences", value: { metadata, user_preferences: [item] } }] },
            ],
          }),
        ),
      ).changes;
    const stop = { category: "marketing_messages", value: "stop" };
    for (const item of [
      { ...person, ...stop, value: "signup" },
      { ...person, ...stop, category: "something" },
    ])
      expect(read(item)).toMatchObject([
        { kind: "other", field: "user_preferences", value: { user_preferences: [item] } },
      ]);
    expect(read({ ...person, ...stop })).toMatchObject([{ kind: "preference", consent: "opted_out" }]);
    for (const item of [{ ...stop, timestamp: 1_790_000_200 }, { ...stop, ...person, timestamp: "soon" }, "stop", null])
      expect(read(item)).toMatchObject([{ kind: "unrecognized", providerPhoneNumberId: "1055" }]);
    expect(read({ ...person, ...stop }, {})).toMatchObject([{ kind: "unrecognized", providerAccountId: "9001" }]);
  });

  test("errors alone are a report about the number", () => {
    expect(changesOf("callback-errors-only")).toMatchObject([
      { kind: "other", field: "messages", providerPhoneNumberId: "1055" },
    ]);
  });

  test("an unknown field is kept whole", () => {
    expect(changesOf("callback-unknown-field")).toMatchObject([
      { kind: "unrecognized", reason: "unknown field", providerAccountId: "9001", value: { field: "weather_update" } },
    ]);
  });
});

test("a malformed change blocks none of its neighbours, and the order stays", () => {
  const seen = changesOf("callback-batch-mixed").map((change) =>
    change.kind === "status"
      ? change.status
      : change.kind === "message"
        ? `${change.profileName}: ${change.providerMessageId}`
        : change.kind,
  );
  expect(seen).toEqual([
    "delivered",
    "sent",
    "Bo: wamid.IN10",
    "Ana: wamid.IN11",
    "template_status",
    "unrecognized",
    "unrecognized",
    "null: wamid.IN12",
  ]);
});

describe("whatever comes", () => {
  const expectTotal = (bytes: Uint8Array): void => {
    const parsed = parseCallback(bytes);
    expect(parsed.json || parsed.changes.length === 0).toBe(true);
    // What comes out can be written again: that is how it is stored.
    expect(() => JSON.stringify(parsed)).not.toThrow();
  };

  test("bytes that are no JSON are said to be none", () => {
    expect(parseCallback(Buffer.from("hello"))).toEqual({ json: false, changes: [] });
    expect(parseCallback(Buffer.alloc(0))).toEqual({ json: false, changes: [] });
  });

  test("an empty entry list is no change", () => {
    expect(parseCallback(goldenBytes("vector-signature"))).toEqual({ json: true, changes: [] });
  });

  test("endless nesting is kept aside", () => {
    expect(parseText("[".repeat(2_000_000))).toMatchObject([{ kind: "unrecognized", reason: "nested too deeply" }]);
  });

  test("any bytes", () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), expectTotal));
  });

  test("any JSON", () => {
    fc.assert(fc.property(fc.json(), (text) => expectTotal(Buffer.from(text))));
  });

  test("any golden callback with any part replaced or cut off", () => {
    const texts = [...goldenNames("callback-"), "vector-signature-escaped"].map((name) => goldenBytes(name).toString());
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(), fc.jsonValue(), (text, where, junk) => {
        let count = 0;
        const at = where % (text.match(/[{[:,]/g)?.length ?? 1);
        const value: unknown = JSON.parse(text, (_key, inner: unknown) => (count++ === at ? junk : inner));
        expectTotal(Buffer.from(JSON.stringify(value)));
        expectTotal(Buffer.from(text.slice(0, where % text.length)));
      }),
      { numRuns: 500 },
    );
  });
});
