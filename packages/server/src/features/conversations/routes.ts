import { listOf } from "../../http/pagination.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import type { Senders } from "../accounts/numbers/senders.ts";
import { hintDeliveries } from "../events/event.ts";
import { ListedMessage } from "../messages/schema.ts";
import { askForThread, controlConversation } from "./control.ts";
import { listConversationMessages, listConversations } from "./conversation.ts";
import {
  ContactParams,
  ControlConversation,
  Conversation,
  ConversationList,
  ListConversationMessages,
  ListConversations,
} from "./schema.ts";

const READ = {
  tag: "Conversations",
  auth: "workspace",
  scope: "messages:read",
  limitedKeys: "own",
  kind: "read",
  method: "GET",
} as const;

export const conversationRoutes = (senders: Senders): readonly AnyRoute[] => [
  ...READ_ROUTES,
  route({
    tag: "Conversations",
    auth: "workspace",
    scope: "messages:write",
    limitedKeys: "own",
    kind: "write",
    method: "POST",
    path: "/v1/conversations/{contact_id}/control",
    summary: "Control who answers a person",
    description:
      "Changes who answers a person where the provider has several responders for your number. The provider is asked first: nothing changes if it refuses (422 `provider_rejected`) or cannot be reached (502 `provider_unavailable`). Returns 404 where no message was exchanged between the two.",
    operationId: "conversations.control",
    action: "conversation.control",
    params: ContactParams,
    body: ControlConversation,
    status: 200,
    response: Conversation,
    errors: ["conflict", "reference_not_found", "sender_unavailable", "provider_rejected", "provider_unavailable"],
    before: (ctx, input) => askForThread(ctx, input, senders),
    verb: controlConversation,
    after: hintDeliveries,
  }),
];

const READ_ROUTES: readonly AnyRoute[] = [
  route({
    ...READ,
    path: "/v1/conversations",
    searches: true,
    compiledAtStart: true,
    summary: "List conversations",
    description:
      "One for each phone number and person, that with the latest message first. A conversation that gets a message while you read the pages moves to the first one: it is never listed twice, and reading the first page again finds it. With `window`, `unread` or `q` a page is shorter than `limit`, and may be empty, where few of many conversations match: go on with `next_cursor` until it is null.",
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
    response: listOf(ListedMessage),
    verb: listConversationMessages,
  }),
];
