import type { Event } from "@waypost/sdk";
import type { EventFilters } from "../../api/queries/events.ts";

/** Both together, each event once, the newest first; ids are in the order of their times. */
export function joined(live: readonly Event[], recent: readonly Event[], most: number): Event[] {
  const byId = new Map([...recent, ...live].map((event) => [event.id, event]));
  return [...byId.values()].sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, most);
}

/** As the API filters. An event is of a person or message whose id is in what it says: ids are of one thing alone. */
export const fits = (event: Event, { kind, contact_id, message_id }: EventFilters): boolean =>
  (kind === undefined || event.kind === kind) &&
  [contact_id, message_id].every((id) => id === undefined || JSON.stringify(event.data).includes(`"${id}"`));

/** The kinds among them, each with how many there are, the most first. */
export function kindsIn(events: readonly Event[]): { kind: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { kind } of events) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => ({ kind, count })).sort((one, other) => other.count - one.count);
}
