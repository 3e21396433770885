import { describe, expect, test } from "vitest";
import { changesOf } from "../testing/changes.ts";
import { parseCallback } from "./callbacks.ts";

const ofNumber = { providerPhoneNumberId: "1055" };

type Value = Record<string, unknown>;
const METADATA = { metadata: { phone_number_id: "1055" } };
const parse = (field: string, value: Value) =>
  parseCallback(
    Buffer.from(
      JSON.stringify({ object: "whatsapp_business_account", entry: [{ id: "9001", changes: [{ field, value }] }] }),
    ),
  ).changes;
const standby = (inside: unknown, more: Value = METADATA) => parse("standby", { ...more, standby: inside });
const kinds = (changes: ReturnType<typeof parse>) =>
  changes.map((change) => (change.kind === "unrecognized" ? change.reason : change.kind));

const message = { from: "15550001111", id: "wamid.1", timestamp: "1790000100", type: "text", text: { body: "Hi" } };
const status = { id: "wamid.2", status: "delivered", timestamp: "1790000100", recipient_id: "15550001111" };

describe("standby", () => {
  test("has copies of messages, in both shapes", () => {
    const copy = {
      ...ofNumber,
      kind: "message",
      direction: "inbound",
      isCopy: true,
      from: "+15550001111",
      type: "text",
    };
    expect(changesOf("callback-standby")).toMatchObject([
      { ...copy, opensWindow: true, userId: "US.13490000000000000001", profileName: "Ana" },
    ]);
    expect(changesOf("callback-standby-older")).toMatchObject([copy]);
  });

  test("has what the owner wrote: the send as it was requested", () => {
    const echo = { ...ofNumber, kind: "message", direction: "echo", isCopy: true, from: "+15550001111" };
    expect(changesOf("callback-standby-echo")).toMatchObject([
      {
        ...echo,
        providerMessageId: "wamid.OTHER1",
        type: "text",
        content: { body: "How can I help?" },
        replyToProviderId: "wamid.IN9",
      },
    ]);
    expect(changesOf("callback-standby-echo-template")).toMatchObject([
      { ...echo, type: "template", content: { name: "summer_sale" }, userId: "US.13490000000000000001" },
    ]);
    expect(changesOf("callback-standby-echo-flow")).toMatchObject([
      { ...echo, type: "interactive", fields: { flow_definition: { id: "771" } } },
    ]);
    // In the shape of other echoes.
    const flat = {
      from: "15559990000",
      to: "15550001111",
      id: "wamid.3",
      timestamp: "1790000100",
      type: "text",
      text: { body: "Yes" },
    };
    expect(standby({ message_echoes: [flat] })).toMatchObject([{ ...echo, content: { body: "Yes" } }]);
    const group = {
      id: "wamid.4",
      timestamp: "1790000100",
      message: { recipient_type: "group", to: "group-1", type: "text", text: { body: "Yes" } },
    };
    expect(kinds(standby({ message_echoes: [group] }))).toEqual(["echo without recipient"]);
  });

  test("has statuses that are copies, and leaves out what cannot be read of them", () => {
    expect(changesOf("callback-standby-status")).toMatchObject([
      { ...ofNumber, kind: "status", isCopy: true, status: "delivered" },
    ]);
    for (const statuses of [
      [{ ...status, status: "pending" }],
      [{ ...status, recipient_type: "group" }],
      [null],
      "x",
      null,
    ])
      expect(standby({ statuses })).toEqual([]);
  });

  test("is read part by part", () => {
    expect(
      kinds(
        standby({ messages: [message, null, { ...message, id: undefined }], statuses: [status], message_echoes: null }),
      ),
    ).toEqual(["message", "an item of messages is no object", "message without id", "status"]);
    expect(kinds(standby({ messages: "x", later: [1] }))).toEqual([
      "messages of standby is no list",
      "unknown part of standby",
    ]);
    // The contacts may be inside, the lists outside.
    const contacts = [{ wa_id: "15550001111", profile: { name: "Ana" } }];
    expect(standby({ messages: [message], contacts })).toMatchObject([{ profileName: "Ana", isCopy: true }]);
    expect(parse("standby", { ...METADATA, messages: [message], contacts: null })).toMatchObject([
      { kind: "message", isCopy: true },
    ]);
    expect([standby([]), standby({}), standby({ messages: [] })]).toEqual([[], [], []]);
    expect([standby("x"), standby(null), standby([message], {})].map(kinds)).toEqual([
      ["standby is no object"],
      ["standby without content"],
      ["standby without phone_number_id"],
    ]);
  });
});

describe("handovers", () => {
  const ana = { ...ofNumber, kind: "handover", from: "+15550001111" };
  test("name the owner from now on", () => {
    expect(changesOf("callback-handover")).toMatchObject([
      { ...ana, owner: "self", fromAgent: true, at: 1_790_000_150_000 },
    ]);
    expect(changesOf("callback-handover-taken")).toMatchObject([{ ...ana, owner: "other", fromAgent: false }]);
    expect(changesOf("callback-handover-user-id")).toMatchObject([
      { ...ofNumber, from: null, userId: "US.13490000000000000001", owner: "other" },
    ]);
    expect(changesOf("callback-handover-older")).toMatchObject([{ ...ana, owner: "self", at: 1_790_000_100_000 }]);
    // Words of people stay out of what is made of them.
    expect(JSON.stringify(changesOf("callback-handover"))).not.toMatch(/parcel|asks/);
  });

  const handover = (said: Value, more: Value = {}) =>
    parse("messaging_handovers", {
      ...METADATA,
      sender: { phone_number: "+15550001111" },
      timestamp: "1790000100",
      ...said,
      ...more,
    });
  test.each([
    [{ type: "control_passed", control_passed: { new_owner_role: "ai_agent" } }, "other"],
    [{ type: "control_passed", control_passed: { new_owner_role: "none" } }, "none"],
    [{ type: "control_passed" }, "self"],
    [{ type: "control_taken", control_taken: null, control_passed: {} }, "other"],
    [{ control_taken: {} }, "other"],
    [{ type: "control_released" }, "none"],
  ])("%j: %s", (said, owner) => {
    expect(handover(said)).toMatchObject([{ ...ana, owner }]);
  });

  test("are found in a list, and by what names the person in the contacts", () => {
    const one = { type: "control_taken", timestamp: "1790000100" };
    const contacts = [{ wa_id: "15550001111", user_id: "US.13490000000000000001" }];
    expect(parse("messaging_handovers", { ...METADATA, contacts, messaging_handovers: [one, null] })).toMatchObject([
      { ...ana, owner: "other" },
      { kind: "unrecognized", reason: "a handover is no object" },
    ]);
    const marks = [one, { ...one, control_taken: { metadata: "x" } }, one].map(
      (said) => (handover(said)[0] as { mark?: string }).mark,
    );
    expect(marks[0]).toBe(marks[2]);
    expect(marks[0]).not.toBe(marks[1]);
  });

  test("are set aside where they do not say of what they are", () => {
    expect(
      [
        handover({ type: "control_shared" }),
        handover({ type: "control_passed" }, { sender: null }),
        handover({ type: "control_passed" }, { timestamp: "soon" }),
        handover({ type: "control_passed" }, { metadata: null }),
      ].map(kinds),
    ).toEqual([
      ["unknown kind of handover"],
      ["handover without person"],
      ["handover without readable time"],
      ["messaging_handovers without phone_number_id"],
    ]);
  });
});
