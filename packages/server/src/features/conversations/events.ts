import { formatId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { contactOf } from "../contacts/events.ts";
import { partOfPerson } from "../contacts/person-part.ts";
import { type EventPart, eventGroup, isRow, type JsonRow, type PartSource } from "../events/event-groups.ts";
import { CONVERSATION_SHAPE } from "./event-shapes.ts";

/** Changes of who answers a conversation. What the provider's callbacks say of its content is not in them. */
export const CONVERSATION_EVENTS = eventGroup({
  category: "conversation",
  kinds: ["thread_taken", "thread_released"],
  shapes: [CONVERSATION_SHAPE],
  data(event) {
    const contact = contactOf(event);
    return {
      conversation: {
        contact_id: contact?.["id"] ?? null,
        phone_number_id: event.resourceId === null ? null : formatId("num", event.resourceId),
        contact: contact && {
          id: contact["id"],
          name: contact["name"] ?? contact["profile_name"] ?? null,
          phone: contact["phone"] ?? null,
        },
      },
      previous_owner: ownerIn(event.state["previous_owner"]),
      owner: ownerIn(event.state["owner"]),
    };
  },
  part: partOfHandover,
});

/** In the provider's callbacks: the handover that reported it. Of what happened here, or showed otherwise, there is none. */
function partOfHandover(event: PartSource): EventPart | null {
  const { owner } = event.state;
  const role = isRow(owner) ? owner["role"] : null;
  return partOfPerson(event, { handover: role === "self" || role === "other" ? role : "none" });
}

function ownerIn(owner: unknown): JsonRow | null {
  if (!isRow(owner)) return null;
  const since = owner["since"];
  return { role: owner["role"], since: typeof since === "string" ? isoTime(Date.parse(since)) : null };
}
