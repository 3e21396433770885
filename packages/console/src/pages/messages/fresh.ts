import type { ListedMessage, Message } from "@waypost/sdk";
import type { MessageFilters } from "../../api/queries/messages.ts";

/** The newest page of a list: with these filters, and with more behind it or not. */
type Page = { rows: readonly Pick<ListedMessage, "id" | "created_at">[]; isFull: boolean; filters: MessageFilters };

/** How many of the messages that came since would stand on the page, had it been read now. */
export function freshOn({ rows, isFull, filters }: Page, came: Iterable<Message>): number {
  const shown = new Set(rows.map(({ id }) => id));
  const oldest = isFull ? (rows.at(-1)?.created_at ?? "") : "";
  let count = 0;
  for (const message of came)
    if (!shown.has(message.id) && message.created_at >= oldest && fits(message, filters)) count += 1;
  return count;
}

/** What the API's filter of each name lets through, as far as a message says it. */
const FITS: { [Name in keyof MessageFilters]-?: (message: Message, value: string) => boolean } = {
  direction: (message, value) => message.direction === value,
  status: (message, value) => message.status === value,
  type: (message, value) => message.type === value,
  to: (message, value) => message.to === value || (message.direction === "outbound" && message.contact_id === value),
  from: (message, value) => message.from === value || (message.direction === "inbound" && message.contact_id === value),
  contact_id: (message, value) => message.contact_id === value,
  template: (message, value) => message.template?.name === value,
  reference: (message, value) => message.reference === value,
  provider_message_id: (message, value) => message.provider_message_id === value,
  error_code: (message, value) => message.error?.code === value,
  created_after: (message, value) => Date.parse(message.created_at) > Date.parse(value),
  created_before: (message, value) => Date.parse(message.created_at) < Date.parse(value),
  cursor: () => false, // an older page
};

function fits(message: Message, filters: MessageFilters): boolean {
  return Object.entries(filters).every(
    ([name, value]) => value === undefined || FITS[name as keyof MessageFilters](message, value),
  );
}
