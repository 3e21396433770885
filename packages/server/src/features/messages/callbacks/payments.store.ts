import { columns, each, hotFunction, lookUp, recordset, sqlInterval } from "../../../db/hot-function.ts";
import type { Question } from "../../../db/question.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/duration.ts";
import { refuseMoved } from "../../accounts/numbers/number.sql.ts";
import { emitEventRows, SLOTS_FILLED, SLOTS_MASK, SLOTS_OF_EVENTS } from "../../events/event.sql.ts";
import { stateSnapshot } from "../report.sql.ts";

/** A status of a payment. */
const PAYMENT = columns({
  workspace_id: "uuid",
  phone_number_id: "uuid",
  /** When our authenticated value named the message; else it is looked up. */
  message_id: "uuid?",
  provider_message_id: "text",
  /** Hex: of reference and status. */
  digest: "text",
  reference: "text?",
  status: "text",
  at: "timestamptz",
  callback_id: "uuid?",
});

/** Of a number that another system sends from too, payments that wait: the newest. */
const MOST_PARKED_A_NUMBER = 1_000;
/** The first look comes when the send has most likely been stored, the next ones ever later. */
const FIRST_LOOK_MS = 5_000;
const LONGEST_PAUSE_MS = HOUR_MS;
/** As long as a status waits for its message. */
const KEPT_MS = 7 * DAY_MS;
/** Looked at in one call. */
export const PAYMENTS_A_LOOK = 500;

/**
 * Parts of a `with`: an event for each payment of the part `given` that was not reported before, in the order given. `given` has the
 * columns of `PAYMENT` with `key`, its digest, and ordinality; rows without a message, or of one that came in, do nothing. Payments
 * never move the message: its state is read as it is.
 */
const REPORT_PAYMENTS = `
  paid as materialized (
    select distinct on (g.workspace_id, g.message_id, g.key) g.*, s.state,
      sha256(convert_to('payment ' || g.message_id, 'UTF8') || g.key) as notice
    from given g
    ${each("m", "select m.outbound from message m where m.workspace_id = g.workspace_id and m.id = g.message_id")}
    ${each("s", "select s as state from message_state s where s.workspace_id = g.workspace_id and s.id = g.message_id")}
    where m.outbound
    order by g.workspace_id, g.message_id, g.key, g.ordinality),
  noted as (
    insert into provider_notice (workspace_id, digest, created_at, at)
    select p.workspace_id, p.notice, now, p.at from paid p order by p.workspace_id, p.notice
    on conflict do nothing
    returning workspace_id, digest),
  reported as materialized (
    select p.workspace_id, p.message_id, p.at, p.reference, p.status, p.state, p.callback_id, p.ordinality,
      (p.state).seen, (p.state).rank, (p.state).accepted_at, (p.state).sent_at, (p.state).delivered_at, (p.state).read_at,
      (p.state).failed_at, (p.state).provider_message_id as known_provider_id, (p.state).error as known_error,
      (p.state).pricing as known_pricing
    from paid p
    where exists (select from noted n where n.workspace_id = p.workspace_id and n.digest = p.notice)),
  ${emitEventRows("reported", {
    workspace: "x.workspace_id",
    kind: "'payment_updated'",
    message: "x.message_id",
    contact: "(x.state).contact_id",
    occurredAt: "x.at",
    state: `(${stateSnapshot("x")}::jsonb || jsonb_build_object('payment', jsonb_build_object('reference', x.reference, 'status', x.status)))::json`,
    conversation: "(x.state).conversation",
    callback: "x.callback_id",
  })}`;

const MESSAGE_OF = (row: string): string => `
    select k.message_id from provider_message k
    where k.workspace_id = ${row}.workspace_id and k.provider_message_id = ${row}.provider_message_id`;

/**
 * Takes what callbacks say of payments, each (message, reference, status) once. Those whose message is not known are parked, so many
 * of a number; that is normal, because others may send from it. One answer row.
 */
export const takePayments = hotFunction({
  name: "take_payments",
  input: PAYMENT,
  answers: columns({ slots_mask: "text" }),
  declare: `${SLOTS_FILLED}
  r record;`,
  body: `${refuseMoved(recordset(PAYMENT))}
with given as materialized (
  select x.workspace_id, coalesce(x.message_id, k.message_id) as message_id, x.phone_number_id, x.provider_message_id,
    decode(x.digest, 'hex') as key, x.reference, x.status, x.at, x.callback_id, x.ordinality
  from ${recordset(PAYMENT)}
  ${lookUp("k", MESSAGE_OF("x"))}),
parked as (
  insert into parked_payment
    (workspace_id, provider_message_id, digest, phone_number_id, reference, status, at, callback_id, received_at, look_at)
  select x.workspace_id, x.provider_message_id, x.key, x.phone_number_id, x.reference, x.status, x.at, x.callback_id, now,
    now + ${sqlInterval(FIRST_LOOK_MS)}
  from given x where x.message_id is null
  order by x.workspace_id, x.provider_message_id, x.key
  on conflict do nothing),
${REPORT_PAYMENTS}
select slots_filled | ${SLOTS_OF_EVENTS} into slots_filled;
for r in select distinct x.workspace_id, x.phone_number_id from ${recordset(PAYMENT)} order by 1, 2 loop
  delete from parked_payment w
  where w.workspace_id = r.workspace_id and w.phone_number_id = r.phone_number_id and w.received_at <= (
    select o.received_at from parked_payment o
    where o.workspace_id = r.workspace_id and o.phone_number_id = r.phone_number_id
    order by o.received_at desc offset ${MOST_PARKED_A_NUMBER} limit 1);
end loop;
return query select ${SLOTS_MASK};`,
});

const LOOK = columns({
  /** The time up to which looks are due. */
  up_to: "timestamptz",
});

/** Whether `join_payments` has any to look at. */
export const PARKED_PAYMENTS: Question = {
  name: "parked_payments",
  rows: "select from parked_payment w where w.look_at <= now",
};

/** Looks at parked payments: reports those whose message is known by now, and forgets those that have waited too long. */
export const joinPayments = hotFunction({
  name: "join_payments",
  input: LOOK,
  answers: columns({ looked: "int", slots_mask: "text" }),
  declare: `${SLOTS_FILLED}
  due parked_payment[];`,
  body: `
select array_agg(w.payment) into due from ${recordset(LOOK)}
cross join lateral (
  select w as payment from parked_payment w where w.look_at <= x.up_to
  order by w.look_at limit ${PAYMENTS_A_LOOK} for update skip locked) w;
with looked as materialized (
  select (due[d.n]).*, d.n as ordinality from generate_subscripts(due, 1) as d(n)),
given as materialized (
  select x.workspace_id, k.message_id, x.digest as key, x.reference, x.status, x.at, x.callback_id,
    row_number() over (order by x.received_at, x.ordinality) as ordinality, x.provider_message_id
  from looked x
  ${each("k", MESSAGE_OF("x"))}),
${REPORT_PAYMENTS},
joined as (
  delete from parked_payment w using looked x
  where w.workspace_id = x.workspace_id and w.provider_message_id = x.provider_message_id and w.digest = x.digest
    and (x.received_at < now - ${sqlInterval(KEPT_MS)} or exists (
      select from given g where g.workspace_id = x.workspace_id and g.provider_message_id = x.provider_message_id)))
select slots_filled | ${SLOTS_OF_EVENTS} into slots_filled;
update parked_payment w
set look_at = now + least(${sqlInterval(LONGEST_PAUSE_MS)}, greatest(${sqlInterval(FIRST_LOOK_MS)}, (now - w.received_at) / 2))
from (select (due[d.n]).* from generate_subscripts(due, 1) as d(n)) x
where w.workspace_id = x.workspace_id and w.provider_message_id = x.provider_message_id and w.digest = x.digest;
return query select coalesce(cardinality(due), 0), ${SLOTS_MASK};`,
});
