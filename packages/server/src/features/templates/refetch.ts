import type { App } from "../../ctx.ts";
import type { Sql } from "../../db/database.ts";
import { isOfAccount } from "../../provider/error-table.ts";
import type { AccountAccess, ProviderError, ProviderTemplate } from "../../provider/provider.ts";
import { reportTrouble } from "../accounts/account-failures.ts";
import { readAccess } from "../accounts/token.ts";
import type { Task, TaskHandlers, TaskOutcome } from "../tasks/lane.ts";
import { type EnqueuedTask, enqueueTask, hintTasks } from "../tasks/task.ts";
import { type Imported, importDeleted, importTemplates } from "./import.ts";
import { selectTemplateRowsByProviderId } from "./store.ts";

const REFETCH = "template.refetch";

type Refetch = { business_account_id: string; provider_template_id: string };
export type RefetchInput = { businessAccountId: string; providerTemplateId: string; now: number };

/** Enqueues the fetching of one template from the provider, as a step of the caller's transaction. */
export async function enqueueTemplateRefetch(
  sql: Sql,
  workspaceId: string,
  input: RefetchInput,
): Promise<EnqueuedTask> {
  const { businessAccountId, providerTemplateId, now } = input;
  const payload: Refetch = { business_account_id: businessAccountId, provider_template_id: providerTemplateId };
  const subject = `${businessAccountId} ${providerTemplateId}`;
  return await enqueueTask(sql, workspaceId, { kind: REFETCH, subject, payload, now });
}

/** The same in a transaction of its own: for callbacks, which report that a template changed, but not everything that did. */
export async function requestTemplateRefetch(app: App, workspaceId: string, input: RefetchInput): Promise<void> {
  await app.db.transaction(workspaceId, (sql) => enqueueTemplateRefetch(sql, workspaceId, input));
  hintTasks(app.notifier, workspaceId);
}

export const templateHandlers = (app: App): TaskHandlers => ({ [REFETCH]: (task) => refetch(app, task) });

async function refetch(app: App, task: Task): Promise<TaskOutcome> {
  const { workspaceId } = task;
  const { business_account_id: businessAccountId, provider_template_id: providerTemplateId } = task.payload as Refetch; // as enqueued above
  const access = await readAccess(app, workspaceId, businessAccountId);
  // A new connection imports everything anyway.
  if (access === null) return { kind: "done" };
  const readAt = app.clock.now();
  const answer = await app.provider.getTemplate({ accessToken: access.accessToken, providerTemplateId });
  if (!answer.ok && isTemplateGone(answer.error))
    return await refetchGone(app, workspaceId, { businessAccountId, providerTemplateId, access });
  if (!answer.ok) return await failed(app, workspaceId, businessAccountId, answer.error);
  const input = { businessAccountId, readAt, now: app.clock.now() };
  const imported = await app.db.transaction(workspaceId, (sql) =>
    importTemplates(sql, workspaceId, { ...input, templates: [answer.value], complete: false, first: false }),
  );
  return resultOf(app, imported);
}

/** Of an id that is gone its template is deleted, or was created again under another one, and no callback has said so. */
async function refetchGone(
  app: App,
  workspaceId: string,
  { businessAccountId, providerTemplateId, access }: Omit<RefetchInput, "now"> & { access: AccountAccess },
): Promise<TaskOutcome> {
  const readAt = app.clock.now();
  const rows = await app.db.read(workspaceId, (sql) =>
    selectTemplateRowsByProviderId(sql, workspaceId, businessAccountId, providerTemplateId),
  );
  const templates = new Map<string, ProviderTemplate>();
  for (const name of new Set(rows.map((row) => row.name))) {
    const answer = await app.provider.listTemplates({ ...access, name });
    if (!answer.ok) return await failed(app, workspaceId, businessAccountId, answer.error);
    for (const template of answer.value) templates.set(keyOf(template), template);
  }
  const again = rows.flatMap((row) => templates.get(keyOf(row)) ?? []);
  const input = { businessAccountId, readAt, now: app.clock.now() };
  const [created, deleted] = await app.db.transaction(workspaceId, async (sql) => [
    await importTemplates(sql, workspaceId, { ...input, templates: again, complete: false, first: false }),
    await importDeleted(
      sql,
      workspaceId,
      rows.filter((row) => !templates.has(keyOf(row))),
      input,
    ),
  ]);
  return resultOf(app, { slots: [...created.slots, ...deleted.slots], stale: [...created.stale, ...deleted.stale] });
}

const keyOf = ({ name, language }: { name: string; language: string }): string => `${name} ${language}`;

async function failed(
  app: App,
  workspaceId: string,
  businessAccountId: string,
  error: ProviderError,
): Promise<TaskOutcome> {
  if (isOfAccount(error.class)) await reportTrouble(app, workspaceId, businessAccountId, error);
  return { kind: "retry", error: { code: error.code, detail: error.provider?.title ?? error.detail } };
}

function resultOf(app: App, { slots, stale }: Imported): TaskOutcome {
  app.notifier.hint("deliver", slots);
  if (stale.length === 0) return { kind: "done" };
  return { kind: "retry", error: { code: "stale", detail: "The template changed meanwhile." }, at: app.clock.now() };
}

/** 100 and 803: no object of this id, or none that this token may see (Cloud API documentation, errors: codes). */
const isTemplateGone = (error: ProviderError): boolean => error.provider?.code === 100 || error.provider?.code === 803;
