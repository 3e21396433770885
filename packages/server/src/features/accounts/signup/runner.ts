import { setMaxListeners } from "node:events";
import type { App } from "../../../ctx.ts";
import { pause } from "../../../lib/clock.ts";
import type { AccountDeps } from "../parts.ts";
import { runSignup } from "./advance.ts";

/** Runs at once in a process: each has one call of the provider in flight, whose sockets are mostly for sends. */
const MOST_AT_ONCE = 64;
/** So that one workspace cannot use up the places of all others. */
const MOST_OF_WORKSPACE = 16;
/** A request that was admitted begins its run within this time, or its transaction has failed. */
const BEGUN_WITHIN_MS = 2_000;
/** What is due again so soon is waited for here: the code of a signup lives for seconds, and its task may wait in a full lane. */
const WAIT_HERE_MS = 5_000;
const MOST_RUNS = 6;
/** The calls in flight at a stop have this long; a run that has not ended by then is followed by another process. */
const STOP_WITHIN_MS = 5_000;

/**
 * Begins signups in the process that took their request, without waiting for a place in a task lane: the code lives for 30 s (Cloud
 * API documentation, embedded signup). The task of the signup is what goes on when this process is killed.
 */
export class SignupRunner {
  readonly #app: App;
  readonly #deps: AccountDeps;
  readonly #running = new Set<Promise<void>>();
  readonly #runningOf = new Map<string, number>();
  /** Requests whose run has not begun yet, the oldest first; `until`: monotonic milliseconds. */
  #admitted: { workspaceId: string; until: number }[] = [];
  readonly #stop = new AbortController();

  constructor(app: App, deps: AccountDeps) {
    this.#app = app;
    this.#deps = deps;
    setMaxListeners(0, this.#stop.signal); // each run that waits listens
  }

  /** False: a signup that came now could not be begun at once. */
  hasRoom(workspaceId: string): boolean {
    const now = this.#app.clock.monotonic();
    this.#admitted = this.#admitted.filter(({ until }) => until > now);
    const ofWorkspace = this.#admitted.filter((one) => one.workspaceId === workspaceId).length;
    return (
      this.#running.size + this.#admitted.length < MOST_AT_ONCE &&
      (this.#runningOf.get(workspaceId) ?? 0) + ofWorkspace < MOST_OF_WORKSPACE
    );
  }

  /** Keeps a place for a request until it is begun: others that come meanwhile do not count on it. False: there is none. */
  admit(workspaceId: string): boolean {
    if (!this.hasRoom(workspaceId)) return false;
    this.#admitted.push({ workspaceId, until: this.#app.clock.monotonic() + BEGUN_WITHIN_MS });
    return true;
  }

  /** Begins what was admitted. Returns at once. */
  start(workspaceId: string, id: string): void {
    const admitted = this.#admitted.findIndex((one) => one.workspaceId === workspaceId);
    if (admitted >= 0) this.#admitted.splice(admitted, 1);
    this.#runningOf.set(workspaceId, (this.#runningOf.get(workspaceId) ?? 0) + 1);
    const running = this.#run(workspaceId, id)
      .catch((error: unknown) => {
        const about = { workspace_id: workspaceId, signup_id: id, err: error };
        this.#app.log.warn(about, "a signup stopped here; its task goes on with it");
      })
      .finally(() => {
        this.#running.delete(running);
        const left = (this.#runningOf.get(workspaceId) ?? 1) - 1;
        if (left === 0) this.#runningOf.delete(workspaceId);
        else this.#runningOf.set(workspaceId, left);
      });
    this.#running.add(running);
  }

  async #run(workspaceId: string, id: string): Promise<void> {
    const { clock } = this.#app;
    const { signal } = this.#stop;
    for (let runs = 0; runs < MOST_RUNS && !signal.aborted; runs++) {
      const end = await runSignup(this.#app, this.#deps, { workspaceId, id, isStopping: () => signal.aborted });
      const waitMs = end.kind === "later" ? end.at - clock.now() : Number.POSITIVE_INFINITY;
      if (end.kind === "ended" || end.exchanged || waitMs > WAIT_HERE_MS) return;
      await pause(clock, waitMs, signal);
    }
  }

  /** No run begins another step. Waits a moment for the calls in flight. */
  async stop(): Promise<void> {
    this.#stop.abort();
    const ended = new AbortController();
    const late = new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, STOP_WITHIN_MS);
      ended.signal.addEventListener("abort", () => clearTimeout(timer));
    });
    await Promise.race([Promise.all(this.#running), late]);
    ended.abort();
  }
}
