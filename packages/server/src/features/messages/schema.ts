import { type Static, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { nullable } from "../../http/nullable.ts";
import { listQuery } from "../../http/pagination.ts";
import { timestampInput, timestampOutput } from "../../http/timestamps.ts";
import { HISTORY_EXAMPLE, MESSAGE_EXAMPLE } from "./examples.ts";
import { MESSAGE_STATUSES } from "./status.ts";

/** The provider's limit of a text body, in characters. */
const LONGEST_TEXT = 4_096;
const LONGEST_REFERENCE = 256;
/** Components of a send: the provider's own limits are far lower; this bounds the work of checking them. */
const MOST_COMPONENTS = 20;

/** Content of the provider that passes through as it is. */
const provided = (description: string, type: unknown = "object") =>
  Type.Unsafe<unknown>({ type, additionalProperties: true, description });

const TemplateContent = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 512 }),
    language: Type.Object({
      code: Type.String({ minLength: 2, maxLength: 10, examples: ["en_US"] }),
      policy: Type.Optional(Type.Literal("deterministic")),
    }),
    components: Type.Optional(
      Type.Array(provided("`type`, its `parameters`, and for a button `sub_type` and `index`"), {
        maxItems: MOST_COMPONENTS,
        description: "The parameters, as the provider takes them; checked against the template's definition",
      }),
    ),
  },
  { description: "An approved template of the sender" },
);

const TextContent = Type.Object(
  {
    body: Type.String({ minLength: 1, maxLength: LONGEST_TEXT }),
    preview_url: Type.Optional(Type.Boolean({ description: "Show a preview of the first link" })),
  },
  { description: "Free text" },
);

const recipient = {
  to: Type.String({
    minLength: 1,
    maxLength: 150,
    description: "E.164 with `+`, a contact id or a business-scoped user id",
    examples: ["+15551230001"],
  }),
};
const options = {
  from: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: "Phone number id or E.164 of a connected number" }),
  ),
  reply_to: Type.Optional(idSchema("msg", "Message to quote")),
  reference: Type.Optional(
    Type.String({ minLength: 1, maxLength: LONGEST_REFERENCE, description: "Yours; returned everywhere" }),
  ),
  send_at: Type.Optional(timestampInput("Not before, up to 30 days ahead")),
  expires_at: Type.Optional(timestampInput("Not dispatched by then: `expired`")),
  on_unknown: Type.Optional(Type.Enum(["hold", "resend_once"], { description: "When the provider's answer was lost" })),
};

export const SendTemplateMessage = Type.Object(
  { ...recipient, type: Type.Literal("template"), template: TemplateContent, ...options },
  { $id: "SendTemplateMessage", description: "An approved template, at any time" },
);
const SendTextMessage = Type.Object(
  { ...recipient, type: Type.Literal("text"), text: TextContent, ...options },
  { $id: "SendTextMessage", description: "Free text, within 24 hours of the person's last message" },
);

/** One of these, told apart by `type`: each takes the object named after its type and no other. */
export const SendMessage = Type.Unsafe<Static<typeof SendTemplateMessage> | Static<typeof SendTextMessage>>({
  $id: "SendMessage",
  type: "object",
  required: ["type"],
  // Checked before the branches: the error for an unknown type lists the known ones.
  properties: { type: { type: "string", enum: ["template", "text"] } },
  discriminator: { propertyName: "type" },
  oneOf: [SendTemplateMessage, SendTextMessage],
});
export type SendMessage = Static<typeof SendMessage>;

const MessageErrorSchema = Type.Object(
  {
    code: Type.String({ description: "Of the closed catalogue in docs/errors.md" }),
    title: Type.String(),
    detail: Type.String(),
    retryable: Type.Boolean({
      description:
        "Sending the same message anew can succeed without anybody changing anything first; never while the status is `unknown`",
    }),
    remedy: Type.String({ description: "What to do" }),
    provider: Type.Optional(
      Type.Object(
        {
          code: Type.Integer(),
          subcode: nullable(Type.Integer()),
          title: Type.String(),
          details: nullable(Type.String()),
          trace_id: nullable(Type.String()),
        },
        { description: "The provider's own words, where it said something" },
      ),
    ),
  },
  { $id: "MessageError" },
);

const messageFields = {
  id: idSchema("msg"),
  direction: Type.Enum(["outbound", "inbound"]),
  status: Type.Enum([...MESSAGE_STATUSES]),
  final: Type.Boolean({ description: "Nothing more is tried or expected" }),
  to: nullable(Type.String({ description: "Null when the person has no visible number" })),
  from: nullable(Type.String({ description: "Null when the person has no visible number" })),
  phone_number_id: idSchema("num"),
  contact_id: idSchema("con"),
  type: Type.String({ description: "The content stands in the field of this name" }),
  template: Type.Optional(provided("Of a template: name, language and components as they were sent")),
  text: Type.Optional(provided("Of a text: `body`")),
  reply_to: nullable(idSchema("msg")),
  reference: nullable(Type.String({ description: "Yours" })),
  category: nullable(Type.String({ description: "Of the template: utility, marketing or authentication" })),
  pricing: provided("As the provider reports it: `billable`, `pricing_model`, `category`, `type`", ["object", "null"]),
  error: nullable(MessageErrorSchema),
  provider_message_id: nullable(Type.String()),
  possible_duplicate: Type.Boolean({ description: "It was sent again after a lost answer" }),
  created_at: timestampOutput(),
  estimated_dispatch_at: nullable(timestampOutput()),
  send_at: nullable(timestampOutput()),
  expires_at: nullable(timestampOutput()),
  accepted_at: nullable(
    timestampOutput(),
    "This and the next four are never earlier than what came before them; `history` has the provider's own second",
  ),
  sent_at: nullable(timestampOutput()),
  delivered_at: nullable(timestampOutput()),
  read_at: nullable(timestampOutput()),
  failed_at: nullable(timestampOutput()),
  sequence: Type.Integer({ description: "Larger is later within a conversation; gaps mean nothing" }),
};

/** Inbound types carry their content under the type's own name, as the provider sends it. */
export const Message = Type.Object(messageFields, {
  $id: "Message",
  additionalProperties: true,
  examples: [MESSAGE_EXAMPLE],
});
export type Message = Static<typeof Message> & Record<string, unknown>;

const HistoryEntry = Type.Object(
  {
    status: Type.String(),
    at: timestampOutput(),
    received_at: timestampOutput(),
    error: nullable(MessageErrorSchema),
  },
  { $id: "MessageHistoryEntry" },
);

export const MessageWithHistory = Type.Object(
  { ...messageFields, history: Type.Array(HistoryEntry) },
  { $id: "MessageWithHistory", additionalProperties: true, examples: [HISTORY_EXAMPLE] },
);
export type MessageWithHistory = Static<typeof MessageWithHistory> & Record<string, unknown>;

export const ListMessages = Type.Object({
  ...listQuery,
  direction: Type.Optional(Type.Enum(["outbound", "inbound"])),
  status: Type.Optional(Type.Enum([...MESSAGE_STATUSES])),
  type: Type.Optional(Type.String({ maxLength: 40, description: "Such as `template` or `text`" })),
  to: Type.Optional(Type.String({ maxLength: 150, description: "The recipient's number as the message shows it" })),
  from: Type.Optional(Type.String({ maxLength: 150, description: "The sender's number as the message shows it" })),
  contact_id: Type.Optional(Type.String({ maxLength: 40, description: "The person's contact, in both directions" })),
  template: Type.Optional(Type.String({ maxLength: 512, description: "The name of the template" })),
  reference: Type.Optional(Type.String({ maxLength: LONGEST_REFERENCE, description: "Yours, exactly" })),
  created_after: Type.Optional(timestampInput("After this time")),
  created_before: Type.Optional(timestampInput("Before this time")),
});
export type ListMessages = Static<typeof ListMessages>;
