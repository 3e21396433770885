import type { Static } from "typebox";
import type { TxCtx } from "../../ctx.ts";
import { mayUseNumber } from "../../http/caller.ts";
import { etagOf } from "../../http/headers.ts";
import { type ById, uuidOfFilter, uuidOfPath } from "../../http/ids.ts";
import { type Page, page, pageRequest } from "../../http/pagination.ts";
import { notFound } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { renderTemplate, type TemplateResource } from "./render.ts";
import type { TemplateQuery } from "./schema.ts";
import { hasNumberAmong, selectTemplateRow, selectTemplateRows, type TemplateRow } from "./store.ts";

export async function getTemplate(ctx: TxCtx, { params }: ById): Promise<Answer<TemplateResource>> {
  const row = await selectTemplateRow(ctx.sql, ctx.workspaceId, uuidOfPath("tpl", params.id));
  if (row === null || !(await isOfNumbers(ctx, row))) throw notFound();
  const body = renderTemplate(row);
  return { body, headers: { etag: etagOf(row.revision) }, resource: { type: "template", id: body.id } };
}

export async function listTemplates(
  ctx: TxCtx,
  { query }: { query: Static<typeof TemplateQuery> },
): Promise<Answer<Page<TemplateResource>>> {
  const request = pageRequest(query);
  const phoneNumberId = query.phone_number_id === undefined ? null : uuidOfFilter("num", query.phone_number_id);
  if (query.phone_number_id !== undefined && phoneNumberId === null) return { body: { data: [], next_cursor: null } };
  if (phoneNumberId !== null && !mayUseNumber(ctx.actor, phoneNumberId))
    return { body: { data: [], next_cursor: null } };
  const { name = null, status = null, language = null, category = null } = query;
  const filter = { name, status, language, category, phoneNumberId, ofNumbers: ctx.actor.phoneNumberIds };
  const rows = await selectTemplateRows(ctx.sql, ctx.workspaceId, filter, request);
  return { body: page(rows, request, renderTemplate) };
}

/** A template is of an account, and so of those of whose numbers one is of it. */
async function isOfNumbers({ sql, workspaceId, actor }: TxCtx, row: TemplateRow): Promise<boolean> {
  const { phoneNumberIds } = actor;
  return phoneNumberIds === null || (await hasNumberAmong(sql, workspaceId, row.business_account_id, phoneNumberIds));
}
