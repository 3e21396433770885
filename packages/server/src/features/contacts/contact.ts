import type { TxCtx } from "../../ctx.ts";
import { mayUseNumber } from "../../http/caller.ts";
import { etagOf } from "../../http/headers.ts";
import { type ById, uuidOfPath } from "../../http/ids.ts";
import { notFound } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { formatId } from "../../lib/ids.ts";
import { type ContactWithWindows, selectContactRow, selectContactRowsById } from "./contact.store.ts";
import { renderContact, renderWindow } from "./render.ts";
import type { Contact } from "./schema.ts";

/** One contact; the id of a record that was merged into another gives the surviving one. */
export async function getContact(ctx: TxCtx, { params }: ById): Promise<Answer<Contact>> {
  const answer = await shownContact(ctx, uuidOfPath("con", params.id));
  return { ...answer, resource: { type: "contact", id: params.id } };
}

/** The contact that a uuid stands for, with its version. */
export async function shownContact(ctx: TxCtx, id: string): Promise<Answer<Contact>> {
  const row = await selectContactRow(ctx.sql, ctx.workspaceId, id);
  if (!row) throw notFound();
  const body = renderWithWindows(ctx, row);
  return {
    body,
    headers: { etag: etagOf(row.revision) },
    resource: { type: "contact", id: body.id },
    contactIds: [row.id],
  };
}

/** By uuid. One that was merged since is not there. */
export async function contactsById(
  ctx: Pick<TxCtx, "sql" | "workspaceId" | "now" | "actor">,
  ids: readonly string[],
): Promise<Map<string, Contact>> {
  const rows = await selectContactRowsById(ctx.sql, ctx.workspaceId, ids);
  return new Map(rows.map((row) => [row.id, renderWithWindows(ctx, row)]));
}

/** The windows are those with the numbers that the caller may see. */
function renderWithWindows({ actor, now }: Pick<TxCtx, "actor" | "now">, row: ContactWithWindows): Contact {
  const windows = (row.windows ?? []).filter(({ phone_number_id }) => mayUseNumber(actor, phone_number_id));
  return {
    ...renderContact(row),
    last_inbound_at: windows[0] ? new Date(windows[0].last_inbound_at).toISOString() : null,
    windows: windows.map(({ phone_number_id, last_inbound_at }) => ({
      phone_number_id: formatId("num", phone_number_id),
      ...renderWindow(last_inbound_at, now),
    })),
  };
}
