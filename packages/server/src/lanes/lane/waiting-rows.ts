import type { QueueRow } from "../kind.ts";
import { insertBySeq } from "./insert-by-seq.ts";
import type { Key } from "./key-state.ts";
import { isReturnable } from "./returned-rows.ts";

/** Puts rows among those that wait of a key and takes them out again, and counts them over all keys of a lane. */
export class WaitingRows {
  #count = 0;
  #returnable = 0;

  insert(key: Key, row: QueueRow): void {
    insertBySeq(key.waiting, row);
    this.#count += 1;
    if (isReturnable(row)) this.#returnable += 1;
  }

  /** Takes out the row at this place. */
  takeAt(key: Key, index: number): QueueRow | undefined {
    const rows = key.waiting.splice(index, 1);
    this.gone(rows);
    return rows[0];
  }

  takeAll(key: Key): QueueRow[] {
    const rows = key.waiting.splice(0);
    this.gone(rows);
    return rows;
  }

  /** These were taken out. */
  gone(rows: readonly QueueRow[]): void {
    this.#count -= rows.length;
    for (const row of rows) if (isReturnable(row)) this.#returnable -= 1;
  }

  /** How many there are. */
  get count(): number {
    return this.#count;
  }

  /** How many of them were due when they were read; none of these waits for a row of the table. */
  get due(): number {
    return this.#returnable;
  }
}
