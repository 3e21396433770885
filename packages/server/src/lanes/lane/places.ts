import type { Clock } from "../../lib/clock.ts";
import type { LaneSettings } from "../kind.ts";
import { Breaker } from "./breaker.ts";

/** How many rows of one lane may be in flight. */
export class Places {
  readonly breaker: Breaker | null;
  #allowed = 1;
  #most = 1;
  #departing = 0;
  /** All were taken when another row was last to start. */
  #full = false;

  /** `clock`: of its breaker; null: the lane has none. */
  constructor(clock: Clock | null) {
    this.breaker = clock === null ? null : new Breaker(clock);
  }

  /** `before`: null for a lane whose settings were not known. One that was closed, has another receiver, or is to try it now is not stopped by its breaker. */
  configure({ concurrency, receiver, advancedAt }: LaneSettings, before: LaneSettings | null): void {
    if (before === null) this.#allowed = concurrency.start;
    else if (before.closed || before.receiver !== receiver || before.advancedAt !== advancedAt) this.breaker?.reset();
    this.#most = concurrency.most;
  }

  /** True when another row may start beside so many in flight. */
  hasFree(inFlight: number): boolean {
    this.#full = inFlight >= this.#allowed;
    return !this.#full && this.#departing === 0;
  }

  /**
   * A row that started has landed: one more after an answer that coped, where all were in use, half after trouble, the same where the
   * row says nothing of its receiver. Places that were never needed would all be taken when the receiver begins to hang (as of a
   * sender's window, RFC 7661). What the breaker has stopped begins again with one, then two, four …
   */
  landed(coped: boolean | undefined): void {
    if (coped === false) this.#allowed = Math.max(1, Math.floor(this.#allowed / 2));
    else if (coped && this.#full) this.#allowed = Math.min(this.#most, this.#allowed + 1);
    if (this.breaker?.landed(coped)) this.#allowed = 1;
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
