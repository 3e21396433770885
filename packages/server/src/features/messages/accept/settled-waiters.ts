import type { App } from "../../../ctx.ts";
import { readSettled } from "../read.store.ts";

/** Callers of `Prefer: wait`, all served by one read of the state rows every 50 ms. */
export type Waiters = {
  /** Resolves when the provider has accepted or refused the message, or after `ms`, or when the caller has gone. */
  settled(workspaceId: string, id: string, ms: number, signal: AbortSignal): Promise<void>;
};

const ASK_EVERY_MS = 50;

export function createWaiters(app: App): Waiters {
  const waiting = new Map<string, { workspaceId: string; wake: Set<() => void> }>();
  let asking = false;

  async function ask(): Promise<void> {
    if (asking) return;
    asking = true;
    while (waiting.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
      try {
        const rows = [...waiting].map(([id, { workspaceId }]) => ({ id, workspace_id: workspaceId }));
        if (rows.length === 0) break;
        for (const row of await app.db.call(readSettled, rows, app.clock.now()))
          if (row.settled) for (const wake of waiting.get(row.id)?.wake ?? []) wake();
      } catch (error) {
        app.log.warn({ err: error }, "asking for waiting messages failed");
      }
    }
    asking = false;
  }

  return {
    settled: (workspaceId, id, ms, signal) =>
      new Promise((resolve) => {
        const entry = waiting.get(id) ?? { workspaceId, wake: new Set<() => void>() };
        waiting.set(id, entry);
        const timer = setTimeout(done, ms);
        function done(): void {
          clearTimeout(timer);
          signal.removeEventListener("abort", done);
          entry.wake.delete(done);
          if (entry.wake.size === 0) waiting.delete(id);
          resolve();
        }
        entry.wake.add(done);
        signal.addEventListener("abort", done);
        void ask();
      }),
  };
}
