import type { CallbackChange } from "../provider.ts";
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
  const sender = senderOf(message, contacts);
  if (sender.from === null && sender.userId === null) return { reason: "message without sender" };
  return {
    kind: "message",
    providerPhoneNumberId,
    providerMessageId,
    at,
    ...sender,
    ...contentOf(message),
    replyToProviderId: asId(asRecord(message["context"])?.["id"]),
    opensWindow: message["type"] !== "system",
    referral: message["referral"] ?? null,
  };
}

type Sender = { from: string | null; waId: string | null; userId: string | null; profileName: string | null };

/** A business-scoped id may sit where a number is documented (Cloud API documentation, business-scoped user ids), so each place is read by its shape. */
function senderOf(message: Record<string, unknown>, contacts: readonly unknown[]): Sender {
  const from = asText(message["from"]);
  const fromUserId = asText(message["from_user_id"]);
  const contact = contactOf(from, fromUserId, contacts);
  const contactWaId = asText(contact?.["wa_id"]);
  const userId = [fromUserId, asText(contact?.["user_id"]), from, contactWaId].find(isUserId) ?? null;
  const number = [from, contactWaId].find(isNumber) ?? null;
  return {
    from: number === null ? null : `+${number.replace(/^\+/, "")}`,
    waId: [contactWaId, from].find(isNumber)?.replace(/^\+/, "") ?? null,
    userId,
    profileName: asText(asRecord(contact?.["profile"])?.["name"]),
  };
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

function isNumber(text: string | null): text is string {
  return text !== null && /^\+?[1-9]\d{4,14}$/.test(text);
}

/** Two letters of a country, a dot, then up to 128 letters and digits; parents have one more dot (Cloud API documentation, business-scoped user ids). */
function isUserId(text: string | null): text is string {
  return text !== null && /^[A-Z]{2}\.(?:[A-Z]+\.)?[0-9A-Za-z]{1,128}$/.test(text);
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
