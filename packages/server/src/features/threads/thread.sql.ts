import { sqlInterval } from "../../db/hot-function.ts";
import { DAY_MS } from "../../lib/duration.ts";

/**
 * A free-form message is accepted, and the window is returned as open, for 24 hours after the person's last message less a
 * minute: both clocks differ, and a message accepted in the last moment still has to be sent.
 */
export const WINDOW_MS = DAY_MS - 60_000;
/**
 * An attempt is begun until half a minute before the end, so that it arrives in time: its bytes leave within some seconds (5 s to
 * connect at most), and the rest is for the clocks. What arrives later is refused by the provider (131047).
 */
export const DISPATCH_WINDOW_MS = DAY_MS - 30_000;

/** boolean: whether a message `m` was written in a group: then it is in no conversation between two. */
export const isOfGroup = (m: string): string => `${m}.provided ->> 'group_id' is not null`;

/** boolean: whether a message `m` is of before its number was connected: it was read, and is not counted. */
export const isOfHistory = (m: string): string => `coalesce(${m}.provided ->> 'origin' = 'history', false)`;

/** boolean: whether there was no inbound message of the last 24 hours. `lastInboundAt` is the conversation's. */
export const isOutsideWindow = (lastInboundAt: string, now: string, windowMs = WINDOW_MS): string =>
  `(${lastInboundAt} is null or ${lastInboundAt} + ${sqlInterval(windowMs)} <= ${now})`;
