import { each, type HotFunction, hotFunction } from "../db/hot-function.ts";

/** The reads of one queue table. Each is a function because of its planner settings: the statistics take these tables for empty. */
export type Queue = {
  table: string;
  tail: HotFunction;
  fresh: HotFunction;
  due: HotFunction;
  lanes: HotFunction;
  /** Which of the given rows are still in the table as started; null for kinds without intents. */
  started: HotFunction | null;
  /**
   * Keys whose later rows wait; null where order is not kept. Returns two kinds of rows: with `until`, a hold and the `seq` it
   * stands for; without, the first row of the same key that has a `due` from that `seq` on, and the one after it (`next`).
   */
  held: HotFunction | null;
  /** Gives rows of a crowded key a `due` and holds the key (see KeyOrder); null where order is not kept. */
  defer: HotFunction | null;
  /** Deletes the holds of keys whose rows are done; null where order is not kept. */
  unhold: HotFunction | null;
};

export type QueueColumns = {
  table: string;
  item: string;
  /** Column of the order key; null: none. */
  key: string | null;
  workspace: boolean;
  event: boolean;
  /** Kinds with intents have state, started_at, expires_at. */
  intents: boolean;
};

/** Rows a lane holds in memory; a longer lane is passed by and read again: the table is the truth. */
export const LANE_BUFFER = 200;
/** Due rows of one lane in one read. */
export const DUE_LIMIT = 50;

/**
 * SQL: the row belongs to a lane, in the lane index's own expressions; `orderIn` is the row's place in it. Primary key and
 * lane index of a queue share no expression (db/indexes.ts), so that the planner cannot take one for the other, whatever the
 * statistics say: a query for a lane never names `slot` or `seq` alone, a query for a row by its key never `lane` or `due`.
 */
export const inLane = (row: string, slot: string, lane: string): string =>
  `${row}.slot::int = ${slot} and ${row}.lane = ${lane}`;
export const orderIn = (row: string): string => `(${row}.seq + 0)`;

const ROW = `slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text, attempt smallint, state smallint, started_at float8, expires_at float8`;

const HELD = "select h.* from held h where h.slot = u.slot";

/** Milliseconds since the epoch, as SQL. */
const ms = (expression: string): string => `(extract(epoch from ${expression}) * 1000)::float8`;

type Read = (name: string, returns: string, body: string, declare?: string) => HotFunction;

/** The functions that read the queue table of a kind. */
export function defineQueue(columns: QueueColumns): Queue {
  const { table } = columns;
  const row = `d.slot, d.lane, ${ms("d.due")}, d.seq, ${columns.workspace ? "d.workspace_id" : "null::uuid"}, d.${columns.item}, ${columns.event ? "d.event_id" : "null::uuid"}, ${
    columns.key ? `d.${columns.key}::text` : "null::text"
  }, d.attempt, ${columns.intents ? `d.state, ${ms("d.started_at")}, ${ms("d.expires_at")}` : "0::smallint, null::float8, null::float8"}`;
  const read: Read = (name, returns, body, declare) =>
    hotFunction({ name: `${table}_${name}`, returns, body, writes: false, ...(declare ? { declare } : {}) });

  return {
    table,
    // New rows above a watermark, except those whose numbers were seen (given with the first ask, for all). Always the unnest
    // outside and the lateral inside: `slot = any(…) order by seq` sorts everything above the watermark.
    tail: read(
      "tail",
      ROW,
      `return query select r.* from json_to_recordset(rows) as u(slot smallint, lo bigint, most int)
        cross join lateral (select ${row} from ${table} d where d.slot = u.slot and d.seq > u.lo and not d.seq <@ seen order by d.seq limit u.most) r;`,
      "seen int8multirange := coalesce(rows -> 0 ->> 'seen', '{}')::int8multirange;",
    ),
    // More fresh rows of lanes that were passed by.
    fresh: read(
      "fresh",
      ROW,
      `return query select r.* from json_to_recordset(rows) as u(slot smallint, lane int, lo bigint, most int)
        cross join lateral (select ${row} from ${table} d where ${inLane("d", "u.slot", "u.lane")} and d.due = '-infinity' and ${orderIn("d")} > u.lo order by ${orderIn("d")} limit u.most) r;`,
    ),
    // The next due rows of lanes, also those that lie ahead: the first of them sets the lane's timer. The cursor is a pair,
    // because many scheduled rows share one instant.
    due: read(
      "due",
      ROW,
      `return query select r.* from json_to_recordset(rows) as u(slot smallint, lane int, due timestamptz, seq bigint)
        cross join lateral (select ${row} from ${table} d where ${inLane("d", "u.slot", "u.lane")} and (d.due, ${orderIn("d")}) > (u.due, u.seq) and d.due > '-infinity' order by d.due, ${orderIn("d")} limit ${DUE_LIMIT}) r;`,
    ),
    // Lanes with any row, by skipping from one to the next in the index.
    lanes: read(
      "lanes",
      "slot smallint, lane int",
      `return query select u.slot, l.lane from json_to_recordset(rows) as u(slot smallint) cross join lateral (
        with recursive t(lane) as (
          (select d.lane from ${table} d where d.slot::int = u.slot order by d.lane limit 1)
          union all
          select (select d.lane from ${table} d where d.slot::int = u.slot and d.lane > t.lane order by d.lane limit 1) from t where t.lane is not null
        ) select t.lane from t where t.lane is not null) l;`,
    ),
    ...(columns.intents ? keyedReads(columns, read) : UNKEYED),
  };
}

type KeyedReads = Pick<Queue, "started" | "held" | "defer" | "unhold">;
const UNKEYED: KeyedReads = { started: null, held: null, defer: null, unhold: null };

/** For kinds with intents: their started rows, and the order of their keys. */
function keyedReads({ table, key }: QueueColumns, read: Read): KeyedReads {
  return {
    started: read(
      "started",
      "seq bigint",
      `return query select d.seq from json_to_recordset(rows) as u(slot smallint, seq bigint) ${each("d", `select d.seq, d.state from ${table} d where d.slot = u.slot and d.seq = u.seq`)} where d.state = 1;`,
    ),
    held: read(
      "held",
      "slot smallint, lane int, key text, seq bigint, until float8, next bigint",
      // One pass over the due rows of lanes with holds, never one for each hold; rows due after the last hold belong to none.
      `return query select h.slot, h.lane, h.recipient::text, h.seq, ${ms("h.until")}, null::bigint from json_to_recordset(rows) as u(slot smallint) ${each("h", HELD)};
return query select l.slot, l.lane, d.${key}::text, (array_agg(d.seq order by d.seq))[1], null::float8, (array_agg(d.seq order by d.seq))[2]
  from (select h.slot, h.lane, max(h.until) as until from json_to_recordset(rows) as u(slot smallint) ${each("h", HELD)} group by h.slot, h.lane) l
  ${each("d", `select d.* from ${table} d where ${inLane("d", "l.slot", "l.lane")} and d.due > '-infinity' and d.due <= l.until order by d.due, ${orderIn("d")}`)}
  ${each("h", `select from held h where h.slot = l.slot and h.lane = l.lane and h.recipient = d.${key} and h.workspace_id = d.workspace_id and d.seq >= h.seq`)}
  group by l.slot, l.lane, d.${key};`,
    ),
    defer: hotFunction({
      name: `${table}_defer`,
      returns: "seq bigint",
      declare: "r record;",
      body: `
for r in select * from json_to_recordset(rows) as x(slot smallint, lane int, seq bigint, workspace_id uuid, key bigint, due timestamptz) order by x.slot, x.seq loop
  update ${table} d set due = r.due where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id and d.state = 0;
  insert into held (slot, lane, workspace_id, recipient, seq, until) values (r.slot, r.lane, r.workspace_id, r.key, r.seq, r.due)
    on conflict (slot, lane, recipient, workspace_id) do update set seq = least(held.seq, excluded.seq), until = greatest(held.until, excluded.until);
  seq := r.seq;
  return next;
end loop;`,
    }),
    unhold: hotFunction({
      name: `${table}_unhold`,
      returns: "key text",
      declare: "r record;",
      body: `
for r in select * from json_to_recordset(rows) as x(slot smallint, lane int, workspace_id uuid, key bigint, until timestamptz) order by x.slot, x.lane, x.key loop
  delete from held h where h.slot = r.slot and h.lane = r.lane and h.recipient = r.key and h.workspace_id = r.workspace_id and h.until <= r.until;
  key := r.key::text;
  return next;
end loop;`,
    }),
  };
}

/** The functions of a queue, for the installer. */
export const queueFunctions = (queue: Queue): HotFunction[] =>
  [queue.tail, queue.fresh, queue.due, queue.lanes, queue.started, queue.held, queue.defer, queue.unhold].filter(
    (fn) => fn !== null,
  );
