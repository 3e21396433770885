import { oneOf, searchOf, text, time } from "../../search.ts";

/**
 * Filters of the tail, whether it stands still, and the event beside it. With `since` there is no tail but what happened since that time, and
 * before `until`, of one `number` or of all.
 */
const parsed = searchOf({
  kind: text,
  contact_id: text,
  message_id: text,
  since: time,
  until: time,
  number: text,
  paused: oneOf(["1"]),
  open: text,
});

export function eventsSearch(given: Record<string, unknown>): ReturnType<typeof parsed> {
  const { until, number, ...search } = parsed(given);
  if (search.since === undefined) return search;
  return { ...search, ...(until && { until }), ...(number && { number }) };
}
export type EventsSearch = ReturnType<typeof eventsSearch>;
