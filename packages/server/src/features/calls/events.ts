import { formatId } from "../../lib/ids.ts";
import type { PartKind } from "../../provider/callback-parts.ts";
import type { ProviderCall } from "../../provider/reported.ts";
import { contactOf } from "../contacts/events.ts";
import { personOf } from "../contacts/person-part.ts";
import { type EventPart, eventGroup, isRow, type PartSource } from "../events/event-groups.ts";
import { isCorrelationToken } from "../messages/correlation-token.ts";
import { CALL_SHAPE } from "./event-shapes.ts";

/** Calls between people and numbers. Of a person who was erased nothing is returned. */
export const CALL_EVENTS = eventGroup({
  category: "inbound_message",
  kinds: ["call"],
  shapes: [CALL_SHAPE],
  data(event) {
    const { call, phone_number_id: number } = event.state;
    return {
      call:
        isRow(call) && typeof number === "string" && !event.isErased
          ? { ...call, phone_number_id: formatId("num", number) }
          : null,
      contact: contactOf(event),
    };
  },
  part: partOfCall,
});

/** In the provider's callbacks: what happened to a call, or what became of one that the business made. */
function partOfCall(event: PartSource): EventPart | null {
  const { number, state, occurredAt } = event;
  const call = state["call"] as ProviderCall | undefined; // as `take_calls` wrote it
  if (number === null || call === undefined) return null;
  const { event: happened, status = "" } = call;
  const is: PartKind = happened === undefined ? { callStatus: status } : { callEvent: happened };
  const part = { providerPhoneNumberId: number.providerPhoneNumberId, providerId: call.id, is };
  return {
    part,
    written: {
      ...part,
      providerAccountId: number.providerAccountId ?? "0",
      businessPhone: number.phone,
      person: personOf(event.contact),
      at: occurredAt,
      call,
    },
    own: { isOurs: isCorrelationToken, namesMessage: () => false },
  };
}
