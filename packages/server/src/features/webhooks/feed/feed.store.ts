import type { Sql } from "../../../db/database.ts";
import { columns, hotFunction, inSpan, of, type RowOf, recordset } from "../../../db/hot-function.ts";
import type { JsonRow } from "../../events/event-groups.ts";
import { findFeedMark } from "../../events/feed-mark.sql.ts";
import { ms, SOURCE_CONTACT, SOURCES } from "../deliver/event-source.sql.ts";
import { isOfNumbers } from "./of-numbers.sql.ts";

/** A place in the order of the feed: the era, the transaction in it, the event. */
export const PLACE = columns({ era: "int", xid: "text", id: "uuid" });
export type Place = RowOf<typeof PLACE>;

const FEED = columns({
  workspace_id: "uuid",
  /** Events behind this place. */
  ...PLACE,
  /** No event of a lower id: of earlier times. */
  lowest: "uuid",
  kind: "text?",
  message_id: "uuid?",
  /** The records of one person. */
  contact_ids: "uuid[]?",
  /** Events of these alone. */
  numbers: "uuid[]?",
  most: "int",
  /** After so many events, or this time, a page ends, however many of them fit. */
  look: "int",
  budget_ms: "int",
});
export type FeedRow = RowOf<typeof FEED>;

/** An event with what its body is rendered from. Times in milliseconds. */
export type FeedEvent = Place & {
  kind: string;
  resource_id: string | null;
  contact_id: string | null;
  message_id: string | null;
  sequence: number;
  occurred_at: number;
  created_at: number;
  state: JsonRow | null;
  message: JsonRow | null;
  contact: JsonRow | null;
  is_erased: boolean;
};

/** An event as the row that was read, in which all is that its look-ups need. */
const FOUND = columns({
  ...PLACE,
  kind: "text",
  resource_id: "uuid",
  contact_id: "uuid",
  message_id: "uuid",
  sequence: "bigint",
  occurred_at: "timestamptz",
  created_at: "timestamptz",
  state: "json",
});

/** As the settings of every hot function; and no sort, so that the order of the index is the only way. */
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

// What an event is rendered from; `e` is the event.
const RENDERED = `json_build_object('era', e.era, 'xid', e.xid::text, 'id', e.id, 'kind', e.kind,
    'resource_id', coalesce(e.resource_id, e.contact_id), 'contact_id', e.contact_id, 'message_id', e.message_id, 'sequence', e.sequence,
    'occurred_at', ${ms("e.occurred_at")}, 'created_at', ${ms("e.created_at")}, 'state', e.state,
    'message', m.message, 'contact', ${SOURCE_CONTACT}, 'is_erased', z.yes is not null)`;

const EVENT_OF = (id: string): string => `select v.era, v.xid, v.id, v.kind, v.resource_id, v.contact_id, v.message_id,
    v.sequence, v.occurred_at, v.created_at, v.state
    from event v where v.workspace_id = x.workspace_id and v.id = ${id}`;

/**
 * Events in the order of the transactions that wrote them, below the oldest that still runs in the cluster: each below it has ended, so
 * that none can commit behind the reader. The oldest is asked ahead of the statement that reads, by which all below it are visible.
 *
 * A call ends with the page, with the last event that is settled, or with what it may look at. The place in the answer is that of the
 * last event that it has looked at, or the one that was asked for. Not that of the oldest transaction that runs: numbers that were given and
 * not written down are given again after a crash.
 *
 * A reader from the beginning starts with the mark of the lowest id: by the index alone, all of its day that is before it would be walked, of
 * five million events in 30 days some hundred thousand.
 */
export const readFeed = hotFunction({
  name: "read_feed",
  input: FEED,
  answers: columns({ workspace_id: "uuid", events: of<FeedEvent[]>("json"), ...PLACE, more: "boolean" }),
  writes: false,
  planner: IN_ORDER,
  declare: `r record;
  v record;
  began timestamptz;
  settled xid8;
  this_era int;
  found json[];
  looked_at int;
  is_more boolean;
  from_era int;
  from_xid xid8;
  last_era int;
  last_xid xid8;
  last_id uuid;
  shown json;`,
  body: `
for r in select x.* from ${recordset(FEED)} order by x.ordinality loop
  settled := pg_snapshot_xmin(pg_current_snapshot());
  this_era := current_era();
  began := clock_timestamp();
  found := '{}';
  looked_at := 0;
  is_more := false;
  last_era := r.era;
  last_xid := r.xid::xid8;
  last_id := r.id;
  from_era := null;
  if r.era = 0 then ${findFeedMark("r.lowest", { era: "from_era", xid: "from_xid" })}
  end if;
  if from_era is null then
    from_era := r.era;
    from_xid := last_xid;
  end if;
  for v in
    select e.era, e.xid, e.id, e.kind, e.resource_id, e.contact_id, e.message_id, e.sequence, e.occurred_at, e.created_at, e.state
    from event e
    where e.workspace_id = r.workspace_id and e.sequence > 0 and e.id >= r.lowest
      and (e.era, e.xid, e.id) > (from_era, from_xid, r.id) and (e.era, e.xid) < (this_era, settled)
    order by e.era, e.xid, e.id limit r.look + 1
  loop
    is_more := cardinality(found) >= r.most or looked_at >= r.look
      or looked_at > 0 and looked_at % 64 = 0 and clock_timestamp() > began + r.budget_ms * interval '1 millisecond';
    exit when is_more;
    looked_at := looked_at + 1;
    last_era := v.era;
    last_xid := v.xid;
    last_id := v.id;
    if (r.kind is null or v.kind = r.kind) and (r.message_id is null or v.message_id = r.message_id)
      and (r.contact_ids is null or v.contact_id = any(r.contact_ids))
      and ${isOfNumbers("r.numbers", "r.workspace_id", "v")} then
      found := found || row_to_json(v);
    end if;
  end loop;
  shown := '[]';
  if cardinality(found) > 0 then
    select json_agg(${RENDERED} order by e.ordinality) into shown
    from (select r.workspace_id, null::uuid as contact_id) x
    cross join ${recordset(FOUND, "e", "array_to_json(found)")}
    ${SOURCES};
  end if;
  return query select r.workspace_id, shown, last_era, last_xid::text, last_id, is_more;
end loop;`,
});

/** The place of the last event that is settled; null when none is kept. `lowest`: the lowest uuid of an event that is. */
export async function selectLastPlace(sql: Sql, workspaceId: string, lowest: string): Promise<Place | null> {
  const rows = await sql.query<Place>(
    `select e.era, e.xid::text as xid, e.id from event e
     where e.workspace_id = $1 and e.sequence > 0 and e.id >= $2
       and (e.era, e.xid) < (current_era(), pg_snapshot_xmin(pg_current_snapshot()))
     order by e.era desc, e.xid desc, e.id desc limit 1`,
    [workspaceId, lowest],
  );
  return rows[0] ?? null;
}

const EVENT = columns({
  workspace_id: "uuid",
  id: "uuid",
  /** An event of these alone. */
  numbers: "uuid[]?",
});

/** Events by their ids; `event` is null where there is none. */
export const loadEvents = hotFunction({
  name: "load_events",
  input: EVENT,
  answers: columns({ event: of<FeedEvent>("json?") }),
  writes: false,
  span: ({ id }) => [id],
  body: `
return query select case when e.id is not null and ${isOfNumbers("x.numbers", "x.workspace_id", "e")} then ${RENDERED} end
  from (select x.*, null::uuid as contact_id from ${recordset(EVENT)}) x
  left join lateral (${EVENT_OF("x.id")} and ${inSpan("v.id")} offset 0) e on true
  ${SOURCES}
  order by x.ordinality;`,
});
