import { jittered, retryAfterMs } from "../../../lib/backoff.ts";
import type { SafeResult } from "../../../lib/safe-fetch/safe-fetch.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits between the 13 attempts: short at first, because chat messages age quickly and deployments take minutes; then long enough for a weekend. */
const WAITS_MS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  1 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
  24 * HOUR,
];

const SPREAD = 0.2;
/** The shortest pause for a receiver that is overloaded or does not answer, whatever the schedule says. */
const TROUBLE_LEAST_MS = MINUTE;
/** A Retry-After is honoured up to twice the scheduled wait, or up to this where that is longer. */
const RETRY_AFTER_TRUST_MS = 15 * MINUTE;
const RETRY_AFTER_MOST_MS = 6 * HOUR;

/** True for any 2xx. */
export const succeeded = (result: SafeResult): boolean =>
  result.kind === "answer" && result.status >= 200 && result.status <= 299;

/** 410: the receiver no longer exists and never will again. */
export const isEndpointGone = (result: SafeResult): boolean => result.kind === "answer" && result.status === 410;

/** The receiver is overloaded or cannot be reached: its lane sends fewer requests at once. */
export function isTrouble(result: SafeResult): boolean {
  if (result.kind === "error") return result.fault !== "refused";
  return result.status === 429 || result.status >= 500;
}

/** How an attempt ended; `waitMs` is set for `retry`. */
export type Verdict =
  | { kind: "succeeded" | "gone" | "failed"; waitMs: null }
  /** Another attempt follows after `waitMs`. */
  | { kind: "retry"; waitMs: number };

/** What follows attempt `attempt` (from 1). `random` returns 0 to 1. */
export function judge(attempt: number, result: SafeResult, nowMs: number, random: () => number): Verdict {
  if (succeeded(result)) return { kind: "succeeded", waitMs: null };
  if (isEndpointGone(result)) return { kind: "gone", waitMs: null };
  const waitMs = waitAfter(attempt, result, nowMs, random);
  return waitMs === null ? { kind: "failed", waitMs } : { kind: "retry", waitMs };
}

/** Milliseconds until the next attempt after attempt `attempt` (from 1) failed; null when it was the last. */
export function waitAfter(attempt: number, result: SafeResult, nowMs: number, random: () => number): number | null {
  const scheduled = WAITS_MS[attempt - 1];
  if (scheduled === undefined) return null;
  const least = needsPause(result) ? TROUBLE_LEAST_MS : 0;
  // As a plain maximum, the floor would make all of them retry in the same moment.
  const wait = Math.max(jittered(scheduled, SPREAD, random), Math.round(least * (1 + SPREAD * random())));
  const asked = result.kind === "answer" ? retryAfterMs(result.retryAfter, nowMs) : null;
  if (asked === null) return wait;
  const base = Math.max(scheduled, least);
  const bound = Math.max(base, Math.min(RETRY_AFTER_MOST_MS, Math.max(2 * base, RETRY_AFTER_TRUST_MS)));
  // Never before the time asked for, so its jitter only adds.
  const within = Math.min(bound, Math.max(base, asked));
  return Math.max(wait, Math.min(bound, Math.round(within * (1 + SPREAD * random()))));
}

const needsPause = (result: SafeResult): boolean =>
  result.kind === "error"
    ? result.fault === "timeout"
    : result.status === 429 || (result.status >= 502 && result.status <= 504);
