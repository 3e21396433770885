import type { Sql } from "../../db/database.ts";
import { columns, each, hotFunction, recordset } from "../../db/hot-function.ts";
import { REPORTED_COLUMNS } from "./message.sql.ts";
import type { MessageRow, MessageState } from "./render.ts";

export type StoredMessage = MessageRow & MessageState;

const OF_MESSAGE: readonly (keyof MessageRow)[] = [
  "id",
  "outbound",
  "phone_number_id",
  "contact_id",
  "recipient",
  "sender",
  "type",
  "content",
  "reply_to",
  "reference",
  "category",
  "fallback",
  "fallback_category",
  "send_at",
  "expires_at",
  "estimated_dispatch_at",
  "sequence",
  "created_at",
];
const OF_STATE: readonly (keyof MessageState)[] = [...REPORTED_COLUMNS, "possible_duplicate", "fallback_used"];
export const MESSAGE_COLUMNS = [
  ...OF_MESSAGE.map((column) => `m.${column}`),
  ...OF_STATE.map((column) => `s.${column}`),
]
  .concat("d.state as queue_state")
  .join(", ");
/** The state of a message `m`, and the queue row by its ticket: the way to queued, sending and scheduled. */
export const STATE_OF_MESSAGE = `join message_state s on s.workspace_id = m.workspace_id and s.id = m.id
  left join dispatch d on s.rank = 0 and d.slot = s.slot and d.seq = s.seq and d.workspace_id = s.workspace_id`;

export async function selectMessageRow(sql: Sql, workspaceId: string, id: string): Promise<StoredMessage | null> {
  const rows = await sql.query<StoredMessage>(
    `select ${MESSAGE_COLUMNS} from message m ${STATE_OF_MESSAGE} where m.workspace_id = $1 and m.id = $2`,
    [workspaceId, id],
  );
  return rows[0] ?? null;
}

export const selectMessageRowsById = (
  sql: Sql,
  workspaceId: string,
  ids: readonly string[],
): Promise<StoredMessage[]> =>
  sql.query<StoredMessage>(
    `select ${MESSAGE_COLUMNS} from message m ${STATE_OF_MESSAGE} where m.workspace_id = $1 and m.id = any($2::uuid[])`,
    [workspaceId, [...ids]],
  );

export type HistoryRow = { bit: number; at: Date; received_at: Date; error: MessageState["error"] };

export const selectHistoryRows = (sql: Sql, workspaceId: string, id: string): Promise<HistoryRow[]> =>
  sql.query<HistoryRow>(
    "select bit, at, received_at, error from history where workspace_id = $1 and message_id = $2 order by received_at, bit",
    [workspaceId, id],
  );

export type IdempotencyKeyRow = { resource_id: string; same: boolean; created_at: Date };

/** A key that was used before, asked when a rule would refuse: the first answer goes before any refusal. */
export async function selectIdempotencyKeyRow(
  sql: Sql,
  workspaceId: string,
  digest: string,
  fingerprint: string,
): Promise<IdempotencyKeyRow | null> {
  const rows = await sql.query<IdempotencyKeyRow>(
    `select resource_id, fingerprint = decode($3, 'hex') as same, created_at from idempotency_key
     where workspace_id = $1 and digest = decode($2, 'hex')`,
    [workspaceId, digest, fingerprint],
  );
  return rows[0] ?? null;
}

/** The number of the latest conversation with a contact. */
export async function selectLatestSenderId(sql: Sql, workspaceId: string, contactId: string): Promise<string | null> {
  const rows = await sql.query<{ phone_number_id: string }>(
    `select v.phone_number_id from conversation v where v.workspace_id = $1 and v.contact_id = $2
     order by v.last_message_at desc limit 1`,
    [workspaceId, contactId],
  );
  return rows[0]?.phone_number_id ?? null;
}

/** Whether a number is one of the workspace's own. */
export async function isOwnNumber(sql: Sql, workspaceId: string, phone: string): Promise<boolean> {
  const rows = await sql.query("select from phone_number n where n.workspace_id = $1 and n.phone = $2", [
    workspaceId,
    phone,
  ]);
  return rows.length > 0;
}

const MESSAGE = columns({ workspace_id: "uuid", id: "uuid" });

/** Which of the waited-for messages have an answer of the provider: one read for all waiters. */
export const readSettled = hotFunction({
  name: "read_settled",
  writes: false,
  input: MESSAGE,
  answers: columns({ id: "uuid", settled: "boolean" }),
  body: `return query select x.id, s.rank > 0 from ${recordset(MESSAGE)}
    ${each("s", "select s.rank from message_state s where s.workspace_id = x.workspace_id and s.id = x.id")};`,
});
