import { callWithin } from "../../db/call-within.ts";
import type { Database, Sql } from "../../db/database.ts";
import { each, hotFunction } from "../../db/hot-function.ts";
import type { PageRequest } from "../../http/pagination.ts";
import { LANE_OF_QUARANTINED } from "./ingress.store.ts";

export type QuarantineRow = {
  id: string;
  reason: string;
  detail: string | null;
  provider_phone_number_id: string | null;
  provider_account_id: string | null;
  tries: number;
  replay_at: Date | null;
  created_at: Date;
  replayed_at: Date | null;
};

const COLUMNS =
  "q.id, q.reason, q.detail, q.provider_phone_number_id, q.provider_account_id, q.tries, q.replay_at, q.created_at, q.replayed_at";
const RETURNS =
  "id uuid, reason text, detail text, provider_phone_number_id text, provider_account_id text, tries smallint, replay_at timestamptz, created_at timestamptz, replayed_at timestamptz";

/** As the index of what waits has it: its second half always holds, and keeps look-ups by key from that index. */
const WAITS = "q.replayed_at is null and q.created_at > '-infinity'";

const LIST = hotFunction({
  name: "list_quarantine",
  writes: false,
  returns: RETURNS,
  body: `return query select ${COLUMNS} from json_to_recordset(rows) as p(before uuid, most int, reason text), lateral (
    select * from quarantine q where ${WAITS} and (p.reason is null or q.reason = p.reason) and (p.before is null or q.id < p.before)
    order by q.id desc limit p.most) q;`,
});

/** What waits, newest first. */
export const listQuarantine = (
  sql: Sql,
  reason: string | null,
  { before, fetch }: PageRequest,
  now: number,
): Promise<QuarantineRow[]> => callWithin(sql, LIST, [{ before, most: fetch, reason }], now);

// Into the lane that it came from. All that waits of a callback: the second reading sets aside anew what is still not understood.
const replay = (id: string): string => `
  insert into ingest (slot, lane, callback_id) select (l.lane % 64)::smallint, l.lane, l.callback_id
  from (select q.callback_id, ${LANE_OF_QUARANTINED} as lane from quarantine q where q.id = ${id}) l returning ingest.slot into slot_of;
  update quarantine q set replayed_at = now, replay_at = null
  where q.callback_id = (select o.callback_id from quarantine o where o.id = ${id}) and q.replayed_at is null;`;

const REPLAY_ONE = hotFunction({
  name: "replay_quarantined",
  returns: `outcome text, ${RETURNS}`,
  declare: "r record; slot_of smallint; verdict text;",
  body: `
for r in select q.* from json_to_recordset(rows) as x(id uuid) cross join lateral (select * from quarantine q where q.id = x.id for update) q loop
  verdict := case when r.replayed_at is not null then 'already' when not exists (select from callback c where c.id = r.callback_id) then 'gone' else 'replayed' end;
  if verdict = 'replayed' then${replay("r.id")}
  end if;
  return query select verdict, ${COLUMNS} from quarantine q where q.id = r.id;
end loop;`,
});

export type ReplayedRow = QuarantineRow & { outcome: "replayed" | "already" | "gone" };

/** Null: there is no such row. */
export async function replayOne(sql: Sql, id: string, now: number): Promise<ReplayedRow | null> {
  const [row] = await callWithin<ReplayedRow>(sql, REPLAY_ONE, [{ id }], now);
  return row ?? null;
}

/** `which`: from a row of `x` with what is asked for to rows `q` of quarantine, those that another call has left out; a callback is taken once. */
const replayMany = (name: string, input: string, which: string) =>
  hotFunction({
    name,
    returns: "id uuid, slot smallint",
    declare: "r record; slot_of smallint;",
    body: `
for r in select q.id from json_to_recordset(rows) as x(${input}, most int)
  cross join lateral (select q.id, q.callback_id from quarantine q ${which} limit x.most for update of q skip locked) q order by q.callback_id
loop
  perform from quarantine q where q.id = r.id and q.replayed_at is null;
  if found then${replay("r.id")}
  end if;
  return query select r.id, slot_of;
end loop;`,
  });

const REPLAY_REASON = replayMany(
  "replay_reason",
  "reason text",
  `${each("c", "select from callback c where c.id = q.callback_id")} where q.reason = x.reason and ${WAITS} order by q.id`,
);
const REPLAY_DUE = replayMany("replay_due", "due timestamptz", "where q.replay_at <= x.due order by q.replay_at");

type Replayed = { id: string; slot: number };

/** Puts what waits for a reason back into the queue; how many rows were taken, up to `most`. */
export const replayReason = (sql: Sql, reason: string, most: number, now: number): Promise<Replayed[]> =>
  callWithin(sql, REPLAY_REASON, [{ reason, most }], now);

/** The same for what failed and is due. */
export const replayDue = (db: Database, most: number, now: number): Promise<Replayed[]> =>
  db.call(REPLAY_DUE, [JSON.stringify({ due: new Date(now), most })], now);

export const QUARANTINE_FUNCTIONS = [LIST, REPLAY_ONE, REPLAY_REASON, REPLAY_DUE];
