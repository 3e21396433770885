import type { App } from "../../ctx.ts";
import { type KeyUse, touchKeys } from "./store.ts";

/** A key's last use; who has an entry of the key sets `at` (milliseconds) and nothing more. */
export type Use = KeyUse & { recordedAt: number };

export type Uses = {
  of(workspaceId: string, keyId: string): Use;
  /** Writes what changed; on a failure the rows stay for the next call. Never rejects. */
  record(): Promise<void>;
};

/** Keys written a call. */
const ROWS = 500;
/** Past this a key that is not used any more is forgotten; longer than any entry lives. */
const FORGOTTEN_MS = 60_000;

/** `last_used_at` of keys, collected in memory: a write for each request would cost more than the request. */
export function createUses(app: App): Uses {
  const { clock, db, log } = app;
  const uses = new Map<string, Use>();

  async function record(): Promise<void> {
    const now = clock.now();
    const changed: Use[] = [];
    for (const use of uses.values()) {
      if (use.at > use.recordedAt) changed.push(use);
      else if (now - use.at > FORGOTTEN_MS) uses.delete(use.keyId);
    }
    for (let start = 0; start < changed.length; start += ROWS) {
      // Copies, because `at` moves on while the call is under way.
      const rows = changed.slice(start, start + ROWS).map((use) => ({ ...use }));
      try {
        await touchKeys(db, rows, now);
        for (const row of rows) {
          const use = uses.get(row.keyId);
          if (use) use.recordedAt = row.at;
        }
      } catch (error) {
        log.warn(
          { keys: rows.length, cause: error instanceof Error ? error.message : "unknown" },
          "key uses not written",
        );
      }
    }
  }

  return {
    of(workspaceId, keyId) {
      const known = uses.get(keyId);
      if (known) return known;
      const use: Use = { workspaceId, keyId, at: clock.now(), recordedAt: 0 }; // it was looked up because it is used
      uses.set(keyId, use);
      return use;
    },
    record,
  };
}
