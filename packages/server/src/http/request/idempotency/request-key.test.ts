import { assert, jsonValue, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, requestKey } from "../../idempotency-key.ts";
import { keyTextOf } from "./request-key.ts";

describe("idempotency key", () => {
  test.each([
    [{}, null],
    [{ "x-idempotency-key": "order-17" }, "order-17"],
    [{ "idempotency-key": '"order-17"' }, "order-17"],
    [{ "idempotency-key": '"a\\"b\\\\c"' }, 'a"b\\c'],
    [{ "x-idempotency-key": "a", "idempotency-key": '"a"' }, "a"],
    [{ "x-idempotency-key": "x".repeat(255) }, "x".repeat(255)],
  ])("%j is %j", (headers, key) => {
    expect(keyTextOf(headers)).toBe(key);
  });

  test.each([
    { "x-idempotency-key": "" },
    { "x-idempotency-key": "a b" },
    { "x-idempotency-key": "é" },
    { "x-idempotency-key": "x".repeat(256) },
    { "idempotency-key": '""' },
    { "x-idempotency-key": "a", "idempotency-key": "b" },
  ])("%j is refused", (headers) => {
    expect(() => keyTextOf(headers)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });

  test("the fingerprint sees method, path, query and body, and no way of writing them", () => {
    const of = (method: string, url: string, body: unknown) => requestKey("k", method, url, body).fingerprint;
    const first = of("POST", "/v1/a?x=1&y=2", { a: 1, b: { c: 2, d: [1, 2] } });
    expect(of("POST", "/v1/a?y=2&x=1", { b: { d: [1, 2], c: 2 }, a: 1 })).toBe(first);
    const others = [
      of("PUT", "/v1/a?x=1&y=2", { a: 1, b: { c: 2, d: [1, 2] } }),
      of("POST", "/v1/b?x=1&y=2", { a: 1, b: { c: 2, d: [1, 2] } }),
      of("POST", "/v1/a?x=1", { a: 1, b: { c: 2, d: [1, 2] } }),
      of("POST", "/v1/a?x=1&y=2", { a: 1, b: { c: 2, d: [2, 1] } }),
      of("POST", "/v1/a?x=1&y=2", { a: "1", b: { c: 2, d: [1, 2] } }),
      of("POST", "/v1/a?x=1&y=2", undefined),
    ];
    expect(new Set([first, ...others]).size).toBe(7);
  });

  test("digest and fingerprint have the table's lengths", () => {
    const { digest, fingerprint } = requestKey("k", "POST", "/v1/a", {});
    expect([digest.length, fingerprint.length]).toEqual([32, 64]);
  });
});

describe("canonical JSON", () => {
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
