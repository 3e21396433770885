import {
  type Columns,
  columns,
  each,
  hotFunction,
  lookUp,
  of,
  recordset,
  sqlInterval,
} from "../../../db/hot-function.ts";
import { EXPIRE_LOCK } from "../../../db/locks.ts";
import type { Question } from "../../../db/question.ts";
import { deleteRows } from "../../../lanes/finished-rows.sql.ts";
import { READY, SLOTS, UNKNOWN } from "../../../lanes/lane-kinds.ts";
import { inLane, orderIn } from "../../../lanes/queue-sql.ts";
import { statusCanSend } from "../../accounts/numbers/number-status.sql.ts";
import { SLOTS_FILLED, SLOTS_MASK, SLOTS_OF_EVENTS } from "../../events/event.sql.ts";
import { RETURN_VARIABLES, takeReturns } from "../../limits/ledger.sql.ts";
import { EVIDENCE_BITS, REPORTS } from "../../threads/status.ts";
import { applyReports, lockStates, REPORTED_UNREACHED } from "../report.sql.ts";

/** Messages that one call ends. Each may be an event for many endpoints. */
export const ENDED_A_CALL = 100;
/** An open lane ends a message at its `expires_at` by itself, and says why it had waited; those of closed lanes end this much later. */
export const EXPIRY_LEFT_TO_LANE_MS = 2_000;
/** A lane ends at once what is due when it ends; one that is closed does not. */
const LEFT_TO_LANE_MS = 10_000;

type Sweep<Input extends Columns> = {
  name: string;
  input: Input;
  /** A query for these columns of some queue rows `d` that are to end, at most so many. */
  due(columns: string, most: number): string;
  /** json: of a message of which nothing has reached the provider. */
  error: string;
  /** The state in which its queue row must still be. */
  state: number;
};

/**
 * A sweep of messages of all workspaces of which no attempt is under way. What may have reached the provider is given up, unless
 * it is known by now what became of it; other messages expire. One process at a time. One input row; one answer row for each
 * message that it ended.
 */
const sweep = <Input extends Columns>({ name, input, due, error, state }: Sweep<Input>) =>
  hotFunction({
    name,
    input,
    answers: columns({ workspace_id: "uuid", message_id: "uuid", slots_mask: "text" }),
    declare: `${SLOTS_FILLED}${RETURN_VARIABLES}
  ended_message uuid[];
  ended_workspace uuid[];
  ended tid[];`,
    body: `
-- Most calls find none, and starting what follows takes milliseconds of a busy database.
perform from ${recordset(input)} cross join lateral (${due("d.seq", 1)}) d;
if not found then return; end if;
if not pg_try_advisory_xact_lock(${EXPIRE_LOCK}) then return; end if;
with overdue as materialized (
  select d.workspace_id, d.message_id, ${error} as error from ${recordset(input)}
  cross join lateral (${due("d.workspace_id, d.message_id", ENDED_A_CALL)}) d),
given as materialized (
  select x.*, now as at, null::json as pricing, null::text as provider_message_id,
    row_number() over (order by x.workspace_id, x.message_id) as ordinality
  from overdue x),
${lockStates("given")},
found as materialized (
  select d.place, x.workspace_id, x.message_id, x.ordinality from locked x
  ${each(
    "d",
    `
    select d.ctid as place from dispatch d
    where d.slot = (x.state).slot and d.seq = (x.state).seq and d.workspace_id = x.workspace_id and d.state = ${state}
    for update`,
  )}),
decided as materialized (
  select x.*, (x.state).seen & ${REPORTS.unknown.bit} <> 0 as is_lost,
    x.ordinality = any((select array_agg(f.ordinality) from found f)::bigint[]) and (x.state).seen & ${EVIDENCE_BITS} = 0 as is_ended
  from locked x),
reports as materialized (
  select x.workspace_id, x.message_id, x.at, case when not x.is_lost then x.error end as error, x.pricing,
    x.provider_message_id, x.ordinality, x.state,
    case when x.is_ended then case when x.is_lost then ${REPORTS.given_up.bit} else ${REPORTS.expired.bit} end end as bit
  from decided x),
${applyReports("reports")}
select slots_filled | ${SLOTS_OF_EVENTS}, ${REPORTED_UNREACHED}, array_agg(f.message_id order by f.ordinality),
  array_agg(f.workspace_id order by f.ordinality), array_agg(f.place)
into slots_filled, unreached, ended_message, ended_workspace, ended
from found f;
${takeReturns("now")}
${deleteRows("dispatch", "ended")};
return query select u.workspace_id, u.message_id, ${SLOTS_MASK}
  from unnest(ended_workspace, ended_message) as u(workspace_id, message_id);`,
  });

/** Rows of messages whose `expires_at` has passed at `upTo`, the first to end ahead. */
const overdue = (columns: string, upTo: string, most: number): string => `
    select ${columns} from dispatch d
    where d.expires_at <= ${upTo} and d.state = ${READY}
      -- Its lane put it back until its end, and knows what it waited for.
      and (d.due < d.expires_at or d.expires_at <= ${upTo} - ${sqlInterval(LEFT_TO_LANE_MS)})
    order by d.expires_at limit ${most}`;

/** Whether `expire_sends` has messages to end. */
export const OVERDUE_SENDS: Question = {
  name: "overdue_sends",
  rows: overdue("", `now - ${sqlInterval(EXPIRY_LEFT_TO_LANE_MS)}`, 1),
};

/** Ends messages whose `expires_at` has passed, also in lanes that are closed, are paused or have a long backlog. */
export const expireSends = sweep({
  name: "expire_sends",
  input: columns({
    up_to: "timestamptz",
    /** Of each message that ends. */
    error: of<object>("json"),
  }),
  error: "x.error",
  state: READY,
  due: (columns, most) => overdue(columns, "x.up_to", most),
});

/**
 * Gives up messages whose answer was lost, and whose silence was due to be settled before `up_to`, where no process does that: in
 * lanes whose number may not send or is gone. Also those that asked to be sent once more: that was for ten minutes later, and
 * the lane may open after days.
 */
export const giveUpSends = sweep({
  name: "give_up_sends",
  input: columns({ up_to: "timestamptz" }),
  error: "null::json",
  state: UNKNOWN,
  due: (columns, most) => `
    select ${columns} from generate_series(0, ${SLOTS - 1}) as u(slot)
    ${each(
      "l",
      `
      with recursive t(lane) as (
        (select d.lane from dispatch d where d.slot::int = u.slot order by d.lane limit 1)
        union all
        select (select d.lane from dispatch d where d.slot::int = u.slot and d.lane > t.lane order by d.lane limit 1)
        from t where t.lane is not null
      ) select t.lane from t where t.lane is not null`,
    )}
    ${lookUp(
      "n",
      `
      select true as is_open from phone_number n
      join business_account a on a.workspace_id = n.workspace_id and a.id = n.business_account_id and a.status = 'connected'
      where n.lane = l.lane and ${statusCanSend("n.status")}`,
    )}
    ${each(
      "d",
      `
      select d.* from dispatch d
      where n.is_open is null and ${inLane("d", "u.slot", "l.lane")} and d.due > '-infinity' and d.due <= x.up_to
        and d.state = ${UNKNOWN}
      order by d.due, ${orderIn("d")} limit ${most}`,
    )}
    limit ${most}`,
});
