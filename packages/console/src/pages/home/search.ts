import { oneOf, searchOf, text, time } from "../../search.ts";

export const RANGES = ["24h", "7d", "30d"] as const;

/** When a range of a person's own begins and ends, as RFC 3339. */
export type OwnRange = `${string},${string}`;
export type Range = (typeof RANGES)[number] | OwnRange;

/** The ends of such a range in milliseconds, in whichever order they are given; null for another. */
export function endsOf(range: string): { from: number; until: number } | null {
  const [from, until, ...more] = range.split(",").map(time);
  return from === undefined || until === undefined || more.length > 0
    ? null
    : { from: Date.parse(from), until: Date.parse(until) };
}

export const isOwn = (range: Range): range is OwnRange => endsOf(range) !== null;

const rangeIn = (given: unknown): Range | undefined => {
  const own = text(given);
  if (own === undefined) return undefined;
  return oneOf(RANGES)(own) ?? (endsOf(own) === null ? undefined : (own as OwnRange)); // it has two times
};

/** The time that is counted, and the id of the only number that is. */
export const homeSearch = searchOf({ range: rangeIn, number: text });
export type HomeSearch = ReturnType<typeof homeSearch>;
