import { callWithin } from "../../db/call-within.ts";
import type { Database, Sql } from "../../db/database.ts";
import { type AnswerOf, columns, each, hotFunction, lookUp, of, recordset } from "../../db/hot-function.ts";
import type { Question } from "../../db/question.ts";
import type { PageRequest } from "../../http/pagination.ts";
import { slotOfLane } from "../../lanes/lane-kinds.ts";
import { LANE_OF_QUARANTINED } from "./ingress.store.ts";

const QUARANTINED = columns({
  id: "uuid",
  reason: "text",
  detail: "text?",
  provider_phone_number_id: "text?",
  provider_account_id: "text?",
  tries: "smallint",
  replay_at: "timestamptz?",
  created_at: "timestamptz",
  replayed_at: "timestamptz?",
});
export type QuarantineRow = AnswerOf<typeof QUARANTINED>;

const COLUMNS = Object.keys(QUARANTINED)
  .map((column) => `q.${column}`)
  .join(", ");

/** As the index of what waits has it: its second half always holds, and keeps look-ups by key from that index. */
const WAITS = "q.replayed_at is null and q.created_at > '-infinity'";

const PAGE = columns({ before: "uuid?", most: "int", reason: "text?" });
export const listQuarantine = hotFunction({
  name: "list_quarantine",
  writes: false,
  input: PAGE,
  answers: QUARANTINED,
  body: `return query select ${COLUMNS} from ${recordset(PAGE, "p")}, lateral (
    select * from quarantine q
    where ${WAITS} and (p.reason is null or q.reason = p.reason) and (p.before is null or q.id < p.before)
    order by q.id desc limit p.most) q;`,
});

/** What waits, newest first. */
export const selectQuarantineRows = (
  sql: Sql,
  reason: string | null,
  { before, fetch }: PageRequest,
  now: number,
): Promise<QuarantineRow[]> => callWithin(sql, listQuarantine, [{ before, most: fetch, reason }], now);

const ID = columns({ id: "uuid" });
const WITH_CALLBACK = columns({
  ...QUARANTINED,
  /** What is not understood; null for any other reason. */
  change: "json?",
  received_at: "timestamptz?",
  /** Null: the raw callback is no longer kept. */
  body: "bytea?",
});
export type QuarantinedWithCallback = AnswerOf<typeof WITH_CALLBACK>;

export const getQuarantined = hotFunction({
  name: "get_quarantined",
  writes: false,
  input: ID,
  answers: WITH_CALLBACK,
  body: `return query select ${COLUMNS}, q.change, c.received_at, c.body from ${recordset(ID)}
    ${each("q", "select q.* from quarantine q where q.id = x.id")}
    ${lookUp("c", "select c.received_at, c.body from callback c where c.id = q.callback_id")} order by x.ordinality;`,
});

/** Null: there is no such row. */
export async function selectQuarantined(sql: Sql, id: string, now: number): Promise<QuarantinedWithCallback | null> {
  const [row] = await callWithin(sql, getQuarantined, [{ id }], now);
  return row ?? null;
}

// Into the lane that it came from. All that waits of a callback: the second reading quarantines again what is still not understood.
const replay = (id: string): string => `
  insert into ingest (slot, lane, callback_id) select ${slotOfLane("l.lane")}, l.lane, l.callback_id
  from (select q.callback_id, ${LANE_OF_QUARANTINED} as lane from quarantine q where q.id = ${id}) l
  returning ingest.slot into slot_of;
  update quarantine q set replayed_at = now, replay_at = null
  where q.callback_id = (select o.callback_id from quarantine o where o.id = ${id}) and q.replayed_at is null;`;

const REPLAYED = columns({ outcome: of<"replayed" | "already" | "gone">("text"), ...QUARANTINED });
export type ReplayedRow = AnswerOf<typeof REPLAYED>;

export const replayQuarantined = hotFunction({
  name: "replay_quarantined",
  input: ID,
  answers: REPLAYED,
  declare: "r record; slot_of smallint; verdict text;",
  body: `
for r in
  select q.* from ${recordset(ID)} cross join lateral (select * from quarantine q where q.id = x.id for update) q
loop
  verdict := case
    when r.replayed_at is not null then 'already'
    when not exists (select from callback c where c.id = r.callback_id) then 'gone'
    else 'replayed' end;
  if verdict = 'replayed' then${replay("r.id")}
  end if;
  return query select verdict, ${COLUMNS} from quarantine q where q.id = r.id;
end loop;`,
});

/** Null: there is no such row. */
export async function updateQuarantineRowReplayed(sql: Sql, id: string, now: number): Promise<ReplayedRow | null> {
  const [row] = await callWithin(sql, replayQuarantined, [{ id }], now);
  return row ?? null;
}

const BY_REASON = columns({ reason: "text", most: "int" });
const BY_DUE = columns({ due: "timestamptz", most: "int" });
const REPLAYED_TO = columns({ id: "uuid", slot: "smallint" });
type Replayed = AnswerOf<typeof REPLAYED_TO>;

/** `which`: from a row of `x` with what is asked for to rows `q` of quarantine, those that another call has left out; a callback is taken once. */
const replayMany = <Input extends typeof BY_REASON | typeof BY_DUE>(name: string, input: Input, which: string) =>
  hotFunction({
    name,
    input,
    answers: REPLAYED_TO,
    declare: "r record; slot_of smallint;",
    body: `
for r in select q.id from ${recordset(input)}
  cross join lateral (select q.id, q.callback_id from quarantine q ${which} limit x.most for update of q skip locked) q
  order by q.callback_id
loop
  perform from quarantine q where q.id = r.id and q.replayed_at is null;
  if found then${replay("r.id")}
  end if;
  return query select r.id, slot_of;
end loop;`,
  });

export const replayReason = replayMany(
  "replay_reason",
  BY_REASON,
  `${each("c", "select from callback c where c.id = q.callback_id")} where q.reason = x.reason and ${WAITS} order by q.id`,
);
/** Whether `replay_due` has any to replay. */
export const DUE_REPLAYS: Question = {
  name: "due_replays",
  rows: "select from quarantine q where q.replay_at <= now",
};
export const replayDue = replayMany("replay_due", BY_DUE, "where q.replay_at <= x.due order by q.replay_at");

/** Puts what waits for a reason back into the queue; how many rows were taken, up to `most`. */
export const updateQuarantineRowsReplayed = (
  sql: Sql,
  reason: string,
  most: number,
  now: number,
): Promise<Replayed[]> => callWithin(sql, replayReason, [{ reason, most }], now);

/** The same for what failed and is due. */
export const updateDueQuarantineRowsReplayed = (db: Database, most: number, now: number): Promise<Replayed[]> =>
  db.call(replayDue, [{ due: new Date(now).toISOString(), most }], now);
