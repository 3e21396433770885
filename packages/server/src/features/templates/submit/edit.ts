import type { Ctx, TxCtx } from "../../../ctx.ts";
import type { Sql } from "../../../db/database.ts";
import { etagOf, requireMatch } from "../../../http/headers.ts";
import { type ById, uuidOfPath } from "../../../http/ids.ts";
import { type FieldError, notFound, Problem } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import type { AccountAccess, CallResult, ProviderTemplate } from "../../../provider/provider.ts";
import type { TemplateEdit } from "../../../provider/template-calls.ts";
import { changesOf } from "../../audit/fields.ts";
import type { TemplateResource } from "../render.ts";
import { checkComponents } from "../rules/check.ts";
import { ttlFaults } from "../rules/definition.ts";
import { lockTemplateRow, selectTemplateRow, type TemplateRow } from "../store.ts";
import { CHANGE_WITHIN_MS, readById, refusedProblem, requireAccess, unsettled, withinTime } from "./at-provider.ts";
import { type Changed, type SubmitDeps, storeChanged } from "./create.ts";
import { beginIntent, dropIntent, type Intent, releaseIntent } from "./intent.ts";
import { refuseFaults } from "./refuse-faults.ts";
import { hasContent, mayBe } from "./same-content.ts";
import type { TemplateChange } from "./schema.ts";

/** Of a change: the template as it was. */
export type Edited = Changed & { row: TemplateRow };

type Editing = { ctx: Ctx; access: AccountAccess; intent: Intent; row: TemplateRow };
type EditInput = ById & { body: TemplateChange; ifMatch?: string };

/**
 * Edits a template at the provider, ahead of the transaction that stores it. A lost answer is settled by reading the template: it
 * has the new content, or its review has begun.
 */
export async function editTemplate(ctx: Ctx, { params, body, ifMatch }: EditInput, deps: SubmitDeps): Promise<Edited> {
  const row = await requireLive(ctx, params.id);
  const category = body.category ?? row.category;
  refuseFaults(faultsOf(row, body, category));
  const businessAccountId = row.business_account_id;
  const access = await requireAccess(deps.app, ctx.workspaceId, businessAccountId);
  const account = { access, businessAccountId };
  const components = body.components && (await deps.samples.uploaded(ctx, account, body.components));
  const intent = await beginChange(ctx, row, { operation: "edit", definition: body, ifMatch });
  const editing = { ctx, access, intent, row };
  const change: TemplateEdit = {
    ...(body.category === undefined ? {} : { category: body.category }),
    // The provider reads variables by it.
    ...(components === undefined
      ? {}
      : { components, parameterFormat: row.parameter_format === "named" ? "named" : "positional" }),
    ...(body.message_send_ttl_seconds === undefined ? {} : { messageSendTtlSeconds: body.message_send_ttl_seconds }),
  };
  const earlier = intent.isRepeat ? await readWhenDone(editing, body) : null;
  const seen = earlier ?? (await edit(editing, { change, body }, deps));
  await releaseIntent(ctx, intent);
  return { intent, seen, row };
}

/** The template, unless it is known to be deleted. */
export async function requireLive(ctx: Ctx, id: string): Promise<TemplateRow> {
  const { db, workspaceId } = ctx;
  const row = await db.read(workspaceId, (sql) => selectTemplateRow(sql, workspaceId, uuidOfPath("tpl", id)));
  if (!row) throw notFound();
  if (row.status === "deleted") throw new Problem("conflict", "The template is deleted. Submit it again as a new one.");
  return row;
}

function faultsOf({ parameter_format: format }: TemplateRow, body: TemplateChange, category: string): FieldError[] {
  return [
    ...ttlFaults({ category, ttlSeconds: body.message_send_ttl_seconds }),
    ...(body.components === undefined ? [] : checkComponents(body.components, { category, named: format === "named" })),
  ];
}

/** Begins the intent, when the template is still as the client has read it. */
export function beginChange(
  ctx: Ctx,
  row: TemplateRow,
  change: { operation: "edit" | "delete"; definition: unknown; ifMatch: string | undefined },
): Promise<Intent> {
  const { operation, definition, ifMatch } = change;
  const { business_account_id: businessAccountId, name, language, provider_template_id: providerTemplateId } = row;
  const check = async (sql: Sql): Promise<string> => {
    const locked = await lockTemplateRow(sql, ctx.workspaceId, row.id);
    if (!locked) throw notFound();
    requireMatch(ifMatch, etagOf(locked.revision));
    if (locked.provider_template_id !== providerTemplateId)
      throw new Problem("conflict", "The template was deleted and submitted again meanwhile. Read it again.");
    return locked.provider_template_id;
  };
  const of = [providerTemplateId, definition];
  return beginIntent(ctx, { businessAccountId, name, language, operation, definition: of, check });
}

async function edit(
  editing: Editing,
  { change, body }: { change: TemplateEdit; body: TemplateChange },
  { app }: SubmitDeps,
): Promise<Changed["seen"]> {
  const { ctx, access, intent, row } = editing;
  const providerTemplateId = row.provider_template_id;
  const answer = await withinTime(ctx, CHANGE_WITHIN_MS, (signal) =>
    ctx.provider.editTemplate({ ...access, providerTemplateId, change, signal }),
  );
  if (!answer.ok && !answer.lost) {
    await dropIntent(ctx, intent);
    throw await refusedProblem(
      app,
      { workspaceId: ctx.workspaceId, ...intent },
      answer.error,
      "The template was not changed",
    );
  }
  const readAt = ctx.clock.now();
  const read = await readById(ctx, access, providerTemplateId);
  if (answer.ok) return { template: read.ok ? read.value : expected(row, change), readAt };
  if (isDone(read, row, body, { had: hasAll(row, body) })) return { template: read.value, readAt };
  throw await unsettled(ctx, intent, read.ok ? "the template is still as it was" : "the provider cannot be asked now");
}

async function readWhenDone({ ctx, access, row }: Editing, body: TemplateChange): Promise<Changed["seen"] | null> {
  const readAt = ctx.clock.now();
  const read = await readById(ctx, access, row.provider_template_id);
  // Its own first edit may be what the row shows.
  const had = body.components === undefined && body.category === undefined;
  return isDone(read, row, body, { had }) ? { template: read.value, readAt } : null;
}

/**
 * The template shows the change: a review of what may be it has begun, or it has what was asked for. `had`: it had that before, which is
 * no evidence.
 */
function isDone(
  read: CallResult<ProviderTemplate>,
  row: TemplateRow,
  change: TemplateChange,
  { had }: { had: boolean },
): read is { ok: true; value: ProviderTemplate } {
  if (!read.ok) return false;
  const { value } = read;
  const isBegun = value.status === "pending" && row.status !== "pending";
  if (isBegun && (change.components === undefined || mayBe(value, change.components))) return true;
  return !had && hasAll(value, change);
}

const hasAll = (
  template: Pick<ProviderTemplate, "components" | "category">,
  { components, category }: TemplateChange,
): boolean =>
  (components === undefined || hasContent(template, components)) &&
  (category === undefined || template.category === category);

/** What the provider has accepted, when it cannot be read: an edit begins another review. */
const expected = (row: TemplateRow, { category, components }: TemplateEdit): ProviderTemplate => ({
  providerTemplateId: row.provider_template_id,
  name: row.name,
  language: row.language,
  category: category ?? row.category,
  status: "pending",
  quality: row.quality,
  parameterFormat: row.parameter_format === "named" ? "named" : "positional",
  components: components ? [...components] : row.components,
  rejectionReason: null,
});

/** Stores the change, with its events. */
export async function updateTemplate(
  ctx: TxCtx,
  _input: EditInput,
  { row, ...changed }: Edited,
): Promise<Answer<TemplateResource>> {
  const answer = await storeChanged(ctx, changed);
  const { category, status, components } = answer.body;
  // The samples of components are often those of a real customer.
  const changes = changesOf(
    { category: row.category, status: row.status, components: row.components },
    { category, status, components },
    ["components"],
  );
  return { ...answer, changes };
}
