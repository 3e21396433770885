import { columns, hotFunction, lookUp, of, type RowOf, recordset, sqlInterval } from "../../../db/hot-function.ts";
import { JOIN_LOCK } from "../../../db/locks.ts";
import type { Question } from "../../../db/question.ts";
import { SLOTS_FILLED, SLOTS_MASK, SLOTS_OF_EVENTS } from "../../events/event.sql.ts";
import { CONSENT_VARIABLES, TAKE_CONSENTS } from "../../identity/consent/consent.sql.ts";
import { survivorOf } from "../../identity/identifiers.sql.ts";
import { CLAIM, CLAIM_VARIABLES, claimsOf, NAMED, wasTaken } from "../../identity/recipient.sql.ts";
import { RETURN_VARIABLES, takeReturns } from "../../limits/ledger.sql.ts";
import { ownersOf } from "../../threads/owner.sql.ts";
import { REPORT_NAMES, REPORTS } from "../../threads/status.ts";
import {
  applyReports,
  lockStates,
  REPORTED_REACHED,
  REPORTED_STOPS,
  REPORTED_UNREACHED,
  takeMore,
} from "../report.sql.ts";
import { auditSentTwice } from "../sent-twice.sql.ts";
import { ACCEPTED_BITS, takenByLost } from "../taken-thread.sql.ts";
import { setAside } from "./callback.sql.ts";
import { PARKED_VARIABLES, REPORT_PARKED, takeParked } from "./parked.sql.ts";

/** One status of a callback. */
export const STATUS = columns({
  /** `copy`: of a message that another responder sent, or it is ignored. */
  kind: of<"status" | "copy">("text"),
  workspace_id: "uuid",
  /** Whose it is: statuses that wait for their message are bounded for each number. */
  phone_number_id: "uuid",
  /** When our authenticated value named the message; else it is looked up. */
  message_id: "uuid?",
  provider_message_id: "text",
  bit: "int",
  at: "timestamptz",
  error: of<object>("json?"),
  pricing: "json",
  conversation: of<object>("json?"),
  /** The raw callback that has it. */
  callback_id: "uuid?",
  /** What the provider calls the recipient. */
  ...CLAIM,
  ...NAMED,
});
export type ReportRow = RowOf<typeof STATUS>;

/** boolean: whether a provider's id `k` is that of a message that came in. */
const IS_INBOUND = "coalesce(k.inbound, is_inbound_message(k.workspace_id, k.message_id))";

const REPORTED = recordset(STATUS);
// What our authenticated value names is never a message that came in.
const RESOLVED = `${REPORTED} ${lookUp(
  "k",
  `
    select k.message_id, x.message_id is null and ${IS_INBOUND} as is_inbound from provider_message k
    where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id`,
)}`;

/** Of a row of `judged`, also where its status has been reported of the other copy. */
const SENT_TWICE = "((x.state).id is not null and x.known_provider_id <> x.provider_message_id)";

/** A status whose message is not known is looked at after this long: most often the send was just being stored. */
const FIRST_LOOK = sqlInterval(5_000);
/** And once more, when every transaction has ended that may have been storing it: a statement has 8 s, and a queue before it. */
const LAST_LOOK = sqlInterval(30_000);
/** Looked at in one call. */
export const LOOKS_A_CALL = 500;
/** Statuses that a number keeps waiting, its newest: a number that another system sends from too has one for each of that one's. */
export const MOST_PARKED_A_NUMBER = 5_000;

/** Beside `CONSENT_VARIABLES` and `r record`; what became of the rows of a run is left in `verdicts`, `messages` and `sent_twices`. */
export const REPORT_VARIABLES = `${PARKED_VARIABLES}${CLAIM_VARIABLES}
  verdicts text[];
  messages uuid[];
  sent_twices boolean[];
  unnamed boolean[];
  were_lost boolean;
  parked int;`;

/**
 * Applies statuses of callbacks (`ReportRow`). It never touches the queue: the lane's owner alone does, and finds the evidence
 * in the state row. The status may come before our own outcome is stored, so it writes the provider's id as well.
 * Outcomes: `reported`, `repeated`, `parked` (its message is not known yet), `unknown_message` (named by us, and not here) or
 * `inbound_message` (a message that came in has no status).
 */
export const REPORT_STATUSES = `
with given as materialized (
  select x.workspace_id, case when k.is_inbound is not true then coalesce(x.message_id, k.message_id) end as message_id, x.bit,
    x.at, x.error, x.pricing, x.conversation, x.callback_id, x.provider_message_id, k.message_id is null as unnamed, k.is_inbound, ${Object.keys(
      { ...CLAIM, ...NAMED },
    )
      .map((column) => `x.${column}`)
      .join(", ")}, x.ordinality
  from ${RESOLVED}),
${lockStates("given")},
${applyReports("locked", { conversation: "x.conversation", callback: "x.callback_id" })},
named as (
  insert into provider_message (workspace_id, provider_message_id, message_id, created_at, inbound)
  select x.workspace_id, x.provider_message_id, x.message_id, now, false from judged x
  where x.unnamed and (x.is_new or ${SENT_TWICE}) order by x.ordinality
  on conflict do nothing)
select array_agg(x.verdict order by x.ordinality), array_agg(x.message_id order by x.ordinality),
  -- Two provider ids for one message: it was sent twice, and that must be known.
  array_agg(coalesce(x.unnamed and ${SENT_TWICE}, false) order by x.ordinality),
  array_agg(x.is_new and x.unnamed order by x.ordinality),
  coalesce(bool_or(x.is_new and x.unnamed and x.bit & ${ACCEPTED_BITS} <> 0 and (x.state).seen & ${REPORTS.unknown.bit} <> 0), false), slots_filled | ${SLOTS_OF_EVENTS},
  ${REPORTED_STOPS}, ${REPORTED_UNREACHED}, ${REPORTED_REACHED}, ${claimsOf("status", "judged", "not x.is_new", "(x.state).contact_id")},
  has_evidence or coalesce(bool_or(${wasTaken("not x.is_new")}), false)
into verdicts, messages, sent_twices, unnamed, were_lost, slots_filled, consents, unreached, reached, claims, has_evidence
from (
  select x.*, case when x.is_inbound then 'inbound_message' when x.message_id is null then 'parked' when x.is_new then 'reported'
    when (x.state).id is null then 'unknown_message' else 'repeated' end as verdict
  from judged x) x;
if 'parked' = any(verdicts) then
  insert into parked_status
    (workspace_id, provider_message_id, phone_number_id, bit, at, received_at, error, pricing, conversation, callback_id, look_at)
  select x.workspace_id, x.provider_message_id, x.phone_number_id, x.bit, x.at, now, x.error, x.pricing, x.conversation, x.callback_id,
    now + ${FIRST_LOOK}
  from ${REPORTED}
  where verdicts[x.ordinality::int] = 'parked'
  order by x.ordinality
  on conflict do nothing;
  get diagnostics parked = row_count;
  -- A repetition may say more than what waits.
  for r in
    select x.* from ${REPORTED}
    where parked < cardinality(array_positions(verdicts, 'parked')) and verdicts[x.ordinality::int] = 'parked'
      and (x.pricing is not null or x.error is not null)
    order by x.ordinality
  loop
    update parked_status w set pricing = coalesce(w.pricing, r.pricing),
      error = case when w.error->'provider' is null then coalesce(r.error, w.error) else w.error end
    where w.workspace_id = r.workspace_id and w.provider_message_id = r.provider_message_id and w.bit = r.bit
      and (w.pricing is null and r.pricing is not null or w.error->'provider' is null and r.error->'provider' is not null);
  end loop;
end if;
if 'repeated' = any(verdicts) then
  ${takeMore(`
      select x.workspace_id, messages[x.ordinality::int] as message_id, x.bit, x.pricing, x.error, x.ordinality from ${REPORTED}
      where verdicts[x.ordinality::int] = 'repeated'`)}
end if;
${auditSentTwice(REPORTED, "messages[x.ordinality::int]", "sent_twices")}
if position('"thread_not_owned"' in rows_text) > 0 then
  owner_signs := ${ownersOf(
    `${REPORTED}
    ${lookUp("g", "select g.contact_id from message g where g.workspace_id = x.workspace_id and g.id = messages[x.ordinality::int]")}
    -- What another responder's message met says nothing of ours.
    where x.kind = 'status' and verdicts[x.ordinality::int] = 'reported' and x.error->>'code' = 'thread_not_owned'`,
    {
      workspace: "x.workspace_id",
      contact: survivorOf("x.workspace_id", "g.contact_id"),
      phoneNumber: "x.phone_number_id",
      role: "'other'",
      at: "least(x.at, now)",
    },
  )};
end if;
if were_lost then
  owner_signs := ${takenByLost(REPORTED, "messages[x.ordinality::int]", "unnamed[x.ordinality::int]")};
end if;
if true = any(unnamed) then
  -- Earlier ones, which did not carry our value. A call has several runs: those of the run before are done.
  joined := '{}';
  joined_message := '{}';
  for n in 1 .. cardinality(unnamed) loop
    continue when not unnamed[n];
    ${takeParked("(rows->(n - 1)->>'workspace_id')::uuid", "rows->(n - 1)->>'provider_message_id'", "messages[n]")}
  end loop;
  ${REPORT_PARKED}
end if;`;

/** Why a status is set aside that names a message which came in. */
export const OF_INBOUND_MESSAGE = "status of an inbound message";

const NAME_OF_BIT = `case r.bit ${REPORT_NAMES.map((report) => `when ${REPORTS[report].bit} then '${report}'`).join(" ")} end`;

/** A status `r` that waited, and came before the message. */
const SET_PARKED_ASIDE = `
    delete from parked_status w
    where w.workspace_id = r.workspace_id and w.provider_message_id = r.provider_message_id and w.bit = r.bit;
    ${setAside({
      reason: `'${OF_INBOUND_MESSAGE}'`,
      number: "r.phone_number_id",
      workspace: "r.workspace_id",
      change: `json_build_object('kind', 'status', 'providerMessageId', r.provider_message_id, 'status', ${NAME_OF_BIT},
        'at', r.at, 'error', r.error, 'pricing', r.pricing)`,
    })}`;

const LOOK = columns({
  /** The time up to which looks are due. */
  up_to: "timestamptz",
});

/** Whether `join_parked` has any to look at. */
export const PARKED_STATUSES: Question = {
  name: "parked_statuses",
  rows: "select from parked_status w where w.look_at <= now",
};

/**
 * Looks at statuses that were parked while their send's outcome was being written by another transaction, which could not
 * see them: at each once soon and once for the last time, by one process. A call that learns a message's provider id later
 * takes the statuses that wait for it too. One input row. One answer row for each status that was looked at.
 */
export const joinParked = hotFunction({
  name: "join_parked",
  input: LOOK,
  answers: columns({ workspace_id: "uuid", phone_number_id: "uuid?", message_id: "uuid?", slots_mask: "text" }),
  declare: `${SLOTS_FILLED}${CONSENT_VARIABLES}${RETURN_VARIABLES}${PARKED_VARIABLES}
  r record;
  workspaces uuid[] := '{}';
  numbers uuid[] := '{}';
  messages uuid[] := '{}';`,
  body: `
if not pg_try_advisory_xact_lock(${JOIN_LOCK}) then return; end if;
for r in
  select w.*, k.message_id as message, k.is_inbound from ${recordset(LOOK)}
  cross join lateral (
    select w.* from parked_status w where w.look_at <= x.up_to order by w.look_at limit ${LOOKS_A_CALL}) w
  ${lookUp(
    "k",
    `
    select k.message_id, ${IS_INBOUND} as is_inbound from provider_message k
    where k.workspace_id = w.workspace_id and k.provider_message_id = w.provider_message_id`,
  )}
  -- State rows before parked ones, each sorted, as a call that stores an outcome locks them.
  order by k.message_id is null, w.workspace_id, k.message_id, w.received_at
loop
  if r.message is null then
    update parked_status w set look_at = case
      when r.look_at < r.received_at + ${LAST_LOOK} then r.received_at + ${LAST_LOOK} end
    where w.workspace_id = r.workspace_id and w.provider_message_id = r.provider_message_id and w.bit = r.bit;
  elsif r.is_inbound then
    r.message := null;
    ${SET_PARKED_ASIDE}
  else
    perform from message_state s where s.workspace_id = r.workspace_id and s.id = r.message for no key update;
    ${takeParked("r.workspace_id", "r.provider_message_id", "r.message")}
  end if;
  workspaces := workspaces || r.workspace_id;
  numbers := numbers || r.phone_number_id;
  messages := messages || r.message;
end loop;
${REPORT_PARKED}
${TAKE_CONSENTS}
${takeReturns("now")}
return query select u.workspace_id, u.phone_number_id, u.message_id, ${SLOTS_MASK}
  from unnest(workspaces, numbers, messages) as u(workspace_id, phone_number_id, message_id);`,
});

const NUMBER = columns({ workspace_id: "uuid", phone_number_id: "uuid" });

/** Deletes what a number has parked beyond its bound, the oldest first. One answer row for each number that had too many. */
export const trimParked = hotFunction({
  name: "trim_parked",
  input: NUMBER,
  answers: columns({ phone_number_id: "uuid", trimmed: "int" }),
  declare: "r record; n int;",
  body: `
for r in
  select x.*, w.received_at as bound from ${recordset(NUMBER)}
  cross join lateral (
    select w.received_at from parked_status w
    where w.workspace_id = x.workspace_id and w.phone_number_id = x.phone_number_id
    order by w.received_at desc offset ${MOST_PARKED_A_NUMBER} limit 1) w
  order by x.workspace_id, x.phone_number_id
loop
  delete from parked_status w
  where w.workspace_id = r.workspace_id and w.phone_number_id = r.phone_number_id and w.received_at <= r.bound;
  get diagnostics n = row_count;
  return query select r.phone_number_id, n;
end loop;`,
});
