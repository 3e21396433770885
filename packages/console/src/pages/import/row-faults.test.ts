import { expect, test } from "vitest";
import { targetOf } from "./columns.ts";
import { faultsOfRow } from "./row-faults.ts";

const TARGETS = ["phone", "email", "marketing_consent", ""].map(targetOf);
const faultsOf = (...cells: string[]) => faultsOfRow(cells, TARGETS);

test("each faulty cell of a row is named, and what is ignored or empty is none", () => {
  expect(faultsOf("+1 555 200-0021", "", "unknown", "\u0000")).toEqual([]);
  expect(faultsOf("555 2000021", "ana@", "yes", "")).toEqual([
    { kind: "noPlus", column: 0 },
    { kind: "field", field: "email", column: 1 },
    { kind: "field", field: "marketing_consent", column: 2 },
  ]);
  expect(faultsOf("", "ana@example.com", "", "")).toEqual([{ kind: "missing", column: 0 }]);
});

test("a row has the cells of its columns, and more only where they are empty", () => {
  expect(faultsOf("+15552000021", "", "")).toEqual([{ kind: "cells", column: null }]);
  expect(faultsOf("+15552000021", "", "", "", "x")).toEqual([{ kind: "cells", column: null }]);
  expect(faultsOf("+15552000021", "", "", "", " ")).toEqual([]);
});

test.each([
  ["0049 30 1234567", { kind: "zeros" }],
  ["+49 30 12x", { kind: "sign", sign: "x" }],
  ["+49+301234567", { kind: "twoPlus" }],
  ["+0301234567", { kind: "zero" }],
  ["+49301", { kind: "digits", digits: 5 }],
  [`+49${" ".repeat(70)}301234567`, { kind: "long" }],
])("%s is no number, and why", (phone, reason) => {
  expect(faultsOf(phone, "", "", "")).toEqual([{ ...reason, column: 0 }]);
});
