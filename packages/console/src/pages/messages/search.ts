import { oneOf, searchOf, text, time } from "../../search.ts";
import { TABS } from "../message/route-tabs.ts";

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

/** Filters and place of the list of messages, as in its address and in the API; and the message that is open beside it. */
export const messagesSearch = searchOf({
  status: oneOf(STATUSES),
  direction: oneOf(DIRECTIONS),
  type: text,
  to: text,
  from: text,
  contact_id: text,
  template: text,
  reference: text,
  provider_message_id: text,
  error_code: text,
  created_after: time,
  created_before: time,
  cursor: text,
  beside: text,
  tab: oneOf(TABS),
});
export type MessagesSearch = ReturnType<typeof messagesSearch>;

/** What of it the API is asked for. */
export const askedOf = ({ beside: _beside, tab: _tab, ...asked }: MessagesSearch) => asked;
