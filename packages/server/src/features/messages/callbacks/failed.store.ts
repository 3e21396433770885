import type { Sql } from "../../../db/database.ts";

/** `type` and `content` are those of what was sent: the message, or its fallback. */
export type FailedMessage = {
  id: string;
  type: string;
  content: unknown;
  /** Of the message and its fallback. */
  media: string[] | null;
  business_account_id: string;
};

/** The message that the provider calls so, with the account of its number; null when it is not known, or gone. */
export async function selectFailedMessage(
  sql: Sql,
  workspaceId: string,
  phoneNumberId: string,
  providerMessageId: string,
): Promise<FailedMessage | null> {
  const rows = await sql.query<FailedMessage>(
    `select m.id, m.media, case when s.fallback_used then 'template' else m.type end as type,
       case when s.fallback_used then m.fallback else m.content end as content, n.business_account_id
     from provider_message k
     join message m on m.workspace_id = k.workspace_id and m.id = k.message_id
     join message_state s on s.workspace_id = k.workspace_id and s.id = k.message_id
     join phone_number n on n.workspace_id = k.workspace_id and n.id = $2
     where k.workspace_id = $1 and k.provider_message_id = $3`,
    [workspaceId, phoneNumberId, providerMessageId],
  );
  return rows[0] ?? null;
}
