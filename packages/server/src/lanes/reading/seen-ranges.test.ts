import { expect, it } from "vitest";
import { SeenRanges } from "./seen-ranges.ts";

function seen(numbers: readonly number[]) {
  const some = new SeenRanges();
  for (const number of numbers) some.add(number);
  return some;
}

it("is empty at first, as PostgreSQL writes it", () => {
  expect(new SeenRanges().above(-1)).toBe("{}");
});

it.each([
  [[5, 6, 7], "{[5,7]}"],
  [[7, 6, 5], "{[5,7]}"],
  [[5, 7], "{[5,5],[7,7]}"],
  [[5, 7, 6], "{[5,7]}"],
  [[5, 7, 7, 5, 6, 6], "{[5,7]}"],
  [[9, 1, 5, 2, 8, 4], "{[1,2],[4,5],[8,9]}"],
])("%j is %s", (numbers, text) => {
  expect(seen(numbers).above(-1)).toBe(text);
});

it("holds what was added, whatever the order", () => {
  const numbers = Array.from({ length: 200 }, (_, index) => (index * 73) % 301);
  const text = seen(numbers).above(-1);
  const held = [...text.matchAll(/\[(\d+),(\d+)\]/g)].flatMap(([, from, to]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index),
  );
  expect(held).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
});

it("gives what is above a number, a range in part whole", () => {
  const some = seen([1, 2, 5, 6, 9]);
  expect(some.above(2)).toBe("{[5,6],[9,9]}");
  expect(some.above(5)).toBe("{[5,6],[9,9]}");
  expect(some.above(9)).toBe("{}");
});

it("passes on the highest ranges when there are many", () => {
  const text = seen(Array.from({ length: 2_000 }, (_, index) => index * 2)).above(-1);
  expect(text.split("],[")).toHaveLength(500);
  expect(text).toContain("[3998,3998]}");
});

it.each([
  [5, 7, true],
  [6, 6, true],
  [6, 5, true],
  [8, 7, true],
  [4, 6, false],
  [7, 8, false],
  [5, 9, false],
  [1, 1, false],
])("of 5 to 7 and 9, covers %i to %i: %j", (from, to, covers) => {
  expect(seen([5, 6, 7, 9]).covers(from, to)).toBe(covers);
});

it("keeps a bounded number of ranges, the highest", () => {
  const some = seen(Array.from({ length: 10_000 }, (_, index) => index * 2));
  expect(some.covers(19_998, 19_998)).toBe(true);
  expect(some.covers(0, 0)).toBe(false);
});
