import { columns, hotFunction, inSpan, lookUp } from "../../../db/hot-function.ts";
import { deleteRows } from "../../../lanes/finished-rows.sql.ts";
import { READY, STARTED, UNKNOWN } from "../../../lanes/lane-kinds.ts";
import {
  EVENT_OF_ONE,
  HANDED,
  HANDED_VARIABLES,
  SLOTS_FILLED,
  SLOTS_MASK,
  SLOTS_OF_EVENTS,
} from "../../events/event.sql.ts";
import { CONSENT_VARIABLES, TAKE_CONSENTS } from "../../identity/consent/consent.sql.ts";
import { survivorOf } from "../../identity/identifiers.sql.ts";
import { CLAIM_VARIABLES, claimsOf, EVIDENCE_VARIABLES, TAKE_CLAIMS, wasTaken } from "../../identity/recipient.sql.ts";
import { RETURN_VARIABLES, takeReturns } from "../../limits/ledger.sql.ts";
import { OWN_ACT, OWNER_VARIABLES, ownersOf, secondOf, TAKE_OWNERS } from "../../threads/owner.sql.ts";
import { EVIDENCE_BITS, REPORTS } from "../../threads/status.ts";
import { PARKED_VARIABLES, REPORT_PARKED, takeParked } from "../callbacks/parked.sql.ts";
import {
  applyReports,
  lockStates,
  REPORTED_REACHED,
  REPORTED_STOPS,
  REPORTED_UNREACHED,
  SEEN_BEFORE,
} from "../report.sql.ts";
import { auditSentTwice } from "../sent-twice.sql.ts";
import { takenByLost } from "../taken-thread.sql.ts";
import { queueRow } from "./dispatch.store.ts";
import { insertNamed, insertTried, NAMED_VALUES, RESULTS, SETTLED_ROW, TRIED_VALUES } from "./send-result.sql.ts";
import { SETTLE_ONE } from "./settle-one.sql.ts";

const BIT_OF_OUTCOME = `case x.outcome
    when 'accepted' then ${REPORTS.accepted.bit} when 'failed' then ${REPORTS.failed.bit}
    when 'expired' then ${REPORTS.expired.bit} when 'canceled' then ${REPORTS.canceled.bit} when 'unknown' then ${REPORTS.unknown.bit}
    when 'silence' then ${REPORTS.given_up.bit} end`;

/**
 * The recipient is not on the list of a test number, which compares exactly: the form that the provider calls the person may be
 * refused where what the client wrote is on the list.
 */
const IS_REFUSED_FORM = "coalesce(x.outcome = 'failed' and x.error->'provider'->>'code' = '131030', false)";

const IS_TAKING = "(x.outcome = 'accepted' and x.takes_thread is true)";
/** The provider says that another responder owns the conversation. */
const IS_OTHERS_BY_REFUSAL =
  "coalesce(x.outcome = 'failed' and x.error->>'code' = 'thread_not_owned' and x.error->'provider' is not null, false)";

const WAS_ACCEPTED = `(x.state).seen & ${REPORTS.accepted.bit} <> 0`;

/**
 * Stores the outcomes of sends. An outcome is evidence: it is taken twice, late, from any process, after an early callback
 * or after the row was settled as unknown; every step is conditional. Queue rows change only for the attempt that it is about.
 */
export const settleSends = hotFunction({
  name: "settle_sends",
  input: SETTLED_ROW,
  span: ({ message_id }) => [message_id],
  answers: columns({
    /** The queue row is gone; else it waits for its `due`. */
    done: "boolean",
    /** The provider has another id for the message: it was sent twice. */
    sent_twice: "boolean",
    /** Under which callbacks and answers in the provider's form have the message, where it is known by now. */
    public_id: "text?",
    /** Of the call: it, or an earlier one with these rows, kept evidence of who a person is. */
    has_evidence: "boolean",
    slots_mask: "text",
    handed: HANDED,
  }),
  declare: `${SLOTS_FILLED}${EVENT_OF_ONE}${HANDED_VARIABLES}${EVIDENCE_VARIABLES}${CLAIM_VARIABLES}${CONSENT_VARIABLES}${OWNER_VARIABLES}${RETURN_VARIABLES}${PARKED_VARIABLES}
  r record;
  x record;
  dones boolean[];
  resends boolean[];
  sent_twices boolean[];
  public_ids text[];
  has_parked boolean;
  has_refused_form boolean;
  has_owner_signs boolean;
  ended tid[];`,
  body: `${SETTLE_ONE}
with given as materialized (select x.*, ${BIT_OF_OUTCOME} as bit, null::json as pricing from ${RESULTS}),
${lockStates("given")},
doubted as materialized (
  -- A callback, or a late answer, may have settled a lost answer already. What waits to be sent once more waits no longer then.
  select x.*, x.outcome in ('unknown', 'silence', 'retry', 'waits', 'expired', 'canceled') and coalesce(${SEEN_BEFORE} & ${EVIDENCE_BITS} <> 0, false) as is_known,
    x.outcome in ('expired', 'canceled') and coalesce(${SEEN_BEFORE} & ${REPORTS.unknown.bit} <> 0, false) as is_lost,
    x.outcome = 'silence' and coalesce(m.resend_once and not (x.state).possible_duplicate, false) as may_resend
  from locked x
  ${lookUp(
    "m",
    `
    select m.resend_once and (m.expires_at is null or m.expires_at > now) as resend_once from message m
    where x.outcome = 'silence' and m.workspace_id = x.workspace_id and m.id = x.message_id and ${inSpan("m.id")}`,
  )}),
decided as materialized (
  select x.*, x.may_resend and not x.is_known as is_resent,
    x.is_known or x.outcome in ('accepted', 'failed', 'expired', 'canceled') or (x.outcome = 'silence' and not x.may_resend) as is_done
  from doubted x),
reports as materialized (
  -- What may have reached the provider has not expired: it is given up.
  select x.workspace_id, x.message_id, x.at, case when not x.is_lost then x.error end as error, x.pricing,
    x.provider_message_id, x.ordinality, x.state,
    case when x.is_known or x.is_resent then null when x.is_lost then ${REPORTS.given_up.bit} else x.bit end as bit
  from decided x),
${applyReports("reports")},
named as (${insertNamed(`select ${NAMED_VALUES}
  from decided x
  where x.provider_message_id is not null
  order by x.ordinality`)}),
tried as (${insertTried(`select ${TRIED_VALUES}
  from decided x
  where x.attempt > 0 and x.outcome in ('accepted', 'failed', 'unknown', 'retry', 'waits')
  order by x.ordinality`)})
select array_agg(x.is_done order by x.ordinality), array_agg(x.is_resent order by x.ordinality),
  array_agg(coalesce((x.state).provider_message_id <> x.provider_message_id and k.is_named is null, false) order by x.ordinality),
  array_agg(coalesce((x.state).minted_id, (x.state).provider_message_id, x.provider_message_id) order by x.ordinality),
  bool_or(w.is_parked), bool_or(${IS_REFUSED_FORM}), bool_or(${IS_TAKING} or ${IS_OTHERS_BY_REFUSAL} or (x.outcome = 'unknown' and x.is_known)), slots_filled | ${SLOTS_OF_EVENTS}, ${REPORTED_STOPS}, ${REPORTED_UNREACHED}, ${REPORTED_REACHED},
  ${claimsOf("answer", "decided", WAS_ACCEPTED, "(x.state).contact_id")}, coalesce(bool_or(${wasTaken(WAS_ACCEPTED)}), false),
  array_agg(d.place)
into dones, resends, sent_twices, public_ids, has_parked, has_refused_form, has_owner_signs, slots_filled, consents, unreached, reached, claims, has_evidence, ended
from decided x
${lookUp(
  "d",
  `
  select d.ctid as place from dispatch d
  where x.is_done and ${queueRow("x")} and d.attempt = x.attempt
  for update`,
)}
-- A status may have brought this id before.
${lookUp(
  "k",
  `
  select true as is_named from provider_message k
  where (x.state).provider_message_id <> x.provider_message_id and k.workspace_id = x.workspace_id
    and k.provider_message_id = x.provider_message_id`,
)}
${lookUp(
  "w",
  `
  select true as is_parked from parked_status w
  where w.workspace_id = x.workspace_id and w.provider_message_id = x.provider_message_id limit 1`,
)};
${auditSentTwice(RESULTS, "x.message_id", "sent_twices")}
if has_parked then
  for r in select x.workspace_id, x.message_id, x.provider_message_id from ${RESULTS} order by x.ordinality loop
    ${takeParked("r.workspace_id", "r.provider_message_id", "r.message_id")}
  end loop;
  ${REPORT_PARKED}
end if;
if has_refused_form then
  for r in
    select x.workspace_id, ${survivorOf("x.workspace_id", "s.contact_id")} as contact_id from ${RESULTS}
    ${lookUp("s", `select s.contact_id from message_state s where s.workspace_id = x.workspace_id and s.id = x.message_id and ${inSpan("s.id")}`)}
    where ${IS_REFUSED_FORM} order by 1, 2
  loop
    update contact c set refused_form = c.wa_id, updated_at = now
    where c.workspace_id = r.workspace_id and c.id = r.contact_id and c.refused_form is distinct from c.wa_id;
  end loop;
end if;
if has_owner_signs then
  owner_signs := ${ownersOf(
    `${RESULTS}
    ${lookUp("g", `select g.contact_id, g.phone_number_id from message g where g.workspace_id = x.workspace_id and g.id = x.message_id and ${inSpan("g.id")}`)}
    where ${IS_TAKING} or ${IS_OTHERS_BY_REFUSAL}`,
    {
      workspace: "x.workspace_id",
      contact: survivorOf("x.workspace_id", "g.contact_id"),
      phoneNumber: "g.phone_number_id",
      role: `case when ${IS_TAKING} then 'self' else 'other' end`,
      since: "x.at",
      at: secondOf("x.at"),
      mark: `case when ${IS_TAKING} then '${OWN_ACT}' end`,
    },
  )};
  owner_signs := ${takenByLost(RESULTS, "x.message_id", "x.outcome = 'unknown' and dones[x.ordinality::int]")};
${TAKE_OWNERS}
end if;
${TAKE_CONSENTS}
${takeReturns("now")}
${deleteRows("dispatch", "ended")};
if false = any(dones) then
  for r in select x.* from ${RESULTS} where not dones[x.ordinality] order by x.ordinality loop
    if r.outcome = 'unknown' then
      update dispatch d set state = ${UNKNOWN}, due = r.due
      where ${queueRow("r")} and d.attempt = r.attempt and d.state = ${STARTED};
    elsif resends[r.ordinality] then
      update dispatch d set state = ${READY}, due = now
      where ${queueRow("r")} and d.attempt = r.attempt and d.state = ${UNKNOWN};
    else
      update dispatch d set state = ${READY}, due = r.due
      where ${queueRow("r")} and d.attempt = r.attempt
        -- What its worker never wrote goes out, also when a new owner took it for lost; of another worker's attempt the
        -- request may still be under way.
        and case when r.outcome = 'unwritten' then d.worker = r.worker and d.state in (${STARTED}, ${UNKNOWN})
          else d.state in (${READY}, ${STARTED}) end;
      if found and r.outcome <> 'waits' then
        insert into held (slot, lane, workspace_id, recipient, seq, until)
        values (r.slot, r.lane, r.workspace_id, r.recipient, r.seq, r.due)
        on conflict (slot, lane, recipient, workspace_id) do update set
          seq = excluded.seq, until = greatest(held.until, excluded.until);
      end if;
    end if;
  end loop;
end if;
${TAKE_CLAIMS}
return query select u.done, u.sent_twice, u.public_id, has_evidence, ${SLOTS_MASK}, null::json
  from unnest(dones, sent_twices, public_ids) with ordinality u(done, sent_twice, public_id, n) order by u.n;`,
});
