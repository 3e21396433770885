import type { Sql, SqlValue } from "../../db/database.ts";
import type { OwnerRow } from "../threads/owner.ts";
import { isOfGroup, isOfHistory, isOutsideWindow } from "../threads/thread.sql.ts";
import { UNREAD_AMONG } from "./limits.ts";

/** A conversation: one of the workspace's numbers and a person, by the record that stands for them. */
export type ConversationKey = { contact_id: string; phone_number_id: string };
/** With the id of its latest message. */
export type LatestRow = ConversationKey & { id: string };

/** `in_none`: the message is one of a group, or its contact was erased, and it is in no conversation. */
export type WalkedRow = LatestRow & { in_none: boolean };

/** The conversations of the newest messages below one, a row for each message, newest first. */
export async function selectMessageConversations(
  sql: Sql,
  workspaceId: string,
  { before, numbers, limit }: { before: string | null; numbers: readonly string[] | null; limit: number },
): Promise<WalkedRow[]> {
  const values: SqlValue[] = [workspaceId, limit];
  const where = ["m.workspace_id = $1"];
  if (before !== null) where.push(`m.id < $${values.push(before)}::uuid`);
  if (numbers !== null) where.push(`m.phone_number_id = any($${values.push([...numbers])}::uuid[])`);
  return await sql.query<WalkedRow>(
    `select m.id, coalesce(c.merged_into, m.contact_id) as contact_id, m.phone_number_id,
       m.of_group or c.id is null as in_none
     from (
       select m.id, m.contact_id, m.phone_number_id, ${isOfGroup("m")} as of_group from message m
       where ${where.join(" and ")} order by m.id desc limit $2) m
     left join lateral (
       select c.id, c.merged_into from contact c where c.workspace_id = $1 and c.id = m.contact_id offset 0) c on true
     order by m.id desc`,
    values,
  );
}

/** Conversations with the time of their last message, which is kept to a minute. */
export type ActiveRow = ConversationKey & { last_message_at: Date };

/** By the time of the last message, the latest first: up to a time, or below a row. Reads all conversations of the workspace. */
export async function selectActiveConversations(
  sql: Sql,
  workspaceId: string,
  { below, numbers, limit }: { below: ActiveRow | Date; numbers: readonly string[] | null; limit: number },
): Promise<ActiveRow[]> {
  const values: SqlValue[] = [workspaceId, limit];
  const where = ["v.workspace_id = $1"];
  if (below instanceof Date) where.push(`v.last_message_at <= $${values.push(below)}`);
  else {
    const places = [below.last_message_at, below.contact_id, below.phone_number_id].map(
      (one) => `$${values.push(one)}`,
    );
    where.push(`(v.last_message_at, v.contact_id, v.phone_number_id) < (${places.join(", ")})`);
  }
  if (numbers !== null) where.push(`v.phone_number_id = any($${values.push([...numbers])}::uuid[])`);
  return await sql.query<ActiveRow>(
    `select v.contact_id, v.phone_number_id, v.last_message_at
     from conversation v where ${where.join(" and ")}
     order by v.last_message_at desc, v.contact_id desc, v.phone_number_id desc limit $2`,
    values,
  );
}

export const selectConversationsOfPeople = (
  sql: Sql,
  workspaceId: string,
  contactIds: readonly string[],
  numbers: readonly string[] | null,
): Promise<ConversationKey[]> =>
  sql.query<ConversationKey>(
    `select v.contact_id, v.phone_number_id from unnest($2::uuid[]) p(id)
     cross join lateral (
       select v.contact_id, v.phone_number_id from conversation v
       where v.workspace_id = $1 and v.contact_id = p.id offset 0) v
     where ($3::uuid[] is null or v.phone_number_id = any($3))`,
    [workspaceId, contactIds, numbers],
  );

/** A list `k` of keys in the order of `n`, from $2 and $3. */
const KEYS = "unnest($2::uuid[], $3::uuid[]) with ordinality k(contact_id, phone_number_id, n)";
const valuesOf = (workspaceId: string, keys: readonly ConversationKey[]): SqlValue[] => [
  workspaceId,
  keys.map(({ contact_id }) => contact_id),
  keys.map(({ phone_number_id }) => phone_number_id),
];

/** Every record of the person of `k`: messages keep the one that they were exchanged with. */
const RECORDS = `(
  select k.contact_id as id
  union all
  select c.id from contact c where c.workspace_id = $1 and c.merged_into = k.contact_id)`;

// Every sequence is above 0: said for the index that only these lists may use (db/indexes.ts).
/** The latest message of each of these, in their order; one that has no message any more is left out. */
export const selectLatestRows = (
  sql: Sql,
  workspaceId: string,
  keys: readonly ConversationKey[],
): Promise<LatestRow[]> =>
  sql.query<LatestRow>(
    `select k.contact_id, k.phone_number_id, l.id from ${KEYS}
     cross join lateral (
       select m.id from ${RECORDS} r
       cross join lateral (
         select m.id from message m
         where m.workspace_id = $1 and m.contact_id = r.id and m.sequence > 0 and m.phone_number_id = k.phone_number_id
           and not ${isOfGroup("m")}
         order by m.id desc limit 1) m
       order by m.id desc limit 1) l
     -- A call that began before an erasure may have written a conversation since.
     where exists (select from contact c where c.workspace_id = $1 and c.id = k.contact_id)
     order by k.n`,
    valuesOf(workspaceId, keys),
  );

/** Of the person's messages that were not read: `outbound`, `phone_number_id` and whether it is counted in none, for `k` and `v`. */
const UNREAD_OF = `(
  select m.outbound, m.phone_number_id, ${isOfGroup("m")} or ${isOfHistory("m")} as is_none from message m
  where m.workspace_id = $1 and m.contact_id = r.id and m.sequence > 0
    and m.id > coalesce(v.read_to, '00000000-0000-0000-0000-000000000000'::uuid)
  order by m.id desc limit ${UNREAD_AMONG}) m`;
const IS_UNREAD = "not m.outbound and m.phone_number_id = k.phone_number_id and not m.is_none";

/** Null: whether or not. */
export type Fit = { isOpen: boolean | null; isUnread: boolean | null; now: Date };

/** The ids, of their latest messages, of those conversations that fit. */
export async function selectFittingIds(
  sql: Sql,
  workspaceId: string,
  rows: readonly LatestRow[],
  { isOpen, isUnread, now }: Fit,
): Promise<string[]> {
  const values: SqlValue[] = [...valuesOf(workspaceId, rows), rows.map(({ id }) => id)];
  const where: string[] = [];
  if (isOpen !== null) {
    const isClosed = isOutsideWindow("v.last_inbound_at", `$${values.push(now)}::timestamptz`);
    where.push(isOpen ? `not ${isClosed}` : isClosed);
  }
  if (isUnread !== null) {
    const exists = `exists (select from ${RECORDS} r cross join lateral ${UNREAD_OF} where ${IS_UNREAD})`;
    where.push(isUnread ? exists : `not ${exists}`);
  }
  const found = await sql.query<{ id: string }>(
    `select k.id from unnest($2::uuid[], $3::uuid[], $4::uuid[]) k(contact_id, phone_number_id, id)
     left join lateral (
       select v.last_inbound_at, v.read_to from conversation v
       where v.workspace_id = $1 and v.contact_id = k.contact_id and v.phone_number_id = k.phone_number_id offset 0) v on true
     where ${where.join(" and ") || "true"}`,
    values,
  );
  return found.map(({ id }) => id);
}

/** What a conversation shows beside its latest message, whose id is `id`. */
export type ConversationRow = LatestRow &
  OwnerRow & {
    name: string | null;
    profile_name: string | null;
    phone: string | null;
    unread: number;
  };

export const selectConversationRows = (
  sql: Sql,
  workspaceId: string,
  rows: readonly LatestRow[],
): Promise<ConversationRow[]> =>
  sql.query<ConversationRow>(
    `select k.contact_id, k.phone_number_id, k.id, c.name, c.profile_name, c.phone, v.last_inbound_at, v.owner_role, v.owner_since, u.unread
     from unnest($2::uuid[], $3::uuid[], $4::uuid[]) k(contact_id, phone_number_id, id)
     left join lateral (
       select c.name, c.profile_name, c.phone from contact c
       where c.workspace_id = $1 and c.id = k.contact_id offset 0) c on true
     left join lateral (
       select v.last_inbound_at, v.read_to, v.owner_role, v.owner_since from conversation v
       where v.workspace_id = $1 and v.contact_id = k.contact_id and v.phone_number_id = k.phone_number_id offset 0) v on true
     cross join lateral (
       select (count(*) filter (where ${IS_UNREAD}))::int as unread
       from ${RECORDS} r cross join lateral ${UNREAD_OF}) u`,
    [...valuesOf(workspaceId, rows), rows.map(({ id }) => id)],
  );
