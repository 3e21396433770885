/** The clock of windows and timestamps; delays always pass in real time. */
export type Clock = { nowMs(): number };

/** A clock that can be set: from then on it runs from there. */
export class SettableClock implements Clock {
  readonly #base: Clock;
  #ahead = 0;

  constructor(base: Clock) {
    this.#base = base;
  }

  nowMs(): number {
    return this.#base.nowMs() + this.#ahead;
  }

  /** Null: as it would be if it had never been set. */
  set(nowMs: number | null): void {
    this.#ahead = nowMs === null ? 0 : nowMs - this.#base.nowMs();
  }
}
