import { type Static, Type } from "typebox";
import { idSchema } from "../../http/ids.ts";
import { listOf, listQuery } from "../../http/pagination.ts";
import { explained, nullable } from "../../http/schema-types.ts";
import { timestampInput, timestampOutput } from "../../http/timestamps.ts";
import { MOST_SEARCHED_CHARACTERS } from "../identity/contact-limits.ts";
import { LISTED_EXAMPLE, MESSAGE_EXAMPLE } from "../messages/examples.ts";
import { ListedMessage } from "../messages/schema.ts";
import { UNREAD_AMONG } from "./limits.ts";

const CONVERSATION_EXAMPLE = {
  contact_id: MESSAGE_EXAMPLE.contact_id,
  phone_number_id: MESSAGE_EXAMPLE.phone_number_id,
  contact: { id: MESSAGE_EXAMPLE.contact_id, name: "Ana", phone: "+15551230001" },
  last_message: LISTED_EXAMPLE,
  unread_count: 2,
  window: { open: true, expires_at: "2026-02-01T09:00:00.000Z" },
  owner: { role: "none", since: null } as const,
  updated_at: MESSAGE_EXAMPLE.created_at,
};

export const Conversation = Type.Object(
  {
    contact_id: idSchema("con"),
    phone_number_id: idSchema("num", "Your phone number."),
    contact: Type.Object({
      id: idSchema("con"),
      name: nullable(Type.String(), "The name that you use, else the one that the person uses."),
      phone: nullable(Type.String(), "Null if the person has no visible number."),
    }),
    last_message: ListedMessage,
    unread_count: Type.Integer({
      description: `The person's messages since the last one that you marked as read, counted among the latest ${UNREAD_AMONG} that were exchanged.`,
    }),
    window: Type.Object({
      open: Type.Boolean({ description: "Whether free-form messages can be sent now." }),
      expires_at: nullable(timestampOutput(), "Null if the person never wrote to this number."),
    }),
    owner: Type.Object({
      role: Type.Enum(["self", "other", "none"], {
        description:
          "Who answers, where the provider has several responders for the number: you, another one, or neither. Free-form messages to a conversation of another one are refused without `take`.",
      }),
      since: nullable(
        timestampOutput(),
        "Null where nothing was said of it. Ownership ends a day after the person's last message.",
      ),
    }),
    updated_at: timestampOutput(),
  },
  { $id: "Conversation", examples: [CONVERSATION_EXAMPLE] },
);
export type Conversation = Static<typeof Conversation>;
export const ConversationList = listOf(Conversation);

const filters = {
  phone_number_id: Type.Optional(Type.String({ maxLength: 40, description: "The id of one of your phone numbers." })),
};

export const ListConversations = Type.Object({
  ...listQuery,
  ...filters,
  contact_id: Type.Optional(Type.String({ maxLength: 40, description: "The id of a person's contact." })),
  window: Type.Optional(
    Type.Enum(["open", "closed"], { description: "Whether free-form messages can be sent in it now." }),
  ),
  unread: Type.Optional(
    Type.Boolean({ description: "Whether it has messages of the person that you have not marked as read." }),
  ),
  q: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: MOST_SEARCHED_CHARACTERS,
      description: "Is with a person whom the list of contacts finds by this `q`: a part of a name or of a number.",
      examples: ["ana"],
    }),
  ),
});
export type ListConversations = Static<typeof ListConversations>;

export const ContactParams = Type.Object({ contact_id: idSchema("con") });
export type ContactParams = Static<typeof ContactParams>;

export const ControlConversation = Type.Object(
  {
    phone_number_id: idSchema("num", "Your phone number that the conversation is on."),
    action: Type.Enum(["take", "release", "pass"], {
      description:
        "`take`: you answer from now on. `release`: no responder does, and the provider routes the person's next message. `pass`: another responder does.",
    }),
    target_role: Type.Optional(
      Type.String({
        pattern: explained("^[a-z_]{1,40}$", {
          detail: "must be a role such as ai_agent: up to 40 small letters and `_`",
        }),
        description:
          "With `pass`: whom it goes to by the provider's roles, such as `ai_agent`. By default the escalation partner.",
      }),
    ),
  },
  { $id: "ControlConversation", examples: [{ phone_number_id: MESSAGE_EXAMPLE.phone_number_id, action: "take" }] },
);
export type ControlConversation = Static<typeof ControlConversation>;

export const ListConversationMessages = Type.Object({
  ...listQuery,
  ...filters,
  direction: Type.Optional(Type.Enum(["outbound", "inbound"])),
  created_after: Type.Optional(timestampInput("Only messages created after this time.")),
  created_before: Type.Optional(timestampInput("Only messages created before this time.")),
});
export type ListConversationMessages = Static<typeof ListConversationMessages>;
