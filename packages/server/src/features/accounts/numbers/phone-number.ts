import type { TxCtx } from "../../../ctx.ts";
import { mayUseNumber } from "../../../http/caller.ts";
import { type ById, uuidOfPath } from "../../../http/ids.ts";
import { type Page, type PageQuery, page, pageRequest } from "../../../http/pagination.ts";
import { invalidAt, notFound, Problem } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import { changesOf } from "../../audit/fields.ts";
import { renderNumber } from "../render.ts";
import type { PhoneNumber, PhoneNumberChange } from "../schema.ts";
import { countsOf } from "./counts.ts";
import {
  lockNumberRows,
  type NumberRow,
  selectNumberRow,
  selectNumberRows,
  updateNumberRowDefault,
  updateNumberRowDescription,
} from "./number.store.ts";

export async function getNumber(ctx: TxCtx, { params }: ById): Promise<Answer<PhoneNumber>> {
  return await numberAnswer(ctx, await requireNumber(ctx, params.id));
}

export async function listNumbers(ctx: TxCtx, { query }: { query: PageQuery }): Promise<Answer<Page<PhoneNumber>>> {
  const request = pageRequest(query);
  const rows = await selectNumberRows(ctx.sql, ctx.workspaceId, request, ctx.actor.phoneNumberIds);
  const counts = await countsOf(ctx.sql, ctx.workspaceId, rows, ctx.now);
  return { body: page(rows, request, (row) => renderNumber(row, counts)) };
}

export async function updateNumber(
  ctx: TxCtx,
  { params, body }: ById & { body: PhoneNumberChange },
): Promise<Answer<PhoneNumber>> {
  const { sql, workspaceId } = ctx;
  const now = new Date(ctx.now);
  await lockNumberRows(sql, workspaceId);
  const before = await requireNumber(ctx, params.id);
  // One number must be the default: it can be moved to another number and not removed.
  if (body.is_default === false && before.is_default)
    throw invalidAt("/is_default", "Make another number the default one instead.");
  if (body.is_default === true && !before.is_default && ctx.actor.phoneNumberIds !== null)
    throw new Problem(
      "forbidden",
      "Which phone number is the default one concerns the whole workspace, and this API key is limited to phone numbers.",
    );
  if (body.is_default === true) await updateNumberRowDefault(sql, workspaceId, before.id, now);
  if (body.description !== undefined)
    await updateNumberRowDescription(sql, workspaceId, before.id, { description: body.description, now });
  const after = await requireNumber(ctx, params.id);
  const fields = ({ is_default, description }: NumberRow) => ({ is_default, description });
  return { ...(await numberAnswer(ctx, after)), changes: changesOf(fields(before), fields(after), ["description"]) };
}

async function requireNumber({ sql, workspaceId, actor }: TxCtx, id: string): Promise<NumberRow> {
  const row = await selectNumberRow(sql, workspaceId, uuidOfPath("num", id));
  if (row === null || !mayUseNumber(actor, row.id)) throw notFound();
  return row;
}

async function numberAnswer(ctx: TxCtx, row: NumberRow): Promise<Answer<PhoneNumber>> {
  const body = renderNumber(row, await countsOf(ctx.sql, ctx.workspaceId, [row], ctx.now));
  return { body, resource: { type: "phone_number", id: body.id } };
}
