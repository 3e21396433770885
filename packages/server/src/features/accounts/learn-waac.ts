import type { App } from "../../ctx.ts";
import { updateAccountRowWaac } from "./store.ts";

/** Keeps the WhatsApp account that the provider names for an account. */
export async function learnWaac(
  { db }: Pick<App, "db">,
  { workspaceId, businessAccountId }: { workspaceId: string; businessAccountId: string },
  waacId: string,
): Promise<void> {
  await db.transaction(workspaceId, (sql) => updateAccountRowWaac(sql, workspaceId, businessAccountId, waacId));
}
