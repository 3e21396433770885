import { type Static, Type } from "typebox";
import { idSchema } from "../../../http/ids.ts";
import { nullable } from "../../../http/schema-types.ts";
import { timestampOutput } from "../../../http/timestamps.ts";
import { provided } from "../provided.ts";
import { MessageErrorSchema } from "../schema.ts";

const EXAMPLE = {
  message_id: "msg_01jd0000000000000000000000",
  request: {
    method: "POST",
    path: "/v26.0/106540352242922/messages",
    body: {
      messaging_product: "whatsapp",
      recipient_type: "individual",
      to: "+15551230001",
      type: "text",
      text: { body: "We are on our way." },
    },
  },
  attempts: [
    {
      attempt: 1,
      started_at: null,
      completed_at: "2026-01-31T09:30:00.000Z",
      outcome: "accepted",
      provider_message_id: "wamid.HBgLMTU1NTEyMzAwMDE",
      error: null,
    },
  ],
  reports: [
    {
      kind: "sent",
      occurred_at: "2026-01-31T09:30:00.000Z",
      received_at: "2026-01-31T09:30:01.000Z",
      callback: { object: "whatsapp_business_account", entry: [] },
    },
  ],
};

const Request = Type.Object({
  method: Type.String(),
  path: Type.String({ description: "Without its query." }),
  body: provided("The JSON that was sent."),
});

const Attempt = Type.Object({
  attempt: Type.Integer({ description: "The number of the attempt, from 1." }),
  started_at: nullable(timestampOutput(), "Of an attempt that is under way; it is not kept of others."),
  completed_at: nullable(timestampOutput(), "When its outcome was known."),
  outcome: Type.Enum(["accepted", "refused", "lost", "under_way"], {
    description: "`lost`: no answer says what became of it.",
  }),
  provider_message_id: nullable(Type.String()),
  error: nullable(MessageErrorSchema, "What the provider answered, if it did not accept."),
});

const Report = Type.Object({
  kind: Type.String({ description: "The kind of the event that announced it." }),
  occurred_at: timestampOutput("The provider's time."),
  received_at: timestampOutput("When it was stored."),
  callback: provided("The part of the provider's callback that is of this message. Null once that is no longer kept.", [
    "object",
    "null",
  ]),
});

/** What was sent to the provider of one message, and what it reported. */
export const ProviderView = Type.Object(
  {
    message_id: idSchema("msg"),
    request: nullable(
      Request,
      "The request of the last attempt. Null before the first, for a message that came from elsewhere, and once the contact was erased.",
    ),
    attempts: Type.Array(Attempt, { description: "In their order; of very many the last hundred." }),
    reports: Type.Array(Report, {
      description: "In the order in which they were stored, for as long as events are kept.",
    }),
  },
  { $id: "MessageAtProvider", examples: [EXAMPLE] },
);
export type ProviderView = Static<typeof ProviderView>;
