import type { App, Ctx, TxCtx } from "../../../ctx.ts";
import type { Sql } from "../../../db/database.ts";
import { etagOf } from "../../../http/headers.ts";
import { invalidAt, Problem } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import type { AccountAccess, ProviderError, ProviderTemplate } from "../../../provider/provider.ts";
import { TEMPLATE_STATUSES } from "../../../provider/provider.ts";
import type { Submitted, TemplateSubmission } from "../../../provider/template-calls.ts";
import { connectedAccount } from "../../accounts/connected.ts";
import type { Senders } from "../../accounts/numbers/senders.ts";
import { hintTasks } from "../../tasks/task.ts";
import { renderTemplate, type TemplateResource } from "../render.ts";
import { checkDefinition } from "../rules/check.ts";
import { selectTemplateRowByName } from "../store.ts";
import {
  CHANGE_WITHIN_MS,
  readById,
  readByName,
  refusedProblem,
  requireAccess,
  unsettled,
  withinTime,
} from "./at-provider.ts";
import { deleteSubmissionRow, type TemplateKey } from "./intent.store.ts";
import { beginIntent, dropIntent, type Intent, releaseIntent } from "./intent.ts";
import { refuseFaults } from "./refuse-faults.ts";
import { mayBe } from "./same-content.ts";
import type { Samples } from "./samples.ts";
import type { NewTemplate } from "./schema.ts";
import { requireStored, type Seen, storeSeen } from "./stored.ts";

export type SubmitDeps = { app: App; senders: Senders; samples: Samples };

/** What a change has led to at the provider; the verb stores it and ends the intent. */
export type Changed = { intent: Intent; seen: Seen };

/** The provider's subcode for a name that has a template in this language (Cloud API documentation, error codes). */
const DUPLICATE = 2_388_024;

/**
 * Submits a template, ahead of the transaction that stores it. A lost answer is settled by the template's name, which is unique at
 * the provider: found, it is the result; else the intent stays, and the next request or a task settles it.
 */
export async function submitTemplate(ctx: Ctx, { body }: { body: NewTemplate }, deps: SubmitDeps): Promise<Changed> {
  const submission = submissionOf(body);
  const { name, language, components } = submission;
  checkSubmission(submission);
  const businessAccountId = await accountOf(ctx, deps.senders, body);
  const access = await requireAccess(deps.app, ctx.workspaceId, businessAccountId);
  const uploaded = {
    ...submission,
    components: await deps.samples.uploaded(ctx, { access, businessAccountId }, components),
  };
  const key = { businessAccountId, name, language };
  const intent = await beginIntent(ctx, {
    ...key,
    operation: "create",
    // As it was given: a sample that is uploaded again gets another handle.
    definition: submission,
    check: (sql) => liveIdOf(sql, ctx.workspaceId, key),
  });
  const of = { ctx, app: deps.app, access, intent, components };
  const earlier = intent.isRepeat || intent.tookOver ? await settleEarlier(of) : null;
  const seen = earlier ?? (await submit(of, uploaded));
  // Should the transaction that follows fail, the next request settles it without waiting.
  await releaseIntent(ctx, intent);
  return { intent, seen };
}

/** Throws 400 with all that is documented as wrong in the definition. */
export function checkSubmission(submission: TemplateSubmission): void {
  const { name, language, category, components, parameterFormat, messageSendTtlSeconds: ttlSeconds } = submission;
  const named = parameterFormat === "named";
  refuseFaults(checkDefinition({ name, language, category, named, components, ttlSeconds }));
}

/** The uuid of the account that it goes to. Throws 400 for one that is named twice, 422 for one that is not connected. */
export async function accountOf(ctx: Ctx, senders: Senders, body: NewTemplate): Promise<string> {
  if (body.business_account_id !== undefined && body.phone_number_id !== undefined)
    throw invalidAt("/phone_number_id", "Name the account by one of business_account_id and phone_number_id.");
  return await connectedAccount(ctx, senders, body);
}

type Submitting = {
  ctx: Ctx;
  app: App;
  access: AccountAccess;
  intent: Intent;
  /** As they were given. */
  components: readonly unknown[];
};

export function submissionOf(body: NewTemplate): TemplateSubmission {
  const { name, language, category, components, parameter_format: parameterFormat = "positional" } = body;
  const ttl = body.message_send_ttl_seconds;
  return {
    name,
    language: language.code,
    category,
    parameterFormat,
    components,
    ...(ttl === undefined ? {} : { messageSendTtlSeconds: ttl }),
  };
}

async function liveIdOf(sql: Sql, workspaceId: string, key: TemplateKey): Promise<string | null> {
  const row = await selectTemplateRowByName(sql, workspaceId, key);
  return row === null || row.status === "deleted" ? null : row.provider_template_id;
}

async function submit(of: Submitting, template: TemplateSubmission): Promise<Seen> {
  const { ctx, app, access, intent } = of;
  const answer = await withinTime(ctx, CHANGE_WITHIN_MS, (signal) =>
    ctx.provider.createTemplate({ ...access, template, signal }),
  );
  if (answer.ok) return await readSubmitted(of, template, answer.value);
  if (answer.lost) return await settleLost(of);
  // Refused for the name that our own earlier request has taken.
  if (intent.isRepeat && answer.error.provider?.subcode === DUPLICATE) return await settleLost(of);
  await dropIntent(ctx, intent);
  throw await refusedProblem(
    app,
    { workspaceId: ctx.workspaceId, ...intent },
    answer.error,
    "The template was not submitted",
  );
}

/** As the provider lists it: it writes texts of its own into some. If that cannot be read now, as it was submitted. */
async function readSubmitted(
  { ctx, access }: Submitting,
  template: TemplateSubmission,
  submitted: Submitted,
): Promise<Seen> {
  const { providerTemplateId } = submitted;
  const readAt = ctx.clock.now();
  const read = await readById(ctx, access, providerTemplateId);
  if (read.ok) return { template: read.value, readAt };
  const asSubmitted: ProviderTemplate = {
    providerTemplateId,
    name: template.name,
    language: template.language,
    category: submitted.category || template.category,
    status: TEMPLATE_STATUSES.find((status) => status === submitted.status) ?? "pending",
    quality: "unknown",
    parameterFormat: template.parameterFormat,
    components: [...template.components],
    rejectionReason: null,
  };
  return { template: asSubmitted, readAt };
}

/** The template that has the name now. */
async function findNamed({ ctx, access, intent }: Submitting): Promise<Seen | ProviderError | null> {
  const readAt = ctx.clock.now();
  const found = await readByName(ctx, access, intent);
  if (!found.ok) return found.error;
  return found.value === null ? null : { template: found.value, readAt };
}

/** A template of the name that was not there before, and may be what was submitted: another system can have taken the name. */
const isOurs = ({ intent, components }: Submitting, { template }: Seen): boolean =>
  template !== null && template.providerTemplateId !== intent.before && mayBe(template, components);

async function settleLost(of: Submitting): Promise<Seen> {
  const { ctx, intent } = of;
  const found = await findNamed(of);
  if (found === null || isError(found)) {
    const seen = found === null ? "no template of this name is there yet" : "the provider cannot be asked now";
    throw await unsettled(ctx, intent, seen);
  }
  if (!isOurs(of, found)) throw await nameTaken(of, found);
  return found;
}

/** What an earlier request has left open: its template, if this request is the same; null when there is none. */
async function settleEarlier(of: Submitting): Promise<Seen | null> {
  const { ctx, intent } = of;
  const found = await findNamed(of);
  if (found === null) return null;
  if (isError(found)) throw await unsettled(ctx, intent, "the provider cannot be asked now");
  if (intent.isRepeat && isOurs(of, found)) return found;
  throw await nameTaken(of, found);
}

const isError = (found: Seen | ProviderError): found is ProviderError => "class" in found;

/** The name is another submission's: what the provider has of it is stored, and this request has done nothing. */
async function nameTaken({ ctx, intent }: Submitting, seen: Seen): Promise<Problem> {
  const { workspaceId, db, clock, notifier } = ctx;
  const { row, slots } = await db.transaction(workspaceId, async (sql) => {
    const hinted = await storeSeen(sql, workspaceId, intent, { ...seen, now: clock.now() });
    await deleteSubmissionRow(sql, workspaceId, intent, intent.attempt);
    return { row: await selectTemplateRowByName(sql, workspaceId, intent), slots: hinted };
  });
  notifier.hint("deliver", slots);
  hintTasks(notifier, workspaceId);
  const detail = "The account has another template of this name and language. Change that one, or use another name.";
  return new Problem("conflict", detail, row ? { resourceId: renderTemplate(row).id } : {});
}

/** Stores what was submitted, with its events. */
export async function createTemplate(
  ctx: TxCtx,
  _input: { body: NewTemplate },
  { intent, seen }: Changed,
): Promise<Answer<TemplateResource>> {
  const answer = await storeChanged(ctx, { intent, seen });
  const { id, name, language, category, status } = answer.body;
  const changes = { name: { before: null, after: name }, language: { before: null, after: language.code } };
  return {
    ...answer,
    headers: { ...answer.headers, location: `/v1/templates/${id}` },
    changes: { ...changes, category: { before: null, after: category }, status: { before: null, after: status } },
  };
}

/** Stores what the provider has now and ends the intent. */
export async function storeChanged(ctx: TxCtx, { intent, seen }: Changed): Promise<Answer<TemplateResource>> {
  const { sql, workspaceId } = ctx;
  // Not the request's own time: asking the provider took a while.
  await storeSeen(sql, workspaceId, intent, { ...seen, now: ctx.clock.now() });
  await deleteSubmissionRow(sql, workspaceId, intent, intent.attempt);
  const row = await requireStored(ctx, intent);
  const body = renderTemplate(row);
  return { body, headers: { etag: etagOf(row.revision) }, resource: { type: "template", id: body.id } };
}
