import type { App } from "../../../ctx.ts";
import type { Sql } from "../../../db/database.ts";
import { askOnce } from "../../../lib/metrics.ts";

type Oldest = { xid: string; is_running: boolean; age_seconds: number | null };

/**
 * Shows how long the feed has been held back: the oldest transaction that writes anywhere in the cluster ends it. Of one that this login
 * may not look at, such as another user's, it is known only since when it has been seen.
 */
export function showFeedLag({ metrics, db, clock }: Pick<App, "metrics" | "db" | "clock">): void {
  let seen = { xid: "", since: 0 };
  const ask = askOnce(() => selectOldestRow(db.sql));
  metrics.gauge(
    {
      name: "waypost_feed_lag_seconds",
      help: "Age of the oldest transaction of the cluster that writes: no event that was committed later is in the feed yet.",
      labels: {},
    },
    async () => {
      const oldest = await ask();
      if (oldest === null) return [[{}, null]];
      if (!oldest.is_running) return [[{}, 0]];
      if (oldest.xid !== seen.xid) seen = { xid: oldest.xid, since: clock.monotonic() };
      return [[{}, Math.max((clock.monotonic() - seen.since) / 1_000, oldest.age_seconds ?? 0)]];
    },
  );
}

/** The oldest transaction that has written and not ended; `age_seconds` is null where it is not visible. */
async function selectOldestRow(sql: Sql): Promise<Oldest> {
  const [row] = await sql.query<Oldest>(
    `select pg_snapshot_xmin(s)::text as xid, pg_snapshot_xmin(s) < pg_snapshot_xmax(s) as is_running,
       (select extract(epoch from clock_timestamp() - min(t.since))::float8
        from (select xact_start as since from pg_stat_activity where backend_xid = pg_snapshot_xmin(s)::xid
              union all select prepared from pg_prepared_xacts where transaction = pg_snapshot_xmin(s)::xid) t) as age_seconds
     from pg_current_snapshot() s`,
  );
  if (!row) throw new Error("a snapshot has no answer");
  return row;
}
