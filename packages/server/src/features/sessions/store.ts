import type { Sql } from "../../db/database.ts";
import type { SecretPlace } from "../../lib/placed-secret.ts";
import { limitedDigest } from "../keys/key-format.ts";

/** A session that was not ended, with what it has its rights from as that is now. */
export type SessionRow = {
  id: string;
  api_key_id: string | null;
  operator_digest: Buffer | null;
  entered_id: string | null;
  seen_at: Date;
  expires_at: Date;
  key_name: string | null;
  key_scopes: string[] | null;
  key_numbers: string[] | null;
  /** Of a session of a key: the key is not revoked. */
  is_key_live: boolean;
  key_expires_at: Date | null;
  workspace_name: string | null;
  workspace_status: string | null;
};

export async function selectSessionRow(sql: Sql, { workspaceId, id, digest }: SecretPlace): Promise<SessionRow | null> {
  const [row] = await sql.query<SessionRow>(
    `select s.id, s.api_key_id, s.operator_digest, s.entered_id, s.seen_at, s.expires_at,
       k.name as key_name, k.scopes as key_scopes, k.phone_number_ids as key_numbers, k.id is not null and k.revoked_at is null as is_key_live,
       k.expires_at as key_expires_at, w.name as workspace_name, w.status as workspace_status
     from console_session s
     left join api_key k on k.workspace_id = s.workspace_id and k.id = s.api_key_id
     left join workspace w on w.workspace_id = s.workspace_id
     where s.workspace_id = $1 and s.id = $2 and s.digest in (decode($3, 'hex'), decode($4, 'hex')) and s.ended_at is null`,
    [workspaceId, id, digest, limitedDigest(digest)],
  );
  return row ?? null;
}

export type WorkspaceName = { name: string; status: string };
export async function selectWorkspaceName(sql: Sql, workspaceId: string): Promise<WorkspaceName | null> {
  const [row] = await sql.query<WorkspaceName>("select name, status from workspace where workspace_id = $1", [
    workspaceId,
  ]);
  return row ?? null;
}

export type NewSession = SecretPlace & {
  apiKeyId: string | null;
  operatorDigest: string | null;
  enteredId: string | null;
  now: number;
  expiresAt: number;
  ip: string | null;
  userAgent: string | null;
};

export async function insertSessionRow(sql: Sql, session: NewSession): Promise<void> {
  await sql.run(
    `insert into console_session
       (workspace_id, id, digest, api_key_id, operator_digest, entered_id, created_at, seen_at, expires_at, ip, user_agent)
     values ($1, $2, decode($3, 'hex'), $4, decode($5, 'hex'), $6, $7, $7, $8, $9, $10)`,
    [
      session.workspaceId,
      session.id,
      session.digest,
      session.apiKeyId,
      session.operatorDigest,
      session.enteredId,
      new Date(session.now),
      new Date(session.expiresAt),
      session.ip,
      session.userAgent,
    ],
  );
}

/** Removes the oldest sessions of a workspace beyond the `kept` newest, which ends those of them that are in use. */
export async function deleteSessionRowsBeyond(sql: Sql, workspaceId: string, kept: number): Promise<void> {
  await sql.run(
    `delete from console_session where workspace_id = $1 and id <= (
       select id from console_session where workspace_id = $1 order by id desc offset $2 limit 1)`,
    [workspaceId, kept],
  );
}

/** True when this call ended it. */
export async function updateSessionRowEnded(sql: Sql, { workspaceId, id }: SecretPlace, now: number): Promise<boolean> {
  const changed = await sql.run(
    "update console_session set ended_at = $3 where workspace_id = $1 and id = $2 and ended_at is null",
    [workspaceId, id, new Date(now)],
  );
  return changed > 0;
}

/** Never back in time. */
export async function updateSessionRowSeen(sql: Sql, workspaceId: string, id: string, now: number): Promise<void> {
  await sql.run("update console_session set seen_at = $3 where workspace_id = $1 and id = $2 and seen_at < $3", [
    workspaceId,
    id,
    new Date(now),
  ]);
}
