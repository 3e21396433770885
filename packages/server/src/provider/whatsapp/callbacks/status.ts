import { isParentUserId, isUserId } from "../../../lib/user-ids.ts";
import type { CallbackChange } from "../../provider.ts";
import { statusError } from "../errors.ts";
import { asId, asRecord, asText, wellFormed } from "../json.ts";
import type { Reading } from "./change-reading.ts";
import { callsThemselves, contactOf, numberOf, type PeopleBeside } from "./person.ts";
import { providerTime } from "./provider-time.ts";

type Fields = Record<string, unknown>;
type StatusChange = Extract<CallbackChange, { kind: "status" }>;

const STATUSES: ReadonlySet<string> = new Set<StatusChange["status"]>([
  "sent",
  "delivered",
  "read",
  "played",
  "failed",
  "deleted",
  "warning",
]);

/**
 * Reads one item of `statuses`, or says why it cannot. Null: it says nothing of a message between two people. That is normal, and the
 * raw callback keeps it.
 */
export function readStatus(status: Fields, beside: PeopleBeside, providerPhoneNumberId: string): Reading | null {
  // A group has one status per participant; its message is no message of ours.
  if (isOfGroup(status)) return null;
  const about = aboutOf(status);
  if (about === "other") return null;
  const providerMessageId = asId(status["id"]);
  if (providerMessageId === null) return { reason: "status without message id" };
  const of = { providerPhoneNumberId, providerMessageId, correlationToken: asText(status["biz_opaque_callback_data"]) };
  const at = providerTime(status["timestamp"]);
  const word = asText(status["status"]);
  if (about === "payment") return word === null ? null : { kind: "payment", ...of, at, ...paymentOf(word, status) };
  if (word === null || !isStatus(word)) return { reason: "unknown status" };
  if (at === null) return { reason: "status without readable time" };
  return {
    kind: "status",
    ...of,
    status: word,
    at,
    error: word === "failed" ? statusError(status["errors"]) : null,
    pricing: asRecord(status["pricing"]),
    conversation: asRecord(status["conversation"]),
    recipient: recipientOf(status, beside),
  };
}

const isOfGroup = (status: Fields): boolean =>
  asText(status["recipient_type"])?.toLowerCase() === "group" ||
  asText(status["recipient_participant_id"]) !== null ||
  asText(status["recipient_participant_user_id"]) !== null;

/**
 * What a status is about. That of a message has no `type`, or `message`, as before 2024; of a payment it has `payment`, and words
 * of its own that may be those of a message too. Any other type is of something that the provider reports beside messages: it must
 * never move one.
 */
export function aboutOf(status: Fields): "message" | "payment" | "other" {
  const type = status["type"] ?? "";
  if (type === "") return asRecord(status["payment"]) === null ? "message" : "payment";
  const name = asText(type)?.trim().toLowerCase();
  return name === "message" || name === "payment" ? name : "other";
}

/** Longest reference and word kept of a payment: the provider's own limit of a reference is 35 characters. */
const MAX_PAYMENT_CHARS = 512;

export function paymentOf(word: string, status: Fields): { status: string; reference: string | null } {
  const payment = asRecord(firstOf(status["payment"]));
  const reference = payment?.["reference_id"] ?? null;
  const cut = (text: string): string => wellFormed(text.slice(0, MAX_PAYMENT_CHARS));
  return {
    status: cut(word.trim().toLowerCase()),
    reference: typeof reference === "string" || typeof reference === "number" ? cut(String(reference)) : null,
  };
}

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

// Beside the statuses of one callback lie the contacts of all of them.
function recipientOf(status: Fields, beside: PeopleBeside): StatusChange["recipient"] {
  const recipientId = asText(status["recipient_id"]);
  const recipientUserId = asText(status["recipient_user_id"]);
  const contact = contactOf({ from: recipientId, from_user_id: recipientUserId }, beside);
  const profile = asRecord(contact?.["profile"]);
  const userIds = [recipientUserId, asText(contact?.["user_id"]), recipientId].filter(isUserId);
  const parentIds = [asText(status["recipient_parent_user_id"]), asText(contact?.["parent_user_id"]), ...userIds];
  return {
    waId: numberOf(recipientId) ?? numberOf(asText(contact?.["wa_id"])),
    userId: userIds.find((id) => !isParentUserId(id)) ?? null,
    parentUserId: parentIds.filter(isUserId).find(isParentUserId) ?? null,
    ...callsThemselves(profile),
  };
}

function isStatus(word: string): word is StatusChange["status"] {
  return STATUSES.has(word);
}
