import type { TxCtx } from "../../../ctx.ts";
import type { Sql } from "../../../db/database.ts";
import type { ProviderTemplate } from "../../../provider/provider.ts";
import { type Imported, importDeleted, importTemplates } from "../import.ts";
import { enqueueTemplateRefetch } from "../refetch.ts";
import { selectTemplateRowByName, type TemplateRow } from "../store.ts";
import { type TemplateKey } from "./intent.store.ts";

/** What the provider has of a template after a change; null: nothing any more. `readAt`: milliseconds, before it was asked. */
export type Seen = { template: ProviderTemplate | null; readAt: number };

/** Brings the template to what the provider has, with the events of any change, in the caller's transaction. Answers the slots to hint. */
export async function storeSeen(
  sql: Sql,
  workspaceId: string,
  { businessAccountId, name, language }: TemplateKey,
  { template, readAt, now }: Seen & { now: number },
): Promise<number[]> {
  const input = { businessAccountId, readAt, now };
  const imported = template
    ? await importTemplates(sql, workspaceId, { ...input, templates: [template], complete: false, first: false })
    : await storeGone(
        sql,
        workspaceId,
        await selectTemplateRowByName(sql, workspaceId, { businessAccountId, name, language }),
        input,
      );
  // A callback's own read was faster: either may be the newer state.
  for (const providerTemplateId of imported.stale)
    await enqueueTemplateRefetch(sql, workspaceId, { businessAccountId, providerTemplateId, now });
  return imported.slots;
}

async function storeGone(
  sql: Sql,
  workspaceId: string,
  row: TemplateRow | null,
  input: { businessAccountId: string; readAt: number; now: number },
): Promise<Imported> {
  return await importDeleted(sql, workspaceId, row === null || row.status === "deleted" ? [] : [row], input);
}

/** The row that `storeSeen` has written. */
export async function requireStored({ sql, workspaceId }: TxCtx, key: TemplateKey): Promise<TemplateRow> {
  const row = await selectTemplateRowByName(sql, workspaceId, key);
  if (!row) throw new Error("the template that was just stored is gone");
  return row;
}
