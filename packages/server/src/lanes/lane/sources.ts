import type { QueueRow } from "../kind.ts";
import { FreshRows } from "./fresh-rows.ts";

/** Due rows that one lane keeps; more stay in the table until some have gone. */
export const DUE_BUFFER = 1_000;

/** The rows of a lane that are offered to their key or start next, and which of them are looked at first. */
export class Sources {
  readonly fresh = new FreshRows();
  /** In order of `seq`. */
  readonly due: QueueRow[] = [];
  /** Rows that the key order let go: they start before all others. */
  readonly freed: QueueRow[] = [];
  /** Where the last row was taken from. */
  #turn: "fresh" | "due" = "due";

  /** How many rows there are. */
  get size(): number {
    return this.fresh.rows.length + this.due.length + this.freed.length;
  }

  /** Freed rows first; then, unless it is their turn alone, due and fresh rows in turn, so that neither starves the other. */
  pick(freedAlone: boolean): QueueRow[] | null {
    if (this.freed.length > 0) return this.freed;
    if (freedAlone) return null;
    this.#turn = this.#turn === "fresh" ? "due" : "fresh";
    const [one, other] = this.#turn === "fresh" ? [this.fresh.rows, this.due] : [this.due, this.fresh.rows];
    return one.length > 0 ? one : other.length > 0 ? other : null;
  }
}
