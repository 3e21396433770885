import { hotFunction } from "../../db/hot-function.ts";
import { recordActivity } from "../audit/activity.sql.ts";
import { EVENT_VARIABLES, emitEvent } from "../webhooks/event.sql.ts";

/** One row of the accept function: what a request asks for, its ids made beforehand. Times are ISO strings. */
export type AcceptRow = {
  workspace_id: string;
  id: string;
  /** `msg_…`, kept in the key row. */
  public_id: string;
  /** Hex; null without a key. */
  key: string | null;
  fingerprint: string | null;
  /** How the recipient was named: exactly one of these. */
  phone: string | null;
  contact_id: string | null;
  user_id: string | null;
  /** Used when the phone or user id is a stranger's. */
  new_contact_id: string;
  phone_number_id: string;
  sender: string;
  type: string;
  content: unknown;
  template_id: string | null;
  /** The definition that the parameters were checked against. */
  template_revision: number | null;
  category: string | null;
  reply_to: string | null;
  reference: string | null;
  send_at: string | null;
  expires_at: string | null;
  resend_once: boolean;
  /** The request's own time: a batch may hold requests of different moments, and each keeps its `created_at`. */
  now: string;
  activity: object;
};

export type AcceptAnswer = {
  /** accepted · replay · reused · expired_key · in_progress · stale_template · or the code of a refusal */
  outcome: string;
  /** The message's id; for replay and expired_key the first request's resource (public id). */
  resource: string | null;
  contact_id: string | null;
  recipient: string | null;
  sequence: number | null;
  slot: number | null;
  wake: string | null;
};

const INPUT = `rows from (json_to_recordset(rows) as (workspace_id uuid, id uuid, public_id text, key text, fingerprint text, phone text, contact_id uuid, user_id text,
  new_contact_id uuid, phone_number_id uuid, sender text, type text, content json, template_id uuid, template_revision int, category text, reply_to uuid, reference text,
  send_at timestamptz, expires_at timestamptz, resend_once boolean, now timestamptz, activity json)) with ordinality x`;

// What decides, without the contact. The same joins serve two passes, so that a refused row makes no contact either.
const FACTS = `
  left join idempotency_key k on k.workspace_id = x.workspace_id and k.digest = decode(x.key, 'hex')
  left join phone_number n on n.workspace_id = x.workspace_id and n.id = x.phone_number_id
  left join business_account a on a.workspace_id = n.workspace_id and a.id = n.business_account_id
  left join template t on t.workspace_id = x.workspace_id and t.id = x.template_id`;

const OURS = "(x.key is null or k.resource_id = x.public_id)";
const SENDER_FIT = "(n.status = 'connected' and a.status = 'connected')";
const TEMPLATE_FIT = "(x.template_id is null or (t.status = 'approved' and t.revision = x.template_revision))";

/** A free-form message needs an inbound one of the last 24 hours; both clocks differ, so a minute is taken off. */
export const WINDOW = "interval '24 hours' - interval '1 minute'";

/**
 * Accepts messages: keys first, then contacts, each in sorted order so that two batches never wait for each other in a
 * circle; then rules again in SQL (what a cache said may be old) and the effects in order of arrival, so that `seq` and
 * `sequence` follow it. 17,000–20,000 rows/s at batches of 100 on two cores.
 */
export const acceptMessages = hotFunction({
  name: "accept_messages",
  returns: "outcome text, resource text, contact_id uuid, recipient text, sequence bigint, slot smallint, wake text",
  declare: `${EVENT_VARIABLES}
  r record;
  refusal text;
  seq_of bigint;
  sequence_of bigint;
  slot_of smallint;
  conversation_of bigint;
  talked uuid[] := '{}';`,
  body: `
-- A twin in another process holds its key row until it commits; a lone row is told so, a batch goes row by row first.
begin
  insert into idempotency_key as i (workspace_id, digest, fingerprint, resource_id, created_at)
  select x.workspace_id, decode(x.key, 'hex'), decode(x.fingerprint, 'hex'), x.public_id, now from ${INPUT} where x.key is not null
  order by x.workspace_id, decode(x.key, 'hex')
  on conflict (workspace_id, digest) do update set fingerprint = excluded.fingerprint, resource_id = excluded.resource_id, created_at = excluded.created_at, answer = null, status = null
    where i.created_at < now - interval '30 days';
exception when lock_not_available then
  if json_array_length(rows) > 1 then raise; end if;
  return query select 'in_progress', null::text, null::uuid, null::text, null::bigint, null::smallint, null::text;
  return;
end;

insert into contact (workspace_id, id, phone, user_id, created_at, updated_at)
select distinct on (x.workspace_id, x.phone, x.user_id) x.workspace_id, x.new_contact_id, x.phone, x.user_id, now, now
from ${INPUT} ${FACTS}
where x.contact_id is null and x.type = 'template' and ${OURS} and ${SENDER_FIT} and ${TEMPLATE_FIT}
  and not exists (select from contact c where c.workspace_id = x.workspace_id and c.phone = x.phone)
  and not exists (select from contact c where c.workspace_id = x.workspace_id and c.user_id = x.user_id)
order by x.workspace_id, x.phone, x.user_id, x.ordinality
on conflict do nothing;

for r in
  select x.*, k.resource_id as owner, k.fingerprint = decode(x.fingerprint, 'hex') as same, k.created_at as keyed_at, ${OURS} as ours,
    n.lane, coalesce(${SENDER_FIT}, false) as sender_fit, t.status as template_status, t.revision as template_now,
    c.id as contact, c.phone as contact_phone, c.marketing_consent, v.last_inbound_at, v.last_message_at
  from ${INPUT} ${FACTS}
  left join lateral (
    select c.id, c.phone, c.marketing_consent from contact c where c.workspace_id = x.workspace_id and c.phone = x.phone and x.phone is not null
    union all select c.id, c.phone, c.marketing_consent from contact c where c.workspace_id = x.workspace_id and c.id = x.contact_id and x.contact_id is not null
    union all select c.id, c.phone, c.marketing_consent from contact c where c.workspace_id = x.workspace_id and c.user_id = x.user_id and x.user_id is not null
  ) c on true
  left join conversation v on v.workspace_id = x.workspace_id and v.contact_id = c.id and v.phone_number_id = x.phone_number_id
  order by x.ordinality
loop
  if not r.ours then
    return query select case when not r.same then 'reused' when r.keyed_at < now - interval '7 days' then 'expired_key' else 'replay' end,
      r.owner, null::uuid, null::text, null::bigint, null::smallint, null::text;
    continue;
  end if;
  if again then
    -- An earlier call with this row may have committed: then this is its answer.
    perform from message m where m.workspace_id = r.workspace_id and m.id = r.id;
    if found then
      return query select 'accepted', m.id::text, m.contact_id, m.recipient, m.sequence, s.slot, null::text
        from message m join message_state s on s.workspace_id = m.workspace_id and s.id = m.id where m.workspace_id = r.workspace_id and m.id = r.id;
      continue;
    end if;
  end if;
  refusal := case
    when not r.sender_fit then 'sender_unavailable'
    when r.template_id is not null and r.template_now is null then 'template_not_found'
    when r.template_id is not null and r.template_now <> r.template_revision then 'stale_template'
    when r.template_id is not null and r.template_status <> 'approved' then 'template_not_approved'
    when r.contact is null and r.contact_id is not null then 'reference_not_found'
    when r.category = 'marketing' and r.marketing_consent = 'opted_out' then 'recipient_opted_out'
    when r.type <> 'template' and (r.last_inbound_at is null or r.last_inbound_at + ${WINDOW} <= now) then 'window_closed'
    when r.reply_to is not null and not exists (select from message m where m.workspace_id = r.workspace_id and m.id = r.reply_to) then 'reference_not_found_reply_to'
    when r.contact is null then 'window_closed'
  end;
  if refusal is not null then
    delete from idempotency_key k where k.workspace_id = r.workspace_id and k.digest = decode(r.key, 'hex');
    return query select refusal, null::text, null::uuid, null::text, null::bigint, null::smallint, null::text;
    continue;
  end if;

  conversation_of := hashtextextended(r.phone_number_id::text || r.contact::text, 0);
  slot_of := (r.lane % 64)::smallint;
  sequence_of := nextval('conversation_sequence');
  insert into message (workspace_id, id, outbound, phone_number_id, contact_id, recipient, sender, type, content, reply_to, reference, category, template_id,
    send_at, expires_at, resend_once, sequence, created_at)
  values (r.workspace_id, r.id, true, r.phone_number_id, r.contact, r.contact_phone, r.sender, r.type, r.content, r.reply_to, r.reference, r.category, r.template_id,
    r.send_at, r.expires_at, r.resend_once, sequence_of, r.now);
  if r.contact = r.new_contact_id then
    ${emitEvent({ workspace: "r.workspace_id", kind: "'contact_created'", contact: "r.contact", occurredAt: "now", state: "json_build_object('source', 'message')", conversation: "conversation_of" })}
  end if;
  ${recordActivity("r.workspace_id", "r.activity")}
  insert into dispatch (slot, lane, due, workspace_id, message_id, recipient, expires_at)
  values (slot_of, r.lane, case when r.send_at > now then r.send_at else '-infinity' end, r.workspace_id, r.id, conversation_of, r.expires_at)
  returning dispatch.seq into seq_of;
  insert into message_state (workspace_id, id, contact_id, conversation, slot, seq) values (r.workspace_id, r.id, r.contact, conversation_of, slot_of, seq_of);
  -- Thinned out: the conversation needs to know its last message to a minute, not each of them.
  if r.last_message_at is null or r.last_message_at < now - interval '1 minute' then talked := talked || r.id; end if;
  return query select 'accepted', r.id::text, r.contact, r.contact_phone, sequence_of, slot_of, fan::text;
end loop;

if cardinality(talked) > 0 then
  insert into conversation as v (workspace_id, contact_id, phone_number_id, last_message_at)
  select distinct m.workspace_id, m.contact_id, m.phone_number_id, now from unnest(talked) t(id) join ${INPUT} on x.id = t.id join message m on m.workspace_id = x.workspace_id and m.id = t.id
  order by m.workspace_id, m.contact_id, m.phone_number_id
  on conflict (workspace_id, contact_id, phone_number_id) do update set last_message_at = greatest(v.last_message_at, excluded.last_message_at);
end if;`,
});
