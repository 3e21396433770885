import type { House } from "../../ctx.ts";
import { batchCalls } from "../../db/batched.ts";
import { createFreshCache } from "../../lib/fresh-cache.ts";
import { findListeners, type ListenersAnswer } from "./listeners.store.ts";

/**
 * How many endpoints of a workspace listen to a kind of event: the rows that such an event writes. It bounds batches and
 * decides nothing else, so it may be some seconds old.
 */
export type Listeners = {
  /** Resolves when the counts of the workspace are at hand, or cannot be had now; never rejects. */
  known(workspaceId: string): Promise<void>;
  /**
   * Rows written by one event of each of these kinds, at least 1; without kinds, by one that everybody listens to. From what
   * is known now: a workspace that was never asked for counts 1, and is asked for.
   */
  weightOf(workspaceId: string, ...kinds: readonly string[]): number;
};

const MAX_AGE_MS = 4_000;
/** A hundred endpoints with thirty kinds each at the most; some hundred bytes in life. */
const MOST_WORKSPACES = 20_000;

type Count = (kind?: string) => number;

export function createListeners(house: House): Listeners {
  const { db, clock } = house;
  const reads = batchCalls<{ workspace_id: string }, ListenersAnswer>({
    db,
    clock,
    fn: findListeners,
    group: (row) => row.workspace_id,
  });
  // What was read last, whatever its age: an old count is a better bound than none.
  const counts = new Map<string, Count>();
  const cache = createFreshCache<string, Count>({
    async load(workspaceId) {
      const { events } = await reads.submit({ workspace_id: workspaceId });
      const count = countOf(events ?? []);
      counts.delete(workspaceId);
      counts.set(workspaceId, count);
      if (counts.size > MOST_WORKSPACES) counts.delete(counts.keys().next().value ?? "");
      return count;
    },
    most: MOST_WORKSPACES,
    maxAgeMs: MAX_AGE_MS,
    monotonic: () => clock.monotonic(),
  });
  const known = async (workspaceId: string): Promise<void> => {
    await cache.get(workspaceId).catch(() => undefined);
  };

  return {
    known,
    weightOf(workspaceId, ...kinds) {
      void known(workspaceId);
      const count = counts.get(workspaceId);
      if (!count) return 1;
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
