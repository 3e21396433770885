import type { Ctx } from "../../ctx.ts";
import { foundElsewhere, selectProviderIds } from "./provider-ids.store.ts";

/** Ids asked about in one call of the database. */
const IDS_A_CALL = 1_000;

/** The provider's ids of the accounts, portfolios and numbers that the caller has part in. */
export const ownProviderIds = async ({ db, workspaceId, actor }: Ctx): Promise<ReadonlySet<string>> =>
  new Set(await db.read(workspaceId, (sql) => selectProviderIds(sql, workspaceId, actor.phoneNumberIds)));

/** Which of these ids are of accounts, portfolios or numbers of other workspaces. */
export async function elsewhere({ db, workspaceId, now }: Ctx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let from = 0; from < ids.length; from += IDS_A_CALL) {
    const rows = ids.slice(from, from + IDS_A_CALL).map((id) => ({ workspace_id: workspaceId, provider_id: id }));
    for (const answer of await db.call(foundElsewhere, rows, now)) if (answer.elsewhere) found.add(answer.provider_id);
  }
  return found;
}
