import { columns, each, hotFunction, lookUp, type RowOf, recordset } from "../../../db/hot-function.ts";
import { refuseMoved } from "../../accounts/numbers/number.sql.ts";
import { SLOTS_FILLED, SLOTS_MASK } from "../../events/event.sql.ts";
import { CONSENT_VARIABLES, TAKE_CONSENTS } from "../../identity/consent/consent.sql.ts";
import { wasErased } from "../../identity/erased.sql.ts";
import { EVIDENCE_VARIABLES } from "../../identity/recipient.sql.ts";
import {
  findOrCreateSenders,
  RESET_SENDERS,
  SENDER_COLUMNS,
  SENDER_CONTACT,
  SENDER_VARIABLES,
} from "../../identity/sender.sql.ts";
import { FILES_VARIABLES, takeFiles } from "../../media/arriving.sql.ts";
import { REPORTS } from "../../threads/status.ts";
import { isOfGroup } from "../../threads/thread.sql.ts";
import { insertReported } from "../column-lists.ts";
import { CONVERSATION_OF_REPORTED, IS_NEW, QUOTED, REPORTED_MESSAGE } from "./reported-message.sql.ts";

const PAST = columns({
  ...REPORTED_MESSAGE,
  ...SENDER_COLUMNS,
  outbound: "boolean",
  /** As of a state row: what is known to have been reported. */
  seen: "int",
  rank: "smallint",
  /** What a message has until its file comes. */
  is_placeholder: "boolean",
});
export type PastRow = RowOf<typeof PAST>;

const INPUT = recordset(PAST);
/** Rows of one person have one `new_contact_id`: the latest of them teaches who it is. */
const PEOPLE = `(
    select distinct on (y.workspace_id, y.new_contact_id) y.*
    from ${recordset(PAST, "y")}
    order by y.workspace_id, y.new_contact_id, y.at desc, y.ordinality) x`;

const WAS_ERASED = wasErased("x.at");
/** As a scalar: of an `exists` beside an `or` the planner would read the whole table. */
const IS_KNOWN = `coalesce((
    select true from provider_message k
    where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id), false)`;
const IS_LEFT_OUT = `(${IS_KNOWN} or ${WAS_ERASED})`;

/**
 * Takes messages of before the number was connected (`PastRow`), each once. They are of their own time, which is in their ids: nothing
 * is unread by them, no window opens, no event is written but that a person became a contact, and no keyword in them counts. A message
 * that is known stays as it is, but for one whose file comes now. Those of people who were erased since are left out.
 */
export const takeHistory = hotFunction({
  name: "take_history",
  waits: true,
  input: PAST,
  answers: columns({ taken: "int", has_evidence: "boolean", slots_mask: "text" }),
  declare: `${SLOTS_FILLED}${EVIDENCE_VARIABLES}${CONSENT_VARIABLES}${SENDER_VARIABLES}${FILES_VARIABLES}
  taken int;
  with_files uuid[];
  r record;`,
  body: `${refuseMoved(INPUT)}
${RESET_SENDERS}
${findOrCreateSenders({ input: PEOPLE, source: "'history'", message: "x.id", addressed: "null::uuid", except: IS_LEFT_OUT })}
-- Who is erased meanwhile is erased with these: no clean-up looks for what was written late at ids of the past.
for r in
  select distinct x.workspace_id, p.id from ${INPUT} ${SENDER_CONTACT} where p.id is not null order by x.workspace_id, p.id
loop
  perform from contact c where c.workspace_id = r.workspace_id and c.id = r.id for key share;
end loop;
with given as materialized (
  select x.*, p.id as contact_id, n.phone as number_phone from ${INPUT}
  ${SENDER_CONTACT}
  ${lookUp("n", "select n.phone from phone_number n where n.workspace_id = x.workspace_id and n.id = x.phone_number_id")}
  order by x.ordinality),
named as (
  insert into provider_message (workspace_id, provider_message_id, message_id, created_at, inbound)
  select x.workspace_id, x.provider_message_id, x.id, x.at, not x.outbound from given x
  where x.contact_id is not null and not ${WAS_ERASED}
  order by x.workspace_id, x.provider_message_id, x.is_placeholder, x.ordinality
  on conflict do nothing
  returning workspace_id, provider_message_id, message_id),
fresh as materialized (
  select x.*, nextval('conversation_sequence') as sequence, ${CONVERSATION_OF_REPORTED} as conversation, ${QUOTED} as quoted
  from given x where ${IS_NEW} order by x.at, x.ordinality),
conversations as (
  insert into conversation as v (workspace_id, contact_id, phone_number_id, last_message_at)
  select x.workspace_id, x.contact_id, x.phone_number_id, max(x.at) from fresh x
  where not (${isOfGroup("x")})
  group by x.workspace_id, x.contact_id, x.phone_number_id
  order by x.workspace_id, x.contact_id, x.phone_number_id
  on conflict (workspace_id, contact_id, phone_number_id) do update set
    last_message_at = greatest(v.last_message_at, excluded.last_message_at)),
stored as (
  ${insertReported("from fresh x", {
    outbound: "x.outbound",
    recipient: "case when x.outbound then x.phone else x.number_phone end",
    sender: "case when x.outbound then x.number_phone else x.phone end",
    created_at: "x.at",
  })})
insert into message_state (workspace_id, id, contact_id, conversation, seen, rank, sent_at, provider_message_id)
select x.workspace_id, x.id, x.contact_id, x.conversation, x.seen, x.rank, case when x.seen & ${REPORTS.sent.bit} <> 0 then x.at end, x.provider_message_id
from fresh x;
get diagnostics taken = row_count;
-- The files of messages that were stored without: only of those that were known before, each looked up by itself.
for r in
  select x.*, k.message_id from ${INPUT}
  ${each("k", "select k.message_id from provider_message k where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id")}
  where not x.is_placeholder and k.message_id <> x.id order by x.workspace_id, x.provider_message_id, x.ordinality
loop
  update message m set type = r.type, content = r.content, provided = r.provided
  where m.workspace_id = r.workspace_id and m.id = r.message_id and m.type = 'unsupported' and m.content ->> 'type' = 'media_placeholder' and m.provided ->> 'origin' = 'history';
end loop;
if position('"files":[{' in rows::text) > 0 then
  -- Of messages that have them now, and of no other: a message that is known keeps what it has.
  select array_agg(case when m.content::text = x.content::text then m.id end order by x.ordinality) into with_files
  from ${INPUT}
  ${lookUp("k", "select k.message_id from provider_message k where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id")}
  ${lookUp("m", "select m.id, m.content from message m where x.files is not null and m.workspace_id = x.workspace_id and m.id = k.message_id")};
  ${takeFiles("rows", "rows::text", "with_files")}
end if;
${TAKE_CONSENTS}
return query select taken, has_evidence, ${SLOTS_MASK};`,
});
