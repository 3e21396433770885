import type { QueueRow } from "../kind.ts";

/** The rows of a lane that are being worked. */
export class InFlight {
  readonly #rows = new Map<number, QueueRow>();
  /** Rows that hold no place any more, while their outcome waits to be stored. */
  readonly #answered = new Map<number, QueueRow>();
  /** Of rows whose keys were joined since they started: how many keys were one with theirs then; 0 where no order was kept. */
  readonly #joinedWith = new Map<number, number>();

  add(row: QueueRow): void {
    this.#rows.set(row.seq, row);
  }

  /** The row gives up its place, and is settled later. */
  answer(row: QueueRow): void {
    if (this.#rows.delete(row.seq)) this.#answered.set(row.seq, row);
  }

  delete(row: QueueRow): void {
    if (!this.#rows.delete(row.seq)) this.#answered.delete(row.seq);
    if (this.#joinedWith.size > 0) this.#joinedWith.delete(row.seq);
  }

  /** Rows that hold a place. */
  get size(): number {
    return this.#rows.size;
  }

  /** Those, and rows whose outcome waits to be stored. */
  get unsettled(): number {
    return this.#rows.size + this.#answered.size;
  }

  rows(): QueueRow[] {
    return [...this.#rows.values(), ...this.#answered.values()];
  }

  /** How many keys were one with the row's when it started; undefined: as many as now. */
  joinedWith(row: QueueRow): number | undefined {
    return this.#joinedWith.size === 0 ? undefined : this.#joinedWith.get(row.seq);
  }

  /** From now on an order is kept, which these rows have not waited for. */
  orderBegins(): QueueRow[] {
    const rows = this.rows();
    for (const row of rows) this.#joinedWith.set(row.seq, 0);
    return rows;
  }

  /** Keeps that for the rows whose keys `join` joins with others: one that is not begun yet must not pass for one that waited its turn. */
  keepOver(join: () => void, joinedWith: (row: QueueRow) => number): void {
    const before = [...this.#rows.values()].map((row) => ({ row, count: joinedWith(row) }));
    join();
    for (const { row, count } of before) if (joinedWith(row) > count) this.#joinedWith.set(row.seq, count);
  }
}
