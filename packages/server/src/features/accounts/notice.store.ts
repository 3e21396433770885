import type { Sql } from "../../db/database.ts";

/**
 * Keeps that a notice was taken; false when it was before. Two that have no time may be different in spite of all: what is older
 * than any repetition is another one.
 */
export async function insertNoticeRow(
  sql: Sql,
  workspaceId: string,
  { digest, at, now }: { digest: Buffer; at: Date | null; now: Date },
): Promise<boolean> {
  const inserted = await sql.run(
    `insert into provider_notice as n (workspace_id, digest, created_at, at) values ($1, $2, $3, $4)
     on conflict (workspace_id, digest) do update set created_at = excluded.created_at
     where n.at is null and n.created_at < excluded.created_at - interval '8 days'`,
    [workspaceId, digest, now, at],
  );
  return inserted > 0;
}

/** Keeps that a change was said, with the time that it is for; false when it was before, for that time or an earlier one. */
export async function insertEarliestNoticeRow(
  sql: Sql,
  workspaceId: string,
  { digest, at, now }: { digest: Buffer; at: Date; now: Date },
): Promise<boolean> {
  const inserted = await sql.run(
    `insert into provider_notice as n (workspace_id, digest, created_at, at) values ($1, $2, $3, $4)
     on conflict (workspace_id, digest) do update set at = excluded.at where n.at > excluded.at`,
    [workspaceId, digest, now, at],
  );
  return inserted > 0;
}

/** The number of an account that has one of these ids of the provider, or one of these phones; null when there is none, or several. */
export async function selectNamedNumberId(
  sql: Sql,
  workspaceId: string,
  accountId: string,
  { providerIds, phones }: { providerIds: readonly string[]; phones: readonly string[] },
): Promise<string | null> {
  if (providerIds.length + phones.length === 0) return null;
  const rows = await sql.query<{ id: string }>(
    `select id from phone_number
     where workspace_id = $1 and business_account_id = $2 and (provider_phone_number_id = any($3) or phone = any($4))`,
    [workspaceId, accountId, providerIds, phones],
  );
  return rows.length === 1 ? (rows[0]?.id ?? null) : null;
}
