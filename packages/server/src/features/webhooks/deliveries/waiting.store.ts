import { columns, hotFunction, of, type RowOf, recordset } from "../../../db/hot-function.ts";

/**
 * Deliveries without a first outcome are rows of the queue, which has no index by their ids: every event would pay for it. But the numbers
 * of the queue grow with time, as ids do: an id's place among them is found in some twenty look-ups, and from there the rows are walked.
 */

/**
 * A row's number may be drawn so long after the time in its id: by a slow transaction, or a process whose clock is behind. Rows that
 * are further out of order can be missing from a page, never from an answer about them alone.
 */
export const OUT_OF_ORDER_MS = 5_000;

const WAITING = columns({
  workspace_id: "uuid",
  endpoint_id: "uuid",
  slot: "smallint",
  lane: "int",
  /** Deliveries from this id on, and below that one. */
  lowest: "uuid",
  below: "uuid",
  /** An id of a time that no such row is from: `OUT_OF_ORDER_MS` later. */
  above: "uuid",
  /** One delivery alone. */
  delivery_id: "uuid?",
  kind: "text?",
  most: "int",
  /** Rows of the slot that are looked at, besides those that may be out of order. */
  look: "int",
});
export type WaitingAsk = RowOf<typeof WAITING>;

/** A row of the queue that was never attempted. Times in milliseconds; `due` of a fresh row is that of its event. */
export type WaitingRow = {
  id: string;
  event_id: string;
  kind: string;
  created_at: number;
  due: number;
};

const MS = (time: string): string => `(extract(epoch from ${time}) * 1000)::float8`;
const OUT_OF_ORDER = `interval '${OUT_OF_ORDER_MS} milliseconds'`;

/** Waiting deliveries of endpoints, the newest of each; in no order. */
export const waitingDeliveries = hotFunction({
  name: "waiting_deliveries",
  input: WAITING,
  answers: columns({
    endpoint_id: "uuid",
    deliveries: of<WaitingRow[]>("json"),
    /** Milliseconds: all from this time on were looked at; null: all. */
    reached: "float8?",
  }),
  writes: false,
  declare: `r record;
  v record;
  low bigint;
  high bigint;
  middle bigint;
  looked int;
  rows_found json[];
  oldest timestamptz;
  oldest_needed timestamptz;
  at_time timestamptz;
  stopped_at timestamptz;`,
  body: `
for r in select x.* from ${recordset(WAITING)} order by x.ordinality loop
  low := (select d.seq from deliver d where d.slot = r.slot order by d.seq limit 1);
  high := 1 + (select d.seq from deliver d where d.slot = r.slot order by d.seq desc limit 1);
  while low < high loop
    middle := low + (high - low) / 2;
    select d.seq, d.event_id into v from deliver d where d.slot = r.slot and d.seq >= middle order by d.seq limit 1;
    if v.event_id < r.above then
      low := v.seq + 1;
    else
      high := middle;
    end if;
  end loop;
  rows_found := '{}';
  looked := 0;
  oldest := null;
  oldest_needed := null;
  stopped_at := null;
  for v in
    select d.lane, d.workspace_id, d.delivery_id, d.event_id, d.attempt, d.due from deliver d
    where d.slot = r.slot and d.seq < low order by d.seq desc
  loop
    at_time := uuid_time(v.event_id);
    exit when at_time < uuid_time(r.lowest) - ${OUT_OF_ORDER};
    exit when oldest_needed is not null and at_time < oldest_needed - ${OUT_OF_ORDER};
    looked := looked + 1;
    if looked > r.look and at_time < uuid_time(r.below) - 2 * ${OUT_OF_ORDER} then
      stopped_at := at_time + ${OUT_OF_ORDER};
      exit;
    end if;
    if v.lane = r.lane and v.workspace_id = r.workspace_id and v.attempt = 0 and v.delivery_id >= r.lowest
      and v.delivery_id < r.below and (r.delivery_id is null or v.delivery_id = r.delivery_id) then
      rows_found := rows_found || array(
        select json_build_object('id', v.delivery_id, 'event_id', v.event_id, 'kind', e.kind,
          'created_at', ${MS("e.created_at")}, 'due', ${MS("greatest(v.due, e.created_at)")})
        from event e
        where e.workspace_id = r.workspace_id and e.id = v.event_id and (r.kind is null or e.kind = r.kind));
      if cardinality(rows_found) > 0 then
        oldest := least(oldest, at_time);
        if cardinality(rows_found) >= r.most and oldest_needed is null then
          oldest_needed := oldest;
        end if;
      end if;
    end if;
  end loop;
  return query select r.endpoint_id, array_to_json(rows_found), ${MS("stopped_at")};
end loop;`,
});

const ABOUT = columns({
  workspace_id: "uuid",
  message_id: "uuid?",
  /** The records of one person. */
  contact_ids: "uuid[]?",
  kind: "text?",
  lowest: "uuid",
  below: "uuid",
  most: "int",
  /** After so many events, or this time, a page ends. */
  look: "int",
  budget_ms: "int",
});

/** What the settings of every hot function are; and no sort, so that the order of the key is the only way. */
const IN_ORDER = [
  "enable_seqscan = off",
  "enable_bitmapscan = off",
  "enable_hashjoin = off",
  "enable_mergejoin = off",
  "enable_material = off",
  "enable_memoize = off",
  "enable_sort = off",
  "jit = off",
  "plan_cache_mode = force_generic_plan",
];

/** The newest events about a message or a person, of whole milliseconds. */
export const eventsAbout = hotFunction({
  name: "events_about",
  input: ABOUT,
  answers: columns({
    workspace_id: "uuid",
    events: of<string[]>("json"),
    /** All events from this one's millisecond on were looked at; null: all. */
    reached: "uuid?",
  }),
  writes: false,
  planner: IN_ORDER,
  declare: `r record;
  v record;
  began timestamptz;
  looked int;
  last_id uuid;
  stopped_at uuid;
  ids uuid[];`,
  body: `
for r in select x.* from ${recordset(ABOUT)} order by x.ordinality loop
  began := clock_timestamp();
  looked := 0;
  last_id := null;
  stopped_at := null;
  ids := '{}';
  for v in
    select e.id, e.kind, e.message_id, e.contact_id from event e
    where e.workspace_id = r.workspace_id and e.id >= r.lowest and e.id < r.below order by e.id desc
  loop
    if (cardinality(ids) >= r.most or looked >= r.look
        or looked > 0 and looked % 64 = 0 and clock_timestamp() > began + r.budget_ms * interval '1 millisecond')
      and left(v.id::text, 13) <> left(last_id::text, 13) then
      stopped_at := last_id;
      exit;
    end if;
    looked := looked + 1;
    last_id := v.id;
    if (r.message_id is null or v.message_id = r.message_id)
      and (r.contact_ids is null or v.contact_id = any(r.contact_ids)) and (r.kind is null or v.kind = r.kind) then
      ids := ids || v.id;
    end if;
  end loop;
  return query select r.workspace_id, array_to_json(ids), stopped_at;
end loop;`,
});
