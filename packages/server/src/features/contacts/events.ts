import { type EventSource, eventGroup, isRow, type JsonRow } from "../webhooks/event-groups.ts";
import { type ContactRow, renderContact } from "./render.ts";

/** The contact of an event. It may have changed since; where the event has a snapshot of it, that is rendered. */
export function contactOf({ state, contact }: EventSource): JsonRow | null {
  const kept = state["contact"];
  const row = isRow(kept) ? kept : contact;
  return row ? renderContact(row as unknown as ContactRow) : null; // a row as JSON has the same columns as the driver's
}

export const CONTACT_EVENTS = eventGroup({
  category: "contact",
  kinds: ["contact_created", "contact_updated", "contact_merged", "contact_deleted", "opted_out", "opted_in"],
  data: (event) => ({ contact: contactOf(event), source: event.state["source"] ?? null }),
});
