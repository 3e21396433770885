import { LRUCache } from "lru-cache";
import { expect, it } from "vitest";
import { atMost } from "./at-most.ts";

it("keeps as many entries as it says, those that were used last", () => {
  const cache = new LRUCache<number, string>(atMost(3));
  for (const key of [1, 2, 3]) cache.set(key, "kept");
  cache.get(1);
  cache.set(4, "kept");
  expect([...cache.keys()].toSorted()).toEqual([1, 3, 4]);
});
