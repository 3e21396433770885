import { listOf } from "../../http/pagination.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import { Message } from "../messages/schema.ts";
import { listConversationMessages, listConversations } from "./conversation.ts";
import { ContactParams, ConversationList, ListConversationMessages, ListConversations } from "./schema.ts";

const READ = { tag: "Conversations", auth: "workspace", scope: "messages:read", kind: "read", method: "GET" } as const;

export const CONVERSATION_ROUTES: readonly AnyRoute[] = [
  route({
    ...READ,
    path: "/v1/conversations",
    searches: true,
    summary: "List conversations",
    description:
      "One for each phone number and person, that with the latest message first. A conversation that gets a message while you read the pages moves to the first one: it is never listed twice, and reading the first page again finds it.",
    action: "conversation.list",
    query: ListConversations,
    status: 200,
    response: ConversationList,
    verb: listConversations,
  }),
  route({
    ...READ,
    path: "/v1/conversations/{contact_id}/messages",
    summary: "List the messages with a person",
    description:
      "Messages in both directions, newest first, of all your phone numbers or of one. When two contacts turned out to be one person, both ids return the messages of both.",
    operationId: "conversations.listMessages",
    action: "message.list",
    params: ContactParams,
    query: ListConversationMessages,
    status: 200,
    response: listOf(Message),
    verb: listConversationMessages,
  }),
];
