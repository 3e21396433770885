import type { App } from "../../../ctx.ts";
import { pause } from "../../../lib/clock.ts";
import type { MessageError } from "../message-error.ts";
import { readSettled } from "../read.store.ts";

const LOOK_EVERY_MS = 50;
/** How often a message is read that another process may send, and one that this process sends: its slot may get another owner meanwhile. */
const ASK_EVERY_MS = { elsewhere: LOOK_EVERY_MS, here: 500 } as const;

/**
 * What is known of a message that a caller waits for. `named`: it has its public id, which is the provider's unless one was minted.
 * `refused`: it has ended without one. `lost`: the provider's answer was lost.
 */
export type KnownOutcome =
  | { kind: "named"; publicId: string }
  | { kind: "refused"; error: MessageError | null }
  | { kind: "lost" };

type Waiter = {
  workspaceId: string;
  needs: "outcome" | "name";
  everyMs: number;
  /** Of the monotonic clock: when it is to be read. */
  askAt: number;
  end(known: KnownOutcome | null): void;
};
type Wanted = Pick<Waiter, "workspaceId"> & Partial<Pick<Waiter, "needs">> & { id: string; slot?: number | null };

/**
 * Serves callers that wait for the outcome of a send. What this process sends itself it learns with the outcome's commit; for all other
 * messages one read of the states of all every 50 ms, for as long as there are any.
 */
export class SettledWaiters {
  readonly #app: App;
  /** By message id. */
  readonly #waiters = new Map<string, Set<Waiter>>();
  #asking = false;

  constructor(app: App) {
    this.#app = app;
  }

  /**
   * Resolves when the provider has accepted or refused the message or its answer was lost, after `ms`, or when `signal` aborts; null where
   * nothing is known by then. With `needs: "name"` also when another caller's answer has given it its public id.
   */
  settled(
    { workspaceId, id, slot = null, needs = "outcome" }: Wanted,
    ms: number,
    signal: AbortSignal,
  ): Promise<KnownOutcome | null> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve(null);
      const waiters = this.#waiters.get(id) ?? new Set();
      const end = (known: KnownOutcome | null): void => {
        cancel();
        signal.removeEventListener("abort", leave);
        waiters.delete(waiter);
        if (waiters.size === 0 && this.#waiters.get(id) === waiters) this.#waiters.delete(id);
        resolve(known);
      };
      const leave = (): void => end(null);
      const { clock, notifier } = this.#app;
      const everyMs = slot !== null && notifier.isOwn("dispatch", slot) ? ASK_EVERY_MS.here : ASK_EVERY_MS.elsewhere;
      const waiter: Waiter = { workspaceId, needs, everyMs, askAt: clock.monotonic() + everyMs, end };
      const cancel = clock.after(ms, leave);
      signal.addEventListener("abort", leave);
      this.#waiters.set(id, waiters.add(waiter));
      void this.#ask();
    });
  }

  /** The outcome of a send was stored by this process. */
  stored(id: string, outcome: KnownOutcome): void {
    for (const waiter of this.#waiters.get(id) ?? []) waiter.end(outcome);
  }

  async #ask(): Promise<void> {
    if (this.#asking) return;
    this.#asking = true;
    const { clock, log } = this.#app;
    while (this.#waiters.size > 0) {
      await pause(clock, LOOK_EVERY_MS);
      try {
        await this.#read();
      } catch (error) {
        log.warn({ err: error }, "the states of messages that callers wait for could not be read; they are read again");
      }
    }
    this.#asking = false;
  }

  async #read(): Promise<void> {
    const rows = this.#wanted();
    if (rows.length === 0) return;
    for (const { id, settled, public_id, ended, error } of await this.#app.db.call(
      readSettled,
      rows,
      this.#app.clock.now(),
    )) {
      const named = public_id === null ? null : ({ kind: "named", publicId: public_id } as const);
      const known = named ?? (ended ? ({ kind: "refused", error } as const) : ({ kind: "lost" } as const));
      for (const waiter of this.#waiters.get(id) ?? [])
        if (settled || (waiter.needs === "name" && named !== null)) waiter.end(known);
    }
  }

  /** The messages whose time has come. */
  #wanted(): { id: string; workspace_id: string }[] {
    const now = this.#app.clock.monotonic();
    return [...this.#waiters].flatMap(([id, waiters]) => {
      const due = [...waiters].filter(({ askAt }) => askAt <= now);
      for (const waiter of due) waiter.askAt = now + waiter.everyMs;
      return due[0] === undefined ? [] : [{ id, workspace_id: due[0].workspaceId }];
    });
  }
}
