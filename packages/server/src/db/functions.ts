import { escapeIdentifier } from "pg";
import type { Sql } from "./database.ts";
import type { HotFunction } from "./hot-function.ts";
import { type Installed, withInner } from "./inner-function.ts";
import { joinText, leaveText, type Roles, rolesFault } from "./roles.ts";
import { inOneTransaction, whileBusy } from "./session.ts";

/** A version that no process has run for this long does not start again without a `migrate` of its own. */
const UNUSED_AFTER = "7 days";

/**
 * Installs what is missing. The login owns the tables but may see no row of them, so it is a member of the engine role only
 * inside the one transaction that installs: outside, the engine's policies would reach an inheriting member.
 */
export async function installFunctions(sql: Sql, roles: Roles, functions: readonly HotFunction[]): Promise<void> {
  // Marked as used first: a function that was installed and never marked would never be dropped.
  const all = withInner(functions);
  const names = all.map((fn) => fn.installed);
  const missing = new Set(await keepFunctions(sql, names));
  if (missing.size === 0) return;
  const install = () =>
    inOneTransaction(sql, () =>
      installMissing(
        sql,
        roles,
        all.filter((fn) => missing.has(fn.installed)),
        functions,
      ),
    );
  try {
    // Databases of a cluster that share their roles wait here for each other's membership.
    await whileBusy(install);
  } catch (error) {
    throw await rolesFault(sql, roles, error);
  }
}

async function installMissing(
  sql: Sql,
  roles: Roles,
  missing: readonly Installed[],
  called: readonly HotFunction[],
): Promise<void> {
  const [engine, app] = [roles.engineRole, roles.appRole].map(escapeIdentifier);
  await sql.run(`${joinText(roles)}; grant create on schema public to ${engine}`);
  const byApp = new Set(called.map((fn) => fn.installed));
  for (const { text, installed } of missing) {
    await sql.run(text);
    const grant = byApp.has(installed) ? `grant execute on function ${installed} to ${app};` : "";
    // The owner last: a login that inherits nothing could not change the function afterwards.
    await sql.run(
      `revoke execute on function ${installed} from public; ${grant} alter function ${installed} owner to ${engine}`,
    );
  }
  await sql.run(`revoke create on schema public from ${engine}; ${leaveText(roles)}`);
}

/** Records that this version still uses its functions; returns the names that are not installed. */
export async function keepFunctions(sql: Sql, names: readonly string[]): Promise<string[]> {
  // In one order, so that two processes never wait for each other in a circle.
  await sql.run(
    `insert into function_use (name) select name from unnest($1::text[]) name order by name
     on conflict (name) do update set last_used = clock_timestamp()`,
    [[...names]],
  );
  const rows = await sql.query<{ name: string }>(
    `select name from unnest($1::text[]) name where to_regproc(name) is null`,
    [[...names]],
  );
  return rows.map(({ name }) => name);
}

/** Drops the functions of versions that no process runs any more; returns their names. `lock` keeps installers out. */
export async function dropUnusedFunctions(sql: Sql, lock: number): Promise<string[]> {
  return await inOneTransaction(sql, async () => {
    await sql.run("select pg_advisory_xact_lock($1)", [lock]);
    const rows = await sql.query<{ name: string }>(
      `delete from function_use where last_used < clock_timestamp() - interval '${UNUSED_AFTER}' returning name`,
    );
    // The schema's owner may drop what others own in it.
    for (const { name } of rows) await sql.run(`drop function if exists ${escapeIdentifier(name)}`);
    return rows.map(({ name }) => name);
  });
}
