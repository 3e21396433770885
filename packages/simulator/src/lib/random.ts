/** A source of numbers in [0, 1), the same series for the same seed. */
export type Random = () => number;

/** A fixed time or a range to draw from, in milliseconds. */
export type Delay = number | readonly [number, number];

/** mulberry32: small, fast, and good enough to jitter delays; never used for ids. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A time within the delay, in milliseconds. */
export function drawDelay(delay: Delay, random: Random): number {
  return typeof delay === "number" ? delay : delay[0] + (delay[1] - delay[0]) * random();
}

/** Moves `count` random items to the end of the list, in random order: a whole shuffle when it is as long as the list. */
export function shuffleToEnd(items: unknown[], count: number, random: Random): void {
  for (let last = items.length - 1; last >= Math.max(0, items.length - count); last -= 1) {
    const at = Math.floor(random() * (last + 1));
    [items[at], items[last]] = [items[last], items[at]];
  }
}
