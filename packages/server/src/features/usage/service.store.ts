import type { Sql } from "../../db/database.ts";
import { columns, hotFunction, lookUp, sqlInterval } from "../../db/hot-function.ts";
import { SERVICE_LOCK } from "../../db/locks.ts";
import { DAY_MS } from "../../lib/duration.ts";
import { ZONE_STEP_MS } from "../../lib/time-zone.ts";
import { REPORTS } from "../threads/status.ts";
import { isEntryPoint, isExempt, priceCategory } from "./price.sql.ts";
import { countSlices, cutSlices, dueSlices, orLeave, type Slices, sliceVariables } from "./slices.sql.ts";

// Not by messages, as usage: one that is delivered days after it was sent would be found days later. Each report that is new is an event,
// in the order of time, and the first of these reports of a message places it.

const SLICES: Slices = {
  rows: "event",
  slice: "service_slice",
  frontier: "service_frontier",
  // What the month began with in any time zone, of which some are 14 hours from UTC.
  begin: "uuid_floor(date_trunc('month', now - interval '14 hours', 'UTC') - interval '14 hours')",
};

/** New events are counted within a minute. Later only a price that came late, or a `delivered` behind `read`, changes anything. */
const AGAIN = { shareOfAge: 2, rowMs: 6, leastMs: 30_000 };

/** Months that are over are kept for looking back. */
const KEPT_MS = 70 * DAY_MS;

const DELIVERIES = ["delivered", "read", "played"] as const;
const DELIVERY_BITS = DELIVERIES.reduce((bits, name) => bits | REPORTS[name].bit, 0);

/** boolean: whether an event `e` is the first that says that its message has arrived: one for each message, whatever comes later. */
const IS_FIRST_DELIVERY = `case e.kind
          ${DELIVERIES.map((name) => `when '${name}' then (e.state ->> 'seen')::int & ${DELIVERY_BITS} = ${REPORTS[name].bit}`).join("\n          ")}
          else false end`;

/** text, of a state row `i`: what it counts as by its price; '' without one. */
const CATEGORY = `coalesce(${priceCategory("i.pricing")}, '')`;

/**
 * boolean: whether a message `m` that was delivered is a service message of the allowance. A price decides, where there is one; without
 * one those that were sent from here are.
 */
const IS_COUNTED = `m.type <> 'reaction' and not d.is_free
        and (d.category <> '' or m.type <> 'template' and not d.fallback_used and m.provided ->> 'origin' is null
        and m.provided ->> 'handled_by' is null)`;

/** timestamptz: the row of `service_use` for a moment. The months of no time zone begin within another day. */
const placeOf = (at: string): string =>
  `case when 1 in (extract(day from ${at} at time zone 'UTC'), extract(day from ${at} at time zone 'UTC' + interval '1 day'))
          then date_bin(${sqlInterval(ZONE_STEP_MS)}, ${at}, timestamptz 'epoch')
          else date_trunc('day', ${at}, 'UTC') end`;

const GROUP = "number uuid, at timestamptz, count bigint";

/** Looks through the slice `s`. Of most messages, which are templates with a price, only the state is read. */
const COUNT_SLICE = `
  select coalesce(json_agg(g) filter (where g.number is not null), '[]'), coalesce(sum(g.count), 0) into counted, total from (
    select n.number, case when n.number is not null then ${placeOf("d.at")} end as at, count(*) as count
    from event e
    ${lookUp(
      "d",
      `
      select coalesce(i.delivered_at, i.read_at) as at, i.fallback_used, ${CATEGORY} as category,
        i.pricing is not null and (${isExempt("i.pricing")} or ${isEntryPoint("i.pricing")}) as is_free
      from message_state i
      where ${IS_FIRST_DELIVERY} and i.workspace_id = e.workspace_id and i.id = e.message_id`,
    )}
    ${lookUp(
      "n",
      `
      select m.phone_number_id as number from message m
      where d.category in ('', 'service', 'group_service') and m.workspace_id = e.workspace_id and m.id = e.message_id
        and ${IS_COUNTED}`,
    )}
    where e.workspace_id = s.workspace_id and e.id >= s.first and e.id < s.until
    group by 1, 2) g;`;

const CORRECT = `
  insert into service_use as u (workspace_id, phone_number_id, at, count)
  select s.workspace_id, x.number, x.at, sum(x.count)
  from (
    select n.* from json_to_recordset(counted) as n(${GROUP})
    union all
    select o.number, o.at, -o.count from json_to_recordset(s.groups) as o(${GROUP})) x
  group by x.number, x.at
  having sum(x.count) <> 0
  order by x.number, x.at
  on conflict (workspace_id, phone_number_id, at) do update set count = u.count + excluded.count;`;

const FORGET = `
    delete from service_use u where u.workspace_id = s.workspace_id and u.at < now - ${sqlInterval(KEPT_MS)};`;

/**
 * Keeps `service_use`, as `count_usage` keeps usage: each message at the moment at which it was delivered, or read where no `delivered`
 * came, in whatever order that was reported; once, however often. It writes nothing for each message.
 */
export const countService = hotFunction({
  name: "count_service",
  input: [],
  answers: columns({ slices: "int", more: "boolean" }),
  declare: sliceVariables(SLICES),
  body: `${orLeave(SERVICE_LOCK)}
${cutSlices(SLICES)}
${countSlices(SLICES, { count: COUNT_SLICE, correct: CORRECT, rowsBefore: "events", end: FORGET }, AGAIN)}`,
});

export const DUE_SERVICE = dueSlices(SLICES.slice);

/** Of which number, from when up to below when; both are moments at which months begin. */
export type ServiceSpan = { phone_number_id: string; first: Date; last: Date };

/** Service messages delivered in spans, for each number that had any. */
export const selectServiceUse = (
  sql: Sql,
  workspaceId: string,
  spans: readonly ServiceSpan[],
): Promise<{ phone_number_id: string; count: number }[]> =>
  sql.query(
    `select x.phone_number_id, sum(u.count)::bigint as count
     from unnest($2::uuid[], $3::timestamptz[], $4::timestamptz[]) as x(phone_number_id, first, last)
     join service_use u on u.workspace_id = $1 and u.phone_number_id = x.phone_number_id and u.at >= x.first and u.at < x.last
     group by x.phone_number_id`,
    [
      workspaceId,
      spans.map((span) => span.phone_number_id),
      spans.map((span) => span.first.toISOString()),
      spans.map((span) => span.last.toISOString()),
    ],
  );
