import * as fc from "fast-check";

/** Stands for numbers that JSON can write and a double cannot hold. */
const HUGE_NUMBER = "@huge-number";
const HUGE_DIGITS = "1".padEnd(400, "0");

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
};

/** Values that some database, parser or screen cannot take. */
const ODD_VALUES: readonly unknown[] = [
  null,
  true,
  "",
  " ",
  0,
  -1,
  1e308,
  0.1,
  HUGE_NUMBER,
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udc00\ud800",
  "\u202e\ufeff",
  "'; drop table message; --",
  "__proto__",
  "constructor",
  "9".repeat(40),
  "é".repeat(600),
  "x".repeat(100_000),
  "🙂".repeat(20_000),
  {},
  [],
  [null],
  [[]],
  nested(30),
  nested(99),
  nested(200),
  { toString: 1, length: -1 },
  "2026-01-01T00:00:00Z",
  "99999999999",
  1_790_000_001,
  Number.MAX_SAFE_INTEGER,
];
const odd = fc.oneof(fc.constantFrom(...ODD_VALUES), fc.jsonValue(), fc.string({ unit: "binary" }));
const oddKey = fc.oneof(
  fc.constantFrom("", "__proto__", "constructor", "\u0000", "\ud800", "x".repeat(10_000)),
  fc.string(),
);

type Change =
  | { how: "replace" | "add"; where: number; value: unknown }
  | { how: "delete" | "duplicate"; where: number; times: number }
  | { how: "rename"; where: number; key: string };

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ how: fc.constant("replace" as const), where: fc.nat(), value: odd }) },
  { weight: 1, arbitrary: fc.record({ how: fc.constant("add" as const), where: fc.nat(), value: odd }) },
  {
    weight: 2,
    arbitrary: fc.record({
      how: fc.constantFrom("delete" as const, "duplicate" as const),
      where: fc.nat(),
      times: fc.constantFrom(1, 2, 60),
    }),
  },
  { weight: 1, arbitrary: fc.record({ how: fc.constant("rename" as const), where: fc.nat(), key: oddKey }) },
);

/** The gateway takes no larger ones, and the provider sends none (Cloud API documentation, webhooks). */
const MOST_CHARACTERS = 1024 * 1024;

/** One of these texts with some of its parts changed: still JSON. */
export const changedText = (texts: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...texts), fc.array(change, { minLength: 1, maxLength: 4 }))
    .map(([text, changes]) => {
      const document: unknown = JSON.parse(text);
      for (const one of changes) apply(document, one);
      return JSON.stringify(document).replaceAll(`"${HUGE_NUMBER}"`, HUGE_DIGITS);
    })
    .filter((text) => text.length <= MOST_CHARACTERS);

/** One of these texts cut off, or with other bytes in between. */
export const brokenBytes = (texts: readonly string[]): fc.Arbitrary<Buffer> =>
  fc
    .tuple(fc.constantFrom(...texts), fc.nat(), fc.uint8Array({ maxLength: 8 }), fc.boolean())
    .map(([text, where, bytes, ends]) => {
      const whole = Buffer.from(text);
      const at = where % whole.length;
      return Buffer.concat([whole.subarray(0, at), bytes, ends ? Buffer.alloc(0) : whole.subarray(at)]);
    });

type Place = { of: Record<string, unknown> | unknown[]; key: string };

function apply(document: unknown, one: Change): void {
  const places = placesIn(document);
  const place = places[one.where % Math.max(1, places.length)];
  if (place === undefined) return;
  const { of, key } = place;
  if (one.how === "replace") set(of, key, one.value);
  else if (one.how === "add" && Array.isArray(of)) of.push(one.value);
  else if (one.how === "add") set(of, "added_by_the_provider", one.value);
  else if (one.how === "delete" && Array.isArray(of)) of.splice(Number(key), 1);
  else if (one.how === "delete" && !Array.isArray(of)) delete of[key];
  else if (one.how === "duplicate") duplicate(of, key, one.times);
  else if (one.how === "rename" && !Array.isArray(of)) {
    const value = of[key];
    delete of[key];
    set(of, one.key, value);
  }
}

/** Every item of every list and every field of every object, in the order of the text. */
function placesIn(value: unknown): Place[] {
  if (typeof value !== "object" || value === null) return [];
  const of = value as Place["of"]; // an object of JSON is a list or has named fields
  return Object.entries(of).flatMap(([key, inner]) => [{ of, key }, ...placesIn(inner)]);
}

function set(of: Place["of"], key: string, given: unknown): void {
  const value: unknown = structuredClone(given); // what is set may be changed in turn
  Object.defineProperty(of, key, { value, enumerable: true, configurable: true, writable: true });
}

function duplicate(of: Place["of"], key: string, times: number): void {
  const value = Object.getOwnPropertyDescriptor(of, key)?.value;
  const copies = Array.from({ length: times }, () => structuredClone(value));
  if (Array.isArray(of)) of.splice(Number(key), 0, ...copies);
  else set(of, key, [value, ...copies]);
}
