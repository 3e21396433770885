import { sqlState } from "../lib/error-fields.ts";
import type { Sql } from "./database.ts";

const QUERY_CANCELED = "57014";

/**
 * Reads within a running transaction, each statement for at most so many milliseconds; null when one took longer. What `work`
 * might write is undone in any case.
 */
export async function readWithin<T>(sql: Sql, ms: number, work: () => Promise<T>): Promise<T | null> {
  await sql.run(`savepoint time_limit; set local statement_timeout = ${Math.ceil(ms)}`);
  let result: T | null = null;
  try {
    result = await work();
  } catch (error) {
    if (sqlState(error) !== QUERY_CANCELED) throw error;
  }
  // Also gives the setting back.
  await sql.run("rollback to savepoint time_limit; release savepoint time_limit");
  return result;
}
