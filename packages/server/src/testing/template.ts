import { randomBytes } from "node:crypto";
import { type Client, escapeIdentifier, escapeLiteral } from "pg";
import { install } from "../process/install.ts";
import { dropDatabase, withClient } from "./client.ts";

/** `url` is for the plain login that owns the database; `login` is set when it was created for this run. */
export type Template = { name: string; url: string; login: string | null };

/**
 * Creates a migrated database of this name. Tests never work as a superuser, to which row-level security does not apply: when
 * `serverUrl` is for one, a login is created with the attributes that an operator would give it (and CREATEDB, to clone).
 */
export async function makeTemplate(serverUrl: string, name: string): Promise<Template> {
  const { login, loginUrl } = await withClient(serverUrl, async (server) => {
    const { rows } = await server.query<{ super: boolean }>(
      "select rolsuper as super from pg_roles where rolname = current_user",
    );
    if (!rows[0]?.super) return { login: null, loginUrl: serverUrl };
    const password = randomBytes(16).toString("hex");
    // A run logs in thousands of times, and the usual 4,096 rounds are 3 ms of CPU time each. Servers before 16 have no such setting.
    await server.query("select set_config(name, '1', false) from pg_settings where name = 'scram_iterations'");
    const attributes = "login createrole createdb nosuperuser nobypassrls";
    await server.query(`create role ${escapeIdentifier(name)} ${attributes} password ${escapeLiteral(password)}`);
    const url = new URL(serverUrl);
    url.username = name;
    url.password = password;
    return { login: name, loginUrl: url.href };
  });
  const template = { name, url: urlOf(loginUrl, name), login };
  const elsewhere = urlOf(loginUrl, "postgres");
  await withClient(elsewhere, (owner) => owner.query(`create database ${escapeIdentifier(name)}`));
  await prepareTemplate(template.url);
  // A template with a connection, even autovacuum's, cannot be cloned.
  await withClient(elsewhere, (owner) =>
    owner.query(`alter database ${escapeIdentifier(name)} allow_connections false`),
  );
  return template;
}

/** Prepares the contents of every test's database. */
async function prepareTemplate(url: string): Promise<void> {
  await install(url);
}

/** Drops the database, those that tests which failed have left, the roles that were created for them, and the run's login. */
export async function dropTemplate(serverUrl: string, { name, login, url }: Template): Promise<void> {
  await withClient(urlOf(url, "postgres"), async (owner) => {
    const { rows } = await owner.query<{ database: string }>(
      `select datname as database from pg_database
        where datname ^@ $1 or datdba = (select oid from pg_roles where rolname = $2)`,
      [name, login],
    );
    // First all of them: clones use the roles of the template.
    for (const { database } of rows) await dropDatabase(owner, database);
    for (const { database } of rows) await dropRolesOf(owner, database);
  });
  if (login === null) return;
  await withClient(serverUrl, (server) => server.query(`drop role ${escapeIdentifier(login)}`));
}

async function dropRolesOf(owner: Client, database: string): Promise<void> {
  const { rows } = await owner.query<{ role: string }>("select rolname as role from pg_roles where rolname like $1", [
    `waypost\\_%\\_${database.replaceAll("_", "\\_")}`,
  ]);
  for (const { role } of rows) await owner.query(`drop role ${escapeIdentifier(role)}`);
}

/** The same server and login, another database. */
export function urlOf(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${database}`;
  return other.href;
}
