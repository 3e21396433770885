import { newUuid } from "../lib/ids.ts";
import type { Sql } from "./database.ts";
import type { HotFunction } from "./hot-function.ts";

/** Calls a database function as a step of a running transaction: for what the workspace's own role may not do by itself. */
export async function callWithin<Answer extends object>(
  sql: Sql,
  fn: HotFunction,
  rows: readonly object[],
  now: number,
): Promise<Answer[]> {
  if (rows.length === 0) return [];
  return await sql.query<Answer>(`select * from ${fn.installed}($1, $2, $3, false)`, [
    JSON.stringify(rows),
    new Date(now),
    newUuid(now),
  ]);
}
