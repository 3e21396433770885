/** Wall time, a monotonic reading, and timers. */
export type Clock = {
  /** Milliseconds since the epoch, corrected to the database's clock where one is known. */
  now(): number;
  /** Milliseconds that never step; only differences between two readings have a meaning. */
  monotonic(): number;
  /** Runs `fn` once after `ms`; the returned function cancels it. Never keeps the process alive. */
  after(ms: number, fn: () => void): () => void;
};

/** Resolves after `ms`, or when `signal` aborts; at once when it has. Never keeps the process alive. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      cancel();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal?.addEventListener("abort", end);
  });
}

/**
 * How long it is from the reading `monotonic` to the next moment of a period that is at least `leastMs` away. These moments are the same
 * for all that have the period, or a multiple of it: a process wakes once for all of them, and may ask what they ask in one statement.
 */
export function untilBeat(monotonic: number, everyMs: number, leastMs = EARLY_MS): number {
  const left = everyMs - (monotonic % everyMs);
  return left < leastMs ? left + everyMs : left;
}

/** A timer may end this much before its moment, which is over then. */
const EARLY_MS = 10;

/** Node's timers take 32 bits of milliseconds; longer waits end early. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export type SystemClock = Clock & {
  /**
   * The true time lies between these two, in milliseconds since the epoch: the database's reading, and the same plus the
   * whole round trip. `now` moves no further than it must, so that an answer that took long to arrive adds no error.
   */
  correct(earliestMs: number, latestMs: number): void;
};

/** The real clock. Between corrections it follows the monotonic reading, so it does not step when the machine's clock does. */
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
