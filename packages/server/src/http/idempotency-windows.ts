import { DAY_MS } from "../lib/duration.ts";

/** The first answer to an idempotency key is given again for this long: a weekend's outage of the caller, twice over. */
export const ANSWER_KEPT_MS = 7 * DAY_MS;
/** Until then a used key is remembered, and refused once its answer is gone; after it the key is new. */
export const KEY_KEPT_MS = 30 * DAY_MS;
