import type { Clock } from "../lib/clock.ts";

/** A clock that a test moves ahead: wall clock, monotonic reading and timers together. */
export type HandClock = Clock & { advance(ms: number): void };

/** Flows as the machine's clock does, and jumps when the test says so: for the whole server, whose lanes need time to pass. */
export function jumpClock(): HandClock {
  type Timer = { at: number; fn: () => void; armed: NodeJS.Timeout | null };
  let ahead = 0;
  const timers = new Set<Timer>();
  const monotonic = (): number => performance.now() + ahead;
  const arm = (timer: Timer): void => {
    if (timer.armed !== null) clearTimeout(timer.armed);
    const ms = Math.min(LONGEST_TIMER_MS, Math.max(0, timer.at - monotonic()));
    timer.armed = setTimeout(() => {
      timers.delete(timer);
      timer.fn();
    }, ms);
    timer.armed.unref();
  };
  return {
    now: () => Date.now() + ahead,
    monotonic,
    after(ms, fn) {
      const timer: Timer = { at: monotonic() + ms, fn, armed: null };
      timers.add(timer);
      arm(timer);
      return () => {
        timers.delete(timer);
        if (timer.armed !== null) clearTimeout(timer.armed);
      };
    },
    advance(ms) {
      ahead += ms;
      for (const timer of timers) arm(timer);
    },
  };
}

/** Node's timers take 32 bits of milliseconds. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Stands still until the test moves it, set to the present: for what must be exact to the millisecond. */
export function handClock(): HandClock {
  let now = Date.now();
  let timers: { at: number; fn: () => void }[] = [];
  return {
    now: () => now,
    monotonic: () => now,
    after(ms, fn) {
      const timer = { at: now + ms, fn };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms) {
      now += ms;
      const due = timers.filter((timer) => timer.at <= now);
      timers = timers.filter((timer) => timer.at > now);
      for (const timer of due) timer.fn();
    },
  };
}
