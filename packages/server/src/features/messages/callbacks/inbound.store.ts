import { columns, lookUp, of, type RowOf, recordset } from "../../../db/hot-function.ts";
import { emitEvent, SLOTS_MASK } from "../../webhooks/event.sql.ts";

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

// By number, by the provider's phone-like id, by the business-scoped one: the first that finds the person.
const KNOWN = lookUp(
  "c",
  `
    select c.* from (
      select 1 as rank, c.* from contact c
      where x.phone is not null and c.workspace_id = x.workspace_id and c.phone = x.phone
      union all
      select 2, c.* from contact c
      where x.wa_id is not null and c.workspace_id = x.workspace_id and c.wa_id = x.wa_id
      union all
      select 3, c.* from contact c
      where x.user_id is not null and c.workspace_id = x.workspace_id and c.user_id = x.user_id
    ) c order by c.rank, c.id limit 1`,
);

export const RECEIVE_VARIABLES = `
  quoted uuid;
  new_sequence bigint;
  conversation_key bigint;`;

/**
 * Takes inbound messages (`InboundRow`): contacts first, then windows, each in sorted order (as accept does), then the
 * messages in order of arrival. A repeated provider id writes nothing. Two rows of one stranger share the first's new contact.
 * Outcomes: `received` or `repeated`.
 */
export const RECEIVE_MESSAGES = `
insert into contact (workspace_id, id, phone, wa_id, user_id, name, created_at, updated_at)
select distinct on (x.workspace_id, x.phone, coalesce(x.phone, x.wa_id, x.user_id))
  x.workspace_id, x.new_contact_id, x.phone, x.wa_id, x.user_id, x.name, now, now
from ${INPUT} ${KNOWN}
where c.id is null
order by x.workspace_id, x.phone, coalesce(x.phone, x.wa_id, x.user_id), x.ordinality
on conflict do nothing;

-- What the provider newly says of a known person; a business-scoped id that another contact holds is left to merging.
for r in
  select distinct on (x.workspace_id, c.id) x.workspace_id, c.id as contact, x.wa_id, x.user_id, x.name
  from ${INPUT} ${KNOWN}
  where c.id is not null
    and ((x.wa_id is not null and c.wa_id is null)
      or (x.user_id is not null and c.user_id is null)
      or (x.name is not null and c.name is null))
  order by x.workspace_id, c.id
loop
  update contact c set
    wa_id = coalesce(c.wa_id, r.wa_id),
    name = coalesce(c.name, r.name),
    updated_at = now,
    user_id = coalesce(c.user_id, case
      when exists (select from contact o where o.workspace_id = r.workspace_id and o.user_id = r.user_id) then null
      else r.user_id end)
  where c.workspace_id = r.workspace_id and c.id = r.contact;
end loop;

insert into conversation as v (workspace_id, contact_id, phone_number_id, last_inbound_at, last_message_at)
select x.workspace_id, c.id, x.phone_number_id, max(x.at) filter (where x.opens_window), now
from ${INPUT} ${KNOWN}
where not exists (
  select from provider_message k
  where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id)
group by x.workspace_id, c.id, x.phone_number_id
order by x.workspace_id, c.id, x.phone_number_id
on conflict (workspace_id, contact_id, phone_number_id) do update set
  last_inbound_at = greatest(v.last_inbound_at, excluded.last_inbound_at), last_message_at = excluded.last_message_at;

for r in
  select x.*, c.id as contact, c.id = x.new_contact_id as is_new, n.phone as number_phone
  from ${INPUT} ${KNOWN}
  ${lookUp("n", "select n.phone from phone_number n where n.workspace_id = x.workspace_id and n.id = x.phone_number_id")}
  order by x.ordinality
loop
  insert into provider_message (workspace_id, provider_message_id, message_id, created_at)
  values (r.workspace_id, r.provider_message_id, r.id, now)
  on conflict do nothing;
  if not found then
    return query select 'repeated', null::uuid, false, ${SLOTS_MASK};
    continue;
  end if;
  conversation_key := hashtextextended(r.phone_number_id::text || r.contact::text, 0);
  if r.is_new then
    ${emitEvent({
      workspace: "r.workspace_id",
      kind: "'contact_created'",
      contact: "r.contact",
      occurredAt: "r.at",
      state: "json_build_object('source', 'inbound_message')",
      conversation: "conversation_key",
    })}
  end if;
  select k.message_id into quoted from provider_message k
  where k.workspace_id = r.workspace_id and k.provider_message_id = r.reply_to_provider_id;
  new_sequence := nextval('conversation_sequence');
  insert into message
    (workspace_id, id, outbound, phone_number_id, contact_id, recipient, sender, type, content, reply_to, sequence,
     created_at)
  values (r.workspace_id, r.id, false, r.phone_number_id, r.contact, r.number_phone, r.phone, r.type, r.content, quoted,
    new_sequence, now);
  insert into message_state (workspace_id, id, contact_id, conversation, provider_message_id)
  values (r.workspace_id, r.id, r.contact, conversation_key, r.provider_message_id);
  ${emitEvent({
    workspace: "r.workspace_id",
    kind: "'messages'",
    message: "r.id",
    contact: "r.contact",
    occurredAt: "r.at",
    state: "json_build_object('seen', 0, 'rank', 0, 'provider_message_id', r.provider_message_id)",
    conversation: "conversation_key",
  })}
  return query select 'received', r.id, false, ${SLOTS_MASK};
end loop;`;
