import type { Sql } from "../../db/database.ts";
import { columns, hotFunction, type RowOf, recordset } from "../../db/hot-function.ts";
import type { PageRequest } from "../../http/pagination.ts";
import { uuidFloor } from "../../lib/ids.ts";
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
  "status",
  "code",
  "changes",
] as const;
const COLUMNS = WRITTEN.join(", ");

/** A row with its id and time (milliseconds); `changes` is any JSON value. */
export type NewActivity = ActivityFields & { id: string; at: number; changes: unknown };

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
        method, path, request_id, ip, user_agent, status, code)
      values (r.workspace_id, r.id, r.at, r.actor_type, r.actor_id, r.actor_name, r.action, r.resource_type,
        r.resource_id, r.method, r.path, r.request_id, r.ip, r.user_agent, r.status, r.code)
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
  status: number | null;
  code: string | null;
  changes: unknown;
};

/** An id carries its row's time or, in a process whose clock stepped back, a time up to this much later (lib/ids.ts). */
const ID_DRIFT_MS = 10_001;

/** Newest first. Times also bound the id, so that only the partitions of that time are read; other filters are applied to each row. */
export function selectActivityRows(
  sql: Sql,
  workspaceId: string,
  filter: ActivityFilter,
  { before, fetch }: Pick<PageRequest, "before" | "fetch">,
): Promise<StoredActivity[]> {
  const where = ["workspace_id = $1"];
  const values: (string | number | Date)[] = [workspaceId];
  const add = (condition: string, value: string | number | Date | null): void => {
    if (value === null) return;
    values.push(value);
    where.push(`${condition} $${values.length}`);
  };
  add("id <", before);
  if (filter.from !== null) {
    add("at >=", new Date(filter.from));
    add("id >=", uuidFloor(filter.from));
  }
  if (filter.to !== null) {
    add("at <", new Date(filter.to));
    add("id <", uuidFloor(filter.to + ID_DRIFT_MS));
  }
  add("actor_type =", filter.actorType);
  add("actor_id =", filter.actorId);
  add("action =", filter.action);
  add("resource_type =", filter.resourceType);
  add("resource_id =", filter.resourceId);
  add("status =", filter.status);
  values.push(fetch);
  return sql.query(
    `select ${COLUMNS} from audit where ${where.join(" and ")} order by id desc limit $${values.length}`,
    values,
  );
}
