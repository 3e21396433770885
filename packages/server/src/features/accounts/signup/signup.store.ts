import type { Sql } from "../../../db/database.ts";
import type { DoneStep, StepError } from "./step.ts";

export type SignupStatus = "pending" | "running" | "completed" | "failed";

/** What is returned of a signup. */
export type SignupRow = {
  id: string;
  status: SignupStatus;
  provider_account_id: string | null;
  provider_phone_number_id: string | null;
  business_account_id: string | null;
  done: DoneStep[];
  error: StepError | null;
  created_at: Date;
  updated_at: Date;
  completed_at: Date | null;
};
const SIGNUP =
  "id, status, provider_account_id, provider_phone_number_id, business_account_id, done, error, created_at, updated_at, completed_at";

/** With its secrets, sealed, and what its runs are planned by. */
export type SecretSignupRow = SignupRow & {
  granted: string[] | null;
  code: Buffer | null;
  code_at: Date;
  redirect_uri: string | null;
  access_token: Buffer | null;
  token_expires_at: Date | null;
  pin: Buffer | null;
  claim: string | null;
  claimed_until: Date | null;
  tries: number;
  next_try_at: Date;
  deadline_at: Date;
  sweep_at: Date;
};
const SECRET_SIGNUP = `${SIGNUP}, granted, code, code_at, redirect_uri, access_token, token_expires_at, pin, claim, claimed_until, tries, next_try_at, deadline_at, sweep_at`;

export type NewSignup = Pick<
  SecretSignupRow,
  | "id"
  | "provider_account_id"
  | "provider_phone_number_id"
  | "redirect_uri"
  | "code"
  | "pin"
  | "deadline_at"
  | "sweep_at"
> & { now: Date };

export async function insertSignupRow(sql: Sql, workspaceId: string, signup: NewSignup): Promise<SignupRow> {
  const rows = await sql.query<SignupRow>(
    `insert into embedded_signup (workspace_id, id, status, provider_account_id, provider_phone_number_id, done, code, code_at, pin,
       has_secrets, tries, next_try_at, deadline_at, sweep_at, created_at, updated_at, redirect_uri)
     values ($1, $2, 'pending', $3, $4, '[]', $5, $6, $7, true, 0, $6, $8, $9, $6, $6, $10) returning ${SIGNUP}`,
    [
      workspaceId,
      signup.id,
      signup.provider_account_id,
      signup.provider_phone_number_id,
      signup.code,
      signup.now,
      signup.pin,
      signup.deadline_at,
      signup.sweep_at,
      signup.redirect_uri,
    ],
  );
  const row = rows[0];
  if (!row) throw new Error("an inserted signup returned no row");
  return row;
}

export async function selectSignupRow(sql: Sql, workspaceId: string, id: string): Promise<SignupRow | null> {
  const rows = await sql.query<SignupRow>(`select ${SIGNUP} from embedded_signup where workspace_id = $1 and id = $2`, [
    workspaceId,
    id,
  ]);
  return rows[0] ?? null;
}

/** Newest first. */
export const selectSignupRows = (
  sql: Sql,
  workspaceId: string,
  page: { before: string | null; fetch: number },
): Promise<SignupRow[]> =>
  sql.query<SignupRow>(
    `select ${SIGNUP} from embedded_signup
     where workspace_id = $1 and ($2::uuid is null or id < $2) order by id desc limit $3`,
    [workspaceId, page.before, page.fetch],
  );

export async function selectSecretSignupRow(
  sql: Sql,
  workspaceId: string,
  id: string,
): Promise<SecretSignupRow | null> {
  const rows = await sql.query<SecretSignupRow>(
    `select ${SECRET_SIGNUP} from embedded_signup where workspace_id = $1 and id = $2`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

export async function lockSignupRow(sql: Sql, workspaceId: string, id: string): Promise<SecretSignupRow | null> {
  const rows = await sql.query<SecretSignupRow>(
    `select ${SECRET_SIGNUP} from embedded_signup where workspace_id = $1 and id = $2 for update`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

/** Claims a signup that is due and that no other run works on, until `exchangeUntil` for its first step; null: there is nothing to do now. */
export async function updateSignupRowClaimed(
  sql: Sql,
  workspaceId: string,
  id: string,
  { claim, exchangeUntil, until, now }: { claim: string; exchangeUntil: Date; until: Date; now: Date },
): Promise<SecretSignupRow | null> {
  const rows = await sql.query<SecretSignupRow>(
    `update embedded_signup set status = 'running', claim = $3, updated_at = $5,
       claimed_until = case when json_array_length(done) = 0 then $6::timestamptz else $4::timestamptz end
     where workspace_id = $1 and id = $2 and status in ('pending', 'running') and next_try_at <= $5
       and (claim is null or claimed_until <= $5)
     returning ${SECRET_SIGNUP}`,
    [workspaceId, id, claim, until, now, exchangeUntil],
  );
  return rows[0] ?? null;
}

/** The claim goes on; false: another run has it. */
export async function updateSignupRowClaimedUntil(
  sql: Sql,
  workspaceId: string,
  id: string,
  { claim, until }: { claim: string; until: Date },
): Promise<boolean> {
  const updated = await sql.run(
    "update embedded_signup set claimed_until = $4 where workspace_id = $1 and id = $2 and claim = $3",
    [workspaceId, id, claim, until],
  );
  return updated > 0;
}

/** Stores all that a run or a resume has changed, if `claim` is still the row's (null: under its lock). False: another run has it. */
export async function updateSignupRow(
  sql: Sql,
  workspaceId: string,
  { held, row, now }: { held: string | null; row: SecretSignupRow; now: Date },
): Promise<boolean> {
  const updated = await sql.run(
    `update embedded_signup set status = $4, provider_account_id = $5, provider_phone_number_id = $6,
       business_account_id = $7, done = $8, error = $9, granted = $10, code = $11, code_at = $12, access_token = $13,
       token_expires_at = $14, pin = $15, claim = $16, claimed_until = $17, tries = $18, next_try_at = $19,
       deadline_at = $20, sweep_at = $21, completed_at = $22, updated_at = $23, redirect_uri = $24,
       has_secrets = $11::bytea is not null or $13::bytea is not null or $15::bytea is not null
     where workspace_id = $1 and id = $2 and claim is not distinct from $3::uuid`,
    [
      workspaceId,
      row.id,
      held,
      row.status,
      row.provider_account_id,
      row.provider_phone_number_id,
      row.business_account_id,
      JSON.stringify(row.done),
      row.error === null ? null : JSON.stringify(row.error),
      row.granted,
      row.code,
      row.code_at,
      row.access_token,
      row.token_expires_at,
      row.pin,
      row.claim,
      row.claimed_until,
      row.tries,
      row.next_try_at,
      row.deadline_at,
      row.sweep_at,
      row.completed_at,
      now,
      row.redirect_uri,
    ],
  );
  return updated > 0;
}
