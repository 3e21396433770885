import type { App } from "../../ctx.ts";
import { DAY_MS, HOUR_MS } from "../../lib/duration.ts";
import { retainMediaRows } from "./retention.store.ts";

export const RETAIN_EVERY_MS = HOUR_MS;
/** Of a call: some ten milliseconds, or the uses of a few that very many messages had. */
const MEDIA_A_CALL = 20;
/** A round ends after so many; the next one goes on. */
const MOST_CALLS = 5_000;

/** Deletes media that was not used for as long as RETENTION_DAYS says. */
export async function retain({ db, clock, config, log }: Pick<App, "db" | "clock" | "config" | "log">): Promise<void> {
  const bound = new Date(clock.now() - config.RETENTION_DAYS.media * DAY_MS);
  let all = 0;
  for (let calls = 0; calls < MOST_CALLS; calls++) {
    const { looked, deleted } = await retainMediaRows(db, { bound, most: MEDIA_A_CALL }, clock.now());
    all += deleted;
    if (looked === 0) break;
  }
  if (all > 0) log.info({ media: all }, "media that nothing uses was deleted");
}
