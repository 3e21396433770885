import { assert, jsonValue, property } from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

test.each([
  ['{"b":1,"a":[true,null,"x"]}', '{"a":[true,null,"x"],"b":1}'],
  ['{ "a" : 1.0, "b": -0, "c": 1e3 }', '{"a":1,"b":0,"c":1000}'],
  ['"\\u20ac\\/\\n"', '"€/\\n"'],
  ['{"\\u00e9":1,"z":2,"A":3,"\\ud83d\\ude00":4}', '{"A":3,"z":2,"é":1,"😀":4}'],
  ["[]", "[]"],
  ["{}", "{}"],
])("%s", (text, canonical) => {
  expect(canonicalJson(JSON.parse(text))).toBe(canonical);
});

test("any value reads back as itself, and its order of keys does not matter", () => {
  assert(
    property(jsonValue(), (value) => {
      const parsed: unknown = JSON.parse(JSON.stringify(value));
      const text = canonicalJson(parsed);
      expect(JSON.parse(text)).toEqual(parsed);
      expect(canonicalJson(reversed(parsed))).toBe(text);
    }),
  );
});

test("thousands of keys in the worst order take no time", () => {
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${99_999 - index}`, 1]));
  expect(Object.keys(JSON.parse(canonicalJson(wide)))).toEqual(Object.keys(wide).toSorted());
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}
