import type { Database } from "../../../db/database.ts";
import { KEY_KEPT_MS, type RequestKey } from "../../../http/idempotency.ts";

/**
 * Keeps the key of a batch of which something was accepted, so that no other request can use it. What the batch's messages were
 * answered is kept with their own keys.
 */
export const keepBatchKey = (
  db: Database,
  workspaceId: string,
  { digest, fingerprint }: RequestKey,
  now: number,
): Promise<unknown> =>
  db.transaction(workspaceId, (sql) =>
    sql.run(
      `insert into idempotency_key as i (workspace_id, digest, fingerprint, resource_id, created_at)
       values ($1, $2, $3, '', $4)
       on conflict (workspace_id, digest) do update set
         fingerprint = excluded.fingerprint, resource_id = '', created_at = excluded.created_at, answer = null, status = null
       where i.created_at < $5`,
      [
        workspaceId,
        Buffer.from(digest, "hex"),
        Buffer.from(fingerprint, "hex"),
        new Date(now),
        new Date(now - KEY_KEPT_MS),
      ],
    ),
  );
