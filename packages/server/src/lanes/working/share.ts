import type { Lane } from "../lane/lane.ts";

/** Lanes that were passed over are looked at again when the least of them might take so many times the places that it holds. */
const WAKE_AT = 2;

/**
 * A lane may hold up to this many times the places that are left to its share: n whose receivers hang come to 4/(4n+1) of it each, and
 * one that answers finds places. It is the rule by which the `Scheduler` divides all places among the shares.
 */
const LANE_OF_LEFT = 4;

/** The lanes of one share that may have something to start, the next one first. */
export class Share {
  readonly #ready = new Set<Lane>();
  /** Lanes that hold as many as were left, until more are, or one of their own lands. */
  readonly #sated = new Set<Lane>();
  /** How many the least of them holds. */
  #fewest = Number.POSITIVE_INFINITY;

  add(lane: Lane): void {
    this.#sated.delete(lane);
    this.#ready.add(lane);
  }

  /** True when none of its lanes has anything to start, now or with more places. */
  get isEmpty(): boolean {
    return this.#ready.size === 0 && this.#sated.size === 0;
  }

  /** The next lane that may start a row, where so many places are left to the share; null: none. */
  next(left: number): Lane | null {
    if (left <= 0) return null;
    if (this.#sated.size > 0 && LANE_OF_LEFT * left >= WAKE_AT * this.#fewest) this.#wake();
    for (const lane of this.#ready) {
      if (lane.inFlight.size < LANE_OF_LEFT * left) return lane;
      this.#ready.delete(lane);
      this.#sated.add(lane);
      this.#fewest = Math.min(this.#fewest, lane.inFlight.size);
    }
    return null;
  }

  /** The lane has had its turn: it goes behind the others if it may have more to start. */
  turned(lane: Lane, hasMore: boolean): void {
    // One that is alone stays: a set that is emptied for each row is built again for each.
    if (hasMore && this.#ready.size === 1) return;
    this.#ready.delete(lane);
    if (hasMore) this.#ready.add(lane);
  }

  #wake(): void {
    for (const lane of this.#sated) this.#ready.add(lane);
    this.#sated.clear();
    this.#fewest = Number.POSITIVE_INFINITY;
  }
}
