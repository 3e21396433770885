import { Client, escapeIdentifier } from "pg";
import { sqlState } from "../lib/error-fields.ts";

/** One connection for the length of `work`. */
export async function withClient<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url, application_name: "waypost tests" });
  // The server may end it between two statements; the next one says so.
  client.on("error", () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Tries to drop a database: seconds for a process that only a superuser may end, which is autovacuum's, to be gone. */
const MOST_TRIES = 50;
const BETWEEN_TRIES_MS = 200;

/** Ends what is still connected to a database and removes it. */
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
