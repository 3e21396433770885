import type { QueueRow } from "../kind.ts";
import { LANE_BUFFER } from "../queue.ts";
import { insertBySeq } from "./insert-by-seq.ts";

/** What a refill came to. `foundEnd`: it read the last row that the table had. `readTo`: the `seq` of the last row it read. */
export type RefillResult = { foundEnd: boolean; readTo: number };

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
  /** A row that the refill under way read was not kept, or the rows before it were forgotten: none behind it is kept. */
  #refillBroken = false;
  /** Every fresh row up to this `seq` was read, and is here or kept elsewhere. */
  #cursor = -1;

  /** Keeps a row or passes it by; `room`: how many rows the lane may hold; `ofRefill`: the lane's own refill read it. */
  add(row: QueueRow, room: number, ofRefill: boolean): "kept" | "passed" {
    // Older than the newest one kept: it committed late, and its place is before the others.
    const late = row.seq <= this.#cursor;
    // A refill's rows are older than those read meanwhile by other readers, which must not start before them.
    const inTurn = this.complete || (ofRefill && !this.#refillBroken);
    if (!late && (!inTurn || this.rows.length >= Math.min(room, LANE_BUFFER))) {
      if (ofRefill) this.#refillBroken = true;
      return this.pass();
    }
    this.#advance(row.seq);
    insertBySeq(this.rows, row);
    return "kept";
  }

  /** A row was read and not kept: the lane must be read again. */
  pass(): "passed" {
    if (this.#refilling) this.#passedDuringRefill = true;
    else this.#passedBy = true;
    return "passed";
  }

  /** The row was read and is kept elsewhere. Behind rows that were passed by, it does not show how far was read. */
  keptElsewhere(row: QueueRow): void {
    if (this.complete) this.#advance(row.seq);
  }

  #advance(seq: number): void {
    this.#cursor = Math.max(this.#cursor, seq);
  }

  /** See `Lane.beginRefill`. */
  beginRefill(room: number): { lo: number; most: number } | null {
    const most = Math.min(room, LANE_BUFFER);
    if (!this.#passedBy || this.#refilling || this.rows.length > most / 4) return null;
    this.#refilling = true;
    this.#refillBroken = false;
    this.#passedDuringRefill = false;
    this.#passedBy = false;
    return { lo: this.#cursor, most: most - this.rows.length };
  }

  /** See `Lane.endRefill`. */
  endRefill(result: RefillResult | null): void {
    this.#refilling = false;
    // Those that were here already, such as rows that a former owner started, were not added once more.
    if (result && !this.#refillBroken) this.#advance(result.readTo);
    // Rows that were passed by meanwhile are not here: the lane is not complete yet.
    this.#passedBy = this.#passedBy || !result?.foundEnd || this.#refillBroken || this.#passedDuringRefill;
  }

  /** Forgets and returns all rows; they are read again from the first. */
  clear(): QueueRow[] {
    this.#passedBy = true;
    this.#refillBroken = true;
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
