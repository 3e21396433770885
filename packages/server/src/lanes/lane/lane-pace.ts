import type { Clock } from "../../lib/clock.ts";
import { Pace } from "./pace.ts";

/** A receiver measures its limit over about a second: refused starts of one second slow the lane once, and it pauses as long. */
const MEASURED_OVER_MS = 1_000;
/** The slowest that a lane becomes, as a part of its rate. */
const LEAST_SHARE = 1 / 16;
/** What it gets back in each second without a refusal, as a part of its rate: from a half to the whole in ten seconds. */
const SHARE_BACK = 0.05;

/**
 * The pace of a lane: its rate, less where its receiver says that it is too fast. Each refused second halves it, and each second
 * after that gives a part back (additive increase, multiplicative decrease).
 */
export class LanePace {
  readonly #clock: Clock;
  readonly #openedAt: number;
  #rate: number | null = null;
  #pace: Pace | null = null;
  #slowed: { share: number; at: number; applied: number } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#openedAt = clock.monotonic();
  }

  /** Starts a second; null: as many as come. */
  setRate(ratePerSecond: number | null): void {
    this.#rate = ratePerSecond;
    if (ratePerSecond === null) this.#pace = null;
    else this.#apply();
  }

  /** Starts a second now. */
  get rate(): number | null {
    if (this.#rate === null) return null;
    return this.#rate * this.#share();
  }

  #apply(): void {
    const { rate } = this;
    if (rate === null) return;
    if (this.#pace) this.#pace.setRate(rate);
    else this.#pace = new Pace(rate, this.#openedAt);
  }

  #share(): number {
    if (this.#slowed === null) return 1;
    const { share, at } = this.#slowed;
    return Math.min(1, share + SHARE_BACK * Math.floor((this.#clock.monotonic() - at) / MEASURED_OVER_MS));
  }

  /** Milliseconds until the next start may happen; 0: now. */
  waitMs(): number {
    if (this.#slowed !== null) this.#recover(this.#slowed);
    return this.#pace?.waitMs(this.#clock.monotonic()) ?? 0;
  }

  #recover(slowed: { applied: number }): void {
    const share = this.#share();
    if (share === slowed.applied) return;
    slowed.applied = share;
    this.#apply();
    if (share === 1) this.#slowed = null;
  }

  /** Counts one start. */
  spend(): void {
    this.#pace?.spend(this.#clock.monotonic());
  }

  /** Starts nothing for `ms`, where the lane has a rate. */
  pause(ms: number): void {
    this.#pace?.pause(this.#clock.monotonic(), ms);
  }

  /** The receiver refused a start because the whole lane is too fast. Many starts of one second may be. */
  slow(): void {
    const now = this.#clock.monotonic();
    if (this.#slowed !== null && now - this.#slowed.at < MEASURED_OVER_MS) return;
    const share = Math.max(LEAST_SHARE, this.#share() / 2);
    this.#slowed = { share, at: now, applied: share };
    this.#apply();
    this.pause(MEASURED_OVER_MS);
  }
}
