import type { Sql } from "../../db/database.ts";
import type { Series } from "./metric.sql.ts";

export type MetricRow = {
  at: Date;
  value: string | null;
  count: number;
  /** How many counts of all rows were added up. */
  counts: number;
  /** Those that took some time: bins in their order, each with how many were in it. */
  bins: number[];
  in_bins: number[];
};

export type MetricQuestion = {
  series: Series;
  /** Minutes of an interval. */
  span: number;
  /** By which column; null: all together. */
  groupBy: "value" | "resource_id" | null;
  /** Intervals that begin from here up to below `until`; milliseconds. */
  from: number;
  until: number;
  /** Of these numbers or endpoints alone. */
  resources: readonly string[] | null;
  mostRows: number;
  mostCounts: number;
};

/** The latest interval first. */
export const selectMetricRows = (sql: Sql, workspaceId: string, question: MetricQuestion): Promise<MetricRow[]> => {
  const { series, span, groupBy, from, until, resources, mostRows, mostCounts } = question;
  const value = groupBy === null ? "null::text" : `d.${groupBy}::text`;
  return sql.query<MetricRow>(
    `with found as materialized (
       select d.at, ${value} as value, d.bin, d.count from metric d
       where d.workspace_id = $1 and d.series = $2 and d.span = $3 and d.at >= $4 and d.at < $5
         and ($6::uuid[] is null or d.resource_id = any($6))
       order by d.at desc limit $8)
     select b.at, b.value, coalesce(sum(b.count) filter (where b.bin < 0), 0)::bigint as count,
       (select count(*) from found) as counts,
       coalesce(array_agg(b.bin::int order by b.bin) filter (where b.bin >= 0), '{}') as bins,
       coalesce(array_agg(b.count order by b.bin) filter (where b.bin >= 0), '{}') as in_bins
     from (select f.at, f.value, f.bin, sum(f.count)::bigint as count from found f group by 1, 2, 3) b
     group by b.at, b.value
     order by b.at desc, b.value
     limit $7`,
    [workspaceId, series, span, new Date(from), new Date(until), resources, mostRows, mostCounts],
  );
};

/** The endpoints that get events of some of these numbers alone. */
export async function selectEndpointIdsWithin(
  sql: Sql,
  workspaceId: string,
  numbers: readonly string[],
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select w.id from webhook_endpoint w
     where w.workspace_id = $1 and w.phone_number_ids <@ $2::uuid[] and w.business_account_ids is null`,
    [workspaceId, [...numbers]],
  );
  return rows.map(({ id }) => id);
}
