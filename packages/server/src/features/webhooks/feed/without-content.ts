import type { EventBody } from "../deliver/event-shape.ts";

/** What is left of a message for a reader who may not read messages: who, when and how far it came, and nothing that was said. */
const LEFT_OF_MESSAGE = new Set([
  "id",
  "direction",
  "status",
  "final",
  "to",
  "from",
  "phone_number_id",
  "contact_id",
  "type",
  "reply_to",
  "category",
  "pricing",
  "error",
  "provider_message_id",
  "possible_duplicate",
  "created_at",
  "estimated_dispatch_at",
  "send_at",
  "expires_at",
  "occurred_at",
  "accepted_at",
  "sent_at",
  "delivered_at",
  "read_at",
  "failed_at",
  "sequence",
]);

/** The body of an event as a caller without `messages:read` gets it. Events of anything but messages are the same. */
export function withoutContent(body: EventBody): EventBody {
  const { message, payment } = body.data;
  if (typeof message !== "object" || message === null) return body;
  const left = Object.fromEntries(Object.entries(message).filter(([name]) => LEFT_OF_MESSAGE.has(name)));
  // What the business calls a payment stands in the message too.
  const paid = typeof payment === "object" && payment !== null ? { payment: { ...payment, reference: null } } : {};
  return { ...body, data: { ...body.data, message: left, ...paid } };
}
