import type { Clock } from "../../lib/clock.ts";
import { Pace } from "./pace.ts";

/**
 * Lets callers through at a rate, first come first served.
 *
 * The pace is asked at the moment of departure. Moments booked ahead, each with its own timer, would all be overdue after the
 * process was starved, and leave together: 106 in a second were measured at a limit of 80.
 */
export class PacedQueue {
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  #rate: number | null = null;
  #pace: Pace | null = null;
  #timerSet = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Starts a second; null lets every caller through at once, as does a new queue. */
  setRate(ratePerSecond: number | null): void {
    if (ratePerSecond === this.#rate) return;
    this.#rate = ratePerSecond;
    if (ratePerSecond === null) this.#pace = null;
    else if (this.#pace) this.#pace.setRate(ratePerSecond);
    else this.#pace = new Pace(ratePerSecond, this.#clock.monotonic());
  }

  /** Resolves when it is the caller's turn. */
  pass(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#letThrough();
    });
  }

  #letThrough(): void {
    while (this.#waiting.length > 0 && !this.#timerSet) {
      const waitMs = this.#pace?.waitMs(this.#clock.monotonic()) ?? 0;
      if (waitMs > 0) return this.#waitFor(waitMs);
      this.#pace?.spend(this.#clock.monotonic());
      this.#waiting.shift()?.();
    }
  }

  #waitFor(ms: number): void {
    this.#timerSet = true;
    this.#clock.after(ms, () => {
      this.#timerSet = false;
      this.#letThrough();
    });
  }
}
