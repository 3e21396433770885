import type { Sql } from "../../db/database.ts";
import { onlyRow } from "../../db/only-row.ts";

export type AccountStatus = "connecting" | "connected" | "restricted" | "disconnected";

export type AccountRow = {
  id: string;
  provider_account_id: string;
  name: string;
  status: AccountStatus;
  status_reason: string | null;
  portfolio_id: string | null;
  /** IANA name; null: not known. */
  time_zone: string | null;
  messaging_account_id: string | null;
  waac_id: string | null;
  created_at: Date;
};
const ACCOUNT =
  "id, provider_account_id, name, status, status_reason, portfolio_id, time_zone, messaging_account_id, waac_id, created_at";

/** With its tokens, sealed: for the tasks that speak with the provider. */
export type SecretAccountRow = AccountRow & {
  access_token: Buffer | null;
  pending_token: Buffer | null;
  job_id: string;
  imported_at: Date | null;
  token_since: Date | null;
  updated_at: Date;
};
const SECRET_ACCOUNT = `${ACCOUNT}, access_token, pending_token, job_id, imported_at, token_since, updated_at`;

/** Locks the account of this provider id, or inserts it: a twin waits in the insert. */
export async function insertOrLockAccountRow(
  sql: Sql,
  workspaceId: string,
  account: { id: string; providerAccountId: string; taskId: string; now: Date },
): Promise<SecretAccountRow> {
  // The update changes nothing: it locks, in the same statement, so that a row which is being deleted is inserted again.
  const rows = await sql.query<SecretAccountRow>(
    `insert into business_account as a (workspace_id, id, provider_account_id, status, job_id, created_at, updated_at)
     values ($1, $2, $3, 'connecting', $4, $5, $5)
     on conflict (workspace_id, provider_account_id) do update set id = a.id
     returning ${SECRET_ACCOUNT}`,
    [workspaceId, account.id, account.providerAccountId, account.taskId, account.now],
  );
  return onlyRow(rows);
}

/** A new token for the account waits for its verification; one that is not connected begins to connect. */
export async function updateAccountRowPendingToken(
  sql: Sql,
  workspaceId: string,
  id: string,
  put: { token: Buffer; taskId: string; now: Date },
): Promise<void> {
  await sql.run(
    `update business_account set pending_token = $3, job_id = $4, updated_at = $5,
       status = case when status in ('connected', 'restricted') then status else 'connecting' end,
       status_reason = case when status in ('connected', 'restricted') then status_reason end
     where workspace_id = $1 and id = $2`,
    [workspaceId, id, put.token, put.taskId, put.now],
  );
}

export async function selectAccountRow(sql: Sql, workspaceId: string, id: string): Promise<AccountRow | null> {
  const rows = await sql.query<AccountRow>(
    `select ${ACCOUNT} from business_account where workspace_id = $1 and id = $2`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

/** The time zones of accounts; null: not known. */
export const selectTimeZoneRows = (
  sql: Sql,
  workspaceId: string,
  ids: readonly string[],
): Promise<Pick<AccountRow, "id" | "time_zone">[]> =>
  sql.query("select id, time_zone from business_account where workspace_id = $1 and id = any($2)", [workspaceId, ids]);

export async function selectSecretAccountRow(
  sql: Sql,
  workspaceId: string,
  id: string,
): Promise<SecretAccountRow | null> {
  const rows = await sql.query<SecretAccountRow>(
    `select ${SECRET_ACCOUNT} from business_account where workspace_id = $1 and id = $2`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

export async function lockSecretAccountRow(
  sql: Sql,
  workspaceId: string,
  id: string,
): Promise<SecretAccountRow | null> {
  const rows = await sql.query<SecretAccountRow>(
    `select ${SECRET_ACCOUNT} from business_account where workspace_id = $1 and id = $2 for update`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

/** With `ofNumbers`, only those that have one of these. */
export async function selectAccountRows(
  sql: Sql,
  workspaceId: string,
  page: { before: string | null; fetch: number },
  ofNumbers: readonly string[] | null,
): Promise<AccountRow[]> {
  return await sql.query<AccountRow>(
    `select ${ACCOUNT} from business_account a
     where workspace_id = $1 and ($2::uuid is null or id < $2)
       and ($4::uuid[] is null or exists (
         select from phone_number n where n.workspace_id = $1 and n.id = any($4) and n.business_account_id = a.id))
     order by id desc limit $3`,
    [workspaceId, page.before, page.fetch, ofNumbers],
  );
}

/** The Messaging account that sends of the account's numbers name; null: none. */
export async function updateAccountRowMessagingAccount(
  sql: Sql,
  workspaceId: string,
  id: string,
  messagingAccountId: string | null,
): Promise<void> {
  await sql.run("update business_account set messaging_account_id = $3 where workspace_id = $1 and id = $2", [
    workspaceId,
    id,
    messagingAccountId,
  ]);
}

/** The WhatsApp account that callbacks of the account name. */
export async function updateAccountRowWaac(sql: Sql, workspaceId: string, id: string, waacId: string): Promise<void> {
  await sql.run(
    "update business_account set waac_id = $3 where workspace_id = $1 and id = $2 and waac_id is distinct from $3",
    [workspaceId, id, waacId],
  );
}

/** The provider refused the new token of an account that works with its old one. */
export async function updateAccountRowTokenRefused(
  sql: Sql,
  workspaceId: string,
  id: string,
  drop: { reason: string; now: Date },
): Promise<void> {
  await sql.run(
    "update business_account set pending_token = null, status_reason = $3, updated_at = $4 where workspace_id = $1 and id = $2",
    [workspaceId, id, drop.reason, drop.now],
  );
}

/** For an account that was never connected: nothing names it. */
export async function deleteAccountRow(sql: Sql, workspaceId: string, id: string): Promise<void> {
  await sql.run("delete from business_account where workspace_id = $1 and id = $2", [workspaceId, id]);
}

/** Nothing opens the account any more until a new token comes. */
export async function updateAccountRowTokensErased(sql: Sql, workspaceId: string, id: string): Promise<void> {
  await sql.run(
    "update business_account set access_token = null, pending_token = null where workspace_id = $1 and id = $2",
    [workspaceId, id],
  );
}

/** The provider has let the account's token in. `at`: before it was asked. */
export async function updateAccountRowChecked(sql: Sql, workspaceId: string, id: string, at: Date): Promise<void> {
  await sql.run("update business_account set checked_at = $3 where workspace_id = $1 and id = $2", [
    workspaceId,
    id,
    at,
  ]);
}
