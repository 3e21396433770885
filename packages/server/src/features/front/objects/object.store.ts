import type { Sql } from "../../../db/database.ts";

/** What a provider's id is of: kinds of objects that a workspace has. */
export type ObjectRow = { kind: "number" | "account" | "template"; id: string; business_account_id: string };

/** What of the workspace has this id at the provider; null: nothing of it. */
export async function selectObjectRow(sql: Sql, workspaceId: string, providerId: string): Promise<ObjectRow | null> {
  const rows = await sql.query<ObjectRow>(
    `select 'number' as kind, n.id, n.business_account_id from phone_number n
       where n.workspace_id = $1 and n.provider_phone_number_id = $2
     union all select 'account', a.id, a.id from business_account a
       where a.workspace_id = $1 and a.provider_account_id = $2
     union all select 'template', t.id, t.business_account_id from template t
       where t.workspace_id = $1 and t.provider_template_id = $2
     limit 1`,
    [workspaceId, providerId],
  );
  return rows[0] ?? null;
}
