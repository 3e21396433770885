import { binOf, SPANS } from "./metric.sql.ts";

/**
 * Part of a `with`: counts the attempts `from`, of each workspace_id, webhook_endpoint_id and `entry`, an entry of `attempts[]` as json. A
 * row for each endpoint and outcome of a call: what is added up waits in a table of its own, so that no call waits for another's row.
 */
export const countAttempts = (from: string): string => `
counted as (
  insert into attempt_count (workspace_id, id, webhook_endpoint_id, outcome, at, bin, count)
  select g.workspace_id, new_uuid(now), g.webhook_endpoint_id, g.outcome, g.at, g.bin, g.count from (
    select x.workspace_id, x.webhook_endpoint_id, x.entry ->> 'outcome' as outcome,
      date_bin(interval '${SPANS["5m"].minutes} minutes', (x.entry ->> 'started_at')::timestamptz, timestamptz 'epoch') as at,
      ${binOf("(x.entry ->> 'duration_ms')::float8")} as bin, count(*) as count
    from ${from} x group by 1, 2, 3, 4, 5) g)`;
