import type { Sql } from "../../db/database.ts";
import type { AccountStatus } from "./store.ts";

export type AccountStatusRow = { id: string; status: AccountStatus };

/** Every account of the workspace with its status, oldest first. */
export async function selectAccountStatusRows(sql: Sql, workspaceId: string): Promise<AccountStatusRow[]> {
  return await sql.query<AccountStatusRow>(
    "select id, status from business_account where workspace_id = $1 order by id",
    [workspaceId],
  );
}
