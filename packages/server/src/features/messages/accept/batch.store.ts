import { KEY_KEPT_MS, type RequestKey } from "../../../http/idempotency.ts";
import type { OwnCtx } from "../../../http/route.ts";

/**
 * Keeps the key of a batch of which something was accepted, so that no other request can use it. What the batch's messages were
 * answered is kept with their own keys.
 */
export const keepBatchKey = (ctx: OwnCtx, key: RequestKey): Promise<unknown> =>
  ctx.db.transaction(ctx.workspaceId, (sql) =>
    sql.run(
      `insert into idempotency_key as i (workspace_id, digest, fingerprint, resource_id, created_at)
       values ($1, $2, $3, '', $4)
       on conflict (workspace_id, digest) do update set
         fingerprint = excluded.fingerprint, resource_id = '', created_at = excluded.created_at, answer = null, status = null
       where i.created_at < $5`,
      [
        ctx.workspaceId,
        Buffer.from(key.digest, "hex"),
        Buffer.from(key.fingerprint, "hex"),
        new Date(ctx.now),
        new Date(ctx.now - KEY_KEPT_MS),
      ],
    ),
  );
