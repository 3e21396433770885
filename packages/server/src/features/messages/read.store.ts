import type { Sql } from "../../db/database.ts";
import { columns, each, hotFunction, of, recordset } from "../../db/hot-function.ts";
import { READY } from "../../lanes/lane-kinds.ts";
import { isErased } from "../identity/erased.sql.ts";
import { isOfGroup } from "../threads/thread.sql.ts";
import { type MessageRow, READ_COLUMNS } from "./column-lists.ts";
import type { MessageError } from "./message-error.ts";
import { ENDED, PUBLIC_ID } from "./public-id.store.ts";
import type { MessageState } from "./render.ts";
import { REPORTED_COLUMNS } from "./report.sql.ts";
import type { Retrying } from "./retry-fields.ts";
import { REPORTED_TARGETS } from "./types.ts";

export type StoredMessage = MessageRow &
  MessageState &
  Retrying & {
    /** Of the template that was sent, or that is the fallback. */
    template_id: string | null;
  };

const OF_STATE: readonly (keyof MessageState)[] = [...REPORTED_COLUMNS, "possible_duplicate", "fallback_used"];
/**
 * What a person's message names may come after it: looked up where it was not there yet. Only messages of people have the
 * provider's time.
 */
const NAMED = `case when m.reply_to is null and m.occurred_at is not null then message_of_provider_id(m.workspace_id, case m.type
    ${[...REPORTED_TARGETS].map(([type, target]) => `when '${type}' then m.content->>'${target}'`).join(" ")}
    else m.provided->'context'->>'id' end)
  else m.reply_to end as reply_to`;
/** The last refusal of a message that waits for its next attempt, or has begun it: looked up for these alone. */
const RETRY = `case when d.attempt > 0 and d.state = ${READY} and d.due > '-infinity' then d.due end as next_attempt_at,
  case when d.attempt > 0 then (
    select a.error from attempt a
    where a.workspace_id = m.workspace_id and a.message_id = m.id and a.outcome = 'retry' and a.error is not null
    order by a.attempt desc limit 1) end as last_error`;
export const MESSAGE_COLUMNS = [
  ...READ_COLUMNS.map((column) => (column === "reply_to" ? NAMED : `m.${column}`)),
  ...OF_STATE.map((column) => `s.${column}`),
  `${isErased("m.workspace_id", "m.contact_id")} as is_erased`,
]
  .concat("m.template_id", "d.state as queue_state", RETRY)
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

/** `bit` is null for an attempt that the provider refused and that is tried again. */
export type HistoryRow = {
  bit: number | null;
  at: Date;
  received_at: Date;
  error: MessageState["error"];
  /** As the provider gave it with a status. */
  conversation: unknown;
};

/** Refused attempts of one message that are shown, the latest: a throttled one may have some ninety. */
const MOST_REFUSED = 20;

export const selectHistoryRows = (sql: Sql, workspaceId: string, id: string): Promise<HistoryRow[]> =>
  sql.query<HistoryRow>(
    `select bit, at, received_at, error, conversation from history where workspace_id = $1 and message_id = $2
     union all (
       select null, completed_at, completed_at, error, null from attempt
       where workspace_id = $1 and message_id = $2 and outcome = 'retry' and error is not null
       order by attempt desc limit ${MOST_REFUSED})
     order by received_at, bit nulls first`,
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

/** The time of a conversation's last message is kept to this when it was sent, and exactly when it came in (accept.store.ts). */
const KEPT_EVERY_MS = 60_000;

/** The number of the latest conversation with a contact. */
export async function selectLatestSenderId(sql: Sql, workspaceId: string, contactId: string): Promise<string | null> {
  const [first, second] = await sql.query<{ phone_number_id: string; last_message_at: Date }>(
    `select v.phone_number_id, v.last_message_at from conversation v where v.workspace_id = $1 and v.contact_id = $2
     order by v.last_message_at desc limit 2`,
    [workspaceId, contactId],
  );
  if (first === undefined) return null;
  const ahead = second === undefined ? Infinity : first.last_message_at.getTime() - second.last_message_at.getTime();
  // Rarely so close that a message which the second one has not kept may be the latest: then the messages themselves say it.
  const exact = ahead > KEPT_EVERY_MS ? null : await selectLatestMessageSenderId(sql, workspaceId, contactId);
  return exact ?? first.phone_number_id;
}

/** The number of the latest message of a person, by any of their records; null when all have been removed. */
async function selectLatestMessageSenderId(sql: Sql, workspaceId: string, contactId: string): Promise<string | null> {
  const rows = await sql.query<{ phone_number_id: string }>(
    // Every sequence is above 0: said for the index that only these may use (db/indexes.ts).
    `select m.phone_number_id from (
       select $2::uuid as id
       union all
       select c.id from contact c where c.workspace_id = $1 and c.merged_into = $2) r
     cross join lateral (
       select m.id, m.phone_number_id from message m
       where m.workspace_id = $1 and m.contact_id = r.id and m.sequence > 0 and not ${isOfGroup("m")}
       order by m.id desc limit 1) m
     order by m.id desc limit 1`,
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

/** What is known of the messages that callers wait for: one read for all waiters. */
export const readSettled = hotFunction({
  name: "read_settled",
  writes: false,
  input: MESSAGE,
  answers: columns({
    id: "uuid",
    /** The provider has accepted or refused it, or its answer was lost. */
    settled: "boolean",
    public_id: "text?",
    /** Of one that has ended without an id of the provider. */
    ended: "boolean",
    error: of<MessageError | null>("json?"),
  }),
  body: `return query select x.id, s.rank > 0, ${PUBLIC_ID("s")}, ${ENDED("s")}, case when ${ENDED("s")} then s.error end
    from ${recordset(MESSAGE)}
    ${each(
      "s",
      `select s.rank, s.seen, s.provider_message_id, s.minted_id, s.error from message_state s
      where s.workspace_id = x.workspace_id and s.id = x.id`,
    )};`,
});
