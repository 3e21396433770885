import { type Client, escapeIdentifier, escapeLiteral } from "pg";
import { type Cluster, connectionUrl, SUPERUSER } from "./cluster.ts";

/** The gateway's login and its database, as an operator would create them on another server. */
const LOGIN = "waypost";

/** Creates the login and its database, or restores their attributes; run at each start. */
export async function prepareLogin(cluster: Cluster, session: Client): Promise<{ url: string; adminUrl: string }> {
  const name = escapeIdentifier(LOGIN);
  const password = escapeLiteral(cluster.password(LOGIN));
  const roles = await session.query("select from pg_roles where rolname = $1", [LOGIN]);
  const verb = roles.rowCount === 0 ? "create" : "alter";
  await session.query(`${verb} role ${name} login createrole nosuperuser nocreatedb nobypassrls password ${password}`);
  const databases = await session.query("select from pg_database where datname = $1", [LOGIN]);
  if (databases.rowCount === 0) await session.query(`create database ${name} owner ${name}`);
  return {
    url: connectionUrl(cluster, LOGIN, LOGIN),
    adminUrl: connectionUrl(cluster, SUPERUSER, "postgres"),
  };
}
