import { phoneOfProvider } from "../../lib/phone.ts";
import { isOpaqueId, isParentUserId, isUserId } from "../../lib/user-ids.ts";
import type { CallbackChange, ProviderPerson } from "../provider.ts";
import { asId, asRecord, asText } from "./json.ts";
import { providerTime } from "./provider-time.ts";

/** Reads one item of `messages` (Cloud API documentation, webhooks: inbound messages), or says why it cannot. `contacts` is its sibling, often missing. */
export function readInbound(
  message: Record<string, unknown>,
  contacts: readonly unknown[],
  providerPhoneNumberId: string,
): CallbackChange | { reason: string } {
  const providerMessageId = asId(message["id"]);
  const at = providerTime(message["timestamp"]);
  // Taken for a message of its sender alone it would open that person's window and mix two conversations.
  if (message["group_id"] !== undefined) return { reason: "message of a group" };
  if (providerMessageId === null) return { reason: "message without id" };
  if (at === null) return { reason: "message without readable time" };
  const sender = senderOf(message, contacts) ?? previousSenderOf(message);
  if (sender === null) return { reason: "message without sender" };
  return {
    kind: "message",
    providerPhoneNumberId,
    providerMessageId,
    at,
    ...sender,
    previous: null,
    ...changeOf(message, sender),
    ...contentOf(message),
    replyToProviderId: namedIn(message),
    opensWindow: message["type"] !== "system",
    referral: message["referral"] ?? null,
  };
}

/** The message that another one is about: the one that it quotes, or reacts to. */
const namedIn = (message: Record<string, unknown>): string | null =>
  message["type"] === "reaction"
    ? asId(asRecord(message["reaction"])?.["message_id"])
    : asId(asRecord(message["context"])?.["id"]);

/** Kinds of system messages about a person who changed number (the second is older) or user id. */
const CHANGES: ReadonlySet<string> = new Set([
  "user_changed_number",
  "customer_changed_number",
  "user_changed_user_id",
]);

/** What is new of a person who changed number or user id; null for other messages, and where nothing new is named. */
function changeOf(
  message: Record<string, unknown>,
  sender: ProviderPerson,
): Partial<Extract<CallbackChange, { kind: "message" }>> | null {
  const system = message["type"] === "system" ? asRecord(message["system"]) : null;
  if (system === null || !CHANGES.has(asText(system["type"]) ?? "")) return null;
  const waId = phoneOfProvider(asText(system["wa_id"]) ?? asText(system["new_wa_id"]));
  const userIds = [asText(system["user_id"])].filter(isUserId).filter((id) => !isParentUserId(id));
  const parentIds = [asText(system["parent_user_id"])].filter(isUserId).filter(isParentUserId);
  const previousId = [asText(system["previous_user_id"]), sender.userId]
    .filter(isUserId)
    .find((id) => !isParentUserId(id));
  const [userId = null] = userIds;
  if (waId === null && userId === null) return null;
  const parentId = [asText(system["previous_parent_user_id"]), sender.parentUserId]
    .filter(isUserId)
    .find(isParentUserId);
  const previous = {
    // A change of the user id alone says nothing of the number that it came from.
    waId: waId === null || sender.waId === waId ? null : sender.waId,
    userId: previousId === undefined || previousId === userId ? null : previousId,
    parentUserId: parentId ?? null,
  };
  if (previous.waId === null && previous.userId === null) return null;
  return { waId: waId ?? sender.waId, userId, parentUserId: parentIds[0] ?? null, previous };
}

/** Of a notice that names its person inside `system` alone: as they were called before. */
function previousSenderOf(message: Record<string, unknown>): ProviderPerson | null {
  const system = message["type"] === "system" ? asRecord(message["system"]) : null;
  if (system === null) return null;
  const names = { from_user_id: system["previous_user_id"], from_parent_user_id: system["previous_parent_user_id"] };
  return senderOf(names, []);
}

/** Who wrote a message, or null. A business-scoped id may sit where a number is documented (Cloud API documentation, business-scoped user ids), so each place is read by its shape. */
export function senderOf(message: Record<string, unknown>, contacts: readonly unknown[]): ProviderPerson | null {
  const from = asText(message["from"]);
  const fromUserId = asText(message["from_user_id"]);
  const contact = contactOf(from, fromUserId, contacts);
  const contactWaId = asText(contact?.["wa_id"]);
  const profile = asRecord(contact?.["profile"]);
  const number = phoneOfProvider(from);
  const waId = phoneOfProvider(contactWaId) ?? number ?? ownNumberOf(message);
  const userIds = [fromUserId, asText(contact?.["user_id"]), from, contactWaId].filter(isUserId);
  const parentIds = [asText(message["from_parent_user_id"]), asText(contact?.["parent_user_id"]), ...userIds];
  const parentUserId = parentIds.filter(isUserId).find(isParentUserId) ?? null;
  const opaqueId = waId === null && parentUserId === null ? [from, contactWaId].find(isOpaqueId) : undefined;
  const userId = userIds.find((id) => !isParentUserId(id)) ?? opaqueId ?? null;
  if (waId === null && userId === null && parentUserId === null) return null;
  return {
    from: waId === null ? null : `+${number ?? waId}`,
    waId,
    userId,
    parentUserId,
    username: asText(profile?.["username"]),
    profileName: asText(profile?.["name"]),
  };
}

/** The number of a person who answers our request for it with their own card. A card of any other origin is anybody's. */
function ownNumberOf(message: Record<string, unknown>): string | null {
  const cards = Array.isArray(message["contacts"]) ? message["contacts"].map(asRecord) : [];
  const own = cards.find((card) => card?.["origin"] === "contact_request");
  const phones: unknown[] = Array.isArray(own?.["phones"]) ? own["phones"] : [];
  return (
    phones.map((phone) => phoneOfProvider(asText(asRecord(phone)?.["wa_id"]))).find((waId) => waId !== null) ?? null
  );
}

/** The contact of this sender; also a single contact that names no other sender. */
function contactOf(
  from: string | null,
  fromUserId: string | null,
  contacts: readonly unknown[],
): Record<string, unknown> | null {
  const records = contacts.map(asRecord).filter((contact) => contact !== null);
  const own = records.find((contact) => {
    const waId = asText(contact["wa_id"]);
    const userId = asText(contact["user_id"]);
    return (waId !== null && waId === from) || (userId !== null && (userId === fromUserId || userId === from));
  });
  if (own !== undefined) return own;
  const lone = records.length === 1 ? records[0] : undefined;
  return lone !== undefined && from === null && fromUserId === null ? lone : null;
}

/** Types whose content is the object named after them. */
const OBJECT_TYPES: ReadonlySet<string> = new Set([
  "text",
  "image",
  "video",
  "audio",
  "document",
  "sticker",
  "location",
  "reaction",
  "interactive",
  "button",
  "order",
  "system",
  "edit",
  "revoke",
]);

/** A type we know with the content it must have; anything else is `unsupported` with the raw message. */
function contentOf(message: Record<string, unknown>): { type: string; content: unknown } {
  const type = asText(message["type"]);
  if (type === null) return { type: "unsupported", content: message };
  if (type === "request_welcome") return { type, content: {} };
  const content = message[type];
  const fits =
    (OBJECT_TYPES.has(type) && asRecord(content) !== null) || (type === "contacts" && Array.isArray(content));
  const readable = type !== "text" || typeof asRecord(content)?.["body"] === "string";
  return fits && readable ? { type, content } : { type: "unsupported", content: message };
}
