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

type Bucket = { tokens: number; at: number };

/** Buckets kept: 100 bytes each. Past it the one not heard of longest goes, and starts full if it comes back. */
const MOST_BUCKETS = 50_000;
const SECOND_MS = 1_000;

/**
 * A token bucket per workspace in this process: `perSecond` requests over all processes, of which this one enforces its
 * share (0 to 1, by the number of live processes). A bucket holds one second's worth.
 */
export function createRateLimit(perSecond: number | null, share: () => number, monotonic: () => number): RateLimit {
  if (perSecond === null) return () => null;
  const policy = `"default";q=${perSecond};w=1`;
  const none: Allowance = { ok: false, limit: `"default";r=0;t=1`, policy };
  const buckets = new Map<string, Bucket>();

  return (workspaceId) => {
    const now = monotonic();
    // A process among many still serves one request at a time.
    const capacity = Math.max(1, perSecond * share());
    let bucket = buckets.get(workspaceId);
    if (bucket) {
      bucket.tokens = Math.min(capacity, bucket.tokens + ((now - bucket.at) * capacity) / SECOND_MS);
      bucket.at = now;
    } else {
      bucket = { tokens: capacity, at: now };
      if (buckets.size >= MOST_BUCKETS) forgetOldest(buckets);
      buckets.set(workspaceId, bucket);
    }
    if (bucket.tokens < 1) return none;
    bucket.tokens -= 1;
    return { ok: true, limit: `"default";r=${Math.floor(bucket.tokens)};t=1`, policy };
  };
}

// In order of first sight: exact recency would cost two map writes a request.
function forgetOldest(buckets: Map<string, Bucket>): void {
  for (const workspaceId of buckets.keys()) {
    buckets.delete(workspaceId);
    return;
  }
}
