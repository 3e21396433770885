import type { App } from "../../ctx.ts";
import type { Sql } from "../../db/database.ts";
import { columns, type HotFunction, hotFunction, of, type RowOf, recordset } from "../../db/hot-function.ts";
import { DAY_MS } from "../../lib/duration.ts";
import type { TaskError } from "./lane.ts";

/**
 * A table of long tasks, a row each: `workspace_id id status job_id error created_at updated_at completed_at`, of which `completed_at`
 * is null until it has ended, and the column of its place. `engine` may read and write what the sweep does.
 */
export type LongTable = {
  table: string;
  /** The column that says where a row stands: each step changes it. */
  place: string;
  /** What is wrong with items: a table whose rows are deleted with the long task, by the column of its id. */
  errors: { table: string; of: string };
};

/** What the form reads of each row; null for one that has ended, so it is never read. */
export type Standing = {
  place: number | string;
  /** Items that were refused. */
  failed: number;
  /** Earlier long tasks of the kind and workspace that have not ended. */
  earlier: number;
  /** Whether the workspace is active. */
  active: boolean;
};

/** The columns `earlier` and `active` of the row `i`, with the workspace as `$1`. */
export const standingColumns = ({ table }: LongTable): string => `
       (select count(*)::int from ${table} o
        where o.workspace_id = $1 and o.id < i.id and o.completed_at is null) as earlier,
       (select w.status = 'active' from workspace w where w.workspace_id = $1) as active`;

/** Locks the row if it still stands at this place, and goes on. False: another run is ahead, or it was canceled. */
export async function lockAtPlace(
  sql: Sql,
  { table, place }: LongTable,
  workspaceId: string,
  id: string,
  at: Standing["place"],
): Promise<boolean> {
  const rows = await sql.query(
    `select from ${table} i
     where i.workspace_id = $1 and i.id = $2 and i.completed_at is null and i.${place} = $3
       and exists (select from workspace w where w.workspace_id = $1 and w.status = 'active')
     for no key update`,
    [workspaceId, id, at],
  );
  return rows.length > 0;
}

/** Those of a workspace that have not ended. */
export async function countActive(sql: Sql, { table }: LongTable, workspaceId: string): Promise<number> {
  const [row] = await sql.query<{ n: number }>(
    `select count(*)::int as n from ${table} where workspace_id = $1 and completed_at is null`,
    [workspaceId],
  );
  return row?.n ?? 0;
}

/** The same, held to the end of the transaction: two that count and insert would each pass a limit that both together do not. */
export async function countActiveLocked(sql: Sql, table: LongTable, workspaceId: string): Promise<number> {
  await sql.query("select from workspace where workspace_id = $1 for no key update", [workspaceId]);
  return await countActive(sql, table, workspaceId);
}

/** Which of these have not ended, and so need their files. */
export async function selectActiveIds(
  sql: Sql,
  { table }: LongTable,
  workspaceId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }>(
    `select id from ${table} where workspace_id = $1 and id = any($2::uuid[]) and completed_at is null`,
    [workspaceId, [...ids]],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Of one call. The errors of each are deleted with it. */
const SWEPT_A_CALL = 20;
/** A round has an end. */
const MOST_CALLS = 50;
/** A task is committed with its row: without one after so long there is none. */
const TASK_MAY_BE_NEW_MS = 60_000;

const SWEEP = columns({
  /** Stored as the error of a row whose task has gone. */
  error: of<object>("json"),
  /** Rows that ended before are deleted. */
  ended_before: "timestamptz",
  /** Only of those that began before is the task looked for: it is committed with them. */
  begun_before: "timestamptz",
});
type Sweep = HotFunction<RowOf<typeof SWEEP>, { swept: number }>;

/** Ends rows whose task was given up, and deletes those that ended long ago, some at a time. One input row. */
export const sweepOf = (name: string, { table, errors }: LongTable): Sweep =>
  hotFunction({
    name,
    input: SWEEP,
    answers: columns({ swept: "int" }),
    declare: "r record; q record; gone int := 0;",
    body: `
for r in select x.* from ${recordset(SWEEP)} loop
  for q in
    select i.workspace_id, i.id from ${table} i
    where i.completed_at is null and i.created_at < r.begun_before
      and not exists (select from job j where j.workspace_id = i.workspace_id and j.id = i.job_id and j.status = 'pending')
    order by i.created_at limit ${SWEPT_A_CALL} for no key update skip locked
  loop
    update ${table} i set status = 'failed', error = r.error, completed_at = now, updated_at = now
    where i.workspace_id = q.workspace_id and i.id = q.id;
    gone := gone + 1;
  end loop;
  for q in
    select i.workspace_id, i.id from ${table} i
    where i.completed_at is not null and i.completed_at < r.ended_before
    order by i.completed_at limit ${SWEPT_A_CALL} for update skip locked
  loop
    delete from ${errors.table} e where e.workspace_id = q.workspace_id and e.${errors.of} = q.id;
    delete from ${table} i where i.workspace_id = q.workspace_id and i.id = q.id;
    gone := gone + 1;
  end loop;
end loop;
return query select gone;`,
  });

/** An ended one can be read for so long, with its errors. */
const KEPT_MS = 30 * DAY_MS;

/** Ends with this error what will not end by itself, and deletes what is old; several processes may do so at once. */
export async function sweepDue(
  { db, clock }: Pick<App, "db" | "clock">,
  sweep: Sweep,
  error: TaskError,
): Promise<void> {
  const now = clock.now();
  const row = {
    error,
    ended_before: new Date(now - KEPT_MS).toISOString(),
    begun_before: new Date(now - TASK_MAY_BE_NEW_MS).toISOString(),
  };
  for (let call = 0; call < MOST_CALLS; call++) {
    const [answer] = await db.call(sweep, [row], now);
    if ((answer?.swept ?? 0) === 0) return;
  }
}
