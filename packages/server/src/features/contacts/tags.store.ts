import type { Sql } from "../../db/database.ts";
import { onlyRow } from "../../db/only-row.ts";

/** `walked`: how many contacts were looked at, erased and merged ones too. */
export type TagRows = { walked: number; names: { name: string; count: number }[] };

/** The names that most of the newest contacts have, those first. */
export async function selectTagRows(
  sql: Sql,
  workspaceId: string,
  most: { contacts: number; names: number },
): Promise<TagRows> {
  return onlyRow(
    await sql.query<TagRows>(
      `with c as materialized (
         select tags, merged_into from contact where workspace_id = $1 order by id desc limit $2),
       t as (
         select tag as name, count(*)::int as count from c, unnest(c.tags) tag where c.merged_into is null
         group by tag order by 2 desc, 1 limit $3)
       select (select count(*)::int from c) as walked,
         coalesce((select json_agg(t order by t.count desc, t.name) from t), '[]') as names`,
      [workspaceId, most.contacts, most.names],
    ),
  );
}
