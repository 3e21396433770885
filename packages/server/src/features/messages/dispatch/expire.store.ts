import { columns, each, hotFunction, of, recordset, sqlInterval } from "../../../db/hot-function.ts";
import { EXPIRE_LOCK } from "../../../db/locks.ts";
import { deleteRows } from "../../../lanes/finished-rows.sql.ts";
import { READY } from "../../../lanes/lane-kinds.ts";
import { RETURN_VARIABLES, takeReturns } from "../../limits/ledger.sql.ts";
import { SLOTS_FILLED, SLOTS_MASK, SLOTS_OF_EVENTS } from "../../webhooks/event.sql.ts";
import { applyReports, lockStates, REPORTED_UNREACHED } from "../message.sql.ts";
import { REPORTS } from "../status.ts";

/** Messages that one call ends. Each may be an event for many endpoints. */
export const EXPIRED_A_CALL = 100;
/** A lane ends at once what is due when it ends; one that is closed does not. */
const LEFT_TO_LANE_MS = 10_000;

const DUE = columns({
  up_to: "timestamptz",
  /** Of each message that ends. */
  error: of<object>("json"),
});

/** The rows `d` of the queue that are to end. */
const overdue = (columns: string, most: number): string => `
    select ${columns} from dispatch d
    where d.expires_at <= x.up_to and d.state = ${READY}
      -- Its lane put it back until its end, and knows what it waited for.
      and (d.due < d.expires_at or d.expires_at <= x.up_to - ${sqlInterval(LEFT_TO_LANE_MS)})
    order by d.expires_at limit ${most}`;

/**
 * Ends messages whose `expires_at` has passed and of which no attempt is under way or unsettled, also in lanes that are closed, are
 * paused or have a long backlog. One process at a time. One input row; one answer row for each message that it ended.
 */
export const expireSends = hotFunction({
  name: "expire_sends",
  input: DUE,
  answers: columns({ workspace_id: "uuid", message_id: "uuid", slots_mask: "text" }),
  declare: `${SLOTS_FILLED}${RETURN_VARIABLES}
  r record;
  ended_message uuid[];
  ended_slot smallint[];
  ended_workspace uuid[];
  ended_seq bigint[];`,
  body: `
-- Most calls find none, and starting what follows takes milliseconds of a busy database.
perform from ${recordset(DUE)} cross join lateral (${overdue("d.seq", 1)}) d;
if not found then return; end if;
if not pg_try_advisory_xact_lock(${EXPIRE_LOCK}) then return; end if;
with overdue as materialized (
  select d.workspace_id, d.message_id, x.error from ${recordset(DUE)}
  cross join lateral (${overdue("d.workspace_id, d.message_id", EXPIRED_A_CALL)}) d),
given as materialized (
  select x.*, now as at, null::json as pricing, null::text as provider_message_id,
    row_number() over (order by x.workspace_id, x.message_id) as ordinality
  from overdue x),
${lockStates("given")},
found as materialized (
  select d.slot, d.workspace_id, d.seq, x.message_id, x.ordinality from locked x
  ${each(
    "d",
    `
    select d.slot, d.workspace_id, d.seq from dispatch d
    where (x.state).rank = 0 and d.slot = (x.state).slot and d.seq = (x.state).seq and d.workspace_id = x.workspace_id
      and d.state = ${READY}
    for update`,
  )}),
reports as materialized (
  select x.*, case when x.ordinality = any((select array_agg(f.ordinality) from found f)::bigint[])
    then ${REPORTS.expired.bit} end as bit
  from locked x),
${applyReports("reports")}
select slots_filled | ${SLOTS_OF_EVENTS}, ${REPORTED_UNREACHED}, array_agg(f.message_id order by f.ordinality),
  array_agg(f.slot order by f.ordinality), array_agg(f.workspace_id order by f.ordinality),
  array_agg(f.seq order by f.ordinality)
into slots_filled, unreached, ended_message, ended_slot, ended_workspace, ended_seq
from found f;
${takeReturns("now")}
${deleteRows("dispatch", "ended")}
return query select u.workspace_id, u.message_id, ${SLOTS_MASK}
  from unnest(ended_workspace, ended_message) as u(workspace_id, message_id);`,
});
