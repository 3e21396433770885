import type { App } from "../../../ctx.ts";
import type { Sql } from "../../../db/database.ts";
import { ComesBack } from "../../tasks/long-task.ts";
import type { EndpointRow } from "../endpoints/endpoint.store.ts";
import { RATE_PER_SECOND } from "../redeliver/redeliver.ts";
import { countWaitingRows, type RunRow, selectRunRow } from "./replay.store.ts";

/**
 * What is asked for ahead of what the endpoint is posted: so many seconds of its rate, because asking comes round once a second, and so many
 * deliveries at least, because each time costs some ten milliseconds. As fast as they were found, 8,000 a second were asked for at the beginning
 * of a replay, and live deliveries of the same endpoint were late.
 */
const AHEAD = { seconds: 2, least: 500 };
/** Until a replay looks again whether its deliveries have ended: a tenth of the time that it waits already, within these. */
const LOOK_AGAIN_MS = { least: 1_000, most: 60_000 };
/** The rate of an endpoint may be raised meanwhile. */
const MOST_ON_ITS_WAY_MS = 5_000;

/** Milliseconds until a replay is looked at again whose deliveries have not ended. */
export function lookAgainMs({ clock }: Pick<App, "clock">, { updated_at }: Pick<RunRow, "updated_at">): number {
  const waited = clock.now() - updated_at.getTime();
  return Math.min(LOOK_AGAIN_MS.most, Math.max(LOOK_AGAIN_MS.least, waited / 10));
}

/**
 * How many deliveries a replay may ask for now: at least half of what may be ahead. While less than that has left the queue, it throws a
 * `ComesBack`. Those that failed and wait for their next attempt are not counted: they must not hold up the others. What is ahead is counted in the
 * database, so a process that goes on with the replay stands where the one before it stood.
 */
export async function roomAhead(
  { clock }: Pick<App, "clock">,
  sql: Sql,
  { workspace_id: workspaceId, id }: RunRow,
  { lane, ordered, rate_per_second }: EndpointRow,
): Promise<number> {
  const perSecond = rate_per_second ?? RATE_PER_SECOND;
  const most = Math.max(AHEAD.least, AHEAD.seconds * perSecond);
  const row = await selectRunRow(sql, workspaceId, id);
  // It was ended meanwhile, which the step finds out.
  if (row === null) return most;
  const open = row.scheduled - row.ended;
  const isFew = (count: number): boolean => count <= most / 2;
  const waiting = isFew(open)
    ? open
    : await countWaitingRows(sql, workspaceId, { lane, ordered, most, now: clock.now() });
  if (isFew(waiting)) return most - waiting;
  const onItsWayMs = Math.min(MOST_ON_ITS_WAY_MS, ((waiting - most / 2) * 1_000) / perSecond);
  throw new ComesBack(Math.max(onItsWayMs, lookAgainMs({ clock }, row)));
}
