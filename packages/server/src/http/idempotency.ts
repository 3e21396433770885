import { DAY_MS } from "../lib/duration.ts";
import { Problem } from "./problem.ts";

/** The first answer to an idempotency key is given again for this long: a weekend's outage of the caller, twice over. */
export const ANSWER_KEPT_MS = 7 * DAY_MS;
/** Until then a used key is remembered, and refused once its answer is gone; after it the key is new. */
export const KEY_KEPT_MS = 30 * DAY_MS;

/** A key that is a value of the request is a name of the client's own, which it may use again the next day: it is new then. */
export const VALUE_KEPT_MS = DAY_MS;

/** An idempotency key, digested: 128 bits of the hashed key and the fingerprint of the whole request, hex. */
export type RequestKey = {
  digest: string;
  fingerprint: string;
  /** How long it is remembered where that is not `KEY_KEPT_MS`; no longer than answers are kept, so that until its end it is replayed. */
  keptMs?: typeof VALUE_KEPT_MS;
};

/** The time, in milliseconds, before which a use of the key is forgotten. */
export const forgottenBefore = (key: RequestKey, now: number): number => now - (key.keptMs ?? KEY_KEPT_MS);

/** The first use of a key: `at` is null where the time is not at hand, `resourceId` empty when it had no resource. */
export type FirstUse = { at: Date | null; resourceId: string };

/** Throws the refusal of a used key, unless its request is the same and the first answer is young enough to be given again. */
export function refuseUnlessReplayable(first: FirstUse & { at: Date }, sameRequest: boolean, now: number): void {
  if (!sameRequest) throw reusedKey(first);
  if (now - first.at.getTime() >= ANSWER_KEPT_MS) throw expiredKey(first);
}

/** 422: the key belongs to another request. */
export const reusedKey = (first: FirstUse): Problem =>
  new Problem(
    "idempotency_key_reused",
    `This key was first used${atOf(first)} for a request that differs.`,
    resourceOf(first),
  );

/** 409: the request is the same, but its first answer is no longer kept. */
export const expiredKey = (first: FirstUse): Problem =>
  new Problem(
    "idempotency_key_expired",
    `This key was first used${atOf(first)}; its answer is no longer kept.`,
    resourceOf(first),
  );

/** 409 with `Retry-After`: the transaction of the first request holds the key. */
export const keyInProgress = (cause: unknown): Problem =>
  new Problem("idempotency_in_progress", "The first request with this key is still running.", {
    retryAfterSeconds: 1,
    cause,
  });

const atOf = ({ at }: FirstUse): string => (at === null ? "" : ` at ${at.toISOString()}`);
const resourceOf = ({ resourceId }: FirstUse): { resourceId?: string } => (resourceId === "" ? {} : { resourceId });
