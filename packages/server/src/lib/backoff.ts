/** `ms` moved by up to ± `spread` (0.2: a fifth), so that calls that failed together are not repeated together. `random` returns 0 to 1. */
export const jittered = (ms: number, spread: number, random: () => number): number =>
  Math.round(ms * (1 - spread + 2 * spread * random()));

/** No one means more: what is larger would not fit a timer or a time. */
const LONGEST_RETRY_AFTER_S = 366 * 24 * 3_600;

/**
 * The wait that a Retry-After header asks for, in milliseconds (RFC 9110, 10.2.3: seconds or a date), at most a year; null when the
 * text is neither. Parts of a second, which some servers send, are rounded up; less than nothing is nothing.
 */
export function retryAfterMs(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  const value = text.trim();
  if (SECONDS.test(value)) return Math.max(0, Math.min(LONGEST_RETRY_AFTER_S, Math.ceil(Number(value)))) * 1_000;
  // Date.parse accepts far more than HTTP dates, which start with the name of a day and end in GMT.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*(GMT|\d{4})$/.test(value)) return null;
  // The oldest of the three forms has no zone, and is UTC as the others are.
  const at = Date.parse(value.endsWith("GMT") ? value : `${value} GMT`);
  return Number.isNaN(at) ? null : Math.max(0, Math.min(LONGEST_RETRY_AFTER_S * 1_000, at - nowMs));
}
const SECONDS = /^[+-]?\d+(\.\d+)?$/;

/** Waits of growing length: 100 ms, 200 ms … up to `mostMs`. `round` counts from 0. */
export const growing = (round: number, mostMs: number): number => Math.min(mostMs, 100 * 2 ** Math.min(round, 20));
