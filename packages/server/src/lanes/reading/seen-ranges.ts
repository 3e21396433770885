/**
 * Of numbers with many gaps (every other one belongs to another process's slots) only the highest ranges are passed on: a row
 * that is read twice is recognized by the registry.
 */
const MOST_RANGES = 500;
/** So many ranges are kept, the highest; when there are more, the lowest are forgotten, many at a time. */
const MOST_KEPT = 2_000;
const FORGOTTEN_AT_ONCE = 500;

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
    if (ranges.length > MOST_KEPT) ranges.splice(0, FORGOTTEN_AT_ONCE);
  }

  /** The ranges above `lo`, as PostgreSQL writes an int8multirange. */
  above(lo: number): string {
    const first = this.#ranges.findLastIndex(({ to }) => to <= lo) + 1;
    const highest = this.#ranges.slice(Math.max(first, this.#ranges.length - MOST_RANGES));
    return `{${highest.map(({ from, to }) => `[${from},${to}]`).join(",")}}`;
  }

  /** True when all numbers from `from` to `to` are among them, or there are none. */
  covers(from: number, to: number): boolean {
    const range = this.#ranges.findLast((one) => one.from <= from);
    return from > to || (range !== undefined && range.to >= to);
  }
}
