/**
 * Of numbers with many gaps (every other one belongs to another process's slots) only the highest ranges are passed on: a row
 * that is read twice is recognized by the registry.
 */
const MOST_RANGES = 500;

type Range = { from: number; to: number };

/** Numbers of rows that were read lately, as ranges: a read that goes back a little asks for the rows that are not among them. */
export class SeenRanges {
  /** In order; two of them never touch. */
  readonly #ranges: Range[] = [];

  add(seq: number): void {
    const ranges = this.#ranges;
    // Nearly always above the others.
    let at = ranges.length;
    while (at > 0 && (ranges[at - 1] as Range).from > seq) at -= 1;
    const below = ranges[at - 1];
    const above = ranges[at];
    if (below && seq <= below.to) return;
    const joinsAbove = above?.from === seq + 1;
    if (below?.to === seq - 1) {
      below.to = joinsAbove ? above.to : seq;
      if (joinsAbove) ranges.splice(at, 1);
    } else if (joinsAbove) above.from = seq;
    else ranges.splice(at, 0, { from: seq, to: seq });
  }

  /** The ranges above `lo`, as PostgreSQL writes an int8multirange; forgets the others. */
  above(lo: number): string {
    const kept = this.#ranges.findIndex(({ to }) => to > lo);
    this.#ranges.splice(0, kept < 0 ? this.#ranges.length : kept);
    const highest = this.#ranges.slice(-MOST_RANGES);
    return `{${highest.map(({ from, to }) => `[${from},${to}]`).join(",")}}`;
  }
}
