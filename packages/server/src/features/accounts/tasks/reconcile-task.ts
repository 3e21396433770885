import type { App } from "../../../ctx.ts";
import { isOfAccount } from "../../../provider/error-table.ts";
import type { Task, TaskOutcome } from "../../tasks/lane.ts";
import { hintTasks } from "../../tasks/task.ts";
import { type CheckPayload, reasonOf, reportTrouble, retryAfter } from "../account-failures.ts";
import type { AccountDeps } from "../parts.ts";
import type { ReconcilePayload } from "../reconcile.ts";
import { readAccess } from "../token.ts";
import { check } from "./check-task.ts";

/** At pauses of up to five minutes: by then the next one has begun, and two at once would use up what the account may ask. */
const MOST_RETRIES = 72;

/**
 * Asks the provider for the account, its numbers and all of its templates, so that what no callback has reported becomes known.
 * While the provider is away nothing is concluded, and it is tried again.
 */
export async function reconcile(app: App, deps: AccountDeps, task: Task): Promise<TaskOutcome> {
  const { workspaceId } = task;
  const { account_id: id } = task.payload as ReconcilePayload; // as enqueued in reconcile.ts
  const payload: CheckPayload = { account_id: id, probe: false };
  const checked = await check(app, deps, { ...task, payload });
  if (checked.kind === "retry" && task.attempt >= MOST_RETRIES) return { kind: "failed", error: checked.error };
  if (checked.kind !== "done") return checked;
  // Null also where the check has just ended the connection.
  const access = await readAccess(app, workspaceId, id);
  if (access === null) return checked;
  const readAt = app.clock.now();
  const answer = await app.provider.listTemplates({ ...access, background: true });
  if (!answer.ok) {
    const { error } = answer;
    if (isOfAccount(error.class)) await reportTrouble(app, workspaceId, id, error);
    if (task.attempt < MOST_RETRIES) return retryAfter(app, error);
    return { kind: "failed", error: { code: error.code, detail: reasonOf(error) } };
  }
  const now = app.clock.now();
  const templates = { businessAccountId: id, templates: answer.value, first: false, readAt, now };
  const slots = await app.db.transaction(workspaceId, (sql) => deps.takeTemplates(sql, workspaceId, templates));
  app.notifier.hint("deliver", slots);
  hintTasks(app.notifier, workspaceId);
  deps.forget(workspaceId);
  return { kind: "done" };
}
