import type { Sql, SqlValue } from "../../db/database.ts";
import { SLOTS, STARTED } from "../../lanes/lane-kinds.ts";
import { uuidFloor } from "../../lib/ids.ts";
import { isErased } from "../identity/erased.sql.ts";
import { REPORTS } from "../threads/status.ts";
import { isOfGroup } from "../threads/thread.sql.ts";
import { MESSAGE_COLUMNS, STATE_OF_MESSAGE, type StoredMessage } from "./read.store.ts";

/** One end of a message: a person by their records, else a number as the message has it. */
export type Party = { contactIds: readonly string[] } | { number: string };

/** Filters of the list; null: not asked for. Ids are uuids. */
export type MessageFilter = {
  before: string | null;
  /** The first id of the part of the list that is looked through. */
  fromId: string | null;
  outbound: boolean | null;
  /** Of `statusOf`: what was reported, or what queue row and clock say while nothing was. */
  reported: keyof typeof REPORTS | null;
  unreported: { status: "scheduled" | "queued" | "sending"; at: Date } | null;
  received: boolean;
  type: string | null;
  to: Party | null;
  from: Party | null;
  /** Records of one person. */
  contactIds: readonly string[] | null;
  /** Of these numbers. */
  phoneNumberIds: readonly string[] | null;
  /** Without messages of groups. */
  betweenTwo: boolean;
  template: string | null;
  reference: string | null;
  /** One that the provider gave the message, be it the first or that of a second copy. */
  providerMessageId: string | null;
  errorCode: string | null;
  createdAfter: Date | null;
  createdBefore: Date | null;
};

/** Reports that few messages have: these are found by an index of their own (db/indexes.ts). */
const RARE = ["unknown", "failed", "canceled", "expired"] as const;
type Rare = (typeof RARE)[number];
const isRare = (report: MessageFilter["reported"]): report is Rare => (RARE as readonly unknown[]).includes(report);
const RARE_BITS = RARE.map((report) => REPORTS[report].bit).join(", ");

/** A message gets its id and its `created_at` from one clock, within the seconds that a call may take. */
export const ID_SLACK_MS = 60_000;

/** True where an index finds the messages that the filter lets through. Others are looked for among all of the workspace. */
export const isIndexed = (filter: MessageFilter): boolean =>
  filter.contactIds !== null ||
  filter.reference !== null ||
  filter.providerMessageId !== null ||
  filter.errorCode !== null ||
  filter.unreported !== null ||
  isRare(filter.reported) ||
  [filter.to, filter.from].some((party) => party !== null && "contactIds" in party);

/** True where some messages do not pass. */
export const isFiltered = ({ before: _before, fromId: _fromId, ...filters }: MessageFilter): boolean =>
  Object.values(filters).some((value) => value !== null && value !== false);

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
    where.push(condition(`$${values.push(value)}`));
  };
  // Of what is not returned of an erased person's messages: it must not be found by either.
  const addHidden: typeof add = (condition, value) => {
    add(condition, value);
    where.push(`not ${isErased("m.workspace_id", "m.contact_id")}`);
  };
  const from = sourceOf(filter, (value) => `$${values.push(value)}`);
  if (filter.before !== null) add((p) => `m.id < ${p}::uuid`, filter.before);
  if (filter.fromId !== null) add((p) => `m.id >= ${p}::uuid`, filter.fromId);
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
    if ("number" in party) return addHidden((p) => `m.${side} = ${p}`, party.number);
    addRecords(party.contactIds);
    where.push(side === "recipient" ? "m.outbound" : "not m.outbound");
  };
  addParty(filter.to, "recipient");
  addParty(filter.from, "sender");
  if (filter.contactIds !== null) addRecords(filter.contactIds);
  if (filter.phoneNumberIds !== null) add((p) => `m.phone_number_id = any(${p}::uuid[])`, [...filter.phoneNumberIds]);
  if (filter.betweenTwo) where.push(`not ${isOfGroup("m")}`);
  // A fallback counts while it is what was sent.
  if (filter.template !== null)
    addHidden(
      (p) => `(m.type = 'template' and m.content ->> 'name' = ${p}
        or m.fallback ->> 'name' = ${p} and s.fallback_used)`,
      filter.template,
    );
  if (filter.reference !== null) addHidden((p) => `m.reference = ${p}`, filter.reference);
  // `sourceOf` has found it.
  if (filter.providerMessageId !== null) where.push(`not ${isErased("m.workspace_id", "m.contact_id")}`);
  if (filter.createdAfter !== null) {
    add((p) => `m.created_at > ${p}`, filter.createdAfter);
    add((p) => `m.id >= ${p}::uuid`, uuidFloor(filter.createdAfter.getTime() - ID_SLACK_MS));
  }
  if (filter.createdBefore !== null) {
    add((p) => `m.created_at < ${p}`, filter.createdBefore);
    add((p) => `m.id < ${p}::uuid`, uuidFloor(filter.createdBefore.getTime() + ID_SLACK_MS));
  }
  if (filter.reported !== null) add((p) => `m.outbound and s.rank = ${p}`, REPORTS[filter.reported].rank);
  if (filter.received) where.push("not m.outbound");
  if (filter.unreported !== null) {
    const { status, at } = filter.unreported;
    where.push("m.outbound and s.rank = 0");
    if (status === "sending") where.push(`d.state = ${STARTED}`);
    else {
      const scheduled = `coalesce(m.send_at > $${values.push(at)}, false)`;
      where.push(`d.state is distinct from ${STARTED} and ${status === "scheduled" ? scheduled : `not ${scheduled}`}`);
    }
  }
  values.push(limit);
  return sql.query<StoredMessage>(
    `select ${MESSAGE_COLUMNS} ${from} ${STATE_OF_MESSAGE}
     where ${where.join(" and ")} order by m.id desc limit $${values.length}`,
    values,
  );
}

/**
 * Where the messages `m` come from: all, the one of an id of the provider, those that have an error or a rare report, or those that wait in
 * the queues of the workspace's numbers.
 */
function sourceOf(
  { before, reported, unreported, providerMessageId, errorCode }: MessageFilter,
  place: (value: SqlValue) => string,
): string {
  if (providerMessageId !== null)
    return `from (
        select k.message_id from provider_message k
        where k.workspace_id = $1 and k.provider_message_id = ${place(providerMessageId)} offset 0) k
      join message m on m.workspace_id = $1 and m.id = k.message_id`;
  const below = (id: string): string => (before === null ? "" : `and ${id} < ${place(before)}::uuid`);
  if (errorCode !== null)
    return `from (
        select f.id from message_state f
        where f.workspace_id = $1 and f.error is not null and f.error ->> 'code' = ${place(errorCode)} ${below("f.id")}
        order by f.id desc) f
      join message m on m.workspace_id = $1 and m.id = f.id`;
  if (isRare(reported)) {
    return `from (
        select h.message_id from history h
        where h.workspace_id = $1 and h.bit in (${RARE_BITS}) and h.bit = ${REPORTS[reported].bit} ${below("h.message_id")}
        order by h.message_id desc) h
      join message m on m.workspace_id = $1 and m.id = h.message_id`;
  }
  if (unreported !== null)
    return `from (
        select q.message_id from phone_number n
        cross join lateral (
          select d.message_id from dispatch d
          where d.slot::int = n.lane % ${SLOTS} and d.lane = n.lane and d.workspace_id = $1 offset 0) q
        where n.workspace_id = $1) q
      join message m on m.workspace_id = $1 and m.id = q.message_id`;
  return "from message m";
}

/** The id of the last of the next `count` messages below one; null when there are fewer. */
export async function selectIdBelow(
  sql: Sql,
  workspaceId: string,
  before: string | null,
  count: number,
): Promise<string | null> {
  const [row] = await sql.query<{ id: string }>(
    `select m.id from message m where m.workspace_id = $1 ${before === null ? "" : "and m.id < $3::uuid"}
     order by m.id desc offset $2 limit 1`,
    [workspaceId, count - 1, ...(before === null ? [] : [before])],
  );
  return row?.id ?? null;
}
