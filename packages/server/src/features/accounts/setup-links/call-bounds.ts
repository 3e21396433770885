import { LRUCache } from "lru-cache";
import { Problem } from "../../../http/problem.ts";
import { atMost } from "../../../lib/at-most.ts";

type Bound = { perSecond: number; atOnce: number };

/** Its page looks each second while a signup goes on, and may be open several times. */
const READS: Bound = { perSecond: 5, atOnce: 50 };
/** All else leaves a row in the log of calls, and may ask the provider: as often as a person does it, and goes on doing it. */
const CHANGES: Bound = { perSecond: 0.2, atOnce: 30 };
/** Secrets whose calls are remembered. */
const MOST_SECRETS = 10_000;

/** How often the holder of a link may call in this process. */
export class CallBounds {
  readonly #monotonic: () => number;
  /** By kind of call and digest of the secret: calls that are left, and when that was, in monotonic milliseconds. */
  readonly #left = new LRUCache<string, { calls: number; at: number }>(atMost(2 * MOST_SECRETS));

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** Counts a call; throws 429 for one too many. */
  count(digest: string, isReading: boolean): void {
    const { perSecond, atOnce } = isReading ? READS : CHANGES;
    const key = `${isReading} ${digest}`;
    const at = this.#monotonic();
    const { calls, at: before } = this.#left.get(key) ?? { calls: atOnce, at };
    const left = Math.min(atOnce, calls + ((at - before) * perSecond) / 1_000);
    this.#left.set(key, { calls: left < 1 ? left : left - 1, at });
    if (left >= 1) return;
    const retryAfterSeconds = Math.ceil((1 - left) / perSecond);
    throw new Problem("rate_limited", "This setup link is used too often at once.", { retryAfterSeconds });
  }
}
