import type { Event } from "@waypost/sdk";

/** The id of the person whose erasure an event says; null for any other event. */
export const erasedBy = ({ kind, data }: Event): string | null =>
  kind === "contact_deleted" ? ((data as { contact?: { id: string } | null }).contact?.id ?? null) : null; // by its kind

/** Those that say nothing of a person: what was said before the erasure has texts and the number. */
export const withoutPerson = (events: readonly Event[], id: string): Event[] =>
  events.filter((event) => erasedBy(event) === id || !JSON.stringify(event.data).includes(`"${id}"`));
