import {
  type AnswerOf,
  columns,
  each,
  HAS_ONE_ROW,
  hotFunction,
  inSpan,
  lookUp,
  of,
  type RowOf,
  readOnlyRow,
  recordset,
} from "../../../db/hot-function.ts";
import { deleteRows } from "../../../lanes/finished-rows.sql.ts";
import { DEFER, defineQueue, type Queue } from "../../../lanes/queue.ts";
import { inLane, orderIn } from "../../../lanes/queue-sql.ts";
import { EVENT_VARIABLES, SLOTS_MASK } from "../../events/event.sql.ts";
import { contactShown } from "../../identity/identifiers.sql.ts";
import { JOINS_MORE, joinedConversations } from "../../identity/joined-conversations.sql.ts";
import { countAttempts } from "../../metrics/attempt.sql.ts";
import { moveBehind } from "./behind.sql.ts";
import { disableEndpoint, ENDPOINT_FAILED, ENDPOINT_RECOVERED, mayWrite } from "./endpoint-trouble.sql.ts";
import { ERASED, MESSAGE, ms, SOURCE_CONTACT, SOURCES } from "./event-source.sql.ts";

/** Rows of a crowded conversation go back into the table until `due`, so that they do not fill their lane's memory. */
const deferDeliveries = hotFunction({
  name: "deliver_defer",
  input: DEFER,
  answers: columns({ seq: "bigint" }),
  declare: "r record;",
  body: `
for r in select * from ${recordset(DEFER)} order by x.slot, x.seq loop
  -- Only to a later time, as conversations that were joined are. Not by a comparison: the row is found by its key, and due is
  -- the lane index's.
  update deliver d set due = r.due
  where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id and greatest(d.due, r.due) is distinct from d.due;
  seq := r.seq;
  return next;
end loop;`,
});

export const deliverQueue: Queue = {
  ...defineQueue({
    kind: "deliver",
    table: "deliver",
    item: "delivery_id",
    key: "conversation",
    workspace: true,
    event: true,
    advances: true,
    intents: false,
  }),
  defer: deferDeliveries,
};

const LOAD = columns({
  workspace_id: "uuid",
  slot: "smallint",
  lane: "int",
  seq: "bigint",
  event_id: "uuid",
  conversation: "bigint",
  /** How many conversations the lane knows to be one with it; 0 where no order is kept. */
  joined: "int",
  /** False when the caller has the body: only the endpoint is read. */
  body: "boolean",
  /** Of a body that the caller has: the contact whose data is in it. */
  contact_id: "uuid?",
});

/** Times in milliseconds. */
const LOADED = columns({
  /** Null when the endpoint was deleted. */
  endpoint_id: "uuid?",
  version: "int?",
  enabled: "boolean?",
  ordered: "boolean?",
  /** An earlier row of the same conversation waits for its retry until then: an ordered endpoint must not get this one first. */
  behind: "float8?",
  /** Conversations that the lane must know to be one with this one before it works the row; null: it knows them. */
  keys: "text[]?",
  /** Null when the event was deleted, or not asked for. */
  kind: "text?",
  resource_id: "uuid?",
  sequence: "bigint?",
  occurred_at: "float8?",
  created_at: "float8?",
  state: of<Record<string, unknown>>("json?"),
  message: of<Record<string, unknown>>("json?"),
  contact: of<Record<string, unknown>>("json?"),
  contact_id: "uuid?",
  /** The contact was erased. */
  is_erased: "boolean",
});
export type LoadAnswer = AnswerOf<typeof LOADED>;

const ENDPOINT = `select p.id, p.version, p.enabled, p.ordered from webhook_endpoint p
    where p.workspace_id = x.workspace_id and p.lane = x.lane`;
const EVENT = `select v.kind, v.resource_id, v.sequence, v.contact_id, v.message_id, v.occurred_at, v.created_at, v.state from event v
    where x.body and v.workspace_id = x.workspace_id and v.id = x.event_id and ${inSpan("v.id")}`;

/**
 * The short way of a row that is alone in its call, at an endpoint that keeps no order: each thing is read by a statement of its own, and
 * only where the row needs it. A message is looked up by an id that is known when its statement starts: in one of sixteen months.
 */
const LOAD_ONE = `
<<alone>>
begin
  exit alone when pg_column_size(rows) > 1000 or not (${HAS_ONE_ROW});
  ${readOnlyRow(LOAD)}
  ${ENDPOINT} into w;
  exit alone when w.ordered;
  ${EVENT} into e;
  ${ERASED} into is_erased;
  is_erased := found;
  if e.message_id is not null then
    ${MESSAGE} into is_sent, message;
  end if;
  if is_sent is not true and e.contact_id is not null then
    ${contactShown("x.workspace_id", "e.contact_id")} into f;
    exit alone when f.merged_into is not null;
    contact := f.contact;
  end if;
  endpoint_id := w.id; version := w.version; enabled := w.enabled; ordered := w.ordered;
  kind := e.kind; state := e.state; contact_id := e.contact_id; resource_id := coalesce(e.resource_id, e.contact_id);
  sequence := e.sequence; occurred_at := ${ms("e.occurred_at")}; created_at := ${ms("e.created_at")};
  return next;
  return;
end;`;

/** What attempts need, one answer a row: the endpoint as it is now, and the event with what its body is rendered from. */
export const loadDeliveries = hotFunction({
  name: "load_deliveries",
  input: LOAD,
  answers: LOADED,
  span: ({ event_id }) => [event_id],
  writes: false,
  declare: `
  x record;
  w record;
  e record;
  f record;
  is_sent boolean;`,
  body: `${LOAD_ONE}
return query select w.id, w.version, w.enabled, w.ordered, ${ms("b.waits")},
    case when ${JOINS_MORE} then g.keys::text[] end, e.kind, coalesce(e.resource_id, e.contact_id),
    e.sequence, ${ms("e.occurred_at")}, ${ms("e.created_at")}, e.state, m.message, ${SOURCE_CONTACT}, e.contact_id, z.yes is not null
  from ${recordset(LOAD)}
  ${lookUp("w", ENDPOINT)}
  ${joinedConversations("w.ordered and x.joined > 0", "x.conversation")}
  -- The owner keeps the order in memory; a new owner has only what the table says.
  ${lookUp(
    "b",
    `select min(d.due) as waits from deliver d
    where w.ordered and ${inLane("d", "x.slot", "x.lane")} and d.conversation = any(coalesce(g.keys, array[x.conversation])) and ${orderIn("d")} < x.seq and d.due > '-infinity'`,
  )}
  ${lookUp("e", EVENT)}
  ${SOURCES}
  order by x.ordinality;`,
});

/** One try as `attempts[]` keeps it. Texts carry no U+0000. */
export type AttemptEntry = {
  n: number;
  started_at: string;
  duration_ms: number;
  status_code: number | null;
  outcome: "succeeded" | "failed";
  error: string | null;
  response: string | null;
};

const OUTCOME = columns({
  slot: "smallint",
  seq: "bigint",
  workspace_id: "uuid",
  delivery_id: "uuid",
  event_id: "uuid",
  endpoint_id: "uuid?",
  /** The endpoint's when the attempt was made. */
  endpoint_version: "int?",
  kind: "text",
  created_at: "timestamptz",
  /**
   * `gone`: a 410, which disables the endpoint as it was asked; one that was changed since is tried again at once. `dropped`: event
   * or endpoint is gone, only the queue row goes. `behind`: not tried, it waits for an earlier row.
   */
  result: of<"succeeded" | "failed" | "retry" | "gone" | "dropped" | "behind">("text"),
  /** When the next attempt may start; null when there is none. */
  due: "timestamptz?",
  entry: of<AttemptEntry>("json?"),
  /** False when the delivery's day is no longer kept: only the queue row is written. */
  record: "boolean",
  /** Of an attempt that the receiver failed and that will be repeated, or of a success where the endpoint may have failed before. */
  says: of<"failed" | "recovered" | null>("text?"),
});
export type OutcomeRow = RowOf<typeof OUTCOME>;
const OUTCOMES = recordset(OUTCOME);
const { says: _, ...WITHOUT_NEWS } = OUTCOME;

/** The queue row of a row of the call, by its key. */
const queueRow = (x: string): string =>
  `d.slot = ${x}.slot and d.seq = ${x}.seq and d.workspace_id = ${x}.workspace_id`;

/**
 * Stores the outcomes of attempts: evidence, so it is taken from any process and counts once for each attempt. A
 * success always counts: two owners may both have tried, and one was answered.
 */
export const deliverOutcomes = hotFunction({
  name: "deliver_outcomes",
  input: OUTCOME,
  answers: columns({ slots_mask: "text" }),
  declare: `${EVENT_VARIABLES}
  r record;
  w record;
  outcomes int;
  is_usual boolean;
  has_news boolean;`,
  body: `
-- Endpoints before queue rows, each sorted. Found in another text too, the words only cost a pass.
has_news := position('"says":' in rows::text) > 0;
if has_news or position('"gone"' in rows::text) > 0 then
  perform 1 from (select x.workspace_id, x.endpoint_id, x.says from ${OUTCOMES} where x.result = 'gone' or x.says is not null
      order by 1, 2) x
    cross join lateral (
      select 1 from webhook_endpoint p where p.workspace_id = x.workspace_id and p.id = x.endpoint_id
        and (x.says is null or ${mayWrite("x.says")})
      for no key update) p;
end if;
with outcome as materialized (
  select x.*, (x.entry->>'n')::smallint as n, x.result in ('succeeded', 'failed', 'dropped') as is_over
  from ${recordset(WITHOUT_NEWS)}),
recorded as (
  insert into delivery as d (workspace_id, id, event_id, webhook_endpoint_id, kind, status, attempt,
    next_attempt_at, created_at, completed_at, attempts)
  select x.workspace_id, x.delivery_id, x.event_id, x.endpoint_id, x.kind,
    case x.result when 'retry' then 'pending' when 'gone' then 'parked' else x.result end, x.n,
    case when not x.is_over then x.due end, x.created_at, case when x.is_over then now end, json_build_array(x.entry)
  from outcome x where x.record and x.entry is not null order by x.slot, x.seq
  on conflict (workspace_id, id) do update set
    status = excluded.status, attempt = greatest(d.attempt, excluded.attempt),
    next_attempt_at = excluded.next_attempt_at, completed_at = excluded.completed_at,
    attempts = (d.attempts::jsonb || excluded.attempts::jsonb)::json
  where d.status <> 'succeeded' and (d.attempt < excluded.attempt or excluded.status = 'succeeded')
  returning d.workspace_id, d.webhook_endpoint_id, d.attempts -> -1 as entry),${countAttempts("recorded")},
-- Not locked before: a row that another owner moves in this moment may stay, until that one's own attempts have ended.
ended as (${deleteRows(
    "deliver",
    `array(select d.place from outcome x ${each("d", `select d.ctid as place from deliver d where x.is_over and ${queueRow("x")}`)})`,
  )})
select count(*), bool_and(x.is_over and x.result <> 'dropped') into outcomes, is_usual from outcome x;
if has_news or not is_usual then
  for r in
    select x.*, (x.entry->>'n')::smallint as n from ${OUTCOMES} where x.result not in ('succeeded', 'failed') or x.says is not null
    order by x.ordinality
  loop
    if r.result = 'succeeded' then
      ${ENDPOINT_RECOVERED}
    elsif r.result = 'dropped' then
      update delivery d set status = 'failed', next_attempt_at = null, completed_at = now
      where d.workspace_id = r.workspace_id and d.id = r.delivery_id and d.status in ('pending', 'parked');
    elsif r.result = 'behind' then
      ${moveBehind("deliver", "coalesce(joined_conversations(r.workspace_id, q.conversation), array[q.conversation])")}
    else
      update deliver d set attempt = r.n, due = coalesce(r.due, now) where ${queueRow("r")} and d.attempt < r.n;
      -- Not another time when the call is repeated.
      if found and r.says = 'failed' then
        ${ENDPOINT_FAILED}
      end if;
    end if;
    if r.result = 'gone' then
      -- Of an endpoint that has another URL since, or was switched off and on, it says nothing.
      ${disableEndpoint("gone", "p.version = r.endpoint_version")}
    end if;
  end loop;
end if;
return query select ${SLOTS_MASK} from generate_series(1, outcomes);`,
});
