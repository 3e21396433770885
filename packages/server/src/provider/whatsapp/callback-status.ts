import type { CallbackChange } from "../provider.ts";
import { statusError } from "./errors.ts";
import { asId, asText } from "./json.ts";
import { providerTime } from "./provider-time.ts";

type StatusChange = Extract<CallbackChange, { kind: "status" }>;

const STATUSES: ReadonlySet<string> = new Set<StatusChange["status"]>([
  "sent",
  "delivered",
  "read",
  "played",
  "failed",
]);

/** Legacy statuses that say nothing about a send (Cloud API documentation, webhooks: statuses). */
const LEGACY_STATUSES: ReadonlySet<string> = new Set(["deleted", "warning"]);

/** Reads one item of `statuses`, or says why it cannot. */
export function readStatus(
  status: Record<string, unknown>,
  providerPhoneNumberId: string,
): CallbackChange | { reason: string } {
  const word = asText(status["status"]);
  if (word !== null && LEGACY_STATUSES.has(word)) {
    return {
      kind: "other",
      field: "messages",
      providerPhoneNumberId,
      providerAccountId: null,
      value: { statuses: [status] },
    };
  }
  // A group has one status per participant; its message is no message of ours.
  if (asText(status["recipient_type"]) === "group") return { reason: "status of a group" };
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
    pricing: status["pricing"] ?? null,
    conversation: status["conversation"] ?? null,
  };
}

function isStatus(word: string): word is StatusChange["status"] {
  return STATUSES.has(word);
}
