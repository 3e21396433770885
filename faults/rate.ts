import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs } from "../bench/monotonic.ts";

const TICK_MS = 10;

export type Rate = {
  /** How many were begun. */
  begun(): number;
  /** Begins no more and waits for those under way; throws what one of them threw. */
  stop(): Promise<void>;
};

export type RateLimits = {
  /** No more than these in all; `stop` then waits until they were begun. */
  most?: number;
  /** What would be more under way at once is left out, or is begun later where there is a `most`. */
  atOnce?: number;
};

/** Begins so many a second whatever they take. */
export function steadily(
  perSecond: number,
  begin: (index: number) => Promise<void>,
  { most = Number.POSITIVE_INFINITY, atOnce = Number.POSITIVE_INFINITY }: RateLimits = {},
): Rate {
  const running = new Set<Promise<void>>();
  const startedAt = monotonicMs();
  const bounded = Number.isFinite(most);
  let owedSoFar = 0;
  let begun = 0;
  let fault: { error: unknown } | null = null;
  const timer = setInterval(() => {
    const owed = Math.min(Math.floor(((monotonicMs() - startedAt) * perSecond) / 1_000), most);
    for (; owedSoFar < owed; owedSoFar += 1) {
      if (running.size >= atOnce) {
        if (bounded) return;
        continue;
      }
      const one = begin(begun).catch((error: unknown) => {
        fault ??= { error };
      });
      begun += 1;
      running.add(one);
      void one.finally(() => running.delete(one));
    }
  }, TICK_MS);
  return {
    begun: () => begun,
    async stop() {
      while (bounded && begun < most) await sleep(TICK_MS);
      clearInterval(timer);
      await Promise.all(running);
      if (fault !== null) throw fault.error;
    },
  };
}
