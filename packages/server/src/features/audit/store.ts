import type { Sql } from "../../db/database.ts";
import { columns, hotFunction, type RowOf, recordset } from "../../db/hot-function.ts";
import type { Changes } from "../../http/activity.ts";
import type { PageRequest } from "../../http/pagination.ts";
import { uuidFloor } from "../../lib/ids.ts";
import { Conditions, ID_DRIFT_MS } from "./conditions.ts";
import { ACTIVITY_INPUT, type ActivityFields } from "./fields.ts";

const WRITTEN = [
  "workspace_id",
  "id",
  "at",
  "actor_type",
  "actor_id",
  "actor_name",
  "action",
  "resource_type",
  "resource_id",
  "method",
  "path",
  "request_id",
  "ip",
  "user_agent",
  "session",
  "status",
  "code",
  "changes",
] as const;
const COLUMNS = WRITTEN.join(", ");

/** A row with its id and time (milliseconds); `changes` is stored as JSON. */
export type NewActivity = ActivityFields & { id: string; at: number; changes: Changes };

/** Writes a row in the transaction of the change that it describes. */
export async function insertActivityRow(sql: Sql, workspaceId: string, row: NewActivity): Promise<void> {
  const values = [
    workspaceId,
    row.id,
    new Date(row.at),
    row.actor_type,
    row.actor_id,
    row.actor_name,
    row.action,
    row.resource_type,
    row.resource_id,
    row.method,
    row.path,
    row.request_id,
    row.ip,
    row.user_agent,
    row.session,
    row.status,
    row.code,
    row.changes === null ? null : JSON.stringify(row.changes),
  ];
  await sql.run(
    `insert into audit (${COLUMNS}) values (${values.map((_, index) => `$${index + 1}`).join(", ")})`,
    values,
  );
}

// Ids are generated before the call, so that a row whose first call's answer was lost is not written twice.
const RECORD_INPUT = columns({ workspace_id: "uuid", id: "uuid", at: "timestamptz", ...ACTIVITY_INPUT });

/** Writes rows of reads and refusals; one that is there already stays. */
export const recordActivities = hotFunction({
  name: "record_activities",
  input: RECORD_INPUT,
  answers: columns({ written: "int" }),
  declare: "r record;",
  body: `
    written := 0;
    for r in select * from ${recordset(RECORD_INPUT)} loop
      insert into audit (workspace_id, id, at, actor_type, actor_id, actor_name, action, resource_type, resource_id,
        method, path, request_id, ip, user_agent, session, status, code)
      values (r.workspace_id, r.id, r.at, r.actor_type, r.actor_id, r.actor_name, r.action, r.resource_type,
        r.resource_id, r.method, r.path, r.request_id, r.ip, r.user_agent, r.session, r.status, r.code)
      on conflict do nothing;
      written := written + 1;
    end loop;
    return next;`,
});

/** A row of a read or a refusal of any workspace, as JSON text. */
export function activityText(workspaceId: string, id: string, at: number, fields: ActivityFields): string {
  const row: RowOf<typeof RECORD_INPUT> = { workspace_id: workspaceId, id, at: new Date(at).toISOString(), ...fields };
  return JSON.stringify(row);
}

/** Null: not filtered. Times in milliseconds, `from` inclusive, `to` exclusive. */
export type ActivityFilter = {
  actorType: string | null;
  actorId: string | null;
  action: string | null;
  resourceType: string | null;
  resourceId: string | null;
  status: number | null;
  from: number | null;
  to: number | null;
};

export type StoredActivity = {
  id: string;
  at: Date;
  actor_type: string;
  actor_id: string | null;
  actor_name: string | null;
  action: string;
  resource_type: string | null;
  resource_id: string | null;
  method: string | null;
  path: string | null;
  request_id: string | null;
  ip: string | null;
  user_agent: string | null;
  session: string | null;
  status: number | null;
  code: string | null;
  changes: unknown;
};

/** Rows that one call looks at for filters without an index: some tenths of a second. */
const MOST_WALKED = 100_000;

/** `next` is the place behind the rows, null at the end. */
export type ActivityRows = { rows: StoredActivity[]; next: string | null };

/**
 * Newest first, below the id `before`, up to `limit` rows; where few of very many fit, fewer or none of them with a place to go on from.
 * Times also bound the id, so that only the partitions of that time are read; a resource is found by its index.
 */
export async function selectActivityRows(
  sql: Sql,
  workspaceId: string,
  filter: ActivityFilter,
  { before, limit }: Pick<PageRequest, "before" | "limit">,
): Promise<ActivityRows> {
  const of = new Conditions(workspaceId);
  const range = [...rangeOf(of, filter, before)].join(" and ");
  const known = of.values.length;
  const others = [...othersOf(of, filter)].join(" and ");
  const from = others === "" ? `audit where ${range}` : `(${walk(range)} limit ${MOST_WALKED}) a where ${others}`;
  const rows = await sql.query<StoredActivity>(
    `select ${COLUMNS} from ${from} order by id desc limit ${of.place(limit + 1)}`,
    of.values,
  );
  if (rows.length > limit) return { rows: rows.slice(0, limit), next: rows[limit - 1]?.id ?? null };
  if (others === "") return { rows, next: null };
  const [end] = await sql.query<{ id: string }>(
    `select id from (${walk(range)} offset ${MOST_WALKED - 1} limit 1) a`,
    of.values.slice(0, known),
  );
  // Rows may have come since: what is below the end now belongs to the next page.
  return end === undefined ? { rows, next: null } : { rows: rows.filter(({ id }) => id >= end.id), next: end.id };
}

const walk = (range: string): string => `select * from audit where ${range} order by id desc`;

function* rangeOf(of: Conditions, { from, to, resourceId }: ActivityFilter, before: string | null): Generator<string> {
  yield "workspace_id = $1";
  if (before !== null) yield `id < ${of.place(before)}::uuid`;
  if (from !== null) yield `at >= ${of.place(new Date(from))} and id >= ${of.place(uuidFloor(from))}::uuid`;
  if (to !== null) yield `at < ${of.place(new Date(to))} and id < ${of.place(uuidFloor(to + ID_DRIFT_MS))}::uuid`;
  if (resourceId !== null) yield `resource_id = ${of.place(resourceId)}`;
}

/** Applied to each row. */
function* othersOf(of: Conditions, filter: ActivityFilter): Generator<string> {
  if (filter.actorType !== null) yield `actor_type = ${of.place(filter.actorType)}`;
  if (filter.actorId !== null) yield `actor_id = ${of.place(filter.actorId)}::uuid`;
  if (filter.action !== null) yield `action = ${of.place(filter.action)}`;
  if (filter.resourceType !== null) yield `resource_type = ${of.place(filter.resourceType)}`;
  if (filter.status !== null) yield `status = ${of.place(filter.status)}`;
}
