import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "pg";
import { closeClient, isLockTimeout, openClient } from "./connect.ts";
import type { Sql, SqlValue } from "./database.ts";

/** A statement that waits longer for a lock holds up the traffic that queues behind it. */
const LOCK_TIMEOUT = "1s";
/** After this long without an answer the server is gone: dropping a month of a large table takes minutes at worst. */
const LONG_ANSWER_MS = 10 * 60_000;
/** The same for sessions that only read. */
export const LOOK_ANSWER_MS = 10_000;
/** Work that cannot lock something busy lets the traffic through and is tried again, at most this often, a second apart. */
const BUSY_TRIES = 60;
const BUSY_PAUSE_MS = 1_000;

/**
 * Runs `work` on a connection of its own: statements have no timeout, and a lock is waited for at most a second (SQLSTATE
 * 55P03 then). `url` must not lead through a transaction pooler.
 */
export async function withLongSession<T>(
  url: string,
  name: string,
  work: (sql: Sql) => Promise<T>,
  answerMs = LONG_ANSWER_MS,
): Promise<T> {
  const client = openClient(url, name, answerMs);
  await client.connect();
  try {
    await client.query(`set statement_timeout = 0; set lock_timeout = '${LOCK_TIMEOUT}'`);
    return await work(sqlOfClient(client));
  } finally {
    await closeClient(client);
  }
}

/** Runs `work` in one transaction of a session of its own. */
export async function inOneTransaction<T>(sql: Sql, work: () => Promise<T>): Promise<T> {
  await sql.run("begin");
  try {
    const result = await work();
    await sql.run("commit");
    return result;
  } catch (error) {
    // A broken connection has rolled back by itself; the error to report is the one that broke it.
    await sql.run("rollback").catch(() => {});
    throw error;
  }
}

/** Repeats `work`, which must leave nothing half done, as long as a lock that it needs is held by others. */
export async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (!isLockTimeout(error) || tried >= BUSY_TRIES) throw error;
      await pause(BUSY_PAUSE_MS);
    }
  }
}

export function sqlOfClient(client: Client): Sql {
  return {
    query: async <Row extends object>(text: string, values?: readonly SqlValue[]) =>
      (await client.query<Row>(text, values as unknown[])).rows,
    run: async (text, values) => (await client.query(text, values as unknown[])).rowCount ?? 0,
  };
}
