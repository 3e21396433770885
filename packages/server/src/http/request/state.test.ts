import { expect, test } from "vitest";
import { requestIdOf, traceparentOf } from "./state.ts";

test("a request id is taken if it is visible ASCII of at most 128 characters, else generated", () => {
  const of = (id: string | undefined) => requestIdOf({ headers: id === undefined ? {} : { "x-request-id": id } });
  expect(of("abc-1")).toBe("abc-1");
  expect(of("x".repeat(128))).toHaveLength(128);
  const keys = ["wp_live_4fVtMkQ0aP2x", "id-whsec_4fVtMkQ0aP2x"];
  for (const bad of [undefined, "", "a b", "é", "x".repeat(129), ...keys]) expect(of(bad)).toMatch(/^[0-9a-f-]{36}$/);
});

test("a valid trace context is carried, another one is not", () => {
  const good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  expect(traceparentOf({ headers: { traceparent: good } })).toBe(good);
  expect(
    traceparentOf({ headers: { traceparent: good.replace("4bf92f3577b34da6a3ce929d0e0e4736", "0".repeat(32)) } }),
  ).toBeNull();
  expect(traceparentOf({ headers: {} })).toBeNull();
});
