import type { QueueRow } from "../kind.ts";

/** A row that must be written back to the table with this `due`. */
export type DeferredRow = { row: QueueRow; due: number };

/** The rows of a lane that are on their way back to the table: each is here until it is written. */
export class DeferredRows {
  readonly #rows: DeferredRow[] = [];
  readonly #underWay = new Set<DeferredRow>();

  add(...rows: readonly DeferredRow[]): void {
    this.#rows.push(...rows);
  }

  /** Returns those that are to be written. The caller writes them, or gives them back by `keep`. */
  take(): DeferredRow[] {
    const rows = this.#rows.splice(0);
    for (const one of rows) this.#underWay.add(one);
    return rows;
  }

  /** These could not be written. */
  keep(rows: readonly DeferredRow[]): void {
    for (const one of rows) this.#underWay.delete(one);
    this.#rows.unshift(...rows);
  }

  /** These are in the table. */
  written(rows: readonly DeferredRow[]): void {
    for (const one of rows) this.#underWay.delete(one);
  }

  /** Rows that are to be written. */
  get waiting(): number {
    return this.#rows.length;
  }

  /** How many rows are not in the table yet. */
  get size(): number {
    return this.#rows.length + this.#underWay.size;
  }

  /** Every row that is not in the table yet. */
  rows(): QueueRow[] {
    return [...this.#rows, ...this.#underWay].map(({ row }) => row);
  }
}
