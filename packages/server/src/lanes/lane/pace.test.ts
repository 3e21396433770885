import { describe, expect, it } from "vitest";
import { Pace } from "./pace.ts";

// Starts in order of time, waiting as long as the pace says; `jitter` is how much later each is asked for.
function startsOf(pace: Pace, from: number, until: number, jitter: (n: number) => number = () => 0): number[] {
  const starts: number[] = [];
  for (let now = from; now < until; ) {
    const waitMs = pace.waitMs(now);
    if (waitMs > 0) now += waitMs + jitter(starts.length);
    else {
      pace.spend(now);
      starts.push(now);
    }
  }
  return starts;
}

// The most starts in any window of one second.
function mostInASecond(starts: readonly number[]): number {
  let most = 0;
  for (let first = 0, last = 0; last < starts.length; last++) {
    while ((starts[last] as number) - (starts[first] as number) >= 1_000) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

describe("the pace of a number", () => {
  it.each([20, 80, 250, 1_000])(
    "keeps every one-second window of %i/s within a twentieth, asked late or not",
    (rate) => {
      for (const late of [0, 3, 11, 40]) {
        const starts = startsOf(new Pace(rate, 0), 0, 10_000, (n) => (n % 7 === 0 ? late : 0));
        expect(mostInASecond(starts)).toBeLessThanOrEqual(rate * 1.05);
        // Being late by less than what may be saved up costs nothing, by more a part.
        expect(starts.length).toBeGreaterThanOrEqual(rate * 10 * (late <= 30 - 1_000 / rate ? 0.98 : 0.6));
      }
    },
  );

  it("starts with an empty bucket: old and new owner together keep the rate in every window", () => {
    for (const rate of [80, 1_000]) {
      const former = startsOf(new Pace(rate, 0), 0, 5_000);
      const next = startsOf(new Pace(rate, 5_000), 5_000, 8_000);
      expect(next.filter((at) => at < 5_000 + 1_000 / rate).length).toBe(1);
      expect(mostInASecond([...former, ...next])).toBeLessThanOrEqual(rate * 1.05);
    }
  });

  it("lets no burst through after a silence, a pause or a change of the rate", () => {
    const pace = new Pace(100, 0);
    const early = startsOf(pace, 0, 1_000);
    const afterSilence = startsOf(pace, 60_000, 61_000);
    pace.pause(61_000, 5_000);
    expect(pace.waitMs(61_000)).toBe(5_000);
    const afterPause = startsOf(pace, 66_000, 67_000);
    for (let change = 0; change < 10; change++) pace.setRate(change % 2 === 0 ? 1_000 : 100);
    const afterChange = startsOf(pace, 67_000, 68_000);
    expect(mostInASecond([...early, ...afterSilence, ...afterPause, ...afterChange])).toBeLessThanOrEqual(105);
  });
});
