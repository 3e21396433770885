import { EVENT_VARIABLES, emitEvent } from "../webhooks/event.sql.ts";
import { REPORTS } from "./status.ts";

/**
 * The status step: a report about a message, written once however often and in whatever order it comes. New reports write
 * history and event; a repeated one writes nothing and leaves `found` false.
 * Expressions are SQL; the caller declares `STATUS_VARIABLES` and holds the lock of the state row.
 */
export type StatusStep = {
  workspace: string;
  message: string;
  bit: string;
  at: string;
  /** json, null unless failed or unknown. */
  error: string;
  providerMessageId: string;
  pricing: string;
};

export const STATUS_VARIABLES = `${EVENT_VARIABLES}
  st message_state%rowtype;`;

const bits = REPORTS;

const rankOf = (bit: string): string =>
  `case ${bit} ${Object.values(REPORTS)
    .map((report) => `when ${report.bit} then ${report.rank}`)
    .join(" ")} end`;

const kindOf = (bit: string): string =>
  `case ${bit} ${Object.entries(REPORTS)
    .map(([name, report]) => `when ${report.bit} then '${name === "given_up" ? "unknown" : name}'`)
    .join(" ")} end`;

/** json of a state row as events keep it: what may still change, as it was at this commit. */
export const stateSnapshot = (
  row: string,
): string => `json_strip_nulls(json_build_object('seen', ${row}.seen, 'rank', ${row}.rank, 'accepted_at', ${row}.accepted_at,
    'sent_at', ${row}.sent_at, 'delivered_at', ${row}.delivered_at, 'read_at', ${row}.read_at, 'failed_at', ${row}.failed_at, 'provider_message_id', ${row}.provider_message_id,
    'possible_duplicate', nullif(${row}.possible_duplicate, false), 'error', ${row}.error, 'pricing', ${row}.pricing))`;

export const reportStatus = (step: StatusStep): string => `
  update message_state s set
    seen = s.seen | ${step.bit},
    rank = greatest(s.rank, ${rankOf(step.bit)}),
    accepted_at = case when ${step.bit} = ${bits.accepted.bit} then ${step.at} else s.accepted_at end,
    sent_at = case when ${step.bit} = ${bits.sent.bit} then ${step.at} else s.sent_at end,
    delivered_at = case when ${step.bit} = ${bits.delivered.bit} then ${step.at} else s.delivered_at end,
    read_at = case when ${step.bit} in (${bits.read.bit}, ${bits.played.bit}) then coalesce(s.read_at, ${step.at}) else s.read_at end,
    failed_at = case when ${step.bit} = ${bits.failed.bit} then ${step.at} else s.failed_at end,
    error = coalesce(${step.error}, s.error),
    provider_message_id = coalesce(s.provider_message_id, ${step.providerMessageId}),
    pricing = coalesce(${step.pricing}, s.pricing)
  where s.workspace_id = ${step.workspace} and s.id = ${step.message} and s.seen & ${step.bit} = 0
  returning s.* into st;
  if found then
    insert into history (workspace_id, message_id, bit, at, received_at, error) values (${step.workspace}, ${step.message}, ${step.bit}, ${step.at}, now, ${step.error});
    ${emitEvent({
      workspace: step.workspace,
      kind: kindOf(step.bit),
      message: step.message,
      contact: "st.contact_id",
      occurredAt: step.at,
      state: stateSnapshot("st"),
      conversation: "st.conversation",
    })}
  end if;`;

/** Locks the state rows of a batch in the one global order before anything is written; `ids` selects (workspace_id, id). */
export const lockStates = (ids: string): string => `
  perform 1 from (select distinct i.workspace_id, i.id from (${ids}) i order by 1, 2) x
    cross join lateral (select 1 from message_state s where s.workspace_id = x.workspace_id and s.id = x.id for no key update) s;`;
