import type { Database } from "../../../db/database.ts";
import { columns, hotFunction, of, type RowOf, recordset, sqlInterval } from "../../../db/hot-function.ts";

const DEMAND = columns({
  worker: "uuid",
  /** Requests a second, by workspace. */
  demand: of<Readonly<Record<string, number>>>("jsonb"),
});
export type DemandRow = RowOf<typeof DEMAND>;

/** Demand shared longer ago than this does not count any more: its process has ended, or is quiet. */
export const DEMAND_HOLDS_MS = 3_000;

/** Stores the demand of this process and returns that of the others for the same workspaces. */
export const shareDemand = hotFunction({
  name: "share_demand",
  input: DEMAND,
  answers: columns({ ...DEMAND, demand: of<DemandRow["demand"]>("json") }),
  declare: "r record;",
  body: `
for r in select x.* from ${recordset(DEMAND)} loop
  insert into api_demand (worker, at, demand) values (r.worker, now, r.demand)
  on conflict (worker) do update set at = excluded.at, demand = excluded.demand;
  -- Rows of processes that have gone. Skip locked: none of them is waited for.
  delete from api_demand d
  where d.worker in (select o.worker from api_demand o where o.at < now - interval '1 minute' for update skip locked);
  return query
    select d.worker, json_object_agg(e.key, e.value) from api_demand d cross join lateral jsonb_each(d.demand) e
    where d.worker <> r.worker and d.at > now - ${sqlInterval(DEMAND_HOLDS_MS)} and r.demand ? e.key
    group by d.worker;
end loop;`,
});

/** Returns a row for each other process that shared demand of one of these workspaces. */
export const exchangeDemand = (db: Database, mine: DemandRow, now: number): Promise<DemandRow[]> =>
  db.call(shareDemand, [mine], now);
