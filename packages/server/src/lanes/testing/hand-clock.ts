import type { Clock } from "../../lib/clock.ts";

export type HandClock = Clock & {
  /** Moves time on, timer by timer; each timer's microtasks run before the next one rings. */
  advance(ms: number): Promise<void>;
  /** Time passes and nothing runs, as in a process that is starved: timers that fall due ring with the next advance. */
  stall(ms: number): void;
};

/** Time that a test moves: wall clock, monotonic reading and timers together. */
export function handClock(start = 1_000_000): HandClock {
  let now = start;
  const timers = new Set<{ at: number; fn: () => void }>();
  const soonest = (until: number) =>
    [...timers]
      .filter(({ at }) => at <= until)
      .reduce<{ at: number; fn: () => void } | null>(
        (first, timer) => (first === null || timer.at < first.at ? timer : first),
        null,
      );
  return {
    now: () => now,
    monotonic: () => now,
    after(ms, fn) {
      const timer = { at: now + Math.max(0, ms), fn };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    stall(ms) {
      now += ms;
    },
    async advance(ms) {
      const until = now + ms;
      for (let timer = soonest(until); timer; timer = soonest(until)) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.fn();
        await turn();
      }
      now = until;
      await turn();
    },
  };
}

/** Lets everything that is ready run. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
