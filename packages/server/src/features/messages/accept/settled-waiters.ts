import type { App } from "../../../ctx.ts";
import { pause } from "../../../lib/clock.ts";
import { readSettled } from "../read.store.ts";

const ASK_EVERY_MS = 50;

/** A message that `callers` wait for; `settled` ends their pauses. */
type Awaited = { workspaceId: string; callers: number; settled: AbortController };

/** Serves all callers of `Prefer: wait` by one read of their messages' states every 50 ms, for as long as there are any. */
export class SettledWaiters {
  readonly #app: App;
  /** By message id. */
  readonly #awaited = new Map<string, Awaited>();
  #asking = false;

  constructor(app: App) {
    this.#app = app;
  }

  /** Resolves when the provider has accepted or refused the message, after `ms`, or when `signal` aborts. */
  async settled(workspaceId: string, id: string, ms: number, signal: AbortSignal): Promise<void> {
    const message = this.#awaited.get(id) ?? { workspaceId, callers: 0, settled: new AbortController() };
    this.#awaited.set(id, message);
    message.callers += 1;
    void this.#ask();
    await pause(this.#app.clock, ms, AbortSignal.any([signal, message.settled.signal]));
    message.callers -= 1;
    if (message.callers === 0) this.#awaited.delete(id);
  }

  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    const { db, clock, log } = this.#app;
    while (this.#awaited.size > 0) {
      await pause(clock, ASK_EVERY_MS);
      try {
        const rows = [...this.#awaited].map(([id, { workspaceId }]) => ({ id, workspace_id: workspaceId }));
        if (rows.length === 0) break;
        for (const row of await db.call(readSettled, rows, clock.now()))
          if (row.settled) this.#awaited.get(row.id)?.settled.abort();
      } catch (error) {
        log.warn({ err: error }, "the states of messages that callers wait for could not be read; they are read again");
      }
    }
    this.#asking = false;
  }
}
