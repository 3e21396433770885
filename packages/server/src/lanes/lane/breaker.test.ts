import { describe, expect, it } from "vitest";
import { manualClock } from "../../testing/clock.ts";
import { laneSettings, queueRow } from "../testing/rows.ts";
import { Breaker } from "./breaker.ts";
import { Lane } from "./lane.ts";

const clock = manualClock();
const [SECOND, MINUTE] = [1_000, 60_000];
const land = (breaker: Breaker, ...coped: (boolean | undefined)[]): void => {
  for (const one of coped) breaker.landed(one);
};
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
const probe = (breaker: Breaker, coped: boolean | undefined): void => {
  breaker.started();
  breaker.landed(coped);
};

describe("a breaker", () => {
  it("opens after ten troubles in a row, which what says nothing of the receiver does not end", () => {
    const breaker = new Breaker(clock);
    land(breaker, ...times(100, true), ...times(9, false), undefined);
    expect([breaker.isOpen, breaker.waitMs()]).toEqual([false, 0]);
    land(breaker, false);
    expect([breaker.isOpen, breaker.waitMs()]).toEqual([true, 30 * SECOND]);
  });

  it("does not open when they took longer than five minutes, or after fewer than ten answers", () => {
    const breaker = new Breaker(clock);
    for (let n = 0; n < 30; n++) {
      land(breaker, false);
      clock.advance(34 * SECOND);
    }
    expect(breaker.isOpen).toBe(false);
  });

  it("opens when seven of ten answers within five minutes are trouble, and not at fewer", () => {
    const [breaker, healthier] = [new Breaker(clock), new Breaker(clock)];
    land(healthier, ...times(20, [true, false, false]).flat());
    expect(healthier.isOpen).toBe(false);
    land(breaker, true, ...times(4, false), true, ...times(2, false), true, false);
    expect(breaker.isOpen).toBe(true);
    const forgetful = new Breaker(clock);
    land(forgetful, ...times(100, true));
    clock.advance(5 * MINUTE);
    land(forgetful, true, ...times(4, false), true, ...times(2, false), true, false);
    expect(forgetful.isOpen).toBe(true);
  });

  it("probes with one row, rests twice as long after each trouble up to 15 minutes, and closes when one has coped", () => {
    const breaker = new Breaker(clock);
    land(breaker, ...times(10, false));
    const rests = [];
    for (let n = 0; n < 8; n++) {
      rests.push(breaker.waitMs() / SECOND);
      clock.advance(breaker.waitMs());
      probe(breaker, false);
    }
    expect(rests).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
    clock.advance(15 * MINUTE);
    probe(breaker, undefined);
    expect([breaker.isOpen, breaker.waitMs()]).toEqual([true, 0]);
    probe(breaker, true);
    expect(breaker.isOpen).toBe(false);
    land(breaker, ...times(9, false));
    expect(breaker.isOpen).toBe(false);
    land(breaker, false);
    expect(breaker.waitMs()).toBe(30 * SECOND);
  });

  it("does not take for its probe what had begun before it opened", () => {
    const breaker = new Breaker(clock);
    land(breaker, ...times(10, false), ...times(5, false), true);
    expect([breaker.isOpen, breaker.waitMs()]).toEqual([true, 30 * SECOND]);
    clock.advance(30 * SECOND);
    land(breaker, false, true);
    expect([breaker.isOpen, breaker.waitMs()]).toEqual([true, 0]);
  });
});

describe("a lane with a breaker", () => {
  const ROOM = 10_000;
  const settings = (more = {}) =>
    laneSettings({ ordered: false, concurrency: { start: 8, most: 128 }, receiver: 1, ...more });
  const openLane = (): Lane => {
    const lane = new Lane({ number: 1, slot: 1, clock, defers: true, hasBreaker: true });
    lane.configure(settings());
    for (let seq = 1; seq <= 100; seq++) lane.add(queueRow(seq), clock.now(), ROOM);
    return lane;
  };
  const takeAll = (lane: Lane): number[] => {
    const taken: number[] = [];
    for (let next = lane.take(clock.now()); next && "row" in next; next = lane.take(clock.now()))
      taken.push(next.row.seq);
    return taken;
  };
  const landAll = (lane: Lane, seqs: readonly number[], coped: boolean): void => {
    for (const seq of seqs) {
      lane.places.landed(coped);
      lane.finish(queueRow(seq), clock.now());
    }
  };
  const opened = (): Lane => {
    const lane = openLane();
    for (let left = 10; left > 0; ) {
      const taken = takeAll(lane);
      left -= taken.length;
      landAll(lane, taken, false);
    }
    return lane;
  };

  it("starts nothing while it is open, then one, and after that one two, four, eight", () => {
    const lane = opened();
    expect(lane.take(clock.now())).toEqual({ waitMs: 30 * SECOND });
    clock.advance(30 * SECOND);
    const counts = [];
    for (let n = 0; n < 4; n++) {
      const taken = takeAll(lane);
      counts.push(taken.length);
      landAll(lane, taken, true);
    }
    expect(counts).toEqual([1, 2, 4, 8]);
  });

  it("begins again at once with another receiver, or when it was closed in between", () => {
    const lane = opened();
    lane.configure(settings());
    expect(lane.take(clock.now())).toHaveProperty("waitMs");
    lane.configure(settings({ receiver: 2 }));
    expect(takeAll(lane)).toHaveLength(1);
    const other = opened();
    other.configure(settings({ closed: true }));
    other.configure(settings());
    other.add(queueRow(1_000), clock.now(), ROOM, true);
    expect(other.places.breaker?.isOpen).toBe(false);
  });
});
