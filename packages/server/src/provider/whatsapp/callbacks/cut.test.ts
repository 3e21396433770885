import { describe, expect, it, test } from "vitest";
import type { ListedPart } from "../../callback-parts.ts";
import type { CallbackChange } from "../../provider.ts";
import { goldenBytes, goldenNames } from "../testing/golden.ts";
import { parseCallback } from "./callbacks.ts";
import { cutCallback } from "./cut.ts";

type Part = Extract<CallbackChange, { kind: "message" | "status" }>;

const OWN = {
  isOurs: (value: string) => value.startsWith("ours"),
  files: [],
  namesMessage: (value: string) => value === "ours.1",
};

const isPart = (change: CallbackChange): change is Part => change.kind === "message" || change.kind === "status";

const partOf = (change: Part): ListedPart => ({
  providerPhoneNumberId: change.providerPhoneNumberId,
  providerId: change.providerMessageId,
  is:
    change.kind === "status" ? { status: change.status } : change.direction === "echo" ? "echo" : ("message" as const),
});

const textOf = (body: Uint8Array): string => Buffer.from(body).toString("latin1");
const callback = (...entry: object[]): Buffer =>
  Buffer.from(JSON.stringify({ object: "whatsapp_business_account", entry }));
const entryOf = (number: string, value: object, more: object = {}): object => ({
  id: "9001",
  changes: [
    { field: "messages", value: { messaging_product: "whatsapp", metadata: { phone_number_id: number }, ...value } },
  ],
  ...more,
});
const text = (id: string, from: string, body = "Hi"): object => ({
  from,
  id,
  timestamp: "1790000001",
  type: "text",
  text: { body },
});
const MESSAGE = { providerPhoneNumberId: "1055", providerId: "wamid.A", is: "message" } as const;

function cut(body: Uint8Array, part: ListedPart = MESSAGE): Record<string, unknown> | null {
  const found = cutCallback(body, part, OWN);
  return found === null ? null : (JSON.parse(textOf(found.body)) as Record<string, unknown>);
}
function valueOf(body: Uint8Array, part: ListedPart = MESSAGE): Record<string, unknown> {
  const { entry } = cut(body, part) as { entry: [{ changes: [{ value: Record<string, unknown> }] }] };
  return entry[0].changes[0].value;
}

describe("each documented callback", () => {
  for (const name of goldenNames("callback-")) {
    const { changes } = parseCallback(goldenBytes(name));
    const parts = changes.filter(isPart);
    if (parts.length === 0) continue;
    it(`${name}: each part alone says what it said among the others`, () => {
      for (const change of parts) {
        const found = cutCallback(goldenBytes(name), partOf(change), OWN);
        const again = parseCallback(found?.body ?? Buffer.alloc(0)).changes;
        expect(again.filter(isPart)).toEqual([withoutAddress(change)]);
        expect(textOf(found?.body ?? Buffer.alloc(0))).not.toContain("lookaside");
      }
    });
  }
});

/** As it is without the address of its file. */
const withoutAddress = (change: Part): unknown =>
  JSON.parse(JSON.stringify(change), (_, value) => {
    if (typeof value !== "object" || value === null || !("mime_type" in value)) return value as unknown;
    const { url: _url, ...file } = value as Record<string, unknown>;
    return file;
  });

describe("each documented notice", () => {
  for (const name of goldenNames("callback-")) {
    const notices = parseCallback(goldenBytes(name)).changes.flatMap((change) =>
      (change.kind === "notice" || change.kind === "template") && change.reported ? [change] : [],
    );
    if (notices.length === 0) continue;
    it(`${name}: each alone says what it said among the others`, () => {
      for (const { reported, ...said } of notices) {
        const found = cutCallback(goldenBytes(name), reported!.part, OWN);
        expect(found?.field).toBe(reported?.part.field);
        const again = parseCallback(found?.body ?? Buffer.alloc(0)).changes;
        expect(again).toContainEqual({
          ...said,
          reported: { ...reported, part: { ...reported?.part, entry: 0, change: 0 } },
        });
        const { entry } = JSON.parse(textOf(found?.body ?? Buffer.alloc(0))) as { entry: { changes: object[] }[] };
        expect([entry.length, entry[0]?.changes.length]).toEqual([1, 1]);
      }
    });
  }
});

test("one message of one number goes out, and nothing of what else the callback reports", () => {
  const foreign = entryOf("2055", { messages: [text("wamid.A", "15550003333", "theirs")] }, { id: "9002" });
  const mine = entryOf("1055", {
    contacts: [
      { wa_id: "15550001111", profile: { name: "Ana" } },
      { wa_id: "15550002222", profile: { name: "Bo" } },
    ],
    messages: [text("wamid.B", "15550002222"), text("wamid.A", "15550001111")],
    statuses: [{ id: "wamid.A", status: "read", timestamp: "1790000002", recipient_id: "15550002222" }],
    conversation_context: { summary: "of one of the two" },
  });
  expect(cut(callback(foreign, mine))).toEqual({
    object: "whatsapp_business_account",
    entry: [
      entryOf("1055", {
        contacts: [{ wa_id: "15550001111", profile: { name: "Ana" } }],
        messages: [text("wamid.A", "15550001111")],
      }),
    ],
  });
  expect(cut(callback(foreign))).toBeNull();
});

test("what is not known stays as it is written, to the digit, and leaves in ASCII", () => {
  const known = '{"id":"wamid.A","from":"15550001111","timestamp":"1790000001","type":"text","text":{"body":"é 😀"}';
  const envelope = (item: string): string =>
    `{"object":"whatsapp_business_account","added":{"n":1.0},"entry":[{"id":"9001","added":[1e2],"changes":[{"value":{"metadata":{"phone_number_id":"1055","x":null},"messages":[${item}],"added":12345678901234567890},"field":"messages","added":true}]}]}`;
  const found = cutCallback(Buffer.from(envelope(`${known},"added":{"a":"\\u00e9\\/"}}`)), MESSAGE, OWN);
  expect(textOf(found?.body ?? Buffer.alloc(0))).toBe(
    envelope(`${known.replace("é 😀", "\\u00e9 \\ud83d\\ude00")},"added":{"a":"\\u00e9\\/"}}`),
  );
});

test("a status is found by its word, also under another id that carries our value, which never leaves", () => {
  const status = (id: string, word: string, data?: string) => ({
    id,
    status: word,
    timestamp: "1790000002",
    recipient_id: "15550001111",
    ...(data === undefined ? {} : { biz_opaque_callback_data: data }),
  });
  const body = callback(
    entryOf("1055", {
      contacts: [{ wa_id: "15550009999" }],
      statuses: [
        status("wamid.A", "sent", "ours.2"),
        status("wamid.C", "delivered", "ours.1"),
        status("wamid.A", "read", "theirs"),
      ],
    }),
  );
  const of = (word: string) => valueOf(body, { ...MESSAGE, is: { status: word } });
  expect(of("sent")["statuses"]).toEqual([status("wamid.A", "sent")]);
  expect(of("delivered")["statuses"]).toEqual([status("wamid.C", "delivered")]);
  expect(of("read")["statuses"]).toEqual([status("wamid.A", "read", "theirs")]);
  expect(cut(body, { ...MESSAGE, is: { status: "failed" } })).toBeNull();
});

test("a status has the public id of its message and the client's value, where it had ours or none", () => {
  const status = (id: string, data?: string) => ({
    id,
    status: "sent",
    ...(data && { biz_opaque_callback_data: data }),
  });
  for (const data of ["ours.1", undefined]) {
    const body = callback(entryOf("1055", { statuses: [status("wamid.A", data)] }));
    const own = { ...OWN, publicId: "wamid.public", clientValue: "order \u00e9" };
    const found = cutCallback(body, { ...MESSAGE, is: { status: "sent" } }, own);
    const { entry } = JSON.parse(textOf(found?.body ?? Buffer.alloc(0)));
    expect(entry[0].changes[0].value.statuses).toEqual([status("wamid.public", "order \u00e9")]);
  }
});

test("what a message names has its public id, however the provider escapes it, and no other text is touched", () => {
  const item = {
    ...text("wamid.A", "15550001111", "wamid.o/ld"),
    context: { from: "1", id: "wamid.o/ld", referred_product: { catalog_id: "wamid.other" } },
    reaction: { message_id: "wamid.o/ld", emoji: "\u{1F44D}" },
    edit: [{ original_message_id: "wamid.o/ld", message: { text: { body: "wamid.o/ld" } } }],
  };
  const escaped = callback(entryOf("1055", { messages: [item] }))
    .toString()
    .replaceAll("o/ld", "o\\/ld");
  const own = { ...OWN, ids: new Map([["wamid.o/ld", "wamid.public"]]) };
  const { entry } = JSON.parse(textOf(cutCallback(Buffer.from(escaped), MESSAGE, own)?.body ?? Buffer.alloc(0)));
  expect(entry[0].changes[0].value.messages).toEqual([
    {
      ...item,
      context: { ...item.context, id: "wamid.public" },
      reaction: { ...item.reaction, message_id: "wamid.public" },
      edit: [{ original_message_id: "wamid.public", message: { text: { body: "wamid.o/ld" } } }],
    },
  ]);
});

test("no empty list of contacts is left, and no name given twice hides another person", () => {
  const stranger = { wa_id: "15550009999", user_id: "US.1" };
  const messages = [{ ...text("wamid.A", "15550001111"), from_user_id: "US.2" }];
  expect(valueOf(callback(entryOf("1055", { contacts: [stranger], messages })))).not.toHaveProperty("contacts");
  const twice = textOf(callback(entryOf("1055", { messages }))).replace(
    '"messages":',
    '"messages":[{"id":"wamid.Z"}],"messages":',
  );
  expect(textOf(cutCallback(Buffer.from(twice), MESSAGE, OWN)?.body ?? Buffer.alloc(0))).not.toContain("wamid.Z");
});

test("what is no callback has no part", () => {
  for (const body of ["", "hello", "[]", "{}", '{"entry":[{}]}', '{"entry":[{"changes":[{"value":3},7]}]}'])
    expect(cut(Buffer.from(body))).toBeNull();
});
