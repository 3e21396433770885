import { expect, test } from "vitest";
import {
  type Condition,
  draftOf,
  filterOf,
  isWhole,
  joinedBy,
  missingOf,
  newCondition,
  newGroup,
  nodesIn,
  withField,
  withOp,
  withPart,
} from "./draft.ts";
import { amountOf, durationOf } from "./duration.ts";
import type { Op } from "./fields.ts";

/** One of each form. */
const CONDITIONS = [
  { field: "tags", op: "contains", value: "vip" },
  { field: "tags", op: "in", value: ["vip", "a, b", "vip"] },
  { field: "tags", op: "exists", value: false },
  { field: "name", op: "eq", value: " Ana \n" },
  { field: "email", op: "not_contains", value: "@example.com" },
  { field: "phone", op: "in", value: ["+55 11 91234-5678", "+15551230001"] },
  { field: "locale", op: "ne", value: "pt_BR" },
  { field: "attributes.city", op: "eq", value: "" },
  { field: "attributes.orders", op: "gte", value: -1.5e21 },
  { field: "attributes.code", op: "lt", value: "007" },
  { field: "attributes.a.b-c", op: "in", value: ["7", 7, true, false, ""] },
  { field: "attributes.exists", op: "exists", value: true },
  { field: "marketing_consent", op: "in", value: ["unknown", "opted_in"] },
  { field: "last_inbound_at", op: "within_last", value: "P1DT12H" },
  { field: "last_inbound_at", op: "within_last", value: "P07D" },
  { field: "last_inbound_at", op: "exists", value: true },
  { field: "created_at", op: "gt", value: "2026-01-31T09:00:12.345+02:00" },
];
const FILTERS: readonly object[] = [
  ...CONDITIONS,
  { all: CONDITIONS },
  { not: { not: { any: [{ all: [CONDITIONS[0]] }, { not: CONDITIONS[8] }] } } },
];

test.each(FILTERS.map((filter) => [JSON.stringify(filter), filter]))("keeps %s as it is", (_, filter) => {
  const draft = draftOf(filter)!;
  expect(filterOf(draft)).toEqual(filter);
  expect(isWhole(draft)).toBe(true);
});

test.each([
  { field: "shoe_size", op: "eq", value: 1 },
  { field: "attributes", op: "eq", value: 1 },
  { field: "name", op: "within_last", value: "P7D" },
  { field: "name", op: "eq", value: { a: 1 } },
  { field: "name", op: "eq", value: ["a"] },
  { field: "name", op: "in", value: "a" },
  { all: [{ field: "name", op: "eq" }] },
  { some: [] },
  null,
])("does not edit what it does not know: %j", (filter) => {
  expect(draftOf(filter)).toBeNull();
});

const condition = (field: string, op: Op, value: unknown): Condition => draftOf({ field, op, value }) as Condition; // it is one
const shown = (given: Condition) => filterOf(given);

test("keeps what was typed where another field or operator takes it", () => {
  expect(shown(withField(condition("name", "contains", "ana"), "email"))).toEqual({
    field: "email",
    op: "contains",
    value: "ana",
  });
  expect(shown(withOp(condition("name", "eq", "ana"), "in"))).toEqual({ field: "name", op: "in", value: ["ana"] });
  expect(shown(withOp(condition("attributes.n", "in", [1, true]), "gt"))).toMatchObject({ op: "gt", value: 1 });
  expect(shown(withOp(condition("attributes.n", "eq", 1), "contains"))).toMatchObject({ op: "contains", value: "" });
  expect(shown(withOp(condition("attributes.n", "eq", false), "exists"))).toMatchObject({ value: true });
  expect(shown(withField(condition("tags", "contains", "vip"), "created_at"))).toEqual({
    field: "created_at",
    op: "within_last",
    value: "P7D",
  });
  expect(missingOf(withField(condition("created_at", "gt", "2026-01-31T09:00:00Z"), "name"))).toBe("value");
});

test("says what is yet to be filled in", () => {
  expect(missingOf(newCondition())).toBe("value");
  expect(missingOf(condition("attributes.", "eq", "a") ?? withField(newCondition(), "attributes."))).toBe("field");
  expect(missingOf(condition("tags", "in", []))).toBe("value");
  expect(missingOf(condition("created_at", "within_last", durationOf("", "hour")))).toBe("value");
  expect(isWhole(newGroup())).toBe(false);
});

test("has what is being typed among the values of a list", () => {
  const list = condition("attributes.n", "in", ["a"]);
  const typed: Condition = { ...list, next: { type: "number", text: "7" } };
  expect(shown(typed)).toMatchObject({ value: ["a", 7] });
  expect(shown(withOp(typed, "eq"))).toMatchObject({ value: "a" });
  expect(missingOf({ ...typed, values: [] })).toBeNull();
});

test("joins in another way without losing a part, and is gone with its last part", () => {
  const two = newGroup(condition("name", "eq", "a"), condition("name", "eq", "b"));
  const not = joinedBy(two, "not");
  const parts = filterOf(two) as { all: unknown[] };
  expect(filterOf(not)).toEqual({ not: parts });
  expect(filterOf(joinedBy(not, "any"))).toEqual({ any: [parts] });
  expect(filterOf(joinedBy(newGroup(condition("name", "eq", "a")), "not"))).toEqual({ not: parts.all[0] });
  expect(nodesIn(not)).toBe(4);
  const one = withPart(two, 0, null);
  expect(one && filterOf(one)).toEqual({ all: [parts.all[1]] });
  expect(one?.kind === "all" && withPart(one, 0, null)).toBeNull();
});

test("reads a duration of one unit", () => {
  expect(amountOf("P7D")).toEqual({ amount: "7", unit: "day" });
  expect(amountOf("PT36H")).toEqual({ amount: "36", unit: "hour" });
  expect(amountOf("P1DT12H")).toBeNull();
  expect(durationOf("2", "minute")).toBe("PT2M");
  expect(durationOf("2", "week")).toBe("P2W");
});
