import type { QueueRow } from "../kind.ts";
import { LANE_BUFFER } from "../queue.ts";
import { insertBySeq } from "./insert-by-seq.ts";

/**
 * The fresh rows of one lane, in order, and whether these are all that the table has:
 *
 *     complete ──add, pass──▶ passed by ──beginRefill──▶ refilling ──endRefill──▶ complete, or passed by again
 *
 * - complete: every row that was read was kept.
 * - passed by: some were not kept; none that comes after them is kept either, so that no row overtakes them.
 * - refilling: a read of just this lane is under way; rows of other reads are not kept meanwhile.
 */
export class FreshRows {
  /** In order of `seq`; the lane takes them from the front. */
  readonly rows: QueueRow[] = [];
  #passedBy = false;
  #passedDuringRefill = false;
  #refilling = false;
  /** The last row that was kept. */
  #cursor = -1;

  /** Keeps a row or passes it by; `room`: how many rows the lane may hold; `ofRefill`: the lane's own refill read it. */
  add(row: QueueRow, room: number, ofRefill: boolean): "kept" | "passed" {
    // Older than the newest one kept: it committed late, and its place is before the others.
    const late = row.seq <= this.#cursor;
    // A refill's rows are older than those read meanwhile by other readers, which must not start before them.
    const inTurn = ofRefill || this.complete;
    if (!late && (!inTurn || this.rows.length >= Math.min(room, LANE_BUFFER))) return this.pass();
    this.advance(row);
    insertBySeq(this.rows, row);
    return "kept";
  }

  /** A row was read and not kept: the lane must be read again. */
  pass(): "passed" {
    if (this.#refilling) this.#passedDuringRefill = true;
    else this.#passedBy = true;
    return "passed";
  }

  /** The row was read and is kept elsewhere. */
  advance(row: QueueRow): void {
    this.#cursor = Math.max(this.#cursor, row.seq);
  }

  /** See `Lane.beginRefill`. */
  beginRefill(room: number): { lo: number; most: number } | null {
    const most = Math.min(room, LANE_BUFFER);
    if (!this.#passedBy || this.#refilling || this.rows.length > most / 4) return null;
    this.#refilling = true;
    this.#passedDuringRefill = false;
    this.#passedBy = false;
    return { lo: this.#cursor, most: most - this.rows.length };
  }

  /** Ends a refill; `foundEnd`: it read the last row that the table had. */
  endRefill(foundEnd: boolean): void {
    this.#refilling = false;
    // Rows that were passed by meanwhile are not here: the lane is not complete yet.
    this.#passedBy = this.#passedBy || !foundEnd || this.#passedDuringRefill;
  }

  /** Forgets and returns all rows; they are read again from the first. */
  clear(): QueueRow[] {
    this.#passedBy = true;
    this.#cursor = -1;
    return this.rows.splice(0);
  }

  get complete(): boolean {
    return !this.#passedBy && !this.#refilling;
  }

  /** Every fresh row of the lane up to this `seq` was read; Infinity: all. */
  get readTo(): number {
    return this.complete ? Number.POSITIVE_INFINITY : this.#cursor;
  }
}
