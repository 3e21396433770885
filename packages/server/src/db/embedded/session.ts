import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { type Cluster, connectionUrl, SUPERUSER } from "./cluster.ts";
import { EmbeddedDatabaseError } from "./error.ts";

const CONNECT_MS = 3_000;
/** After a kill -9 the server needs a moment to notice that the old supervisor's connection is gone. */
const LOCK_MS = 2_000;
const POLL_MS = 25;
/** Any constant: the database `postgres` of this cluster has no other user of advisory locks. */
const SUPERVISOR_LOCK = 7_281_205_118;

/** A superuser's connection to the cluster; throws what the server or the socket says. */
export async function connect(cluster: Cluster): Promise<Client> {
  const client = new Client({
    connectionString: connectionUrl(cluster, SUPERUSER, "postgres"),
    connectionTimeoutMillis: CONNECT_MS,
    application_name: "waypost supervisor",
  });
  // A broken connection is reported by the next query; an unhandled error event would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
}

/**
 * Of two supervisors of one cluster, each would stop the other's server. The lock belongs to a connection, so it is released
 * when the process ends for any reason; there is no lock file that could be stale.
 */
export async function lockSupervisor(cluster: Cluster, session: Client): Promise<void> {
  const deadline = performance.now() + LOCK_MS;
  for (;;) {
    const { rows } = await session.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [
      SUPERVISOR_LOCK,
    ]);
    if (rows[0]?.locked) return;
    if (performance.now() > deadline) break;
    await delay(POLL_MS);
  }
  await session.end();
  throw new EmbeddedDatabaseError(
    `The database in ${cluster.home} is in use by another running Waypost: stop that one, or name another directory in WAYPOST_DATA_DIR.`,
  );
}
