import { formatId } from "../../lib/ids.ts";
import { contactOf } from "../contacts/events.ts";
import { eventGroup, isRow } from "../events/event-groups.ts";
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
});
