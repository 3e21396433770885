import { createHash } from "node:crypto";
import { escapeIdentifier } from "pg";
import { sqlState } from "../lib/error-fields.ts";
import type { Sql } from "./database.ts";

/**
 * The two roles of an installation, neither of which may log in. `app` works in one workspace; `engine` owns the hot
 * functions and sees all workspaces. Roles are cluster-wide, so their names contain the database's.
 */
export type Roles = { appRole: string; engineRole: string };

/** The installation cannot go on; the message says what to do. Printed as one line, without a stack. */
export class InstallError extends Error {
  override readonly name = "InstallError";
}

type Login = {
  creates: boolean;
  name: string;
  super: boolean;
  version: number;
  database: string;
};

/** From 16 on a membership has options of its own: an administrator of a role need not inherit from it. */
const MEMBERSHIP_OPTIONS = 160_000;
/** In bytes: PostgreSQL truncates longer names, and two databases could then share their roles. */
const LONGEST_NAME = 63;
const HASH_LENGTH = 8;
const INSUFFICIENT_PRIVILEGE = "42501";

/** The roles of an installed database; null before its first migration. */
export async function storedRoles(sql: Sql): Promise<Roles | null> {
  const known = await sql.query<{ there: string | null }>("select to_regclass('installation')::text as there");
  if (!known[0]?.there) return null;
  const rows = await sql.query<Roles>('select app_role as "appRole", engine_role as "engineRole" from installation');
  return rows[0] ?? null;
}

/** Creates missing roles, makes the login a member of `app`, and makes sure that it does not inherit from `engine`. */
export async function ensureRoles(sql: Sql, warn: (text: string) => void): Promise<Roles> {
  const login = await readLogin(sql);
  const roles = (await storedRoles(sql)) ?? {
    appRole: roleName("app", login.database),
    engineRole: roleName("engine", login.database),
  };
  if (login.super)
    warn(
      `DATABASE_URL's login ${login.name} is a superuser, to which row-level security does not apply: use a login of its own with CREATEROLE, owner of the database`,
    );
  await createRoles(sql, roles, login);
  if (!login.creates)
    throw new InstallError(
      `DATABASE_URL's login ${login.name} may create nothing in the database: make it the owner (alter database … owner to …), or let it create in the schema public`,
    );
  if (!login.super) await leaveEngine(sql, roles, login);
  return roles;
}

async function readLogin(sql: Sql): Promise<Login> {
  const rows = await sql.query<Login>(
    `select rolname as name, rolsuper as super, has_schema_privilege('public', 'create') as creates,
       current_setting('server_version_num')::int as version, current_database() as database
     from pg_roles where rolname = current_user`,
  );
  if (!rows[0]) throw new Error("the login is no role");
  return rows[0];
}

async function createRoles(sql: Sql, roles: Roles, login: Login): Promise<void> {
  try {
    for (const role of [roles.appRole, roles.engineRole]) {
      const known = await sql.query("select 1 from pg_roles where rolname = $1", [role]);
      if (known.length === 0) await sql.run(`create role ${escapeIdentifier(role)} nologin`);
    }
    const mode = login.version >= MEMBERSHIP_OPTIONS ? "set" : "member";
    const rows = await sql.query<{ app: boolean }>("select pg_has_role(current_user, $1, $2) as app", [
      roles.appRole,
      mode,
    ]);
    // Only when needed: processes of several databases that share a login would conflict on this catalogue row.
    if (!rows[0]?.app) await sql.run(`grant ${escapeIdentifier(roles.appRole)} to current_user`);
  } catch (error) {
    throw await rolesFault(sql, roles, error);
  }
}

/** SQL that makes the login a member of `engine`, as installing functions requires, until a rollback or `leaveText`. */
export const joinText = (roles: Roles): string => `grant ${escapeIdentifier(roles.engineRole)} to current_user`;
export const leaveText = (roles: Roles): string => `revoke ${escapeIdentifier(roles.engineRole)} from current_user`;

/** An `InstallError` with the remedy when `error` is a missing privilege; any other error unchanged. */
export async function rolesFault(sql: Sql, roles: Roles, error: unknown): Promise<unknown> {
  return sqlState(error) === INSUFFICIENT_PRIVILEGE ? rolesByAdministrator(roles, await readLogin(sql), error) : error;
}

/**
 * The engine's policies would apply to a member that inherits, so it would see every workspace. Memberships left behind by a
 * crash, or granted by an administrator, are revoked; one that the login may not revoke stops the start.
 */
async function leaveEngine(sql: Sql, roles: Roles, login: Login): Promise<void> {
  if (!(await inheritsEngine(sql, roles))) return;
  const direct = await sql.query<{ grantor: string }>(
    `select pg_get_userbyid(m.grantor) as grantor from pg_auth_members m
     where m.roleid = $1::text::regrole and m.member = current_user::regrole${login.version >= MEMBERSHIP_OPTIONS ? " and m.inherit_option" : ""}`,
    [escapeIdentifier(roles.engineRole)],
  );
  try {
    for (const { grantor } of direct) {
      const by = login.version >= MEMBERSHIP_OPTIONS ? ` granted by ${escapeIdentifier(grantor)}` : "";
      await sql.run(`revoke ${escapeIdentifier(roles.engineRole)} from current_user${by}`);
    }
  } catch (error) {
    if (sqlState(error) !== INSUFFICIENT_PRIVILEGE) throw error;
  }
  if (await inheritsEngine(sql, roles))
    throw new InstallError(
      `DATABASE_URL's login ${login.name} inherits from the role ${roles.engineRole}, so it would see every workspace; an administrator must mend it: ${grantByAdministrator(roles, login)}`,
    );
}

/** True when the policies of `engine` apply to the login without `set role`. Never called for a superuser. */
async function inheritsEngine(sql: Sql, roles: Roles): Promise<boolean> {
  const rows = await sql.query<{ inherits: boolean }>("select pg_has_role(current_user, $1, 'usage') as inherits", [
    roles.engineRole,
  ]);
  return rows[0]?.inherits ?? false;
}

function rolesByAdministrator(roles: Roles, login: Login, cause: unknown): InstallError {
  const [app, engine, name] = [roles.appRole, roles.engineRole, login.name].map(escapeIdentifier);
  return new InstallError(
    `DATABASE_URL's login ${login.name} needs CREATEROLE, or an administrator makes the two roles: create role ${app} nologin; create role ${engine} nologin; grant ${app} to ${name}; ${grantByAdministrator(roles, login)}`,
    { cause },
  );
}

// The login must be able to become a member for one transaction, and inherit nothing before and after. Version 15 has no
// membership without inheritance, so there a role that does not inherit is put between the two.
function grantByAdministrator(roles: Roles, login: Login): string {
  const [engine, name] = [roles.engineRole, login.name].map(escapeIdentifier);
  if (login.version >= MEMBERSHIP_OPTIONS)
    return `revoke ${engine} from ${name}; grant ${engine} to ${name} with admin true, inherit false, set false`;
  const between = escapeIdentifier(fitName(`${roles.engineRole}_admin`));
  return `create role ${between} nologin noinherit; grant ${engine} to ${between} with admin option; grant ${between} to ${name}; revoke ${engine} from ${name}`;
}

const roleName = (kind: string, database: string): string => fitName(`waypost_${kind}_${database}`);

function fitName(name: string): string {
  if (Buffer.byteLength(name) <= LONGEST_NAME) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, HASH_LENGTH);
  let head = name;
  while (Buffer.byteLength(head) > LONGEST_NAME - HASH_LENGTH - 1) head = head.slice(0, -1);
  return `${head}_${hash}`;
}
