import { sqlInterval } from "../../db/hot-function.ts";
import type { LaneClaim } from "../../lanes/kind.ts";
import { growing, jittered } from "../../lib/backoff.ts";
import { type Clock, pause } from "../../lib/clock.ts";
import { HOUR_MS } from "../../lib/duration.ts";
import { refusedBy, sqlState } from "../../lib/error-fields.ts";

/** For the operator: SQLSTATE, table and constraint, or the name of the error; never a value from the callback. */
export function detailOf(error: unknown): string {
  const state = sqlState(error);
  if (state === null) return error instanceof Error ? error.name : "unknown";
  const { table, constraint } = refusedBy(error);
  return [state, table, constraint].filter((part) => part !== null).join(" ");
}

const FIRST_PAUSE_MS = 1_000;
/** No pause of the first ten minutes is longer, so that all callbacks are applied within a minute after an outage of up to ten. */
const SOON_MS = 30_000;
/** The number of pauses that fill the first ten minutes: 1, 2, 4, 8, 16 s and then half minutes. */
const SOON_TRIES = 24;
/** The same for replays, which begin with half minutes. */
const SOON_REPLAYS = 20;
const MOST_MS = HOUR_MS;
/** Far more than lead from `SOON_MS` to `MOST_MS`. */
const MOST_DOUBLINGS = 16;
/** Callbacks that failed together are retried at different times. */
const SPREAD = 0.2;

/**
 * Milliseconds until a callback is tried again that failed for another cause than its content; it is never given up.
 * `attempt` counts the failed tries before this one; `random` returns 0 to 1.
 */
export function pauseAfter(attempt: number, random: () => number): number {
  const soon = Math.min(SOON_MS, FIRST_PAUSE_MS * 2 ** Math.min(MOST_DOUBLINGS, attempt));
  const late = SOON_MS * 2 ** Math.min(MOST_DOUBLINGS, Math.max(0, attempt - SOON_TRIES));
  return jittered(Math.min(MOST_MS, attempt < SOON_TRIES ? soon : late), SPREAD, random);
}

/**
 * SQL: the interval until a callback is replayed whose content was refused: half a minute for the first ten minutes, then ever
 * longer, up to an hour. `tries` is an expression: the replays before this one.
 */
export const replayPause = (tries: string): string => {
  const doublings = `greatest(0, least(${tries} - ${SOON_REPLAYS}, ${MOST_DOUBLINGS}))`;
  const pause = `least(${sqlInterval(MOST_MS)}, ${sqlInterval(SOON_MS)} * 2 ^ ${doublings})`;
  return `${pause} * (${1 - SPREAD} + ${2 * SPREAD} * random())`;
};

/** The longest pause between two questions while the database is away. */
const STANDSTILL_MOST_MS = 2_000;

/** Waits before the database is asked again; false when the claim of the lane was lost meanwhile. `round` counts from 0. */
export async function waitForDatabase(clock: Clock, claim: LaneClaim | undefined, round: number): Promise<boolean> {
  if (!claim?.valid() || claim.signal.aborted) return false;
  await pause(clock, growing(round, STANDSTILL_MOST_MS), claim.signal);
  return claim.valid() && !claim.signal.aborted;
}
