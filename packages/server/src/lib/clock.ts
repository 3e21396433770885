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
  /**
   * The true time lies between these two, in milliseconds since the epoch: what the database said, and the same after the
   * whole round trip. `now` moves no further than it must, so that an answer that was long under way teaches nothing wrong.
   */
  correct(earliestMs: number, latestMs: number): void;
};

/** The real clock. Between corrections it follows the monotonic reading: a machine whose wall clock steps does not step here. */
export function systemClock(): SystemClock {
  let epoch = Date.now() - performance.now();
  return {
    now: () => epoch + performance.now(),
    monotonic: () => performance.now(),
    after(ms, fn) {
      const timer = setTimeout(fn, Math.min(Math.max(0, ms), LONGEST_TIMER_MS));
      timer.unref();
      return () => clearTimeout(timer);
    },
    correct(earliestMs, latestMs) {
      const now = epoch + performance.now();
      epoch += Math.min(Math.max(now, earliestMs), latestMs) - now;
    },
  };
}
