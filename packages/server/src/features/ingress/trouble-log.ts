import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";

/** One line a second says what fails, with a count: a table that takes nothing fails every callback, again and again. */
export type TroubleLog = { failed(error: unknown, callbackId: string): void };

const EVERY_MS = 1_000;

export function createTroubleLog(clock: Clock, log: Log, words: string): TroubleLog {
  let count = 0;
  let last: { error: unknown; callbackId: string } | null = null;
  let resting = false;

  function tell(): void {
    if (last === null) return;
    log.error({ err: last.error, callback_id: last.callbackId, count }, words);
    count = 0;
    last = null;
    resting = true;
    clock.after(EVERY_MS, () => {
      resting = false;
      tell();
    });
  }

  return {
    failed(error, callbackId) {
      count += 1;
      last = { error, callbackId };
      if (!resting) tell();
    },
  };
}
