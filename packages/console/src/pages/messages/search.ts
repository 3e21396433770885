import { oneOf, searchOf, text, time } from "../../search.ts";

export const STATUSES = [
  "scheduled",
  "queued",
  "sending",
  "accepted",
  "sent",
  "delivered",
  "read",
  "failed",
  "canceled",
  "expired",
  "unknown",
  "received",
] as const;
export const DIRECTIONS = ["outbound", "inbound"] as const;

/** Filters and place of the list of messages, as in its address and in the API. */
export const messagesSearch = searchOf({
  status: oneOf(STATUSES),
  direction: oneOf(DIRECTIONS),
  type: text,
  to: text,
  from: text,
  contact_id: text,
  template: text,
  reference: text,
  created_after: time,
  created_before: time,
  cursor: text,
});
export type MessagesSearch = ReturnType<typeof messagesSearch>;
