import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CALLBACK_FIELDS } from "./callbacks.ts";
import { changesOf } from "./testing/changes.ts";
import { goldenBytes, goldenNames, SET_ASIDE } from "./testing/golden.ts";

/** A kind of object that the documentation describes, and where: the `field`, the path `at` in its value, what tells it from others. */
type Described = {
  field: string;
  at: string;
  where?: Record<string, unknown>;
  keys: string[];
  values?: Record<string, unknown[]>;
};
const documented: { fields: string[]; objects: Described[] } = JSON.parse(
  readFileSync(new URL("../../../../../fixtures/provider/documented.json", import.meta.url), "utf8"),
);

type Json = Record<string, unknown>;
type Sent = { field: string; value: Json };
type Envelope = { entry: { changes: Sent[] }[] };

const NAMES = goldenNames("callback-");
const sentIn = (name: string): Sent[] =>
  (JSON.parse(goldenBytes(name).toString()) as Envelope).entry.flatMap(({ changes }) => changes);
const SENT = NAMES.flatMap(sentIn);

/** What is at a path, through every list on the way. */
function at(values: readonly unknown[], path: string): unknown[] {
  const found = path
    .split(".")
    .filter((key) => key !== "")
    .reduce<unknown[]>(
      (inner, key) => inner.flat().flatMap((one) => (isJson(one) && key in one ? [one[key]] : [])),
      [...values],
    );
  return found.flat();
}
const isJson = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value);

test("each field that one can subscribe to is sent and read, and no other", () => {
  expect(CALLBACK_FIELDS.toSorted()).toEqual(documented.fields.toSorted());
  expect([...new Set(SENT.map(({ field }) => field))].toSorted()).toEqual(
    [...documented.fields, "weather_update"].toSorted(),
  );
});

const label = ({ field, at: path, where }: Described): string =>
  [field, path, ...Object.values(where ?? {})].filter((part) => part !== "").join(" ");

test.each(documented.objects.map((one) => [label(one), one] as const))(
  "%s: each key and value is in a callback",
  (_, one) => {
    const inField = SENT.filter(({ field }) => field === one.field).map(({ value }) => value);
    const objects = at(inField, one.at).filter((object) =>
      Object.entries(one.where ?? {}).every(([path, value]) => at([object], path).includes(value)),
    );
    expect(one.keys.filter((key) => at(objects, key).length === 0)).toEqual([]);
    for (const [key, values] of Object.entries(one.values ?? {}))
      expect(at(objects, key)).toEqual(expect.arrayContaining(values));
  },
);

test.each(NAMES)("%s is understood", (name) => {
  const changes = changesOf(name);
  expect(changes.length).toBeGreaterThan(0);
  expect(changes.flatMap((change) => (change.kind === "unrecognized" ? [change.reason] : []))).toEqual(
    SET_ASIDE.get(name) ?? [],
  );
});

describe("nothing that a message or its contact says is missing from its change", () => {
  test.each(NAMES)("%s", (name) => {
    const messages = changesOf(name).filter((change) => change.kind === "message");
    for (const change of messages) {
      const sent = sentIn(name).map(({ value }) => value);
      const [message] = at(sent, change.direction === "echo" ? "message_echoes" : "messages").filter(
        (one) => isJson(one) && one["id"] === change.providerMessageId,
      );
      const said = new Set(leaves([change, change.from?.slice(1), change.at / 1_000]));
      const contacts = messages.length === 1 ? at(sent, "contacts") : [];
      // The sender of an echo is the number itself.
      const { from: _number, ...echo } = isJson(message) ? message : {};
      const given = leaves([change.direction === "echo" ? echo : message, contacts]);
      expect(given.length).toBeGreaterThan(3);
      expect(given.filter((leaf) => !said.has(leaf))).toEqual([]);
    }
  });
});

/** The values within, each as text; numbers that are written as text are the same. */
const leaves = (value: unknown): string[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [String(value)];
