import type { Sql } from "../../db/database.ts";
import { columns, hotFunction, recordset } from "../../db/hot-function.ts";

const DUE = columns({
  /** An account that has no time yet is due when it was created before this. */
  created_before: "timestamptz",
  most: "int",
});

/** Accounts of which the provider is to be asked everything again, the longest due first; some of them. One input row. */
export const dueAccounts = hotFunction({
  name: "due_accounts",
  writes: false,
  input: DUE,
  answers: columns({ workspace_id: "uuid", business_account_id: "uuid" }),
  body: `return query select s.workspace_id, s.id from ${recordset(DUE)}
    cross join lateral (
      select a.workspace_id, a.id from business_account a
      where a.status in ('connected', 'restricted') and case when a.reconcile_at is null then a.created_at <= x.created_before else a.reconcile_at <= now end
      order by coalesce(a.reconcile_at, a.created_at) limit x.most) s;`,
});

/** Sets the time after the next; false when another process has. */
export async function updateAccountRowReconcileAt(
  sql: Sql,
  workspaceId: string,
  id: string,
  { now, next }: { now: Date; next: Date },
): Promise<boolean> {
  const updated = await sql.run(
    `update business_account set reconcile_at = $4
     where workspace_id = $1 and id = $2 and status in ('connected', 'restricted') and (reconcile_at is null or reconcile_at <= $3)`,
    [workspaceId, id, now, next],
  );
  return updated > 0;
}
