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
 * Gives rows that lie ahead an earlier `due`, those that were never attempted: they wait only for others. Of a whole lane, those that follow a
 * row of their key which was attempted and lies ahead are due with it. Changed by their places, so that the planner has no choice: a join may
 * read a whole slot.
 */
export const advanceRows = ({ table, key }: QueueColumns) =>
  hotFunction({
    name: `${table}_advance`,
    input: ADVANCE,
    answers: columns({ moved: "int" }),
    declare: `r record;
  w record;
  n int;`,
    body: `
for r in select * from ${recordset(ADVANCE)} order by x.slot, x.lane, x.ordinality loop
  moved := 0;
  for w in
    select m.due, array_agg(p.place) as places from (
      select a.seq, a.workspace_id, r.due from (${ahead(table, key)}) a
      where r.keys is not null and a.attempt = 0 and a.${key} = any(r.keys::bigint[]) and a.seq between r.lo and r.hi
      union all
      select b.seq, b.workspace_id, greatest(r.due, b.behind) from (
        select a.seq, a.workspace_id, a.due, a.attempt,
          max(a.due) filter (where a.attempt > 0) over (partition by a.workspace_id, a.${key} order by a.seq) as behind
        from (${ahead(table, key)}) a where r.keys is null) b
      where b.attempt = 0 and greatest(r.due, b.behind) < b.due) m(seq, workspace_id, due)
    ${each(
      "p",
      `select q.ctid as place from ${table} q where q.slot = r.slot and q.seq = m.seq and q.workspace_id = m.workspace_id`,
    )}
    group by m.due
  loop
    update ${table} d set due = w.due where d.attempt + 0 = 0 and d.ctid = any(w.places);
    get diagnostics n = row_count;
    moved := moved + n;
  end loop;
  return next;
end loop;`,
  });

/** SQL: the soonest rows of the lane that lie ahead; none is sorted where no key waits for another. */
const ahead = (table: string, key: string | null): string => `
        select f.seq, f.workspace_id, f.${key}, f.attempt, f.due from ${table} f
        where ${inLane("f", "r.slot", "r.lane")} and f.due > now order by f.due, ${orderIn("f")} limit ${LOOK}`;
