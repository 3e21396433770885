import { readdir } from "node:fs/promises";
import { isLockTimeout } from "./connect.ts";
import type { Sql } from "./database.ts";
import { databaseNow, MIGRATIONS } from "./migrate.ts";
import { ensureRoles, joinText, type Roles, rolesFault } from "./roles.ts";
import { LOOK_ANSWER_MS, whileBusy, withLongSession } from "./session.ts";

/** The state of a database as seen by this version. Inspecting changes nothing. */
export type Inspection = {
  /** For example `15.18`, and the same as a number for comparisons. */
  version: string;
  versionNumber: number;
  /** By how much the database's clock is ahead of this machine's, in milliseconds. */
  clockAheadMs: number;
  /** Missing or superfluous privileges of the login; `fault` is null when all is well. */
  roles: { fault: Error | null; warnings: string[] };
  /** Names of migrations and hot functions that are not installed yet. */
  pendingMigrations: string[];
  missingFunctions: string[];
};

/** Inspects the database of `url`, which must not lead through a transaction pooler. Rejects when it cannot be reached. */
export const inspectDatabase = (url: string, functions: readonly string[]): Promise<Inspection> =>
  withLongSession(url, "doctor", (sql) => inspect(sql, functions), LOOK_ANSWER_MS);

async function inspect(sql: Sql, functions: readonly string[]): Promise<Inspection> {
  const [server] = await sql.query<{ version: string; number: number }>(
    "select current_setting('server_version') as version, current_setting('server_version_num')::int as number",
  );
  return {
    version: server?.version ?? "",
    versionNumber: server?.number ?? 0,
    clockAheadMs: (await databaseNow(sql)) - Date.now(),
    // Roles are busy while another database of the cluster installs.
    roles: await whileBusy(() => tryRoles(sql)),
    pendingMigrations: await pendingMigrations(sql),
    missingFunctions: await missingFunctions(sql, functions),
  };
}

/** Does what `migrate` does with the roles, then rolls back: the only reliable way to find out what a login may do. */
async function tryRoles(sql: Sql): Promise<Inspection["roles"]> {
  const warnings: string[] = [];
  const tried = inSavepoints(sql);
  await sql.run("begin");
  try {
    const roles = await ensureRoles(tried, (text) => void warnings.push(text));
    await tryJoining(tried, roles);
    return { fault: null, warnings };
  } catch (error) {
    if (isLockTimeout(error)) throw error;
    return { fault: error instanceof Error ? error : new Error(String(error)), warnings };
  } finally {
    await sql.run("rollback");
  }
}

async function tryJoining(sql: Sql, roles: Roles): Promise<void> {
  try {
    await sql.run(joinText(roles));
  } catch (error) {
    throw await rolesFault(sql, roles, error);
  }
}

/** A statement that fails is rolled back alone, so that the next one can still query the reason. */
function inSavepoints(sql: Sql): Sql {
  const guarded = async <T>(statement: () => Promise<T>): Promise<T> => {
    await sql.run("savepoint one");
    try {
      const result = await statement();
      await sql.run("release savepoint one");
      return result;
    } catch (error) {
      await sql.run("rollback to savepoint one");
      throw error;
    }
  };
  return {
    query: <Row extends object>(...statement: Parameters<Sql["query"]>) => guarded(() => sql.query<Row>(...statement)),
    run: (...statement) => guarded(() => sql.run(...statement)),
  };
}

async function pendingMigrations(sql: Sql): Promise<string[]> {
  const names = (await readdir(MIGRATIONS))
    .filter((file) => file.endsWith(".sql"))
    .map((file) => file.slice(0, -".sql".length))
    .sort();
  const known = await sql.query<{ there: string | null }>("select to_regclass('migration')::text as there");
  if (!known[0]?.there) return names;
  const done = new Set((await sql.query<{ name: string }>("select name from migration")).map(({ name }) => name));
  return names.filter((name) => !done.has(name));
}

async function missingFunctions(sql: Sql, functions: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select name from unnest($1::text[]) name
     where not exists (select 1 from pg_proc where proname = name and pronamespace = 'public'::regnamespace) order by name`,
    [[...functions]],
  );
  return rows.map(({ name }) => name);
}
