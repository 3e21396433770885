import { expect, test } from "vitest";
import { RecentSet } from "./recent-set.ts";

function numbered(from: number, to: number): string[] {
  return Array.from({ length: to - from }, (_, index) => `n${from + index}`);
}

function filled(most: number, names: readonly string[]) {
  const set = new RecentSet(most);
  for (const name of names) set.add(name);
  return set;
}

test("has the names that were added and no others", () => {
  const set = filled(10, ["a"]);
  expect(set.has("a")).toBe(true);
  expect(set.has("b")).toBe(false);
});

test.each([1, 2, 3, 10, 11])("never holds more than %i", (most) => {
  for (let count = 1; count <= most * 4; count += 1) {
    const names = numbered(0, count);
    // A new set for each question, because asking for a name keeps it.
    const held = names.filter((name) => filled(most, names).has(name));
    expect(held.length).toBeLessThanOrEqual(most);
  }
});

test("the newest half less one is always kept, older names are dropped with their half", () => {
  for (let count = 1; count <= 60; count += 1) {
    const set = filled(20, numbered(0, count));
    const newest = numbered(Math.max(0, count - 9), count);
    expect(newest.filter((name) => !set.has(name))).toEqual([]);
    expect(numbered(0, count - 20).filter((name) => set.has(name))).toEqual([]);
  }
});

test("a name that is asked for is kept however many others are added", () => {
  const set = new RecentSet(20);
  set.add("asked");
  set.add("not asked");
  for (const name of numbered(0, 200)) {
    set.add(name);
    expect(set.has("asked")).toBe(true);
  }
  expect(set.has("not asked")).toBe(false);
});

test("adding the same name again drops no other", () => {
  const set = filled(20, numbered(0, 9));
  for (let time = 0; time < 100; time += 1) set.add("n0");
  expect(numbered(0, 9).filter((name) => !set.has(name))).toEqual([]);
});

test("a deleted name is gone from both halves and can be added again", () => {
  const set = filled(4, ["a", "b"]);
  set.add("a");
  set.delete("a");
  expect(set.has("a")).toBe(false);
  expect(set.has("b")).toBe(true);
  set.add("a");
  expect(set.has("a")).toBe(true);
  set.delete("never there");
});
