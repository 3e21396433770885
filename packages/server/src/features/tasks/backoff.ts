import { jittered } from "../../lib/backoff.ts";

const BASE_MS = 1_000;
/** Nobody waits longer than this to see a provider that came back. */
const MOST_MS = 5 * 60_000;
const MOST_EXPONENT = 16;
/** Tasks that failed together part. */
const SPREAD = 0.2;

/** Milliseconds after the try that `attempt` others preceded: 1 s, 2 s, 4 s … 5 min, spread a little. `random` gives 0 to 1. */
export const taskBackoff = (attempt: number, random: () => number): number =>
  jittered(Math.min(MOST_MS, BASE_MS * 2 ** Math.min(MOST_EXPONENT, attempt)), SPREAD, random);
