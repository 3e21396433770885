import { LRUCache } from "lru-cache";
import type { Actor, App } from "../../../ctx.ts";
import type { Caller } from "../../../http/caller.ts";
import type { SetupLinkKeys } from "../../../http/credentials.ts";
import { Problem, suspended } from "../../../http/problem.ts";
import { atMost } from "../../../lib/at-most.ts";
import { readPlacedSecret } from "../../../lib/placed-secret.ts";
import { selectSetupLinkWorkspace } from "./setup-link.store.ts";

/** Calls of one secret in this process: its page looks each second while a signup goes on, and may be open several times. */
const PER_SECOND = 5;
const MOST_AT_ONCE = 50;
/** Secrets whose calls are remembered. */
const MOST_SECRETS = 10_000;

/**
 * Finds who holds a setup link. What became of it is read by each call itself, so that its end holds at once. A holder is no client of the
 * API: calls beyond their bound are refused ahead of the database and of the audit log, and do not count as the workspace's.
 */
export class SetupLinks implements SetupLinkKeys {
  readonly #app: Pick<App, "db" | "clock">;
  /** By the secret's digest: calls that are left, and when that was, in monotonic milliseconds. */
  readonly #left = new LRUCache<string, { calls: number; at: number }>(atMost(MOST_SECRETS));

  constructor(app: Pick<App, "db" | "clock">) {
    this.#app = app;
  }

  async find(secret: string): Promise<Caller | null> {
    const place = readPlacedSecret(secret);
    if (place === null) return null;
    this.#count(place.digest);
    const { workspaceId, id } = place;
    const workspace = await this.#app.db.read(workspaceId, (sql) => selectSetupLinkWorkspace(sql, place));
    if (workspace === null) return null;
    const actor: Actor = { type: "setup_link", id, name: null, scopes: [], phoneNumberIds: null };
    return { workspaceId, actor, ...(workspace.status === "active" ? {} : { refusal: suspended() }) };
  }

  #count(digest: string): void {
    const at = this.#app.clock.monotonic();
    const { calls, at: before } = this.#left.get(digest) ?? { calls: MOST_AT_ONCE, at };
    const left = Math.min(MOST_AT_ONCE, calls + ((at - before) * PER_SECOND) / 1_000);
    this.#left.set(digest, { calls: left < 1 ? left : left - 1, at });
    if (left < 1)
      throw new Problem("rate_limited", "This setup link is used too often at once.", { retryAfterSeconds: 1 });
  }
}
