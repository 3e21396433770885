import { innerFunction } from "../../../db/inner-function.ts";
import { SLOTS_OF_EVENTS } from "../../events/event.sql.ts";
import {
  applyReports,
  lockStates,
  REPORTED_REACHED,
  REPORTED_STOPS,
  REPORTED_UNREACHED,
  takeMore,
} from "../report.sql.ts";

// Statuses that came before their message was known, as steps of the functions that learn a message's provider id.

/** For `takeParked` and `REPORT_PARKED`, beside `r record`. */
export const PARKED_VARIABLES = `
  p record;
  joined parked_status[] := '{}';
  joined_message uuid[] := '{}';`;

/** Takes the statuses that wait for a message, whose state row is locked, for `REPORT_PARKED`. Arguments are SQL. */
export const takeParked = (workspace: string, providerMessageId: string, message: string): string => `
  for p in
    delete from parked_status w
    where w.workspace_id = ${workspace} and w.provider_message_id = ${providerMessageId}
    returning w
  loop
    joined := joined || p.w;
    joined_message := joined_message || ${message};
  end loop;`;

const APPLY_PARKED = innerFunction({
  name: "apply_parked",
  takes: { now: "timestamptz", joined: "parked_status[]", joined_message: "uuid[]" },
  keeps: { slots_filled: "bigint", consents: "json[]", unreached: "uuid[]", reached: "json[]" },
  declare: "r record;",
  body: `
with given as materialized (
  select (joined[j.n]).workspace_id, joined_message[j.n] as message_id, (joined[j.n]).bit, (joined[j.n]).at,
    (joined[j.n]).error, (joined[j.n]).pricing, (joined[j.n]).conversation, (joined[j.n]).callback_id, (joined[j.n]).provider_message_id,
    row_number() over (order by (joined[j.n]).received_at, (joined[j.n]).bit) as ordinality
  from generate_subscripts(joined, 1) as j(n)),
${lockStates("given")},
${applyReports("locked", { conversation: "x.conversation", callback: "x.callback_id" })}
select slots_filled | ${SLOTS_OF_EVENTS}, ${REPORTED_STOPS}, ${REPORTED_UNREACHED}, ${REPORTED_REACHED} into slots_filled, consents, unreached, reached;
${takeMore(`
    select (joined[j.n]).workspace_id, joined_message[j.n] as message_id, (joined[j.n]).bit, (joined[j.n]).pricing, (joined[j.n]).error,
      row_number() over (order by (joined[j.n]).received_at, (joined[j.n]).bit) as ordinality
    from generate_subscripts(joined, 1) as j(n)`)}`,
});

/** Reports what was taken, in the order in which it came. */
export const REPORT_PARKED = `
if cardinality(joined) > 0 then ${APPLY_PARKED.call({ now: "now", joined: "joined", joined_message: "joined_message" })}
end if;`;
