import { phoneOfProvider } from "../../../lib/phone/phone.ts";
import { isParentUserId, isUserId } from "../../../lib/user-ids.ts";
import type { ProviderPerson } from "../../person.ts";
import type { CallbackChange } from "../../provider.ts";
import { asId, asRecord, asText } from "../json.ts";
import { fieldsOf } from "./fields.ts";
import { contactOf, NONE_BESIDE, type PeopleBeside, senderOf } from "./person.ts";
import { providerTime } from "./provider-time.ts";

/** Reads one item of `messages` (Cloud API documentation, webhooks: inbound messages), or says why it cannot. `beside`: the people named next to it. */
export function readInbound(
  message: Record<string, unknown>,
  beside: PeopleBeside,
  providerPhoneNumberId: string,
): CallbackChange | { reason: string } {
  const sender = senderOf(message, beside) ?? previousSenderOf(message);
  if (sender === null) return { reason: "message without sender" };
  const read = readMessage(message, sender, "inbound", providerPhoneNumberId);
  if ("reason" in read) return read;
  const fields = fieldsOf(message, besideOf(message, beside), read);
  return { ...read, ...changeOf(message, sender), fields };
}

/**
 * Reads one item of `message_echoes` (Cloud API documentation, webhooks: coexistence): what the owner of the number has written to a
 * person in the WhatsApp Business app.
 */
export function readEcho(
  message: Record<string, unknown>,
  beside: PeopleBeside,
  providerPhoneNumberId: string,
): CallbackChange | { reason: string } {
  const to = {
    from: message["to"],
    from_user_id: message["to_user_id"],
    from_parent_user_id: message["to_parent_user_id"],
  };
  const person = senderOf(to, beside);
  if (person === null) return { reason: "echo without recipient" };
  const read = readMessage(message, person, "echo", providerPhoneNumberId);
  return "reason" in read ? read : { ...read, fields: fieldsOf(message, besideOf(to, beside), read) };
}

function besideOf(named: Record<string, unknown>, beside: PeopleBeside) {
  const contact = contactOf(named, beside);
  return { contact, strangers: contact === null ? beside.strangers : [] };
}

type MessageChange = Extract<CallbackChange, { kind: "message" }>;

/** What a message says, from either side; `direction` is whose names it has. */
export function readMessage(
  message: Record<string, unknown>,
  person: ProviderPerson,
  direction: MessageChange["direction"],
  providerPhoneNumberId: string,
): Omit<MessageChange, "fields"> | { reason: string } {
  const providerMessageId = asId(message["id"]);
  const at = providerTime(message["timestamp"]);
  if (providerMessageId === null) return { reason: "message without id" };
  if (at === null) return { reason: "message without readable time" };
  const group = message["group_id"] ?? null;
  const groupId = asId(group);
  if (group !== null && groupId === null) return { reason: "message of an unreadable group" };
  return {
    kind: "message",
    direction,
    providerPhoneNumberId,
    providerMessageId,
    at,
    ...person,
    previous: null,
    ...contentOf(message, direction),
    replyToProviderId: namedIn(message),
    opensWindow: direction === "inbound" && message["type"] !== "system" && groupId === null,
    groupId,
    context: asRecord(message["context"]),
    referral: asRecord(message["referral"]),
    errors: message["errors"] ?? null,
  };
}

/** Where a message of these types names another one without quoting it. */
const TARGETS = new Map([
  ["reaction", "message_id"],
  ["edit", "original_message_id"],
  ["revoke", "original_message_id"],
]);

/** The message that another one is about: the one that it quotes, reacts to, edits or takes back. */
function namedIn(message: Record<string, unknown>): string | null {
  const type = asText(message["type"]) ?? "";
  const target = TARGETS.get(type);
  return target === undefined ? asId(asRecord(message["context"])?.["id"]) : asId(asRecord(message[type])?.[target]);
}

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
  return senderOf(names, NONE_BESIDE);
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
function contentOf(
  message: Record<string, unknown>,
  direction: MessageChange["direction"],
): { type: string; content: unknown } {
  const type = asText(message["type"]);
  if (type === null) return { type: "unsupported", content: message };
  if (type === "request_welcome") return { type, content: asRecord(message[type]) ?? {} };
  const content = message[type];
  const isObject = OBJECT_TYPES.has(type) || (type === "template" && direction === "echo");
  const fits = (isObject && asRecord(content) !== null) || (type === "contacts" && Array.isArray(content));
  const readable = type !== "text" || typeof asRecord(content)?.["body"] === "string";
  return fits && readable ? { type, content } : { type: "unsupported", content: message };
}
