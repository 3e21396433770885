import { type Group, ID, lists, type Option, shows } from "./command.ts";

const MESSAGE = ID("msg_", "the message");
const STATUSES = [
  "scheduled",
  "queued",
  "sending",
  "accepted",
  "sent",
  "delivered",
  "read",
  "failed",
  "canceled",
  "expired",
  "unknown",
  "received",
];

export const CREATED: readonly Option[] = [
  { name: "created_after", does: "later than this", kind: "time" },
  { name: "created_before", does: "earlier than this", kind: "time" },
];

export const group: Group = {
  name: "messages",
  does: "messages in both directions",
  commands: [
    lists({
      name: "list",
      does: "list messages, the newest first",
      key: "workspace",
      operation: "messages.list",
      example: "messages list --status failed --created-after 2030-01-31T00:00:00Z",
      options: [
        { name: "direction", does: "one of", choices: ["outbound", "inbound"] },
        { name: "status", does: "one of", choices: STATUSES },
        { name: "type", does: "such as template, text or image" },
        { name: "to", does: "recipient, as it was given to `send`" },
        { name: "from", does: "sender" },
        { name: "contact_id", does: "con_…, in both directions" },
        { name: "template", does: "name of a template" },
        { name: "reference", does: "yours" },
        { name: "provider_message_id", does: "wamid.…" },
        { name: "error_code", does: "of a failed message, such as recipient_unreachable" },
        ...CREATED,
      ],
      columns: ["id", "direction", "status", "type", "to", "from", "created_at", "error.code", "preview"],
      rows: async function* ({ workspace }, query) {
        yield* (await workspace()).messages.list(query);
      },
    }),
    shows({
      name: "show",
      does: "show a message with its history",
      key: "workspace",
      operation: "messages.get",
      example: "messages show msg_01jd0000000000000000000000",
      argument: MESSAGE,
      one: async ({ workspace, argument }) => (await workspace()).messages.get(argument),
    }),
    {
      name: "history",
      does: "print each status that was reported of a message, in the order of arrival",
      key: "workspace",
      operation: "messages.get",
      example: "messages history msg_01jd0000000000000000000000",
      argument: MESSAGE,
      run: async ({ workspace, argument }) => {
        const { history } = await (await workspace()).messages.get(argument);
        return {
          rows: history,
          columns: ["status", "at", "received_at", "error.code", "error.detail"],
          most: Number.POSITIVE_INFINITY,
        };
      },
    },
    shows({
      name: "cancel",
      does: "cancel a message that is scheduled or queued",
      key: "workspace",
      operation: "messages.cancel",
      example: "messages cancel msg_01jd0000000000000000000000",
      argument: MESSAGE,
      one: async ({ workspace, argument }) => (await workspace()).messages.cancel(argument),
    }),
  ],
};
