import type { App } from "../../ctx.ts";
import { isPassing } from "../../db/batched.ts";
import { isTransient } from "../../db/connect.ts";
import type { Sql } from "../../db/database.ts";
import type { Task, TaskError, TaskOutcome } from "./lane.ts";
import { type LongTable, lockAtPlace, type Standing } from "./long-task.sql.ts";
import { Pace } from "./pace.ts";
import { noteProgress } from "./store.ts";
import { Turn } from "./turn.ts";

/**
 * Work of a workspace that takes minutes and that people watch and cancel: an import, a replay, a campaign. A feature has a table with a
 * row for each (`LongTable`), commits the row with a task (`isLong`), and says below what a step does; the rest is the same for all. A
 * row is worked by the process that owns the lane of its task, as long as it renews its lease; where a process is killed the next owner
 * goes on from the place of the row. A step is one transaction: it locks the row where this run left it, does some items and moves the
 * row behind them, so a killed process repeats nothing that was committed, and of two runs at once one stops. A row that is ended
 * meanwhile, because it was canceled, cannot be locked any more. A turn ends after some seconds, and then the next row has its own; the
 * rows of a workspace are worked one after the other, the oldest first. Between steps the run rests as long as other work is slow
 * (`Pace`). Items that the database refuses together are done one by one, and the one that it refuses alone is stored as refused. What
 * throws again and again loses its task, and the sweep (`sweepDue`) ends its row as failed.
 */
export type LongTask<Row extends Standing, Item extends Placed, Failure> = {
  /** In log lines, with its article. */
  name: string;
  table: LongTable;
  /** Of the row, as the payload of the task has it. */
  idOf(payload: unknown): string;
  /** The row with `standingColumns`; null when it has ended, or is gone with its workspace. */
  select(sql: Sql, workspaceId: string, id: string): Promise<Row | null>;
  /**
   * The items from the place of the row on, in batches of about `turn.rows`. It may throw an `Unfinishable` or a `ComesBack`. Where it works long for a
   * batch it rests (`turn.rest`), and once the turn is over it yields what it has.
   */
  batches(row: Row, turn: Turn, task: Task): AsyncIterable<Batch<Item>>;
  /** Does some items and moves the row to the place behind them. The transaction is the workspace's, and has locked the row. */
  step(sql: Sql, row: Row, batch: Batch<Item>): Promise<Stepped<Row, Failure>>;
  /** The item as it is stored when it cannot be done; null when that was not possible either. */
  refused(item: Item): Item | null;
  insertErrors(sql: Sql, row: Row, errors: readonly Failure[]): Promise<void>;
  /** Errors of a row that are kept; `failed` counts all. */
  mostErrors: number;
  /** Ends a row that has not ended; resolves to what its log line says, null when it had ended. */
  end(sql: Sql, workspaceId: string, id: string, end: End): Promise<object | null>;
  /** Deletes what only a row that has not ended needs. It may have been called before. */
  forget?(workspaceId: string, id: string): Promise<void>;
  /** An error after which the task is tried again later; null for any other. */
  passing?(error: unknown): TaskError | null;
};

/** An item, and the place behind it as the feature writes it down. */
type Placed = { next: unknown };
export type Batch<Item extends Placed> = { items: readonly Item[]; behind: Item["next"] };

/** The row as it stands behind a step, what is wrong with items, and what to do once the step has committed. */
export type Stepped<Row, Failure> = { row: Row; errors: readonly Failure[]; committed?: () => void };

export type End = { status: "completed" | "failed" | "canceled"; error: TaskError | null; at: Date };

/** Ends a long task as failed. `message` is public text and quotes nothing of what was being worked. */
export class Unfinishable extends Error {
  override readonly name = "Unfinishable";
  readonly code: string;

  constructor(code: string, detail: string) {
    super(detail);
    this.code = code;
  }
}

/** What a long task waits for has not happened: it is worked again after so many milliseconds, and holds no place meanwhile. */
export class ComesBack extends Error {
  override readonly name = "ComesBack";
  readonly ms: number;

  constructor(ms: number) {
    super("a long task waits");
    this.ms = ms;
  }
}

/** Rows of a kind that a process works at once: each keeps the database busy for a part of the time. */
const MOST_AT_ONCE = 2;
/**
 * Until it is looked at again: one that waits for a place, for each earlier one up to `MOST_WAIT_MS`, and for its workspace, which is
 * suspended.
 */
const WAIT_MS = 1_000;
const MOST_WAIT_MS = 5_000;
const SUSPENDED_WAIT_MS = 60_000;

/** Works the long tasks of a kind in this process. */
export class LongTasks<Row extends Standing, Item extends Placed, Failure> {
  readonly #app: App;
  readonly #kind: LongTask<Row, Item, Failure>;
  readonly #pace: Pace;
  #running = 0;
  /** Those that found no place, and when (monotonic). */
  readonly #waiting = new Map<string, number>();

  constructor(app: App, kind: LongTask<Row, Item, Failure>) {
    this.#app = app;
    this.#kind = kind;
    this.#pace = new Pace(app);
  }

  /** The handler of the task: a turn, and another one of the same task while there is more. */
  async run(task: Task): Promise<TaskOutcome> {
    const id = this.#kind.idOf(task.payload);
    try {
      const row = await this.#select(task, id);
      if (row === null) return await this.#ended(task, id);
      if (!row.active) return this.#later(SUSPENDED_WAIT_MS);
      // It takes no place and asks for none: one that can begin is not held up by those that cannot.
      if (row.earlier > 0) return this.#later(Math.min(MOST_WAIT_MS, WAIT_MS * row.earlier));
      if (this.#running >= MOST_AT_ONCE) {
        this.#waiting.set(id, this.#app.clock.monotonic());
        return this.#later(WAIT_MS);
      }
      this.#waiting.delete(id);
      return (await this.#turn(task, id, row)) === "more" ? this.#later(this.#restMs()) : await this.#ended(task, id);
    } catch (error) {
      if (error instanceof ComesBack) return this.#later(error.ms);
      const passing = this.#kind.passing?.(error) ?? null;
      if (passing === null) throw error;
      return { kind: "retry", error: passing };
    }
  }

  #select = ({ workspaceId }: Task, id: string): Promise<Row | null> =>
    this.#app.db.read(workspaceId, (sql) => this.#kind.select(sql, workspaceId, id));

  #later = (ms: number): TaskOutcome => ({ kind: "wait", at: this.#app.clock.now() + ms });

  /** Longer than others wait for their next look, if any do: so each has its turn. */
  #restMs(): number {
    const now = this.#app.clock.monotonic();
    for (const [id, at] of this.#waiting) if (now - at > 3 * WAIT_MS) this.#waiting.delete(id);
    return this.#waiting.size === 0 ? 0 : 2 * WAIT_MS;
  }

  /** Nothing of a row that has ended is needed. One that this run only stopped working keeps it. */
  async #ended(task: Task, id: string): Promise<TaskOutcome> {
    if ((await this.#select(task, id)) !== null) return this.#later(WAIT_MS);
    await this.#kind.forget?.(task.workspaceId, id);
    return { kind: "done" };
  }

  async #turn(task: Task, id: string, row: Row): Promise<After> {
    this.#running += 1;
    try {
      const turn = new Turn(this.#app, { pace: this.#pace, signal: task.signal });
      return await new Run(this.#app, this.#kind, { task, id, row }).take(turn);
    } finally {
      this.#running -= 1;
    }
  }
}

/** How the row goes on after a turn: with another one, or not by this run. */
type After = "more" | "stop";

/** One turn of one row. */
class Run<Row extends Standing, Item extends Placed, Failure> {
  readonly #app: App;
  readonly #kind: LongTask<Row, Item, Failure>;
  readonly #task: Task;
  readonly #id: string;
  #row: Row;

  constructor(app: App, kind: LongTask<Row, Item, Failure>, { task, id, row }: { task: Task; id: string; row: Row }) {
    this.#app = app;
    this.#kind = kind;
    this.#task = task;
    this.#id = id;
    this.#row = row;
  }

  async take(turn: Turn): Promise<After> {
    try {
      for await (const batch of this.#kind.batches(this.#row, turn, this.#task)) {
        const goesOn = await turn.step(batch.items.length, () => this.#step(batch));
        if (!goesOn) return "stop";
        if (turn.isOver) return "more";
      }
    } catch (error) {
      if (!(error instanceof Unfinishable)) throw error;
      await this.#end("failed", { code: error.code, detail: error.message });
      return "stop";
    }
    await this.#end("completed", null);
    return "stop";
  }

  /** What the database refuses of many is done one by one, so that one item is refused and not all. False: this run stops. */
  async #step(batch: Batch<Item>): Promise<boolean> {
    try {
      return await this.#commit(batch);
    } catch (error) {
      if (isPassing(error) || isTransient(error)) throw error;
      const { items, behind } = batch;
      const middle = items[(items.length >> 1) - 1];
      if (middle !== undefined) {
        const half = items.length >> 1;
        return (
          (await this.#step({ items: items.slice(0, half), behind: middle.next })) &&
          (await this.#step({ items: items.slice(half), behind }))
        );
      }
      const refused = items[0] === undefined ? null : this.#kind.refused(items[0]);
      if (refused === null) throw error;
      this.#app.log.warn(
        { err: error, workspace_id: this.#task.workspaceId },
        `an item of ${this.#kind.name} cannot be stored`,
      );
      return await this.#commit({ items: [refused], behind });
    }
  }

  async #commit(batch: Batch<Item>): Promise<boolean> {
    const { workspaceId, taskId } = this.#task;
    const { table, step, insertErrors, mostErrors } = this.#kind;
    const row = this.#row;
    const stepped = await this.#app.db.transaction(workspaceId, async (sql) => {
      if (!(await lockAtPlace(sql, table, workspaceId, this.#id, row.place))) return null;
      const done = await step(sql, row, batch);
      if (done.errors.length > 0 && row.failed < mostErrors) await insertErrors(sql, row, done.errors);
      await noteProgress(sql, workspaceId, taskId);
      return done;
    });
    if (stepped === null) return false;
    this.#row = stepped.row;
    stepped.committed?.();
    return true;
  }

  async #end(status: "completed" | "failed", error: TaskError | null): Promise<void> {
    const { db, clock, log } = this.#app;
    const { workspaceId } = this.#task;
    const { name, table, end } = this.#kind;
    const ended = await db.transaction(workspaceId, async (sql) =>
      (await lockAtPlace(sql, table, workspaceId, this.#id, this.#row.place))
        ? await end(sql, workspaceId, this.#id, { status, error, at: new Date(clock.now()) })
        : null,
    );
    if (ended !== null)
      log.info({ workspace_id: workspaceId, ...ended, status, code: error?.code }, `${name} has ended`);
  }
}
