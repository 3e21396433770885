import type { Call, CallAnswer, CallCtx, Given } from "../../../http/call.ts";
import { mayUseNumber } from "../../../http/caller.ts";
import { invalidAt, notFound, Problem } from "../../../http/problem.ts";
import { formatId } from "../../../lib/ids.ts";
import type { Senders } from "../../accounts/numbers/senders.ts";
import type { TemplateResource } from "../../templates/render.ts";
import { parsed } from "../messages/content.ts";
import type { ByKind } from "../objects/by-id.ts";
import { accountOfPath } from "../objects/objects.ts";
import { templateList } from "./list.ts";
import { shownOf, templateFields } from "./render.ts";
import { type ChosenRow, selectChosenRows } from "./template.store.ts";
import { definitionOf } from "./translate.ts";

const PATH = "/{account}/message_templates";
const CREATE = "POST /v1/templates";
const READ = "GET /v1/templates/{id}";
const UPDATE = "PATCH /v1/templates/{id}";
const DELETE = "DELETE /v1/templates/{id}";

/** The templates of an account: read from our own table, changed through our own API. */
export const templateCalls = (senders: Senders): Call[] => [
  {
    kind: "served",
    method: "GET",
    path: PATH,
    row: "GET /v1/templates",
    summary:
      "The templates of an account, in pages (`limit`, `after`, `before`), with filters, `fields` and `summary`.",
    answer: async (ctx, { params, values }) => {
      const account = await accountOfPath(ctx, params["account"] ?? "");
      await requireNumberOf(ctx, senders, account.id);
      return { body: await templateList(ctx, account, values) };
    },
  },
  {
    kind: "served",
    method: "POST",
    path: PATH,
    row: CREATE,
    summary: "Submits a template.",
    answer: async (ctx, { params, values }) => {
      const { id } = await accountOfPath(ctx, params["account"] ?? "");
      const body = { ...definitionOf(values), business_account_id: formatId("acc", id) };
      return await submitted(() => ctx.pass(CREATE, { body }));
    },
  },
  {
    kind: "served",
    method: "DELETE",
    path: PATH,
    row: DELETE,
    summary: "Deletes the templates of a `name`, or those of `hsm_id` or `hsm_ids` alone.",
    answer: async (ctx, { params, values }) => {
      const { id } = await accountOfPath(ctx, params["account"] ?? "");
      for (const row of await chosenBy(ctx, id, values)) {
        // What the provider is deleting already needs no second request.
        if (row.status !== "pending_deletion") await ctx.pass(DELETE, { params: { id: formatId("tpl", row.id) } });
      }
      return { body: { success: true } };
    },
  },
];

/** GET of a template's id. */
export const readTemplate: NonNullable<ByKind["template"]> = async (ctx, { id }, { values }) => {
  const { body } = await ctx.pass(READ, { params: { id: formatId("tpl", id) } });
  const template: TemplateResource = body;
  // The provider does not know it any more.
  if (template.status === "deleted") throw notFound();
  return { body: templateFields(shownOf(template), values["fields"]) };
};

/** POST of a template's id. */
export const editTemplate: NonNullable<ByKind["template"]> = async (ctx, { id }, { values }) => {
  ctx.require(UPDATE);
  const params = { id: formatId("tpl", id) };
  const { parameter_format: format, ...body } = definitionOf(values);
  if (format !== undefined) {
    const { body: template } = await ctx.pass(READ, { params });
    if (template.parameter_format !== format)
      throw invalidAt("/parameter_format", `is ${template.parameter_format} for this template: submit another one`);
  }
  const { body: edited, replayed } = await ctx.pass(UPDATE, { params, body });
  const { provider_template_id: providerId, name, category }: TemplateResource = edited;
  return {
    body: { success: true, id: providerId, name, category: category.toUpperCase() },
    ...(replayed ? { replayed } : {}),
  };
};

/** The provider's number for a name that has a template in this language. */
const DUPLICATE = 2_388_024;

/** Answers as the provider does, and refuses by the names that its parameters have. */
async function submitted(submit: () => ReturnType<CallCtx["pass"]>): Promise<CallAnswer> {
  try {
    const { body, replayed } = await submit();
    const { provider_template_id: id, status, category }: TemplateResource = body;
    const answer = { id, status: status.toUpperCase(), category: category.toUpperCase() };
    return { body: answer, ...(replayed ? { replayed } : {}) };
  } catch (refusal) {
    if (!(refusal instanceof Problem)) throw refusal;
    const { code, message, extras } = refusal;
    const errors = extras.errors?.map((one) => ({
      ...one,
      pointer: one.pointer.replace(/^\/language\/code$/, "/language"),
    }));
    const isTaken = code === "conflict" && extras.resourceId !== undefined;
    throw new Problem(code, message, {
      ...extras,
      ...(errors === undefined ? {} : { errors }),
      ...(isTaken ? { graph: { status: 400, code: 100, subcode: DUPLICATE } } : {}),
      cause: refusal,
    });
  }
}

/** A template is of an account: a key that is limited to numbers reads those of the accounts of its numbers. */
async function requireNumberOf(ctx: CallCtx, senders: Senders, accountId: string): Promise<void> {
  if (ctx.actor.phoneNumberIds === null) return;
  const all = await senders.ofWorkspace(ctx.workspaceId);
  const isOfOwn = all.some((one) => one.businessAccountId === accountId && mayUseNumber(ctx.actor, one.phoneNumberId));
  if (!isOfOwn) throw notFound();
}

const MOST_IDS = 100;

/** What a deletion names. One that names a template by an id needs the right name too, as at the provider. */
async function chosenBy(ctx: CallCtx, accountId: string, values: Given["values"]): Promise<ChosenRow[]> {
  const { db, workspaceId } = ctx;
  const { hsm_id: one, hsm_ids: several, name: given } = values;
  const isList = several != null;
  const ids = isList ? parsed(several) : one == null ? null : [one];
  if (ids !== null && (!Array.isArray(ids) || ids.length === 0 || ids.length > MOST_IDS))
    throw invalidAt("/hsm_ids", `must be a list of 1 to ${MOST_IDS} ids`);
  const name = typeof given === "string" && given !== "" ? given : null;
  if (!isList && name === null) throw invalidAt("/name", "is required", "required");
  const providerIds = ids?.map((id: unknown) => idOf(id, isList ? "/hsm_ids" : "/hsm_id")) ?? null;
  const rows = await db.read(workspaceId, (sql) =>
    selectChosenRows(sql, workspaceId, { accountId, name, providerIds }),
  );
  if (rows.length > 0) return rows;
  throw new Problem("not_found", "The account has no such template.", {
    graph: { status: 400, code: 100, subcode: NO_TEMPLATE },
  });
}

/** The provider's number of a deletion that names no template. */
const NO_TEMPLATE = 2_593_002;

function idOf(id: unknown, pointer: string): string {
  if (typeof id !== "string" && typeof id !== "number") throw invalidAt(pointer, "must be an id of a template", "type");
  return String(id);
}
