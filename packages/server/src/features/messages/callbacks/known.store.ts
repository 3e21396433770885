import type { Sql } from "../../../db/database.ts";

/** Those of the provider's ids that are of messages that are here. */
export async function selectKnownProviderIds(
  sql: Sql,
  workspaceId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await sql.query<{ id: string }>(
    `select k.provider_message_id as id from provider_message k
     where k.workspace_id = $1 and k.provider_message_id = any($2::text[])`,
    [workspaceId, [...ids]],
  );
  return new Set(rows.map(({ id }) => id));
}
