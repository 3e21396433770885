import { isoTime } from "../../lib/iso-time.ts";
import { contactOf } from "../contacts/events.ts";
import { type EventSource, eventGroup, isRow } from "../events/event-groups.ts";
import { REPORTS } from "../threads/status.ts";
import type { MessageRow } from "./column-lists.ts";
import { INBOUND_SHAPE, PAYMENT_SHAPE, STATUS_SHAPE } from "./event-shapes.ts";
import { PAYMENT_KIND, partOfMessage } from "./provider-part.ts";
import { type MessageState, renderMessage } from "./render.ts";
import type { Message } from "./schema.ts";

// Rows as JSON have the same columns as the driver's. Null when retention or an erasure removed the message.
const messageOf = ({ message, state }: EventSource): Message | null =>
  message && renderMessage(message as unknown as MessageRow, state as unknown as MessageState);

export const INBOUND_EVENTS = eventGroup({
  category: "inbound_message",
  kinds: ["messages", "standby_messages"],
  shapes: [INBOUND_SHAPE],
  data: (event) => ({ message: messageOf(event), contact: contactOf(event) }),
  part: partOfMessage,
});

export const STATUS_EVENTS = eventGroup({
  category: "message_status",
  part: partOfMessage,
  kinds: [
    "accepted",
    "sent",
    "delivered",
    "read",
    "played",
    "failed",
    "unknown",
    "canceled",
    "expired",
    "message_deleted",
    "warning",
  ],
  shapes: [STATUS_SHAPE],
  data(event) {
    const occurredAt = isoTime(event.occurredAt);
    const message = messageOf(event);
    const field = SHOWN_TIME[event.kind];
    const shown = field === undefined ? null : message?.[field];
    return {
      message,
      status: event.kind === "message_deleted" ? "deleted" : event.kind,
      // A message has no time that is earlier than those of its earlier statuses; the event of a status must have the same time.
      occurred_at: typeof shown === "string" && shown > occurredAt ? shown : occurredAt,
      error: CARRY_ERROR.has(event.kind) ? (message?.error ?? null) : null,
      // The second report of a lost answer: nothing has settled it, and nothing more is tried.
      ...(event.kind === "unknown" && isGivenUp(event.state) ? { settled: false } : {}),
    };
  },
});

/** Payments that messages asked for, apart from how far the messages came. What the business calls a payment is erased with the person. */
export const PAYMENT_EVENTS = eventGroup({
  category: "message_status",
  kinds: [PAYMENT_KIND],
  shapes: [PAYMENT_SHAPE],
  part: partOfMessage,
  data(event) {
    const { payment } = event.state;
    const { reference = null, status = null } = isRow(payment) ? payment : {};
    return { message: messageOf(event), payment: { reference: event.isErased ? null : reference, status } };
  },
});

const isGivenUp = ({ seen }: EventSource["state"]): boolean =>
  typeof seen === "number" && (seen & REPORTS.given_up.bit) !== 0;

/** The field of the message with the time of a status. */
const SHOWN_TIME: Readonly<Record<string, keyof Message>> = {
  accepted: "accepted_at",
  sent: "sent_at",
  delivered: "delivered_at",
  read: "read_at",
  played: "read_at",
  failed: "failed_at",
};

/** Statuses that carry the error of the message: one that failed and was delivered all the same keeps its error, but the event `delivered` has none. */
const CARRY_ERROR = new Set(["failed", "unknown", "canceled", "expired"]);
