import { describe, expect, it } from "vitest";
import { compare, costs, mark, median, written } from "../bench/figures.ts";

describe("the benchmark's figures", () => {
  it("divide what was spent by the items, and by the work of load generator and stub", () => {
    const before = { gateway: 1_000, database: 500, load: 200, wal: 1_000 };
    const after = { gateway: 1_300, database: 700, load: 300, wal: 51_000 };
    expect(costs(before, after, 100)).toEqual({
      "gateway µs": 3_000,
      "PostgreSQL µs": 2_000,
      "load and stub µs": 1_000,
      "gateway calibrated": 3,
      "PostgreSQL calibrated": 2,
      "both calibrated": 5,
      "WAL bytes": 500,
    });
  });

  it("leave PostgreSQL out where its processes cannot be seen", () => {
    const spent = { gateway: 0, database: null, load: 0, wal: 0 };
    expect(Object.keys(costs(spent, { ...spent, gateway: 10, load: 5 }, 1))).toEqual([
      "gateway µs",
      "load and stub µs",
      "gateway calibrated",
      "WAL bytes",
    ]);
  });

  it("compare the slices that stood beside each other, so that a slow minute counts for both", () => {
    const found = compare([100, 200, 100, 100], [90, 180, 110, 90]);
    expect(found).toMatchObject({ before: 100, now: 100, ratio: 1, pairs: 0.9, lowest: 0.9, highest: 1.1 });
  });

  it("have the mean of the two in the middle as the median of an even number", () => {
    expect([median([3, 1, 2]), median([4, 1, 3, 2])]).toEqual([2, 2.5]);
  });

  it("say whether a bound is kept", () => {
    expect(mark(999, { atLeast: 1_000 })).toBe("≥ 1,000 ✗");
    expect(mark(1.3, { atMost: 1.3 })).toBe("≤ 1.300 ✓");
    expect(mark(1, undefined)).toBe("");
    expect([12_345.6, 12.34, 1.2345, 3, Number.NaN].map(written)).toEqual(["12,346", "12.3", "1.235", "3", "–"]);
  });
});
