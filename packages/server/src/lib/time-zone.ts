import { LRUCache } from "lru-cache";
import { atMost } from "./at-most.ts";
import { HOUR_MS, MINUTE_MS } from "./duration.ts";

/** A calendar month of a time zone: from `start` up to below `end`, in milliseconds. */
export type Month = { start: number; end: number };

/** Time zones differ from UTC by 14 hours at most. */
const FARTHEST_MS = 14 * HOUR_MS;
/** Every zone differs from UTC by a multiple of this; the months of all zones begin at one of these moments. */
export const ZONE_STEP_MS = 15 * MINUTE_MS;
/** As many as there are zones, two months of each. */
const MOST_CACHED = 1_000;

const months = new LRUCache<string, number>(atMost(MOST_CACHED));

/** The month that `now` is in, by the clocks of an IANA time zone; by UTC without one, or with one that this machine does not know. */
export function monthOf(now: number, timeZone: string | null): Month {
  const calendar = calendarOf(timeZone ?? "UTC");
  const month = calendar.monthAt(now);
  return { start: beginOf(calendar, month), end: beginOf(calendar, month + 1) };
}

/** `monthAt`: the month that the clocks of a zone show, as the number of months since the year 0. */
type Calendar = { zone: string; monthAt(ms: number): number };

const calendars = new LRUCache<string, Calendar>(atMost(MOST_CACHED));

function calendarOf(zone: string): Calendar {
  const known = calendars.get(zone);
  if (known !== undefined) return known;
  const calendar = { zone, monthAt: monthReader(zone) };
  calendars.set(zone, calendar);
  return calendar;
}

function monthReader(zone: string): Calendar["monthAt"] {
  const format = formatOf(zone);
  return (ms) => {
    const parts = format.formatToParts(ms);
    const part = (type: "year" | "month"): number => Number(parts.find((one) => one.type === type)?.value);
    return part("year") * 12 + part("month") - 1;
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const options = { calendar: "gregory", numberingSystem: "latn", year: "numeric", month: "numeric" } as const;
  try {
    return new Intl.DateTimeFormat("en-US", { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
  }
}

/**
 * When a month begins: the first moment at which the zone's clocks show it. It is searched, because clocks may skip midnight or show
 * it twice.
 */
function beginOf({ zone, monthAt }: Calendar, month: number): number {
  const key = `${zone} ${month}`;
  const known = months.get(key);
  if (known !== undefined) return known;
  const inUtc = Date.UTC(Math.floor(month / 12), month % 12);
  let [before, after] = [inUtc - FARTHEST_MS - ZONE_STEP_MS, inUtc + FARTHEST_MS];
  while (after - before > ZONE_STEP_MS) {
    const middle = before + Math.floor((after - before) / ZONE_STEP_MS / 2) * ZONE_STEP_MS;
    if (monthAt(middle) >= month) after = middle;
    else before = middle;
  }
  months.set(key, after);
  return after;
}
