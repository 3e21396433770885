import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { grantOf } from "./demand.ts";

const LIMIT = 100;

describe("what a process grants", () => {
  it.each([
    // Only this process has demand: all but what the others may use without sharing theirs.
    [{ live: 2, own: 100, theirs: [] }, 97.5],
    [{ live: 4, own: 100, theirs: [] }, 96.25],
    // Both want all of it.
    [{ live: 2, own: 100, theirs: [100] }, 50],
    [{ live: 3, own: 100, theirs: [100, 100] }, 100 / 3],
    // The other process leaves some.
    [{ live: 2, own: 100, theirs: [20] }, 80],
    [{ live: 3, own: 100, theirs: [100, 10] }, 45],
    // Little demand so far: no more than it may grow to.
    [{ live: 2, own: 30, theirs: [10] }, 60],
    [{ live: 2, own: 5, theirs: [10] }, 50],
    // One process more has shared its demand than is known to live.
    [{ live: 2, own: 100, theirs: [100, 100] }, 100 / 3],
  ])("of %j is %d", (asked, granted) => {
    expect(grantOf({ perSecond: LIMIT, ...asked })).toBeCloseTo(granted, 6);
  });

  it("is never less than an equal share, and together never more than the limit", () => {
    const demands = fc.array(fc.integer({ min: 6, max: 200 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(demands, fc.integer({ min: 0, max: 4 }), (shared, silent) => {
        const live = shared.length + silent;
        const grants = shared.map((own, n) =>
          grantOf({ perSecond: LIMIT, live, own, theirs: shared.filter((_, other) => other !== n) }),
        );
        for (const grant of grants) expect(grant).toBeGreaterThanOrEqual(LIMIT / live - 1e-9);
        const used = grants.map((grant, n) => Math.min(grant, shared[n] ?? 0));
        expect(used.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(LIMIT + 1e-9);
      }),
    );
  });
});
