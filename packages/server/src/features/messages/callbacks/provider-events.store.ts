import { type AnswerOf, columns, hotFunction, lookUp, of, type RowOf, recordset } from "../../../db/hot-function.ts";
import { innerFunction } from "../../../db/inner-function.ts";
import { RAISE_MOVED, refuseMoved } from "../../accounts/numbers/number.sql.ts";
import { EVENT_OF_ONE, HANDED, HANDED_VARIABLES, SLOTS_FILLED, SLOTS_MASK } from "../../events/event.sql.ts";
import { CONSENT_VARIABLES, TAKE_CONSENTS } from "../../identity/consent/consent.sql.ts";
import { CLAIM_VARIABLES, EVIDENCE_VARIABLES, TAKE_CLAIMS } from "../../identity/recipient.sql.ts";
import { SENDER_VARIABLES } from "../../identity/sender.sql.ts";
import { RETURN_VARIABLES, takeReturns } from "../../limits/ledger.sql.ts";
import { FILES_VARIABLES, takeFiles } from "../../media/arriving.sql.ts";
import { OWNER_VARIABLES, TAKE_OWNERS } from "../../threads/owner.sql.ts";
import { queueCallbackRows, storeCallbackRows, waitingInLane } from "./callback.sql.ts";
import { ECHO, type EchoRow, TAKE_ECHOES } from "./echo.store.ts";
import { HANDOVER, type HandoverRow, TAKE_HANDOVERS } from "./handover.store.ts";
import { INBOUND, type InboundRow, RECEIVE_MESSAGES, RECEIVE_VARIABLES } from "./inbound.store.ts";
import { CALLBACK_ROW, ONE_REPORT_VARIABLES, TAKE_ONE_REPORT } from "./one-report.sql.ts";
import { PREFERENCE, type PreferenceRow, TAKE_PREFERENCES } from "./preference.store.ts";
import { REPORT_STATUSES, REPORT_VARIABLES, type ReportRow, STATUS } from "./status.store.ts";

export type TakenRow = ReportRow | InboundRow | EchoRow | PreferenceRow | HandoverRow;

const TAKEN = columns({
  outcome: of<"reported" | "repeated" | "parked" | "unknown_message" | "inbound_message" | "received" | "noted">(
    "text",
  ),
  message_id: "uuid?",
  other_provider_id: "boolean",
  /** Of the call: it, or an earlier one with these rows, kept evidence of who a person is. */
  has_evidence: "boolean",
  slots_mask: "text",
});

const APPLY_VARIABLES = `${CONSENT_VARIABLES}${OWNER_VARIABLES}${RETURN_VARIABLES}${SENDER_VARIABLES}${REPORT_VARIABLES}${RECEIVE_VARIABLES}${FILES_VARIABLES}
  rows_text text;
  has_copies boolean;
  known_copies boolean[];
  runs json[];
  kinds text[];
  r record;`;

/** The kinds of rows; those of one kind are one pass. */
const KINDS = [
  "status",
  "message",
  "preference",
  "echo",
  "handover",
  "copy",
] as const satisfies readonly TakenRow["kind"][];

/** Text that a row of the kind begins with. Found in content too, it only costs the longer way. */
const begins = (kind: TakenRow["kind"]): string => `position('{"kind":"${kind}"' in rows_text) > 0`;

/**
 * Statuses of messages that another responder sent are applied where the message is known as such, as a run of statuses. Others may be of
 * messages of ours, of which they say nothing: they are left out of `rows`.
 */
const JUDGE_COPIES = `
    select array_agg(e.is_known order by e.n), json_agg(e.value order by e.n) filter (where e.is_known)
    into known_copies, rows
    from (
      select j.value, j.n,
        is_of_other_responder((j.value->>'workspace_id')::uuid, j.value->>'provider_message_id') as is_known
      from json_array_elements(rows) with ordinality j(value, n)) e;
    verdicts := '{}';
    messages := '{}';
    sent_twices := '{}';`;

/** What became of the rows of a run of copies, with those that were left out. */
const COPIES_JUDGED = `
    select array_agg(case when u.is_known then verdicts[u.place] else 'noted' end order by u.n),
      array_agg(case when u.is_known then messages[u.place] end order by u.n),
      array_agg(u.is_known and sent_twices[u.place] order by u.n)
    into verdicts, messages, sent_twices
    from (
      select k.is_known, k.n, (count(*) filter (where k.is_known) over (order by k.n))::int as place
      from unnest(known_copies) with ordinality k(is_known, n)) u;`;

/**
 * Applies `rows` (`TakenRow`) in the order given: what one number reports becomes events in the
 * order of its callbacks. Rows of one kind that follow each other are a run, and a run is one pass. What became of each row is
 * left in `all_verdicts`, `all_messages` and `all_sent_twices`.
 */
const APPLY_REPORTS = innerFunction({
  name: "apply_reports",
  takes: { rows: "json", now: "timestamptz", again: "boolean" },
  gives: {
    all_verdicts: "text[]",
    all_messages: "uuid[]",
    all_sent_twices: "boolean[]",
    has_evidence: "boolean",
    slots_filled: "bigint",
  },
  declare: APPLY_VARIABLES,
  body: `
all_verdicts := '{}';
all_messages := '{}';
all_sent_twices := '{}';
has_evidence := false;
slots_filled := 0;
rows_text := rows::text;
has_copies := position('"handled_by"' in rows_text) > 0;
runs := array[rows];
kinds := array_remove(array[${KINDS.map((kind) => `case when ${begins(kind)} then '${kind}' end`).join(", ")}], null);
if cardinality(kinds) > 1 then
  select array_agg(x.kind order by x.first), array_agg(x.taken order by x.first) into kinds, runs
  from (
    select e.kind, json_agg(e.value order by e.n) as taken, min(e.n) as first
    from (
      -- The same number for all rows of a run: their place, less their place among those of their kind.
      select v.value, v.n, v.kind, v.n - row_number() over (partition by v.kind order by v.n) as island
      from (
        select j.value, j.n, j.value->>'kind' as kind
        from json_array_elements(rows) with ordinality j(value, n) offset 0) v) e
    group by e.kind, e.island) x;
end if;
for run in 1 .. cardinality(runs) loop
  rows := runs[run];
  if kinds[run] = 'copy' then ${JUDGE_COPIES}
  end if;
  if kinds[run] = 'status' or (kinds[run] = 'copy' and rows is not null) then
${REPORT_STATUSES}
  elsif kinds[run] = 'message' then
${RECEIVE_MESSAGES}
  elsif kinds[run] = 'preference' then
${TAKE_PREFERENCES}
  elsif kinds[run] = 'echo' then
${TAKE_ECHOES}
  elsif kinds[run] = 'handover' then
${TAKE_HANDOVERS}
  end if;
  if kinds[run] = 'copy' then ${COPIES_JUDGED}
  end if;
${TAKE_CONSENTS}
${TAKE_OWNERS}
${takeReturns("now")}
  all_verdicts := all_verdicts || verdicts;
  all_messages := all_messages || messages;
  all_sent_twices := all_sent_twices || sent_twices;
end loop;
${TAKE_CLAIMS}
${takeFiles("rows_text::json", "rows_text", "all_messages")}`,
});

/** What `APPLY_REPORTS` leaves. */
const APPLIED_VARIABLES = `${SLOTS_FILLED}${EVIDENCE_VARIABLES}
  all_verdicts text[] := '{}';
  all_messages uuid[] := '{}';
  all_sent_twices boolean[] := '{}';`;

const applyReports = APPLY_REPORTS.call({ rows: "rows", now: "now", again: "again" });

/** Of every row: the number that it is of. */
const OF_NUMBER = columns({ workspace_id: "uuid", phone_number_id: "uuid" });

/** Takes what callbacks of the queue say of messages. One answer for each row, in their order. */
export const takeReports = hotFunction({
  name: "take_reports",
  input: [STATUS, INBOUND, PREFERENCE, ECHO, HANDOVER],
  answers: TAKEN,
  declare: APPLIED_VARIABLES,
  body: `${refuseMoved(recordset(OF_NUMBER))}
${applyReports}
return query select u.verdict, u.message, u.sent_twice, has_evidence, ${SLOTS_MASK}
  from unnest(all_verdicts, all_messages, all_sent_twices) with ordinality u(verdict, message, sent_twice, n)
  order by u.n;`,
});

const CALLBACK = columns({
  ...CALLBACK_ROW,
  /** What the callback reports, all of one number; at least one. */
  reports: of<readonly TakenRow[]>("json"),
});
export type CallbackRow = RowOf<typeof CALLBACK>;

const TAKEN_CALLBACK = columns({
  /** `queued`: an earlier callback of its lane is in the queue, or one of its reports is to be set aside; it was put into the queue. */
  outcome: of<"taken" | "queued">("text"),
  message_ids: "uuid[]",
  /** Messages that have two provider ids. */
  sent_twice: "uuid[]",
  has_evidence: "boolean",
  slots_mask: "text",
  handed: HANDED,
});
export type TakenCallback = AnswerOf<typeof TAKEN_CALLBACK>;

/** Whether a report of these is on a message of ours that is not here, or on one that came in. */
const isSetAside = (verdicts: string): string => `${verdicts} && '{unknown_message,inbound_message}'`;

/** The callbacks with what became of their reports, which follow each other in the order of the callbacks. */
const CALLBACKS = `(
  select x.*, verdicts_of, x.waiting or ${isSetAside("verdicts_of")} as queued,
    all_messages[x.last - x.reports + 1:x.last] as messages_of, all_sent_twices[x.last - x.reports + 1:x.last] as sent_twices_of
  from (
    select u.*, sum(u.reports) over (order by u.ordinality)::int as last
    from unnest(callback_ids, callback_lanes, callbacks_waiting, report_counts)
      with ordinality u(id, lane, waiting, reports, ordinality)) x,
  lateral (select all_verdicts[x.last - x.reports + 1:x.last] as verdicts_of) v) x`;

/**
 * Stores callbacks and applies what they report, in one transaction. One whose lane has callbacks in the queue goes there
 * behind them instead, so that what a number reports becomes events in the order in which its callbacks were answered. So does
 * one with a report on a message of ours that is not here, or on one that came in, after the others were applied: the queue sets
 * that report aside.
 */
export const takeCallbacks = hotFunction({
  name: "take_callbacks",
  input: CALLBACK,
  answers: TAKEN_CALLBACK,
  declare: `${APPLIED_VARIABLES}${EVENT_OF_ONE}${HANDED_VARIABLES}${CLAIM_VARIABLES}${OWNER_VARIABLES}${ONE_REPORT_VARIABLES}
  callback_ids uuid[];
  callback_lanes int[];
  callbacks_waiting boolean[];
  report_counts int[];
  stored_ids uuid[];
  reports_text text;
  has_moved boolean;`,
  body: `${TAKE_ONE_REPORT}
with given as materialized (
  select x.*, waiting.yes is not null as waiting, o.workspace_id is distinct from x.workspace_id as has_moved
  from ${recordset(CALLBACK)}
  ${waitingInLane}
  ${lookUp("o", `select o.workspace_id from phone_number_route o where o.provider_phone_number_id = x.number`)}
  order by x.ordinality),
${storeCallbackRows("given")}
select array_agg(x.id order by x.ordinality), array_agg(x.lane order by x.ordinality),
  array_agg(x.waiting order by x.ordinality),
  array_agg(case when x.waiting then 0 else json_array_length(x.reports) end order by x.ordinality),
  (select array_agg(s.id) from stored s),
  -- Texts of arrays without their brackets: taking the rows out of the arrays and together again would parse them twice.
  string_agg(btrim(x.reports::text, '[]'), ',' order by x.ordinality) filter (where not x.waiting), bool_or(x.has_moved)
into callback_ids, callback_lanes, callbacks_waiting, report_counts, stored_ids, reports_text, has_moved
from given x;
if has_moved then ${RAISE_MOVED} end if;
if reports_text is not null then
  rows := '[' || reports_text || ']';
${applyReports}
end if;
if true = any(callbacks_waiting) or ${isSetAside("all_verdicts")} then
${queueCallbackRows(`${CALLBACKS} where x.queued and x.id = any(stored_ids)`)};
end if;
return query select case when x.queued then 'queued' else 'taken' end, array_remove(x.messages_of, null),
    case when true = any(x.sent_twices_of) then array(
      select t.message from unnest(x.messages_of, x.sent_twices_of) t(message, sent_twice) where t.sent_twice)
    else '{}' end, has_evidence, ${SLOTS_MASK}, null::json
  from ${CALLBACKS} order by x.ordinality;`,
});

/**
 * The order in which rows are applied, as their indexes. Rows of a number keep their order; across numbers, rows of one kind
 * are put together, because a run of one kind is one pass of the function. The kinds take turns in rounds.
 */
export function byRuns(rows: readonly TakenRow[]): number[] {
  const rounds = new Map<string, number>();
  const roundOf = rows.map((row) => {
    const place = KINDS.indexOf(row.kind);
    const before = rounds.get(row.phone_number_id) ?? place;
    // The next round of its kind.
    const round = before + ((((place - before) % KINDS.length) + KINDS.length) % KINDS.length);
    rounds.set(row.phone_number_id, round);
    return round;
  });
  return rows.map((_, index) => index).sort((a, b) => (roundOf[a] ?? 0) - (roundOf[b] ?? 0) || a - b);
}
