import { LRUCache } from "lru-cache";
import { atMost } from "../../../lib/at-most.ts";
import { Problem } from "../../problem.ts";
import type { Allowance, RequestState } from "../state.ts";
import type { Demand } from "./demand.ts";

type Bucket = { tokens: number; at: number; capacity: number; policy: string };

/** Buckets kept, at 200 bytes each. Past it the least recently used goes; its workspace starts with a full one when it calls again. */
const MOST_BUCKETS = 50_000;
const SECOND_MS = 1_000;

/**
 * A token bucket for each workspace in this process. It refills with as many tokens a second as the process may grant just
 * now and holds one second's worth. The headers describe this process alone: the next one may grant more or less.
 */
export class RateLimit {
  readonly #demand: Pick<Demand, "ask"> | null;
  readonly #monotonic: () => number;
  readonly #buckets = new LRUCache<string, Bucket>(atMost(MOST_BUCKETS));

  /** `demand`: null when the limit is off. */
  constructor(demand: Pick<Demand, "ask"> | null, monotonic: () => number) {
    this.#demand = demand;
    this.#monotonic = monotonic;
  }

  /** Counts a request against the limit of its workspace and notes the allowance in it; throws the refusal. */
  admit(state: RequestState): void {
    const allowance = this.take(state.workspaceId);
    state.limited(allowance);
    if (allowance?.ok !== false) return;
    throw new Problem("rate_limited", "This workspace sends more requests than its limit.", { retryAfterSeconds: 1 });
  }

  /** Takes one request from the workspace's bucket; null when the limit is off. */
  take(workspaceId: string): Allowance | null {
    if (this.#demand === null) return null;
    const bucket = this.#refilled(this.#demand, workspaceId);
    const { policy } = bucket;
    if (bucket.tokens < 1) return { ok: false, limit: `"default";r=0;t=1`, policy };
    bucket.tokens -= 1;
    return { ok: true, limit: `"default";r=${Math.floor(bucket.tokens)};t=1`, policy };
  }

  #refilled(demand: Pick<Demand, "ask">, workspaceId: string): Bucket {
    const capacity = Math.max(1, demand.ask(workspaceId)); // a process among many still serves one request a second
    const now = this.#monotonic();
    const known = this.#buckets.get(workspaceId);
    if (known === undefined) {
      const full = { tokens: capacity, at: now, capacity, policy: policyOf(capacity) };
      this.#buckets.set(workspaceId, full);
      return full;
    }
    known.tokens = Math.min(capacity, known.tokens + ((now - known.at) * capacity) / SECOND_MS);
    known.at = now;
    if (known.capacity !== capacity) {
      known.capacity = capacity;
      known.policy = policyOf(capacity);
    }
    return known;
  }
}

const policyOf = (capacity: number): string => `"default";q=${Math.floor(capacity)};w=1`;
