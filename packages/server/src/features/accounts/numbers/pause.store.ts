import type { Sql } from "../../../db/database.ts";

/** By event, the column that keeps when it was. */
const NOTED: ReadonlyMap<string, string> = new Map([
  ["ACCOUNT_OFFBOARDED", "offboarded_at"],
  ["ACCOUNT_RECONNECTED", "reconnected_at"],
]);

/** `at`: milliseconds. The numbers that a notice names, by ids or phones; all of the account where it names none. */
export type PauseNotice = {
  accountId: string;
  event: string;
  at: number;
  providerIds: readonly string[];
  phones: readonly string[];
};

/** Notes that numbers are registered again, or are back, in whatever order and however often that is said. Of other events nothing. */
export async function notePause(sql: Sql, workspaceId: string, notice: PauseNotice): Promise<void> {
  const { accountId, event, at, providerIds, phones } = notice;
  const column = NOTED.get(event);
  if (column === undefined) return;
  await sql.run(
    `update phone_number set ${column} = $3
     where workspace_id = $1 and business_account_id = $2 and (${column} is null or ${column} < $3)
       and (cardinality($4::text[]) + cardinality($5::text[]) = 0 or provider_phone_number_id = any($4) or phone = any($5))`,
    [workspaceId, accountId, new Date(at), providerIds, phones],
  );
}

/** A connection that has just been made knows of no earlier pause. */
export async function updateNumberRowsUnpaused(sql: Sql, workspaceId: string, accountId: string): Promise<void> {
  await sql.run(
    `update phone_number set offboarded_at = null
     where workspace_id = $1 and business_account_id = $2 and offboarded_at is not null`,
    [workspaceId, accountId],
  );
}
