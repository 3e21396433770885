import { phoneOfProvider } from "../../lib/phone.ts";
import { isParentUserId, isUserId } from "../../lib/user-ids.ts";
import type { CallbackChange } from "../provider.ts";
import { statusError } from "./errors.ts";
import { asId, asRecord, asText } from "./json.ts";
import { providerTime } from "./provider-time.ts";

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

/** Reads one item of `statuses`, or says why it cannot. */
export function readStatus(
  status: Record<string, unknown>,
  contacts: readonly unknown[],
  providerPhoneNumberId: string,
): CallbackChange | { reason: string } {
  const word = asText(status["status"]);
  // A group has one status per participant; its message is no message of ours.
  const participant = asText(status["recipient_participant_id"]) ?? asText(status["recipient_participant_user_id"]);
  if (asText(status["recipient_type"]) === "group" || participant !== null) return { reason: "status of a group" };
  const providerMessageId = asId(status["id"]);
  const at = providerTime(status["timestamp"]);
  if (word === null || !isStatus(word)) return { reason: "unknown status" };
  if (providerMessageId === null) return { reason: "status without message id" };
  if (at === null) return { reason: "status without readable time" };
  return {
    kind: "status",
    providerPhoneNumberId,
    providerMessageId,
    status: word,
    at,
    correlationToken: asText(status["biz_opaque_callback_data"]),
    error: word === "failed" ? statusError(status["errors"]) : null,
    pricing: asRecord(status["pricing"]),
    conversation: status["conversation"] ?? null,
    recipient: recipientOf(status, contacts),
  };
}

// Beside the statuses of one callback lie the contacts of all of them: each is found by an id that it has in common.
function recipientOf(status: Record<string, unknown>, contacts: readonly unknown[]): StatusChange["recipient"] {
  const recipientId = asText(status["recipient_id"]);
  const recipientUserId = asText(status["recipient_user_id"]);
  const contact = contacts.map(asRecord).find((one) => {
    const [waId, userId] = [asText(one?.["wa_id"]), asText(one?.["user_id"])];
    return (waId !== null && waId === recipientId) || (userId !== null && userId === recipientUserId);
  });
  const userIds = [recipientUserId, asText(contact?.["user_id"]), recipientId].filter(isUserId);
  const parentIds = [asText(status["recipient_parent_user_id"]), asText(contact?.["parent_user_id"]), ...userIds];
  return {
    waId: phoneOfProvider(recipientId) ?? phoneOfProvider(asText(contact?.["wa_id"])),
    userId: userIds.find((id) => !isParentUserId(id)) ?? null,
    parentUserId: parentIds.filter(isUserId).find(isParentUserId) ?? null,
  };
}

function isStatus(word: string): word is StatusChange["status"] {
  return STATUSES.has(word);
}
