import { expect, test } from "vitest";
import { paceOf, type Sample, sampled } from "./reading-pace.ts";

const at = (seconds: number, rows: number): Sample => ({ at: seconds * 1_000, rows, bytes: rows * 50 });

test("a pace is that of the last half minute, and says how long the rest takes", () => {
  const samples = [at(0, 0), at(1, 5_000), at(31, 8_000), at(41, 9_000)].reduce<readonly Sample[]>(sampled, []);
  expect(samples.map((sample) => sample.at)).toEqual([31_000, 41_000]);
  expect(paceOf(samples, 600_000)).toEqual({ rows: 100, restMs: 30_000 });
});

test("nothing is said of an import that has just begun, stands still, or was read twice at one time", () => {
  expect(paceOf([], 100)).toBeNull();
  expect(paceOf([at(0, 0), at(1, 10)], 1_000)).toBeNull();
  expect(paceOf([at(0, 10), at(9, 10)], 1_000)).toBeNull();
  expect(sampled([at(3, 10)], at(3, 12))).toEqual([at(3, 10)]);
});
