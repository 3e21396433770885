import { sqlInterval } from "../../db/hot-function.ts";
import { DAY_MS } from "../../lib/duration.ts";

/**
 * What rows of `metric` count, and what their `value` is. Of messages `resource_id` is the phone number, of attempts the endpoint.
 *
 * - `status`: messages that came to a status.
 * - `category`, `template`: messages that came in, or of which something was reported for the first time.
 * - `error_code`: messages that failed.
 * - `attempt`: attempts to deliver, by how they ended.
 */
export type Series = "status" | "category" | "template" | "error_code" | "attempt";

/** The intervals: minutes, and for how long the counts of such intervals are kept. */
export const SPANS = {
  "5m": { minutes: 5, keptMs: 8 * DAY_MS },
  "1h": { minutes: 60, keptMs: 92 * DAY_MS },
  "1d": { minutes: 1_440, keptMs: 1_000 * DAY_MS },
} as const;
export type Interval = keyof typeof SPANS;

/** The count of all; every other bin has those that took so long. */
const ALL = -1;
/** A bin reaches a tenth further than the one below it, so that its middle is within 5 % of all that is in it. */
const STEP = 1.1;
const MOST_MS = 10_000_000_000;

/** smallint: the bin of a time in milliseconds; null without one. */
export const binOf = (milliseconds: string): string =>
  `ceil(ln(least(greatest(${milliseconds}, 1), ${MOST_MS})::float8) / ln(${STEP}::float8))::smallint`;

/** Milliseconds: the middle of a bin. */
export const timeOfBin = (bin: number): number => Math.round(STEP ** (bin - 0.5));

/** A thing counted, as SQL of its row `x`. */
type Counted = {
  series: Series;
  /** text */
  value: string;
  /** boolean: whether it counts; its time counts without that. */
  counts: string;
  /** smallint: null where it took no time. */
  bin: string;
};

/**
 * Adds what the rows `x` of `from` count to `metric`, in each of its intervals: an insert. `number` is the SQL of how many such a row stands for.
 */
export const addCounts = (
  from: string,
  { at, resource, number, counted }: { at: string; resource: string; number: string; counted: readonly Counted[] },
): string => `
  insert into metric as d (workspace_id, series, span, at, resource_id, value, bin, count)
  select x.workspace_id, g.series, p.span, date_bin(p.span * interval '1 minute', ${at}, timestamptz 'epoch'), ${resource}, g.value,
    g.bin, sum(${number})
  from ${from} x
  cross join lateral (values ${counted
    .flatMap(({ series, value, counts, bin }) => [
      `('${series}', ${value}, ${ALL}::smallint, ${counts})`,
      `('${series}', ${value}, ${bin}, ${bin} is not null)`,
    ])
    .join(",\n    ")}) g(series, value, bin, counts)
  cross join (values ${Object.values(SPANS)
    .map(({ minutes }) => `(${minutes}::smallint)`)
    .join(", ")}) p(span)
  where g.counts
  group by 1, 2, 3, 4, 5, 6, 7
  order by 1, 2, 3, 4, 5, 6, 7
  on conflict (workspace_id, series, span, at, resource_id, value, bin) do update set count = d.count + excluded.count`;

/** boolean: whether a row `k` of `metric` is no longer kept at the time `now`. */
export const isPast = (k: string, now: string): string =>
  `${k}.at < ${now} - case ${k}.span ${Object.values(SPANS)
    .map(({ minutes, keptMs }) => `when ${minutes} then ${sqlInterval(keptMs)}`)
    .join(" ")} end`;
