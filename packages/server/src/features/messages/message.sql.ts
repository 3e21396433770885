import { sqlInterval } from "../../db/hot-function.ts";
import { DAY_MS } from "../../lib/duration.ts";
import { emitEventRows, SLOTS_OF_EVENTS } from "../webhooks/event.sql.ts";
import { REPORTS } from "./status.ts";

/** A free-form message needs an inbound one of the last 24 hours; both clocks differ, so a minute is taken off. */
const WINDOW_MS = DAY_MS - 60_000;

/** Whether a free-form message is too late; the expressions are the conversation's last inbound message and the time now. */
export const windowClosed = (lastInboundAt: string, now: string): string =>
  `(${lastInboundAt} is null or ${lastInboundAt} + ${sqlInterval(WINDOW_MS)} <= ${now})`;

/**
 * The status step: a report about a message, written once however often and in whatever order it comes. History and event
 * of a new one are kept in variables, for `writeReports`; a repeated one writes nothing and leaves `found` false.
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

/** What is kept of each report until `writeReports`: arrays, one element a report. */
const KEPT = {
  workspace_id: "uuid",
  message_id: "uuid",
  contact_id: "uuid",
  conversation: "bigint",
  bit: "int",
  at: "timestamptz",
  error: "json",
  state: "json",
} as const;
type Kept = keyof typeof KEPT;
const COLUMNS = Object.keys(KEPT) as Kept[];

/** For `reportStatus` and `writeReports`. Beside them stands `SLOTS_FILLED`, of `EVENT_VARIABLES` or alone. */
export const STATUS_VARIABLES = `
  st message_state%rowtype;
  ${COLUMNS.map((column) => `reported_${column} ${KEPT[column]}[] := '{}';`).join("\n  ")}`;

const rankOf = (bit: string): string =>
  `case ${bit} ${Object.values(REPORTS)
    .map((report) => `when ${report.bit} then ${report.rank}`)
    .join(" ")} end`;

const kindOf = (bit: string): string =>
  `case ${bit} ${Object.entries(REPORTS)
    .map(([name, report]) => `when ${report.bit} then '${name === "given_up" ? "unknown" : name}'`)
    .join(" ")} end`;

/** json of a state row as events keep it: what may still change, as it was at this commit. */
const stateSnapshot = (row: string): string =>
  `json_strip_nulls(json_build_object(
    'seen', ${row}.seen, 'rank', ${row}.rank,
    'accepted_at', ${row}.accepted_at, 'sent_at', ${row}.sent_at, 'delivered_at', ${row}.delivered_at,
    'read_at', ${row}.read_at, 'failed_at', ${row}.failed_at,
    'provider_message_id', ${row}.provider_message_id,
    'possible_duplicate', nullif(${row}.possible_duplicate, false),
    'error', ${row}.error, 'pricing', ${row}.pricing))`;

export function reportStatus(step: StatusStep): string {
  const { bit, at } = step;
  const timeOf = (column: string, report: keyof typeof REPORTS): string =>
    `${column} = case when ${bit} = ${REPORTS[report].bit} then ${at} else s.${column} end`;
  return `
  update message_state s set
    seen = s.seen | ${bit},
    rank = greatest(s.rank, ${rankOf(bit)}),
    ${timeOf("accepted_at", "accepted")},
    ${timeOf("sent_at", "sent")},
    ${timeOf("delivered_at", "delivered")},
    read_at = case when ${bit} in (${REPORTS.read.bit}, ${REPORTS.played.bit}) then coalesce(s.read_at, ${at}) else s.read_at end,
    ${timeOf("failed_at", "failed")},
    error = coalesce(${step.error}, s.error),
    provider_message_id = coalesce(s.provider_message_id, ${step.providerMessageId}),
    pricing = coalesce(${step.pricing}, s.pricing)
  where s.workspace_id = ${step.workspace} and s.id = ${step.message} and s.seen & ${bit} = 0
  returning s.* into st;
  if found then
    ${keep({
      workspace_id: step.workspace,
      message_id: step.message,
      contact_id: "st.contact_id",
      conversation: "st.conversation",
      bit,
      at,
      error: step.error,
      state: stateSnapshot("st"),
    })}
  end if;`;
}

const keep = (values: Record<Kept, string>): string =>
  COLUMNS.map((column) => `reported_${column} := array_append(reported_${column}, ${values[column]});`).join("\n    ");

/** Writes history and events of all reports since the last time, in their order. */
export const writeReports = `
  if cardinality(reported_bit) > 0 then
    with reported as materialized (
      select * from unnest(
        ${COLUMNS.map((column) => `reported_${column}`).join(", ")}
      ) with ordinality u(${COLUMNS.join(", ")}, ordinality)),
    recorded as (
      insert into history (workspace_id, message_id, bit, at, received_at, error)
      select x.workspace_id, x.message_id, x.bit, x.at, now, x.error from reported x order by x.ordinality),
    ${emitEventRows("reported", {
      workspace: "x.workspace_id",
      kind: kindOf("x.bit"),
      message: "x.message_id",
      contact: "x.contact_id",
      occurredAt: "x.at",
      state: "x.state",
      conversation: "x.conversation",
    })}
    select slots_filled | ${SLOTS_OF_EVENTS} into slots_filled;
    ${COLUMNS.map((column) => `reported_${column} := '{}';`).join("\n    ")}
  end if;`;

/** Locks the state rows of a batch in the one global order before anything is written; `ids` selects (workspace_id, id). */
export const lockStates = (ids: string): string => `
  perform 1 from (select distinct i.workspace_id, i.id from (${ids}) i order by 1, 2) x
    cross join lateral (
      select 1 from message_state s where s.workspace_id = x.workspace_id and s.id = x.id for no key update) s;`;
