/** Part of a second's rate that may be saved up while the event loop or a commit is late. */
const SLACK = 0.03;

/**
 * A rate limiter (generic cell rate algorithm): at most `ratePerSecond` in the long run and `ratePerSecond × SLACK` at once.
 * Small slack keeps every one-second window within a few percent of the rate, which is what the provider measures. All times
 * are readings of the monotonic clock in milliseconds.
 */
export class Pace {
  #interval: number;
  #slack: number;
  /** When the next start would fall if all were evenly spread. */
  #next: number;

  /** Starts with nothing saved up: a former owner may have spent this second already. */
  constructor(ratePerSecond: number, now: number) {
    this.#interval = 1_000 / ratePerSecond;
    this.#slack = slackOf(this.#interval);
    this.#next = now + this.#slack;
  }

  /** Milliseconds until the next start may happen; 0: now. */
  waitMs(now: number): number {
    return Math.max(0, this.#next - this.#slack - now);
  }

  /** Counts one start. */
  spend(now: number): void {
    this.#next = Math.max(now, this.#next) + this.#interval;
  }

  /** Allows no start for `ms`. */
  pause(now: number, ms: number): void {
    this.#next = Math.max(this.#next, now + ms + this.#slack);
  }

  setRate(ratePerSecond: number): void {
    const before = this.#slack;
    this.#interval = 1_000 / ratePerSecond;
    this.#slack = slackOf(this.#interval);
    // More slack must be saved up first; otherwise each change of the rate would let a burst through.
    this.#next += Math.max(0, this.#slack - before);
  }
}

const slackOf = (interval: number): number => Math.max(0, SLACK * 1_000 - interval);
