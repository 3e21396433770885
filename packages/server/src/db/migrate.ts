import { fileURLToPath } from "node:url";
import { runner } from "node-pg-migrate";
import type { Client } from "pg";
import { openClient } from "./connect.ts";
import type { Sql, SqlValue } from "./database.ts";
import type { HotFunction } from "./hot-function.ts";
import { ensurePartitions } from "./partitions.ts";

const MIGRATIONS = fileURLToPath(new URL("../../migrations", import.meta.url));
/** One number for all installations: the lock is per database. */
const MIGRATION_LOCK = 4_919_202_611;
const OLDEST_SERVER = 150_000;
/** Bounds every statement that may write queue rows: a commit later than this would be seen only by the slow sweep. */
const STATEMENT_TIMEOUT = "8s";
const IDLE_IN_TRANSACTION_TIMEOUT = "30s";

export type Roles = { appRole: string; engineRole: string };
export type MigrateOptions = {
  functions: readonly HotFunction[] /** Slots of each kind of lane; stored at the first install. */;
  slots: number;
  now: number;
  log?: (text: string) => void;
};

/** The installation cannot go on; the message says what to do. One line, no stack. */
export class InstallError extends Error {
  override readonly name = "InstallError";
}

/** Brings the database up to this version: roles, migrations, partitions, functions. Ten processes may call it at once. */
export async function migrate(url: string, options: MigrateOptions): Promise<Roles> {
  const client = openClient(url, "migrate");
  await client.connect();
  try {
    // The lock first: who waits here finds everything done. Nothing else bounds how long a migration may take.
    await client.query("set statement_timeout = 0");
    await client.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await refuseOldServer(client);
    const roles = await ensureRoles(client);
    await client.query(
      "select set_config('waypost.app_role', $1, false), set_config('waypost.engine_role', $2, false), set_config('waypost.slots', $3, false)",
      [roles.appRole, roles.engineRole, String(options.slots)],
    );
    await runner({
      dbClient: client,
      dir: MIGRATIONS,
      migrationsTable: "migration",
      direction: "up",
      checkOrder: true,
      noLock: true, // ours is held, on this connection
      log: (text: string) => options.log?.(text),
    });
    await refuseOtherSlots(client, options.slots);
    await noticeRestore(client);
    await boundSessions(client);
    await ensurePartitions(sqlOfClient(client), options.now);
    await installFunctions(client, roles, options.functions);
    return roles;
  } finally {
    await client.end();
  }
}

/** The roles of an installed database; null before its first migration. */
export async function readRoles(url: string): Promise<Roles | null> {
  const client = openClient(url, "start");
  await client.connect();
  try {
    const known = await client.query<{ there: string | null }>("select to_regclass('installation')::text as there");
    return known.rows[0]?.there ? await storedRoles(client) : null;
  } finally {
    await client.end();
  }
}

async function refuseOldServer(client: Client): Promise<void> {
  const result = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  if ((result.rows[0]?.version ?? 0) < OLDEST_SERVER)
    throw new InstallError("DATABASE_URL needs PostgreSQL 15 or newer");
}

async function storedRoles(client: Client): Promise<Roles | null> {
  const result = await client.query<{ app_role: string; engine_role: string }>(
    "select app_role, engine_role from installation",
  );
  const row = result.rows[0];
  return row ? { appRole: row.app_role, engineRole: row.engine_role } : null;
}

// Roles are cluster-wide, so their names carry the database's: two installations in one cluster stay strangers.
async function ensureRoles(client: Client): Promise<Roles> {
  const installed = await client.query<{ there: string | null }>("select to_regclass('installation')::text as there");
  const stored = installed.rows[0]?.there ? await storedRoles(client) : null;
  const database = (await client.query<{ name: string }>("select current_database() as name")).rows[0]?.name ?? "";
  const roles = stored ?? { appRole: roleName("app", database), engineRole: roleName("engine", database) };
  for (const role of [roles.appRole, roles.engineRole]) {
    const found = await client.query("select 1 from pg_roles where rolname = $1", [role]);
    if (found.rowCount) continue;
    try {
      await client.query(`create role ${client.escapeIdentifier(role)} nologin`);
    } catch (error) {
      throw new InstallError(
        `DATABASE_URL's login needs CREATEROLE, or somebody must make the roles ${roles.appRole} and ${roles.engineRole} (nologin) and make the login a member of both with admin option`,
        { cause: error },
      );
    }
  }
  await client.query(`grant ${client.escapeIdentifier(roles.appRole)} to current_user`);
  return roles;
}

const LONGEST_ROLE_NAME = 63;
const roleName = (kind: string, database: string): string => `waypost_${kind}_${database}`.slice(0, LONGEST_ROLE_NAME);

async function refuseOtherSlots(client: Client, slots: number): Promise<void> {
  const stored = (await client.query<{ slots: number }>("select slots from installation")).rows[0]?.slots;
  if (stored !== slots)
    throw new InstallError(`this database was installed with ${stored} slots a lane kind, this version has ${slots}`);
}

// A dump restored into another cluster starts transaction numbers anew; the feed's cursor tells the ages apart by `era`.
async function noticeRestore(client: Client): Promise<void> {
  await client.query(
    "update installation set era = era + 1, system_identifier = s.id from (select system_identifier::text as id from pg_control_system()) s where system_identifier <> s.id",
  );
}

/** Bounds every session of this login in this database. A clone of a template database loses it. */
async function boundSessions(client: Client): Promise<void> {
  await client.query(`do $$ begin
    execute format('alter role %I in database %I set statement_timeout = ${quoteText(STATEMENT_TIMEOUT)}', current_user, current_database());
    execute format('alter role %I in database %I set idle_in_transaction_session_timeout = ${quoteText(IDLE_IN_TRANSACTION_TIMEOUT)}', current_user, current_database());
  end $$`);
}

const quoteText = (text: string): string => `''${text}''`;

// The login owns the tables but may see no row of them, so it is a member of the engine role only inside the one
// transaction that installs functions: outside it the policies would reach an inheriting member, and isolation fail open.
async function installFunctions(client: Client, roles: Roles, functions: readonly HotFunction[]): Promise<void> {
  const found = await client.query<{ name: string }>(
    "select proname as name from pg_proc where pronamespace = 'public'::regnamespace",
  );
  const present = new Set(found.rows.map((row) => row.name));
  const missing = functions.filter((fn) => !present.has(fn.installed));
  if (missing.length > 0) await createFunctions(client, roles, missing);
  for (const fn of functions) {
    await client.query(
      "insert into function_use (name) values ($1) on conflict (name) do update set last_used = clock_timestamp()",
      [fn.installed],
    );
  }
}

async function createFunctions(client: Client, roles: Roles, missing: readonly HotFunction[]): Promise<void> {
  const engine = client.escapeIdentifier(roles.engineRole);
  const app = client.escapeIdentifier(roles.appRole);
  await client.query("begin");
  try {
    await client.query(`grant ${engine} to current_user; grant create on schema public to ${engine}`);
    for (const fn of missing) {
      const signature = `${fn.installed}(json, timestamptz, uuid, boolean)`;
      await client.query(fn.text);
      await client.query(
        `alter function ${signature} owner to ${engine}; revoke execute on function ${signature} from public; grant execute on function ${signature} to ${app}`,
      );
    }
    await client.query(`revoke create on schema public from ${engine}; revoke ${engine} from current_user`);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

function sqlOfClient(client: Client): Sql {
  return {
    query: async <Row extends object>(text: string, values?: readonly SqlValue[]) =>
      (await client.query<Row>(text, values as unknown[])).rows,
    run: async (text, values) => (await client.query(text, values as unknown[])).rowCount ?? 0,
  };
}
