import { type Static, Type } from "typebox";
import { idSchema } from "../../../http/ids.ts";
import { listQuery } from "../../../http/pagination.ts";
import { nullable } from "../../../http/schema-types.ts";
import { timestampInput, timestampOutput } from "../../../http/timestamps.ts";
import { filter } from "../../audit/schema.ts";

const MESSAGE_EXAMPLE = {
  id: "aud_01jd0000000000000000000001",
  at: "2026-01-31T09:30:01.000Z",
  message_id: "msg_01jd0000000000000000000000",
  event: "delivered",
  actor: { type: "provider", id: null, name: null },
  detail: { occurred_at: "2026-01-31T09:30:00.000Z", error: null },
};

/** A step of a message's life. */
export const AuditMessage = Type.Object(
  {
    id: idSchema("aud"),
    at: timestampOutput(),
    message_id: idSchema("msg"),
    event: Type.String({
      description:
        "`created` or `received`, then each status once: accepted, sent, delivered, read, played, failed, canceled, expired, unknown, and given_up when nothing was heard of a lost answer; `refused` for each attempt that was refused for now, after which the message is tried again; deleted and warning of older versions of the provider.",
    }),
    actor: Type.Object({
      type: Type.String({
        description:
          "api_key for what a call did, contact for what a person wrote, business_app for what was written there, provider for what it reported, else system.",
      }),
      id: nullable(Type.String(), "Of the API key or the contact."),
      name: nullable(Type.String()),
    }),
    detail: Type.Unsafe<unknown>({
      type: ["object", "null"],
      additionalProperties: true,
      description:
        "Of a status the provider's time `occurred_at` and the `error`; of a refused attempt its number too, as `attempt`; at first the `type`, `phone_number_id` and `send_at` of the message. Never content, nor whom it is to.",
    }),
  },
  { $id: "AuditMessage", examples: [MESSAGE_EXAMPLE] },
);
export type AuditMessage = Static<typeof AuditMessage>;

export const MessageLogQuery = Type.Object({
  ...listQuery,
  message_id: filter("Only what happened to this message."),
  to: filter("Only messages to this person: a number in any form, a contact id or a user id."),
  at_after: Type.Optional(timestampInput("Only what happened at this time or later.")),
  at_before: Type.Optional(timestampInput("Only what happened before this time.")),
});
export type MessageLogQuery = Static<typeof MessageLogQuery>;
