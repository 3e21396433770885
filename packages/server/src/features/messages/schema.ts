import { type Static, type TObject, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { nullable } from "../../http/schema-types.ts";
import { timestampOutput } from "../../http/timestamps.ts";
import { MESSAGE_STATUSES } from "../threads/status.ts";
import { ASKED_FIELDS, LATER_FIELDS } from "./column-lists.ts";
import { HISTORY_EXAMPLE, LISTED_EXAMPLE, MESSAGE_EXAMPLE } from "./examples.ts";
import { ANYTHING, provided } from "./provided.ts";
import { reportedContents } from "./reported-schema.ts";
import { componentName } from "./types/component-name.ts";
import type { MessageType } from "./types/message-type.ts";
import { template } from "./types/template.ts";
import { MESSAGE_TYPES, type SendableType } from "./types.ts";

const recipient = {
  to: Type.String({
    minLength: 1,
    maxLength: 150,
    description:
      "The recipient: a phone number in E.164 format with `+` (spaces, hyphens, brackets, dots, a `/` behind the area code and marks that cannot be seen are dropped), a contact id or a business-scoped user id.",
    examples: ["+15551230001"],
  }),
};
const options = {
  from: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        "The sender: the id of a connected phone number, or the number in E.164 format. By default the number of the quoted message, else of the latest conversation with the recipient, else the workspace's default number.",
    }),
  ),
  ...ASKED_FIELDS,
};

const { reply_to: _quote, ...withoutQuote } = options;
const fallback = {
  fallback: Type.Optional(
    Type.Object(
      { template: template.content },
      {
        $id: "MessageFallback",
        description:
          "What is sent instead when the 24-hour window is closed at the time of dispatch. The template is checked as one that is sent by itself.",
      },
    ),
  ),
};

/** What one type's request has beside `type`, its content, and what all have. */
type Sending<T> =
  T extends MessageType<infer Name, infer Content>
    ? { type: Name } & { [K in Name]: Static<Content> } & Static<
          TObject<typeof recipient & typeof options & typeof fallback>
        >
    : never;

const IN_WINDOW = "Can be sent within 24 hours of the person's last message, or with a `fallback`.";
const AT_ANY_TIME = "Can be sent at any time.";

/** The body of a request that sends this type; `more` are the fields of its item in a batch. */
export const sendingOf = (
  { name, content, needsWindow, description, target }: SendableType,
  prefix = "Send",
  more: object = {},
) =>
  Type.Object(
    {
      ...recipient,
      type: Type.Literal(name),
      [name]: content,
      ...(target === undefined ? options : withoutQuote),
      ...(needsWindow ? fallback : {}),
      ...more,
    },
    {
      $id: componentName(prefix, name, "Message"),
      description: `${description} ${needsWindow ? IN_WINDOW : AT_ANY_TIME}`,
    },
  );

/** One of these, distinguished by `type`: each takes the object named after its type and no other. */
export const anyType = <T>($id: string, branches: object[]) =>
  Type.Unsafe<T>({
    $id,
    type: "object",
    required: ["type"],
    // Checked before the branches: the error for an unknown type lists the known ones.
    properties: { type: { type: "string", enum: MESSAGE_TYPES.map(({ name }) => name) } },
    discriminator: { propertyName: "type" },
    oneOf: branches,
  });

export const SendMessage = anyType<Sending<SendableType>>(
  "SendMessage",
  MESSAGE_TYPES.map((type) => sendingOf(type)),
);
export type SendMessage = Static<typeof SendMessage>;

export const MessageErrorSchema = Type.Object(
  {
    code: Type.String({ description: "A code of the catalogue in docs/errors.md." }),
    title: Type.String(),
    detail: Type.String(),
    retryable: Type.Boolean({
      description:
        "Whether sending the same message again can succeed without a change. Always false while the status is `unknown`.",
    }),
    remedy: Type.String({ description: "What to do about the error." }),
    provider: Type.Optional(
      Type.Object(
        {
          code: Type.Integer(),
          subcode: nullable(Type.Integer()),
          title: Type.String(),
          details: nullable(Type.String()),
          trace_id: nullable(Type.String()),
          href: Type.Optional(
            Type.String({ description: "The provider's page about the error. Present where it named one." }),
          ),
        },
        { description: "The provider's own error, if it reported one." },
      ),
    ),
  },
  { $id: "MessageError" },
);

// What a person sent is shown as the provider reported it. Null once the person was erased.
const shownAs = (content: object, shown: string) =>
  "items" in content
    ? nullable(Type.Array(provided("As it was sent or reported.", ANYTHING)), shown)
    : provided(shown, ["object", "null"]);

const messageFields = {
  id: idSchema("msg"),
  direction: Type.Enum(["outbound", "inbound"]),
  status: Type.Enum([...MESSAGE_STATUSES]),
  final: Type.Boolean({ description: "Whether the status is final: nothing more is tried or expected." }),
  to: nullable(Type.String({ description: "The recipient's number; null if the person has no visible number." })),
  from: nullable(Type.String({ description: "The sender's number; null if the person has no visible number." })),
  phone_number_id: idSchema("num"),
  contact_id: idSchema("con"),
  type: Type.String({
    description: "The type of the message. The field of this name holds the content, null once the contact was erased.",
  }),
  ...Object.fromEntries(
    MESSAGE_TYPES.map(({ name, content, shown }) => [name, Type.Optional(shownAs(content, shown))]),
  ),
  reply_to: nullable(idSchema("msg")),
  ...reportedContents,
  ...LATER_FIELDS,
  reference: nullable(Type.String({ description: "Your own reference." })),
  category: nullable(
    Type.String({ description: "The category of the template: utility, marketing or authentication." }),
  ),
  fallback: Type.Optional(
    provided("What is sent instead when the window is closed, as it was given.", ["object", "null"]),
  ),
  fallback_used: Type.Optional(
    Type.Boolean({ description: "Whether the last attempt sent the fallback. Present when there is one." }),
  ),
  pricing: provided("The pricing as the provider reports it: `billable`, `pricing_model`, `category` and `type`.", [
    "object",
    "null",
  ]),
  error: nullable(MessageErrorSchema),
  next_attempt_at: Type.Optional(
    timestampOutput(
      "The earliest time of the next attempt. Present where the provider refused an attempt for now and the message waits to be tried again; absent in the answer to a send and in events.",
    ),
  ),
  last_error: Type.Optional(MessageErrorSchema),
  provider_message_id: nullable(Type.String()),
  possible_duplicate: Type.Boolean({ description: "Whether the message was sent again after a lost response." }),
  created_at: timestampOutput(),
  estimated_dispatch_at: nullable(
    timestampOutput(),
    "When the message was going to be sent as far as was known when it was accepted: `send_at`, or the second by which the number has sent what waited before it. Null where that was not known.",
  ),
  send_at: nullable(timestampOutput()),
  expires_at: nullable(timestampOutput()),
  accepted_at: nullable(
    timestampOutput(),
    "When the provider accepted the message. This time and the four below are never earlier than the previous step; `history` has the times as the provider reported them.",
  ),
  sent_at: nullable(timestampOutput()),
  delivered_at: nullable(timestampOutput()),
  read_at: nullable(timestampOutput()),
  failed_at: nullable(timestampOutput()),
  sequence: Type.Integer({
    description:
      "The order of messages within a conversation: a later message has a larger number. Gaps have no meaning.",
  }),
};

/** Inbound types carry their content under the type's own name, as the provider sends it. */
export const Message = Type.Object(messageFields, {
  $id: "Message",
  additionalProperties: true,
  examples: [MESSAGE_EXAMPLE],
});
export type Message = Static<typeof Message> & Record<string, unknown>;

/** A message in a list. */
export const ListedMessage = Type.Object(
  {
    ...messageFields,
    preview: nullable(
      Type.String(),
      "What the person sees, in one line of at most 160 characters: the text, a template with its parameters, a caption, or a word for what it is. Codes of authentication templates are dots. Null where nothing can be said.",
    ),
  },
  { $id: "ListedMessage", additionalProperties: true, examples: [LISTED_EXAMPLE] },
);
export type ListedMessage = Static<typeof ListedMessage> & Record<string, unknown>;

export const MarkRead = Type.Object(
  {
    typing: Type.Optional(
      Type.Boolean({
        description: "Also shows the person that you are writing, until your reply arrives or for 25 seconds.",
      }),
    ),
  },
  { $id: "MarkRead", examples: [{ typing: true }] },
);
export type MarkRead = Static<typeof MarkRead>;

const HistoryEntry = Type.Object(
  {
    status: Type.String({
      description:
        "What was reported. `queued` with an `error`: the provider refused an attempt for now, and the message waits to be tried again.",
    }),
    at: timestampOutput(),
    received_at: timestampOutput(),
    error: nullable(MessageErrorSchema),
    conversation: Type.Optional(
      provided(
        "What the provider said with the status of the conversation in which it counts the message, as it gave it: `id`, `origin`, until when. Present where it said any, mostly in free entry windows only.",
      ),
    ),
  },
  { $id: "MessageHistoryEntry" },
);

export const MessageWithHistory = Type.Object(
  { ...messageFields, history: Type.Array(HistoryEntry) },
  { $id: "MessageWithHistory", additionalProperties: true, examples: [HISTORY_EXAMPLE] },
);
export type MessageWithHistory = Static<typeof MessageWithHistory> & Record<string, unknown>;
