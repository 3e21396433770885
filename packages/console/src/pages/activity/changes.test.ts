import { expect, test } from "vitest";
import { changesIn, shownValue } from "./changes.ts";

test("fields with both sides are shown side by side, anything else as it is", () => {
  expect(changesIn({ name: { before: "a", after: null } })).toEqual([{ field: "name", before: "a", after: null }]);
  expect(changesIn({ name: { before: "a", after: "b" }, given: ["pin"] })).toBeNull();
  expect(changesIn({})).toBeNull();
  expect(changesIn(null)).toBeNull();
});

test("a value is one line", () => {
  expect([shownValue("a b"), shownValue({ a: [1] }), shownValue(false), shownValue(null)]).toEqual([
    "a b",
    '{"a":[1]}',
    "false",
    null,
  ]);
});
