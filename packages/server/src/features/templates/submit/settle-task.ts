import type { App } from "../../../ctx.ts";
import { isOfAccount } from "../../../provider/error-table.ts";
import type { ProviderTemplate } from "../../../provider/provider.ts";
import { reportTrouble, retryAfter } from "../../accounts/account-failures.ts";
import { readAccess } from "../../accounts/token.ts";
import type { Task, TaskOutcome } from "../../tasks/lane.ts";
import { hintTasks } from "../../tasks/task.ts";
import {
  deleteSubmissionRow,
  lockSubmissionRow,
  type SubmissionRow,
  selectSubmissionRow,
  type TemplateKey,
} from "./intent.store.ts";
import type { SettlePayload } from "./intent.ts";
import { storeSeen } from "./stored.ts";

/** So long after a submission it is looked for; what the provider does not show then was not done. Ten minutes are far beyond any answer. */
const LOOK_AT_MS = [5_000, 20_000, 60_000, 180_000, 600_000];

/** A request holds it, which has done no more than begin: nothing is wrong. */
const wait = (at: number): TaskOutcome => ({ kind: "wait", at });

const later = (at: number): TaskOutcome => ({
  kind: "retry",
  error: { code: "unsettled", detail: "Whether the provider has done it is not known yet." },
  at,
});

/**
 * Settles what no request has: the answer was lost and the provider did not show the template yet, or the process was killed. It
 * reads the template by its name, stores what is found as of any change, and ends the submission when its outcome is seen.
 */
export async function settle(app: App, task: Task, forget: (workspaceId: string) => void): Promise<TaskOutcome> {
  const { workspaceId } = task;
  const payload = task.payload as SettlePayload; // as enqueued in intent.ts
  const key = { businessAccountId: payload.business_account_id, name: payload.name, language: payload.language };
  const row = await app.db.read(workspaceId, (sql) => selectSubmissionRow(sql, workspaceId, key));
  if (!row) return { kind: "done" };
  const begun = app.clock.now();
  if (begun < row.lease_until.getTime()) return wait(row.lease_until.getTime());
  const first = row.started_at.getTime() + (LOOK_AT_MS[0] ?? 0);
  if (begun < first) return wait(first);
  const access = await readAccess(app, workspaceId, key.businessAccountId);
  if (access === null) return await giveUp(app, workspaceId, key, row); // a new connection imports everything
  const answer = await app.provider.listTemplates({ ...access, name: key.name });
  if (!answer.ok) {
    const { error } = answer;
    if (isOfAccount(error.class)) await reportTrouble(app, workspaceId, key.businessAccountId, error);
    if (task.lastTry) return await giveUp(app, workspaceId, key, row);
    return retryAfter(app, error);
  }
  const template = answer.value.find((one) => one.name === key.name && one.language === key.language) ?? null;
  return await store(app, { workspaceId, key, row, template, readAt: begun }, forget);
}

type Found = {
  workspaceId: string;
  key: TemplateKey;
  row: SubmissionRow;
  template: ProviderTemplate | null;
  readAt: number;
};

async function store(app: App, found: Found, forget: (workspaceId: string) => void): Promise<TaskOutcome> {
  const { workspaceId, key, row, template, readAt } = found;
  const now = app.clock.now();
  const next = LOOK_AT_MS.map((ms) => row.started_at.getTime() + ms).find((at) => at > now);
  const isSettled = isSeen(row, template) || next === undefined;
  const slots = await app.db.transaction(workspaceId, async (sql) => {
    const locked = await lockSubmissionRow(sql, workspaceId, key);
    // Another request is at it now, or has ended it.
    if (!locked || locked.attempt !== row.attempt) return null;
    const hinted = await storeSeen(sql, workspaceId, key, { template, readAt, now });
    if (isSettled) await deleteSubmissionRow(sql, workspaceId, key, row.attempt);
    return hinted;
  });
  if (slots === null) return wait(now + (LOOK_AT_MS[0] ?? 0));
  app.notifier.hint("deliver", slots);
  hintTasks(app.notifier, workspaceId);
  forget(workspaceId);
  if (!isSettled && next !== undefined) return later(next);
  app.log.info(
    {
      workspace_id: workspaceId,
      business_account_id: key.businessAccountId,
      operation: row.operation,
      found: template !== null,
    },
    "what a template's submission has led to is settled",
  );
  return { kind: "done" };
}

/** What was asked for is seen. An edit that has not happened yet looks like one that changes little: it is looked at to the end. */
function isSeen(
  { operation, provider_template_id: before }: SubmissionRow,
  template: ProviderTemplate | null,
): boolean {
  if (operation === "create") return template !== null && template.providerTemplateId !== before;
  if (operation === "delete")
    return template === null || template.status === "pending_deletion" || template.status === "deleted";
  return false;
}

async function giveUp(
  app: App,
  workspaceId: string,
  key: TemplateKey,
  { attempt }: SubmissionRow,
): Promise<TaskOutcome> {
  await app.db.transaction(workspaceId, (sql) => deleteSubmissionRow(sql, workspaceId, key, attempt));
  return { kind: "done" };
}
