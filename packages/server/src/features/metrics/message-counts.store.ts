import { columns, each, hotFunction, recordset, sqlInterval } from "../../db/hot-function.ts";
import { METRICS_LOCK } from "../../db/locks.ts";
import { DAY_MS, HOUR_MS } from "../../lib/duration.ts";
import { noteFeedMark } from "../events/feed-mark.sql.ts";
import { REPORTS } from "../threads/status.ts";
import { isOfHistory } from "../threads/thread.sql.ts";
import { addCounts, binOf } from "./metric.sql.ts";

/** Events of a workspace in one go: some 60 ms. */
const EVENTS_A_STEP = 2_000;
/** A call ends after this, far below the statement's eight seconds; the next one goes on. */
const CALL_MS = 1_000;
/** An event's id is of the time at which its request was read: no clock, batch or import lets it commit so much later. */
const LATE_MS = DAY_MS;
/** The place of a workspace in which nothing happens follows this often, so that a look opens few days. */
const FOLLOWS_MS = HOUR_MS;

const INBOUND = ["messages", "standby_messages"] as const;
const COUNTED = [
  "unknown",
  "accepted",
  "sent",
  "failed",
  "delivered",
  "read",
  "played",
  "canceled",
  "expired",
] as const satisfies (keyof typeof REPORTS)[];
/** Where one of these was reported before, a report is not the message's first. */
const FIRST_BITS = COUNTED.reduce((bits, name) => bits | REPORTS[name].bit, 0);
const READ_BITS = REPORTS.read.bit | REPORTS.played.bit;

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(", ");
const NO_ID = "'00000000-0000-0000-0000-000000000000'::uuid";

/** int: the bit of the report of which an event `v` is. */
const BIT = `case v.kind ${COUNTED.map((name) => `when '${name}' then ${REPORTS[name].bit}`).join(" ")} else 0 end`;

/**
 * boolean: whether an event `e` brings its message to the status for the first time. `played` is `read`, and `unknown` is said once more
 * when it is given up.
 */
const IS_STATUS = `case e.kind
        when 'read' then e.seen & ${READ_BITS} = ${REPORTS.read.bit}
        when 'played' then e.seen & ${READ_BITS} = ${REPORTS.played.bit}
        when 'unknown' then e.seen & ${REPORTS.given_up.bit} = 0
        else true end`;

/** The events of messages among `latest`, with what they are counted by. The state is that of their commit, so it never changes. */
const REPORTED = `
    select e.workspace_id, m.phone_number_id,
      -- The provider's clock may be wrong, but nothing is reported before it happens, nor of a message that is not there.
      least(greatest(e.occurred_at, case when m.outbound then m.created_at end), e.created_at) as at,
      case when e.kind in (${quoted(INBOUND)}) then 'received' when e.kind = 'played' then 'read' else e.kind end as status,
      ${IS_STATUS} as is_status, e.seen & ${FIRST_BITS} = e.bit as is_first,
      e.kind in ('failed', 'expired') as is_failure, coalesce(left(e.state -> 'error' ->> 'code', 64), '') as error_code,
      coalesce(left(case when t.fell_back then m.fallback_name else m.template_name end, 512), '') as template,
      coalesce(case when t.fell_back then m.fallback_category else m.category end, '') as category,
      case when e.kind = 'delivered' then ${binOf(
        "extract(epoch from (e.state ->> 'delivered_at')::timestamptz - (e.state ->> 'accepted_at')::timestamptz) * 1000",
      )} end as bin
    from (
      select v.*, ${BIT} as bit, coalesce((v.state ->> 'seen')::int, 0) as seen from latest v
      where v.kind in (${quoted([...INBOUND, ...COUNTED])})) e
    ${each("t", "select coalesce((e.state ->> 'fallback_used')::boolean, false) as fell_back")}
    ${each(
      "m",
      `select m.phone_number_id, m.outbound, m.created_at, m.category, m.fallback_category,
        case when m.type = 'template' then m.content ->> 'name' end as template_name, m.fallback ->> 'name' as fallback_name
      from message m
      where m.workspace_id = e.workspace_id and m.id = e.message_id and not ${isOfHistory("m")}`,
    )}`;

const value = (name: string) => ({ value: `x.${name}`, bin: "x.bin" });
const ADD = addCounts("reported", {
  at: "x.at",
  resource: "x.phone_number_id",
  number: "1",
  counted: [
    { series: "status", ...value("status"), counts: "x.is_status" },
    { series: "category", ...value("category"), counts: "x.is_first" },
    { series: "template", ...value("template"), counts: "x.is_first" },
    { series: "error_code", value: "x.error_code", bin: "null::smallint", counts: "x.is_failure" },
  ],
});

/** `behind`: workspaces with a greater id; of a pass over all, the lowest. */
const BEHIND = columns({ behind: "uuid" });

/**
 * Counts what was reported of messages, workspace by workspace, from the event at which the last count ended: in the order of the
 * transactions, below the oldest that still runs, as the feed is read (features/webhooks/feed), so that none is missed and none counted
 * twice. Counts and place are one transaction, however it ends. It writes nothing for each message; two processes take turns. What it knows of
 * the transactions is noted for readers of the feed.
 *
 * In the answer `behind` is where the next call of this pass goes on, null at its end; `more`: a workspace had more than one step takes.
 */
export const countMessages = hotFunction({
  name: "count_messages",
  input: BEHIND,
  answers: columns({ behind: "uuid?", more: "boolean" }),
  declare: `
  stops timestamptz := clock_timestamp() + ${sqlInterval(CALL_MS)};
  start uuid; last_done uuid; settled xid8; this_era int; has_more boolean := false; marked_at timestamptz;
  w record; s record; lowest_id uuid;`,
  body: `
if not pg_try_advisory_xact_lock(${METRICS_LOCK}) then
  return query select null::uuid, false;
  return;
end if;
start := (select x.behind from ${recordset(BEHIND)} limit 1);
settled := pg_snapshot_xmin(pg_current_snapshot());
this_era := current_era();${noteFeedMark("settled", "this_era")}
for w in
  select k.workspace_id, coalesce(f.era, 0) as era, coalesce(f.xid, '0'::xid8) as xid, coalesce(f.id, ${NO_ID}) as id, f.looked_at
  from workspace k left join metric_frontier f on f.workspace_id = k.workspace_id
  where k.workspace_id > start order by k.workspace_id
loop
  lowest_id := uuid_floor(coalesce(w.looked_at, now) - ${sqlInterval(LATE_MS)});
  with latest as materialized (
    select v.workspace_id, v.era, v.xid, v.id, v.kind, v.message_id, v.occurred_at, v.created_at, v.state from event v
    where v.workspace_id = w.workspace_id and v.sequence > 0 and v.id >= lowest_id
      and (v.era, v.xid, v.id) > (w.era, w.xid, w.id) and (v.era, v.xid) < (this_era, settled)
    order by v.era, v.xid, v.id limit ${EVENTS_A_STEP}),
  reported as materialized (${REPORTED}),
  added as (${ADD})
  select f.era, f.xid, f.id, count(*) over () as events into s from latest f order by f.era desc, f.xid desc, f.id desc limit 1;
  if s.events = ${EVENTS_A_STEP} then
    has_more := true;
    -- Ids below are of before the place in the order, not in time: the rest may be as old.
    update metric_frontier f set era = s.era, xid = s.xid, id = s.id where f.workspace_id = w.workspace_id;
    if not found then
      insert into metric_frontier (workspace_id, era, xid, id, looked_at) values (w.workspace_id, s.era, s.xid, s.id, now);
    end if;
  elsif s.events > 0 or w.looked_at is null or w.looked_at < now - ${sqlInterval(FOLLOWS_MS)} then
    insert into metric_frontier as f (workspace_id, era, xid, id, looked_at)
    values (w.workspace_id, this_era, settled, ${NO_ID}, now)
    on conflict (workspace_id) do update set
      era = excluded.era, xid = excluded.xid, id = excluded.id, looked_at = greatest(f.looked_at, excluded.looked_at);
  end if;
  last_done := w.workspace_id;
  exit when clock_timestamp() > stops;
end loop;
return query select case when exists (select from workspace k where k.workspace_id > last_done) then last_done end, has_more;`,
});
