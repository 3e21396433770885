import type { Sql } from "../../db/database.ts";
import { columns, hotFunction, recordset } from "../../db/hot-function.ts";

const ASKED = columns({ workspace_id: "uuid", provider_id: "text" });

/**
 * Which ids of the provider are of an account, a number or a portfolio of another workspace, and not of this one. Of portfolios only those
 * with a messaging limit are known beyond a workspace.
 */
export const foundElsewhere = hotFunction({
  name: "found_elsewhere",
  writes: false,
  input: ASKED,
  answers: columns({ provider_id: "text", elsewhere: "boolean" }),
  body: `return query select x.provider_id,
      exists (select from business_account_route o
        where o.provider_account_id = x.provider_id and o.workspace_id <> x.workspace_id)
      or exists (select from phone_number_route o
        where o.provider_phone_number_id = x.provider_id and o.workspace_id <> x.workspace_id)
      or (exists (select from portfolio_limit p where p.portfolio_id = x.provider_id)
        and not exists (select from business_account a
          where a.workspace_id = x.workspace_id and a.portfolio_id = x.provider_id))
    from ${recordset(ASKED)};`,
});

/** The provider's ids of the workspace's accounts with all that stands above them, and of its numbers: of `within` alone, if not null. */
export async function selectProviderIds(
  sql: Sql,
  workspaceId: string,
  within: readonly string[] | null,
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select u.id from business_account a
       cross join unnest(array[a.provider_account_id, a.portfolio_id, a.waac_id, a.messaging_account_id]) u(id)
       where a.workspace_id = $1 and u.id is not null
     union select n.provider_phone_number_id from phone_number n
       where n.workspace_id = $1 and ($2::uuid[] is null or n.id = any($2))`,
    [workspaceId, within],
  );
  return rows.map(({ id }) => id);
}
