import {
  type AnswerOf,
  columns,
  each,
  hotFunction,
  inSpan,
  lookUp,
  of,
  type RowOf,
  recordset,
} from "../../../db/hot-function.ts";
import { deleteRows } from "../../../lanes/finished-rows.sql.ts";
import { DEFER, defineQueue, type Queue } from "../../../lanes/queue.ts";
import { inLane, orderIn } from "../../../lanes/queue-sql.ts";
import { EVENT_VARIABLES, SLOTS_MASK } from "../../events/event.sql.ts";
import { countAttempts } from "../../metrics/attempt.sql.ts";
import { moveBehind } from "../deliver/behind.sql.ts";
import type { AttemptEntry } from "../deliver/deliver.store.ts";
import { disableEndpoint, ENDPOINT_RECOVERED } from "../deliver/endpoint-trouble.sql.ts";
import { ms, SOURCE_CONTACT, SOURCES } from "../deliver/event-source.sql.ts";

/** Rows of a crowded conversation go back into the table until `due`, as those of `deliver` do. */
const deferRedeliveries = hotFunction({
  name: "redeliver_defer",
  input: DEFER,
  answers: columns({ seq: "bigint" }),
  declare: "r record;",
  body: `
for r in select * from ${recordset(DEFER)} order by x.slot, x.seq loop
  update redeliver d set due = r.due
  where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id and greatest(d.due, r.due) is distinct from d.due;
  seq := r.seq;
  return next;
end loop;`,
});

/**
 * Deliveries that are sent again because it was asked for, manually or by a replay. The lanes are those of `deliver`, the rows lie beside
 * theirs: neither waits for the other.
 */
export const redeliverQueue: Queue = {
  ...defineQueue({
    kind: "redeliver",
    table: "redeliver",
    item: "delivery_id",
    key: "conversation",
    workspace: true,
    event: true,
    advances: true,
    intents: false,
  }),
  defer: deferRedeliveries,
};

const LOAD = columns({
  workspace_id: "uuid",
  slot: "smallint",
  lane: "int",
  seq: "bigint",
  delivery_id: "uuid",
  event_id: "uuid",
  conversation: "bigint",
});

/** What attempts need, as of `load_deliveries`. Times in milliseconds. */
const LOADED = columns({
  /** Null when the endpoint was deleted. */
  endpoint_id: "uuid?",
  version: "int?",
  enabled: "boolean?",
  ordered: "boolean?",
  /** An earlier row of the same conversation waits for its retry until then. */
  behind: "float8?",
  /** Attempts of the delivery so far, those that were not asked for included; null: it has no row any more. */
  attempt: "smallint?",
  replay_id: "uuid?",
  /** Null when the event was deleted. */
  kind: "text?",
  resource_id: "uuid?",
  sequence: "bigint?",
  occurred_at: "float8?",
  created_at: "float8?",
  state: of<Record<string, unknown>>("json?"),
  message: of<Record<string, unknown>>("json?"),
  contact: of<Record<string, unknown>>("json?"),
  contact_id: "uuid?",
  is_erased: "boolean",
});
export type LoadedRedelivery = AnswerOf<typeof LOADED>;

export const loadRedeliveries = hotFunction({
  name: "load_redeliveries",
  input: LOAD,
  answers: LOADED,
  span: ({ event_id, delivery_id }) => [event_id, delivery_id],
  writes: false,
  body: `return query select w.id, w.version, w.enabled, w.ordered, ${ms("b.waits")}, d.attempt, q.replay_id, e.kind,
    coalesce(e.resource_id, e.contact_id), e.sequence, ${ms("e.occurred_at")}, ${ms("e.created_at")}, e.state, m.message, ${SOURCE_CONTACT},
    e.contact_id, z.yes is not null
  from (select y.*, null::uuid as contact_id from ${recordset(LOAD, "y")}) x
  ${lookUp(
    "w",
    `select p.id, p.version, p.enabled, p.ordered from webhook_endpoint p
    where p.workspace_id = x.workspace_id and p.lane = x.lane`,
  )}
  ${lookUp(
    "b",
    `select min(p.due) as waits from redeliver p
    where w.ordered and ${inLane("p", "x.slot", "x.lane")} and p.conversation = x.conversation and ${orderIn("p")} < x.seq and p.due > '-infinity'`,
  )}
  ${lookUp("q", "select p.replay_id from redeliver p where p.slot = x.slot and p.seq = x.seq and p.workspace_id = x.workspace_id")}
  ${lookUp("d", `select p.attempt from delivery p where p.workspace_id = x.workspace_id and p.id = x.delivery_id and ${inSpan("p.id")}`)}
  ${lookUp(
    "e",
    `select v.kind, v.resource_id, v.sequence, v.contact_id, v.message_id, v.occurred_at, v.created_at, v.state from event v
    where v.workspace_id = x.workspace_id and v.id = x.event_id and ${inSpan("v.id")}`,
  )}
  ${SOURCES}
  order by x.ordinality;`,
});

const OUTCOME = columns({
  slot: "smallint",
  seq: "bigint",
  workspace_id: "uuid",
  delivery_id: "uuid",
  endpoint_id: "uuid?",
  /** The endpoint's when the attempt was made. */
  endpoint_version: "int?",
  /**
   * `gone`: a 410, which disables the endpoint, as of `deliver_outcomes`. `dropped`: event or endpoint is gone. `behind`: not tried, it
   * waits for an earlier row.
   */
  result: of<"succeeded" | "failed" | "retry" | "gone" | "dropped" | "behind">("text"),
  /** When the next attempt may start; null when there is none. */
  due: "timestamptz?",
  /** Attempts of the row itself, which the schedule counts. */
  attempt: "smallint",
  entry: of<AttemptEntry & { replay?: true }>("json?"),
});
export type RedeliveryOutcome = RowOf<typeof OUTCOME>;

const OUTCOMES = recordset(OUTCOME);

/** The queue row of a row of the call, by its key. */
const queueRow = (x: string): string =>
  `q.slot = ${x}.slot and q.seq = ${x}.seq and q.workspace_id = ${x}.workspace_id`;

/**
 * Stores the outcomes of attempts that were asked for: each counts once, by its number in the delivery. The end of a row counts for its
 * replay as the row is deleted: at once for all of a call, because the count of a replay is one row, for which other calls wait. A failure says
 * nothing of the endpoint that its live events do not, a success does.
 */
export const redeliverOutcomes = hotFunction({
  name: "redeliver_outcomes",
  input: OUTCOME,
  answers: columns({ slots_mask: "text" }),
  span: ({ delivery_id }) => [delivery_id],
  declare: `${EVENT_VARIABLES}
  r record;
  w record;
  outcomes int;
  is_usual boolean;
  has_recovered boolean;`,
  body: `
-- Endpoints before queue rows, each sorted.
perform 1 from (
    select distinct x.workspace_id, x.endpoint_id, x.result from ${OUTCOMES} where x.result in ('gone', 'succeeded') order by 1, 2) x
  cross join lateral (
    select 1 from webhook_endpoint p where p.workspace_id = x.workspace_id and p.id = x.endpoint_id
      and (x.result = 'gone' or p.failing_since is not null)
    for no key update) p;
has_recovered := found;
with outcome as materialized (
  select x.*, (x.entry->>'n')::smallint as n, x.result in ('succeeded', 'failed', 'dropped') as is_over from ${OUTCOMES}),
-- The rest of the row is only for the insert, which finds it there: it is given as it is.
recorded as (
  insert into delivery as d (workspace_id, id, event_id, webhook_endpoint_id, kind, status, attempt,
    next_attempt_at, created_at, completed_at, attempts)
  select x.workspace_id, x.delivery_id, p.event_id, p.webhook_endpoint_id, p.kind,
    case x.result when 'retry' then 'pending' when 'gone' then 'parked' else x.result end, x.n,
    x.due, p.created_at, case when x.is_over then now end, json_build_array(x.entry)
  from outcome x ${each(
    "p",
    `select d.event_id, d.webhook_endpoint_id, d.kind, d.created_at from delivery d
     where d.workspace_id = x.workspace_id and d.id = x.delivery_id and ${inSpan("d.id")}`,
  )}
  where x.entry is not null order by x.slot, x.seq
  on conflict (workspace_id, id) do update set
    status = excluded.status, attempt = excluded.attempt, next_attempt_at = excluded.next_attempt_at,
    completed_at = excluded.completed_at, attempts = (d.attempts::jsonb || excluded.attempts::jsonb)::json
  where d.attempt < excluded.attempt
  returning d.workspace_id, d.webhook_endpoint_id, d.attempts -> -1 as entry),${countAttempts("recorded")},
ended as (${deleteRows(
    "redeliver",
    `array(select q.place from outcome x ${each("q", `select q.ctid as place from redeliver q where x.is_over and ${queueRow("x")}`)})`,
  )} returning workspace_id, replay_id, delivery_id),
counted_for_replays as (
  insert into replay_count as c (workspace_id, replay_id, succeeded, failed)
  select e.workspace_id, e.replay_id, count(*) filter (where s.yes), count(*) filter (where not s.yes)
  from ended e cross join lateral (
    select e.delivery_id = any(array(select x.delivery_id from outcome x where x.result = 'succeeded')) as yes) s
  where e.replay_id is not null group by 1, 2 order by 1, 2
  on conflict (workspace_id, replay_id) do update set succeeded = c.succeeded + excluded.succeeded, failed = c.failed + excluded.failed)
select count(*), bool_and(x.is_over and x.result <> 'dropped') into outcomes, is_usual from outcome x;
if has_recovered or not is_usual then
  for r in
    select x.* from ${OUTCOMES} where x.result not in ('succeeded', 'failed') or has_recovered and x.result = 'succeeded'
    order by x.slot, x.seq, x.ordinality
  loop
    if r.result = 'succeeded' then
      ${ENDPOINT_RECOVERED}
    elsif r.result = 'dropped' then
      update delivery d set status = 'failed', next_attempt_at = null, completed_at = now
      where d.workspace_id = r.workspace_id and d.id = r.delivery_id and d.status in ('pending', 'parked');
    elsif r.result = 'behind' then
      ${moveBehind("redeliver", "array[q.conversation]")}
    else
      update redeliver q set attempt = r.attempt, due = coalesce(r.due, now) where ${queueRow("r")} and q.attempt < r.attempt;
    end if;
    if r.result = 'gone' then
      -- Of an endpoint that has another URL since, or was switched off and on, it says nothing.
      ${disableEndpoint("gone", "p.version = r.endpoint_version")}
    end if;
  end loop;
end if;
return query select ${SLOTS_MASK} from generate_series(1, outcomes);`,
});
