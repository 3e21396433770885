import { oneOf, searchOf, text, time } from "../../search.ts";

/**
 * Filters of the tail, whether it stands still, and the event beside it. With `since` there is no tail but what happened since that time, and
 * before `until`, of one `number` or of all.
 */
export const eventsSearch = searchOf({
  kind: text,
  contact_id: text,
  message_id: text,
  since: time,
  until: time,
  number: text,
  paused: oneOf(["1"]),
  open: text,
});
export type EventsSearch = ReturnType<typeof eventsSearch>;
