import type { Sql, SqlValue } from "../../db/database.ts";
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
const COLUMNS = [...OF_MESSAGE.map((column) => `m.${column}`), ...OF_STATE.map((column) => `s.${column}`)]
  .concat("d.state as queue_state")
  .join(", ");
// The queue row by its ticket: the way to queued, sending and scheduled.
const FROM = `from message m join message_state s on s.workspace_id = m.workspace_id and s.id = m.id
  left join dispatch d on s.rank = 0 and d.slot = s.slot and d.seq = s.seq and d.workspace_id = s.workspace_id`;

export async function selectMessageRow(sql: Sql, workspaceId: string, id: string): Promise<StoredMessage | null> {
  const rows = await sql.query<StoredMessage>(`select ${COLUMNS} ${FROM} where m.workspace_id = $1 and m.id = $2`, [
    workspaceId,
    id,
  ]);
  return rows[0] ?? null;
}

export const selectMessageRowsById = (
  sql: Sql,
  workspaceId: string,
  ids: readonly string[],
): Promise<StoredMessage[]> =>
  sql.query<StoredMessage>(`select ${COLUMNS} ${FROM} where m.workspace_id = $1 and m.id = any($2::uuid[])`, [
    workspaceId,
    [...ids],
  ]);

export type HistoryRow = { bit: number; at: Date; received_at: Date; error: MessageState["error"] };

export const selectHistoryRows = (sql: Sql, workspaceId: string, id: string): Promise<HistoryRow[]> =>
  sql.query<HistoryRow>(
    "select bit, at, received_at, error from history where workspace_id = $1 and message_id = $2 order by received_at, bit",
    [workspaceId, id],
  );

/** One end of a message: a person by their records, else a number as the message has it. */
export type Party = { contactIds: readonly string[] } | { number: string };

/** Filters of the list; null: not asked for. Ids are uuids. */
export type MessageFilter = {
  before: string | null;
  outbound: boolean | null;
  /** Of `statusOf`: a rank, or the two that only the queue row holds. */
  rank: number | null;
  unreported: { queueState: number | null; scheduled: boolean } | null;
  received: boolean;
  type: string | null;
  to: Party | null;
  from: Party | null;
  /** Records of one person. */
  contactIds: readonly string[] | null;
  phoneNumberId: string | null;
  template: string | null;
  reference: string | null;
  createdAfter: Date | null;
  createdBefore: Date | null;
};

/** Newest first, `limit` rows. */
export function selectMessageRows(
  sql: Sql,
  workspaceId: string,
  filter: MessageFilter,
  limit: number,
): Promise<StoredMessage[]> {
  const values: SqlValue[] = [workspaceId];
  const where = ["m.workspace_id = $1"];
  const add = (condition: (place: string) => string, value: SqlValue): void => {
    values.push(value);
    where.push(condition(`$${values.length}`));
  };
  if (filter.before !== null) add((p) => `m.id < ${p}::uuid`, filter.before);
  if (filter.outbound !== null) add((p) => `m.outbound = ${p}`, filter.outbound);
  if (filter.type !== null) add((p) => `m.type = ${p}`, filter.type);
  // Every sequence is above 0: said for the index that only this list may use (db/indexes.ts). One id is compared as one, so
  // that the index gives the rows in their order.
  const addRecords = (ids: readonly string[]): void =>
    ids.length === 1
      ? add((p) => `m.contact_id = ${p}::uuid and m.sequence > 0`, ids[0] ?? null)
      : add((p) => `m.contact_id = any(${p}::uuid[]) and m.sequence > 0`, [...ids]);
  const addParty = (party: Party | null, side: "recipient" | "sender"): void => {
    if (party === null) return;
    if ("number" in party) return add((p) => `m.${side} = ${p}`, party.number);
    addRecords(party.contactIds);
    where.push(side === "recipient" ? "m.outbound" : "not m.outbound");
  };
  addParty(filter.to, "recipient");
  addParty(filter.from, "sender");
  if (filter.contactIds !== null) addRecords(filter.contactIds);
  if (filter.phoneNumberId !== null) add((p) => `m.phone_number_id = ${p}`, filter.phoneNumberId);
  if (filter.template !== null) add((p) => `m.type = 'template' and m.content ->> 'name' = ${p}`, filter.template);
  if (filter.reference !== null) add((p) => `m.reference = ${p}`, filter.reference);
  if (filter.createdAfter !== null) add((p) => `m.created_at > ${p}`, filter.createdAfter);
  if (filter.createdBefore !== null) add((p) => `m.created_at < ${p}`, filter.createdBefore);
  if (filter.rank !== null) add((p) => `m.outbound and s.rank = ${p}`, filter.rank);
  if (filter.received) where.push("not m.outbound");
  if (filter.unreported) {
    where.push("m.outbound and s.rank = 0");
    where.push(
      filter.unreported.scheduled ? "m.send_at > m.created_at" : "(m.send_at is null or m.send_at <= m.created_at)",
    );
    if (filter.unreported.queueState !== null) add((p) => `d.state = ${p}`, filter.unreported.queueState);
  }
  values.push(limit);
  return sql.query<StoredMessage>(
    `select ${COLUMNS} ${FROM} where ${where.join(" and ")} order by m.id desc limit $${values.length}`,
    values,
  );
}

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
