import { describe, expect, test } from "vitest";
import { changesOf, messageOf, parseLists } from "../testing/changes.ts";
import { golden } from "../testing/golden.ts";

test("text of a known person", () => {
  expect(messageOf("text")).toEqual({
    kind: "message",
    direction: "inbound",
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
    groupId: null,
    context: null,
    referral: null,
    errors: null,
    fields: null,
  });
});

describe("content", () => {
  test.each([
    "image",
    "video",
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
  ])("%s is kept as it is", (type) => {
    const payload = JSON.stringify(golden(`callback-message-${type}`).payload);
    expect(messageOf(type).type).toBe(type);
    expect(payload).toContain(JSON.stringify(messageOf(type).content));
  });

  test.each(["unsupported", "unknown-type"])("%s keeps the raw message", (name) => {
    expect(messageOf(name)).toMatchObject({ type: "unsupported", content: { id: "wamid.IN1" }, opensWindow: true });
  });

  test("what the provider could not pass on says why", () => {
    expect(messageOf("unsupported-gif")).toMatchObject({
      content: { unsupported: { type: "gif" } },
      errors: [{ code: 131060 }],
      fields: null,
    });
  });

  test("opening the chat has no content", () => {
    expect(messageOf("request-welcome")).toMatchObject({ type: "request_welcome", content: {} });
  });

  test("escapes are read, text that databases refuse is mended", () => {
    expect(changesOf("vector-signature-escaped")).toMatchObject([
      { profileName: "Zoë 🙂", content: { body: "café https://shop.example/t/1 🙂" } },
    ]);
    expect(changesOf("vector-nul-and-lone-surrogate")).toMatchObject([{ content: { body: "a\ufffdb \ufffd c" } }]);
  });
});

describe("another message that one names", () => {
  test.each(["reply", "button", "interactive-button", "interactive-list", "interactive-flow", "interactive-address"])(
    "%s names what it answers",
    (name) => {
      expect(messageOf(name).replyToProviderId).toBe("wamid.SIM0001");
    },
  );

  test.each([
    ["reaction", "wamid.SIM0001"],
    ["reaction-removed", "wamid.SIM0001"],
    ["edit", "wamid.IN0"],
    ["revoke", "wamid.IN0"],
    ["group-edit", "wamid.IN4"],
    ["group-revoke", "wamid.IN4"],
  ])("%s names the one that it is about", (name, id) => {
    expect(messageOf(name).replyToProviderId).toBe(id);
  });

  test("forwarded text answers nothing, and how often it was forwarded is kept", () => {
    expect(messageOf("forwarded")).toMatchObject({ replyToProviderId: null, context: { forwarded: true } });
    expect(messageOf("frequently-forwarded")).toMatchObject({
      replyToProviderId: null,
      context: { frequently_forwarded: true },
    });
  });
});

test("context and referral are as the provider gave them", () => {
  expect(messageOf("referred-product").context).toEqual({
    from: "15559990000",
    id: "wamid.SIM0001",
    referred_product: { catalog_id: "194836987003835", product_retailer_id: "sku-1" },
  });
  expect(messageOf("referral").referral).toMatchObject({ source_type: "ad", ctwa_clid: "ARA1" });
  expect(messageOf("referral-video").referral).toMatchObject({ welcome_message: { text: expect.any(String) } });
});

describe("groups", () => {
  test.each(["group", "group-reply", "group-edit", "group-revoke"])(
    "%s is of its sender and opens no window",
    (name) => {
      expect(messageOf(name)).toMatchObject({
        groupId: "Y2FwaV9ncm91cDox",
        opensWindow: false,
        from: "+15550001111",
        fields: null,
      });
    },
  );

  const inGroup = (group_id: unknown) => messageWith({ group_id });

  test("one whose id cannot be read is not taken for one between two", () => {
    for (const odd of [{}, [], "", true, "x".repeat(513)])
      expect(inGroup(odd)).toMatchObject([{ kind: "unrecognized", reason: "message of an unreadable group" }]);
    expect(inGroup(null)).toMatchObject([{ kind: "message", groupId: null, opensWindow: true }]);
  });
});

describe("fields", () => {
  test("that no other field holds are kept, of message, contact and profile", () => {
    expect(messageOf("added-fields")).toMatchObject({
      content: { body: "Hi", language: "en" },
      context: { mood: "glad" },
      fields: { effects: { confetti: true }, contact: { verified: true, profile: { pronouns: "she" } } },
    });
    expect(messageOf("identity").fields).toEqual({ contact: { identity_key_hash: "DF2lS5v2W6x=" } });
  });

  test("that name the person in a way that is not understood are kept too", () => {
    const contacts = [{ profile: { name: "Ana", username: 7 }, wa_id: "15550001111", user_id: "usr-2030" }];
    expect(messageWith({ from_user_id: "usr-2030", to: "15559990000" }, contacts)).toMatchObject([
      {
        waId: "15550001111",
        userId: null,
        fields: {
          from_user_id: "usr-2030",
          to: "15559990000",
          contact: { user_id: "usr-2030", profile: { username: 7 } },
        },
      },
    ]);
  });

  test("of a type that is not known are its content, once", () => {
    expect(messageOf("unknown-type")).toMatchObject({ content: { hologram: { frames: 3 } }, fields: null });
  });
});

describe("people", () => {
  test("who changed number or user id, with what they had until then; their notice opens no window", () => {
    expect(messageOf("system-number")).toMatchObject({ type: "system", opensWindow: false, from: "+15550001111" });
    expect(messageOf("system-user-id")).toMatchObject({ from: null, userId: "US.13490000000000000002" });
    expect(messageOf("system-number")).toMatchObject({ waId: "15550003333", previous: { waId: "15550001111" } });
    expect(messageOf("system-number-older")).toMatchObject({ waId: "15550003333", previous: { waId: "15550001111" } });
    expect(messageOf("system-number-user-ids")).toMatchObject({
      waId: "15550003333",
      userId: "US.13490000000000000002",
      parentUserId: "US.ENT.13490000000000000002",
      previous: { waId: "15550001111", userId: "US.13490000000000000001" },
    });
    expect(messageOf("system-user-id-previous")).toMatchObject({
      waId: null,
      userId: "US.13490000000000000002",
      previous: { waId: null, userId: "US.13490000000000000001" },
    });
    expect(messageOf("system-user-id-parent")).toMatchObject({
      parentUserId: "US.ENT.13490000000000000002",
      previous: { userId: "US.13490000000000000001", parentUserId: "US.ENT.13490000000000000001" },
    });
    expect(messageOf("system-identity")).toMatchObject({ waId: "15550001111", previous: null, opensWindow: false });
  });

  test("a card of the person's own, which we asked for, names their number", () => {
    expect(messageOf("contact-request")).toMatchObject({ waId: "15550001111", userId: "US.13490000000000000001" });
  });

  test("of linked portfolios, with a user name", () => {
    expect(messageOf("parent-user-id")).toMatchObject({
      userId: "US.13490000000000000001",
      parentUserId: "US.ENT.13490000000000000001",
      username: "ana",
      fields: null,
    });
  });

  test("without a visible number are known by their id, wherever it stands", () => {
    const withoutNumber = { from: null, waId: null, userId: "US.13490000000000000009", profileName: "Kim" };
    expect(messageOf("no-number")).toMatchObject(withoutNumber);
    expect(messageOf("user-id-in-from")).toMatchObject(withoutNumber);
  });

  test("without contacts are still known", () => {
    expect(messageOf("no-contacts")).toMatchObject({ from: "+15550001111", waId: "15550001111", profileName: null });
  });
});

const GOOD = { id: "wamid.X", timestamp: "1790000001", from: "15550001111", type: "text", text: { body: "a" } };
const messageWith = (fields: object, contacts: unknown[] = []) =>
  parseLists({ contacts, messages: [{ ...GOOD, ...fields }] });

describe("what is broken", () => {
  test.each([
    [{ id: "" }, "message without id"],
    [{ id: "x".repeat(513) }, "message without id"],
    [{ timestamp: "yesterday" }, "message without readable time"],
    [{ timestamp: "99999999999999" }, "message without readable time"],
    [{ timestamp: -1 }, "message without readable time"],
    [{ from: "not a number" }, "message without sender"],
  ])("%j is set aside whole", (fields, reason) => {
    expect(messageWith(fields)).toEqual([
      {
        kind: "unrecognized",
        reason,
        providerPhoneNumberId: "1055",
        providerAccountId: "9001",
        value: { field: "messages", value: { messages: [{ ...GOOD, ...fields }] } },
      },
    ]);
  });

  test.each([
    { text: null },
    { text: {} },
    { text: { body: 7 } },
    { type: "contacts", contacts: {} },
    { type: "__proto__" },
    { type: 3 },
  ])("%j is unsupported content of a good message", (fields) => {
    expect(messageWith(fields)).toMatchObject([{ kind: "message", type: "unsupported" }]);
  });
});

describe("echoes", () => {
  test("are of the person that the owner wrote to, and open no window", () => {
    expect(changesOf("callback-echoes")).toMatchObject([
      {
        kind: "message",
        direction: "echo",
        providerPhoneNumberId: "1055",
        providerMessageId: "wamid.ECHO1",
        waId: "15550001111",
        content: { body: "Hi" },
        opensWindow: false,
        fields: null,
      },
    ]);
    expect(changesOf("callback-echo-other-app")).toMatchObject([{ kind: "message", direction: "echo" }]);
    expect(changesOf("callback-echo-reply")).toMatchObject([{ profileName: "Ana", replyToProviderId: "wamid.IN1" }]);
  });

  test.each(["edit", "revoke"])("%s names the message that it is about", (type) => {
    expect(changesOf(`callback-echo-${type}`)).toMatchObject([{ type, replyToProviderId: "wamid.ECHO0" }]);
  });

  test("without a recipient are set aside", () => {
    const { from, ...echo } = GOOD;
    expect(parseLists({ message_echoes: [{ ...echo, from }] }, "smb_message_echoes")).toMatchObject([
      { kind: "unrecognized", reason: "echo without recipient" },
    ]);
    const person = { to_user_id: "US.13490000000000000009" };
    expect(parseLists({ message_echoes: [{ ...echo, ...person }] }, "smb_message_echoes")).toMatchObject([
      { kind: "message", waId: null, userId: "US.13490000000000000009" },
    ]);
  });
});
