import { readdir } from "node:fs/promises";
import type { Sql } from "./database.ts";
import { databaseNow, MIGRATIONS } from "./migrate.ts";
import { ensureRoles, joinText, type Roles, rolesFault } from "./roles.ts";
import { LOOK_ANSWER_MS, withLongSession } from "./session.ts";

/** What a database is to this version; nothing is changed by looking. */
export type Inspection = {
  /** Such as `15.18`, and the same as a number that can be compared. */
  version: string;
  versionNumber: number;
  /** Of the database against this machine. */
  clockAheadMs: number;
  /** What the login may not do, or does and should not; null: all is well. */
  roles: { fault: Error | null; warnings: string[] };
  /** Names of migrations, and of hot functions, that are still to be installed. */
  pendingMigrations: string[];
  missingFunctions: string[];
};

/** Looks at the database of `url`, which must not lead through a transaction pooler. Rejects when it cannot be reached. */
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
    roles: await tryRoles(sql),
    pendingMigrations: await pendingMigrations(sql),
    missingFunctions: await missingFunctions(sql, functions),
  };
}

/** Does what `migrate` does about the roles, and takes it back: the only sure answer to what a login may do. */
async function tryRoles(sql: Sql): Promise<Inspection["roles"]> {
  const warnings: string[] = [];
  const tried = inSavepoints(sql);
  await sql.run("begin");
  try {
    const roles = await ensureRoles(tried, (text) => void warnings.push(text));
    await tryJoining(tried, roles);
    return { fault: null, warnings };
  } catch (error) {
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

/** A statement that fails is undone alone, so that the next one may still ask why. */
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
