import type { Client } from "pg";
import { openClient } from "./connect.ts";
import type { Sql, SqlValue } from "./database.ts";

/** Who waits longer for a lock holds up the traffic that queues behind it. */
const LOCK_TIMEOUT = "1s";

/**
 * One connection of its own for work that takes its time: no statement is cut short, and no lock is waited for longer than a
 * second (SQLSTATE 55P03 then). `url` must not lead through a transaction pooler.
 */
export async function withLongSession<T>(url: string, name: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const client = openClient(url, name);
  // A server that goes away between two statements says so in the next one.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(`set statement_timeout = 0; set lock_timeout = '${LOCK_TIMEOUT}'`);
    return await work(sqlOfClient(client));
  } finally {
    await client.end();
  }
}

/** All or nothing, on a session of one's own. */
export async function inOneTransaction<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  await sql.run("begin");
  try {
    const result = await work();
    await sql.run("commit");
    return result;
  } catch (error) {
    // A connection that broke has rolled back by itself, and what broke it is the error to tell.
    await sql.run("rollback").catch(() => {});
    throw error;
  }
}

export function sqlOfClient(client: Client): Sql {
  return {
    query: async <Row extends object>(text: string, values?: readonly SqlValue[]) =>
      (await client.query<Row>(text, values as unknown[])).rows,
    run: async (text, values) => (await client.query(text, values as unknown[])).rowCount ?? 0,
  };
}
