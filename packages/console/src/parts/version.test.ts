import { expect, test } from "vitest";
import { differences } from "./version.ts";

const BEGAN = { url: "https://a", events: ["sent", "read"], enabled: true, note: "", hidden: "x" };
const at = (mine: Record<string, string | boolean | string[]>, theirs: object) =>
  differences(BEGAN, { ...BEGAN, ...theirs }, (path) => ({ ...BEGAN, ...mine })[path] ?? "", [
    "url",
    "events",
    "enabled",
    "note",
  ]);

test("where both hold the same there is no difference, whatever the order and whoever changed it", () => {
  expect(at({}, {})).toEqual([]);
  expect(at({ note: "Shop ", events: ["read", "sent"] }, { note: "Shop" })).toEqual([]);
});

test("what only others changed is not touched, what was changed here is", () => {
  expect(at({ note: "Mine" }, { enabled: false, url: "https://b" })).toEqual([
    { path: "url", theirs: "https://b", mine: "https://a", isTouched: false },
    { path: "enabled", theirs: false, mine: true, isTouched: false },
    { path: "note", theirs: "", mine: "Mine", isTouched: true },
  ]);
  expect(at({ events: ["sent"] }, { events: ["sent", "read", "failed"] })).toEqual([
    { path: "events", theirs: ["sent", "read", "failed"], mine: ["sent"], isTouched: true },
  ]);
});

test("fields that the form does not show are left out", () => {
  expect(at({}, { hidden: "y" })).toEqual([]);
});
