/** `ms` moved by up to ± `spread` (0.2: a fifth), so that calls that failed together are not repeated together. `random` returns 0 to 1. */
export const jittered = (ms: number, spread: number, random: () => number): number =>
  Math.round(ms * (1 - spread + 2 * spread * random()));

/** The wait that a Retry-After header asks for, in milliseconds (RFC 9110, 10.2.3: seconds or a date); null when the text is neither. */
export function retryAfterMs(text: string | null, nowMs: number): number | null {
  if (text === null) return null;
  const value = text.trim();
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  // Date.parse accepts far more than HTTP dates, which start with the name of a day and end in GMT.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? .*(GMT|\d{4})$/.test(value)) return null;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

/** Waits of growing length: 100 ms, 200 ms … up to `mostMs`. `round` counts from 0. */
export const growing = (round: number, mostMs: number): number => Math.min(mostMs, 100 * 2 ** Math.min(round, 20));
