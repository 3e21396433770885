import type { Sql } from "../../../db/database.ts";
import { DAY_MS } from "../../../lib/duration.ts";
import { timeOfUuid, uuidFloor } from "../../../lib/ids.ts";
import { Conditions, ID_DRIFT_MS } from "../../audit/conditions.ts";
import { isErased } from "../../identity/erased.sql.ts";
import { isOfGroup } from "../../threads/thread.sql.ts";
import type { MessageError } from "../message-error.ts";

/** Null: not filtered. Ids are uuids; times in milliseconds, `from` inclusive, `to` exclusive. */
export type LogFilter = {
  messageId: string | null;
  /** Records of the person whom messages are to. */
  recipients: readonly string[] | null;
  from: number | null;
  to: number | null;
};

/**
 * A step of a message's life: `bit` of what was reported of it (threads/status.ts), or the number of an `attempt` that was refused and is
 * followed by another one, or neither: it came to be.
 */
export type LogRow = {
  id: string;
  at: Date;
  message_id: string;
  bit: number | null;
  attempt: number | null;
  /** Of what came to be; null of a report. */
  outbound: boolean | null;
  type: string | null;
  contact_id: string | null;
  phone_number_id: string | null;
  send_at: Date | null;
  origin: string | null;
  /** The provider's time, of what it has reported. */
  occurred_at: Date | null;
  error: MessageError | null;
};

/** From the id of a message to the last report of it: 30 days until a scheduled one is sent, and 30 until it is read. */
const LONGEST_LIFE_MS = 61 * DAY_MS;

/** Newest first, below the entry `before`, `limit` rows. */
export async function selectLogRows(
  sql: Sql,
  workspaceId: string,
  filter: LogFilter,
  { before, limit }: { before: string | null; limit: number },
): Promise<LogRow[]> {
  const of = new Conditions(workspaceId);
  const to = before === null ? filter.to : Math.min(filter.to ?? Number.POSITIVE_INFINITY, timeOfUuid(before) + 1);
  const since = filter.recipients === null ? null : await selectFirst(sql, workspaceId, filter, { to, limit });
  const bounds = { ...filter, to, until: filter.to, before, since };
  const count = of.place(limit);
  return await sql.query<LogRow>(
    `(${created(of, bounds)} order by m.id desc limit ${count})
     union all
     (${reported(of, bounds)} limit ${count})
     union all
     (${refused(of, bounds)} limit ${count})
     order by id desc limit ${count}`,
    of.values,
  );
}

/** `to` is also a bound of the place `before`. */
type Bounds = LogFilter & {
  until: number | null;
  before: string | null;
  /** Of a person: no entry of a message with an id below this one can be on the page. */
  since: string | null;
};

function created(of: Conditions, bounds: Bounds): string {
  const where = [...messagesOf(of, bounds)];
  if (bounds.before !== null) where.push(`m.id < ${of.place(bounds.before)}::uuid`);
  if (bounds.from !== null) where.push(`m.created_at >= ${of.place(new Date(bounds.from))}`);
  if (bounds.from !== null) where.push(`m.id >= ${of.place(uuidFloor(bounds.from))}::uuid`);
  if (bounds.until !== null) where.push(`m.created_at < ${of.place(new Date(bounds.until))}`);
  return `select m.id, m.created_at as at, m.id as message_id, null::int as bit, null::int as attempt, m.outbound, m.type, m.contact_id,
       m.phone_number_id, m.send_at, m.provided ->> 'origin' as origin, m.occurred_at, null::json as error
     from message m where ${where.join(" and ")}`;
}

/** Of these messages those whose person was erased. */
export async function selectErasedIds(sql: Sql, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select m.id from message m
     where m.workspace_id = $1 and m.id = any($2::uuid[]) and ${isErased("m.workspace_id", "m.contact_id")}`,
    [workspaceId, [...new Set(ids)]],
  );
  return rows.map(({ id }) => id);
}

/** Of these messages those of some numbers. */
export async function selectIdsOfNumbers(
  sql: Sql,
  workspaceId: string,
  ids: readonly string[],
  numbers: readonly string[],
): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select m.id from message m
     where m.workspace_id = $1 and m.id = any($2::uuid[]) and m.phone_number_id = any($3::uuid[])`,
    [workspaceId, [...new Set(ids)], [...numbers]],
  );
  return rows.map(({ id }) => id);
}

/** Rows `h` of a table as entries of the log; SQL. */
type Entries = {
  table: string;
  /** When it was written. */
  time: string;
  /** The number that, with time and message, is its id (`history_entry_id`). */
  number: string;
  bit: string;
  attempt: string;
  occurredAt: string;
  only: readonly string[];
};

const reported = (of: Conditions, bounds: Bounds): string =>
  entries(of, bounds, {
    table: "history",
    time: "h.received_at",
    number: "h.bit",
    bit: "h.bit",
    attempt: "null::int",
    occurredAt: "h.at",
    only: [],
  });

/** Attempts that another one follows: what became of the last one is reported. */
const refused = (of: Conditions, bounds: Bounds): string =>
  entries(of, bounds, {
    table: "attempt",
    time: "h.completed_at",
    // Bits are above 0.
    number: "-h.attempt::int",
    bit: "null::int",
    attempt: "h.attempt::int",
    occurredAt: "h.completed_at",
    only: ["h.outcome = 'retry'", "h.error is not null"],
  });

function entries(of: Conditions, bounds: Bounds, { table, time, number, only, ...row }: Entries): string {
  const entry = `history_entry_id(${time}, h.message_id, ${number})`;
  const where = ["h.workspace_id = $1", ...only];
  if (bounds.messageId !== null) where.push(`h.message_id = ${of.place(bounds.messageId)}::uuid`);
  if (bounds.before !== null) where.push(`${entry} < ${of.place(bounds.before)}::uuid`);
  if (bounds.from !== null) where.push(`${time} >= ${of.place(new Date(bounds.from))}`);
  if (bounds.to !== null) {
    where.push(`${time} < ${of.place(new Date(bounds.to))}`);
    // Partitions of later messages are left out.
    where.push(`h.message_id < ${of.place(uuidFloor(bounds.to + ID_DRIFT_MS))}::uuid`);
  }
  const columns = `${entry} as id, ${time} as at, h.message_id, ${row.bit} as bit, ${row.attempt} as attempt,
       null::boolean as outbound, null as type, null::uuid as contact_id, null::uuid as phone_number_id,
       null::timestamptz as send_at, null as origin, ${row.occurredAt} as occurred_at, h.error`;
  if (bounds.recipients !== null)
    return `select h.* from message m
     cross join lateral (
       select ${columns} from ${table} h where ${where.join(" and ")} and h.message_id = m.id offset 0) h
     where ${[...messagesOf(of, bounds)].join(" and ")} order by h.id desc`;
  // It always holds: it is said for the index that only this log may use (db/indexes.ts).
  if (bounds.messageId === null) where.push(`${time} > '-infinity'`);
  return `select ${columns} from ${table} h where ${where.join(" and ")}
     order by ${bounds.messageId === null ? `${time} desc, ` : ""}${entry} desc`;
}

/** Of which messages the log is. */
function* messagesOf(of: Conditions, { messageId, recipients, to, since }: Bounds): Generator<string> {
  yield "m.workspace_id = $1";
  if (messageId !== null) yield `m.id = ${of.place(messageId)}::uuid`;
  if (to !== null) yield `m.id < ${of.place(uuidFloor(to + ID_DRIFT_MS))}::uuid`;
  if (recipients === null) return;
  yield* toPerson(of, recipients);
  if (since !== null) yield `m.id >= ${of.place(since)}::uuid`;
}

/** Every sequence is above 0: said for the index that only these may use (db/indexes.ts). */
function* toPerson(of: Conditions, recipients: readonly string[]): Generator<string> {
  yield recipients.length === 1
    ? `m.contact_id = ${of.place(recipients[0] ?? null)}::uuid`
    : `m.contact_id = any(${of.place([...recipients])}::uuid[])`;
  yield `m.sequence > 0 and m.outbound and not ${isOfGroup("m")}`;
}

/**
 * Each message has an entry when it came to be, so a page ends no earlier than with that of the last of so many messages; null: there
 * are not as many. What is reported later than it, is of messages that are not older than a message's life.
 */
async function selectFirst(
  sql: Sql,
  workspaceId: string,
  { recipients }: LogFilter,
  { to, limit }: { to: number | null; limit: number },
): Promise<string | null> {
  const of = new Conditions(workspaceId);
  const where = ["m.workspace_id = $1", ...toPerson(of, recipients ?? [])];
  if (to !== null) where.push(`m.id < ${of.place(uuidFloor(to - 1))}::uuid`);
  const [row] = await sql.query<{ id: string }>(
    `select m.id from message m where ${where.join(" and ")} order by m.id desc offset ${of.place(limit - 1)} limit 1`,
    of.values,
  );
  return row === undefined ? null : uuidFloor(Math.max(0, timeOfUuid(row.id) - LONGEST_LIFE_MS - ID_DRIFT_MS));
}

export type LogActorRow = { id: string; actor_type: string; actor_id: string | null; actor_name: string | null };

/** Who sent messages: the row of the call that accepted one has its id. Without those whose row is no longer kept. */
export const selectSenderRows = (sql: Sql, workspaceId: string, ids: readonly string[]): Promise<LogActorRow[]> =>
  sql.query<LogActorRow>(
    "select a.id, a.actor_type, a.actor_id, a.actor_name from audit a where a.workspace_id = $1 and a.id = any($2::uuid[])",
    [workspaceId, [...ids]],
  );

/** Ids of audit rows begin with their time: the row of a cancellation is among those of its millisecond. */
const CANCEL_WITHIN_MS = 2;

/** Who canceled messages, by the log's own entries; without those that were canceled because their contact was erased. */
export const selectCancelerRows = (
  sql: Sql,
  workspaceId: string,
  entries: readonly { id: string; at: Date; resource: string }[],
): Promise<LogActorRow[]> =>
  sql.query<LogActorRow>(
    `select e.id, a.actor_type, a.actor_id, a.actor_name
     from unnest($2::uuid[], $3::text[], $4::uuid[], $5::uuid[]) e(id, resource, first, last)
     cross join lateral (
       select a.* from audit a
       where a.workspace_id = $1 and a.id >= e.first and a.id < e.last and a.action = 'message.cancel'
         and a.resource_id = e.resource
       limit 1) a`,
    [
      workspaceId,
      entries.map(({ id }) => id),
      entries.map(({ resource }) => resource),
      entries.map(({ at }) => uuidFloor(at.getTime())),
      entries.map(({ at }) => uuidFloor(at.getTime() + CANCEL_WITHIN_MS)),
    ],
  );
