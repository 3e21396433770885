import { describe, expect, test } from "vitest";
import { keyOf, requestKey } from "./idempotency.ts";
import { requestIdOf, traceparentOf } from "./request-id.ts";

describe("idempotency key", () => {
  test.each([
    [{}, null],
    [{ "x-idempotency-key": "order-17" }, "order-17"],
    [{ "idempotency-key": '"order-17"' }, "order-17"],
    [{ "idempotency-key": '"a\\"b\\\\c"' }, 'a"b\\c'],
    [{ "x-idempotency-key": "a", "idempotency-key": '"a"' }, "a"],
    [{ "x-idempotency-key": "x".repeat(255) }, "x".repeat(255)],
  ])("%j is %j", (headers, key) => {
    expect(keyOf(headers)).toBe(key);
  });

  test.each([
    { "x-idempotency-key": "" },
    { "x-idempotency-key": "a b" },
    { "x-idempotency-key": "é" },
    { "x-idempotency-key": "x".repeat(256) },
    { "idempotency-key": '""' },
    { "x-idempotency-key": "a", "idempotency-key": "b" },
  ])("%j is refused", (headers) => {
    expect(() => keyOf(headers)).toThrow(expect.objectContaining({ code: "invalid_request" }));
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

test("a request id is taken when it is visible ASCII of 128 characters at most, else made", () => {
  const of = (id: string | undefined) => requestIdOf({ headers: id === undefined ? {} : { "x-request-id": id } });
  expect(of("abc-1")).toBe("abc-1");
  expect(of("x".repeat(128))).toHaveLength(128);
  for (const bad of [undefined, "", "a b", "é", "x".repeat(129)]) expect(of(bad)).toMatch(/^[0-9a-f-]{36}$/);
});

test("a trace context is carried when it is one", () => {
  const good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  expect(traceparentOf({ headers: { traceparent: good } })).toBe(good);
  expect(
    traceparentOf({ headers: { traceparent: good.replace("4bf92f3577b34da6a3ce929d0e0e4736", "0".repeat(32)) } }),
  ).toBeNull();
  expect(traceparentOf({ headers: {} })).toBeNull();
});
