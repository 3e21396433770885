import { hotFunction, lookUp } from "../../db/hot-function.ts";
import { lockStates, reportStatus, STATUS_VARIABLES } from "./message.sql.ts";

/** One status of a callback. `message_id` when our authenticated value named the message, else it is looked up. */
export type ReportRow = {
  workspace_id: string;
  message_id: string | null;
  provider_message_id: string;
  bit: number;
  at: string;
  error: object | null;
  pricing: unknown;
};

/** `reported`, `repeated`, `parked` (its message is not known yet) or `unknown_message` (named by us, and not here). */
export type ReportAnswer = {
  outcome: "reported" | "repeated" | "parked" | "unknown_message";
  message_id: string | null;
  other_provider_id: boolean;
  wake: string;
};

const REPORTED = `rows from (json_to_recordset(rows) as (workspace_id uuid, message_id uuid, provider_message_id text, bit int, at timestamptz, error json, pricing json)) with ordinality x`;
const RESOLVED = `${REPORTED} ${lookUp("k", "select k.message_id from provider_message k where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id")}`;

/**
 * Applies statuses of callbacks. It never touches the queue: the lane's owner alone does, and finds the evidence in the
 * state row. The status may come before our own outcome is stored, so it writes the provider's id as well.
 */
export const reportStatuses = hotFunction({
  name: "report_statuses",
  returns: "outcome text, message_id uuid, other_provider_id boolean, wake text",
  declare: `${STATUS_VARIABLES}
  r record;
  verdict text;
  twice boolean;`,
  body: `
${lockStates(`select x.workspace_id, coalesce(x.message_id, k.message_id) as id from ${RESOLVED}`)}
for r in select x.*, coalesce(x.message_id, k.message_id) as message, k.message_id as keyed from ${RESOLVED} order by x.ordinality loop
  twice := false;
  if r.message is null then
    insert into parked_status (workspace_id, provider_message_id, bit, at, received_at, error, pricing)
    values (r.workspace_id, r.provider_message_id, r.bit, r.at, now, r.error, r.pricing) on conflict do nothing;
    verdict := 'parked';
  else
    ${reportStatus({ workspace: "r.workspace_id", message: "r.message", bit: "r.bit", at: "r.at", error: "r.error", providerMessageId: "r.provider_message_id", pricing: "r.pricing" })}
    if found then
      verdict := 'reported';
      -- Two provider ids for one message: it was sent twice, and that must be known.
      twice := st.provider_message_id <> r.provider_message_id;
      if r.keyed is null then
        insert into provider_message (workspace_id, provider_message_id, message_id, created_at) values (r.workspace_id, r.provider_message_id, r.message, now) on conflict do nothing;
      end if;
    else
      verdict := case when exists (select from message_state s where s.workspace_id = r.workspace_id and s.id = r.message) then 'repeated' else 'unknown_message' end;
    end if;
  end if;
  return query select verdict, r.message, twice, fan::text;
end loop;`,
});

/**
 * Statuses that were parked while their send's outcome was being written by another transaction: joined afterwards. Each
 * input row names how long one must have waited.
 */
export const joinParked = hotFunction({
  name: "join_parked",
  returns: "message_id uuid, wake text",
  declare: `${STATUS_VARIABLES}
  r record;`,
  body: `
for r in
  select w.*, k.message_id as message from parked_status w
  join provider_message k on k.workspace_id = w.workspace_id and k.provider_message_id = w.provider_message_id
  order by w.workspace_id, k.message_id limit 500
loop
  ${reportStatus({ workspace: "r.workspace_id", message: "r.message", bit: "r.bit", at: "r.at", error: "r.error", providerMessageId: "r.provider_message_id", pricing: "r.pricing" })}
  delete from parked_status w where w.workspace_id = r.workspace_id and w.provider_message_id = r.provider_message_id and w.bit = r.bit;
  return query select r.message, fan::text;
end loop;`,
});
