import type { Sql } from "../../db/database.ts";
import type { AccountTemplates } from "../accounts/parts.ts";
import { importTemplates } from "./import.ts";
import { enqueueTemplateRefetch } from "./refetch.ts";

/** Brings all templates of an account to the provider's state, as `AccountParts` says; what was written since it was asked is fetched again. */
export async function takeTemplates(sql: Sql, workspaceId: string, of: AccountTemplates): Promise<number[]> {
  const { businessAccountId, now } = of;
  const { slots, stale } = await importTemplates(sql, workspaceId, { ...of, complete: true });
  for (const providerTemplateId of stale)
    await enqueueTemplateRefetch(sql, workspaceId, { businessAccountId, providerTemplateId, now });
  return slots;
}
