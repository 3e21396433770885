import { columns, each, hotFunction, recordset } from "../../../db/hot-function.ts";
import { inLane } from "../../../lanes/queue-sql.ts";

const LANE = columns({
  slot: "smallint",
  lane: "int",
  /** Rows after which the count ends. */
  most: "int",
});

/** How many rows of a lane wait now; those that are scheduled for later do not. */
export const countBacklog = hotFunction({
  name: "count_backlog",
  writes: false,
  input: LANE,
  answers: columns({ waiting: "int" }),
  body: `return query select b.waiting from ${recordset(LANE, "u")}
    ${each(
      "b",
      `
      select count(*)::int as waiting from (
        select from dispatch d where ${inLane("d", "u.slot", "u.lane")} and d.due <= now limit u.most) r`,
    )}
    order by u.ordinality;`,
});
