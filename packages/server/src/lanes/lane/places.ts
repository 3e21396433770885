/** How many rows of one lane may be in flight. */
export class Places {
  #allowed = 1;
  #most = 1;
  #departing = 0;

  /** `start`: where it begins, for a lane that `isNew`. */
  configure({ start, most }: { start: number; most: number }, isNew: boolean): void {
    if (isNew) this.#allowed = start;
    this.#most = most;
  }

  /** True when another row may start beside so many in flight. */
  hasFree(inFlight: number): boolean {
    return inFlight < this.#allowed && this.#departing === 0;
  }

  /** One more after a good answer, half after a bad one. */
  adapt(good: boolean): void {
    this.#allowed = good ? Math.min(this.#most, this.#allowed + 1) : Math.max(1, Math.floor(this.#allowed / 2));
  }

  /**
   * A row that was begun waits for its departure. Nothing starts behind it: begun and never written, a row would end as
   * `unknown` if the process were killed, and such a backlog would last as long as the lane is busy.
   */
  beginDeparture(): void {
    this.#departing += 1;
  }

  /** Returns true when no row waits for its departure any more. */
  endDeparture(): boolean {
    this.#departing -= 1;
    return this.#departing === 0;
  }
}
