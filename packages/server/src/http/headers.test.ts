import { expect, test } from "vitest";
import { etagOf, requireMatch, waitSecondsOf } from "./headers.ts";

test("If-Match", () => {
  const etag = etagOf(7);
  for (const good of [undefined, "*", '"7"', '"6", "7"']) expect(() => requireMatch(good, etag)).not.toThrow();
  for (const bad of ['"6"', "7", 'W/"7"', ""])
    expect(() => requireMatch(bad, etag)).toThrow(expect.objectContaining({ code: "precondition_failed" }));
});

test.each([
  [undefined, null],
  ["wait=10", 10],
  ["respond-async, wait=5", 5],
  ['wait="7"; foo=bar', 7],
  ["Wait = 3", 3],
  ["wait=90", 30],
  ["wait=0", null],
  ["wait=-1", null],
  ["wait=1.5", null],
  ["await=5", null],
  [["respond-async", "wait=4"], 4],
])("Prefer: %j waits %j", (header, seconds) => {
  expect(waitSecondsOf(header)).toBe(seconds);
});
