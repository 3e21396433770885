import { ERROR_CLASSES } from "../../../provider/error-table.ts";
import type { ErrorClass } from "../../../provider/provider.ts";

/** Refusals of many messages at once are retried at different moments. */
const SPREAD = 0.2;

/**
 * Milliseconds until the attempt after the refused one, or null: the message fails. `refusals` counts from 1, this one included;
 * `random` in [0, 1).
 */
export function pauseAfter(class_: ErrorClass, refusals: number, random: number): number | null {
  const { again } = ERROR_CLASSES[class_];
  if (again === null || (again.attempts !== null && refusals >= again.attempts)) return null;
  const pause = Math.min(again.mostMs, again.firstMs * again.factor ** (refusals - 1));
  // The provider says how long a pair waits; only one message of it does.
  return class_ === "throttle_pair" ? pause : Math.round(pause * (1 - SPREAD + 2 * SPREAD * random));
}
