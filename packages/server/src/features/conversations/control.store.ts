import type { Sql } from "../../db/database.ts";
import { wireForm } from "../identity/identifiers.sql.ts";
import { OWN_ACT } from "../threads/owner.sql.ts";
import type { Owner, OwnerRow } from "../threads/owner.ts";
import type { ConversationKey } from "./store.ts";

/** How a person is called at the provider from a number: by `phone` (E.164 with +), else by `user_id`. */
export type ReachRow = { phone: string | null; user_id: string | null };

export async function selectReachRow(sql: Sql, workspaceId: string, key: ConversationKey): Promise<ReachRow | null> {
  const rows = await sql.query<ReachRow>(
    `select p.phone, user_id_for(c.workspace_id, c.id, $3::uuid) as user_id from contact c
     cross join lateral (select ${wireForm("c", "c.workspace_id", "c.phone")} as phone) p
     where c.workspace_id = $1 and c.id = $2`,
    [workspaceId, key.contact_id, key.phone_number_id],
  );
  return rows[0] ?? null;
}

export const isNumberOf = async (sql: Sql, workspaceId: string, id: string): Promise<boolean> =>
  (await sql.query("select from phone_number n where n.workspace_id = $1 and n.id = $2", [workspaceId, id])).length > 0;

/** Until the end of the transaction no other one changes it. */
export async function lockOwnerRow(sql: Sql, workspaceId: string, key: ConversationKey): Promise<OwnerRow | null> {
  const rows = await sql.query<OwnerRow>(
    `select v.owner_role, v.owner_since, v.last_inbound_at from conversation v
     where v.workspace_id = $1 and v.contact_id = $2 and v.phone_number_id = $3 for no key update`,
    [workspaceId, key.contact_id, key.phone_number_id],
  );
  return rows[0] ?? null;
}

/** What this app did at `now`: as `TAKE_OWNERS` does with what the provider reports. */
export const updateOwnerRow = (
  sql: Sql,
  workspaceId: string,
  key: ConversationKey,
  { role, since, at }: { role: Owner["role"]; since: Date; at: Date },
): Promise<number> =>
  sql.run(
    `update conversation v set owner_role = $4, owner_since = $5, owner_at = greatest(v.owner_at, $6::timestamptz),
       owner_marks = array['${OWN_ACT}']
     where v.workspace_id = $1 and v.contact_id = $2 and v.phone_number_id = $3`,
    [workspaceId, key.contact_id, key.phone_number_id, role, since, at],
  );
