import { emitEvents, SLOTS_OF_EVENTS } from "../webhooks/events/event.sql.ts";
import { REPORTS } from "./status.ts";

/**
 * The status step: a report about a message, written once however often and in whatever order it comes. Of a new one history
 * and event are remembered, for `tellReports` to write; a repeated one writes nothing and leaves `found` false.
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

/** What is remembered of each report until `tellReports`: arrays, one element a report. */
const REMEMBERED = {
  workspace_id: "uuid",
  message_id: "uuid",
  contact_id: "uuid",
  conversation: "bigint",
  bit: "int",
  at: "timestamptz",
  error: "json",
  state: "json",
} as const;
type Remembered = keyof typeof REMEMBERED;
const COLUMNS = Object.keys(REMEMBERED) as Remembered[];

/** Beside them stands `fan`, of `EVENT_VARIABLES` or alone. */
export const STATUS_VARIABLES = `
  st message_state%rowtype;
  ${COLUMNS.map((column) => `reported_${column} ${REMEMBERED[column]}[] := '{}';`).join("\n  ")}`;

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
    ${remember({
      workspace_id: step.workspace,
      message_id: step.message,
      contact_id: "st.contact_id",
      conversation: "st.conversation",
      bit: step.bit,
      at: step.at,
      error: step.error,
      state: stateSnapshot("st"),
    })}
  end if;`;

const remember = (values: Record<Remembered, string>): string =>
  COLUMNS.map((column) => `reported_${column} := array_append(reported_${column}, ${values[column]});`).join("\n    ");

/** Writes history and events of all reports since the last time, in their order. */
export const tellReports = `
  if cardinality(reported_bit) > 0 then
    with reported as materialized (
      select * from unnest(${COLUMNS.map((column) => `reported_${column}`).join(", ")}) with ordinality u(${COLUMNS.join(", ")}, ordinality)),
    recorded as (
      insert into history (workspace_id, message_id, bit, at, received_at, error)
      select x.workspace_id, x.message_id, x.bit, x.at, now, x.error from reported x order by x.ordinality),
    ${emitEvents("reported", {
      workspace: "x.workspace_id",
      kind: kindOf("x.bit"),
      message: "x.message_id",
      contact: "x.contact_id",
      occurredAt: "x.at",
      state: "x.state",
      conversation: "x.conversation",
    })}
    select fan | ${SLOTS_OF_EVENTS} into fan;
    ${COLUMNS.map((column) => `reported_${column} := '{}';`).join("\n    ")}
  end if;`;

/** Locks the state rows of a batch in the one global order before anything is written; `ids` selects (workspace_id, id). */
export const lockStates = (ids: string): string => `
  perform 1 from (select distinct i.workspace_id, i.id from (${ids}) i order by 1, 2) x
    cross join lateral (select 1 from message_state s where s.workspace_id = x.workspace_id and s.id = x.id for no key update) s;`;
