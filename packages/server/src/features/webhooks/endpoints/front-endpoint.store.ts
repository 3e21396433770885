import type { Sql } from "../../../db/database.ts";
import { onlyRow } from "../../../db/only-row.ts";

/** What an endpoint can be set up for. `id`: its uuid; `account_id`: that of the account, which it may be itself. */
export type FrontTarget = { id: string; is_number: boolean; provider_id: string; account_id: string };

/** The account or the number of the workspace with this uuid. */
export async function selectFrontTarget(sql: Sql, workspaceId: string, id: string): Promise<FrontTarget | null> {
  const rows = await sql.query<FrontTarget>(
    `select id, true as is_number, provider_phone_number_id as provider_id, business_account_id as account_id
       from phone_number where workspace_id = $1 and id = $2
     union all select id, false, provider_account_id, id from business_account where workspace_id = $1 and id = $2`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

/** The uuids of the endpoints that were set up for accounts and numbers, locked until the transaction ends. */
export async function lockFrontEndpointIds(sql: Sql, workspaceId: string): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    "select id from webhook_endpoint where workspace_id = $1 and front_of is not null order by id for no key update",
    [workspaceId],
  );
  return rows.map(({ id }) => id);
}

export type FrontEndpointRow = { id: string; front_of: string; url: string };

/** Those that were set up for these accounts and numbers. */
export async function selectFrontEndpointRows(
  sql: Sql,
  workspaceId: string,
  of: readonly string[],
): Promise<FrontEndpointRow[]> {
  return await sql.query<FrontEndpointRow>(
    "select id, front_of, url from webhook_endpoint where workspace_id = $1 and front_of = any($2)",
    [workspaceId, of],
  );
}

/** What a handshake needs ahead of the endpoint: whether there is a secret, and headers of the endpoint that is there already. */
export type AskedFront = { has_secret: boolean; id: string | null; sealed_headers: Uint8Array | null };

export async function selectAskedFront(sql: Sql, workspaceId: string, of: string): Promise<AskedFront> {
  return onlyRow(
    await sql.query<AskedFront>(
      `select exists (select from front_secret where workspace_id = $1) as has_secret, w.id, w.sealed_headers
       from (select) one left join webhook_endpoint w on w.workspace_id = $1 and w.front_of = $2`,
      [workspaceId, of],
    ),
  );
}

/** Sealed; null where there is none. */
export async function selectFrontSecret(sql: Sql, workspaceId: string): Promise<Uint8Array | null> {
  const rows = await sql.query<{ secret: Uint8Array }>("select secret from front_secret where workspace_id = $1", [
    workspaceId,
  ]);
  return rows[0]?.secret ?? null;
}

export async function upsertFrontSecret(sql: Sql, workspaceId: string, secret: Uint8Array, now: number): Promise<void> {
  await sql.run(
    `insert into front_secret (workspace_id, secret, updated_at) values ($1, $2, $3)
     on conflict (workspace_id) do update set secret = excluded.secret, updated_at = excluded.updated_at`,
    [workspaceId, secret, new Date(now)],
  );
}

export async function deleteFrontSecret(sql: Sql, workspaceId: string): Promise<void> {
  await sql.run("delete from front_secret where workspace_id = $1", [workspaceId]);
}
