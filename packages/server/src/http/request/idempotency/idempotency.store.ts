import type { Sql } from "../../../db/database.ts";
import type { RequestKey } from "../../idempotency.ts";

/** Longest wait for the first request with the same key, and for any other lock of a write. */
const WAIT = "2s";

/** A key that is already used: the fingerprint of its request and, while kept, the sealed first answer. */
export type UsedKey = {
  fingerprint: Buffer;
  resource_id: string;
  status: number | null;
  answer: Buffer | null;
  headers: Record<string, string> | null;
  created_at: Date;
};

/**
 * Takes the key for this transaction, or returns the row that has it. A request with the same key that is still running holds
 * the unique index: the insert waits for its end, then sees its row, or takes the key if it rolled back. Waiting more than 2 s
 * is SQL state 55P03. A key older than `forgottenBefore` (milliseconds) is taken over in place: it is new again.
 */
export async function claimKey(
  sql: Sql,
  workspaceId: string,
  key: RequestKey,
  now: number,
  forgottenBefore: number,
): Promise<UsedKey | null> {
  const digest = Buffer.from(key.digest, "hex");
  const claimed = await sql.run(
    // The timeout is set in the same statement, before the first row is inserted: no round trip of its own.
    `with bounded as materialized (select set_config('lock_timeout', '${WAIT}', true))
     insert into idempotency_key (workspace_id, digest, fingerprint, created_at)
     select $1::uuid, $2::bytea, $3::bytea, $4::timestamptz from bounded
     on conflict (workspace_id, digest) do update
       set fingerprint = excluded.fingerprint, resource_id = '', status = null, answer = null, headers = null,
         created_at = excluded.created_at
       where idempotency_key.created_at < $5::timestamptz`,
    [workspaceId, digest, Buffer.from(key.fingerprint, "hex"), new Date(now), new Date(forgottenBefore)],
  );
  if (claimed > 0) return null;
  // A separate statement: the insert's snapshot is older than the conflicting row.
  const used = await findKey(sql, workspaceId, key, forgottenBefore);
  if (!used) throw new Error("an idempotency key vanished while its row was locked");
  return used;
}

/** The committed row of the key; null when it is free, or older than `forgottenBefore`. */
export async function findKey(
  sql: Sql,
  workspaceId: string,
  key: RequestKey,
  forgottenBefore: number,
): Promise<UsedKey | null> {
  const [used] = await sql.query<UsedKey>(
    `select fingerprint, resource_id, status, answer, headers, created_at from idempotency_key
     where workspace_id = $1 and digest = $2 and created_at >= $3::timestamptz`,
    [workspaceId, Buffer.from(key.digest, "hex"), new Date(forgottenBefore)],
  );
  return used ?? null;
}

/** Stores the answer with the claimed key, in the same transaction. `answer` is sealed. */
export async function keepAnswer(
  sql: Sql,
  workspaceId: string,
  key: RequestKey,
  kept: {
    resourceId: string;
    status: number;
    answer: Buffer;
    headers: Record<string, string>;
    contactIds: readonly string[];
    now: number;
  },
): Promise<void> {
  if (kept.contactIds.length > 0)
    await sql.run(
      `insert into kept_answer_contact (workspace_id, contact_id, digest, created_at)
       select distinct $1::uuid, u.id, $2::bytea, $4::timestamptz from unnest($3::uuid[]) u(id)
       on conflict (workspace_id, contact_id, digest) do nothing`,
      [workspaceId, Buffer.from(key.digest, "hex"), [...kept.contactIds], new Date(kept.now)],
    );
  await sql.run(
    "update idempotency_key set resource_id = $3, status = $4, answer = $5, headers = $6 where workspace_id = $1 and digest = $2",
    [
      workspaceId,
      Buffer.from(key.digest, "hex"),
      kept.resourceId,
      kept.status,
      kept.answer,
      JSON.stringify(kept.headers),
    ],
  );
}

/** Makes a key new again whose request has done nothing. */
export async function releaseKey(sql: Sql, workspaceId: string, key: RequestKey): Promise<void> {
  await sql.run("delete from idempotency_key where workspace_id = $1 and digest = $2 and answer is null", [
    workspaceId,
    Buffer.from(key.digest, "hex"),
  ]);
}
