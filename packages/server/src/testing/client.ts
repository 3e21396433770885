import { Client, escapeIdentifier } from "pg";
import { sqlState } from "../lib/error-fields.ts";

/** Runs `work` with a connection of its own. */
export async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url, application_name: "waypost tests" });
  // The server may end it between two statements; the next statement reports it.
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Tries to drop a database: an autovacuum process, which only a superuser may end, takes seconds to finish. */
const MOST_TRIES = 50;
const BETWEEN_TRIES_MS = 200;

/** Ends all connections to a database and drops it. */
export async function dropDatabase(server: Client, name: string): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await server.query(`drop database if exists ${escapeIdentifier(name)} with (force)`);
      return;
    } catch (error) {
      if (sqlState(error) !== INSUFFICIENT_PRIVILEGE || tried === MOST_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
    }
  }
}

const INSUFFICIENT_PRIVILEGE = "42501";
