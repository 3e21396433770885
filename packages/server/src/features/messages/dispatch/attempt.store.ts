import type { Sql } from "../../../db/database.ts";

/** How many attempts of a message, up to the one before `before`, were refused with this code of the provider one after the other. */
export async function selectRefusalsInARow(
  sql: Sql,
  workspaceId: string,
  messageId: string,
  { before, code }: { before: number; code: number },
): Promise<number> {
  const rows = await sql.query<{ attempt: number; code: string | null }>(
    `select attempt, error->'provider'->>'code' as code from attempt
     where workspace_id = $1 and message_id = $2 and attempt < $3 order by attempt desc`,
    [workspaceId, messageId, before],
  );
  const others = rows.findIndex((row, index) => row.attempt !== before - 1 - index || row.code !== String(code));
  return others === -1 ? rows.length : others;
}

/** When the outcome of an attempt was known, in milliseconds; null: it has none. */
export async function selectAttemptEnd(
  sql: Sql,
  workspaceId: string,
  messageId: string,
  attempt: number,
): Promise<number | null> {
  const [row] = await sql.query<{ completed_at: Date }>(
    "select completed_at from attempt where workspace_id = $1 and message_id = $2 and attempt = $3",
    [workspaceId, messageId, attempt],
  );
  return row ? row.completed_at.getTime() : null;
}
