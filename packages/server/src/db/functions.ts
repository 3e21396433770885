import { escapeIdentifier } from "pg";
import type { Sql } from "./database.ts";
import type { HotFunction } from "./hot-function.ts";
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
  const names = functions.map((fn) => fn.installed);
  const missing = new Set(await keepFunctions(sql, names));
  if (missing.size === 0) return;
  const install = () => inOneTransaction(sql, () => installMissing(sql, roles, functions, missing));
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
  functions: readonly HotFunction[],
  missing: ReadonlySet<string>,
): Promise<void> {
  const [engine, app] = [roles.engineRole, roles.appRole].map(escapeIdentifier);
  await sql.run(`${joinText(roles)}; grant create on schema public to ${engine}`);
  for (const fn of functions.filter((each) => missing.has(each.installed))) {
    await sql.run(fn.text);
    // The owner last: a login that inherits nothing could not change the function afterwards.
    await sql.run(
      `revoke execute on function ${fn.installed} from public; grant execute on function ${fn.installed} to ${app}; alter function ${fn.installed} owner to ${engine}`,
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
