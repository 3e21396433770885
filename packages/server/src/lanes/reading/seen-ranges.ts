/** Numbers of rows that were read lately, as ranges: a read that goes back a little asks for what is not among them. */
export type Seen = {
  add(seq: number): void;
  /** Forgets what is not above `lo`. */
  trim(lo: number): void;
  /** As PostgreSQL writes an int8multirange. */
  text(): string;
};

/** Of numbers with many gaps (every other one belongs to another process's slots) only the highest ranges are told: a row that is read twice is known by then. */
const MOST_RANGES = 500;

type Range = { from: number; to: number };

export function createSeen(): Seen {
  // In order, none beside another.
  const ranges: Range[] = [];

  return {
    add(seq) {
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
    },
    trim(lo) {
      const kept = ranges.findIndex(({ to }) => to > lo);
      ranges.splice(0, kept < 0 ? ranges.length : kept);
    },
    text: () =>
      `{${ranges
        .slice(-MOST_RANGES)
        .map(({ from, to }) => `[${from},${to}]`)
        .join(",")}}`,
  };
}
