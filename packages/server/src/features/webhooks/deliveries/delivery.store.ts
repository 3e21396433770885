import type { Sql } from "../../../db/database.ts";
import type { AttemptEntry } from "../deliver/deliver.store.ts";
import { isOfNumbers } from "../endpoints/endpoint.store.ts";

export type DeliveryRow = {
  id: string;
  event_id: string;
  webhook_endpoint_id: string;
  kind: string;
  status: "pending" | "succeeded" | "failed" | "parked";
  attempt: number;
  next_attempt_at: Date | null;
  created_at: Date;
  completed_at: Date | null;
};
export type DeliveryWithAttempts = DeliveryRow & { attempts: (AttemptEntry & { replay?: true | undefined })[] };

/** Deliveries from an id on and below another one. Null where nothing is asked for. */
export type StoredFilter = {
  lowest: string;
  below: string;
  endpointId: string | null;
  kind: string | null;
  /** The stored statuses; `pending` and `parked` both are open. */
  statuses: readonly string[] | null;
  /** With `statuses`: of these endpoints alone, or of any but these. */
  endpoints: { ids: readonly string[]; of: boolean } | null;
};

const SHOWN =
  "d.id, d.event_id, d.webhook_endpoint_id, d.kind, d.status, d.attempt, d.next_attempt_at, d.created_at, d.completed_at";

/** Rows that a page looks at, of which few may fit its filters: some 2 µs each. */
export const LOOK = 2_000;

/** Rows, the newest first, and the id down to which all were looked at; null: all were. */
export type Looked<Row> = { rows: Row[]; reached: string | null };

/** Deliveries with a first outcome, as they are stored. */
export async function selectStoredRows(
  sql: Sql,
  workspaceId: string,
  filter: StoredFilter,
  limit: number,
): Promise<Looked<DeliveryRow>> {
  const { endpointId, kind, statuses, endpoints } = filter;
  const values: (string | number | readonly string[] | null)[] = [workspaceId, filter.lowest, filter.below];
  const param = (value: string | number | readonly string[]): string => `$${values.push(value)}`;
  // Said for indexes that only these lists may use (db/indexes.ts): every attempt is 0 or more.
  const isIndexed = statuses !== null && !statuses.includes("succeeded");
  const byEndpoint = endpointId === null ? [] : [`d.webhook_endpoint_id = ${param(endpointId)}`];
  const indexed = isIndexed
    ? ["d.attempt >= 0", "d.status <> 'succeeded'"]
    : endpointId === null
      ? []
      : ["d.attempt >= 0", ...byEndpoint];
  const wanted = [
    ...(isIndexed ? byEndpoint : []),
    ...(kind === null ? [] : [`d.kind = ${param(kind)}`]),
    ...(statuses === null ? [] : [`d.status = any(${param(statuses)})`]),
    ...(endpoints === null
      ? []
      : [`${endpoints.of ? "" : "not "}d.webhook_endpoint_id = any(${param(endpoints.ids)}::uuid[])`]),
  ];
  const from = `from delivery d where ${["d.workspace_id = $1", "d.id >= $2", "d.id < $3", ...indexed].join(" and ")}
    order by d.id desc`;
  if (wanted.length === 0)
    return {
      rows: await sql.query<DeliveryRow>(`select ${SHOWN} ${from} limit ${param(limit)}`, values),
      reached: null,
    };
  const rows = await sql.query<Partial<DeliveryRow> & { reached: string | null }>(
    `with looked as materialized (select ${SHOWN} ${from} limit ${LOOK})
     select r.reached, x.*
     from (select case when count(*) = ${LOOK} then (array_agg(d.id order by d.id))[1] end as reached from looked d) r
     left join lateral (
       select d.* from looked d where ${wanted.join(" and ")} order by d.id desc limit ${param(limit)}) x on true`,
    values,
  );
  const found = rows.filter((row): row is DeliveryRow & { reached: string | null } => typeof row.id === "string");
  return { rows: found, reached: rows[0]?.reached ?? null };
}

/** Those of given ids that have a first outcome. */
export const selectDeliveryRowsById = (sql: Sql, workspaceId: string, ids: readonly string[]): Promise<DeliveryRow[]> =>
  sql.query<DeliveryRow>(`select ${SHOWN} from delivery d where d.workspace_id = $1 and d.id = any($2::uuid[])`, [
    workspaceId,
    ids,
  ]);

export async function selectStoredRow(sql: Sql, workspaceId: string, id: string): Promise<DeliveryWithAttempts | null> {
  const rows = await sql.query<DeliveryWithAttempts>(
    `select ${SHOWN}, d.attempts from delivery d where d.workspace_id = $1 and d.id = $2`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

/** What says whose a delivery is and whether it is open. */
export type DeliveryEndpoint = { id: string; lane: number; enabled: boolean };

/** Of the workspace, at most a hundred. With `within`, only those of these numbers. */
export const selectDeliveryEndpoints = (
  sql: Sql,
  workspaceId: string,
  id: string | null,
  within: readonly string[] | null,
): Promise<DeliveryEndpoint[]> =>
  sql.query<DeliveryEndpoint>(
    `select w.id, w.lane, w.enabled from webhook_endpoint w
     where w.workspace_id = $1 and ($2::uuid is null or w.id = $2) and ${isOfNumbers("w", "$3")}`,
    [workspaceId, id, within],
  );

/** The names of the headers that an endpoint has of its own now, and its fields of the provider's format; none when it was deleted. */
export async function selectPosting(
  sql: Sql,
  workspaceId: string,
  endpointId: string,
): Promise<{ own: string[]; fields: string[] | null }> {
  const rows = await sql.query<{ own: string[]; fields: string[] | null }>(
    "select w.header_names as own, w.fields from webhook_endpoint w where w.workspace_id = $1 and w.id = $2",
    [workspaceId, endpointId],
  );
  return rows[0] ?? { own: [], fields: null };
}

/** The ids of the deliveries of events to an endpoint, each with its event. */
export const selectDeliveryIds = (
  sql: Sql,
  eventIds: readonly string[],
  endpointIds: readonly string[],
): Promise<{ id: string; event_id: string; endpoint_id: string }[]> =>
  sql.query(
    `select delivery_id(e.id, w.id) as id, e.id as event_id, w.id as endpoint_id
     from unnest($1::uuid[]) e(id) cross join unnest($2::uuid[]) w(id)`,
    [eventIds, endpointIds],
  );

/**
 * The endpoint and the event of a delivery that has no row yet: its id holds the event's millisecond, which leaves a handful of events.
 */
export async function selectOriginOfDelivery(
  sql: Sql,
  workspaceId: string,
  id: string,
): Promise<DeliveryEndpoint | null> {
  const time = id.slice(0, 13);
  const rows = await sql.query<DeliveryEndpoint>(
    `select w.id, w.lane, w.enabled from webhook_endpoint w
     where w.workspace_id = $1 and w.id in (
       select p.id from webhook_endpoint p join event v on v.workspace_id = p.workspace_id
       where p.workspace_id = $1 and v.id >= $3 and v.id <= $4 and delivery_id(v.id, p.id) = $2)`,
    [workspaceId, id, `${time}-0000-0000-000000000000`, `${time}-ffff-ffff-ffffffffffff`],
  );
  return rows[0] ?? null;
}
