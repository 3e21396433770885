import { phoneOfProvider } from "../../../lib/phone/phone.ts";
import { isUserId } from "../../../lib/user-ids.ts";
import type { PastMessage } from "../../provider.ts";
import { asRecord, asText } from "../json.ts";
import { fieldsOf } from "./fields.ts";
import { readMessage } from "./message.ts";
import { contactOf, type PeopleBeside, senderOf } from "./person.ts";

type Item = Record<string, unknown>;
type Read = PastMessage | { reason: string };

/** The number of a history: its id, its digits as the provider shows them, and the people beside the list. */
export type OfHistory = { providerPhoneNumberId: string; displayNumber: string | null; beside: PeopleBeside };

/** A message of a history with the thread that it stands in; null for one that stands alone, which is a file that was a placeholder. */
export type InThread = { message: unknown; thread: Item | null };

/** The messages of one chunk of a history (Cloud API documentation, webhooks: coexistence), and what it says of itself. */
export function messagesOfChunk(chunk: Item): { messages: InThread[]; about: Item | null; unreadable: unknown[] } {
  const { threads, ...rest } = chunk;
  const unreadable: unknown[] = [];
  const messages: InThread[] = [];
  for (const thread of Array.isArray(threads) ? threads : threads === undefined ? [] : [threads]) {
    const record = asRecord(thread);
    const all = record?.["messages"];
    if (record === null || !Array.isArray(all)) unreadable.push(thread);
    else for (const message of all as unknown[]) messages.push({ message, thread: record });
  }
  // How far a history has come is said with its messages; that there are none, such as when it was declined, is news.
  const about = messages.length === 0 || rest["errors"] !== undefined ? rest : null;
  return { messages, about, unreadable };
}

const STATUSES: ReadonlyMap<string, PastMessage["status"]> = new Map([
  ["PENDING", "accepted"],
  ["SENT", "sent"],
  ["DELIVERED", "delivered"],
  ["READ", "read"],
  ["PLAYED", "played"],
  ["ERROR", "failed"],
]);

/** Reads one message of a history, of either side, or says why it cannot. */
export function readPast({ message: item, thread }: InThread, of: OfHistory): Read {
  const message = asRecord(item);
  if (message === null) return { reason: "a message of the history is no object" };
  const outbound = isOutbound(message, thread, of.displayNumber);
  // The thread is the person, unless it is a group: then the message says who wrote it.
  const group = groupOf(thread);
  if (outbound && group !== null) return { reason: "message to a group in the history" };
  const names = namesOf(message, outbound, group === null ? thread : null);
  const person = senderOf(names, of.beside);
  if (person === null) return { reason: "message of the history without person" };
  const { history_context: context, ...said } = group === null ? message : { group_id: group, ...message };
  const read = readMessage(said, person, outbound ? "echo" : "inbound", of.providerPhoneNumberId);
  if ("reason" in read) return read;
  const fields = fieldsOf(said, { contact: contactOf(names, of.beside), strangers: [] }, read);
  const { kind: _kind, direction: _direction, opensWindow: _opens, previous: _previous, ...rest } = read;
  const status = asText(asRecord(context)?.["status"])?.toUpperCase() ?? "";
  return { ...rest, fields, outbound, status: outbound ? (STATUSES.get(status) ?? null) : null };
}

function isOutbound(message: Item, thread: Item | null, displayNumber: string | null): boolean {
  const from = asText(message["from"])?.replace(/\D/g, "");
  if (from !== undefined && from === displayNumber?.replace(/\D/g, "")) return true;
  if (from !== undefined && from === asText(thread?.["id"])?.replace(/\D/g, "")) return false;
  // Only what the business wrote names whom it is to.
  return (message["to"] ?? message["to_user_id"] ?? null) !== null;
}

/** What names the person of a message: the message's own side of it, else its thread. */
function namesOf(message: Item, outbound: boolean, thread: Item | null): Item {
  const side = outbound ? "to" : "from";
  const context = asRecord(thread?.["context"]);
  return {
    from: message[side] ?? context?.["wa_id"] ?? thread?.["id"],
    from_user_id: message[`${side}_user_id`] ?? context?.["user_id"],
    from_parent_user_id: message[`${side}_parent_user_id`] ?? context?.["parent_user_id"],
  };
}

function groupOf(thread: Item | null): string | null {
  const id = asText(thread?.["id"]);
  if (id === null || phoneOfProvider(id) !== null || isUserId(id)) return null;
  return /^\d+$/.test(id) ? null : id;
}
