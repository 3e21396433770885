import { columns, each, hotFunction, recordset } from "../db/hot-function.ts";
import { inLane, orderIn, type QueueColumns } from "./queue-sql.ts";

const ADVANCE = columns({
  slot: "smallint",
  lane: "int",
  /** Null: all of the lane, whatever their `seq`. */
  keys: "text[]?",
  /** The lowest and the highest `seq` of rows that are moved. */
  lo: "bigint",
  hi: "bigint",
  /** What they are due at then. */
  due: "timestamptz",
});

/** Rows of a lane that are looked for: the soonest of those that lie ahead. */
const LOOK = 20_000;

/**
 * Gives rows that lie ahead an earlier `due`, those that were never attempted: they wait only for others. Of a whole lane, those that follow no
 * row of their key which was attempted and lies ahead. Changed by their places, so that the planner
 * has no choice: a join may read a whole slot.
 */
export const advanceRows = ({ table, key }: QueueColumns) =>
  hotFunction({
    name: `${table}_advance`,
    input: ADVANCE,
    answers: columns({ moved: "int" }),
    declare: "r record;",
    body: `
for r in select * from ${recordset(ADVANCE)} order by x.slot, x.lane, x.ordinality loop
  update ${table} d set due = r.due where d.attempt + 0 = 0 and d.ctid = any(array(
    select p.place from (
      select a.seq, a.workspace_id, a.${key}, a.attempt,
        bool_or(a.attempt > 0) over (partition by a.workspace_id, a.${key} order by a.seq) as is_behind
      from (
        select f.seq, f.workspace_id, f.${key}, f.attempt from ${table} f
        where ${inLane("f", "r.slot", "r.lane")} and f.due > now order by f.due, ${orderIn("f")} limit ${LOOK}) a
      order by a.seq) w
    ${each(
      "p",
      `select q.ctid as place from ${table} q where q.slot = r.slot and q.seq = w.seq and q.workspace_id = w.workspace_id`,
    )}
    where w.attempt = 0
      and case when r.keys is null then not w.is_behind else w.${key} = any(r.keys::bigint[]) and w.seq between r.lo and r.hi end));
  get diagnostics moved = row_count;
  return next;
end loop;`,
  });
