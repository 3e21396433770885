import { columns, hotFunction } from "../../db/hot-function.ts";
import { ATTEMPTS_LOCK } from "../../db/locks.ts";
import type { Question } from "../../db/question.ts";
import { addCounts } from "./metric.sql.ts";

/** Rows in one go: some 50 ms. */
const ROWS_A_CALL = 2_000;

/**
 * Adds what calls have counted of attempts to `metric`, and deletes it there, in one transaction: each counts once, however the process
 * ends. Two processes take turns.
 */
export const countAttemptRows = hotFunction({
  name: "count_attempts",
  input: [],
  answers: columns({ more: "boolean" }),
  declare: "rows_taken bigint;",
  body: `
if not pg_try_advisory_xact_lock(${ATTEMPTS_LOCK}) then
  return query select false;
  return;
end if;
with taken as (
  delete from attempt_count a
  using (select o.workspace_id, o.id from attempt_count o order by o.workspace_id, o.id limit ${ROWS_A_CALL}) x
  where a.workspace_id = x.workspace_id and a.id = x.id
  returning a.workspace_id, a.webhook_endpoint_id, a.outcome, a.at, a.bin, a.count),
added as (${addCounts("taken", {
    at: "x.at",
    resource: "x.webhook_endpoint_id",
    number: "x.count",
    counted: [{ series: "attempt", value: "x.outcome", counts: "true", bin: "x.bin" }],
  })})
select count(*) into rows_taken from taken;
return query select rows_taken = ${ROWS_A_CALL};`,
});

export const COUNTED_ATTEMPTS: Question = { name: "counted_attempts", rows: "select from attempt_count a" };
