import type { Database } from "../../db/database.ts";
import { columns, type HotFunction, hotFunction, of, type RowOf, recordset } from "../../db/hot-function.ts";

const DEMAND = columns({
  worker: "uuid",
  /** Requests a second, by workspace. */
  demand: of<Readonly<Record<string, number>>>("jsonb"),
});
export type DemandRow = RowOf<typeof DEMAND>;

/** What a process said longer ago than this is not true any more: it has gone, or is quiet. */
export const DEMAND_HOLDS_MS = 3_000;

/** Tells what this process is asked for, and gives what the others are asked for by the same workspaces. */
const shareDemand = hotFunction({
  name: "share_demand",
  input: DEMAND,
  answers: columns({ ...DEMAND, demand: of<DemandRow["demand"]>("json") }),
  declare: "r record;",
  body: `
for r in select x.* from ${recordset(DEMAND)} loop
  insert into api_demand (worker, at, demand) values (r.worker, now, r.demand)
  on conflict (worker) do update set at = excluded.at, demand = excluded.demand;
  -- Of processes that have gone; whoever comes back waits for nobody.
  delete from api_demand d where d.worker in (select o.worker from api_demand o where o.at < now - interval '1 minute' for update skip locked);
  return query
    select d.worker, json_object_agg(e.key, e.value) from api_demand d cross join lateral jsonb_each(d.demand) e
    where d.worker <> r.worker and d.at > now - interval '${DEMAND_HOLDS_MS} milliseconds' and r.demand ? e.key
    group by d.worker;
end loop;`,
});

export const HTTP_FUNCTIONS: readonly HotFunction[] = [shareDemand];

/** Answers a row for each other process that is asked for something by one of these workspaces too. */
export const exchangeDemand = (db: Database, mine: DemandRow, now: number): Promise<DemandRow[]> =>
  db.call(shareDemand, [mine], now);
