import { DAY_MS, HOUR_MS } from "../../../lib/duration.ts";

/** A little less than its task has, so that the end is a state of the signup and not the silent end of a task. */
export const SIGNUP_TRIED_MS = DAY_MS - HOUR_MS;
/** Behind the deadline: a run that works at that moment ends the signup itself. */
export const GIVEN_UP_AFTER_MS = HOUR_MS;
/** How long the secrets of a signup that failed are kept for a `resume`. */
export const SECRETS_KEPT_MS = 7 * DAY_MS;
/** How long a signup that has ended can be read. */
export const SIGNUP_KEPT_MS = 90 * DAY_MS;
