import type { TxCtx } from "../../ctx.ts";
import { numbersOfList } from "../../http/caller.ts";
import { uuidOfFilter } from "../../http/ids.ts";
import { invalidAt } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { timeOf } from "../../http/timestamps.ts";
import { DAY_MS, MINUTE_MS } from "../../lib/duration.ts";
import { formatId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { type Series, SPANS, timeOfBin } from "./metric.sql.ts";
import { type MetricQuestion, type MetricRow, selectEndpointIdsWithin, selectMetricRows } from "./metrics.store.ts";
import type {
  DeliveryMetric,
  DeliveryMetrics,
  DeliveryMetricsQuery,
  MESSAGE_GROUPS,
  MessageMetric,
  MessageMetrics,
  MessageMetricsQuery,
  RangeQuery,
} from "./schema.ts";

/** An answer of some two megabytes. */
const MOST_ROWS = 20_000;
/** Counts that are added up for it: half a second. */
const MOST_COUNTS = 200_000;

type Group = (typeof MESSAGE_GROUPS)[number];

/** The messages of a category are all messages, so numbers and totals are counted from it. */
const SERIES_OF = {
  status: "status",
  category: "category",
  template: "template",
  error_code: "error_code",
  phone_number_id: "category",
} as const satisfies Record<Group, Series>;

/** What happened to messages, interval by interval, the latest first. Intervals in which nothing did are left out. */
export async function getMessageMetrics(
  ctx: TxCtx,
  { query }: { query: MessageMetricsQuery },
): Promise<Answer<MessageMetrics>> {
  const group = query.group_by;
  const rows = await ask(ctx, query, {
    series: SERIES_OF[group ?? "category"],
    groupBy: group === undefined ? null : group === "phone_number_id" ? "resource_id" : "value",
    resources: numbersOfList(ctx.actor, resourceOf("num", query.phone_number_id)),
  });
  return { body: { data: rows.map((row) => ({ ...measures(row), ...groupOf(group, row.value) })) } };
}

/** Attempts to deliver, in the same way. */
export async function getDeliveryMetrics(
  ctx: TxCtx,
  { query }: { query: DeliveryMetricsQuery },
): Promise<Answer<DeliveryMetrics>> {
  const group = query.group_by;
  const rows = await ask(ctx, query, {
    series: "attempt",
    groupBy: group === undefined ? null : group === "status" ? "value" : "resource_id",
    resources: await endpointsOf(ctx, resourceOf("whe", query.webhook_endpoint_id)),
  });
  const groupOfRow = (value: string | null): Pick<DeliveryMetric, "status" | "webhook_endpoint_id"> => {
    if (group === undefined || value === null) return {};
    if (group === "webhook_endpoint_id") return { webhook_endpoint_id: formatId("whe", value) };
    return { status: value as NonNullable<DeliveryMetric["status"]> }; // as they are counted
  };
  return { body: { data: rows.map((row) => ({ ...measures(row), ...groupOfRow(row.value) })) } };
}

/** The endpoints that the filter names and the caller may see; null: all. */
async function endpointsOf(
  { sql, workspaceId, actor }: TxCtx,
  filtered: string | null,
): Promise<readonly string[] | null> {
  if (actor.phoneNumberIds === null) return filtered === null ? null : [filtered];
  const own = await selectEndpointIdsWithin(sql, workspaceId, actor.phoneNumberIds);
  return filtered === null ? own : own.filter((id) => id === filtered);
}

/** The uuid of a filter, null without one; one that is nothing's where the filter can match nothing. */
const resourceOf = (prefix: "num" | "whe", id: string | undefined): string | null =>
  id === undefined ? null : (uuidOfFilter(prefix, id) ?? NOTHING);
const NOTHING = "00000000-0000-0000-0000-000000000000";

function groupOf(group: Group | undefined, value: string | null): Pick<MessageMetric, Group> {
  if (group === undefined || value === null) return {};
  if (group === "phone_number_id") return { phone_number_id: formatId("num", value) };
  if (group === "status") return { status: value as NonNullable<MessageMetric["status"]> }; // as they are counted
  return { [group]: value === "" ? null : value };
}

/** The rows of the intervals that a question names. 400 where they are too many. */
async function ask(
  ctx: TxCtx,
  range: RangeQuery,
  question: Pick<MetricQuestion, "series" | "groupBy" | "resources">,
): Promise<MetricRow[]> {
  const limits = { mostRows: MOST_ROWS + 1, mostCounts: MOST_COUNTS + 1 };
  const rows = await selectMetricRows(ctx.sql, ctx.workspaceId, { ...question, ...spanOf(range, ctx.now), ...limits });
  if (rows.length > MOST_ROWS || (rows[0]?.counts ?? 0) > MOST_COUNTS)
    throw invalidAt("?at_after", "Ask for a shorter time, with at_after and at_before, or a longer interval.", "range");
  return rows;
}

function spanOf({ at_after, at_before, interval = "1h" }: RangeQuery, now: number) {
  const { minutes, keptMs } = SPANS[interval];
  const spanMs = minutes * MINUTE_MS;
  const until = at_before === undefined ? now + 1 : timeOf(at_before, "?at_before");
  // Whole intervals, so that the first is as long as the others.
  const from = at_after === undefined ? Math.floor((until - DAY_MS) / spanMs) * spanMs : timeOf(at_after, "?at_after");
  // Those that retention is about to remove are gone at once.
  return { span: minutes, from: Math.max(from, now - keptMs), until };
}

const measures = (row: MetricRow): Pick<MessageMetric, "at" | "count" | "p50_ms" | "p95_ms"> => ({
  at: isoTime(row.at.getTime()),
  count: row.count,
  p50_ms: percentile(row, 0.5),
  p95_ms: percentile(row, 0.95),
});

/** Milliseconds below which this share of the times lies. */
export function percentile({ bins, in_bins }: Pick<MetricRow, "bins" | "in_bins">, share: number): number | null {
  const wanted = in_bins.reduce((sum, count) => sum + Number(count), 0) * share;
  let below = 0;
  for (const [index, bin] of bins.entries()) {
    below += Number(in_bins[index]);
    if (below >= wanted) return timeOfBin(bin);
  }
  return null;
}
