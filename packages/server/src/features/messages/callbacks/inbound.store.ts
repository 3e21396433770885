import { columns, lookUp, of, type RowOf, recordset } from "../../../db/hot-function.ts";
import { emitEventRows, SLOTS_OF_EVENTS } from "../../webhooks/event.sql.ts";

/** One inbound message of a callback. */
export const INBOUND = columns({
  kind: of<"message">("text"),
  workspace_id: "uuid",
  id: "uuid",
  phone_number_id: "uuid",
  provider_message_id: "text",
  new_contact_id: "uuid",
  /** E.164 with +; null for people without a visible number. */
  phone: "text?",
  wa_id: "text?",
  user_id: "text?",
  name: "text?",
  type: "text",
  content: "json",
  reply_to_provider_id: "text?",
  opens_window: "boolean",
  /** The provider's time. */
  at: "timestamptz",
});
export type InboundRow = RowOf<typeof INBOUND>;

const INPUT = recordset(INBOUND);

const contactBy = (named: string): string =>
  `(select c from contact c where c.workspace_id = x.workspace_id and ${named} limit 1)`;

/** The contact: by number, by the provider's phone-like id, by the business-scoped one, the first that finds the person. */
const PERSON = `coalesce(
      ${contactBy("c.phone = x.phone")},
      ${contactBy("c.wa_id = x.wa_id order by c.id")},
      ${contactBy("c.user_id = x.user_id")})`;

/** Whether the provider newly says something of a known person. */
const SAYS_MORE = `((x.wa_id is not null and (x.person).wa_id is null)
      or (x.user_id is not null and (x.person).user_id is null)
      or (x.name is not null and (x.person).name is null))`;

const conversationWith = (contact: string): string =>
  `hashtextextended(x.phone_number_id::text || ${contact}::text, 0)`;

/** With `REPORT_VARIABLES`. */
export const RECEIVE_VARIABLES = `
  prepared boolean;
  complete boolean;`;

/**
 * Makes contacts of strangers, each with its event, and adds what is newly said of known persons; sorted, as accept does. Two
 * rows of one stranger share the first's new contact.
 */
const PREPARE_CONTACTS = `
with candidates as materialized (
  select x.* from ${INPUT}
  where ${PERSON} is null and not exists (
    select from provider_message k
    where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id)),
new_contacts as (
  insert into contact (workspace_id, id, phone, wa_id, user_id, name, created_at, updated_at)
  select distinct on (x.workspace_id, x.phone, coalesce(x.phone, x.wa_id, x.user_id))
    x.workspace_id, x.new_contact_id, x.phone, x.wa_id, x.user_id, x.name, now, now
  from candidates x
  order by x.workspace_id, x.phone, coalesce(x.phone, x.wa_id, x.user_id), x.ordinality
  on conflict do nothing
  returning id),
rows_of_new_contacts as (
  select x.* from candidates x where x.new_contact_id = any((select array_agg(s.id) from new_contacts s)::uuid[])),
${emitEventRows("rows_of_new_contacts", {
  workspace: "x.workspace_id",
  kind: "'contact_created'",
  contact: "x.new_contact_id",
  occurredAt: "x.at",
  state: "json_build_object('source', 'inbound_message')",
  conversation: conversationWith("x.new_contact_id"),
})}
select slots_filled | ${SLOTS_OF_EVENTS} into slots_filled;

-- A business-scoped id that another contact holds is left to merging.
for r in
  select distinct on (x.workspace_id, (x.person).id) x.workspace_id, (x.person).id as contact, x.wa_id, x.user_id, x.name
  from (select x.*, ${PERSON} as person from ${INPUT} offset 0) x
  where (x.person).id is not null and ${SAYS_MORE}
  order by x.workspace_id, (x.person).id
loop
  update contact c set
    wa_id = coalesce(c.wa_id, r.wa_id),
    name = coalesce(c.name, r.name),
    updated_at = now,
    user_id = coalesce(c.user_id, case
      when exists (select from contact o where o.workspace_id = r.workspace_id and o.user_id = r.user_id) then null
      else r.user_id end)
  where c.workspace_id = r.workspace_id and c.id = r.contact;
end loop;`;

/**
 * Takes inbound messages (`InboundRow`) in order of arrival, with their windows; a repeated provider id writes nothing. One
 * statement when every person is known: it writes nothing when one is not, and is repeated when they are. A statement whose
 * parts do not see each other's writes is safe here: rows are new but for conversations, and none of those is named twice.
 * Outcomes: `received` or `repeated`.
 */
export const RECEIVE_MESSAGES = `
prepared := false;
loop
  with given as materialized (
    select x.*, ${PERSON} as person, n.phone as number_phone
    from ${INPUT}
    ${lookUp("n", "select n.phone from phone_number n where n.workspace_id = x.workspace_id and n.id = x.phone_number_id")}
    order by x.ordinality),
  all_known as materialized (
    select bool_and(prepared or ((x.person).id is not null and not ${SAYS_MORE})) as yes from given x),
  named as (
    insert into provider_message (workspace_id, provider_message_id, message_id, created_at)
    select x.workspace_id, x.provider_message_id, x.id, now from all_known a join given x on a.yes
    order by x.workspace_id, x.provider_message_id, x.ordinality
    on conflict do nothing
    returning workspace_id, provider_message_id, message_id),
  seen as materialized (
    select x.*, x.id = any((select array_agg(k.message_id) from named k)::uuid[]) as is_new from given x),
  fresh as materialized (
    select x.*, (x.person).id as contact_id, nextval('conversation_sequence') as sequence,
      ${conversationWith("(x.person).id")} as conversation,
      case when x.reply_to_provider_id is not null then coalesce(
        (select k.message_id from provider_message k
         where k.workspace_id = x.workspace_id and k.provider_message_id = x.reply_to_provider_id),
        (select k.message_id from named k
         where k.workspace_id = x.workspace_id and k.provider_message_id = x.reply_to_provider_id)) end as quoted
    from seen x where x.is_new order by x.ordinality),
  windows as (
    insert into conversation as v (workspace_id, contact_id, phone_number_id, last_inbound_at, last_message_at)
    select x.workspace_id, x.contact_id, x.phone_number_id, max(x.at) filter (where x.opens_window), now
    from fresh x
    group by x.workspace_id, x.contact_id, x.phone_number_id
    order by x.workspace_id, x.contact_id, x.phone_number_id
    on conflict (workspace_id, contact_id, phone_number_id) do update set
      last_inbound_at = greatest(v.last_inbound_at, excluded.last_inbound_at), last_message_at = excluded.last_message_at),
  stored as (
    insert into message
      (workspace_id, id, outbound, phone_number_id, contact_id, recipient, sender, type, content, reply_to, sequence,
       created_at)
    select x.workspace_id, x.id, false, x.phone_number_id, x.contact_id, x.number_phone, x.phone, x.type, x.content,
      x.quoted, x.sequence, now
    from fresh x),
  states as (
    insert into message_state (workspace_id, id, contact_id, conversation, provider_message_id)
    select x.workspace_id, x.id, x.contact_id, x.conversation, x.provider_message_id from fresh x),
  ${emitEventRows("fresh", {
    workspace: "x.workspace_id",
    kind: "'messages'",
    message: "x.id",
    contact: "x.contact_id",
    occurredAt: "x.at",
    state: "json_build_object('seen', 0, 'rank', 0, 'provider_message_id', x.provider_message_id)",
    conversation: "x.conversation",
  })}
  select (select a.yes from all_known a),
    array_agg(case when x.is_new then 'received' else 'repeated' end order by x.ordinality),
    array_agg(case when x.is_new then x.id end order by x.ordinality), array_agg(false),
    slots_filled | ${SLOTS_OF_EVENTS}
  into complete, verdicts, messages, sent_twices, slots_filled
  from seen x;
  exit when complete;
${PREPARE_CONTACTS}
  prepared := true;
end loop;`;
