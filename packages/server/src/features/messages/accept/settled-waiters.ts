import type { App } from "../../../ctx.ts";
import { readSettled } from "../read.store.ts";

const ASK_EVERY_MS = 50;

/** Serves all callers of `Prefer: wait` by one read of their messages' states every 50 ms, for as long as there are any. */
export class SettledWaiters {
  readonly #app: App;
  readonly #waiting = new Map<string, { workspaceId: string; wake: Set<() => void> }>();
  #asking = false;

  constructor(app: App) {
    this.#app = app;
  }

  /** Resolves when the provider has accepted or refused the message, after `ms`, or when `signal` aborts. */
  settled(workspaceId: string, id: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const entry = this.#waiting.get(id) ?? { workspaceId, wake: new Set<() => void>() };
      this.#waiting.set(id, entry);
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        entry.wake.delete(done);
        if (entry.wake.size === 0) this.#waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(done, ms);
      entry.wake.add(done);
      signal.addEventListener("abort", done);
      void this.#ask();
    });
  }

  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    const { db, clock, log } = this.#app;
    while (this.#waiting.size > 0) {
      await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
      try {
        const rows = [...this.#waiting].map(([id, { workspaceId }]) => ({ id, workspace_id: workspaceId }));
        if (rows.length === 0) break;
        for (const row of await db.call(readSettled, rows, clock.now()))
          if (row.settled) for (const wake of this.#waiting.get(row.id)?.wake ?? []) wake();
      } catch (error) {
        log.warn({ err: error }, "the states of messages that callers wait for could not be read; they are read again");
      }
    }
    this.#asking = false;
  }
}
