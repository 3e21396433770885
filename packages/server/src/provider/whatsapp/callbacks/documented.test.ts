import { describe, expect, test } from "vitest";
import { changesOf, parseChange } from "../testing/changes.ts";
import {
  at,
  documented,
  documentedChanges,
  fits,
  GOLDEN_NAMES,
  isJson,
  labelOf,
  SENT,
  sentIn,
} from "../testing/documented.ts";
import { NOT_KEPT, SET_ASIDE } from "../testing/golden.ts";
import { CALLBACK_FIELDS } from "./callbacks.ts";

test("each field that one can subscribe to is sent and read, and no other", () => {
  expect(CALLBACK_FIELDS.toSorted()).toEqual(documented.fields.toSorted());
  expect([...new Set(SENT.map(({ field }) => field))].toSorted()).toEqual(
    [...documented.fields, "weather_update"].toSorted(),
  );
});

test.each(documented.objects.map((one) => [labelOf(one), one] as const))("%s: each key is in a callback", (_, one) => {
  const inField = SENT.filter(({ field }) => field === one.field).map(({ value }) => value);
  const objects = at(inField, one.at).filter((object) => fits(object, one.where));
  expect(one.keys.filter((key) => at(objects, key).length === 0)).toEqual([]);
});

test.each(documentedChanges().map((one) => [one.name, one] as const))("%s is understood", (_, { change, isKept }) => {
  const changes = parseChange(change.field, change.value, 1_790_000_100);
  expect(changes.length > 0).toBe(isKept);
  expect(changes.flatMap((one) => (one.kind === "unrecognized" ? [one.reason] : []))).toEqual([]);
});

test.each(GOLDEN_NAMES)("%s is understood", (name) => {
  const changes = changesOf(name);
  expect(changes.length > 0).toBe(!NOT_KEPT.has(name));
  expect(changes.flatMap((change) => (change.kind === "unrecognized" ? [change.reason] : []))).toEqual(
    SET_ASIDE.get(name) ?? [],
  );
});

describe("nothing that a message or its contact says is missing from its change", () => {
  test.each(GOLDEN_NAMES)("%s", (name) => {
    const messages = changesOf(name).filter((change) => change.kind === "message");
    for (const change of messages) {
      const sent = sentIn(name).map(({ value }) => value);
      const lists = change.direction === "echo" ? ["message_echoes"] : ["messages", ""];
      const [message] = lists
        .flatMap((list) => [list, `standby.${list}`])
        .flatMap((list) => at(sent, list))
        .filter((one) => isJson(one) && one["id"] === change.providerMessageId);
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
