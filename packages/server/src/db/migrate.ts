import { readdir } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import type { Client } from "pg";
import { PACKAGE_FOLDER } from "../package-folder.ts";
import { closeClient, openClient } from "./connect.ts";
import type { Sql } from "./database.ts";
import { installFunctions } from "./functions.ts";
import type { HotFunction } from "./hot-function.ts";
import { buildIndexes, dropOldIndexes } from "./indexes.ts";
import { MIGRATION_LOCK, TURN_LOCK } from "./locks.ts";
import { ensurePartitions, finishDetaching } from "./partitions.ts";
import { ensureRoles, InstallError, type Roles, storedRoles } from "./roles.ts";
import { LOOK_ANSWER_MS, sqlOfClient, whileBusy, withLongSession } from "./session.ts";

/** Folder of the migrations of this version. */
export const MIGRATIONS = fileURLToPath(new URL("migrations", PACKAGE_FOLDER));
const OLDEST_SERVER = 150_000;
/** Bounds every statement that may write queue rows: a commit later than this would be seen only by the slow sweep. */
const STATEMENT_TIMEOUT = "8s";
const IDLE_IN_TRANSACTION_TIMEOUT = "30s";
/** Between two attempts to get the lock from another process. */
const TURN_PAUSE_MS = 100;
/** After this long without an answer the server is gone: building an index of a large table takes long. */
const ANSWER_MS = 2 * 3_600_000;

export type MigrateOptions = {
  functions: readonly HotFunction[];
  /** Slots of each kind of lane; stored at the first install. */
  slots: number;
  /** Milliseconds; the database's clock when none is given. */
  now?: number;
  log?: (text: string) => void;
  /** Called with what works but should be changed by the operator. */
  warn?: (text: string) => void;
  /** Called with the names of the migrations that were applied now; not where there were none. */
  onApplied?: (names: readonly string[]) => void;
};

/** Brings the database up to this version: roles, migrations, indexes, partitions, functions. Several processes may call it at once. */
export async function migrate(url: string, options: MigrateOptions): Promise<Roles> {
  const client = openClient(url, "migrate", ANSWER_MS);
  await client.connect();
  const sql = sqlOfClient(client);
  try {
    // A migration may take as long as it needs, but must not hold up the traffic that queues behind the lock it waits for.
    await client.query("set statement_timeout = 0; set lock_timeout = '1s'");
    // The lock first: a process that waited for it finds everything done.
    return await holding(sql, TURN_LOCK, async () => {
      const roles = await holding(sql, MIGRATION_LOCK, () => bringUp(client, sql, options));
      await buildIndexes(sql, options.log ?? (() => {}));
      await holding(sql, MIGRATION_LOCK, async () => {
        await whileBusy(async () => ensurePartitions(sql, options.now ?? (await databaseNow(sql))));
        await installFunctions(sql, roles, options.functions);
      });
      await dropOldIndexes(sql);
      return roles;
    });
  } finally {
    await closeClient(client);
  }
}

// Polls: a statement that waited would hold a snapshot, which a process that builds indexes waits for in turn.
async function holding<T>(sql: Sql, lock: number, work: () => Promise<T>): Promise<T> {
  for (;;) {
    const [taken] = await sql.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [lock]);
    if (taken?.mine) break;
    await pause(TURN_PAUSE_MS);
  }
  const result = await work();
  // After a failure the session ends, and its locks with it.
  await sql.run("select pg_advisory_unlock($1)", [lock]);
  return result;
}

async function bringUp(client: Client, sql: Sql, options: MigrateOptions): Promise<Roles> {
  await refuseOldServer(sql);
  const roles = await ensureRoles(sql, options.warn ?? (() => {}));
  await client.query(
    "select set_config('waypost.app_role', $1, false), set_config('waypost.engine_role', $2, false), set_config('waypost.slots', $3, false)",
    [roles.appRole, roles.engineRole, String(options.slots)],
  );
  const applied = await whileBusy(() => runMigrations(client, sql, options.log));
  if (applied.length > 0) options.onApplied?.(applied);
  await refuseOtherSlots(sql, options.slots);
  await recordRestore(sql);
  await boundSessions(sql);
  await whileBusy(() => finishDetaching(sql));
  return roles;
}

/** The roles of an installed database; null before its first migration. */
export const readRoles = (url: string): Promise<Roles | null> =>
  withLongSession(url, "start", storedRoles, LOOK_ANSWER_MS);

/** The database's clock in milliseconds. */
export async function databaseNow(sql: Sql): Promise<number> {
  const rows = await sql.query<{ now_ms: number }>(
    "select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms",
  );
  return rows[0]?.now_ms ?? Number.NaN;
}

/** All that are pending, in one transaction; resolves with their names. */
async function runMigrations(client: Client, sql: Sql, log?: (text: string) => void): Promise<string[]> {
  await refuseOtherOrder(sql);
  try {
    const applied = await runner({
      dbClient: client,
      dir: MIGRATIONS,
      migrationsTable: "migration",
      direction: "up",
      checkOrder: false, // `refuseOtherOrder` says what to do
      noLock: true, // MIGRATION_LOCK is held on this connection
      log: (text: string) => log?.(text),
    });
    return applied.map(({ name }) => name);
  } catch (error) {
    // The runner leaves the transaction of a migration that failed open, and nothing else could be done on this connection.
    await client.query("rollback").catch(() => {});
    throw error;
  }
}

/** A database that has migrations of a later version beyond these is fine; one that got others in between is not. */
async function refuseOtherOrder(sql: Sql): Promise<void> {
  const installed = await sql.query("select where to_regclass('migration') is not null");
  if (installed.length === 0) return;
  const done = (await sql.query<{ name: string }>("select name from migration order by run_on, id")).map(
    ({ name }) => name,
  );
  const known = (await readdir(MIGRATIONS)).map((file) => file.replace(/\.sql$/, "")).toSorted();
  const at = done.findIndex((name, index) => index < known.length && name !== known[index]);
  const [had, expected] = [done[at], known[at]];
  if (had === undefined || expected === undefined) return;
  throw new InstallError(
    known.includes(had)
      ? `migration ${expected} was never run on this database, and its number is below that of ${had}, which was: give it the next number (npm run migration)`
      : `this database has the migration ${had}, which this version does not know: start the version that made it, or a later one`,
  );
}

async function refuseOldServer(sql: Sql): Promise<void> {
  const rows = await sql.query<{ version: number }>("select current_setting('server_version_num')::int as version");
  if ((rows[0]?.version ?? 0) < OLDEST_SERVER) throw new InstallError("DATABASE_URL needs PostgreSQL 15 or newer");
}

async function refuseOtherSlots(sql: Sql, slots: number): Promise<void> {
  const stored = (await sql.query<{ slots: number }>("select slots from installation"))[0]?.slots;
  if (stored !== slots)
    throw new InstallError(`this database was installed with ${stored} slots a lane kind, this version has ${slots}`);
}

// In another cluster a restored dump restarts transaction numbers; `era` distinguishes cursors of the feed from before.
async function recordRestore(sql: Sql): Promise<void> {
  await sql.run(
    "update installation set era = era + 1, system_identifier = s.id from (select system_identifier::text as id from pg_control_system()) s where system_identifier <> s.id",
  );
}

/**
 * Sets what every session of this login in this database keeps to: the time of a statement, and one core for it, because a search
 * that takes several leaves none to sends. A clone of a template database loses them.
 */
async function boundSessions(sql: Sql): Promise<void> {
  await sql.run(`do $$ begin
    execute format('alter role %I in database %I set statement_timeout = ${quoteText(STATEMENT_TIMEOUT)}', current_user, current_database());
    execute format('alter role %I in database %I set idle_in_transaction_session_timeout = ${quoteText(IDLE_IN_TRANSACTION_TIMEOUT)}', current_user, current_database());
    execute format('alter role %I in database %I set max_parallel_workers_per_gather = 0', current_user, current_database());
  end $$`);
}

const quoteText = (text: string): string => `''${text}''`;
