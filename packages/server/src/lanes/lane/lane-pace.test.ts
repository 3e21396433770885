import { describe, expect, it } from "vitest";
import { manualClock } from "../../testing/clock.ts";
import { LanePace } from "./lane-pace.ts";

/** The pace of a lane that was just opened, and its starts in the next second. */
function open(rate: number) {
  const clock = manualClock();
  const pace = new LanePace(clock);
  pace.setRate(rate);
  const startsOfASecond = (): number => {
    let starts = 0;
    for (let ms = 0; ms < 1_000; ms += 1) {
      for (; pace.waitMs() === 0; starts += 1) pace.spend();
      clock.advance(1);
    }
    return starts;
  };
  return { clock, pace, startsOfASecond };
}

describe("the pace of a lane whose receiver refuses starts as too many", () => {
  it("stops for a second, halves, and is back at its rate ten seconds later", () => {
    const { pace, startsOfASecond } = open(80);
    startsOfASecond();
    for (let refused = 0; refused < 30; refused++) pace.slow(); // all of one second
    expect(pace.rate).toBe(40);
    expect(startsOfASecond()).toBeLessThanOrEqual(1);
    expect(startsOfASecond()).toBeLessThanOrEqual(46);
    const seconds = Array.from({ length: 10 }, startsOfASecond);
    expect(seconds.slice(0, 4).every((starts) => starts < 75)).toBe(true);
    expect(seconds.at(-1)).toBeGreaterThanOrEqual(79);
    expect(pace.rate).toBe(80);
  });

  it("halves again for each refused second, down to a sixteenth", () => {
    const { clock, pace } = open(80);
    const rates = Array.from({ length: 6 }, () => {
      pace.slow();
      const { rate } = pace;
      clock.advance(1_000);
      return rate;
    });
    expect(rates.slice(0, 3).map((rate) => Math.round(rate ?? 0))).toEqual([40, 22, 13]);
    expect(Math.min(...rates.map((rate) => rate ?? 0))).toBeGreaterThanOrEqual(5);
  });

  it("keeps its part when the rate of the lane changes", () => {
    const { pace } = open(80);
    pace.slow();
    pace.setRate(1_000);
    expect(pace.rate).toBe(500);
  });
});
