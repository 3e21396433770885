import type { App } from "../../../ctx.ts";
import { newUuid } from "../../../lib/ids.ts";
import { withClient } from "../../../testing/client.ts";
import { jumpClock } from "../../../testing/clock.ts";
import { tasks as feature } from "../feature.ts";
import type { Task } from "../lane.ts";
import { type LongTable, type Standing, standingColumns, sweepOf } from "../long-task.sql.ts";
import { type LongTask, LongTasks, type Stepped } from "../long-task.ts";
import { enqueueTask } from "../task.ts";
import { startTaskApp, type TaskApp } from "./app.ts";

// A small long task: copies the numbers from 1 to `total` into a table that refuses one of them.

const COPIES: LongTable = { table: "copy", place: "place", errors: { table: "copy_error", of: "copy_id" } };
export const sweepCopies = sweepOf("sweep_copies", COPIES);
/** The database refuses it. */
export const REFUSED = 13;
export const MOST_ERRORS = 3;

const TABLES = `
create table copy (
  workspace_id uuid not null, id uuid not null, status text not null, place int not null, total int not null,
  failed int not null, error json, job_id uuid not null, created_at timestamptz not null, updated_at timestamptz,
  completed_at timestamptz, primary key (workspace_id, id));
create table copied (workspace_id uuid not null, copy_id uuid not null, n int not null check (n % 100 <> ${REFUSED}));
create table copy_error (workspace_id uuid not null, copy_id uuid not null, n int not null);
select protect_tenant_table('copy', 'insert, select, update', 'delete, select, update');
select protect_tenant_table('copied', 'insert, select', '');
select protect_tenant_table('copy_error', 'insert, select', 'delete, select');`;

export type CopyRow = Standing & { workspace_id: string; id: string; place: number; total: number };
type Item = { n: number; isRefused: boolean; next: number };

/** What a test does in a run: between two steps, in the transaction behind a step's writes, once it has committed. `batch`: items of a step. */
export type Hooks = {
  batch?: number;
  between?(place: number): unknown;
  inStep?(row: CopyRow): unknown;
  committed?(row: CopyRow): unknown;
};

const copyTask = (hooks: Hooks, forgotten: string[]): LongTask<CopyRow, Item, number> => ({
  name: "a copy",
  table: COPIES,
  idOf: (payload) => (payload as { copy_id: string }).copy_id,
  async select(sql, workspaceId, id) {
    const text = `select i.workspace_id, i.id, i.place, i.total, i.failed, ${standingColumns(COPIES)}
      from copy i where i.workspace_id = $1 and i.id = $2 and i.completed_at is null`;
    return (await sql.query<CopyRow>(text, [workspaceId, id]))[0] ?? null;
  },
  async *batches({ place, total }, turn) {
    for (let from = place; from < total; ) {
      await hooks.between?.(from);
      const length = Math.min(total - from, hooks.batch ?? turn.rows);
      const items = Array.from({ length }, (_, at) => ({ n: from + at + 1, isRefused: false, next: from + at + 1 }));
      from += length;
      yield { items, behind: from };
    }
  },
  async step(sql, row, { items, behind }): Promise<Stepped<CopyRow, number>> {
    const errors = items.filter(({ isRefused }) => isRefused).map(({ n }) => n);
    const numbers = items.filter(({ isRefused }) => !isRefused).map(({ n }) => n);
    const ids = [row.workspace_id, row.id];
    await sql.run("insert into copied select $1, $2, n from unnest($3::int[]) n", [...ids, numbers]);
    const update = "update copy set place = $3, failed = failed + $4 where workspace_id = $1 and id = $2";
    await sql.run(update, [...ids, behind, errors.length]);
    const stepped = { ...row, place: behind, failed: row.failed + errors.length };
    await hooks.inStep?.(stepped);
    return { row: stepped, errors, committed: () => void hooks.committed?.(stepped) };
  },
  refused: (item) => (item.isRefused ? null : { ...item, isRefused: true }),
  async insertErrors(sql, { workspace_id, id }, errors) {
    await sql.run("insert into copy_error select $1, $2, n from unnest($3::int[]) n", [workspace_id, id, [...errors]]);
  },
  mostErrors: MOST_ERRORS,
  async end(sql, workspaceId, id, { status, error, at }) {
    const text = `update copy set status = $3, error = $4, completed_at = $5
      where workspace_id = $1 and id = $2 and completed_at is null`;
    return (await sql.run(text, [workspaceId, id, status, error && JSON.stringify(error), at])) > 0 ? {} : null;
  },
  forget: (_, id) => Promise.resolve(void forgotten.push(id)),
});

export type Copy = {
  task: Task;
  /** The row, with what was copied, in order, and which errors are kept. */
  read(): Promise<{
    status: string;
    place: number;
    failed: number;
    error: object | null;
    copied: number[];
    errors: number[];
  }>;
  cancel(): Promise<void>;
};

export type Copies = Omit<TaskApp, "clock"> & {
  app: App;
  /** Moves both clocks: of the runs, and of the queue that `work` reads. */
  advance(ms: number): void;
  /** The ids of copies whose rest was deleted. */
  forgotten: string[];
  /** What works the copies of a process. */
  process(hooks?: Hooks): LongTasks<CopyRow, Item, number>;
  /** Asks for a copy, as a verb does. */
  create(workspaceId: string, total: number): Promise<Copy>;
};

/** The copies on a database of their own, by a clock that goes on by itself and that the test moves. */
export async function startCopies(): Promise<Copies> {
  const functions = [...(feature.functions ?? []), sweepCopies];
  const open = await startTaskApp(functions, {} as App["provider"]); // not reached
  await withClient(open.database.url, (client) => client.query(TABLES));
  const clock = jumpClock();
  const app = { ...open.app, clock };
  const forgotten: string[] = [];
  return {
    ...open,
    app,
    forgotten,
    advance(ms) {
      for (const each of [clock, open.clock]) each.advance(ms);
    },
    process: (hooks = {}) => new LongTasks(app, copyTask(hooks, forgotten)),
    async create(workspaceId, total) {
      const now = clock.now();
      const [id, taskId] = [newUuid(now), newUuid(now)];
      const payload = { copy_id: id };
      await app.db.transaction(workspaceId, async (sql) => {
        const text = `insert into copy (workspace_id, id, status, place, total, failed, job_id, created_at)
          values ($1, $2, 'pending', 0, $3, 0, $4, $5)`;
        await sql.run(text, [workspaceId, id, total, taskId, new Date(now)]);
        await enqueueTask(sql, workspaceId, { kind: "test.copy", payload, now, id: taskId, isLong: true });
      });
      const signal = new AbortController().signal;
      const tries = { attempt: 0, lastTry: false, now, signal };
      return {
        task: { workspaceId, taskId, kind: "test.copy", payload, ...tries },
        read: () => readCopy(open, workspaceId, id),
        async cancel() {
          const text = "update copy set status = 'canceled', completed_at = now() where workspace_id = $1 and id = $2";
          await app.db.transaction(workspaceId, (sql) => sql.run(text, [workspaceId, id]));
        },
      };
    },
  };
}

async function readCopy({ rows }: TaskApp, workspaceId: string, id: string): ReturnType<Copy["read"]> {
  const [row] = await rows<Awaited<ReturnType<Copy["read"]>>>(
    workspaceId,
    `select c.status, c.place, c.failed, c.error,
       array(select x.n from copied x where x.copy_id = c.id order by x.n) as copied,
       array(select e.n from copy_error e where e.copy_id = c.id order by e.n) as errors
     from copy c where c.id = $1`,
    [id],
  );
  if (!row) throw new Error("the copy was deleted");
  return row;
}
