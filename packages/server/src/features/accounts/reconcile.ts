import type { App } from "../../ctx.ts";
import { HOUR_MS } from "../../lib/duration.ts";
import { enqueueTask, hintTasks } from "../tasks/task.ts";
import { dueAccounts, updateAccountRowReconcileAt } from "./reconcile.store.ts";

/** The kind of the task that asks the provider for all that is known of an account. */
export const RECONCILE = "account.reconcile";
export type ReconcilePayload = { account_id: string };

/**
 * How often an account's numbers and templates are compared with the provider's: what no callback has reported is known after that.
 * Three calls and one for every 50 templates, of the 200 that an account surely has in an hour.
 */
const RECONCILE_EVERY_MS = 6 * HOUR_MS;
/** Accounts that were due together, after an outage, are not the next time. */
const SPREAD_MS = HOUR_MS / 2;
export const RECONCILE_ROUND_MS = 5 * 60_000;
/** Of one round: all of 7,000 accounts within six hours. */
const ACCOUNTS_A_ROUND = 100;

/** Enqueues the reconciling of the accounts that are due; several processes may do so at once. */
export async function reconcileDue({ db, clock, notifier }: App): Promise<void> {
  const now = clock.now();
  const row = { created_before: new Date(now - RECONCILE_EVERY_MS).toISOString(), most: ACCOUNTS_A_ROUND };
  for (const { workspace_id: workspaceId, business_account_id: id } of await db.call(dueAccounts, [row], now)) {
    const times = { now: new Date(now), next: new Date(now + RECONCILE_EVERY_MS + spreadOf(id)) };
    const isMine = await db.transaction(workspaceId, async (sql) => {
      if (!(await updateAccountRowReconcileAt(sql, workspaceId, id, times))) return false;
      const payload: ReconcilePayload = { account_id: id };
      await enqueueTask(sql, workspaceId, { kind: RECONCILE, subject: id, payload, now, accountId: id, joins: true });
      return true;
    });
    if (isMine) hintTasks(notifier, workspaceId);
  }
}

/** Of each account its own: the end of its id is random. */
const spreadOf = (id: string): number => (Number.parseInt(id.slice(-4), 16) / 0xffff) * SPREAD_MS;
