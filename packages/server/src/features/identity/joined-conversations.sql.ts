import { each } from "../../db/hot-function.ts";

/**
 * The look-up `g` of the conversations that are one with a row's own since their contacts were merged: `g.keys`, the row's own among
 * them, null for a conversation by itself. `when` is SQL that is false for most rows; `key` the row's conversation.
 */
export const joinedConversations = (when: string, key: string): string =>
  each("g", `select case when ${when} then joined_conversations(x.workspace_id, ${key}) end as keys`);

/** Whether there are more of them than the lane knew when the row started (`x.joined`): it must learn of them first. */
export const JOINS_MORE = "coalesce(x.joined > 0 and cardinality(g.keys) > x.joined, false)";
