import { callWithin } from "../../../db/call-within.ts";
import type { Sql } from "../../../db/database.ts";
import { columns, each, hotFunction, recordset } from "../../../db/hot-function.ts";
import { deleteRows } from "../../../lanes/finished-rows.sql.ts";
import { READY } from "../../../lanes/lane-kinds.ts";
import { SLOTS_FILLED, SLOTS_MASK, SLOTS_OF_EVENTS } from "../../events/event.sql.ts";
import { RETURN_VARIABLES, takeReturns } from "../../limits/ledger.sql.ts";
import { REPORTS } from "../../threads/status.ts";
import { applyReports, lockStates, REPORTED_UNREACHED } from "../report.sql.ts";

const MESSAGE = columns({ workspace_id: "uuid", message_id: "uuid" });

/**
 * Cancels messages of which no attempt is under way or unsettled. The queue row decides: an attempt that begins at the same moment
 * changes it before, or finds it gone.
 */
export const cancelMessages = hotFunction({
  name: "cancel_messages",
  input: MESSAGE,
  answers: columns({
    /** False: it has been sent, is being sent, or ended. */
    canceled: "boolean",
    slots_mask: "text",
  }),
  declare: `${SLOTS_FILLED}${RETURN_VARIABLES}
  verdicts boolean[];
  ended tid[];`,
  body: `
with given as materialized (
  select x.*, now as at, null::json as error, null::json as pricing, null::text as provider_message_id from ${recordset(MESSAGE)}),
${lockStates("given")},
found as materialized (
  select d.place, x.ordinality from locked x
  ${each(
    "d",
    `
    select d.ctid as place from dispatch d
    where (x.state).rank = 0 and d.slot = (x.state).slot and d.seq = (x.state).seq and d.workspace_id = x.workspace_id
      and d.state = ${READY}
    for update`,
  )}),
decided as materialized (
  select x.*, coalesce(x.ordinality = any((select array_agg(f.ordinality) from found f)::bigint[]), false) as is_canceled
  from locked x),
reports as materialized (
  select x.*, case when x.is_canceled then ${REPORTS.canceled.bit} end as bit from decided x),
${applyReports("reports")}
select array_agg(x.is_canceled order by x.ordinality), slots_filled | ${SLOTS_OF_EVENTS}, ${REPORTED_UNREACHED},
  (select array_agg(f.place) from found f)
into verdicts, slots_filled, unreached, ended
from reports x;
${takeReturns("now")}
${deleteRows("dispatch", "ended")};
return query select u.canceled, ${SLOTS_MASK} from unnest(verdicts) with ordinality u(canceled, n) order by u.n;`,
});

/** Cancels a message in the running transaction; false when it is too late. */
export async function cancelIn(sql: Sql, workspaceId: string, messageId: string, now: number): Promise<boolean> {
  const [answer] = await callWithin(sql, cancelMessages, [{ workspace_id: workspaceId, message_id: messageId }], now);
  return answer?.canceled ?? false;
}
