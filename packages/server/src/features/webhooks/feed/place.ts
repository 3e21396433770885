import { DAY_MS } from "../../../lib/duration.ts";
import { timeOfUuid, uuidFloor } from "../../../lib/ids.ts";
import type { Place } from "./feed.store.ts";

/** How far a reader has come. `at`: milliseconds, the time up to which it has read all that it asked for. */
export type Position = { place: Place; at: number };

/** Ahead of every event. */
export const FIRST: Place = { era: 0, xid: "0", id: "00000000-0000-0000-0000-000000000000" };

/** Where a reader without a cursor begins: with the oldest event that is kept. */
export const beginning = (now: number): Position => ({ place: FIRST, at: now });

/** The text in a cursor, before it is sealed. */
export const textOf = ({ place, at }: Position): string => `${place.era}.${place.xid}.${place.id}.${at}`;

/** Whether one place is ahead of another in the order of the feed. */
export function isAhead(one: Place, other: Place): boolean {
  if (one.era !== other.era) return one.era < other.era;
  // Digits without zeros in front.
  if (one.xid.length !== other.xid.length) return one.xid.length < other.xid.length;
  return one.xid !== other.xid ? one.xid < other.xid : one.id < other.id;
}

/** The position of a cursor's text. */
export function positionOf(text: string): Position {
  const [era = "", xid = "", id = "", at = ""] = text.split(".");
  return { place: { era: Number(era), xid, id }, at: Number(at) };
}

/** Where a reader has come who was answered with this place at `now`: to the end of what was settled then, or with more behind it. */
export const reached = (place: Place, now: number, more: boolean): Position => ({
  place,
  at: more ? timeOfUuid(place.id) : now,
});

/**
 * The time from which on events are kept: the days before it are dropped, each as a whole. What has not been dropped yet is left out,
 * so that a reader has all, or an answer that says there is a gap.
 */
export const keptSince = (now: number, days: number): number => Math.floor((now - days * DAY_MS) / DAY_MS) * DAY_MS;

/** The lowest uuid of an event of a time, or of a later one. */
export const lowestOf = (since: number, createdAfter: number | null): string =>
  uuidFloor(Math.max(since, createdAfter === null ? 0 : createdAfter + 1));
