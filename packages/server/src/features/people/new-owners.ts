import type { App } from "../../ctx.ts";
import { HOUR_MS } from "../../lib/duration.ts";

/** Numbers are reassigned one by one (the provider recycles one after 45 days at rest): an agency sees a few a day. */
const MANY = 20;
const WITHIN_MS = HOUR_MS / 6;

/**
 * Raises an alarm when many people of a workspace write from known numbers with other user ids at once. Each is taken for a new owner
 * of the number, and gets a contact without history; many at once mean that the provider has given the same people new ids.
 */
export class NewOwners {
  readonly #app: App;
  /** By workspace, the times of the newest, at most `MANY`. */
  readonly #times = new Map<string, number[]>();

  constructor(app: App) {
    this.#app = app;
  }

  add(workspaceId: string): void {
    const now = this.#app.clock.monotonic();
    for (const [other, times] of this.#times) if ((times.at(-1) ?? now) < now - WITHIN_MS) this.#times.delete(other);
    const times = [...(this.#times.get(workspaceId) ?? []), now].filter((time) => time > now - WITHIN_MS);
    this.#times.set(workspaceId, times);
    if (times.length < MANY) return;
    this.#times.delete(workspaceId); // once for as many again
    this.#app.log.error(
      { workspace_id: workspaceId, numbers: times.length },
      "many numbers have new user ids at once: if the provider has changed them, each of these people has a second contact now",
    );
  }
}
