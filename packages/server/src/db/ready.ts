import { readdirSync } from "node:fs";
import type { Sql } from "./database.ts";
import { MIGRATIONS } from "./migrate.ts";
import type { Roles } from "./roles.ts";

/** What keeps a process from work, null where nothing does. */
export type DatabaseFaults = { migrations: string | null; roles: string | null };

/** Asks whether the database has all migrations of this version, and whether the login is what it must be to the two roles. */
export async function findFaults(sql: Sql, roles: Roles): Promise<DatabaseFaults> {
  const [found] = await sql.query<{ applied: string[]; app: boolean; open: boolean }>(
    `select array(select name from migration)::text[] as applied, pg_has_role(current_user, $1, 'member') as app,
       pg_has_role(current_user, $2, 'usage') and not (select rolsuper from pg_roles where rolname = current_user) as open`,
    [roles.appRole, roles.engineRole],
  );
  const applied = new Set(found?.applied);
  const pending = migrationNames().filter((name) => !applied.has(name));
  return {
    migrations: pending.length === 0 ? null : `not applied: ${pending.join(", ")}`,
    roles: !found?.app
      ? `the login is no member of ${roles.appRole}`
      : found.open
        ? `the login inherits from ${roles.engineRole}`
        : null,
  };
}

let names: string[] | null = null;

function migrationNames(): string[] {
  names ??= readdirSync(MIGRATIONS)
    .filter((file) => file.endsWith(".sql"))
    .map((file) => file.slice(0, -".sql".length))
    .sort();
  return names;
}
