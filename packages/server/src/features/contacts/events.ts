import { formatId } from "../../lib/ids.ts";
import {
  type EventPart,
  type EventSource,
  eventGroup,
  isRow,
  type JsonRow,
  type PartSource,
} from "../events/event-groups.ts";
import { CONTACT_SHAPE } from "./event-shapes.ts";
import { partOfPerson } from "./person-part.ts";
import { type ContactRow, renderContact } from "./render.ts";

/** The contact of an event. It may have changed since; where the event has a snapshot of it, that is rendered. */
export function contactOf({ state, contact, isErased }: EventSource): JsonRow | null {
  if (isErased) return null;
  const kept = state["contact"];
  const row = isRow(kept) ? kept : contact;
  return row ? renderContact(row as unknown as ContactRow) : null; // a row as JSON has the same columns as the driver's
}

export const CONTACT_EVENTS = eventGroup({
  category: "contact",
  kinds: ["contact_created", "contact_updated", "contact_merged", "contact_deleted", "opted_out", "opted_in"],
  shapes: [CONTACT_SHAPE],
  data(event) {
    const { merged_contact_id: merged, fields } = event.state;
    return {
      contact: ownContact(event),
      ...(typeof merged === "string" ? { merged_contact_id: formatId("con", merged) } : {}),
      source: event.state["source"] ?? null,
      // The provider's words for a setting in its app.
      ...(isRow(fields) && !event.isErased ? { provider_fields: fields } : {}),
    };
  },
  part: partOfConsent,
});

/** In the provider's callbacks: the setting of a person that changed their consent. What was said otherwise is in none. */
function partOfConsent(event: PartSource): EventPart | null {
  const { source, fields } = event.state;
  if (!CONSENTS.has(event.kind)) return null;
  const value = event.kind === "opted_out" ? "stop" : source === "signup" ? "signup" : "resume";
  return partOfPerson(event, { preference: value }, isRow(fields) ? fields : {});
}

const CONSENTS = new Set(["opted_out", "opted_in"]);

/**
 * The contact under the id that it had: one that was merged since is rendered from the surviving record. Of consent what it said
 * then: it may have changed its mind since. Of one that was erased no more than its id.
 */
function ownContact(event: EventSource): JsonRow | null {
  const contact = contactOf(event);
  const id = event.resourceId === null ? {} : { id: formatId("con", event.resourceId) };
  if (event.isErased) return { ...id, deleted: true };
  const said = { marketing_consent: event.kind, consent_source: event.state["source"] ?? null };
  return contact && { ...contact, ...id, ...(CONSENTS.has(event.kind) && said) };
}
