import { expect, it } from "vitest";
import * as locks from "./locks.ts";

it("every advisory lock has a number of its own, above those of hashes", () => {
  const numbers: number[] = Object.values(locks);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(Math.min(...numbers)).toBeGreaterThan(2 ** 31);
});
