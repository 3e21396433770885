import { readdirSync } from "node:fs";
import type { Sql } from "./database.ts";
import { MIGRATIONS } from "./migrate.ts";
import { currentPartitions } from "./partitions.ts";
import type { Roles } from "./roles.ts";

/** What keeps a process from working; null where all is well. */
export type DatabaseFaults = { migrations: string | null; roles: string | null; partitions: string | null };

type Found = { applied: string[]; app: boolean; open: boolean; missing: string[] };

/**
 * Checks that the database has all migrations of this version and the partitions of today and tomorrow, and that the login has
 * the right memberships in the two roles.
 */
export async function findFaults(sql: Sql, roles: Roles, nowMs: number): Promise<DatabaseFaults> {
  const partitions = currentPartitions(nowMs);
  const [found] = await sql.query<Found>(
    `select array(select name from migration)::text[] as applied, pg_has_role(current_user, $1, 'member') as app,
       pg_has_role(current_user, $2, 'usage') and not (select rolsuper from pg_roles where rolname = current_user) as open,
       array(select p.name from unnest($3::text[], $4::text[]) p(name, parent) where not exists (select from pg_inherits i
         where i.inhrelid = to_regclass(p.name) and i.inhparent = to_regclass(p.parent) and not i.inhdetachpending) order by 1) as missing`,
    [roles.appRole, roles.engineRole, partitions.map(({ name }) => name), partitions.map(({ table }) => table)],
  );
  const applied = new Set(found?.applied);
  const pending = migrationNames().filter((name) => !applied.has(name));
  const missing = found?.missing ?? [];
  return {
    migrations: pending.length === 0 ? null : `not applied: ${pending.join(", ")}`,
    roles: !found?.app
      ? `the login is no member of ${roles.appRole}`
      : found.open
        ? `the login inherits from ${roles.engineRole}`
        : null,
    partitions: missing.length === 0 ? null : `missing: ${missing.join(", ")}`,
  };
}

/** Migrations of the database, and those of this version that it does not have, each by name and in order. */
export async function migrationState(sql: Sql): Promise<{ applied: string[]; pending: string[] }> {
  const rows = await sql.query<{ name: string }>("select name from migration order by name");
  const applied = rows.map(({ name }) => name);
  const has = new Set(applied);
  return { applied, pending: migrationNames().filter((name) => !has.has(name)) };
}

let names: string[] | null = null;

function migrationNames(): string[] {
  names ??= readdirSync(MIGRATIONS)
    .filter((file) => file.endsWith(".sql"))
    .map((file) => file.slice(0, -".sql".length))
    .sort();
  return names;
}
