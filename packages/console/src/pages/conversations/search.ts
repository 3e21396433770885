import type { ConversationFilters } from "../../api/queries/conversations.ts";
import { oneOf, searchOf, text } from "../../search.ts";

export const FILTERS = ["open", "unread", "closed"] as const;

export const conversationsSearch = searchOf({ number: text, filter: oneOf(FILTERS), q: text, cursor: text });
export type ConversationsSearch = ReturnType<typeof conversationsSearch>;

/** A person's messages on a number. */
export type Open = { contact: string; number: string };

/** Shorter texts the API does not search for. */
export const SHORTEST_SEARCH = 3;

/** What the API is asked for. */
export function askedOf({ number, filter, q = "", cursor }: ConversationsSearch): ConversationFilters {
  return {
    ...(number === undefined ? {} : { phone_number_id: number }),
    ...(filter === "unread" ? { unread: true } : filter === undefined ? {} : { window: filter }),
    ...(q.length < SHORTEST_SEARCH ? {} : { q }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}
