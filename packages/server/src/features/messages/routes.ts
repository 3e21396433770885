import { idParams } from "../../http/ids.ts";
import { listOf } from "../../http/pagination.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import type { Senders } from "../accounts/numbers/senders.ts";
import { hintDeliveries } from "../events/event.ts";
import { BatchResult, SendBatch } from "./batch-schema.ts";
import { CANCELED_EXAMPLES, READ_EXAMPLES, SEND_EXAMPLES, SENT_EXAMPLES } from "./examples.ts";
import { ListMessages } from "./list-query.ts";
import { markMessageRead, showRead } from "./mark-read.ts";
import { cancelMessage, getMessage, listMessages } from "./message.ts";
import { ListedMessage, MarkRead, Message, MessageWithHistory, SendMessage } from "./schema.ts";
import { SEND_CHECK } from "./send-body.ts";
import { sendBatch, sendMessage, validateMessage } from "./send-verbs.ts";
import type { Sending } from "./sending.ts";
import { spellContent, spellContents } from "./types.ts";
import { Validation } from "./validate-schema.ts";

const READ = { tag: "Messages", auth: "workspace", scope: "messages:read", limitedKeys: "own" } as const;
const WRITE = { tag: "Messages", auth: "workspace", scope: "messages:write", limitedKeys: "own" } as const;

/** Bytes of a batch: a thousand messages of 4 KiB, the longest text. */
const LARGEST_BATCH = 4 * 1024 * 1024;

export const messageRoutes = (sending: Sending, senders: Senders): AnyRoute[] => [
  ...sendRoutes(sending),
  validateRoute(sending),
  ...STORED_ROUTES,
  readRoute(senders),
];

const sendRoutes = (sending: Sending): AnyRoute[] => [
  route({
    ...WRITE,
    kind: "own",
    method: "POST",
    path: "/v1/messages",
    summary: "Send a message",
    description:
      "202 means that the message is committed to disk and survives a crash of any process. With `Prefer: wait=N`, the response waits until the provider has accepted or refused the message. A template can be sent at any time, every other type within 24 hours of the person's last message to the phone number, or with a `fallback`: a template that is sent instead when the window is closed at the time of dispatch.",
    operationId: "messages.send",
    action: "message.create",
    body: SendMessage,
    spell: spellContent,
    check: SEND_CHECK,
    waits: true,
    compiledAtStart: true,
    status: 202,
    response: Message,
    examples: { body: SEND_EXAMPLES, answer: SENT_EXAMPLES },
    errors: [
      "invalid_phone_number",
      "reference_not_found",
      "template_not_found",
      "template_not_approved",
      "template_parameters_mismatch",
      "media_not_found",
      "window_closed",
      "thread_not_owned",
      "recipient_opted_out",
      "sender_unavailable",
      "messaging_limit_reached",
      "queue_full",
    ],
    verb: function sendOneMessage(ctx, input) {
      return sendMessage(sending, ctx, input);
    },
  }),
  route({
    ...WRITE,
    kind: "own",
    method: "POST",
    path: "/v1/messages/batch",
    summary: "Send up to 1,000 messages",
    description:
      "Each message is accepted or refused by itself, as by a request of its own: `data` has the message or the error of each, in the order of the request, and a message that does not fit its schema spoils no other. Messages of the same person keep their order. Repeated with the same `X-Idempotency-Key`, nothing is sent twice: messages that were accepted are returned again, and those that were refused are tried again. A batch counts as one request for the rate limit; a body may have 4 MiB.",
    operationId: "messages.sendBatch",
    action: "message.create",
    body: SendBatch,
    each: "messages",
    spell: spellContents,
    maxBytes: LARGEST_BATCH,
    compiledAtStart: true,
    status: 202,
    response: BatchResult,
    verb: function sendBatchOfMessages(ctx, input) {
      return sendBatch(sending, ctx, input);
    },
  }),
];

const validateRoute = (sending: Sending): AnyRoute =>
  route({
    ...WRITE,
    kind: "own",
    method: "POST",
    path: "/v1/messages/validate",
    summary: "Validate a message",
    description:
      "Says whether a message would be accepted now, and everything that speaks against it, by the rules of sending. Nothing is sent or stored: the person does not become a contact, and an idempotency key is not used. A body that does not fit its schema is 400, as when it is sent.",
    operationId: "messages.validate",
    action: "message.validate",
    body: SendMessage,
    spell: spellContent,
    check: SEND_CHECK,
    status: 200,
    response: Validation,
    examples: { body: SEND_EXAMPLES },
    verb: function validateOneMessage(ctx, input) {
      return validateMessage(sending, ctx, input);
    },
  });

const STORED_ROUTES: AnyRoute[] = [
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/messages",
    searches: true,
    compiledAtStart: true,
    summary: "List messages",
    description:
      "Messages in both directions, newest first. A message must match all given filters. A filter with an unknown id gives an empty list. A page is shorter than `limit`, and may be empty, where few of very many messages match: go on with `next_cursor` until it is null.",
    action: "message.list",
    query: ListMessages,
    status: 200,
    response: listOf(ListedMessage),
    verb: listMessages,
  }),
  route({
    ...READ,
    kind: "read",
    method: "GET",
    path: "/v1/messages/{id}",
    summary: "Get a message with its history",
    description: "The message with every status that was reported for it, in the order in which the reports arrived.",
    action: "message.read",
    params: idParams("msg"),
    status: 200,
    response: MessageWithHistory,
    verb: getMessage,
  }),
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/messages/{id}/cancel",
    summary: "Cancel a message",
    description:
      "A message that is `scheduled` or `queued` becomes `canceled` and is never sent. Returns 409 `conflict` once an attempt to send it has started: its status then says what became of it. Messages of the same person that wait behind it are sent in their order.",
    operationId: "messages.cancel",
    action: "message.cancel",
    params: idParams("msg"),
    status: 200,
    response: MessageWithHistory,
    examples: { answer: CANCELED_EXAMPLES },
    errors: ["conflict"],
    verb: cancelMessage,
    after: hintDeliveries,
  }),
];

const readRoute = (senders: Senders): AnyRoute =>
  route({
    ...WRITE,
    kind: "write",
    method: "POST",
    path: "/v1/messages/{id}/read",
    summary: "Mark an inbound message as read",
    description:
      "The person sees the message, and all that they sent before it, as read; `unread_count` of the conversation starts again behind it. With `typing` they also see that you are writing. Returns 422 `provider_rejected` if the provider refuses, 502 `provider_unavailable` if it cannot be reached: nothing is changed then. Returns 409 `conflict` for a message that you sent, 422 `thread_not_owned` while another responder owns the conversation. Safe to repeat.",
    operationId: "messages.markRead",
    action: "message.mark_read",
    params: idParams("msg"),
    body: MarkRead,
    bodyOptional: true,
    status: 200,
    response: Message,
    examples: { answer: READ_EXAMPLES },
    errors: ["conflict", "thread_not_owned", "sender_unavailable", "provider_rejected", "provider_unavailable"],
    before: (ctx, input) => showRead(ctx, input, senders),
    verb: markMessageRead,
  });
