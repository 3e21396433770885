import type { App } from "../../../ctx.ts";
import { batchCalls } from "../../../db/batched.ts";
import { createFreshCache } from "../../../lib/ttl-cache.ts";
import { findListeners } from "./listeners.store.ts";

/**
 * How many endpoints of a workspace listen to a kind of event: the rows that such an event writes. It bounds batches and
 * decides nothing else, so it may be some seconds old.
 */
export type Listeners = {
  /** Resolves when counts of the workspace are at hand, at once after the first time, or cannot be had now; never rejects. */
  known(workspaceId: string): Promise<void>;
  /**
   * Rows written by one event of each of these kinds, at least 1; without kinds, by one that everybody listens to. From what
   * is known now: a workspace that was never asked for counts 1, and is asked for.
   */
  weightOf(workspaceId: string, ...kinds: readonly string[]): number;
};

const MAX_AGE_MS = 10_000;
/** A hundred endpoints with thirty kinds each at the most; some hundred bytes in life. */
const MOST_WORKSPACES = 20_000;

type Count = (kind?: string) => number;

export function createListeners(app: App): Listeners {
  const { db, clock } = app;
  const reads = batchCalls({
    db,
    clock,
    fn: findListeners,
    group: (row) => row.workspace_id,
  });
  const counts = createFreshCache<string, Count>({
    load: async (workspaceId) => countOf((await reads.submit({ workspace_id: workspaceId })).events ?? []),
    most: MOST_WORKSPACES,
    maxAgeMs: MAX_AGE_MS,
    monotonic: () => clock.monotonic(),
  });

  return {
    async known(workspaceId) {
      if (counts.latest(workspaceId) === null) await counts.get(workspaceId).catch(() => undefined);
    },
    weightOf(workspaceId, ...kinds) {
      // An old count is a better bound than none, and than an answer that waits for a new one.
      const count = counts.latest(workspaceId);
      if (count === null) return 1;
      return Math.max(1, kinds.length === 0 ? count() : kinds.reduce((sum, kind) => sum + count(kind), 0));
    },
  };
}

function countOf(endpoints: readonly (readonly string[])[]): Count {
  const byKind = new Map<string, number>();
  return (kind) => {
    if (kind === undefined) return endpoints.length;
    let count = byKind.get(kind);
    if (count === undefined) {
      count = endpoints.filter((events) => events.includes("*") || events.includes(kind)).length;
      byKind.set(kind, count);
    }
    return count;
  };
}
