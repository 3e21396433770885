/** A type of message that only the provider reports: what its content shows, and the field that names another message, as of `MessageType`. */
type ReportedType = { shown: string; target?: string };

const ORIGINAL = "that has the provider's id where the message is not known here";

/** Types that cannot be sent, with their content as the provider reports it (Cloud API documentation, webhooks: inbound messages). */
export const REPORTED_TYPES: ReadonlyMap<string, ReportedType> = new Map<string, ReportedType>([
  ["button", { shown: "For a button of a template that was pressed: its `payload` and `text`." }],
  ["order", { shown: "For an order: `catalog_id`, `text` and `product_items`." }],
  ["system", { shown: "For a notice of the provider, such as a changed number: its `body` and `type`." }],
  [
    "edit",
    {
      shown: `For a change of an earlier message: its \`original_message_id\`, ${ORIGINAL}, and the new \`message\`.`,
      target: "original_message_id",
    },
  ],
  [
    "revoke",
    {
      shown: `For a message that was taken back: its \`original_message_id\`, ${ORIGINAL}.`,
      target: "original_message_id",
    },
  ],
  ["request_welcome", { shown: "Empty: the person has opened the chat for the first time." }],
  ["unsupported", { shown: "For a type that is not known here: the message as the provider reported it." }],
]);
