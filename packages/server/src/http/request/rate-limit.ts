import type { Demand } from "./demand.ts";

/** What one request may do, and what the answer says of it (IETF draft-ietf-httpapi-ratelimit-headers). */
export type Allowance = {
  ok: boolean;
  /** Value of `RateLimit`. */
  limit: string;
  /** Value of `RateLimit-Policy`. */
  policy: string;
};

/** Takes one request of a workspace from its bucket; null when the limit is off. */
export type RateLimit = (workspaceId: string) => Allowance | null;

type Bucket = { tokens: number; at: number; capacity: number; policy: string };

/** Buckets kept: 200 bytes each. Past it the one not heard of longest goes, and starts full if it comes back. */
const MOST_BUCKETS = 50_000;
const SECOND_MS = 1_000;

/**
 * A token bucket per workspace in this process, of as many requests a second as it may grant just now; one second's worth
 * fits in. The headers tell what holds here: the next process may grant more or less. `demand`: null when the limit is off.
 */
export function createRateLimit(demand: Pick<Demand, "ask"> | null, monotonic: () => number): RateLimit {
  if (demand === null) return () => null;
  const buckets = new Map<string, Bucket>();

  return (workspaceId) => {
    const now = monotonic();
    // A process among many still serves one request at a time.
    const capacity = Math.max(1, demand.ask(workspaceId));
    let bucket = buckets.get(workspaceId);
    if (bucket) {
      bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.at) * capacity) / SECOND_MS);
      bucket.at = now;
      if (bucket.capacity !== capacity) Object.assign(bucket, { capacity, policy: policyOf(capacity) });
    } else {
      bucket = { tokens: capacity, at: now, capacity, policy: policyOf(capacity) };
      if (buckets.size >= MOST_BUCKETS) forgetOldest(buckets);
      buckets.set(workspaceId, bucket);
    }
    const { policy } = bucket;
    if (bucket.tokens < 1) return { ok: false, limit: `"default";r=0;t=1`, policy };
    bucket.tokens -= 1;
    return { ok: true, limit: `"default";r=${Math.floor(bucket.tokens)};t=1`, policy };
  };
}

const policyOf = (capacity: number): string => `"default";q=${Math.floor(capacity)};w=1`;

// In order of first sight: exact recency would cost two map writes a request.
function forgetOldest(buckets: Map<string, Bucket>): void {
  for (const workspaceId of buckets.keys()) {
    buckets.delete(workspaceId);
    return;
  }
}
