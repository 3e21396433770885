import type { App } from "../../ctx.ts";
import { BatchedCalls } from "../../db/batched.ts";
import { TtlCache } from "../../lib/ttl-cache.ts";
import { findListeners } from "./listeners.store.ts";

const MAX_AGE_MS = 10_000;
/** A hundred endpoints with thirty kinds each at the most; in practice some hundred bytes. */
const MOST_WORKSPACES = 20_000;

/** The endpoints that listen to a kind; without a kind, all of them. */
type Count = (kind?: string) => number;

/**
 * How many endpoints of a workspace listen to a kind of event, which is the number of rows that such an event writes. It
 * bounds batches and decides nothing else, so it may be some seconds old.
 */
export class Listeners {
  readonly #counts: TtlCache<string, Count>;

  constructor({ db, clock }: App) {
    const reads = new BatchedCalls({
      db,
      clock,
      fn: findListeners,
      group: (row) => row.workspace_id,
    });
    this.#counts = new TtlCache<string, Count>({
      load: async (workspaceId) => countOf((await reads.submit({ workspace_id: workspaceId })).events ?? []),
      most: MOST_WORKSPACES,
      maxAgeMs: MAX_AGE_MS,
      monotonic: () => clock.monotonic(),
    });
  }

  /** Resolves when the counts of the workspace are known (at once after the first time) or cannot be read now; never rejects. */
  async known(workspaceId: string): Promise<void> {
    if (this.#counts.latest(workspaceId) === null) await this.#counts.get(workspaceId).catch(() => undefined);
  }

  /**
   * Rows written by one event of each of these kinds, at least 1; without kinds, by one that every endpoint listens to.
   * Synchronous, from the counts known now: a workspace without any counts as 1, and is read in the background.
   */
  weightOf(workspaceId: string, ...kinds: readonly string[]): number {
    // An old count is a better bound than none, and than a caller that waits for a new one.
    const count = this.#counts.latest(workspaceId);
    if (count === null) return 1;
    return Math.max(1, kinds.length === 0 ? count() : kinds.reduce((sum, kind) => sum + count(kind), 0));
  }
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
