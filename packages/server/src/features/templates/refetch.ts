import { createHash } from "node:crypto";
import type { App } from "../../ctx.ts";
import type { Sql } from "../../db/database.ts";
import { isOfAccount } from "../../provider/error-table.ts";
import type { AccountAccess, ProviderError, ProviderTemplate } from "../../provider/provider.ts";
import { reportTrouble, retryAfter } from "../accounts/account-failures.ts";
import { readAccess } from "../accounts/token.ts";
import type { BackgroundPlaces } from "../tasks/background.ts";
import type { Task, TaskHandlers, TaskOutcome } from "../tasks/lane.ts";
import { type EnqueuedTask, enqueueTask, hintTasks } from "../tasks/task.ts";
import { type Imported, importDeleted, importTemplates, reportStored } from "./import.ts";
import { selectUnseenStatusAt, updateNewsRowsDropped } from "./news.store.ts";
import { lockTemplateRowsByProviderId, selectTemplateRowsByProviderId } from "./store.ts";

const REFETCH = "template.refetch";
/** The kind of the task that reports what has waited for a callback in vain. */
const REPORT = "template.report";

/**
 * How long what a fetch has found waits for the callback that explains it: the provider says in one callback that a template is
 * paused and in another that its quality is low, and the first that comes makes us see both.
 */
const HOLD_MS = 30_000;

type OfTemplate = { business_account_id: string; provider_template_id: string };
/** Tasks of earlier versions hold nothing. `from`, in milliseconds, and `body`: the digest of a text that a read from then on must show. */
type Refetch = OfTemplate & { holds?: boolean; from?: number; body?: string };
/** `from`: milliseconds. */
type Report = OfTemplate & { from: number };
/** `holds`: a callback is the reason, and there may be others. `body`: what it says that the template's body is now. */
export type RefetchInput = {
  businessAccountId: string;
  providerTemplateId: string;
  now: number;
  holds?: boolean;
  body?: string;
};

/** Enqueues the fetching of one template from the provider, as a step of the caller's transaction. */
export async function enqueueTemplateRefetch(
  sql: Sql,
  workspaceId: string,
  input: RefetchInput,
): Promise<EnqueuedTask> {
  const { businessAccountId, providerTemplateId, now, holds = false, body } = input;
  const ids = { business_account_id: businessAccountId, provider_template_id: providerTemplateId };
  const seen = body === undefined ? {} : { from: now, body: digestOf(body) };
  const payload: Refetch = { ...ids, holds, ...seen };
  // Another wait for the same template would forget what this one must see.
  const subject = `${businessAccountId} ${providerTemplateId}${body === undefined ? "" : ` ${digestOf(body)}`}`;
  return await enqueueTask(sql, workspaceId, { kind: REFETCH, subject, payload, now, accountId: businessAccountId });
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64url");

/** The same in a transaction of its own: for those who only suspect that a template has changed. */
export async function requestTemplateRefetch(app: App, workspaceId: string, input: RefetchInput): Promise<void> {
  await app.db.transaction(workspaceId, (sql) => enqueueTemplateRefetch(sql, workspaceId, input));
  hintTasks(app.notifier, workspaceId);
}

export const templateHandlers = (app: App, background: BackgroundPlaces): TaskHandlers => ({
  ...background.reported.within(app, { [REFETCH]: (task) => refetch(app, task) }),
  [REPORT]: (task) => reportHeld(app, task),
});

/** A template of an account that is being fetched. */
type Fetched = { workspaceId: string; businessAccountId: string; providerTemplateId: string; holds: boolean };

async function refetch(app: App, task: Task): Promise<TaskOutcome> {
  const { workspaceId } = task;
  const payload = task.payload as Refetch; // as enqueued above
  const { business_account_id: businessAccountId, provider_template_id: providerTemplateId, holds = false } = payload;
  const template: Fetched = { workspaceId, businessAccountId, providerTemplateId, holds };
  const account = await readAccess(app, workspaceId, businessAccountId);
  // A new connection imports everything anyway, also what is not known yet.
  if (account === null) return await reportAsStored(app, template, { isLast: true });
  const access = { ...account, background: true };
  const readAt = app.clock.now();
  const answer = await app.provider.getTemplate({ ...access, providerTemplateId });
  if (!answer.ok && !isTemplateGone(answer.error)) return await failed(app, task, template, answer.error);
  if (!answer.ok) return await refetchGone(app, task, template, access);
  const now = app.clock.now();
  const input = { businessAccountId, readAt, now, ...holdOf(template, now) };
  const outcome = await stored(app, template, (sql) =>
    importTemplates(sql, workspaceId, { ...input, templates: [answer.value], complete: false, first: false }),
  );
  if (outcome.kind !== "done") return outcome;
  const { from = 0, body } = payload;
  if (body !== undefined && !hasBody(answer.value, body)) return again(from, now);
  return await againUnlessSeen(app, template);
}

function hasBody({ components }: ProviderTemplate, digest: string): boolean {
  const texts = components.map((one) => (one as { type?: unknown; text?: unknown } | null)?.text); // as the provider gave it
  return texts.some((text) => typeof text === "string" && digestOf(text) === digest);
}

/** A read may be older than the callback before it, of a status that reads show too: it is read again, so long after the callback. */
const READ_AGAIN_MS = [5_000, 30_000, 120_000];

async function againUnlessSeen(app: App, { workspaceId, providerTemplateId }: Fetched): Promise<TaskOutcome> {
  const since = await app.db.read(workspaceId, (sql) => selectUnseenStatusAt(sql, workspaceId, providerTemplateId));
  return since === null ? { kind: "done" } : again(since.getTime(), app.clock.now());
}

function again(since: number, now: number): TaskOutcome {
  const at = READ_AGAIN_MS.map((ms) => since + ms).find((time) => time > now);
  if (at === undefined) return { kind: "done" };
  return {
    kind: "retry",
    error: { code: "unseen", detail: "The provider does not yet show what it has reported." },
    at,
  };
}

const holdOf = ({ holds }: Fetched, now: number) => (holds ? { holdUntil: now + HOLD_MS } : {});

/** Of an id that is gone its template is deleted, or was created again under another one, and no callback has said so. */
async function refetchGone(app: App, task: Task, template: Fetched, access: AccountAccess): Promise<TaskOutcome> {
  const { workspaceId, businessAccountId, providerTemplateId } = template;
  const readAt = app.clock.now();
  const rows = await app.db.read(workspaceId, (sql) =>
    selectTemplateRowsByProviderId(sql, workspaceId, businessAccountId, providerTemplateId),
  );
  if (rows.length === 0) return await drop(app, template);
  const templates = new Map<string, ProviderTemplate>();
  for (const name of new Set(rows.map((row) => row.name))) {
    const answer = await app.provider.listTemplates({ ...access, name });
    if (!answer.ok) return await failed(app, task, template, answer.error);
    for (const found of answer.value) templates.set(keyOf(found), found);
  }
  const again = rows.flatMap((row) => templates.get(keyOf(row)) ?? []);
  const missing = rows.filter((row) => !templates.has(keyOf(row)));
  const now = app.clock.now();
  const input = { businessAccountId, readAt, now, ...holdOf(template, now) };
  return await stored(app, template, async (sql) => {
    const created = await importTemplates(sql, workspaceId, {
      ...input,
      templates: again,
      complete: false,
      first: false,
    });
    return both(created, await importDeleted(sql, workspaceId, missing, input));
  });
}

const keyOf = ({ name, language }: { name: string; language: string }): string => `${name} ${language}`;

const both = (a: Imported, b: Imported): Imported => ({
  changed: a.changed + b.changed,
  slots: [...a.slots, ...b.slots],
  stale: [...a.stale, ...b.stale],
  held: [...a.held, ...b.held],
});

/** Nothing is known of the template, here or at the provider: no event could say which one it is about. */
async function drop(app: App, { workspaceId, businessAccountId, providerTemplateId }: Fetched): Promise<TaskOutcome> {
  const dropped = await app.db.transaction(workspaceId, (sql) =>
    updateNewsRowsDropped(sql, workspaceId, providerTemplateId),
  );
  if (dropped > 0)
    app.log.warn(
      { workspace_id: workspaceId, business_account_id: businessAccountId, provider_template_id: providerTemplateId },
      "callbacks are about a template that neither the provider nor this gateway knows",
    );
  return { kind: "done" };
}

async function failed(app: App, task: Task, template: Fetched, error: ProviderError): Promise<TaskOutcome> {
  const { workspaceId, businessAccountId } = template;
  if (isOfAccount(error.class)) await reportTrouble(app, workspaceId, businessAccountId, error);
  // Later than never: the state is the one that is known.
  if (task.lastTry) await reportAsStored(app, template, { isLast: true });
  return retryAfter(app, error);
}

/** Runs `write` in a transaction, with the task that reports what it has left waiting. */
async function stored(
  app: App,
  { workspaceId, businessAccountId }: Fetched,
  write: (sql: Sql) => Promise<Imported>,
): Promise<TaskOutcome> {
  const { slots, stale } = await app.db.transaction(workspaceId, async (sql) => {
    const imported = await write(sql);
    for (const { providerTemplateId, until } of imported.held) {
      const subject = `${businessAccountId} ${providerTemplateId}`;
      const ids = { business_account_id: businessAccountId, provider_template_id: providerTemplateId };
      const payload: Report = { ...ids, from: until };
      await enqueueTask(sql, workspaceId, { kind: REPORT, subject, payload, now: app.clock.now() });
    }
    return imported;
  });
  app.notifier.hint("deliver", slots);
  hintTasks(app.notifier, workspaceId);
  if (stale.length === 0) return { kind: "done" };
  return { kind: "retry", error: { code: "stale", detail: "The template changed meanwhile." }, at: app.clock.now() };
}

/** Reports what has waited until now for the callback that would have explained it. */
async function reportHeld(app: App, task: Task): Promise<TaskOutcome> {
  const { workspaceId } = task;
  const { business_account_id: businessAccountId, provider_template_id, from } = task.payload as Report; // as enqueued above
  // A callback may explain the change.
  if (app.clock.now() < from) return { kind: "wait", at: from };
  const template = { workspaceId, businessAccountId, providerTemplateId: provider_template_id, holds: true };
  return await reportAsStored(app, template, { isLast: false });
}

async function reportAsStored(app: App, template: Fetched, { isLast }: { isLast: boolean }): Promise<TaskOutcome> {
  const { workspaceId, businessAccountId, providerTemplateId } = template;
  return await stored(app, template, async (sql) => {
    const rows = await lockTemplateRowsByProviderId(sql, workspaceId, businessAccountId, providerTemplateId);
    return await reportStored(sql, workspaceId, rows, { businessAccountId, now: app.clock.now(), isLast });
  });
}

/** 100 and 803: no object of this id, or none that this token may see (Cloud API documentation, errors: codes). */
export const isTemplateGone = (error: ProviderError): boolean =>
  error.provider?.code === 100 || error.provider?.code === 803;
