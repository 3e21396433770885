import type { Sql } from "../../../db/database.ts";

/** A template by its account, name and language: one at a time is created, edited or deleted. */
export type TemplateKey = { businessAccountId: string; name: string; language: string };
export type Operation = "create" | "edit" | "delete";

export type SubmissionRow = {
  operation: Operation;
  digest: Buffer;
  provider_template_id: string | null;
  started_at: Date;
  lease_until: Date;
  attempt: number;
};

const COLUMNS = "operation, digest, provider_template_id, started_at, lease_until, attempt";
const KEY = "workspace_id = $1 and business_account_id = $2 and name = $3 and language = $4";
const keyOf = (workspaceId: string, { businessAccountId, name, language }: TemplateKey) => [
  workspaceId,
  businessAccountId,
  name,
  language,
];

export type ClaimRow = {
  operation: Operation;
  digest: Buffer;
  providerTemplateId: string | null;
  now: Date;
  leaseUntil: Date;
};

/**
 * Begins a submission, or takes over one whose lease has ended; null while another request is at work. `is_repeat`: the former one
 * had the same operation and definition, and `provider_template_id` is still that from before it.
 */
export async function claimSubmissionRow(
  sql: Sql,
  workspaceId: string,
  key: TemplateKey,
  row: ClaimRow,
): Promise<{ attempt: number; is_repeat: boolean; provider_template_id: string | null } | null> {
  const rows = await sql.query<{ attempt: number; is_repeat: boolean; provider_template_id: string | null }>(
    `with former as (select digest from template_submission where ${KEY})
     insert into template_submission as s (workspace_id, business_account_id, name, language, operation, digest,
       provider_template_id, started_at, lease_until)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (workspace_id, business_account_id, name, language) do update
       set operation = excluded.operation, digest = excluded.digest, lease_until = excluded.lease_until,
         started_at = excluded.started_at, attempt = s.attempt + 1,
         provider_template_id = case when s.digest = excluded.digest then s.provider_template_id else excluded.provider_template_id end
       where s.lease_until <= excluded.started_at
     returning attempt, provider_template_id, attempt > 1 and digest = (select f.digest from former f) as is_repeat`,
    [...keyOf(workspaceId, key), row.operation, row.digest, row.providerTemplateId, row.now, row.leaseUntil],
  );
  return rows[0] ?? null;
}

export async function selectSubmissionRow(
  sql: Sql,
  workspaceId: string,
  key: TemplateKey,
): Promise<SubmissionRow | null> {
  const rows = await sql.query<SubmissionRow>(
    `select ${COLUMNS} from template_submission where ${KEY}`,
    keyOf(workspaceId, key),
  );
  return rows[0] ?? null;
}

export async function lockSubmissionRow(
  sql: Sql,
  workspaceId: string,
  key: TemplateKey,
): Promise<SubmissionRow | null> {
  const rows = await sql.query<SubmissionRow>(
    `select ${COLUMNS} from template_submission where ${KEY} for update`,
    keyOf(workspaceId, key),
  );
  return rows[0] ?? null;
}

/** The request no longer works on it: the next request or task settles it. `digest`: null leaves it. */
export async function updateSubmissionRowReleased(
  sql: Sql,
  workspaceId: string,
  key: TemplateKey,
  { attempt, now, digest }: { attempt: number; now: Date; digest: Buffer | null },
): Promise<void> {
  await sql.run(
    `update template_submission set lease_until = $6, digest = coalesce($7, digest) where ${KEY} and attempt = $5`,
    [...keyOf(workspaceId, key), attempt, now, digest],
  );
}

/** It is settled. One that another request has taken over is not this one's to end. */
export async function deleteSubmissionRow(
  sql: Sql,
  workspaceId: string,
  key: TemplateKey,
  attempt: number,
): Promise<void> {
  await sql.run(`delete from template_submission where ${KEY} and attempt = $5`, [...keyOf(workspaceId, key), attempt]);
}
