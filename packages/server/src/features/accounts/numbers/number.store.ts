import type { Sql } from "../../../db/database.ts";
import { onlyRow } from "../../../db/only-row.ts";
import type { ProviderPhoneNumber } from "../../../provider/provider.ts";
import { NUMBER_COLUMNS } from "./number.sql.ts";

export type NumberRow = {
  id: string;
  business_account_id: string;
  provider_phone_number_id: string;
  phone: string;
  verified_name: string | null;
  quality: string;
  status: string;
  throughput_per_second: number;
  description: string | null;
  is_default: boolean;
  marketing_stopped_until: Date | null;
};
const NUMBER = NUMBER_COLUMNS.join(", ");

/** Two imports of a workspace, or an import and a change of the default number, go one after the other. */
export async function lockNumberRows(sql: Sql, workspaceId: string): Promise<void> {
  await sql.query("select 1 from workspace where workspace_id = $1 for no key update", [workspaceId]);
}

export type UpsertNumber = { id: string; accountId: string; number: ProviderPhoneNumber; now: Date };

/** What the provider says of a number; our own fields stay. A number that the provider gives no speed for keeps what it had. */
export async function upsertNumberRow(
  sql: Sql,
  workspaceId: string,
  { id, accountId, number, now }: UpsertNumber,
): Promise<string> {
  const rows = await sql.query<{ id: string }>(
    `insert into phone_number as n
       (workspace_id, id, business_account_id, provider_phone_number_id, phone, verified_name, quality, status,
        throughput_per_second, is_default, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, 80),
       not exists (select from phone_number d where d.workspace_id = $1 and d.is_default), $10, $10)
     on conflict (workspace_id, provider_phone_number_id) do update set
       business_account_id = excluded.business_account_id, phone = excluded.phone,
       verified_name = excluded.verified_name, quality = excluded.quality, status = excluded.status,
       throughput_per_second = coalesce($9, n.throughput_per_second), updated_at = excluded.updated_at
     returning id`,
    [
      workspaceId,
      id,
      accountId,
      number.providerPhoneNumberId,
      number.phone,
      number.verifiedName,
      number.quality,
      number.status,
      number.throughputPerSecond,
      now,
    ],
  );
  return onlyRow(rows).id;
}

/** Numbers of the account that the provider no longer lists cannot send. The ids of those that could until now. */
export async function updateOtherNumberRowsRetired(
  sql: Sql,
  workspaceId: string,
  accountId: string,
  retire: { keep: readonly string[]; now: Date },
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `update phone_number set status = 'disconnected', updated_at = $4
     where workspace_id = $1 and business_account_id = $2 and id <> all($3) and status <> 'disconnected' returning id`,
    [workspaceId, accountId, retire.keep, retire.now],
  );
  return rows.map(({ id }) => id);
}

export async function selectNumberRowsOfAccounts(
  sql: Sql,
  workspaceId: string,
  accountIds: readonly string[],
): Promise<NumberRow[]> {
  return await sql.query<NumberRow>(
    `select ${NUMBER} from phone_number where workspace_id = $1 and business_account_id = any($2) order by id`,
    [workspaceId, accountIds],
  );
}

export async function selectNumberRow(sql: Sql, workspaceId: string, id: string): Promise<NumberRow | null> {
  const rows = await sql.query<NumberRow>(`select ${NUMBER} from phone_number where workspace_id = $1 and id = $2`, [
    workspaceId,
    id,
  ]);
  return rows[0] ?? null;
}

/** With `within`, only those of these uuids. */
export async function selectNumberRows(
  sql: Sql,
  workspaceId: string,
  page: { before: string | null; fetch: number },
  within: readonly string[] | null,
): Promise<NumberRow[]> {
  return await sql.query<NumberRow>(
    `select ${NUMBER} from phone_number
     where workspace_id = $1 and ($2::uuid is null or id < $2) and ($4::uuid[] is null or id = any($4))
     order by id desc limit $3`,
    [workspaceId, page.before, page.fetch, within],
  );
}

/** Makes a number the default one; under `lockNumbers`, for there is one default at a time. */
export async function updateNumberRowDefault(sql: Sql, workspaceId: string, id: string, now: Date): Promise<void> {
  await sql.run(
    "update phone_number set is_default = false, updated_at = $3 where workspace_id = $1 and is_default and id <> $2",
    [workspaceId, id, now],
  );
  await sql.run(
    "update phone_number set is_default = true, updated_at = $3 where workspace_id = $1 and id = $2 and not is_default",
    [workspaceId, id, now],
  );
}

export async function updateNumberRowDescription(
  sql: Sql,
  workspaceId: string,
  id: string,
  change: { description: string | null; now: Date },
): Promise<void> {
  await sql.run("update phone_number set description = $3, updated_at = $4 where workspace_id = $1 and id = $2", [
    workspaceId,
    id,
    change.description,
    change.now,
  ]);
}
