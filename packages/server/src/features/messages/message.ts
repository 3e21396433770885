import type { TxCtx } from "../../ctx.ts";
import { type ById, uuidOfFilter, uuidOfPath } from "../../http/ids.ts";
import { type Page, page, pageRequest } from "../../http/pagination.ts";
import { notFound, Problem } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { timeOf } from "../../http/timestamps.ts";
import { READY, STARTED } from "../../lanes/lane-kinds.ts";
import { parsePhone } from "../../lib/phone.ts";
import { recordsNamed, recordsOf } from "../people/person.ts";
import { cancelIn } from "./dispatch/cancel.store.ts";
import { errorOfStatus } from "./message-error.ts";
import {
  type HistoryRow,
  isOwnNumber,
  type MessageFilter,
  type Party,
  type StoredMessage,
  selectHistoryRows,
  selectMessageRow,
  selectMessageRows,
  selectMessageRowsById,
} from "./read.store.ts";
import { renderMessage } from "./render.ts";
import type { ListMessages, Message, MessageWithHistory } from "./schema.ts";
import { type MessageStatus, REPORTS, type Report, reportedStatus, reportOfBit } from "./status.ts";

/** One message with every status that was reported for it. */
export async function getMessage(ctx: TxCtx, { params }: ById): Promise<Answer<MessageWithHistory>> {
  const id = uuidOfPath("msg", params.id);
  const row = await selectMessageRow(ctx.sql, ctx.workspaceId, id);
  if (!row) throw notFound();
  const history = await selectHistoryRows(ctx.sql, ctx.workspaceId, id);
  return {
    body: {
      ...renderMessage(row, row),
      history: history.map(historyEntry),
    },
    resource: { type: "message", id: params.id },
  };
}

/** Cancels a message that waits to be sent, also one that the provider refused for now. */
export async function cancelMessage(ctx: TxCtx, { params }: ById): Promise<Answer<MessageWithHistory>> {
  const { sql, workspaceId, now } = ctx;
  const id = uuidOfPath("msg", params.id);
  const canceled = await cancelIn(sql, workspaceId, id, now);
  const answer = await getMessage(ctx, { params });
  if (canceled) return answer;
  const { status } = answer.body;
  throw new Problem("conflict", `Only a scheduled or queued message can be canceled; this one is ${status}.`);
}

// As it was reported, with the provider's own time, which may be later in the resource. Only the advice of an error follows the
// status.
function historyEntry({ bit, at, received_at, error }: HistoryRow): MessageWithHistory["history"][number] {
  const report = reportOfBit(bit);
  const lost = report === "unknown" || report === "given_up";
  return {
    status: reportedStatus(report),
    at: at.toISOString(),
    received_at: received_at.toISOString(),
    error: lost ? errorOfStatus(error ?? null, "unknown") : (error ?? null),
  };
}

/** Messages, newest first. */
export async function listMessages(ctx: TxCtx, { query }: { query: ListMessages }): Promise<Answer<Page<Message>>> {
  const request = pageRequest(query);
  const filter = await filterOf(ctx, query, request.before);
  const rows = filter ? await selectMessageRows(ctx.sql, ctx.workspaceId, filter, request.fetch) : [];
  return { body: page(rows, request, (row: StoredMessage) => renderMessage(row, row)) };
}

/** Messages of a person's records, newest first; of one number where it is given. */
export async function listMessagesOf(
  ctx: TxCtx,
  query: Pick<ListMessages, "limit" | "cursor" | "direction" | "created_after" | "created_before">,
  of: { contactIds: readonly string[]; phoneNumberId: string | null },
): Promise<Answer<Page<Message>>> {
  const request = pageRequest(query);
  const filter = await filterOf(ctx, query, request.before);
  const rows = filter ? await selectMessageRows(ctx.sql, ctx.workspaceId, { ...filter, ...of }, request.fetch) : [];
  return { body: page(rows, request, (row: StoredMessage) => renderMessage(row, row)) };
}

/** Messages by uuid. */
export async function messagesById(ctx: TxCtx, ids: readonly string[]): Promise<Map<string, Message>> {
  const rows = await selectMessageRowsById(ctx.sql, ctx.workspaceId, ids);
  return new Map(rows.map((row) => [row.id, renderMessage(row, row)]));
}

/** Null when a filter names a person who cannot exist: the list is then empty, which is not an error. */
async function filterOf(ctx: TxCtx, query: ListMessages, before: string | null): Promise<MessageFilter | null> {
  const contactIds = query.contact_id === undefined ? null : await recordsOfFilter(ctx, query.contact_id);
  if (contactIds?.length === 0) return null;
  return {
    before,
    outbound: query.direction === undefined ? null : query.direction === "outbound",
    ...byStatus(query.status),
    type: query.type ?? null,
    to: query.to === undefined ? null : await partyOf(ctx, query.to),
    from: query.from === undefined ? null : await partyOf(ctx, query.from),
    contactIds,
    phoneNumberId: null,
    template: query.template ?? null,
    reference: query.reference ?? null,
    createdAfter: query.created_after === undefined ? null : new Date(timeOf(query.created_after, "?created_after")),
    createdBefore:
      query.created_before === undefined ? null : new Date(timeOf(query.created_before, "?created_before")),
  };
}

async function recordsOfFilter({ sql, workspaceId }: TxCtx, contact: string): Promise<string[]> {
  const id = uuidOfFilter("con", contact);
  return id === null ? [] : await recordsOf(sql, workspaceId, id);
}

/** A filter's party: one of the workspace's own numbers, else the person who is known by the text in whatever form. */
async function partyOf({ sql, workspaceId }: TxCtx, text: string): Promise<Party> {
  const number = parsePhone(text) ?? text;
  if (await isOwnNumber(sql, workspaceId, number)) return { number };
  const contactIds = await recordsNamed(sql, workspaceId, text);
  return contactIds.length > 0 ? { contactIds } : { number };
}

function byStatus(status: MessageStatus | undefined): Pick<MessageFilter, "rank" | "unreported" | "received"> {
  const none = { rank: null, unreported: null, received: false };
  if (status === undefined) return none;
  if (status === "received") return { ...none, received: true };
  if (status === "scheduled") return { ...none, unreported: { queueState: null, scheduled: true } };
  if (status === "queued") return { ...none, unreported: { queueState: READY, scheduled: false } };
  if (status === "sending") return { ...none, unreported: { queueState: STARTED, scheduled: false } };
  return { ...none, rank: REPORTS[status satisfies Report].rank };
}
