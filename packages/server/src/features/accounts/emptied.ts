import type { App } from "../../ctx.ts";
import { pause } from "../../lib/clock.ts";
import { emptyEvents, selectOthersUntil } from "./emptied.store.ts";

export const EMPTY_EVENTS_EVERY_MS = 60_000;
/** Calls of one round; the rest of the minute is for others. */
const CALLS_A_ROUND = 30;
const PAUSE_MS = 500;

/**
 * Takes what people wrote and what they are called out of account events of earlier versions, until all are empty and no process writes
 * more of them. Several processes may do so at once: one does.
 */
export async function emptyOldEvents({ db, clock, log }: Pick<App, "db" | "clock" | "log">): Promise<void> {
  const others = await selectOthersUntil(db.sql);
  let emptied = 0;
  for (let call = 0; call < CALLS_A_ROUND; call++) {
    const [answer] = await db.call(emptyEvents, [{ others_until: others }], clock.now());
    emptied += answer?.emptied ?? 0;
    if (answer?.more !== true) break;
    await pause(clock, PAUSE_MS);
  }
  if (emptied > 0) log.info({ emptied }, "account events of earlier versions were emptied");
}
