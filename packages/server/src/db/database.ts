import { randomUUID } from "node:crypto";
import {
  type Connection,
  isConnectionLoss,
  isOvertaken,
  lockedTable,
  missingFunction,
  openPools,
  type Pools,
} from "./connect.ts";
import { askFate } from "./fence.ts";
import type { HotFunction } from "./hot-function.ts";

/** A value the driver can bind; objects are sent as JSON text. */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | Date
  | readonly (string | number | boolean | null)[]
  | object;

/** A running transaction, or single statements of the login. Column names come back as written. */
export type Sql = {
  query<Row extends object>(text: string, values?: readonly SqlValue[]): Promise<Row[]>;
  /** Rows changed by an insert, update or delete. */
  run(text: string, values?: readonly SqlValue[]): Promise<number>;
};

export type Database = {
  /**
   * One transaction of one workspace, as role `app`: row-level security shows nothing else. Rolled back on any throw. A
   * lost commit answer is fenced, so the promise tells the truth or rejects with `CommitUnknown`.
   */
  transaction<T>(workspaceId: string, fn: (sql: Sql) => Promise<T>): Promise<T>;
  /** As `transaction`, read only. */
  read<T>(workspaceId: string, fn: (sql: Sql) => Promise<T>): Promise<T>;
  /** Calls a hot function with rows already rendered as JSON texts: one round trip, one transaction. */
  call<Answer extends object>(fn: HotFunction, rows: readonly string[], now: number): Promise<Answer[]>;
  /** As `call` for one row, on the small pool kept for rows whose batch failed. */
  callSolo<Answer extends object>(fn: HotFunction, row: string, now: number): Promise<Answer[]>;
  /** The login itself, for leases and other tables without a workspace. Sees no tenant row. */
  sql: Sql;
  close(): Promise<void>;
};

/** The database is away or overloaded; nothing was done. */
export class DatabaseUnavailable extends Error {
  override readonly name = "DatabaseUnavailable";
}

/** Somebody else holds a lock for longer than this call was willing to wait; nothing was done. */
export class LockHeld extends DatabaseUnavailable {
  /** Where the lock is; null when the server did not tell. */
  readonly table: string | null;
  constructor(call: string, cause: unknown) {
    super(`${call} waited too long for a lock`, { cause });
    this.table = lockedTable(cause);
  }
}

/** The answer to a commit was lost and the database could not be asked in time: it may or may not have happened. */
export class CommitUnknown extends Error {
  override readonly name = "CommitUnknown";
}

/** Calls that are lost, or overtaken, in a row: three say that the next would be too. */
const MOST_TRIES = 3;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export type DatabaseOptions = {
  url: string;
  appRole: string;
  onError(error: Error): void;
  /** A hot function of this version is not there any more: the process cannot go on. */
  onMissingFunction?(name: string): void;
};

export function openDatabase(options: DatabaseOptions): Database {
  const pools = openPools(options.url, options.onError);
  const noticing = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      const name = missingFunction(error);
      if (name !== null) options.onMissingFunction?.(name);
      throw error;
    }
  };
  return {
    transaction: (workspaceId, fn) => noticing(inTransaction(pools, options.appRole, workspaceId, fn, true)),
    read: (workspaceId, fn) => noticing(inTransaction(pools, options.appRole, workspaceId, fn, false)),
    call: (fn, rows, now) => noticing(callFunction(pools, pools.work, fn, `[${rows.join(",")}]`, now)),
    callSolo: (fn, row, now) => noticing(callFunction(pools, pools.solo, fn, `[${row}]`, now)),
    sql: loginSql(pools),
    close: () => pools.end(),
  };
}

async function inTransaction<T>(
  pools: Pools,
  role: string,
  workspaceId: string,
  fn: (sql: Sql) => Promise<T>,
  writes: boolean,
): Promise<T> {
  if (!UUID.test(workspaceId)) throw new Error("a transaction needs a workspace id");
  const call = randomUUID();
  const connection = await connect(pools.work);
  let result: { value: T } | null = null;
  let verb = false;
  try {
    // One packet: begin, role and workspace. The ids are checked above or made here, so the text needs no binding.
    await connection.query(
      `begin${writes ? "" : " read only"}; set local role ${quote(role)}; select set_config('app.workspace_id', '${workspaceId}', true)${writes ? `; insert into flight (id) values ('${call}')` : ""}`,
    );
    verb = true;
    result = { value: await fn(sqlOf(connection)) };
    verb = false;
    await connection.query("commit");
    connection.release();
    return result.value;
  } catch (error) {
    // What the verb throws of its own is no loss: only the driver's errors in it are, and sqlOf marks them.
    if (verb ? !(error instanceof DatabaseUnavailable) : !isConnectionLoss(error)) {
      await rollback(connection);
      throw error;
    }
    connection.release(true);
    if (verb) throw error;
    // Before commit was sent nothing can have happened; after it, only the fence knows.
    if (result === null || !writes)
      throw new DatabaseUnavailable("the connection to the database was lost", { cause: error });
    const fate = await askFate(pools.control, call);
    if (fate === "committed") return result.value;
    if (fate === "never")
      throw new DatabaseUnavailable("the connection to the database was lost before the commit", { cause: error });
    throw new CommitUnknown("the database could not be asked whether it committed", { cause: error });
  }
}

async function callFunction<Answer extends object>(
  pools: Pools,
  pool: Pools["work"],
  fn: HotFunction,
  rows: string,
  now: number,
): Promise<Answer[]> {
  let again = false;
  let lost = 0;
  let overtaken = 0;
  for (;;) {
    const call = randomUUID();
    const connection = await connect(pool);
    try {
      const result = await connection.query<Answer>(`select * from ${fn.installed}($1, $2, $3, $4)`, [
        rows,
        new Date(now),
        call,
        again,
      ]);
      connection.release();
      return result.rows;
    } catch (error) {
      const broken = isConnectionLoss(error);
      connection.release(broken);
      if (!broken) {
        if (isOvertaken(error) && overtaken++ < MOST_TRIES) continue;
        // An earlier call did it: this failure is not the truth.
        throw again ? new CommitUnknown(`${fn.name} was done, and its answer cannot be had`, { cause: error }) : error;
      }
      lost += 1;
      if (fn.writes) {
        // The old call may still be running: wait until its fate is decided, then ask again for the true answer.
        const fate = await askFate(pools.control, call);
        if (fate === "unknown") throw new CommitUnknown("the database could not be asked", { cause: error });
        again = again || fate === "committed";
      }
      if (lost < MOST_TRIES) continue;
      const Failure = again ? CommitUnknown : DatabaseUnavailable;
      throw new Failure("the connection to the database was lost", { cause: error });
    }
  }
}

async function connect(pool: Pools["work"]): Promise<Connection> {
  try {
    return await pool.connect();
  } catch (error) {
    throw new DatabaseUnavailable("the database cannot be reached", { cause: error });
  }
}

async function rollback(connection: Connection): Promise<void> {
  try {
    await connection.query("rollback");
    connection.release();
  } catch {
    connection.release(true);
  }
}

function sqlOf(connection: Connection): Sql {
  const send = async <Row extends object>(text: string, values?: readonly SqlValue[]) => {
    try {
      return await connection.query<Row>(text, values as unknown[]);
    } catch (error) {
      throw isConnectionLoss(error)
        ? new DatabaseUnavailable("the connection to the database was lost", { cause: error })
        : error;
    }
  };
  return {
    query: async <Row extends object>(text: string, values?: readonly SqlValue[]) =>
      (await send<Row>(text, values)).rows,
    run: async (text, values) => (await send(text, values)).rowCount ?? 0,
  };
}

function loginSql(pools: Pools): Sql {
  const run = async <T>(fn: (connection: Connection) => Promise<T>): Promise<T> => {
    const connection = await connect(pools.control);
    try {
      const result = await fn(connection);
      connection.release();
      return result;
    } catch (error) {
      const lost = error instanceof DatabaseUnavailable;
      connection.release(lost);
      throw lost ? new DatabaseUnavailable("the connection to the database was lost", { cause: error }) : error;
    }
  };
  return {
    query: (text, values) => run((connection) => sqlOf(connection).query(text, values)),
    run: (text, values) => run((connection) => sqlOf(connection).run(text, values)),
  };
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
