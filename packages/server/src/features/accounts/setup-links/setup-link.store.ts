import type { Sql } from "../../../db/database.ts";
import { onlyRow } from "../../../db/only-row.ts";
import type { PageRequest } from "../../../http/pagination.ts";
import type { SecretPlace } from "../../../lib/placed-secret.ts";
import type { SignupStatus } from "../signup/signup.store.ts";

export type SetupLinkRow = {
  id: string;
  return_url: string | null;
  expires_at: Date;
  revoked_at: Date | null;
  embedded_signup_id: string | null;
  /** Of its signup, as that is now; null without one. */
  signup_status: SignupStatus | null;
  code_digest: Buffer | null;
  created_at: Date;
};
const LINK = "l.id, l.return_url, l.expires_at, l.revoked_at, l.embedded_signup_id, l.code_digest, l.created_at";
const LINKS = `select ${LINK}, s.status as signup_status from setup_link l
  left join embedded_signup s on s.workspace_id = l.workspace_id and s.id = l.embedded_signup_id`;

export type NewLink = SecretPlace & { returnUrl: string | null; expiresAt: number; now: number };

export async function insertSetupLinkRow(sql: Sql, workspaceId: string, link: NewLink): Promise<SetupLinkRow> {
  const rows = await sql.query<SetupLinkRow>(
    `insert into setup_link as l (workspace_id, id, digest, return_url, expires_at, created_at)
     values ($1, $2, decode($3, 'hex'), $4, $5, $6) returning ${LINK}, null as signup_status`,
    [workspaceId, link.id, link.digest, link.returnUrl, new Date(link.expiresAt), new Date(link.now)],
  );
  return onlyRow(rows);
}

export async function selectSetupLinkRow(sql: Sql, workspaceId: string, id: string): Promise<SetupLinkRow | null> {
  const rows = await sql.query<SetupLinkRow>(`${LINKS} where l.workspace_id = $1 and l.id = $2`, [workspaceId, id]);
  return rows[0] ?? null;
}

/** The same, locked until the end of the transaction: two tabs begin one signup. */
export async function lockSetupLinkRow(sql: Sql, workspaceId: string, id: string): Promise<SetupLinkRow | null> {
  const rows = await sql.query("select 1 from setup_link where workspace_id = $1 and id = $2 for update", [
    workspaceId,
    id,
  ]);
  // Read again behind the lock: what another has committed meanwhile is of a row of another table, which the lock does not look at again.
  return rows.length === 0 ? null : await selectSetupLinkRow(sql, workspaceId, id);
}

/** Newest first. */
export const selectSetupLinkRows = (sql: Sql, workspaceId: string, page: PageRequest): Promise<SetupLinkRow[]> =>
  sql.query<SetupLinkRow>(
    `${LINKS} where l.workspace_id = $1 and ($2::uuid is null or l.id < $2) order by l.id desc limit $3`,
    [workspaceId, page.before, page.fetch],
  );

export async function countOpenSetupLinkRows(sql: Sql, workspaceId: string, now: number): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*) as count from setup_link l
     where workspace_id = $1 and revoked_at is null and expires_at > $2 and not exists (
       select from embedded_signup s
       where s.workspace_id = l.workspace_id and s.id = l.embedded_signup_id and s.status = 'completed')`,
    [workspaceId, new Date(now)],
  );
  return row?.count ?? 0;
}

/** Removes the oldest of those that are over, beyond the `kept` newest of all. */
export async function deleteSetupLinkRowsBeyond(
  sql: Sql,
  workspaceId: string,
  { kept, now }: { kept: number; now: number },
): Promise<void> {
  await sql.run(
    `delete from setup_link where workspace_id = $1 and (revoked_at is not null or expires_at <= $3) and id <= (
       select id from setup_link where workspace_id = $1 order by id desc offset $2 limit 1)`,
    [workspaceId, kept, new Date(now)],
  );
}

/** True when this call revoked it. */
export async function updateSetupLinkRowRevoked(sql: Sql, workspaceId: string, id: string, now: number) {
  const revoked = await sql.run(
    "update setup_link set revoked_at = $3 where workspace_id = $1 and id = $2 and revoked_at is null",
    [workspaceId, id, new Date(now)],
  );
  return revoked > 0;
}

/** The row has to be locked. */
export async function updateSetupLinkRowBegun(
  sql: Sql,
  workspaceId: string,
  { id, signupId, codeDigest }: { id: string; signupId: string; codeDigest: string },
): Promise<void> {
  await sql.run(
    `update setup_link set embedded_signup_id = $3, code_digest = decode($4, 'hex')
     where workspace_id = $1 and id = $2`,
    [workspaceId, id, signupId, codeDigest],
  );
}

/** Of the workspace of a link whose secret has this digest; null: there is no such link. */
export async function selectSetupLinkWorkspace(
  sql: Sql,
  { workspaceId, id, digest }: SecretPlace,
): Promise<{ workspaceStatus: string } | null> {
  const rows = await sql.query<{ workspaceStatus: string }>(
    `select w.status as "workspaceStatus" from setup_link l join workspace w on w.workspace_id = l.workspace_id
     where l.workspace_id = $1 and l.id = $2 and l.digest = decode($3, 'hex')`,
    [workspaceId, id, digest],
  );
  return rows[0] ?? null;
}

export async function selectOwnName(sql: Sql, workspaceId: string): Promise<string | null> {
  const rows = await sql.query<{ name: string }>("select name from workspace where workspace_id = $1", [workspaceId]);
  return rows[0]?.name ?? null;
}
