import type { TxCtx } from "../../ctx.ts";
import { mayUseNumber } from "../../http/caller.ts";
import { type ById, uuidOfFilter, uuidOfPath } from "../../http/ids.ts";
import { type Page, type PageRequest, page, pageRequest } from "../../http/pagination.ts";
import { notFound, Problem } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { timeOf } from "../../http/timestamps.ts";
import { timeOfUuid, uuidFloor } from "../../lib/ids.ts";
import { parsePhone } from "../../lib/phone/phone.ts";
import { findRecordIds, recordIdsOf } from "../identity/find-contact.ts";
import { type MessageStatus, type Report, reportedStatus, reportOfBit } from "../threads/status.ts";
import { cancelIn } from "./dispatch/cancel.store.ts";
import {
  ID_SLACK_MS,
  isFiltered,
  isIndexed,
  type MessageFilter,
  type Party,
  selectIdBelow,
  selectMessageRows,
} from "./list.store.ts";
import { listItems } from "./list-item.ts";
import type { ListMessages } from "./list-query.ts";
import { errorOfStatus, withoutProvider } from "./message-error.ts";
import {
  type HistoryRow,
  isOwnNumber,
  type StoredMessage,
  selectHistoryRows,
  selectMessageRow,
  selectMessageRowsById,
} from "./read.store.ts";
import { renderMessage } from "./render.ts";
import { retryFields } from "./retry-fields.ts";
import type { ListedMessage, MessageWithHistory } from "./schema.ts";

/** One message with every status that was reported for it, and every refusal after which it was tried again. */
export async function getMessage(ctx: TxCtx, { params }: ById): Promise<Answer<MessageWithHistory>> {
  const row = await requireMessage(ctx, params.id);
  const history = await selectHistoryRows(ctx.sql, ctx.workspaceId, row.id);
  return {
    body: {
      ...renderMessage(row, row, ctx.now),
      ...retryFields(row),
      history: history.map((entry) => historyEntry(entry, row.is_erased === true)),
    },
    resource: { type: "message", id: params.id },
    contactIds: [row.contact_id],
  };
}

/** The message of a path; 404 where the caller may not see it, as for an unknown one. */
export async function requireMessage(
  { sql, workspaceId, actor }: Pick<TxCtx, "sql" | "workspaceId" | "actor">,
  publicId: string,
): Promise<StoredMessage> {
  const row = await selectMessageRow(sql, workspaceId, uuidOfPath("msg", publicId));
  if (row === null || !mayUseNumber(actor, row.phone_number_id)) throw notFound();
  return row;
}

/** Cancels a message that waits to be sent, also one that the provider refused for now. */
export async function cancelMessage(ctx: TxCtx, { params }: ById): Promise<Answer<MessageWithHistory>> {
  const { sql, workspaceId, now } = ctx;
  const id = uuidOfPath("msg", params.id);
  const canceled = await cancelIn(sql, workspaceId, id, now);
  const answer = await getMessage(ctx, { params }); // of a message that the caller may not see nothing is committed
  if (canceled) return answer;
  const { status } = answer.body;
  throw new Problem("conflict", `Only a scheduled or queued message can be canceled; this one is ${status}.`);
}

// As it was reported, with the provider's own time, which may be later in the resource. Only the advice of an error follows the
// status.
function historyEntry(
  { bit, at, received_at, error: stored, conversation }: HistoryRow,
  isErased: boolean,
): MessageWithHistory["history"][number] {
  const report = bit === null ? null : reportOfBit(bit);
  const status = report === null ? "queued" : reportedStatus(report);
  const error = isErased ? withoutProvider(stored ?? null) : (stored ?? null);
  const advised = report === null || report === "unknown" || report === "given_up";
  return {
    status,
    at: at.toISOString(),
    received_at: received_at.toISOString(),
    error: advised ? errorOfStatus(error, report === null ? "queued" : "unknown") : error,
    ...(conversation === null || isErased ? {} : { conversation }),
  };
}

/** Messages, newest first. */
export async function listMessages(
  ctx: TxCtx,
  { query }: { query: ListMessages },
): Promise<Answer<Page<ListedMessage>>> {
  const request = pageRequest(query);
  const filter = await filterOf(ctx, query, request.before);
  if (filter === null) return { body: { data: [], next_cursor: null } };
  return { body: await pageOf(ctx, filter, request) };
}

/** Messages that are looked through for one page, piece by piece, where no index finds those that pass: some hundred milliseconds. */
const PIECES = [2_000, 8_000, 30_000, 60_000, 100_000] as const;

/**
 * One page of the messages that pass. Where they are so rare that not all of the list was looked through, it is shorter than
 * asked for, and its cursor goes on where the search ended.
 */
export async function pageOf(
  { sql, workspaceId, now }: Pick<TxCtx, "sql" | "workspaceId" | "now">,
  filter: MessageFilter,
  request: PageRequest,
  pieces: readonly number[] = PIECES,
): Promise<Page<ListedMessage>> {
  const select = (part: Partial<MessageFilter>, limit: number): Promise<StoredMessage[]> =>
    selectMessageRows(sql, workspaceId, { ...filter, ...part }, limit);
  const pageFrom = async (rows: StoredMessage[]): Promise<Page<ListedMessage>> =>
    page(rows, request, await listItems({ sql, workspaceId, now }, rows.slice(0, request.limit)));
  if (isIndexed(filter) || !isFiltered(filter)) return await pageFrom(await select({}, request.fetch));
  const rows: StoredMessage[] = [];
  // Newer ones do not pass.
  let before = earlier(filter.before, filter.createdBefore);
  for (const count of pieces) {
    const last = await selectIdBelow(sql, workspaceId, before, count);
    rows.push(...(await select({ before, fromId: last }, request.fetch - rows.length)));
    if (rows.length >= request.fetch || last === null) return await pageFrom(rows);
    if (filter.createdAfter !== null && timeOfUuid(last) < filter.createdAfter.getTime() - ID_SLACK_MS)
      return await pageFrom(rows);
    before = last;
  }
  const { data } = await pageFrom(rows);
  return { data, next_cursor: before };
}

function earlier(before: string | null, createdBefore: Date | null): string | null {
  if (createdBefore === null) return before;
  const bound = uuidFloor(createdBefore.getTime() + ID_SLACK_MS);
  return before === null || bound < before ? bound : before;
}

/** Messages between a number and a person, by their records, newest first; of some numbers where these are given. */
export async function listMessagesOf(
  ctx: TxCtx,
  query: Pick<ListMessages, "limit" | "cursor" | "direction" | "created_after" | "created_before">,
  of: Pick<MessageFilter, "contactIds" | "phoneNumberIds">,
): Promise<Answer<Page<ListedMessage>>> {
  const request = pageRequest(query);
  const filter = await filterOf(ctx, query, request.before);
  return {
    body: filter ? await pageOf(ctx, { ...filter, ...of, betweenTwo: true }, request) : { data: [], next_cursor: null },
  };
}

/** Messages by uuid, as lists have them. */
export async function messagesById(ctx: TxCtx, ids: readonly string[]): Promise<Map<string, ListedMessage>> {
  const rows = await selectMessageRowsById(ctx.sql, ctx.workspaceId, ids);
  const item = await listItems(ctx, rows);
  return new Map(rows.map((row) => [row.id, item(row)]));
}

/** Null when a filter names a person who cannot exist: the list is then empty, which is not an error. */
async function filterOf(ctx: TxCtx, query: ListMessages, before: string | null): Promise<MessageFilter | null> {
  const contactIds = query.contact_id === undefined ? null : await recordsOfFilter(ctx, query.contact_id);
  if (contactIds?.length === 0) return null;
  return {
    before,
    fromId: null,
    outbound: query.direction === undefined ? null : query.direction === "outbound",
    ...byStatus(query.status, new Date(ctx.now)),
    type: query.type ?? null,
    to: query.to === undefined ? null : await partyOf(ctx, query.to),
    from: query.from === undefined ? null : await partyOf(ctx, query.from),
    contactIds,
    phoneNumberIds: ctx.actor.phoneNumberIds,
    betweenTwo: false,
    template: query.template ?? null,
    reference: query.reference ?? null,
    providerMessageId: query.provider_message_id ?? null,
    errorCode: query.error_code ?? null,
    createdAfter: query.created_after === undefined ? null : new Date(timeOf(query.created_after, "?created_after")),
    createdBefore:
      query.created_before === undefined ? null : new Date(timeOf(query.created_before, "?created_before")),
  };
}

async function recordsOfFilter({ sql, workspaceId }: TxCtx, contact: string): Promise<string[]> {
  const id = uuidOfFilter("con", contact);
  return id === null ? [] : await recordIdsOf(sql, workspaceId, id);
}

/** A filter's party: one of the workspace's own numbers, else the person who is known by the text in whatever form. */
async function partyOf({ sql, workspaceId }: TxCtx, text: string): Promise<Party> {
  const number = parsePhone(text) ?? text;
  if (await isOwnNumber(sql, workspaceId, number)) return { number };
  const contactIds = await findRecordIds(sql, workspaceId, text);
  return contactIds.length > 0 ? { contactIds } : { number };
}

function byStatus(
  status: MessageStatus | undefined,
  at: Date,
): Pick<MessageFilter, "reported" | "unreported" | "received"> {
  const none = { reported: null, unreported: null, received: false };
  if (status === undefined) return none;
  if (status === "received") return { ...none, received: true };
  if (status === "scheduled" || status === "queued" || status === "sending")
    return { ...none, unreported: { status, at } };
  return { ...none, reported: status satisfies Report };
}
