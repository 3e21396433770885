import { type AnswerOf, columns, hotFunction, of } from "../../../db/hot-function.ts";
import { SLOTS_FILLED, SLOTS_MASK } from "../../webhooks/event.sql.ts";
import { INBOUND, type InboundRow, RECEIVE_MESSAGES, RECEIVE_VARIABLES } from "./inbound.store.ts";
import { REPORT_STATUSES, REPORT_VARIABLES, type ReportRow, STATUS } from "./status.store.ts";

export type TakenRow = ReportRow | InboundRow;

const TAKEN = columns({
  outcome: of<"reported" | "repeated" | "parked" | "unknown_message" | "received">("text"),
  message_id: "uuid?",
  other_provider_id: "boolean",
  slots_mask: "text",
});
export type TakenAnswer = AnswerOf<typeof TAKEN>;

const APPLY_VARIABLES = `${SLOTS_FILLED}${REPORT_VARIABLES}${RECEIVE_VARIABLES}
  rows_text text;
  runs json[];
  kinds text[];
  all_verdicts text[] := '{}';
  all_messages uuid[] := '{}';
  all_sent_twices boolean[] := '{}';
  r record;`;

/** Text that a row of the kind begins with. Found in content too, it only costs the longer way. */
const begins = (kind: TakenRow["kind"]): string => `position('{"kind":"${kind}"' in rows_text) > 0`;

/**
 * Applies `rows` (`TakenRow`), statuses and inbound messages, in the order given: what one number reports becomes events in the
 * order of its callbacks. Rows of one kind that follow each other are a run, and a run is one pass. What became of each row is
 * left in `all_verdicts`, `all_messages` and `all_sent_twices`.
 */
const APPLY_REPORTS = `
rows_text := rows::text;
runs := array[rows];
kinds := array[case when ${begins("status")} then 'status' else 'message' end];
if ${begins("status")} and ${begins("message")} then
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
  if kinds[run] = 'status' then
${REPORT_STATUSES}
  else
${RECEIVE_MESSAGES}
  end if;
  all_verdicts := all_verdicts || verdicts;
  all_messages := all_messages || messages;
  all_sent_twices := all_sent_twices || sent_twices;
end loop;`;

/** Takes what callbacks of the queue say of messages. One answer for each row, in their order. */
export const takeReports = hotFunction({
  name: "take_reports",
  input: [STATUS, INBOUND],
  answers: TAKEN,
  declare: APPLY_VARIABLES,
  body: `${APPLY_REPORTS}
return query select u.verdict, u.message, u.sent_twice, ${SLOTS_MASK}
  from unnest(all_verdicts, all_messages, all_sent_twices) with ordinality u(verdict, message, sent_twice, n)
  order by u.n;`,
});

/**
 * The order in which rows are applied, as their indexes. Rows of a number keep their order; across numbers, rows of one kind
 * are put together, because a run of one kind is one pass of the function. Even rounds are statuses, odd ones messages.
 */
export function byRuns(rows: readonly TakenRow[]): number[] {
  const rounds = new Map<string, number>();
  const roundOf = rows.map((row) => {
    const parity = row.kind === "status" ? 0 : 1;
    const before = rounds.get(row.phone_number_id) ?? parity;
    const round = before % 2 === parity ? before : before + 1;
    rounds.set(row.phone_number_id, round);
    return round;
  });
  return rows.map((_, index) => index).sort((a, b) => (roundOf[a] ?? 0) - (roundOf[b] ?? 0) || a - b);
}
