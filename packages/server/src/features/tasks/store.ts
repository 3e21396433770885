import type { Sql } from "../../db/database.ts";
import { type AnswerOf, columns, hotFunction, of, type RowOf, recordset } from "../../db/hot-function.ts";
import { defineQueue } from "../../lanes/queue.ts";

/** A task is a row of the table `job`, and until it ends one of `task`, its queue. */
export const taskQueue = defineQueue({
  kind: "task",
  table: "task",
  item: "job_id",
  key: null,
  workspace: true,
  event: false,
  intents: false,
});

/** Starts of a task that never came to an end, each of which may have ended its process, before it is given up. */
export const MOST_CRASHES = 3;

const TICKET = columns({ slot: "smallint", seq: "bigint", workspace_id: "uuid", job_id: "uuid" });
const BEGUN = columns({
  /** run · gone: the task has ended, and its queue row is deleted · poison: given up now, because it never ends. */
  verdict: of<"run" | "gone" | "poison">("text"),
  kind: "text?",
  payload: "json",
  created_at: "timestamptz?",
  /** Starts without an end, this one included. */
  unfinished: "smallint?",
});
export type BeginAnswer = AnswerOf<typeof BEGUN>;

/** Returns tasks to be worked. Nothing is claimed: a task may be begun twice, so handlers are idempotent. */
export const beginTasks = hotFunction({
  name: "begin_tasks",
  input: TICKET,
  answers: BEGUN,
  declare: "r record; j record;",
  body: `
for r in
  select x.* from ${recordset(TICKET)} order by x.workspace_id, x.job_id
loop
  update job b set started = true, unfinished = b.unfinished + case when again then 0 else 1 end
  where b.workspace_id = r.workspace_id and b.id = r.job_id and b.status = 'pending' returning b.* into j;
  if not found then
    delete from task t where t.slot = r.slot and t.seq = r.seq and t.workspace_id = r.workspace_id;
    return query select 'gone', null::text, null::json, null::timestamptz, null::smallint;
  elsif j.unfinished > ${MOST_CRASHES} then
    update job b set status = 'failed', completed_at = now, error = json_build_object(
      'code', 'crashed', 'detail', 'Given up after ${MOST_CRASHES} starts that never ended.')
    where b.workspace_id = r.workspace_id and b.id = r.job_id;
    delete from task t where t.slot = r.slot and t.seq = r.seq and t.workspace_id = r.workspace_id;
    return query select 'poison', j.kind, j.payload, j.created_at, j.unfinished;
  else
    return query select 'run', j.kind, j.payload, j.created_at, j.unfinished;
  end if;
end loop;`,
});

const END = columns({
  ...TICKET,
  outcome: of<"done" | "failed" | "later">("text"),
  error: of<object>("json?"),
  /** When `later`. */
  due: "timestamptz?",
  /** The number of tries behind it; when `later`. */
  attempt: "smallint",
  /** True when the end was not the handler's own: it counts as a crash. */
  crashed: "boolean",
});
export type EndRow = RowOf<typeof END>;

/** Stores the ends of tasks, and of their queue rows, at once. Repeating it changes nothing. */
export const endTasks = hotFunction({
  name: "end_tasks",
  input: END,
  answers: columns({ job_id: "uuid" }),
  declare: "r record;",
  body: `
for r in
  select x.* from ${recordset(END)}
  order by x.workspace_id, x.job_id
loop
  update job b set error = r.error, unfinished = case when r.crashed then b.unfinished else 0 end,
    status = case when r.outcome = 'later' then b.status else r.outcome end,
    completed_at = case when r.outcome = 'later' then null else now end
  where b.workspace_id = r.workspace_id and b.id = r.job_id and b.status = 'pending';
  if r.outcome = 'later' then
    update task t set due = r.due, attempt = r.attempt
    where t.slot = r.slot and t.seq = r.seq and t.workspace_id = r.workspace_id;
  else
    delete from task t where t.slot = r.slot and t.seq = r.seq and t.workspace_id = r.workspace_id;
  end if;
  return query select r.job_id;
end loop;`,
});

/** Rows a round; the timer comes again. */
const PRUNE_CHUNK = 1_000;

const ENDED = columns({ before: "timestamptz" });

/** Removes tasks that ended before `before`, some at a time; answers how many. */
export const pruneTasks = hotFunction({
  name: "prune_jobs",
  input: ENDED,
  answers: columns({ pruned: "int" }),
  declare: "r record; gone int := 0;",
  body: `
for r in
  select b.workspace_id, b.id from job b, ${recordset(ENDED)}
  where b.completed_at < x.before order by b.workspace_id, b.id limit ${PRUNE_CHUNK}
loop
  delete from job b where b.workspace_id = r.workspace_id and b.id = r.id;
  gone := gone + 1;
end loop;
return query select gone;`,
});

export type NewTaskRow = {
  id: string;
  kind: string;
  subject: string | null;
  /** A task that waits for its next try is enough. */
  joins: boolean;
  payload: object;
  slot: number;
  lane: number;
  at: Date;
};

/** Inserts task and queue row; answers the id of the waiting task that already stands for it, if there is one. */
export async function insertTaskRow(sql: Sql, workspaceId: string, task: NewTaskRow): Promise<string> {
  const pausing = task.joins
    ? await selectPausingTaskId(sql, workspaceId, { ...task, subject: task.subject ?? "" })
    : null;
  if (pausing !== null) return pausing;
  const inserted = await sql.run(
    `insert into job (workspace_id, id, kind, subject, payload, created_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (workspace_id, kind, subject) where subject is not null and not started do nothing`,
    [workspaceId, task.id, task.kind, task.subject, JSON.stringify(task.payload), task.at],
  );
  if (inserted === 0) {
    const twins = await sql.query<{ id: string }>(
      "select id from job where workspace_id = $1 and kind = $2 and subject = $3 and not started",
      [workspaceId, task.kind, task.subject],
    );
    const twin = twins[0];
    // It began between the two statements, so it may have read what the caller has just changed: ask for another.
    return twin ? twin.id : await insertTaskRow(sql, workspaceId, task);
  }
  await sql.run("insert into task (slot, lane, workspace_id, job_id) values ($1, $2, $3, $4)", [
    task.slot,
    task.lane,
    workspaceId,
    task.id,
  ]);
  return task.id;
}

/**
 * Another task than `id` that has begun, waits for its next try and is not being worked: an end that is no crash sets `unfinished`
 * back.
 */
export async function selectPausingTaskId(
  sql: Sql,
  workspaceId: string,
  { id, kind, subject }: { id: string; kind: string; subject: string },
): Promise<string | null> {
  const rows = await sql.query<{ id: string }>(
    `select id from job where workspace_id = $1 and kind = $2 and subject = $3 and subject is not null
       and completed_at is null and started and unfinished = 0 and id <> $4 limit 1`,
    [workspaceId, kind, subject, id],
  );
  return rows[0]?.id ?? null;
}

export type LastTaskRow = { payload: unknown; completed_at: Date | null };

/** The newest task of a kind about a subject, of those that are kept. */
export async function selectLastTaskRow(
  sql: Sql,
  workspaceId: string,
  kind: string,
  subject: string,
): Promise<LastTaskRow | null> {
  const rows = await sql.query<LastTaskRow>(
    `select payload, completed_at from job where workspace_id = $1 and kind = $2 and subject = $3
     order by id desc limit 1`,
    [workspaceId, kind, subject],
  );
  return rows[0] ?? null;
}

export type TaskRow = { status: "pending" | "done" | "failed"; error: { code: string; detail: string } | null };

export async function selectTaskRow(sql: Sql, workspaceId: string, taskId: string): Promise<TaskRow | null> {
  const rows = await sql.query<TaskRow>("select status, error from job where workspace_id = $1 and id = $2", [
    workspaceId,
    taskId,
  ]);
  return rows[0] ?? null;
}

/** A task that makes progress is not one that ends its process: starts without an end are counted from here. */
export async function noteProgress(sql: Sql, workspaceId: string, taskId: string): Promise<void> {
  await sql.run("update job set unfinished = 1 where workspace_id = $1 and id = $2 and unfinished <> 1", [
    workspaceId,
    taskId,
  ]);
}
