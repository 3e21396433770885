import { describe, expect, test } from "vitest";
import { cpuMsOf } from "../../../testing/cpu-time.ts";
import { parseLists } from "../testing/changes.ts";

const STATUS = { id: "wamid.SIM1", status: "sent", timestamp: "1790000001", recipient_id: "15550001111" };

describe("the contact of a sender whose number is written in another form", () => {
  const inbound = (from: string, more: object = {}) => ({
    from,
    id: `wamid.${from}`,
    timestamp: "1790000001",
    type: "text",
    text: { body: "Hi" },
    ...more,
  });
  const named = { profile: { name: "Ana", username: "ana" }, user_id: "BR.1" };
  const read = (contacts: unknown, ...messages: object[]) =>
    parseLists({ contacts, messages }).map((change) => (change.kind === "message" ? change : null));

  test.each([
    ["551187654321", "5511987654321"],
    ["5511987654321", "551187654321"],
    ["+55 11 98765-4321", "5511987654321"],
    ["5511987654321", "+55 (11) 98765-4321"],
    ["5215512345678", "525512345678"],
    ["5491123456789", "541123456789"],
    ["541123456789", "5491123456789"],
    ["11987654321", "5511987654321"],
  ])("is theirs: %s and %s", (from, wa_id) => {
    const digits = wa_id.replace(/\D/g, "");
    const is = {
      waId: digits,
      from: from.length === 11 ? `+${digits}` : `+${from.replace(/\D/g, "")}`,
      userId: "BR.1",
      profileName: "Ana",
      username: "ana",
    };
    expect(read([{ ...named, wa_id }], inbound(from))).toMatchObject([
      { ...is, fields: from.length === 11 ? { from } : null },
    ]);
  });

  test.each([
    ["551187654321", "5511987654321"],
    ["5491123456789", "541123456789"],
  ])("is theirs among others: %s and %s", (from, wa_id) => {
    const bea = { profile: { name: "Bea" }, wa_id: "4915112345678" };
    expect(read([bea, { ...named, wa_id }], inbound(from), inbound("4915112345678"))).toMatchObject([
      { waId: wa_id, from: `+${from}`, userId: "BR.1", profileName: "Ana" },
      { profileName: "Bea", userId: null },
    ]);
  });

  test("is theirs where it is the only one, and a number that cannot be theirs is kept aside", () => {
    expect(read([{ ...named, wa_id: "4915112345678" }], inbound("5511987654321"))).toMatchObject([
      { waId: "5511987654321", userId: "BR.1", profileName: "Ana", fields: { contact: { wa_id: "4915112345678" } } },
    ]);
    expect(read([{ profile: { name: "Ana" } }], inbound("5511987654321"), inbound("5511987654321"))).toMatchObject([
      { waId: "5511987654321", profileName: "Ana" },
      { waId: "5511987654321", profileName: "Ana" },
    ]);
  });

  test("is nobody's where it says that it is somebody else, and is kept", () => {
    const other = { ...named, wa_id: "4915112345678" };
    const nobody = { userId: "BR.9", profileName: null, username: null, fields: { contacts: [other] } };
    expect(read([other], inbound("5511987654321", { from_user_id: "BR.9" }))).toMatchObject([nobody]);
    const third = { profile: { name: "Cleo" }, wa_id: "393331234567" };
    expect(read([other, third], inbound("5511987654321"))).toMatchObject([
      { profileName: null, fields: { contacts: [other, third] } },
    ]);
  });

  test("is not given to another sender of the same callback", () => {
    const ana = { ...named, wa_id: "5511987654321" };
    expect(read([ana], inbound("551187654321"), inbound("4915112345678"))).toMatchObject([
      { profileName: "Ana", fields: null },
      { waId: "4915112345678", userId: null, profileName: null, fields: null },
    ]);
  });

  test("is found among very many in little time", () => {
    const contacts = Array.from({ length: 5_000 }, (_, at) => ({
      wa_id: `5511${987_600_000 + at}`,
      profile: { name: `${at}` },
    }));
    const messages = contacts.map(({ wa_id }) => inbound(`55${wa_id.slice(2, 4)}${wa_id.slice(5)}`));
    let found: ReturnType<typeof read> = [];
    expect(cpuMsOf(() => (found = read(contacts, ...messages)))).toBeLessThan(5_000);
    expect(found.map((one) => one?.profileName)).toEqual(contacts.map(({ profile }) => profile.name));
  });
});

describe("the people beside statuses", () => {
  const ana = { profile: { name: "Ana", username: "ana" }, wa_id: "5511987654321", user_id: "BR.1" };
  const recipientOf = (contacts: unknown, ...statuses: object[]) =>
    parseLists({ contacts, statuses: statuses.map((one) => ({ ...STATUS, ...one })) }).map((change) =>
      change.kind === "status" ? change.recipient.profileName : change,
    );

  test.each([
    { recipient_id: "5511987654321" },
    { recipient_id: "551187654321" },
    { recipient_id: "+55 11 98765-4321" },
    { recipient_id: undefined, recipient_user_id: "BR.1" },
    { recipient_id: "4915112345678" },
  ])("are who %j is, where it is the only one", (status) => {
    expect(recipientOf([ana], status)).toEqual(["Ana"]);
  });

  test("are told apart by the forms of their numbers, and none is taken for another", () => {
    const bea = { profile: { name: "Bea" }, wa_id: "525512345678", user_id: "MX.2" };
    expect(recipientOf([ana, bea], { recipient_id: "551187654321" }, { recipient_id: "5215512345678" }, {})).toEqual([
      "Ana",
      "Bea",
      null,
    ]);
    expect(recipientOf([ana], { recipient_id: "551187654321" }, { recipient_id: "5215512345678" })).toEqual([
      "Ana",
      null,
    ]);
    expect(recipientOf([ana], { recipient_user_id: "BR.9" })).toEqual([null]);
  });

  test.each([null, {}, "x", [null], [7], [{ profile: 7 }]])("are none where contacts are %j", (contacts) => {
    expect(recipientOf(Array.isArray(contacts) ? contacts : null, {})).toEqual([null]);
  });
});
