import { describe, expect, test } from "vitest";
import { cpuMsOf } from "../../../testing/cpu-time.ts";
import type { CallbackChange } from "../../provider.ts";
import { changesOf, parseLists } from "../testing/changes.ts";

// Calls, and what is told of the time before a number was connected.

const ana = { from: "+15550001111", waId: "15550001111", userId: "US.13490000000000000001", profileName: "Ana" };

describe("a call", () => {
  const read = (item: object, more: object = {}) =>
    parseLists({ calls: [{ id: "wacid.1", timestamp: "1790000300", event: "connect", ...item }], ...more }, "calls");

  test("is its person's, and nothing of its line or its numbers is kept", () => {
    expect(changesOf("callback-call-connect")).toEqual([
      {
        kind: "call",
        providerPhoneNumberId: "1055",
        at: 1_790_000_300_000,
        calledAt: 1_790_000_300_000,
        call: { id: "wacid.CALL1", event: "connect", direction: "USER_INITIATED" },
        ...ana,
        parentUserId: null,
        username: null,
      },
    ]);
  });

  test("that ended says when it was made, how it ended and how long it took", () => {
    expect(changesOf("callback-call-terminate")).toMatchObject([
      {
        kind: "call",
        waId: "15550001111",
        at: 1_790_000_360_000,
        calledAt: 1_790_000_301_000,
        call: { event: "terminate", status: "COMPLETED", start_time: "1790000301", duration: 59 },
      },
    ]);
    expect(read({ event: "terminate", from: "15550001111", status: ["FAILED", "COMPLETED"] })).toMatchObject([
      { call: { status: "FAILED" } },
    ]);
  });

  test("of the business is of whom it called, and so is what becomes of it", () => {
    for (const item of [
      { direction: "BUSINESS_INITIATED", from: "15559990000", to: "15550002222" },
      { direction: "business_initiated", to: "15550002222" },
    ])
      expect(read(item)).toMatchObject([{ kind: "call", waId: "15550002222", calledAt: null }]);
    const metadata = { phone_number_id: "1055", display_phone_number: "+1 555-999-0000" };
    expect(read({ from: "15559990000", to: "15550002222" }, { metadata })).toMatchObject([{ waId: "15550002222" }]);
    expect(changesOf("callback-call-status")).toMatchObject([
      { kind: "call", waId: "15550001111", calledAt: null, call: { id: "wacid.CALL2", status: "RINGING" } },
    ]);
  });

  test("of somebody without a number is of their user id, wherever it stands", () => {
    const userId = "US.13490000000000000009";
    const contacts = [{ user_id: userId, profile: { username: "ana" } }];
    for (const [item, more] of [
      [{ from_user_id: userId }, {}],
      [{}, { contacts }],
      [{ from: userId }, {}],
    ] as const)
      expect(read(item, more)).toMatchObject([{ kind: "call", from: null, userId }]);
  });

  test.each([
    [{ id: 7.5 }, "call without id or event"],
    [{ event: null }, "call without id or event"],
    [{ timestamp: "soon" }, "call without readable time"],
    [{ from: undefined }, "call without person"],
  ])("with %j is set aside", (item, reason) => {
    expect(read({ from: "15550001111", ...item })).toMatchObject([{ kind: "unrecognized", reason }]);
  });

  test("keeps no text that is not a name of the provider's", () => {
    const [change] = read({
      from: "15550001111",
      status: "Ana hung up",
      direction: "x".repeat(99),
      cta_payload: "Ana",
    });
    expect(change).toMatchObject({ kind: "call", call: { id: "wacid.1", event: "connect" } });
    expect(JSON.stringify((change as Extract<CallbackChange, { kind: "call" }>).call)).not.toMatch(/Ana|xxx/);
  });
});

describe("a history", () => {
  const one = { id: "wamid.1", timestamp: "1789000001", type: "text", text: { body: "Hi" } };
  const metadata = { phone_number_id: "1055", display_phone_number: "15559990000" };
  const read = (...threads: unknown[]) => parseLists({ metadata, history: [{ metadata: {}, threads }] }, "history");
  const messagesOf = (changes: CallbackChange[]) =>
    changes.flatMap((one) => (one.kind === "history" ? one.messages : []));

  test("is messages of both sides, each with what became of it", () => {
    const changes = changesOf("callback-history");
    expect(changes).toMatchObject([{ kind: "history", providerPhoneNumberId: "1055" }]);
    expect(messagesOf(changes).map((one) => [one.providerMessageId, one.outbound, one.waId, one.status])).toEqual([
      ["wamid.H1", false, "15550001111", null],
      ["wamid.H2", true, "15550001111", "delivered"],
      ["wamid.H3", false, "15550001111", null],
      ["wamid.H4", true, "15550002222", "sent"],
      ["wamid.H5", true, "15550002222", "accepted"],
      ["wamid.H6", true, "15550002222", "failed"],
    ]);
    expect(messagesOf(changes)[0]).toMatchObject({ type: "text", content: { body: "Open?" }, at: 1_789_000_001_000 });
    expect(messagesOf(changes)[2]).toMatchObject({ type: "unsupported", content: { type: "media_placeholder" } });
    expect(messagesOf(changes).every(({ fields }) => fields === null)).toBe(true);
  });

  test("that was declined is a notice without people; a file that follows is a message", () => {
    expect(changesOf("callback-history-declined")).toMatchObject([
      {
        kind: "notice",
        event: "history",
        detail: { history: [{ errors: [{ code: 2593109, title: "History declined" }] }] },
      },
    ]);
    expect(messagesOf(changesOf("callback-history-media"))).toMatchObject([
      { providerMessageId: "wamid.H3", type: "image", outbound: false, ...ana },
    ]);
  });

  test("is of its thread's person: by number, user id, or what the thread says beside", () => {
    const userId = "US.13490000000000000009";
    expect(messagesOf(read({ id: userId, messages: [one] }))).toMatchObject([{ userId, waId: null, outbound: false }]);
    expect(messagesOf(read({ id: "x", context: { wa_id: "15550001111" }, messages: [] }))).toEqual([]);
    expect(
      messagesOf(
        read({ id: "15550001111", context: { user_id: userId }, messages: [{ ...one, from: "15559990000" }] }),
      ),
    ).toMatchObject([{ userId, waId: "15550001111", outbound: true }]);
  });

  test("of a group is of who wrote; to one it is of nobody, and is set aside", () => {
    const group = "120363000000@g.us";
    expect(messagesOf(read({ id: group, messages: [{ ...one, from: "15550001111" }] }))).toMatchObject([
      { groupId: group, waId: "15550001111" },
    ]);
    expect(read({ id: group, messages: [{ ...one, from: "15559990000" }] })).toMatchObject([
      { kind: "unrecognized", reason: "message to a group in the history" },
    ]);
  });

  test("with odd parts loses none of them: what cannot be read is set aside by its reason", () => {
    const odd = [7, { ...one, id: undefined }, { ...one, timestamp: "soon" }, { ...one, id: undefined }];
    const changes = read({ id: "15550001111", messages: [one, ...odd] });
    expect(messagesOf(changes)).toHaveLength(1);
    expect(changes.slice(1).map((one) => one.kind === "unrecognized" && one.reason)).toEqual([
      "a message of the history is no object",
      "message without id",
      "message without readable time",
    ]);
    for (const threads of [1, [null], [{ id: "1" }]])
      expect(parseLists({ history: [{ threads }] }, "history")).toMatchObject([{ kind: "unrecognized" }]);
    for (const threads of [[], [{ id: "1", messages: [] }]])
      expect(parseLists({ history: [{ threads }] }, "history")).toMatchObject([
        { kind: "notice", detail: { history: [{}] } },
      ]);
    expect(parseLists({ history: [null] }, "history")).toMatchObject([{ kind: "unrecognized" }]);
  });

  test("with nothing in it that can be read is set aside in the time that reading it takes", () => {
    const messages = Array.from({ length: 300_000 }, () => ({}));
    let changes: ReturnType<typeof read> = [];
    expect(cpuMsOf(() => (changes = read({ id: "15550001111", messages })))).toBeLessThan(5_000);
    expect(changes.map((one) => one.kind === "unrecognized" && one.reason)).toEqual(["message without id"]);
  });
});

describe("a phone book", () => {
  const read = (...contacts: object[]) =>
    parseLists(
      { state_sync: contacts.map((contact) => ({ type: "contact", contact, action: "add" })) },
      "smb_app_state_sync",
    );

  test("is its entries; who has no possible number is set aside with others of that kind", () => {
    expect(changesOf("callback-app-state")).toEqual([
      {
        kind: "phone_book",
        providerPhoneNumberId: "1055",
        entries: [
          { phone: "15550001111", name: "Ana Berg", removed: false, at: 1_790_000_500_000 },
          { phone: "15550002222", name: null, removed: true, at: 1_790_000_501_000 },
        ],
      },
    ]);
    expect(
      read({ phone_number: "*100#" }, { phone_number: "+1 (555) 000-1111" }, { full_name: "Nobody" }),
    ).toMatchObject([
      { kind: "phone_book", entries: [{ phone: "15550001111" }] },
      { kind: "unrecognized", value: { value: { state_sync: [{ contact: {} }, { contact: {} }] } } },
    ]);
  });

  test("has names as people see them: without marks that nobody sees, and never half a character", () => {
    const long = "🙂".repeat(300);
    const names = ["\u202a Ana\u200b\u2069 ", "\u0007\ufeff", long].map((full_name, index) => ({
      full_name,
      phone_number: `1555000111${index}`,
    }));
    const [book] = read(...names);
    const entries = book?.kind === "phone_book" ? book.entries : [];
    expect(entries.map(({ name }) => name)).toEqual(["Ana", null, "🙂".repeat(256)]);
  });
});
