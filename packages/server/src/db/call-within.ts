import { newUuid } from "../lib/ids.ts";
import { isoTime } from "../lib/iso-time.ts";
import type { Sql } from "./database.ts";
import type { HotFunction } from "./hot-function.ts";

/** Calls a database function as a step of a running transaction, for what the workspace's own role may not do itself. */
export async function callWithin<Row extends object, Answer extends object>(
  sql: Sql,
  fn: HotFunction<Row, Answer>,
  rows: readonly NoInfer<Row>[],
  now: number,
): Promise<Answer[]> {
  if (rows.length === 0) return [];
  return await sql.query<Answer>(`select * from ${fn.installed}($1, $2, $3, false)`, [
    JSON.stringify(rows),
    isoTime(now),
    newUuid(now),
  ]);
}
