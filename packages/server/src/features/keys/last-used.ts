import type { App } from "../../ctx.ts";
import { type KeyUse as StoredUse, updateKeyRowsUsed } from "./store.ts";

/** A key's last use. The entry of the key sets `at` (milliseconds); `recordedAt` belongs to `LastUses`. */
export type KeyUse = StoredUse & { recordedAt: number };

/** Keys written in one call. */
const ROWS = 500;
/** A key without a use for this long is forgotten; longer than any entry lives. */
const FORGOTTEN_MS = 60_000;

/** `last_used_at` of keys, collected in memory: a write for each request would cost more than the request. */
export class LastUses {
  readonly #app: Pick<App, "clock" | "db" | "log">;
  readonly #byKey = new Map<string, KeyUse>();

  constructor(app: Pick<App, "clock" | "db" | "log">) {
    this.#app = app;
  }

  /** The use of a key that was just looked up because a request needs it. */
  of(workspaceId: string, keyId: string): KeyUse {
    const known = this.#byKey.get(keyId);
    if (known) return known;
    const use: KeyUse = { workspaceId, keyId, at: this.#app.clock.now(), recordedAt: 0 };
    this.#byKey.set(keyId, use);
    return use;
  }

  /** Writes what changed since the last call; rows that cannot be written stay for the next one. Never rejects. */
  async record(): Promise<void> {
    const now = this.#app.clock.now();
    const changed: KeyUse[] = [];
    for (const use of this.#byKey.values()) {
      if (use.at > use.recordedAt) changed.push(use);
      else if (now - use.at > FORGOTTEN_MS) this.#byKey.delete(use.keyId);
    }
    // Copies, because `at` moves on while the call is in flight.
    for (let start = 0; start < changed.length; start += ROWS)
      await this.#write(
        changed.slice(start, start + ROWS).map((use) => ({ ...use })),
        now,
      );
  }

  async #write(rows: readonly KeyUse[], now: number): Promise<void> {
    try {
      await updateKeyRowsUsed(this.#app.db, rows, now);
    } catch (error) {
      this.#app.log.warn(
        { err: error, keys: rows.length },
        "last_used_at of API keys could not be written; it is tried again within a minute",
      );
      return;
    }
    for (const row of rows) {
      const use = this.#byKey.get(row.keyId);
      if (use) use.recordedAt = row.at;
    }
  }
}
