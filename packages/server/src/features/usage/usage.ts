import type { App, TxCtx } from "../../ctx.ts";
import { numbersOfList } from "../../http/caller.ts";
import { uuidOfFilter } from "../../http/ids.ts";
import { invalidAt } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { pause } from "../../lib/clock.ts";
import { DAY_MS } from "../../lib/duration.ts";
import { formatId } from "../../lib/ids.ts";
import type { Usage, UsageQuery } from "./schema.ts";
import { type countUsage, selectUsageRows, type UsageRow } from "./usage.store.ts";

/** Days without a filter. */
const DEFAULT_DAYS = 31;
/** A year, with its last day in another time zone: some ten thousand rows for a number. */
export const MOST_DAYS = 366;

/** Usage by day, the latest first. */
export async function getUsage(ctx: TxCtx, { query }: { query: UsageQuery }): Promise<Answer<Usage>> {
  const range = rangeOf(query, ctx.now);
  const number = query.phone_number_id === undefined ? null : uuidOfFilter("num", query.phone_number_id);
  const numbers = numbersOfList(ctx.actor, number);
  if (range === null || numbers?.length === 0 || (query.phone_number_id !== undefined && number === null))
    return { body: { data: [] } };
  const rows = await selectUsageRows(ctx.sql, ctx.workspaceId, { ...range, numbers });
  return { body: { data: rows.map(renderUsage) } };
}

const renderUsage = (row: UsageRow): Usage["data"][number] => ({
  day: row.day,
  direction: row.outbound ? "outbound" : "inbound",
  status: row.status,
  category: row.category === "" ? null : row.category,
  phone_number_id: formatId("num", row.phone_number_id),
  count: row.count,
  billable: row.billable,
  // No price list can be set.
  cost: null,
});

/** Both filters are exclusive, as those of times are. Null: no day is between them. */
function rangeOf({ day_after, day_before }: UsageQuery, now: number): { first: string; last: string } | null {
  const before = day_before === undefined ? null : dayOf(day_before, "?day_before");
  const after = day_after === undefined ? null : dayOf(day_after, "?day_after");
  const last = before === null ? Math.max(now, after ?? now) : before - DAY_MS;
  const first = after === null ? last - (DEFAULT_DAYS - 1) * DAY_MS : after + DAY_MS;
  // Ahead of the texts: the day after 9999-12-31 has none that the database reads.
  if (first > last) return null;
  if (last - first >= MOST_DAYS * DAY_MS)
    throw invalidAt("?day_after", `Ask for ${MOST_DAYS} days at most, with day_after and day_before.`, "range");
  return { first: textOf(first), last: textOf(last) };
}

const textOf = (ms: number): string => new Date(ms).toISOString().slice(0, "2026-01-31".length);

function dayOf(text: string, pointer: string): number {
  const ms = Date.parse(`${text}T00:00:00Z`);
  // 31 February is parsed as a day of March.
  if (!(ms >= 0) || textOf(ms) !== text) throw invalidAt(pointer, "This is not a day such as 2026-01-31.", "format");
  return ms;
}

/** After each call the database rests this many times as long as it counted, so that a backlog takes a fifth of one processor. */
const REST = 4;

/** Counts until nothing is due. Another process that is counting is left to it. */
export async function countAll({ db, clock }: Pick<App, "db" | "clock">, count: typeof countUsage): Promise<void> {
  for (;;) {
    const begun = clock.monotonic();
    const [counted] = await db.call(count, [], clock.now());
    if (!counted?.more) return;
    await pause(clock, (clock.monotonic() - begun) * REST);
  }
}
