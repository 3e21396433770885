import { columns, lookUp, of, type RowOf, recordset } from "../../../db/hot-function.ts";
import { emitEventRows, SLOTS_OF_EVENTS } from "../../events/event.sql.ts";
import { findOrCreateSenders, RESET_SENDERS, SENDER_COLUMNS, SENDER_CONTACT } from "../../identity/sender.sql.ts";
import { ownersOf } from "../../threads/owner.sql.ts";
import { REPORTS } from "../../threads/status.ts";
import { isOfGroup } from "../../threads/thread.sql.ts";
import { insertReported } from "../column-lists.ts";
import { REPORT_PARKED, takeParked } from "./parked.sql.ts";
import {
  CONVERSATION_OF_REPORTED,
  IS_COPY,
  IS_NEW,
  QUOTED,
  REPEATED,
  REPORTED_MESSAGE,
} from "./reported-message.sql.ts";

/** A message that the business wrote itself in the WhatsApp Business app, or that another responder sent; the names are those of the person whom it wrote to. */
export const ECHO = columns({ kind: of<"echo">("text"), callback_id: "uuid?", ...REPORTED_MESSAGE, ...SENDER_COLUMNS });
export type EchoRow = RowOf<typeof ECHO>;

const INPUT = recordset(ECHO);
const { bit: SENT, rank } = REPORTS.sent;

/**
 * Takes echoes (`EchoRow`) in order of arrival: each is an outbound message that is sent already, without a row in any queue. A
 * repeated provider id writes nothing, also where the message was sent from here. Outcomes: `received` or `repeated`.
 */
export const TAKE_ECHOES = `${RESET_SENDERS}
${findOrCreateSenders({
  input: INPUT,
  source: `case when has_copies and ${IS_COPY} then 'standby' else 'business_app' end`,
  message: "x.id",
  addressed: "null::uuid",
  except: REPEATED,
})}
with given as materialized (
  select x.*, p.id as contact_id, n.phone as number_phone from ${INPUT}
  ${SENDER_CONTACT}
  ${lookUp("n", "select n.phone from phone_number n where n.workspace_id = x.workspace_id and n.id = x.phone_number_id")}
  order by x.ordinality),
named as (
  insert into provider_message (workspace_id, provider_message_id, message_id, created_at, inbound)
  select x.workspace_id, x.provider_message_id, x.id, now, false from given x
  order by x.workspace_id, x.provider_message_id, x.ordinality
  on conflict do nothing
  returning workspace_id, provider_message_id, message_id),
fresh as materialized (
  select x.*, nextval('conversation_sequence') as sequence, ${CONVERSATION_OF_REPORTED} as conversation, ${QUOTED} as quoted
  from given x where ${IS_NEW} order by x.ordinality),
conversations as (
  insert into conversation as v (workspace_id, contact_id, phone_number_id, last_message_at)
  select distinct x.workspace_id, x.contact_id, x.phone_number_id, now from fresh x
  where not (${isOfGroup("x")})
  order by x.workspace_id, x.contact_id, x.phone_number_id
  on conflict (workspace_id, contact_id, phone_number_id) do update set
    last_message_at = greatest(v.last_message_at, excluded.last_message_at)),
stored as (
  ${insertReported("from fresh x", {
    outbound: "true",
    recipient: "x.phone",
    sender: "x.number_phone",
    created_at: "now",
  })}),
states as (
  insert into message_state (workspace_id, id, contact_id, conversation, seen, rank, sent_at, provider_message_id)
  select x.workspace_id, x.id, x.contact_id, x.conversation, ${SENT}, ${rank}, x.at, x.provider_message_id from fresh x),
recorded as (
  insert into history (workspace_id, message_id, bit, at, received_at)
  select x.workspace_id, x.id, ${SENT}, x.at, now from fresh x order by x.ordinality),
${emitEventRows("fresh", {
  workspace: "x.workspace_id",
  kind: "'sent'",
  message: "x.id",
  contact: "x.contact_id",
  phoneNumber: "x.phone_number_id",
  occurredAt: "x.at",
  state: `json_build_object('seen', ${SENT}, 'rank', ${rank}, 'sent_at', x.at, 'provider_message_id', x.provider_message_id)`,
  conversation: "x.conversation",
  callback: "x.callback_id",
})}
select array_agg(case when x.is_new then 'received' else 'repeated' end order by x.ordinality),
  array_agg(case when x.is_new then x.id end order by x.ordinality), array_agg(false), slots_filled | ${SLOTS_OF_EVENTS},
  case when has_copies then ${ownersOf(
    // Either responder may send a template, and it changes no owner.
    `fresh x where ${IS_COPY} and x.type <> 'template' and not (${isOfGroup("x")})`,
    {
      workspace: "x.workspace_id",
      contact: "x.contact_id",
      phoneNumber: "x.phone_number_id",
      role: "'other'",
      at: "x.at",
    },
  )} else owner_signs end
into verdicts, messages, sent_twices, slots_filled, owner_signs
from (select x.id, x.ordinality, ${IS_NEW} as is_new from given x) x;
-- Statuses that came before.
joined := '{}';
joined_message := '{}';
for n in 1 .. cardinality(messages) loop
  continue when messages[n] is null;
  ${takeParked("(rows->(n - 1)->>'workspace_id')::uuid", "rows->(n - 1)->>'provider_message_id'", "messages[n]")}
end loop;
${REPORT_PARKED}`;
