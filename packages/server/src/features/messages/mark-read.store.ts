import type { Sql } from "../../db/database.ts";
import { survivorOf } from "../identity/identifiers.sql.ts";
import { isOthers } from "../threads/owner.sql.ts";
import { isOfGroup } from "../threads/thread.sql.ts";

/** A message as marking it read needs it. `read`: it, or a later one of its conversation, was marked before. */
export type ReadableRow = {
  outbound: boolean;
  phone_number_id: string;
  provider_message_id: string | null;
  /** Of the number that received it. */
  lane: number;
  read: boolean;
  /** Another responder owns its conversation. */
  is_others: boolean;
};

// `x`, because `survivorOf` has an `m` of its own.
export async function selectReadableRow(
  sql: Sql,
  workspaceId: string,
  id: string,
  now: number,
): Promise<ReadableRow | null> {
  const rows = await sql.query<ReadableRow>(
    `select x.outbound, x.phone_number_id, s.provider_message_id, n.lane, coalesce(v.read_to >= x.id, false) as read, ${isOthers("v", "$3::timestamptz")} as is_others
     from message x
     join message_state s on s.workspace_id = x.workspace_id and s.id = x.id
     join phone_number n on n.workspace_id = x.workspace_id and n.id = x.phone_number_id
     left join conversation v on not ${isOfGroup("x")}
       and v.workspace_id = x.workspace_id and v.phone_number_id = x.phone_number_id and v.contact_id = ${survivorOf("x.workspace_id", "x.contact_id")}
     where x.workspace_id = $1 and x.id = $2`,
    [workspaceId, id, new Date(now)],
  );
  return rows[0] ?? null;
}

/**
 * A conversation is read up to this message; never less far than before. Rows changed: 0 where a merge has just moved it, and of a
 * message of a group, which is in none.
 */
export const updateConversationRowRead = (sql: Sql, workspaceId: string, id: string): Promise<number> =>
  sql.run(
    `update conversation v set read_to = greatest(v.read_to, x.id)
     from message x
     where x.workspace_id = $1 and x.id = $2 and not ${isOfGroup("x")} and v.workspace_id = x.workspace_id and v.phone_number_id = x.phone_number_id
       and v.contact_id = ${survivorOf("x.workspace_id", "x.contact_id")}`,
    [workspaceId, id],
  );
