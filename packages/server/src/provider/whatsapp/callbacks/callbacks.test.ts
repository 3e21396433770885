import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CallbackChange } from "../../provider.ts";
import { changesOf, parseLists } from "../testing/changes.ts";
import { goldenBytes, goldenNames } from "../testing/golden.ts";
import { parseCallback } from "./callbacks.ts";

const parseText = (text: string): CallbackChange[] => parseCallback(Buffer.from(text)).changes;

describe("beside what is understood", () => {
  const message = { id: "wamid.X", timestamp: "1790000001", from: "15550001111", type: "text", text: { body: "a" } };

  test("a part that is not is set aside, and only that part", () => {
    expect(changesOf("callback-beside-unknown")).toMatchObject([
      { kind: "message", providerMessageId: "wamid.IN1" },
      { kind: "call", call: { id: "wacid.CALL1", event: "terminate" } },
      {
        kind: "unrecognized",
        reason: "unknown part of messages",
        providerPhoneNumberId: "1055",
        value: { field: "messages", value: { stickers_wanted: [{ pack: "shop" }] } },
      },
    ]);
  });

  test.each([
    [{ statuses: "none" }, "statuses is no list"],
    [{ errors: "none" }, "errors is no list"],
    [{ contacts: "none" }, "unknown part of messages"],
    [{ statuses: [7] }, "an item of statuses is no object"],
    [{ history: [7] }, "an item of history is no object"],
  ])("%j is set aside", (part, reason) => {
    const changes = parseLists({ messages: [message], ...part });
    expect(changes.filter(({ kind }) => kind === "message")).toHaveLength(1);
    expect(changes.filter(({ kind }) => kind !== "message")).toMatchObject([
      { kind: "unrecognized", reason, value: { field: "messages", value: part } },
    ]);
  });

  test("lists that are null are as empty ones", () => {
    const nothing = { contacts: null, statuses: null, errors: null, message_echoes: null };
    expect(parseLists({ messages: [message], ...nothing })).toEqual(parseLists({ messages: [message] }));
    const status = { id: "wamid.SIM1", status: "sent", timestamp: "1790000001", recipient_id: "15550001111" };
    expect(parseLists({ statuses: [status], contacts: null, messages: null, errors: null })).toMatchObject([
      { kind: "status", status: "sent" },
    ]);
    expect(parseLists({ messages: null })).toEqual([]);
  });

  test("nothing at all is set aside whole", () => {
    expect(parseLists({})).toMatchObject([{ kind: "unrecognized", reason: "messages without content" }]);
    expect(parseLists({ contacts: [{ wa_id: "15550001111" }] })).toMatchObject([
      { kind: "unrecognized", reason: "messages without content", value: { value: { contacts: [expect.anything()] } } },
    ]);
  });
});

test("an unknown field is kept whole", () => {
  expect(changesOf("callback-unknown-field")).toMatchObject([
    { kind: "unrecognized", reason: "unknown field", providerAccountId: "9001", value: { field: "weather_update" } },
  ]);
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
    "template",
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
