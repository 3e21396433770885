import { randomBytes } from "node:crypto";
import { type Client, escapeIdentifier, escapeLiteral } from "pg";
import { inject } from "vitest";
import { dropDatabase, withClient } from "./client.ts";
import { urlOf } from "./template.ts";

export type TestDatabase = {
  /** For the plain login that owns the database: no superuser, CREATEROLE. */
  url: string;
  /** Ends all connections and drops it. */
  drop: () => Promise<void>;
};

/**
 * A migrated database of the test file's own, cloned from the run's template. Call it in `beforeAll`, `drop` in `afterAll`.
 * The clone uses the roles of the template, which the table `installation` names.
 */
export const testDatabase = (): Promise<TestDatabase> => cloneDatabase(inject("templateUrl"));

/** A copy of the database, to which there is no connection, with the same roles. */
export async function cloneDatabase(templateUrl: string): Promise<TestDatabase> {
  const template = decodeURIComponent(new URL(templateUrl).pathname.slice(1));
  const name = `${template}_${randomBytes(4).toString("hex")}`;
  const serverUrl = urlOf(templateUrl, "postgres");
  // Without a write-ahead log of its pages, half the CPU time; the checkpoint that it takes instead costs nothing without fsync.
  const how = inject("isServerOurs") ? "strategy file_copy" : "";
  await withClient(serverUrl, async (server) => {
    await server.query(`create database ${escapeIdentifier(name)} template ${escapeIdentifier(template)} ${how}`);
    await copySettings(server, template, name);
  });
  return {
    url: urlOf(templateUrl, name),
    drop: () => withClient(serverUrl, (server) => dropDatabase(server, name)),
  };
}

/** `create database` does not copy the settings of the database, nor those of a login in it (its `statement_timeout`). */
async function copySettings(server: Client, from: string, to: string): Promise<void> {
  const { rows } = await server.query<{ role: string | null; setting: string }>(
    `select r.rolname as role, unnest(s.setconfig) as setting
       from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase left join pg_roles r on r.oid = s.setrole
      where d.datname = $1`,
    [from],
  );
  for (const { role, setting } of rows) {
    const [name = "", ...rest] = setting.split("=");
    const database = escapeIdentifier(to);
    const owner = role === null ? `database ${database}` : `role ${escapeIdentifier(role)} in database ${database}`;
    await server.query(`alter ${owner} set ${escapeIdentifier(name)} to ${escapeLiteral(rest.join("="))}`);
  }
}
