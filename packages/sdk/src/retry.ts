/** The result of a request that did not succeed. `problem` is null when the answer was not Waypost's own. */
export type Failure =
  | { kind: "no_answer" }
  | { kind: "answer"; status: number; problem: { retryable: boolean } | null; retryAfterSeconds: number | null };

/**
 * `always`: sending the request twice has the effect of sending it once (GET, and POST with its idempotency key). `undone`: only
 * after an answer that says that nothing was done (PATCH, DELETE).
 */
export type Repeatable = "always" | "undone";

/** Randomness and time; tests replace them. */
export type Chance = { random(): number; pause(ms: number, signal: AbortSignal | undefined): Promise<void> };

/** The first pause; doubled each time. */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** A longer `Retry-After` is left to the caller: a program should not seem to hang. */
const LONGEST_RETRY_AFTER_SECONDS = 30;
/** Answers of a proxy that cannot reach the gateway. */
const PROXY_STATUSES = new Set([429, 502, 503, 504]);

/** Milliseconds until the next try, or null for none. `retries` counts those made so far; `random` is 0 to 1. */
export function pauseBeforeRetry(
  failure: Failure,
  repeatable: Repeatable,
  retries: number,
  random: number,
): number | null {
  if (!mayRetry(failure, repeatable)) return null;
  const backoff = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retries) * (0.5 + random / 2);
  const asked = failure.kind === "answer" ? failure.retryAfterSeconds : null;
  if (asked === null) return backoff;
  if (asked > LONGEST_RETRY_AFTER_SECONDS) return null;
  // Spread over a quarter more than asked for, so that callers refused together do not return together.
  return Math.max(backoff, asked * 1_000 * (1 + random / 4));
}

function mayRetry(failure: Failure, repeatable: Repeatable): boolean {
  if (failure.kind === "no_answer") return repeatable === "always";
  if (failure.problem !== null) return failure.problem.retryable;
  return repeatable === "always" && PROXY_STATUSES.has(failure.status);
}

/** Seconds of a `Retry-After` header (a number, or a date), null when there is none. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  // Some proxies send parts of a second; less than nothing is nothing.
  if (/^\s*[+-]?\d+(\.\d+)?\s*$/.test(header)) return Math.max(0, Math.ceil(Number(header)));
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1_000));
}
