import { oneOf, searchOf, text } from "../../search.ts";

/** Filters of the tail, whether it stands still, and the event beside it. */
export const eventsSearch = searchOf({
  kind: text,
  contact_id: text,
  message_id: text,
  paused: oneOf(["1"]),
  open: text,
});
export type EventsSearch = ReturnType<typeof eventsSearch>;
