/** Time for everything that is not a lease: wall time in milliseconds, a monotonic reading, and timers that follow it. */
export type Clock = {
  /** Milliseconds since the epoch, corrected to the database's clock where one is known. */
  now(): number;
  /** Milliseconds that never step; only differences mean something. */
  monotonic(): number;
  /** Runs `fn` once after `ms`; the returned function cancels it. Never keeps the process alive. */
  after(ms: number, fn: () => void): () => void;
};

/** Node's timers take 32 bits of milliseconds; longer waits are cut and asked again. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export type SystemClock = Clock & {
  /** Sets the distance to the database's clock, in milliseconds. */
  correct(offsetMs: number): void;
};

/** The real clock. */
export function systemClock(): SystemClock {
  let offset = 0;
  return {
    now: () => Date.now() + offset,
    monotonic: () => performance.now(),
    after(ms, fn) {
      const timer = setTimeout(fn, Math.min(Math.max(0, ms), LONGEST_TIMER_MS));
      timer.unref();
      return () => clearTimeout(timer);
    },
    correct(offsetMs) {
      offset = offsetMs;
    },
  };
}
