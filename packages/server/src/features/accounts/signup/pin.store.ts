import type { Sql } from "../../../db/database.ts";
import { onlyRow } from "../../../db/only-row.ts";

/** The sealed PIN of a number: the one that is kept, or `pin`, which is kept from now on. */
export async function insertOrSelectPinRow(
  sql: Sql,
  workspaceId: string,
  { providerPhoneNumberId, pin, now }: { providerPhoneNumberId: string; pin: Buffer; now: Date },
): Promise<Buffer> {
  // The update changes nothing; it makes the row that was there a part of the answer.
  const rows = await sql.query<{ pin: Buffer }>(
    `insert into phone_number_pin as p (workspace_id, provider_phone_number_id, pin, created_at) values ($1, $2, $3, $4)
     on conflict (workspace_id, provider_phone_number_id) do update set pin = p.pin returning pin`,
    [workspaceId, providerPhoneNumberId, pin, now],
  );
  return onlyRow(rows).pin;
}

/** The provider has taken this PIN: it is the number's. */
export async function upsertPinRow(
  sql: Sql,
  workspaceId: string,
  { providerPhoneNumberId, pin, now }: { providerPhoneNumberId: string; pin: Buffer; now: Date },
): Promise<void> {
  await sql.run(
    `insert into phone_number_pin (workspace_id, provider_phone_number_id, pin, created_at) values ($1, $2, $3, $4)
     on conflict (workspace_id, provider_phone_number_id) do update set pin = excluded.pin`,
    [workspaceId, providerPhoneNumberId, pin, now],
  );
}
