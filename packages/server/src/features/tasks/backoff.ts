const BASE_MS = 1_000;
/** Nobody waits longer than this to see a provider that came back. */
const MOST_MS = 5 * 60_000;
const MOST_EXPONENT = 16;

/** Milliseconds before try `attempt` + 1: 1 s, 2 s, 4 s … 5 min, each ±20 % so that tasks that failed together part. `random` in [0, 1). */
export function taskBackoff(attempt: number, random: number): number {
  const ms = Math.min(MOST_MS, BASE_MS * 2 ** Math.min(MOST_EXPONENT, attempt));
  return Math.round(ms * (0.8 + 0.4 * random));
}
