import {
  type AnswerOf,
  columns,
  each,
  type HotFunction,
  hotFunction,
  type RowOf,
  recordset,
} from "../db/hot-function.ts";
import { advanceRows } from "./advance-rows.ts";
import { LANE_KINDS, READY, STARTED } from "./lane-kinds.ts";
import { oldestRead } from "./oldest.ts";
import { inLane, ms, orderIn, type QueueColumns, read } from "./queue-sql.ts";

/** A queue row as a read returns it. Times in milliseconds since the epoch; `due` is -Infinity for fresh rows. */
const QUEUE_ROW = columns({
  slot: "smallint",
  lane: "int",
  due: "float8",
  seq: "bigint",
  workspace_id: "uuid?",
  item_id: "uuid",
  event_id: "uuid?",
  key: "text?",
  attempt: "smallint",
  state: "smallint",
  started_at: "float8?",
  expires_at: "float8?",
});
export type ReadRow = AnswerOf<typeof QUEUE_ROW>;

/** A fresh row as the call that has committed it gives it, in this process. */
export type HandedRow = Omit<ReadRow, "due" | "attempt" | "state" | "started_at"> & {
  /** What working it needs to know, as it was at the commit; undefined where the kind asks for it when the row starts. */
  work?: unknown;
};

const SLOT = columns({ slot: "smallint" });
const SEQ = columns({ seq: "bigint" });
const PLACE = columns({ ...SLOT, seq: "bigint" });
const SLOT_LANE = columns({ ...SLOT, lane: "int" });
const ABOVE = columns({ ...SLOT, lo: "bigint", most: "int" });
const TAIL = columns({
  ...ABOVE,
  /** int8multirange: numbers that the caller has seen, whatever their slot. That of the first row counts for all. */
  seen: "text?",
});
const FRESH = columns({ ...SLOT_LANE, lo: "bigint", most: "int" });
const DUE = columns({ ...SLOT_LANE, due: "timestamptz", seq: "bigint" });
export type DueAsk = RowOf<typeof DUE>;
const HELD_ROW = columns({
  ...SLOT_LANE,
  key: "text",
  seq: "bigint",
  /** Null for a row in the table. */
  until: "float8?",
  next: "bigint?",
});
export type HeldRow = AnswerOf<typeof HELD_ROW>;
export const DEFER = columns({ ...SLOT_LANE, seq: "bigint", workspace_id: "uuid", key: "bigint?", due: "timestamptz" });
type DeferRow = RowOf<typeof DEFER>;
const RELEASED = columns({ key: "text" });
const UNHOLD = columns({
  ...SLOT_LANE,
  workspace_id: "uuid",
  key: "bigint",
  until: "timestamptz",
  worker: "uuid",
  epoch: "int",
});

/** The reads of one queue table. Each is a function because of its planner settings: the statistics take these tables for empty. */
export type Queue = {
  table: string;
  tail: HotFunction<RowOf<typeof TAIL>, ReadRow>;
  fresh: HotFunction<RowOf<typeof FRESH>, ReadRow>;
  due: HotFunction<RowOf<typeof DUE>, ReadRow>;
  lanes: HotFunction<RowOf<typeof SLOT>, RowOf<typeof SLOT_LANE>>;
  /** How long rows of slots have waited, for the operator. A slot without rows has no answer. */
  oldest: ReturnType<typeof oldestRead>;
  /** The given rows; null for kinds whose lanes let no row go (lane/passed-rows.ts). */
  numbered: HotFunction<RowOf<typeof PLACE>, ReadRow> | null;
  /** Which of the given rows are still in the table as started; null for kinds without intents. */
  started: HotFunction<RowOf<typeof PLACE>, { seq: number }> | null;
  /**
   * Keys whose later rows wait; null where order is not kept. Returns two kinds of rows: with `until`, a hold and the `seq` it
   * stands for; without, the first row of the same key that has a `due` from that `seq` on, and the one after it (`next`).
   */
  held: HotFunction<RowOf<typeof SLOT>, HeldRow> | null;
  /** Gives rows of a crowded key a `due` and holds the key (see KeyOrder); null where order is not kept. */
  defer: HotFunction<DeferRow, { seq: number }> | null;
  /** Moves rows that wait for a time that counts no more; null where only the owner gives rows a `due`. */
  advance: ReturnType<typeof advanceRows> | null;
  /**
   * Deletes the holds of keys whose rows are done; null where order is not kept. Only of a slot that `worker` still has: a
   * former owner that did not begin a row takes it for done, and for the new one the hold keeps the row before its successors.
   */
  unhold: HotFunction<RowOf<typeof UNHOLD>, { key: string }> | null;
};

/** Rows a lane holds in memory; a longer lane is passed by and read again: the table is the truth. */
export const LANE_BUFFER = 200;
/** Due rows of one lane in one read. */
export const DUE_LIMIT = 50;

/**
 * SQL: how a function that only the owner of a slot may apply starts, before it reads whose slot it is. A new owner waits for the transactions
 * that have this lock (`selectWriters`) and then reads the rows. A function that had read the slot before its first update took
 * the lock could begin an attempt of a row that the new owner has read as ready.
 */
export const lockQueue = (table: string): string => `lock table ${table} in row exclusive mode;`;

const HELD = "select h.* from held h where h.slot = u.slot";

/** The functions that read the queue table of a kind. */
export function defineQueue(of: QueueColumns): Queue {
  const { table } = of;
  const row = `d.slot, d.lane, ${ms("d.due")}, d.seq, ${of.workspace ? "d.workspace_id" : "null::uuid"}, d.${of.item}, ${of.event ? "d.event_id" : "null::uuid"}, ${
    of.key ? `d.${of.key}::text` : "null::text"
  }, d.attempt, ${of.intents ? `d.state, ${ms("d.started_at")}, ${ms("d.expires_at")}` : "0::smallint, null::float8, null::float8"}`;

  return {
    table,
    // New rows above a watermark, except those whose numbers were seen (given with the first ask, for all). Always the unnest
    // outside and the lateral inside: `slot = any(…) order by seq` sorts everything above the watermark.
    tail: read(
      table,
      "tail",
      TAIL,
      QUEUE_ROW,
      `return query select r.* from ${recordset(ABOVE, "u")}
        cross join lateral (
          select ${row} from ${table} d where d.slot = u.slot and d.seq > u.lo and not d.seq <@ seen
          order by d.seq limit u.most) r;`,
      "seen int8multirange := coalesce(rows -> 0 ->> 'seen', '{}')::int8multirange;",
    ),
    // More fresh rows of lanes that were passed by.
    fresh: read(
      table,
      "fresh",
      FRESH,
      QUEUE_ROW,
      `return query select r.* from ${recordset(FRESH, "u")}
        cross join lateral (
          select ${row} from ${table} d
          where ${inLane("d", "u.slot", "u.lane")} and d.due = '-infinity' and ${orderIn("d")} > u.lo
          order by ${orderIn("d")} limit u.most) r;`,
    ),
    // The next due rows of lanes, also those that lie ahead: the first of them sets the lane's timer. The cursor is a pair,
    // because many scheduled rows share one instant.
    due: read(
      table,
      "due",
      DUE,
      QUEUE_ROW,
      `return query select r.* from ${recordset(DUE, "u")}
        cross join lateral (
          select ${row} from ${table} d
          where ${inLane("d", "u.slot", "u.lane")} and (d.due, ${orderIn("d")}) > (u.due, u.seq) and d.due > '-infinity'
          order by d.due, ${orderIn("d")} limit ${DUE_LIMIT}) r;`,
    ),
    // Lanes with any row, by skipping from one to the next in the index.
    lanes: read(
      table,
      "lanes",
      SLOT,
      SLOT_LANE,
      `return query select u.slot, l.lane from ${recordset(SLOT, "u")} cross join lateral (
        with recursive t(lane) as (
          (select d.lane from ${table} d where d.slot::int = u.slot order by d.lane limit 1)
          union all
          select (
            select d.lane from ${table} d where d.slot::int = u.slot and d.lane > t.lane order by d.lane limit 1)
          from t where t.lane is not null
        ) select t.lane from t where t.lane is not null) l;`,
    ),
    oldest: oldestRead(of),
    advance: of.advances ? advanceRows(of) : null,
    numbered: of.intents ? numberedRead(table, row) : null,
    ...(of.intents ? keyedReads(of) : UNKEYED),
  };
}

/** `row`: the columns of a row `d`. */
const numberedRead = (table: string, row: string): Queue["numbered"] =>
  read(
    table,
    "numbered",
    PLACE,
    QUEUE_ROW,
    `return query select ${row} from ${recordset(PLACE, "u")}
  ${each("d", `select d.* from ${table} d where d.slot = u.slot and d.seq = u.seq`)}
  order by d.seq;`,
  );

type KeyedReads = Pick<Queue, "started" | "held" | "defer" | "unhold">;
const UNKEYED: KeyedReads = { started: null, held: null, defer: null, unhold: null };

/** For kinds with intents: their started rows, and the order of their keys. */
function keyedReads({ kind, table, key }: QueueColumns): KeyedReads {
  return {
    started: read(
      table,
      "started",
      PLACE,
      SEQ,
      `return query select d.seq from ${recordset(PLACE, "u")}
  ${each("d", `select d.seq, d.state from ${table} d where d.slot = u.slot and d.seq = u.seq`)}
  where d.state = ${STARTED};`,
    ),
    held: read(
      table,
      "held",
      SLOT,
      HELD_ROW,
      // One pass over the due rows of lanes with holds, never one for each hold; rows due after the last hold belong to none.
      `return query select h.slot, h.lane, h.recipient::text, h.seq, ${ms("h.until")}, null::bigint
  from ${recordset(SLOT, "u")} ${each("h", HELD)};
return query select l.slot, l.lane, d.${key}::text, (array_agg(d.seq order by d.seq))[1], null::float8,
    (array_agg(d.seq order by d.seq))[2]
  from (
    select h.slot, h.lane, max(h.until) as until from ${recordset(SLOT, "u")} ${each("h", HELD)}
    group by h.slot, h.lane) l
  ${each(
    "d",
    `
    select d.* from ${table} d
    where ${inLane("d", "l.slot", "l.lane")} and d.due > '-infinity' and d.due <= l.until
    order by d.due, ${orderIn("d")}`,
  )}
  ${each(
    "h",
    `
    select from held h
    where h.slot = l.slot and h.lane = l.lane and h.recipient = d.${key} and h.workspace_id = d.workspace_id
      and d.seq >= h.seq`,
  )}
  group by l.slot, l.lane, d.${key};`,
    ),
    defer: hotFunction({
      name: `${table}_defer`,
      input: DEFER,
      answers: SEQ,
      declare: "r record;",
      body: `
for r in select * from ${recordset(DEFER)} order by x.slot, x.seq loop
  update ${table} d set due = r.due
  where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id and d.state = ${READY};
  insert into held (slot, lane, workspace_id, recipient, seq, until)
  values (r.slot, r.lane, r.workspace_id, r.key, r.seq, r.due)
  on conflict (slot, lane, recipient, workspace_id) do update set
    seq = least(held.seq, excluded.seq), until = greatest(held.until, excluded.until);
  seq := r.seq;
  return next;
end loop;`,
    }),
    unhold: hotFunction({
      name: `${table}_unhold`,
      input: UNHOLD,
      answers: RELEASED,
      declare: "r record;",
      body: `
${lockQueue(table)}
for r in select * from ${recordset(UNHOLD)} order by x.slot, x.lane, x.key loop
  delete from held h
  where h.slot = r.slot and h.lane = r.lane and h.recipient = r.key and h.workspace_id = r.workspace_id
    and h.until <= r.until
    and exists (
      select from slot s
      where s.kind = ${LANE_KINDS[kind]} and s.slot = r.slot and s.owner = r.worker and s.epoch = r.epoch);
  key := r.key::text;
  return next;
end loop;`,
    }),
  };
}

/** The functions of a queue, for the installer. */
export const queueFunctions = (queue: Queue): HotFunction[] =>
  [
    queue.tail,
    queue.fresh,
    queue.due,
    queue.lanes,
    queue.oldest,
    queue.numbered,
    queue.started,
    queue.held,
    queue.defer,
    queue.advance,
    queue.unhold,
  ].filter((fn) => fn !== null);
