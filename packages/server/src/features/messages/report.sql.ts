import { changeLocked } from "../../db/hot-function.ts";
import { type EventStep, emitEvent, emitEventRows } from "../events/event.sql.ts";
import { consentsOf } from "../identity/consent/consent.sql.ts";
import { eventKindOf, REPORT_NAMES, REPORTS, UNREACHED_BITS } from "../threads/status.ts";
import type { MessageState } from "./render.ts";

const rankOf = (bit: string): string =>
  `case ${bit} ${Object.values(REPORTS)
    .map((report) => `when ${report.bit} then ${report.rank}`)
    .join(" ")} end`;

/** int: the bits of the reports that rank above this one. */
const aboveOf = (bit: string): string =>
  `case ${bit} ${Object.values(REPORTS)
    .map(({ bit: own, rank }) => `when ${own} then ${bitsAbove(rank)}`)
    .join(" ")} end`;

const bitsAbove = (rank: number): number =>
  Object.values(REPORTS).reduce((bits, report) => (report.rank > rank ? bits | report.bit : bits), 0);

const kindOf = (bit: string): string =>
  `case ${bit} ${REPORT_NAMES.map((report) => `when ${REPORTS[report].bit} then '${eventKindOf(report)}'`).join(" ")} end`;

const TIMES = [
  "accepted_at",
  "sent_at",
  "delivered_at",
  "read_at",
  "failed_at",
] as const satisfies (keyof MessageState)[];

/**
 * json of a state row as events keep it: what may still change, as it was after this report, without what is not known. Put together as
 * text: `json_build_object` looks up the type of each value, and `json_strip_nulls`, which would take the nulls out of the provider's
 * own errors too, parses it once more; both took 5.4 µs, this 2.1.
 */
export function stateSnapshot(row: string, among: Among = "batch"): string {
  const known = (name: keyof MessageState, json: string): string => `coalesce(',"${name}":' || ${json}, '')`;
  const flag = (name: keyof MessageState): string =>
    `case when ${was(among, name).replace("x", row)} then ',"${name}":true' else '' end`;
  const fields = [
    ...TIMES.map((name) => known(name, `to_json(${row}.${name})`)),
    known("provider_message_id", `to_json(${row}.known_provider_id)`),
    flag("possible_duplicate"),
    flag("fallback_used"),
    known("error", `${row}.known_error`),
    known("pricing", `${row}.known_pricing`),
  ];
  return `('{"seen":' || ${row}.seen || ',"rank":' || ${row}.rank || ${fields.join(" || ")} || '}')::json`;
}

/** The rows of one message in a call, up to this one, in the order given. */
const UP_TO_HERE = "(partition by x.workspace_id, x.message_id order by x.ordinality)";
/** Those before this one. */
const BEFORE_THIS =
  "(partition by x.workspace_id, x.message_id order by x.ordinality rows between unbounded preceding and 1 preceding)";

/**
 * What a report is judged among: the reports of its call, of which `state` is the state row before the call; or none, where the columns
 * of that row are the record's own.
 */
type Among = "batch" | "alone";
/** A column of the state row as it was before the call. */
const was = (among: Among, name: string): string => (among === "alone" ? `x.was_${name}` : `(x.state).${name}`);

/** Of the values of the reports up to this one (a null is none): the last, the first, all bits. Of one alone it is its own. */
const lastOf = (among: Among, value: string, where: string): string => {
  if (among === "alone") return where === "" ? value : `case when ${where} then ${value} end`;
  const filter = `filter (where ${value} is not null${where === "" ? "" : ` and ${where}`}) over w`;
  return `(array_agg(${value}) ${filter})[count(*) ${filter}]`;
};
const upToHere = (among: Among, aggregate: string, value: string, where = ""): string => {
  if (among === "alone") return where === "" ? value : `case when ${where} then ${value} end`;
  return `${aggregate}(${value})${where === "" ? "" : ` filter (where ${where})`} over w`;
};
/** The time of the earliest of these reports: of each kind, one at most is new. Only `read_at` takes two kinds. */
const timeOf = (among: Among, ...reports: (keyof typeof REPORTS)[]): string =>
  upToHere(among, "min", "x.at", `x.bit in (${reports.map((name) => REPORTS[name].bit).join(", ")})`);

/**
 * First part of the status step, a part of a `with`: the state row of each row of the part `given`, locked in the one global
 * order before anything is written. `locked` is `given` with `state`, null where there is none.
 */
export const lockStates = (given: string): string => `
  locked as materialized (
    select x.*, s.state from (select * from ${given} x order by x.workspace_id, x.message_id, x.ordinality) x
    left join lateral (
      select s as state from message_state s
      where s.workspace_id = x.workspace_id and s.id = x.message_id
      for no key update) s on true)`;

/** int: the bits seen of the message, those of earlier rows of the call included. */
const seenBefore = (among: Among): string =>
  among === "alone" ? was(among, "seen") : `((x.state).seen | coalesce(bit_or(x.bit) over ${BEFORE_THIS}, 0))`;
export const SEEN_BEFORE = seenBefore("batch");

/** int: the reports that had a price, of a state row. Where an earlier version stored one, any of those that it had seen may have had it. */
const pricedOf = (column: (name: string) => string): string =>
  `case when ${column("pricing")} is null then 0 else coalesce(${column("priced")}, ${column("seen")}) end`;
/** The same before the call. */
const pricedBefore = (among: Among): string => pricedOf((name) => was(among, name));

/** boolean: whether a report above this one had a price before it. From the bits: they are at hand, ranks are not. */
const isOutpriced = (among: Among): string => {
  const priced =
    among === "alone"
      ? pricedBefore(among)
      : `(${pricedBefore(among)} | coalesce(bit_or(x.bit) filter (where x.is_new and x.pricing is not null) over ${BEFORE_THIS}, 0))`;
  return `coalesce(${priced}
        & ${aboveOf("x.bit")} <> 0, false)`;
};

/**
 * json[]: `consents` with the people of whom the provider says, about a message that it refused, that they stopped marketing. Its
 * own report of that may never come: it is sent once, and perhaps to the app that the account had before.
 */
export const REPORTED_STOPS = consentsOf(
  `reported x
    where x.bit = ${REPORTS.failed.bit} and x.error->>'code' = 'recipient_opted_out' and x.error->'provider' is not null`,
  {
    contact: "(x.state).contact_id",
    consent: "'opted_out'",
    source: "'preference'",
    // A provider's clock that is ahead of ours must not outweigh what the person says next.
    at: "least(x.at, now)",
    proof: "x.message_id",
    conversation: "(x.state).conversation",
  },
);

const REACHED = REPORTS.delivered.bit | REPORTS.read.bit | REPORTS.played.bit;
/** Of these some attempt may have reached the person, or did. */
const MAYBE_REACHED = REPORTS.unknown.bit | REACHED;

/** uuid[]: `unreached` with the messages that ended for certain without reaching the person. `takeReturns` gives back whom they counted. */
export const REPORTED_UNREACHED = `unreached || array(
    select x.message_id from reported x where x.bit & ${UNREACHED_BITS} <> 0 and x.seen & ${MAYBE_REACHED} = 0)`;

/**
 * json[]: `reached` with the messages that had failed and have reached the person nevertheless: it came to one of several devices.
 * `takeReturns` has them counted again.
 */
export const REPORTED_REACHED = `reached || array(
    select json_build_object('workspace_id', x.workspace_id, 'message_id', x.message_id) from reported x
    where x.bit & ${REACHED} <> 0 and x.seen & ${REACHED} = x.bit and x.seen & ${UNREACHED_BITS} <> 0)`;

/** The columns of a state row that reports change and a reader of the message needs. */
export const REPORTED_COLUMNS = [
  "seen",
  "rank",
  ...TIMES,
  "provider_message_id",
  "error",
  "pricing",
] as const satisfies readonly (keyof MessageState)[];

/** With what only the next report needs. */
const CHANGED_COLUMNS = [...REPORTED_COLUMNS, "priced"];

/** The rows of `from`, judged: `is_new`, `is_outpriced`, and `known_provider_id`, the first that the message was given. */
const judge = (among: Among, from: string): string => `
    select x.*, ${isOutpriced(among)} as is_outpriced from (
      select x.*, coalesce(${seenBefore(among)} & x.bit = 0, false) as is_new,
        coalesce(${was(among, "provider_message_id")}, ${
          among === "alone"
            ? ""
            : `
          (array_agg(x.provider_message_id) filter (where x.provider_message_id is not null) over ${BEFORE_THIS})[1],`
        }
          x.provider_message_id) as known_provider_id
      from ${from} x) x`;

/** What a new report makes of the state row. */
const reportedAs = (among: Among): string => `
      ${was(among, "seen")} | ${upToHere(among, "bit_or", "x.bit")} as seen,
      greatest(${was(among, "rank")}, ${upToHere(among, "max", rankOf("x.bit"))}) as rank,
      coalesce(${timeOf(among, "accepted")}, ${was(among, "accepted_at")}) as accepted_at,
      coalesce(${timeOf(among, "sent")}, ${was(among, "sent_at")}) as sent_at,
      coalesce(${timeOf(among, "delivered")}, ${was(among, "delivered_at")}) as delivered_at,
      coalesce(${was(among, "read_at")}, ${timeOf(among, "read", "played")}) as read_at,
      coalesce(${timeOf(among, "failed")}, ${was(among, "failed_at")}) as failed_at,
      coalesce(${lastOf(among, "x.error", "")}, ${was(among, "error")}) as known_error,
      -- The price may be on several reports, in any order: that of the highest counts.
      coalesce(${lastOf(among, "x.pricing", "not x.is_outpriced")}, ${was(among, "pricing")}) as known_pricing,
      nullif(${pricedBefore(among)} | coalesce(${upToHere(among, "bit_or", "x.bit", "x.pricing is not null")}, 0), 0) as priced`;

const STATE_COLUMNS = `workspace_id, id, contact_id, conversation, ${CHANGED_COLUMNS.join(", ")}`;
const stateValues = (among: Among): string =>
  `x.workspace_id, x.message_id, ${was(among, "contact_id")}, ${was(among, "conversation")}, x.seen, x.rank, x.accepted_at,
      x.sent_at, x.delivered_at, x.read_at, x.failed_at, x.known_provider_id, x.known_error, x.known_pricing, x.priced`;
const CHANGE_STATE = changeLocked("workspace_id, id", CHANGED_COLUMNS);

/** SQL of a report: a json of what the provider said of the conversation that it counts the message in, and its callback's id. Null: none has any. */
type OfCallback = { conversation: string; callback: string } | null;

const historyColumns = (of: OfCallback): string =>
  `workspace_id, message_id, bit, at, received_at, error${of === null ? "" : ", conversation"}`;
const historyValues = (of: OfCallback): string =>
  `x.workspace_id, x.message_id, x.bit, x.at, now, x.error${of === null ? "" : `, ${of.conversation}`}`;

const reportEvent = (among: Among, of: OfCallback): EventStep => ({
  ...(of === null ? {} : { callback: of.callback }),
  workspace: "x.workspace_id",
  kind: among === "alone" ? "x.kind" : kindOf("x.bit"),
  message: "x.message_id",
  contact: was(among, "contact_id"),
  occurredAt: "x.at",
  state: stateSnapshot("x", among),
  conversation: was(among, "conversation"),
});

/**
 * The status step, parts of a `with`: reports about messages, each written once however often and in whatever order it comes. A new one
 * changes the state row, and is written to history and as an event in the order of `ordinality`; a repeated one writes nothing. `locked`
 * is a part before them with the columns of `lockStates` and workspace_id, message_id, bit (null: no report), at, error, pricing,
 * provider_message_id, ordinality; `of` is of its row `x`. `judged` is `locked` as `judge` says. `SLOTS_OF_EVENTS` has the slots that got work.
 */
export const applyReports = (locked: string, of: OfCallback = null): string => `
  judged as materialized (${judge("batch", locked)}),
  reported as materialized (
    select x.*,${reportedAs("batch")},
      lead(x.ordinality) over w is null as is_last
    from judged x
    where x.is_new
    window w as ${UP_TO_HERE}),
  changed as (
    insert into message_state (${STATE_COLUMNS})
    select ${stateValues("batch")}
    from reported x
    where x.is_last
    ${CHANGE_STATE}),
  recorded as (
    insert into history (${historyColumns(of)})
    select ${historyValues(of)}
    from reported x order by x.ordinality),
  ${emitEventRows("reported", reportEvent("batch", of))}`;

const READ_COLUMNS = ["contact_id", "conversation", "possible_duplicate", "fallback_used", "minted_id"];

/**
 * The same for one report alone, in three steps. This one is a select for the record `x` of what `given` lists (those that `applyReports` asks
 * for at least, each with its name), `is_new`, and what a new report makes of the state row, which is looked up by the record `r`. It
 * locks nothing: `version` is that of the row as it was read.
 */
export const readReport = (given: Readonly<Record<string, string>>, more = ""): string => `
  select ${[...Object.keys(given), "version", "is_new", "known_provider_id", ...READ_COLUMNS.map((name) => `was_${name}`)].map((name) => `x.${name}`).join(", ")},${reportedAs("alone")},
    ${kindOf("x.bit")} as kind${more}
  from (${judge(
    "alone",
    `(
      select ${Object.entries(given)
        .map(([name, value]) => `${value} as ${name}`)
        .join(", ")}, s.xmin as version,
        ${[...READ_COLUMNS, ...CHANGED_COLUMNS].map((name) => `s.${name} as was_${name}`).join(", ")}
      from message_state s
      where s.workspace_id = r.workspace_id and s.id = r.message_id)`,
  )}) x`;

/**
 * The next: the state row of `x` is changed and locked, unless it has another version by now: then `found` is false. A look-up that locks
 * would open all partitions (`inSpan` says why). The row is there: no process deletes rows of this table.
 */
export const CHANGE_READ_STATE = `
    insert into message_state as s (${STATE_COLUMNS})
    values (${stateValues("alone")})
    ${CHANGE_STATE}
    where s.xmin = x.version;`;

/**
 * The last: history and event of `x`, and the event's deliveries for the lanes of this process where `hands` (a boolean) says so. Needs
 * `EVENT_OF_ONE` and `HANDED_VARIABLES`.
 */
export const recordReport = (hands: string, of: OfCallback = null): string => `
    insert into history (${historyColumns(of)})
    values (${historyValues(of)});
    ${emitEvent(reportEvent("alone", of), { when: hands, message: MESSAGE })}`;

const MESSAGE = "(select row_to_json(m) from message m where m.workspace_id = x.workspace_id and m.id = x.message_id)";

/**
 * What repeated reports say more than the first of their kind, each of a row of `reports`: a select with workspace_id, message_id, bit,
 * pricing, error and ordinality. The provider may give the price or the reason of a failure only when it repeats itself. A price counts
 * as it would have with the first report; history and events stay as they were. Needs `r record`.
 */
export const takeMore = (reports: string): string => `
  for r in
    select x.* from (${reports}) x
    where x.pricing is not null or (x.bit = ${REPORTS.failed.bit} and x.error->'provider' is not null)
    order by x.ordinality
  loop
    if r.pricing is not null then
      update message_state s set pricing = r.pricing, priced = ${pricedOf((name) => `s.${name}`)} | r.bit
      where s.workspace_id = r.workspace_id and s.id = r.message_id and s.seen & r.bit <> 0
        and (${pricedOf((name) => `s.${name}`)}) & (r.bit | ${aboveOf("r.bit")}) = 0;
    end if;
    if r.bit = ${REPORTS.failed.bit} and r.error->'provider' is not null then
      update message_state s set error = r.error
      where s.workspace_id = r.workspace_id and s.id = r.message_id and s.error->'provider' is null;
    end if;
  end loop;`;
