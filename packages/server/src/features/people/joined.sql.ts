import { lookUp } from "../../db/hot-function.ts";

/**
 * Look-ups of the conversations that are one with a row's own since their contacts were merged: `g.keys`, the row's own among
 * them, null for a conversation by itself. `when` is SQL that is false for most rows; `key` the row's conversation.
 */
export const joinedConversations = (when: string, key: string): string =>
  [
    lookUp(
      "j",
      `
      select j.joined from joined_conversation j
      where ${when} and j.workspace_id = x.workspace_id and j.conversation = ${key}`,
    ),
    lookUp(
      "g",
      `
      select array_agg(k.conversation order by k.conversation) as keys from joined_conversation k
      where j.joined is not null and k.workspace_id = x.workspace_id and k.joined = j.joined and k.at > '-infinity'`,
    ),
  ].join("\n    ");

/** Whether there are more of them than the lane knew when the row started (`x.joined`): it must learn of them first. */
export const JOINS_MORE = "coalesce(x.joined > 0 and cardinality(g.keys) > x.joined, false)";
