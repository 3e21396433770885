import { Type } from "typebox";
import { nullable } from "../../http/schema-types.ts";
import { timestampOutput } from "../../http/timestamps.ts";
import { CONTACT_IN_EVENTS, ContactInEvents } from "../contacts/event-shapes.ts";
import { eventShape } from "../events/event-shape.ts";
import { MESSAGE_EXAMPLE, RECEIVED_EXAMPLE } from "./examples.ts";
import { messageError } from "./message-error.ts";
import { Message, MessageErrorSchema } from "./schema.ts";

const MessageInEvents = nullable(Message, "The message; null once it is no longer kept.");

export const INBOUND_SHAPE = eventShape({
  name: "InboundMessageEvent",
  means: {
    messages: 'A person has written. What this version does not model has `type: "unsupported"` and the raw content.',
    standby_messages: "A person has written in a conversation that another responder answers.",
  },
  data: Type.Object({
    message: MessageInEvents,
    contact: nullable(ContactInEvents, "Who wrote; null once the person was erased."),
  }),
  example: () => ({ message: RECEIVED_EXAMPLE, contact: CONTACT_IN_EVENTS }),
});

const STATUS_MEANS = {
  accepted: "The provider has accepted the message and given it an id.",
  sent: "The message is on its way to the person.",
  delivered: "The message has reached the person's device.",
  read: "The person has read the message.",
  played: "The person has played the voice message.",
  failed: "The message was not and will not be delivered; `error` says why.",
  unknown:
    "The provider's answer was lost: whether the message was sent is not known yet. With `settled: false` nothing has shown it in ten minutes.",
  canceled: "You have canceled the message before it was sent.",
  expired: "The message was not sent by its `expires_at`.",
  message_deleted: "The message was deleted; `data.status` is `deleted`.",
  warning: "The provider has something to say of a message that goes on; its status stays.",
} as const;

const ERRORS: Readonly<Record<string, ReturnType<typeof messageError>>> = {
  failed: messageError("recipient_unreachable", "The provider could not deliver the message."),
  expired: messageError("expired", "The message was not sent in time."),
};
/** The times that a message has by then. */
const TIMES = ["accepted_at", "sent_at", "delivered_at", "read_at"] as const;
const STEPS: Readonly<Record<string, number>> = { accepted: 1, sent: 2, delivered: 3, read: 4, played: 4 };

function statusExample(kind: keyof typeof STATUS_MEANS) {
  const steps = STEPS[kind] ?? (kind === "warning" || kind === "message_deleted" ? 2 : 0);
  const error = ERRORS[kind] ?? null;
  const times = Object.fromEntries(TIMES.map((name, index) => [name, index < steps ? MESSAGE_EXAMPLE[name] : null]));
  const last = TIMES[steps - 1];
  const at = last === undefined ? "2026-01-31T09:30:05.000Z" : MESSAGE_EXAMPLE[last];
  const status = kind === "played" ? "read" : steps === 2 ? "sent" : kind;
  const isOver = ["failed", "canceled", "expired"].includes(kind);
  return {
    message: {
      ...MESSAGE_EXAMPLE,
      ...times,
      status,
      final: isOver || status === "read",
      error,
      failed_at: kind === "failed" ? at : null,
      ...(steps === 0 && kind !== "failed" && { provider_message_id: null, pricing: null }),
    },
    status: kind === "message_deleted" ? "deleted" : kind,
    occurred_at: at,
    error,
  };
}

export const STATUS_SHAPE = eventShape({
  name: "MessageStatusEvent",
  means: STATUS_MEANS,
  data: Type.Object({
    message: nullable(
      Message,
      "The message as it was at that commit: its status is the highest that was ever reported. Null once it is no longer kept.",
    ),
    status: Type.String({ description: "What was reported: the kind of the event, or `deleted`." }),
    occurred_at: timestampOutput(),
    error: nullable(MessageErrorSchema),
    settled: Type.Optional(
      Type.Literal(false, { description: "Of the second `unknown` of a message: nothing has settled it." }),
    ),
  }),
  example: statusExample,
});

export const PAYMENT_SHAPE = eventShape({
  name: "PaymentEvent",
  means: { payment_updated: "The state of a payment that a message asked for has changed." },
  data: Type.Object({
    message: MessageInEvents,
    payment: Type.Object({
      reference: nullable(Type.String(), "What you call the payment; null once the person was erased."),
      status: nullable(Type.String(), "As the provider says it, in lower case: `captured`, `pending`, `failed`."),
    }),
  }),
  example: () => ({ message: MESSAGE_EXAMPLE, payment: { reference: "order-17", status: "captured" } }),
});
