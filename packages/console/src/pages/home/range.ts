import { endsOf, type OwnRange, type Range } from "./search.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * The intervals of the API, and for how long it keeps their counts. The numbers are repeated here: of the API's document only a description
 * has them.
 */
const INTERVALS = {
  "5m": { unitMs: 5 * MINUTE_MS, keptMs: 8 * DAY_MS },
  "1h": { unitMs: HOUR_MS, keptMs: 92 * DAY_MS },
  "1d": { unitMs: DAY_MS, keptMs: 1_000 * DAY_MS },
} as const;
type Interval = keyof typeof INTERVALS;

/** How the ranges that end now are divided. */
const PRESETS = {
  "24h": { interval: "1h", steps: 24 },
  "7d": { interval: "1d", steps: 7 },
  "30d": { interval: "1d", steps: 30 },
} as const;

/** More bars than this are too thin to be read. */
const MOST_STEPS = 120;

/**
 * What of the counts a range is: steps of some intervals each, from `begin` until `end`, in milliseconds. `hasBefore`: whether the counts
 * of as long a time before are kept. `ended`: for a range that lies in the past its end, RFC 3339.
 */
export type Asked = {
  interval: Interval;
  stepMs: number;
  steps: number;
  begin: number;
  end: number;
  hasBefore: boolean;
  ended?: string;
};

/** A range of whole intervals: one that ends with the present interval, or a person's own. */
export function rangeOf(range: Range, now: number): Asked {
  const ends = endsOf(range);
  if (ends !== null) return ownRange(ends, now);
  const { interval, steps } = PRESETS[range as keyof typeof PRESETS]; // the others have two ends
  const stepMs = INTERVALS[interval].unitMs;
  const end = Math.floor(now / stepMs) * stepMs + stepMs;
  return { interval, stepMs, steps, begin: end - steps * stepMs, end, hasBefore: true };
}

/** Divided as finely as can be seen, and as is kept for it and the time before. */
function ownRange({ from, until }: { from: number; until: number }, now: number): Asked {
  const last = Math.min(until, now);
  const isFit = (interval: Interval): boolean => {
    const { unitMs, keptMs } = INTERVALS[interval];
    return last - from <= MOST_STEPS * unitMs && now - (from - (last - from)) <= keptMs;
  };
  const interval = isFit("5m") ? "5m" : isFit("1h") ? "1h" : "1d";
  const { unitMs, keptMs } = INTERVALS[interval];
  const begin = Math.floor(from / unitMs) * unitMs;
  const end = Math.ceil(last / unitMs) * unitMs;
  // Both ends are rounded away from each other.
  const stepMs = unitMs * Math.ceil((end - begin) / unitMs / (MOST_STEPS + 1));
  return {
    interval,
    stepMs,
    steps: Math.ceil((end - begin) / stepMs),
    begin,
    end,
    hasBefore: now - (begin - (end - begin)) <= keptMs,
    ...(end <= now && { ended: rfc3339(end) }),
  };
}

/** Why a range cannot be counted: it ends before it begins, begins in the future, or when nothing is kept any more. */
export function faultOf(range: Range, now: number): "order" | "future" | "old" | null {
  const ends = endsOf(range);
  if (ends === null) return null;
  if (ends.until <= ends.from) return "order";
  if (ends.from >= now) return "future";
  return now - ends.from > INTERVALS["1d"].keptMs ? "old" : null;
}

/** What the API is asked for; `withBefore`: with as long a time before. */
export const spanOf = ({ interval, begin, end }: Asked, withBefore = false) => ({
  at_after: rfc3339(withBefore ? begin - (end - begin) : begin),
  at_before: rfc3339(end),
  interval,
});

/** How many hours or days a range has, as its counts are of them. */
export function unitsOf({ interval, begin, end }: Asked): { unit: "hour" | "day"; count: number } {
  const unit = interval === "1d" ? "day" : "hour";
  return { unit, count: (end - begin) / (unit === "day" ? DAY_MS : HOUR_MS) };
}

/** As an address has it. */
export const ownRangeOf = ({ begin, end }: Pick<Asked, "begin" | "end">): OwnRange =>
  `${rfc3339(begin)},${rfc3339(end)}`;

/** Whether days are counted: they are those of UTC. */
export const isOfDays = ({ interval }: Pick<Asked, "interval">): boolean => interval === "1d";

export const rfc3339 = (at: number): string => new Date(at).toISOString().replace(".000Z", "Z");
