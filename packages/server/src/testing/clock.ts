import { setImmediate as turn } from "node:timers/promises";
import { type Clock, systemClock } from "../lib/clock.ts";
import { movableClock } from "../lib/movable-clock.ts";

/** A clock that a test moves ahead: wall clock, monotonic reading and timers together. */
export type ManualClock = Clock & {
  /** Jumps; every timer that is due by then fires, at the new time. */
  advance(ms: number): void;
};

/** A clock that moves only when the test moves it. */
export type StillClock = ManualClock & {
  /** Moves on from timer to timer, each at its own time; what one starts runs before the next one fires. */
  pass(ms: number): Promise<void>;
  /** Time passes and nothing runs, as in a process without CPU time: timers that are due fire with the next move. */
  stall(ms: number): void;
};

/** Follows the machine's clock, and jumps when the test moves it: for the whole server, whose lanes need time to pass. */
export function jumpClock(): ManualClock {
  // Without `correct`: the clock of a test is not corrected.
  const { correct: _never, ...system } = systemClock();
  return movableClock({ ...system, now: () => Date.now() });
}

/** Starts at the present and stands still until the test moves it: for times that must be exact to the millisecond. */
export function manualClock(): StillClock {
  let now = Date.now();
  const timers = new Set<{ at: number; fn: () => void }>();
  const dueBy = (time: number) => [...timers].filter(({ at }) => at <= time).toSorted((a, b) => a.at - b.at);
  return {
    now: () => now,
    monotonic: () => now,
    after(ms, fn) {
      const timer = { at: now + Math.max(0, ms), fn };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      now += ms;
      // A timer may have been cancelled by one before it; timers set by a timer wait for the next move.
      for (const timer of dueBy(now)) if (timers.delete(timer)) timer.fn();
    },
    async pass(ms) {
      const until = now + ms;
      for (let [timer] = dueBy(until); timer; [timer] = dueBy(until)) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.fn();
        await turn();
      }
      now = Math.max(now, until);
      await turn();
    },
    stall(ms) {
      now += ms;
    },
  };
}
