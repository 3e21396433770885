/** Chance that can be repeated: the same seed gives the same values in the same order. */
export type Random = {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** Whole, both ends included. */
  between(least: number, most: number): number;
  pick<T>(items: readonly T[]): T;
};

/** Mulberry32 (public domain): 32 bits of state are plenty for choosing moments and victims. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    pick: <T>(items: readonly T[]): T => {
      if (items.length === 0) throw new Error("there is nothing to pick from");
      return items[between(0, items.length - 1)] as T;
    },
  };
}
