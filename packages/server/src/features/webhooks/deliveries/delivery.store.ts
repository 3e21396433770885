import type { Sql } from "../../../db/database.ts";
import { each } from "../../../db/hot-function.ts";
import { SLOTS } from "../../../lanes/lane-kinds.ts";
import { inLane } from "../../../lanes/queue.ts";
import type { AttemptEntry } from "../deliver/deliver.store.ts";
import type { EndpointRow } from "../endpoints/endpoint.store.ts";

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
export type DeliveryWithAttempts = DeliveryRow & { attempts: AttemptEntry[] };

export type DeliveryFilter = { status: string | null; kind: string | null; from: string | null; below: string | null };

// What is open is `parked` while the endpoint is switched off, whatever was true when the last attempt ended. `enabled` is an
// expression.
const open = (enabled: string): string => `case when ${enabled} then 'pending' else 'parked' end`;

const stored = (enabled: string): string => `
  select d.id, d.event_id, d.webhook_endpoint_id, d.kind,
    case when d.status in ('pending', 'parked') then ${open(enabled)} else d.status end as status, d.attempt,
    case when d.status in ('pending', 'parked') and ${enabled} then d.next_attempt_at end as next_attempt_at,
    d.created_at, d.completed_at, d.attempts
  from delivery d`;

const waiting = (enabled: string): string => `
  select q.delivery_id as id, q.event_id, w.id as webhook_endpoint_id, e.kind, ${open(enabled)} as status,
    0::smallint as attempt, case when ${enabled} then greatest(q.due, e.created_at) end as next_attempt_at,
    e.created_at, null::timestamptz as completed_at, '[]'::json as attempts
  from webhook_endpoint w
  ${each(
    "q",
    `select q.* from deliver q
     where ${inLane("q", `w.lane % ${SLOTS}`, "w.lane")} and q.workspace_id = w.workspace_id and q.attempt = 0`,
  )}
  join event e on e.workspace_id = q.workspace_id and e.id = q.event_id`;

/**
 * Deliveries of one endpoint, newest first: rows with a first outcome, and queue rows that have none yet. One statement,
 * so that a delivery that is just being stored is in one of the two and not in both.
 */
export async function selectDeliveryRows(
  sql: Sql,
  workspaceId: string,
  endpoint: EndpointRow,
  filter: DeliveryFilter,
  before: string | null,
  limit: number,
): Promise<DeliveryRow[]> {
  const wanted = `($4::text is null or x.status = $4) and ($5::text is null or x.kind = $5)`;
  const range = (id: string): string =>
    `($6::uuid is null or ${id} >= $6) and ($7::uuid is null or ${id} < $7) and ($8::uuid is null or ${id} < $8)`;
  // Every attempt is 0 or more: said for the index that only this list may use (db/indexes.ts).
  return await sql.query<DeliveryRow>(
    `(select x.* from (${stored("$3::boolean")}
        where d.workspace_id = $1 and d.webhook_endpoint_id = $2 and d.attempt >= 0 and ${range("d.id")}) x
      where ${wanted} order by x.id desc limit $9)
     union all
     (select x.* from (${waiting("w.enabled")}
        where w.workspace_id = $1 and w.id = $2 and ${range("q.delivery_id")}) x
      where ${wanted} order by x.id desc limit $9)
     order by id desc limit $9`,
    [workspaceId, endpoint.id, endpoint.enabled, filter.status, filter.kind, filter.from, filter.below, before, limit],
  );
}

export async function selectDeliveryRow(
  sql: Sql,
  workspaceId: string,
  id: string,
): Promise<DeliveryWithAttempts | null> {
  const enabled = `coalesce((select w.enabled from webhook_endpoint w
       where w.workspace_id = d.workspace_id and w.id = d.webhook_endpoint_id), false)`;
  const known = await sql.query<DeliveryWithAttempts>(`${stored(enabled)} where d.workspace_id = $1 and d.id = $2`, [
    workspaceId,
    id,
  ]);
  return known[0] ?? (await selectWaitingDeliveryRow(sql, workspaceId, id));
}

// A delivery's id holds its event's millisecond, which leaves a handful of events to look for it in; no index over the
// queue's delivery ids is needed, which every enqueue would pay for.
async function selectWaitingDeliveryRow(
  sql: Sql,
  workspaceId: string,
  id: string,
): Promise<DeliveryWithAttempts | null> {
  const rows = await sql.query<DeliveryWithAttempts>(
    `${waiting("w.enabled")} where w.workspace_id = $1 and q.delivery_id = $2 and e.id >= $3 and e.id <= $4
       and w.id in (select p.id from webhook_endpoint p join event v on v.workspace_id = p.workspace_id
                    where p.workspace_id = $1 and v.id >= $3 and v.id <= $4 and delivery_id(v.id, p.id) = $2)`,
    [workspaceId, id, `${id.slice(0, 13)}-0000-0000-000000000000`, `${id.slice(0, 13)}-ffff-ffff-ffffffffffff`],
  );
  return rows[0] ?? null;
}
