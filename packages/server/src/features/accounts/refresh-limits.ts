import type { App } from "../../ctx.ts";
import { DAY_MS } from "../../lib/duration.ts";
import { requestCheck } from "./account-failures.ts";
import { staleLimits } from "./limit.store.ts";

/** Accounts of one round: two calls of the provider for each. */
const ACCOUNTS_A_ROUND = 100;

/** Has limits read that were last read a day ago, or never: the provider does not repeat the callback that was missed. */
export async function refreshLimits(app: App): Promise<void> {
  const { db, clock } = app;
  const now = clock.now();
  const row = { before: new Date(now - DAY_MS).toISOString(), most: ACCOUNTS_A_ROUND };
  for (const { workspace_id, business_account_id } of await db.call(staleLimits, [row], now))
    await requestCheck(app, workspace_id, business_account_id);
}
