import { columns, lookUp, recordset } from "../db/hot-function.ts";
import { inLane, ms, orderIn, type QueueColumns, read } from "./queue-sql.ts";

const SLOT = columns({
  slot: "smallint",
  /** Lanes of the slot that are looked at. */
  most: "int",
});
const OVERDUE = columns({
  slot: "smallint",
  /** Since when the row that has waited longest could have started, in milliseconds since the epoch; null: none is due. */
  since: "float8?",
});

/**
 * How long rows of slots have waited, for the operator: of each lane the first fresh row and the first due one. A slot without rows has no
 * answer.
 */
export const oldestRead = ({ table, item }: QueueColumns) =>
  read(
    table,
    "oldest",
    SLOT,
    OVERDUE,
    `return query select u.slot, l.since from ${recordset(SLOT, "u")} cross join lateral (
        with recursive t(lane, n) as (
          (select d.lane, 1 from ${table} d where d.slot::int = u.slot order by d.lane limit 1)
          union all
          select (
            select d.lane from ${table} d where d.slot::int = u.slot and d.lane > t.lane order by d.lane limit 1), t.n + 1
          from t where t.lane is not null and t.n < u.most
        )
        select count(t.lane) as lanes, ${ms("min(least(f.at, w.due))")} as since from t
        ${lookUp(
          "f",
          `select uuid_time(d.${item}) as at from ${table} d
           where ${inLane("d", "u.slot", "t.lane")} and d.due = '-infinity' order by ${orderIn("d")} limit 1`,
        )}
        ${lookUp(
          "w",
          `select d.due from ${table} d
           where ${inLane("d", "u.slot", "t.lane")} and d.due > '-infinity' and d.due <= now order by d.due, ${orderIn("d")} limit 1`,
        )}
        where t.lane is not null) l where l.lanes > 0;`,
  );
