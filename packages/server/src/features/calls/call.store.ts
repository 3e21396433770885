import { columns, hotFunction, of, type RowOf, recordset } from "../../db/hot-function.ts";
import type { ProviderCall } from "../../provider/reported.ts";
import { refuseMoved } from "../accounts/numbers/number.sql.ts";
import { emitEventRows, SLOTS_FILLED, SLOTS_MASK, SLOTS_OF_EVENTS } from "../events/event.sql.ts";
import { CONSENT_VARIABLES, TAKE_CONSENTS } from "../identity/consent/consent.sql.ts";
import { wasErased } from "../identity/erased.sql.ts";
import { EVIDENCE_VARIABLES } from "../identity/recipient.sql.ts";
import {
  findOrCreateSenders,
  RESET_SENDERS,
  SENDER_COLUMNS,
  SENDER_CONTACT,
  SENDER_VARIABLES,
} from "../identity/sender.sql.ts";

const CALL = columns({
  workspace_id: "uuid",
  phone_number_id: "uuid",
  new_contact_id: "uuid",
  ...SENDER_COLUMNS,
  /** The provider's time, and the same of when the person called; none: the business called. */
  at: "timestamptz",
  called_at: "timestamptz?",
  /** In hex: what identifies a repetition, and that of the beginning of the same call. */
  digest: "text",
  beginning: "text",
  call: of<ProviderCall>("json"),
  callback_id: "uuid?",
});
export type CallRow = RowOf<typeof CALL>;

const INPUT = recordset(CALL);

/** Of a row `x`: an earlier call of the function has taken it. */
const REPEATED = `exists (
    select from provider_notice k where k.workspace_id = x.workspace_id and k.digest = decode(x.digest, 'hex'))`;

/** Of a row `x`: the call is of the time of a person who was erased since, also where its end comes afterwards. */
const WAS_ERASED = wasErased(`least(x.at, x.called_at, (
      select k.at from provider_notice k where k.workspace_id = x.workspace_id and k.digest = decode(x.beginning, 'hex')))`);

/**
 * Takes what happened to calls (`CallRow`), each once: its person, the window that the person's call opens, and an event. What is kept
 * of it names no person.
 */
export const takeCalls = hotFunction({
  name: "take_calls",
  waits: true,
  input: CALL,
  answers: columns({ contact_id: "uuid?", has_evidence: "boolean", slots_mask: "text" }),
  declare: `${SLOTS_FILLED}${EVIDENCE_VARIABLES}${CONSENT_VARIABLES}${SENDER_VARIABLES}
  contacts uuid[];
  r record;`,
  body: `${refuseMoved(INPUT)}
${RESET_SENDERS}
${findOrCreateSenders({ input: INPUT, source: "'call'", message: "null::uuid", addressed: "null::uuid", except: `(${REPEATED} or ${WAS_ERASED})` })}
with given as materialized (
  select x.*, p.id as contact_id from ${INPUT} ${SENDER_CONTACT} order by x.ordinality),
noted as (
  insert into provider_notice (workspace_id, digest, created_at, at)
  select x.workspace_id, decode(x.digest, 'hex'), now, x.at from given x where x.contact_id is not null and not ${WAS_ERASED}
  order by x.workspace_id, x.digest
  on conflict do nothing
  returning workspace_id, digest),
fresh as materialized (
  select x.*, hashtextextended(x.phone_number_id::text || x.contact_id::text, 0) as conversation
  from given x
  where exists (select from noted k where k.workspace_id = x.workspace_id and k.digest = decode(x.digest, 'hex'))
  order by x.ordinality),
windows as (
  insert into conversation as v (workspace_id, contact_id, phone_number_id, last_inbound_at, last_message_at)
  select x.workspace_id, x.contact_id, x.phone_number_id, max(x.called_at), max(x.called_at)
  from fresh x
  where x.called_at is not null
  group by x.workspace_id, x.contact_id, x.phone_number_id
  order by x.workspace_id, x.contact_id, x.phone_number_id
  on conflict (workspace_id, contact_id, phone_number_id) do update set
    last_inbound_at = greatest(v.last_inbound_at, excluded.last_inbound_at)),
${emitEventRows("fresh", {
  workspace: "x.workspace_id",
  kind: "'call'",
  contact: "x.contact_id",
  phoneNumber: "x.phone_number_id",
  occurredAt: "x.at",
  state: "json_build_object('call', x.call, 'phone_number_id', x.phone_number_id)",
  conversation: "x.conversation",
  callback: "x.callback_id",
})}
select array_agg(x.contact_id order by x.ordinality), slots_filled | ${SLOTS_OF_EVENTS} into contacts, slots_filled
from given x;
${TAKE_CONSENTS}
return query select u.id, has_evidence, ${SLOTS_MASK} from unnest(contacts) with ordinality u(id, n) order by u.n;`,
});
