import type { TxCtx } from "../../ctx.ts";
import { uuidOfPath } from "../../http/ids.ts";
import { type Page, pageRequest } from "../../http/pagination.ts";
import { notFound } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { formatId } from "../../lib/ids.ts";
import { renderWindow } from "../contacts/render.ts";
import { recordIdsOf } from "../identity/find-contact.ts";
import { listMessagesOf, messagesById } from "../messages/message.ts";
import type { ListedMessage } from "../messages/schema.ts";
import { ownerOf } from "../threads/owner.ts";
import { findConversations, numbersOf } from "./find.ts";
import type { ContactParams, Conversation, ListConversationMessages, ListConversations } from "./schema.ts";
import { type ConversationRow, type LatestRow, selectConversationRows } from "./store.ts";

/** Conversations, that with the latest message first. */
export async function listConversations(
  ctx: TxCtx,
  { query }: { query: ListConversations },
): Promise<Answer<Page<Conversation>>> {
  const found = await findConversations(ctx, query, pageRequest(query));
  const rows = await selectConversationRows(ctx.sql, ctx.workspaceId, found.rows);
  const details = new Map(rows.map((row) => [row.id, row]));
  const messages = await messagesById(ctx, [...details.keys()]);
  const data = found.rows.map(({ id }) => renderConversation(details.get(id), messages.get(id), ctx.now));
  return { body: { data, next_cursor: found.next } };
}

/** One conversation, by its latest message. */
export async function conversationOf(ctx: TxCtx, latest: LatestRow): Promise<Conversation> {
  const [row] = await selectConversationRows(ctx.sql, ctx.workspaceId, [latest]);
  const messages = await messagesById(ctx, [latest.id]);
  return renderConversation(row, messages.get(latest.id), ctx.now);
}

// Both are of the ids that were listed in the same transaction.
function renderConversation(
  row: ConversationRow | undefined,
  message: ListedMessage | undefined,
  now: number,
): Conversation {
  if (row === undefined || message === undefined) throw new Error("a conversation is listed that has no message");
  const contactId = formatId("con", row.contact_id);
  return {
    contact_id: contactId,
    phone_number_id: formatId("num", row.phone_number_id),
    contact: { id: contactId, name: row.name ?? row.profile_name, phone: row.phone },
    last_message: message,
    unread_count: row.unread,
    window: row.last_inbound_at === null ? { open: false, expires_at: null } : renderWindow(row.last_inbound_at, now),
    owner: ownerOf(row, now),
    updated_at: message.created_at,
  };
}

const NOTHING: Page<ListedMessage> = { data: [], next_cursor: null };

/** Messages of a person, newest first; the id of a record that was merged gives those of the person. */
export async function listConversationMessages(
  ctx: TxCtx,
  { params, query }: { params: ContactParams; query: ListConversationMessages },
): Promise<Answer<Page<ListedMessage>>> {
  const { phone_number_id, ...rest } = query;
  const contactIds = await recordIdsOf(ctx.sql, ctx.workspaceId, uuidOfPath("con", params.contact_id));
  const [survivor] = contactIds;
  if (survivor === undefined) throw notFound();
  const resource = { type: "contact", id: formatId("con", survivor) };
  const phoneNumberIds = numbersOf(ctx, phone_number_id);
  if (phoneNumberIds?.length === 0) return { body: NOTHING, resource };
  return { ...(await listMessagesOf(ctx, rest, { contactIds, phoneNumberIds })), resource };
}
