import { type Static, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { listQuery } from "../../http/pagination.ts";
import { timestampInput, timestampOutput } from "../../http/timestamps.ts";
import { MESSAGE_STATUSES } from "./status.ts";

/** The provider's limit of a text body, in characters. */
const LONGEST_TEXT = 4_096;
const LONGEST_REFERENCE = 256;
/** One send's components: the provider's own limits are far below; this bounds what is walked. */
const MOST_COMPONENTS = 20;

const Nullable = <T extends ReturnType<typeof Type.String>>(schema: T) => Type.Union([schema, Type.Null()]);
const time = (description?: string) =>
  Type.Union([timestampOutput(), Type.Null()], description === undefined ? {} : { description });

const TemplateContent = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 512 }),
  language: Type.Object({
    code: Type.String({ minLength: 2, maxLength: 10 }),
    policy: Type.Optional(Type.Literal("deterministic")),
  }),
  // The provider's own shapes; checked against the template's definition.
  components: Type.Optional(Type.Array(Type.Unknown(), { maxItems: MOST_COMPONENTS })),
});

const TextContent = Type.Object({
  body: Type.String({ minLength: 1, maxLength: LONGEST_TEXT }),
  preview_url: Type.Optional(Type.Boolean()),
});

export const SendMessage = Type.Object(
  {
    to: Type.String({
      minLength: 1,
      maxLength: 150,
      description: "E.164 with `+`, a contact id or a business-scoped user id",
      examples: ["+15551230001"],
    }),
    type: Type.Enum(["template", "text"]),
    template: Type.Optional(TemplateContent),
    text: Type.Optional(TextContent),
    from: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: "Phone number id or E.164 of a connected number" }),
    ),
    reply_to: Type.Optional(idSchema("msg", "Message to quote")),
    reference: Type.Optional(
      Type.String({ minLength: 1, maxLength: LONGEST_REFERENCE, description: "Yours; returned everywhere" }),
    ),
    send_at: Type.Optional(timestampInput("Not before, up to 30 days ahead")),
    expires_at: Type.Optional(timestampInput("Not dispatched by then: `expired`")),
    on_unknown: Type.Optional(
      Type.Enum(["hold", "resend_once"], { description: "When the provider's answer was lost" }),
    ),
  },
  { $id: "SendMessage" },
);
export type SendMessage = Static<typeof SendMessage>;

const MessageErrorSchema = Type.Object(
  {
    code: Type.String(),
    title: Type.String(),
    detail: Type.String(),
    retryable: Type.Boolean({
      description:
        "Sending the same message anew can succeed without anybody changing anything first; never while the status is `unknown`",
    }),
    remedy: Type.String(),
    provider: Type.Optional(
      Type.Object({
        code: Type.Integer(),
        subcode: Type.Union([Type.Integer(), Type.Null()]),
        title: Type.String(),
        details: Nullable(Type.String()),
        trace_id: Nullable(Type.String()),
      }),
    ),
  },
  { $id: "MessageError" },
);

const messageFields = {
  id: idSchema("msg"),
  direction: Type.Enum(["outbound", "inbound"]),
  status: Type.Enum([...MESSAGE_STATUSES]),
  final: Type.Boolean({ description: "Nothing more is tried or expected" }),
  to: Nullable(Type.String()),
  from: Nullable(Type.String()),
  phone_number_id: idSchema("num"),
  contact_id: idSchema("con"),
  type: Type.String(),
  template: Type.Optional(Type.Unknown()),
  text: Type.Optional(Type.Unknown()),
  reply_to: Nullable(idSchema("msg")),
  reference: Nullable(Type.String()),
  category: Nullable(Type.String()),
  pricing: Type.Unknown(),
  error: Type.Union([MessageErrorSchema, Type.Null()]),
  provider_message_id: Nullable(Type.String()),
  possible_duplicate: Type.Boolean(),
  created_at: timestampOutput(),
  estimated_dispatch_at: time(),
  send_at: time(),
  expires_at: time(),
  accepted_at: time(
    "This and the next four are never earlier than what came before them; `history` has the provider's own second",
  ),
  sent_at: time(),
  delivered_at: time(),
  read_at: time(),
  failed_at: time(),
  sequence: Type.Integer({ description: "Larger is later within a conversation; gaps mean nothing" }),
};

/** Inbound types carry their content under the type's own name, as the provider sends it. */
export const Message = Type.Object(messageFields, { $id: "Message", additionalProperties: true });
export type Message = Static<typeof Message> & Record<string, unknown>;

const HistoryEntry = Type.Object(
  {
    status: Type.String(),
    at: timestampOutput(),
    received_at: timestampOutput(),
    error: Type.Union([MessageErrorSchema, Type.Null()]),
  },
  { $id: "MessageHistoryEntry" },
);

export const MessageWithHistory = Type.Object(
  { ...messageFields, history: Type.Array(HistoryEntry) },
  { $id: "MessageWithHistory", additionalProperties: true },
);
export type MessageWithHistory = Static<typeof MessageWithHistory> & Record<string, unknown>;

export const ListMessages = Type.Object({
  ...listQuery,
  direction: Type.Optional(Type.Enum(["outbound", "inbound"])),
  status: Type.Optional(Type.Enum([...MESSAGE_STATUSES])),
  type: Type.Optional(Type.String({ maxLength: 40 })),
  to: Type.Optional(Type.String({ maxLength: 150 })),
  from: Type.Optional(Type.String({ maxLength: 150 })),
  contact_id: Type.Optional(Type.String({ maxLength: 40 })),
  template: Type.Optional(Type.String({ maxLength: 512 })),
  reference: Type.Optional(Type.String({ maxLength: LONGEST_REFERENCE })),
  created_after: Type.Optional(timestampInput()),
  created_before: Type.Optional(timestampInput()),
});
export type ListMessages = Static<typeof ListMessages>;
