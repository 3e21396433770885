import { type Clock, LONGEST_TIMER_MS } from "./clock.ts";

/** A clock that can be moved ahead: wall clock, monotonic reading and timers together. */
export type Movable = Clock & {
  /** How far it is ahead of the clock below it, in milliseconds. */
  readonly aheadMs: number;
  /** Jumps by at least 0 ms; every timer that is due by then fires, at the new time. Between jumps it runs as the clock below does. */
  advance(ms: number): void;
};

type Timer = { at: number; fn: () => void; cancel: () => void };

/** Puts jumps on top of a clock. What the other clock has beside (as `correct`) goes on to work on the time without them. */
export function movableClock<C extends Clock>(below: C): C & Movable {
  let ahead = 0;
  const timers = new Set<Timer>();
  const monotonic = (): number => below.monotonic() + ahead;
  const arm = (timer: Timer): void => {
    timer.cancel();
    timer.cancel = below.after(Math.min(LONGEST_TIMER_MS, Math.max(0, timer.at - monotonic())), () => {
      timers.delete(timer);
      timer.fn();
    });
  };
  return {
    ...below,
    now: () => below.now() + ahead,
    monotonic,
    after(ms: number, fn: () => void) {
      const timer: Timer = { at: monotonic() + ms, fn, cancel: () => {} };
      timers.add(timer);
      arm(timer);
      return () => {
        timers.delete(timer);
        timer.cancel();
      };
    },
    get aheadMs() {
      return ahead;
    },
    advance(ms: number) {
      ahead += ms;
      for (const timer of timers) arm(timer);
    },
  };
}
