import { hotFunction } from "../../db/hot-function.ts";
import { type InboundRow, RECEIVE_MESSAGES, RECEIVE_VARIABLES } from "./inbound.store.ts";
import { STATUS_VARIABLES } from "./message.sql.ts";
import { REPORT_STATUSES, REPORT_VARIABLES, type ReportRow } from "./status.store.ts";

export type TakenRow = ReportRow | InboundRow;

export type TakenAnswer = {
  outcome: "reported" | "repeated" | "parked" | "unknown_message" | "received";
  message_id: string | null;
  other_provider_id: boolean;
  wake: string;
};

/**
 * Takes what callbacks say of messages, statuses and inbound ones in the order given: what one number reports becomes events
 * in the order of its callbacks. Rows of one kind that follow each other are a run, and a run is one pass.
 */
export const takeReports = hotFunction({
  name: "take_reports",
  returns: "outcome text, message_id uuid, other_provider_id boolean, wake text",
  declare: `${STATUS_VARIABLES}${REPORT_VARIABLES}${RECEIVE_VARIABLES}
  run record;
  r record;`,
  body: `
for run in
  select e.kind, json_agg(e.value order by e.n) as taken from (
    select v.value, v.n, v.value->>'kind' as kind, v.n - row_number() over (partition by v.value->>'kind' order by v.n) as island
    from json_array_elements(rows) with ordinality v(value, n)) e
  group by e.kind, e.island order by min(e.n)
loop
  rows := run.taken;
  if run.kind = 'status' then
${REPORT_STATUSES}
  else
${RECEIVE_MESSAGES}
  end if;
end loop;`,
});
