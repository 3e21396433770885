import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { EndedBatch } from "../lib/batch/options.ts";
import { isoTime } from "../lib/iso-time.ts";
import { type CommitOutcome, resolveCommit } from "./commit-outcome.ts";
import { isOvertaken, isReadOnlyServer, isShortOfRoom, lockedTable, missingFunction } from "./connect.ts";
import { ALL_IDS, type HotFunction, type Span, spanOf } from "./hot-function.ts";
import { NamedCalls } from "./named-calls.ts";
import { type Deadline, type LentConnection, type PoolName, Pools, type PoolUse } from "./pools.ts";

type Scalar = string | number | boolean | null;
/** A value the driver can bind; objects are sent as JSON text. */
export type SqlValue = Scalar | bigint | Uint8Array | Date | readonly Scalar[] | object;

/** A running transaction, or single statements of the login. Column names are returned as written in the statement. */
export type Sql = {
  query<Row extends object>(text: string, values?: readonly SqlValue[]): Promise<Row[]>;
  /** Rows changed by an insert, update or delete. */
  run(text: string, values?: readonly SqlValue[]): Promise<number>;
};

/** The database cannot be reached, is overloaded or out of space; nothing was done. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
}

/** Another transaction holds a lock for longer than this call may wait; nothing was done. */
export class LockHeld extends DatabaseUnavailable {
  /** The table of the lock; null when the server did not name it. */
  readonly table: string | null;
  constructor(call: string, cause: unknown) {
    super(`${call} waited too long for a lock`, { cause });
    this.table = lockedTable(cause);
  }
}

/** The answer to a commit was lost and its outcome could not be looked up in time: it may or may not have happened. */
export class CommitUnknown extends Error {
  override readonly name = "CommitUnknown";
}

/** Tries of a call that is lost, or that conflicts with others: after three the next would most likely fail too. */
const MOST_TRIES = 3;
const BETWEEN_TRIES_MS = 200;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export type DatabaseOptions = {
  url: string;
  appRole: string;
  onError(error: Error): void;
  /** A hot function of this version no longer exists: the process cannot go on. */
  onMissingFunction?(name: string): void;
  /** A batched call of a hot function has ended: for the metrics. */
  onBatch?(batch: EndedBatch): void;
};

export const openDatabase = (options: DatabaseOptions): Database => new Database(options);

/** The process's access to its database. Nothing is connected before the first use. */
export class Database {
  /** The login itself, for tables without a workspace. Sees no tenant row. */
  readonly sql: Sql;
  /** As `sql`, for the lease: on connections of its own, which are lost when a statement has no answer within 2 s. */
  readonly lease: Sql;
  readonly #options: DatabaseOptions;
  readonly #pools: Pools;
  readonly #calls = new NamedCalls();

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.#pools = new Pools(options.url, options.onError);
    this.sql = loginSql(this.#pools, "control");
    this.lease = loginSql(this.#pools, "lease");
  }

  /** Calls a hot function: one round trip, one transaction. */
  call<Row extends object, Answer extends object>(
    fn: HotFunction<Row, Answer>,
    rows: readonly NoInfer<Row>[],
    now: number,
  ): Promise<Answer[]> {
    return this.#call("work", fn, JSON.stringify(rows), now, spanOf(fn, rows));
  }

  /** As `call`, with rows already rendered as JSON texts: a batch knows the size of each. `span` is that of the rows. */
  callTexts<Answer extends object>(
    fn: HotFunction<never, Answer>,
    rows: readonly string[],
    now: number,
    span: Span | null = null,
  ): Promise<Answer[]> {
    return this.#call("work", fn, `[${rows.join(",")}]`, now, span);
  }

  /** As `callTexts` for one row, on the small pool kept for rows whose batch failed. */
  callSolo<Answer extends object>(fn: HotFunction<never, Answer>, row: string, now: number): Promise<Answer[]> {
    return this.#call("solo", fn, `[${row}]`, now, null);
  }

  async #call<Answer extends object>(
    pool: PoolName,
    fn: HotFunction<never, Answer>,
    rows: string,
    now: number,
    span: Span | null,
  ): Promise<Answer[]> {
    const limits = this.#pools.limits();
    const ids = fn.span === null ? [] : (span ?? ALL_IDS);
    let again = false;
    let overtaken = 0;
    for (let lost = 0; ; ) {
      const call = randomUUID();
      // A call that is known to be done, or that writes nothing, needs no look-up after it: its answer may take all of the time.
      const by: Deadline = again || (lost > 0 && !fn.writes) ? limits.end : lost > 0 ? limits.retry : limits.call;
      const tried: Tried<Answer> = await this.#try(pool, fn, [rows, isoTime(now), call, String(again), ...ids], by);
      if (tried.kind === "answered") return tried.rows;
      const error: unknown = tried.error;
      if (tried.kind === "lost") {
        lost += 1;
        // The lost call may still be running: wait until its outcome is certain, then call again for the true answer.
        const outcome: CommitOutcome =
          fn.writes && !isReadOnlyServer(error) ? await resolveCommit(this.#pools, call, limits.end) : "never";
        if (outcome === "unknown") throw new CommitUnknown("the database could not be asked", { cause: error });
        again = again || outcome === "committed";
        if (!again && lost < MOST_TRIES && isAhead(limits.retry)) continue;
      } else if (tried.kind === "refused" && isOvertaken(error) && overtaken++ < MOST_TRIES && isAhead(by)) continue;
      if (!again) throw tried.kind === "lost" ? unavailable(error) : error;
      // An earlier call has committed: this error would be wrong.
      if (tried.kind === "refused" || !isAhead(limits.end))
        throw new CommitUnknown(`${fn.name} was done, and its answer cannot be had`, { cause: error });
      await pause(BETWEEN_TRIES_MS);
    }
  }

  async #try<Answer extends object>(
    pool: PoolName,
    fn: HotFunction<never, Answer>,
    values: readonly string[],
    by: Deadline,
  ): Promise<Tried<Answer>> {
    let connection: LentConnection;
    try {
      connection = await connect(this.#pools, pool, by);
    } catch (error) {
      return { kind: "not_sent", error };
    }
    try {
      return { kind: "answered", rows: await this.#calls.run<Answer>(connection, fn.installed, values) };
    } catch (error) {
      this.#noteMissing(error);
      return connection.lost ? { kind: "lost", error } : { kind: "refused", error: faultOf(error, connection) };
    } finally {
      connection.release();
    }
  }

  #noteMissing(error: unknown): void {
    const name = missingFunction(error);
    if (name !== null) this.#options.onMissingFunction?.(name);
  }

  /**
   * One transaction of one workspace, as role `app`: row-level security hides all other workspaces. Rolled back when `fn`
   * throws. When the answer to the commit is lost, the outcome is looked up; rejects with `CommitUnknown` when it cannot be.
   */
  transaction<T>(workspaceId: string, fn: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#inTransaction(workspaceId, fn, true);
  }

  /** As `transaction`, read only. */
  read<T>(workspaceId: string, fn: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#inTransaction(workspaceId, fn, false);
  }

  async #inTransaction<T>(workspaceId: string, fn: (sql: Sql) => Promise<T>, writes: boolean): Promise<T> {
    const pools = this.#pools;
    if (!UUID.test(workspaceId)) throw new Error("a transaction needs a workspace id");
    const call = randomUUID();
    const limits = pools.limits();
    // One packet: begin, role and workspace. The ids are checked above or created here, so the text needs no parameters.
    const begin = `begin${writes ? "" : " read only"}; set local role ${pg.escapeIdentifier(this.#options.appRole)}; select set_config('app.workspace_id', '${workspaceId}', true)${writes ? `; insert into flight (id) values ('${call}')` : ""}`;
    const connection = await openTransaction(pools, begin, limits.call, writes);
    let result: { value: T } | null = null;
    try {
      result = { value: await fn(sqlOf(connection)) };
      const { command } = await send(connection, "commit");
      // After a failed statement that `fn` ignored, the server rolls back, and reports it only here.
      if (command !== "COMMIT") throw new Error("the transaction was rolled back: a statement in it had failed");
      return result.value;
    } catch (error) {
      this.#noteMissing(error);
      if (connection.lost) connection.release();
      else await connection.query("rollback").catch(() => {});
      // Before the commit was sent nothing can have happened; after it, only the mark in `flight` says what did.
      if (result === null || !writes || !connection.lost) throw error;
      const outcome = await resolveCommit(pools, call, limits.end);
      if (outcome === "committed") return result.value;
      if (outcome === "never")
        throw new DatabaseUnavailable("the connection to the database was lost before the commit", { cause: error });
      throw new CommitUnknown("the database could not be asked whether it committed", { cause: error });
    } finally {
      connection.release();
    }
  }

  /** A batch has ended (`BatchedCalls`). */
  batchEnded(batch: EndedBatch): void {
    this.#options.onBatch?.(batch);
  }

  /** False while the database is silent. */
  get isAnswering(): boolean {
    return this.#pools.isAnswering;
  }

  /** Connections of each pool, and the callers that wait for one. */
  connections(): PoolUse[] {
    return this.#pools.use();
  }

  /** The process is stopping: from now on no statement waits longer than 2 s for an answer. */
  hurry(): void {
    this.#pools.hurry();
  }

  close(): Promise<void> {
    return this.#pools.end();
  }
}

type Tried<Answer> =
  | { kind: "answered"; rows: Answer[] }
  /** `refused`: the server did nothing; `not_sent`: there was no connection; `lost`: nothing is known. */
  | { kind: "refused" | "not_sent" | "lost"; error: unknown };

/** Retries when the connection turns out to be lost at the first statement: nothing has happened yet. */
async function openTransaction(pools: Pools, begin: string, by: Deadline, writes: boolean): Promise<LentConnection> {
  for (let lost = 1; ; lost++) {
    const connection = await connect(pools, "work", by, !writes);
    try {
      await connection.query(begin);
      return connection;
    } catch (error) {
      if (!connection.lost) await connection.query("rollback").catch(() => {});
      connection.release();
      if (!connection.lost || lost === MOST_TRIES || !isAhead(by)) throw faultOf(error, connection);
    }
  }
}

const isAhead = (by: Deadline): boolean => performance.now() + BETWEEN_TRIES_MS < by();

async function connect(pools: Pools, pool: PoolName, by: Deadline, reads = false): Promise<LentConnection> {
  try {
    return await pools.lend(pool, by, reads);
  } catch (error) {
    throw new DatabaseUnavailable("the database cannot be reached", { cause: error });
  }
}

const unavailable = (cause: unknown): DatabaseUnavailable =>
  new DatabaseUnavailable("the connection to the database was lost", { cause });

/** The error that the caller of a failed statement gets. */
function faultOf(error: unknown, connection: LentConnection): unknown {
  if (connection.lost) return unavailable(error);
  return isShortOfRoom(error) ? new DatabaseUnavailable("the database has run out of room", { cause: error }) : error;
}

async function send<Row extends object>(connection: LentConnection, text: string, values?: readonly SqlValue[]) {
  try {
    return await connection.query<Row>(text, values);
  } catch (error) {
    throw faultOf(error, connection);
  }
}

const sqlOf = (connection: LentConnection): Sql => ({
  query: async <Row extends object>(text: string, values?: readonly SqlValue[]) =>
    (await send<Row>(connection, text, values)).rows,
  run: async (text, values) => (await send(connection, text, values)).rowCount ?? 0,
});

function loginSql(pools: Pools, pool: PoolName): Sql {
  const run = async <T>(work: (sql: Sql) => Promise<T>): Promise<T> => {
    const connection = await connect(pools, pool, pools.limits().call);
    try {
      return await work(sqlOf(connection));
    } finally {
      connection.release();
    }
  };
  return {
    query: (text, values) => run((sql) => sql.query(text, values)),
    run: (text, values) => run((sql) => sql.run(text, values)),
  };
}
