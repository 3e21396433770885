-- Made by `npm run generate` from the hot functions. Do not edit.

create or replace function accept_messages(rows json, now timestamptz, call uuid, again boolean) returns table (
  outcome text, resource text, contact_id uuid, recipient text, sequence bigint, slot smallint, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  -- now inside a query is the row's own.
  batch_now timestamptz := now;
  rows_text text := rows::text;
  slots_filled bigint := 0;
  rows_with_quote uuid[];
  stored_id uuid[];
  stored_contact uuid[];
  stored_recipient text[];
  stored_sequence bigint[];
begin
  insert into flight (id) values (call);
  -- Looking into 16 months of messages costs a statement its start, whatever it finds: only when a row quotes one.
  if position('"reply_to"' in rows_text) > 0 then
    rows_with_quote := array(
      select x.id
      from rows from (
        json_to_recordset(rows) as (
          workspace_id uuid, id uuid, public_id text, key text, fingerprint text, phone text, contact_id uuid,
          user_id text, new_contact_id uuid, phone_number_id uuid, sender text, type text, content json,
          template_id uuid, template_revision int, category text, reply_to uuid, reference text, send_at timestamptz,
          expires_at timestamptz, resend_once boolean, now timestamptz, actor_type text, actor_id uuid, actor_name text,
          method text, path text, request_id text, ip text, user_agent text
        )
      ) with ordinality x
      cross join lateral (select from message q where q.workspace_id = x.workspace_id and q.id = x.reply_to offset 0) q
    );
  end if;
  -- Most recipients are known, and the caller remembers them.
  if position('"new_contact_id"' in rows_text) > 0 then
    with candidates as materialized (
      select x.*
      from rows from (
        json_to_recordset(rows) as (
          workspace_id uuid, id uuid, public_id text, key text, fingerprint text, phone text, contact_id uuid,
          user_id text, new_contact_id uuid, phone_number_id uuid, sender text, type text, content json,
          template_id uuid, template_revision int, category text, reply_to uuid, reference text, send_at timestamptz,
          expires_at timestamptz, resend_once boolean, now timestamptz, actor_type text, actor_id uuid, actor_name text,
          method text, path text, request_id text, ip text, user_agent text
        )
      ) with ordinality x
      where x.new_contact_id is not null
    ),
    new_contacts as (
      insert into contact (workspace_id, id, phone, user_id, created_at, updated_at)
      select distinct on (x.workspace_id, x.phone, x.user_id) x.workspace_id, x.new_contact_id, x.phone, x.user_id,
        batch_now, batch_now
      from candidates x
      left join lateral (
        select k.resource_id, k.fingerprint, k.created_at
        from idempotency_key k
        where k.workspace_id = x.workspace_id and k.digest = decode(x.key, 'hex')
          and k.created_at >= batch_now - interval '720 hours'
        offset 0
      ) k on true
      left join lateral (
        select n.lane, n.status, n.business_account_id
        from phone_number n
        where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
        offset 0
      ) n on true
      left join lateral (
        select a.status
        from business_account a
        where a.workspace_id = x.workspace_id and a.id = n.business_account_id
        offset 0
      ) a on true
      left join lateral (
        select c.id, c.phone, c.marketing_consent
        from contact c
        where c.workspace_id = x.workspace_id and c.phone = x.phone and x.phone is not null
        union all
        select c.id, c.phone, c.marketing_consent
        from contact c
        where c.workspace_id = x.workspace_id and c.id = x.contact_id and x.contact_id is not null
        union all
        select c.id, c.phone, c.marketing_consent
        from contact c
        where c.workspace_id = x.workspace_id and c.user_id = x.user_id and x.user_id is not null
        offset 0
      ) c on true
      left join lateral (
        select t.status, t.revision
        from template t
        where t.workspace_id = x.workspace_id and t.id = x.template_id
        offset 0
      ) t on true
      where x.contact_id is null and x.type = 'template' and k.resource_id is null
        and (n.status = 'connected' and a.status = 'connected')
        and (x.template_id is null or (t.status = 'approved' and t.revision = x.template_revision))
        and (x.reply_to is null or x.id = any(rows_with_quote)) and c.id is null
      order by x.workspace_id, x.phone, x.user_id, x.ordinality
      on conflict do nothing
      returning id
    ),
    rows_of_new_contacts as (select x.* from new_contacts s join candidates x on x.new_contact_id = s.id),
    new_events as materialized (
      select x.*, new_uuid(batch_now) as event_id, 'contact_created' as event_kind
      from rows_of_new_contacts x
      order by x.ordinality
    ),
    events as (
      insert into event (
        workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
      )
      select x.workspace_id, x.event_id, (select i.era from installation i), x.event_kind,
        nextval('conversation_sequence'), null, x.new_contact_id, null, batch_now,
        json_build_object('source', 'message'), batch_now
      from new_events x
    ),
    deliveries as (
      insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
      select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.event_id, e.id), x.event_id,
        hashtextextended(x.phone_number_id::text || x.new_contact_id::text, 0)
      from new_events x
      cross join lateral (
        select e.id, e.lane
        from webhook_endpoint e
        where e.workspace_id = x.workspace_id and e.events && array['*', x.event_kind]
        offset 0
      ) e
      returning slot
    )
    select (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d) into slots_filled;
  end if;
  if again then
    -- What an earlier call with these rows committed although its answer was lost is their answer.
    select array_agg(m.id), array_agg(m.contact_id), array_agg(m.recipient), array_agg(m.sequence) into stored_id,
      stored_contact, stored_recipient, stored_sequence
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, id uuid, public_id text, key text, fingerprint text, phone text, contact_id uuid,
        user_id text, new_contact_id uuid, phone_number_id uuid, sender text, type text, content json, template_id uuid,
        template_revision int, category text, reply_to uuid, reference text, send_at timestamptz,
        expires_at timestamptz, resend_once boolean, now timestamptz, actor_type text, actor_id uuid, actor_name text,
        method text, path text, request_id text, ip text, user_agent text
      )
    ) with ordinality x
    cross join lateral (
      select m.id, m.contact_id, m.recipient, m.sequence
      from message m
      where m.workspace_id = x.workspace_id and m.id = x.id
      offset 0
    ) m;
  end if;
  return query
    with decided as materialized (
      select x.*, k.resource_id as first_resource,
        case
          when m.sequence is not null then 'stored'
          when k.fingerprint <> decode(x.fingerprint, 'hex') then 'reused'
          when k.created_at <= batch_now - interval '168 hours' then 'expired_key'
          when k.resource_id is not null then 'replay'
          when not coalesce((n.status = 'connected' and a.status = 'connected'), false) then 'sender_unavailable'
          when x.template_id is not null and t.revision is null then 'template_not_found'
          when x.template_id is not null and t.revision <> x.template_revision then 'stale_template'
          when x.template_id is not null and t.status <> 'approved' then 'template_not_approved'
          when c.id is null and x.contact_id is not null then 'reference_not_found'
          when x.category = 'marketing' and c.marketing_consent = 'opted_out' then 'recipient_opted_out'
          when x.type <> 'template'
            and (
              v.last_inbound_at is null or v.last_inbound_at + interval '1439 minutes' <= batch_now
            ) then 'window_closed'
          when not (x.reply_to is null or x.id = any(rows_with_quote)) then 'reference_not_found_reply_to'
          when c.id is null and x.type = 'template' then 'stranger'
          when c.id is null then 'window_closed'
          else 'fresh'
        end as verdict, n.lane, (n.lane % 64)::smallint as slot, v.last_message_at, m.sequence as stored_sequence,
        coalesce(m.contact_id, c.id) as contact, coalesce(m.recipient, c.phone) as recipient,
        hashtextextended(x.phone_number_id::text || c.id::text, 0) as conversation
      from rows from (
        json_to_recordset(rows) as (
          workspace_id uuid, id uuid, public_id text, key text, fingerprint text, phone text, contact_id uuid,
          user_id text, new_contact_id uuid, phone_number_id uuid, sender text, type text, content json,
          template_id uuid, template_revision int, category text, reply_to uuid, reference text, send_at timestamptz,
          expires_at timestamptz, resend_once boolean, now timestamptz, actor_type text, actor_id uuid, actor_name text,
          method text, path text, request_id text, ip text, user_agent text
        )
      ) with ordinality x
      left join lateral (
        select k.resource_id, k.fingerprint, k.created_at
        from idempotency_key k
        where k.workspace_id = x.workspace_id and k.digest = decode(x.key, 'hex')
          and k.created_at >= batch_now - interval '720 hours'
        offset 0
      ) k on true
      left join lateral (
        select n.lane, n.status, n.business_account_id
        from phone_number n
        where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
        offset 0
      ) n on true
      left join lateral (
        select a.status
        from business_account a
        where a.workspace_id = x.workspace_id and a.id = n.business_account_id
        offset 0
      ) a on true
      left join lateral (
        select c.id, c.phone, c.marketing_consent
        from contact c
        where c.workspace_id = x.workspace_id and c.phone = x.phone and x.phone is not null
        union all
        select c.id, c.phone, c.marketing_consent
        from contact c
        where c.workspace_id = x.workspace_id and c.id = x.contact_id and x.contact_id is not null
        union all
        select c.id, c.phone, c.marketing_consent
        from contact c
        where c.workspace_id = x.workspace_id and c.user_id = x.user_id and x.user_id is not null
        offset 0
      ) c on true
      left join lateral (
        select t.status, t.revision
        from template t
        where t.workspace_id = x.workspace_id and t.id = x.template_id
        offset 0
      ) t on true
      left join lateral (
        select v.last_inbound_at, v.last_message_at
        from conversation v
        where v.workspace_id = x.workspace_id and v.contact_id = c.id and v.phone_number_id = x.phone_number_id
        offset 0
      ) v on true
      left join unnest(
        stored_id, stored_contact, stored_recipient, stored_sequence
      ) as m(id, contact_id, recipient, sequence) on m.id = x.id
      order by x.ordinality
    ),
    -- Waits while another process holds one of these keys in a transaction of its own.
    keys as (
      insert into idempotency_key as i (workspace_id, digest, fingerprint, resource_id, created_at)
      select d.workspace_id, decode(d.key, 'hex'), decode(d.fingerprint, 'hex'), d.public_id, batch_now
      from decided d
      where d.verdict = 'fresh' and d.key is not null
      order by d.workspace_id, decode(d.key, 'hex')
      on conflict (workspace_id, digest) do update
      set fingerprint = excluded.fingerprint,
        resource_id = excluded.resource_id,
        created_at = excluded.created_at,
        answer = null,
        status = null
      where i.created_at < batch_now - interval '720 hours'
      returning 1
    ),
    -- False when another process used one of the keys after it was looked up above, and committed before it was taken here.
    all_keys as materialized (
      select (select count(*) from keys) = (
        select count(*)
        from decided d
        where d.verdict = 'fresh' and d.key is not null
      ) as taken
    ),
    -- Sorted once more, so that all numbers are drawn at once, in microseconds, and not one by one as rows are written: they lie
    -- together, and however long the writing takes, a reader of new rows cannot pass half of the batch by.
    fresh as materialized (
      select n.*
      from (
        select d.*, nextval('conversation_sequence') as sequence, nextval('dispatch_seq_seq') as seq
        from all_keys
        join decided d on d.verdict = 'fresh'
        where all_keys.taken
        offset 0
      ) n
      order by n.ordinality
    ),
    messages as (
      insert into message (
        workspace_id, id, outbound, phone_number_id, contact_id, recipient, sender, type, content, reply_to, reference,
        category, template_id, send_at, expires_at, resend_once, sequence, created_at
      )
      select f.workspace_id, f.id, true, f.phone_number_id, f.contact, f.recipient, f.sender, f.type, f.content,
        f.reply_to, f.reference, f.category, f.template_id, f.send_at, f.expires_at, f.resend_once, f.sequence, f.now
      from fresh f
    ),
    states as (
      insert into message_state (workspace_id, id, contact_id, conversation, slot, seq)
      select f.workspace_id, f.id, f.contact, f.conversation, f.slot, f.seq
      from fresh f
    ),
    audited as (
      insert into audit (
        workspace_id, id, at, actor_type, actor_id, actor_name, method, path, request_id, ip, user_agent, action,
        resource_type, resource_id, status
      )
      select a.workspace_id, a.id, a.now, a.actor_type, a.actor_id, a.actor_name, a.method, a.path, a.request_id, a.ip,
        a.user_agent, 'message.create', 'message', a.public_id, 202
      from fresh a
    ),
    queued as (
      insert into dispatch (
        slot, lane, due, seq, workspace_id, message_id, recipient, expires_at
      ) overriding system value
      select f.slot, f.lane, case when f.send_at > batch_now then f.send_at else '-infinity' end, f.seq, f.workspace_id,
        f.id, f.conversation, f.expires_at
      from fresh f
    ),
    -- Thinned out: a conversation needs to know its last message to a minute, not each of them.
    conversations as (
      insert into conversation as v (workspace_id, contact_id, phone_number_id, last_message_at)
      select distinct f.workspace_id, f.contact, f.phone_number_id, batch_now
      from fresh f
      where f.last_message_at is null or f.last_message_at < batch_now - interval '1 minute'
      order by f.workspace_id, f.contact, f.phone_number_id
      on conflict (workspace_id, contact_id, phone_number_id) do update
      set last_message_at = greatest(v.last_message_at, excluded.last_message_at)
    )
    select a.outcome, a.resource, a.contact, a.recipient, a.sequence, a.slot, slots_filled::text
    from (
      select f.ordinality, 'accepted' as outcome, null as resource, f.contact, f.recipient, f.sequence, f.slot
      from fresh f
      union all
      select d.ordinality, case d.verdict when 'stored' then 'accepted' else d.verdict end, d.first_resource, d.contact,
        d.recipient, d.stored_sequence, d.slot
      from decided d
      where d.verdict <> 'fresh'
    ) a
    join all_keys on all_keys.taken
    order by a.ordinality;
  -- Rolled back as a whole; the next call finds the key that another process has used.
  if not found then
    raise exception 'overtaken' using errcode = 'serialization_failure';
  end if;
end
$function$;

create or replace function authenticate_keys(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, key_id uuid, key_name text, scopes text[], workspace_status text, expires_at timestamptz
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  given json;
begin
  for given in
    select value
    from json_array_elements(rows) with ordinality
    order by ordinality
  loop
    select k.workspace_id, k.id, k.name, k.scopes, w.status, k.expires_at into workspace_id, key_id, key_name, scopes,
      workspace_status, expires_at
    from (
      select d.workspace_id, d.api_key_id
      from key_digest d
      where d.digest = decode(given ->> 'digest', 'hex')
      offset 0
    ) d
    cross join lateral (
      select k.workspace_id, k.id, k.name, k.scopes, k.expires_at, k.revoked_at
      from api_key k
      where k.workspace_id = d.workspace_id and k.id = d.api_key_id
      offset 0
    ) k
    cross join lateral (select w.status from workspace w where w.workspace_id = d.workspace_id offset 0) w
    where k.revoked_at is null and (k.expires_at is null or k.expires_at > now);
    return next;
  end loop;
end
$function$;

create or replace function begin_sends(rows json, now timestamptz, call uuid, again boolean, lowest uuid default '00000000-0000-0000-0000-000000000000', highest uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff') returns table (
  outcome text, type text, content text, recipient text, user_id text, reply_to_provider_id text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  insert into flight (id) values (call);
  lock table dispatch in row exclusive mode;
  return query
    with given as materialized (
      select x.*, m.type as message_type, m.content as message_content, m.recipient as phone, c.user_id,
        case when m.reply_to is not null then quoted_provider_id(x.workspace_id, m.reply_to) end as quoted,
        s.owner is not null and m.type is not null as is_ours,
        m.type <> 'template' and (
          v.last_inbound_at is null or v.last_inbound_at + interval '1439 minutes' <= now
        ) as is_closed
      from rows from (
        json_to_recordset(rows) as (
          slot smallint, seq bigint, workspace_id uuid, message_id uuid, attempt smallint, worker uuid, epoch int,
          state smallint, asked boolean
        )
      ) with ordinality x
      left join lateral (
        select s.owner
        from slot s
        where s.kind = 1 and s.slot = x.slot and s.owner = x.worker and s.epoch = x.epoch
        offset 0
      ) s on true
      left join lateral (
        select m.*
        from message m
        where m.workspace_id = x.workspace_id and m.id = x.message_id and m.id between lowest and highest
        offset 0
      ) m on true
      left join lateral (
        select c.user_id
        from contact c
        where m.recipient is null and c.workspace_id = x.workspace_id and c.id = m.contact_id
        offset 0
      ) c on true
      left join lateral (
        select v.last_inbound_at
        from conversation v
        where m.type <> 'template' and v.workspace_id = x.workspace_id and v.contact_id = m.contact_id
          and v.phone_number_id = m.phone_number_id
        offset 0
      ) v on true
    ),
    -- Only one transaction changes a row at a time: what is found here is what is changed.
    found as materialized (
      select d.*, x.ordinality, x.worker as new_worker
      from given x
      cross join lateral (
        select d.*
        from dispatch d
        where x.is_ours and not x.is_closed and d.slot = x.slot and d.seq = x.seq and d.workspace_id = x.workspace_id
          and d.attempt = x.attempt and d.state = x.state for no key update
        offset 0
      ) d
    ),
    begun as (
      insert into dispatch (
        slot, lane, due, seq, workspace_id, message_id, recipient, expires_at, attempt, state, worker, started_at
      ) overriding system value
      select d.slot, d.lane, d.due, d.seq, d.workspace_id, d.message_id, d.recipient, d.expires_at, d.attempt + 1, 1,
        d.new_worker, now
      from found d
      order by d.ordinality
      on conflict (slot, seq, workspace_id) do update
      set attempt = excluded.attempt, state = excluded.state, worker = excluded.worker, started_at = excluded.started_at
    ),
    judged as materialized (
      select x.*,
        case
          when not x.is_ours then 'no'
          when x.is_closed then 'window_closed'
          when x.ordinality = any((select array_agg(d.ordinality) from found d)::bigint[]) or e.is_begun then 'go'
          else 'no'
        end as verdict
      from given x
      -- An earlier call may have committed: the attempt that it began is this worker's, and unsent.
      left join lateral (
        select true as is_begun
        from dispatch d
        where (again or x.asked) and d.slot = x.slot and d.seq = x.seq and d.workspace_id = x.workspace_id
          and d.attempt = x.attempt + 1 and d.state = 1 and d.worker = x.worker
        offset 0
      ) e on true
    )
    select x.verdict, x.message_type, case when x.verdict = 'go' then x.message_content::text end, x.phone, x.user_id,
      x.quoted
    from judged x
    order by x.ordinality;
end
$function$;

create or replace function begin_tasks(rows json, now timestamptz, call uuid, again boolean) returns table (
  verdict text, kind text, payload json, created_at timestamptz, unfinished smallint
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  j record;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (slot smallint, seq bigint, workspace_id uuid, job_id uuid)
    ) with ordinality x
    order by x.workspace_id, x.job_id
  loop
    update job b
    set started = true, unfinished = b.unfinished + case when again then 0 else 1 end
    where b.workspace_id = r.workspace_id and b.id = r.job_id and b.status = 'pending'
    returning b.* into j;
    if not found then
      delete from task t
      where t.slot = r.slot and t.seq = r.seq and t.workspace_id = r.workspace_id;
      return query
        select 'gone', null::text, null::json, null::timestamptz, null::smallint;
    elsif j.unfinished > 3 then
      update job b
      set status = 'failed',
        completed_at = now,
        error = json_build_object('code', 'crashed', 'detail', 'Given up after 3 starts that never ended.')
      where b.workspace_id = r.workspace_id and b.id = r.job_id;
      delete from task t
      where t.slot = r.slot and t.seq = r.seq and t.workspace_id = r.workspace_id;
      return query
        select 'poison', j.kind, j.payload, j.created_at, j.unfinished;
    else
      return query select 'run', j.kind, j.payload, j.created_at, j.unfinished;
    end if;
  end loop;
end
$function$;

create or replace function claim_routes(rows json, now timestamptz, call uuid, again boolean) returns table (
  provider_id text, owner text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  owner_row record;
  holder_status text;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (kind text, provider_id text, workspace_id uuid, id uuid)
    ) with ordinality x
    order by x.kind, x.provider_id
  loop
    holder_status := 'disconnected';
    if r.kind = 'account' then
      insert into business_account_route (provider_account_id, workspace_id, business_account_id)
      values (r.provider_id, r.workspace_id, r.id)
      on conflict do nothing;
      select o.workspace_id, o.business_account_id as account into owner_row
      from business_account_route o
      where o.provider_account_id = r.provider_id for update;
    else
      insert into phone_number_route (provider_phone_number_id, workspace_id, phone_number_id)
      values (r.provider_id, r.workspace_id, r.id)
      on conflict do nothing;
      select o.workspace_id,
        (
          select n.business_account_id
          from phone_number n
          where n.workspace_id = o.workspace_id and n.id = o.phone_number_id
        ) as account into owner_row
      from phone_number_route o
      where o.provider_phone_number_id = r.provider_id for update of o;
    end if;
    if owner_row.workspace_id <> r.workspace_id then
      select a.status into holder_status
      from business_account a
      where a.workspace_id = owner_row.workspace_id and a.id = owner_row.account;
    end if;
    if coalesce(holder_status, 'disconnected') <> 'disconnected' then
      return query select r.provider_id, 'other';
      continue;
    end if;
    if r.kind = 'account' then
      update business_account_route o
      set workspace_id = r.workspace_id, business_account_id = r.id
      where o.provider_account_id = r.provider_id and (o.workspace_id, o.business_account_id) <> (r.workspace_id, r.id);
    else
      update phone_number_route o
      set workspace_id = r.workspace_id, phone_number_id = r.id
      where o.provider_phone_number_id = r.provider_id
        and (o.workspace_id, o.phone_number_id) <> (r.workspace_id, r.id);
    end if;
    return query select r.provider_id, 'mine';
  end loop;
end
$function$;

create or replace function deliver_defer(rows json, now timestamptz, call uuid, again boolean) returns table (
  seq bigint
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
begin
  insert into flight (id) values (call);
  for r in
    select *
    from rows from (
      json_to_recordset(rows) as (slot smallint, lane int, seq bigint, workspace_id uuid, key bigint, due timestamptz)
    ) with ordinality x
    order by x.slot, x.seq
  loop
    -- Not by equality: the row is found by its key, and due is the lane index's.
    update deliver d
    set due = r.due
    where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id and not isfinite(d.due);
    seq := r.seq;
    return next;
  end loop;
end
$function$;

create or replace function deliver_due(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select r.*
    from rows from (json_to_recordset(rows) as (slot smallint, lane int, due timestamptz, seq bigint)) with ordinality u
    cross join lateral (
      select d.slot, d.lane, (extract(epoch from d.due) * 1000)::float8, d.seq, d.workspace_id, d.delivery_id,
        d.event_id, d.conversation::text, d.attempt, 0::smallint, null::float8, null::float8
      from deliver d
      where d.slot::int = u.slot and d.lane = u.lane and (d.due, (d.seq + 0)) > (u.due, u.seq) and d.due > '-infinity'
      order by d.due, (d.seq + 0)
      limit 50
    ) r;
end
$function$;

create or replace function deliver_fresh(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select r.*
    from rows from (json_to_recordset(rows) as (slot smallint, lane int, lo bigint, most int)) with ordinality u
    cross join lateral (
      select d.slot, d.lane, (extract(epoch from d.due) * 1000)::float8, d.seq, d.workspace_id, d.delivery_id,
        d.event_id, d.conversation::text, d.attempt, 0::smallint, null::float8, null::float8
      from deliver d
      where d.slot::int = u.slot and d.lane = u.lane and d.due = '-infinity' and (d.seq + 0) > u.lo
      order by (d.seq + 0)
      limit u.most
    ) r;
end
$function$;

create or replace function deliver_lanes(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select u.slot, l.lane
    from rows from (json_to_recordset(rows) as (slot smallint)) with ordinality u
    cross join lateral (
      with recursive t(lane) as (
        (select d.lane from deliver d where d.slot::int = u.slot order by d.lane limit 1)
        union all
        select (select d.lane from deliver d where d.slot::int = u.slot and d.lane > t.lane order by d.lane limit 1)
        from t
        where t.lane is not null
      )
      select t.lane
      from t
      where t.lane is not null
    ) l;
end
$function$;

create or replace function deliver_outcomes(rows json, now timestamptz, call uuid, again boolean) returns table (
  slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  event_era int := (select i.era from installation i);
  slots_filled bigint := 0;
  r record;
  w record;
  outcomes int;
  is_usual boolean;
  ended_slot smallint[];
  ended_workspace uuid[];
  ended_seq bigint[];
begin
  insert into flight (id) values (call);
  -- Endpoints before queue rows, each sorted. Found in another text too, the word only costs a pass.
  if position('"gone"' in rows::text) > 0 then
    perform 1
    from (
      select x.workspace_id, x.endpoint_id
      from rows from (
        json_to_recordset(rows) as (
          slot smallint, seq bigint, workspace_id uuid, delivery_id uuid, event_id uuid, endpoint_id uuid, kind text,
          created_at timestamptz, result text, due timestamptz, entry json, record boolean
        )
      ) with ordinality x
      where x.result = 'gone'
      order by 1, 2
    ) x
    cross join lateral (
      select 1
      from webhook_endpoint w
      where w.workspace_id = x.workspace_id and w.id = x.endpoint_id for no key update
    ) w;
  end if;
  with outcome as materialized (
    select x.*, (x.entry->>'n')::smallint as n, x.result in ('succeeded', 'failed', 'dropped') as is_over
    from rows from (
      json_to_recordset(rows) as (
        slot smallint, seq bigint, workspace_id uuid, delivery_id uuid, event_id uuid, endpoint_id uuid, kind text,
        created_at timestamptz, result text, due timestamptz, entry json, record boolean
      )
    ) with ordinality x
  ),
  recorded as (
    insert into delivery as d (
      workspace_id, id, event_id, webhook_endpoint_id, kind, status, attempt, next_attempt_at, created_at, completed_at,
      attempts
    )
    select x.workspace_id, x.delivery_id, x.event_id, x.endpoint_id, x.kind,
      case x.result when 'retry' then 'pending' when 'gone' then 'parked' else x.result end, x.n,
      case when x.result = 'retry' then x.due end, x.created_at, case when x.is_over then now end,
      json_build_array(x.entry)
    from outcome x
    where x.record and x.entry is not null
    order by x.slot, x.seq
    on conflict (workspace_id, id) do update
    set status = excluded.status,
      attempt = greatest(d.attempt, excluded.attempt),
      next_attempt_at = excluded.next_attempt_at,
      completed_at = excluded.completed_at,
      attempts = (d.attempts::jsonb || excluded.attempts::jsonb)::json
    where d.status <> 'succeeded' and (d.attempt < excluded.attempt or excluded.status = 'succeeded')
  )
  select count(*), bool_and(x.is_over and x.result <> 'dropped'), array_agg(x.slot) filter (where x.is_over),
    array_agg(x.workspace_id) filter (where x.is_over), array_agg(x.seq) filter (where x.is_over) into outcomes,
    is_usual, ended_slot, ended_workspace, ended_seq
  from outcome x;
  for r in
    select u.slot, u.workspace_id, array_agg(u.seq) as seqs, min(u.seq) as first, max(u.seq) as last
    from unnest(ended_slot, ended_workspace, ended_seq) as u(slot, workspace_id, seq)
    group by u.slot, u.workspace_id, u.seq >> 10
    order by u.slot, u.workspace_id, u.seq >> 10
  loop
    delete from deliver d
    where d.slot = r.slot
      and d.seq between r.first and r.last and d.seq = any(r.seqs) and d.workspace_id = r.workspace_id;
  end loop;
  if not is_usual then
    for r in
      select x.*, (x.entry->>'n')::smallint as n
      from rows from (
        json_to_recordset(rows) as (
          slot smallint, seq bigint, workspace_id uuid, delivery_id uuid, event_id uuid, endpoint_id uuid, kind text,
          created_at timestamptz, result text, due timestamptz, entry json, record boolean
        )
      ) with ordinality x
      where x.result not in ('succeeded', 'failed')
      order by x.ordinality
    loop
      if r.result = 'dropped' then
        update delivery d
        set status = 'failed', next_attempt_at = null, completed_at = now
        where d.workspace_id = r.workspace_id and d.id = r.delivery_id and d.status in ('pending', 'parked');
      elsif r.result = 'behind' then
        update deliver d
        set due = r.due
        where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id;
      else
        update deliver d
        set attempt = r.n, due = coalesce(r.due, now)
        where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id and d.attempt < r.n;
      end if;
      if r.result = 'gone' then
        update webhook_endpoint p
        set enabled = false, status = 'disabled', disabled_reason = 'gone', version = p.version + 1, updated_at = now
        where p.workspace_id = r.workspace_id and p.id = r.endpoint_id and p.enabled
        returning p.id, p.url, p.events, p.description, p.ordered, p.enabled, p.status, p.disabled_reason, p.created_at,
          p.updated_at into w;
        if found then
          event_id := new_uuid(now);
          insert into event (
            workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
          )
          values (
            r.workspace_id, event_id, event_era, 'endpoint_disabled', nextval('conversation_sequence'), null, null,
            r.endpoint_id, now, json_build_object('webhook_endpoint', row_to_json(w), 'reason', 'gone'), now
          );
          with deliveries as (
            insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
            select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
              hashtextextended(r.endpoint_id::text, 0)
            from webhook_endpoint e
            where e.workspace_id = r.workspace_id and e.events && array['*', 'endpoint_disabled']
            returning slot
          )
          select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
          from deliveries d;
        end if;
      end if;
    end loop;
  end if;
  return query select slots_filled::text from generate_series(1, outcomes);
end
$function$;

create or replace function deliver_tail(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  seen int8multirange := coalesce(rows -> 0 ->> 'seen', '{}')::int8multirange;
begin
  return query
    select r.*
    from rows from (json_to_recordset(rows) as (slot smallint, lo bigint, most int)) with ordinality u
    cross join lateral (
      select d.slot, d.lane, (extract(epoch from d.due) * 1000)::float8, d.seq, d.workspace_id, d.delivery_id,
        d.event_id, d.conversation::text, d.attempt, 0::smallint, null::float8, null::float8
      from deliver d
      where d.slot = u.slot and d.seq > u.lo and not d.seq <@ seen
      order by d.seq
      limit u.most
    ) r;
end
$function$;

create or replace function disconnect_accounts(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid, changed boolean, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  event_era int := (select i.era from installation i);
  slots_filled bigint := 0;
  r record;
  old_status text;
  a record;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (workspace_id uuid, id uuid, reason text, provider_event text, with_event boolean)
    ) with ordinality x
    order by x.workspace_id, x.id
  loop
    select b.status into old_status
    from business_account b
    where b.workspace_id = r.workspace_id and b.id = r.id for no key update;
    if old_status is null or old_status = 'disconnected' then
      return query select r.id, false, slots_filled::text;
      continue;
    end if;
    update business_account b
    set status = 'disconnected', status_reason = r.reason, updated_at = now
    where b.workspace_id = r.workspace_id and b.id = r.id
    returning b.id, b.provider_account_id, b.name, b.status, b.status_reason, b.portfolio_id, b.created_at into a;
    if r.with_event and old_status <> 'connecting' then
      event_id := new_uuid(now);
      insert into event (
        workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
      )
      values (
        r.workspace_id, event_id, event_era, 'signup_revoked', nextval('conversation_sequence'), null, null, r.id, now,
        json_build_object('business_account', row_to_json(a), 'provider_event', r.provider_event, 'reason', r.reason),
        now
      );
      with deliveries as (
        insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
        select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
          hashtextextended(r.id::text, 0)
        from webhook_endpoint e
        where e.workspace_id = r.workspace_id and e.events && array['*', 'signup_revoked']
        returning slot
      )
      select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
      from deliveries d;
    end if;
    return query select r.id, true, slots_filled::text;
  end loop;
end
$function$;

create or replace function dispatch_defer(rows json, now timestamptz, call uuid, again boolean) returns table (
  seq bigint
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
begin
  insert into flight (id) values (call);
  for r in
    select *
    from rows from (
      json_to_recordset(rows) as (slot smallint, lane int, seq bigint, workspace_id uuid, key bigint, due timestamptz)
    ) with ordinality x
    order by x.slot, x.seq
  loop
    update dispatch d
    set due = r.due
    where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id and d.state = 0;
    insert into held (slot, lane, workspace_id, recipient, seq, until)
    values (r.slot, r.lane, r.workspace_id, r.key, r.seq, r.due)
    on conflict (slot, lane, recipient, workspace_id) do update
    set seq = least(held.seq, excluded.seq), until = greatest(held.until, excluded.until);
    seq := r.seq;
    return next;
  end loop;
end
$function$;

create or replace function dispatch_due(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select r.*
    from rows from (json_to_recordset(rows) as (slot smallint, lane int, due timestamptz, seq bigint)) with ordinality u
    cross join lateral (
      select d.slot, d.lane, (extract(epoch from d.due) * 1000)::float8, d.seq, d.workspace_id, d.message_id,
        null::uuid, d.recipient::text, d.attempt, d.state, (extract(epoch from d.started_at) * 1000)::float8,
        (extract(epoch from d.expires_at) * 1000)::float8
      from dispatch d
      where d.slot::int = u.slot and d.lane = u.lane and (d.due, (d.seq + 0)) > (u.due, u.seq) and d.due > '-infinity'
      order by d.due, (d.seq + 0)
      limit 50
    ) r;
end
$function$;

create or replace function dispatch_fresh(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select r.*
    from rows from (json_to_recordset(rows) as (slot smallint, lane int, lo bigint, most int)) with ordinality u
    cross join lateral (
      select d.slot, d.lane, (extract(epoch from d.due) * 1000)::float8, d.seq, d.workspace_id, d.message_id,
        null::uuid, d.recipient::text, d.attempt, d.state, (extract(epoch from d.started_at) * 1000)::float8,
        (extract(epoch from d.expires_at) * 1000)::float8
      from dispatch d
      where d.slot::int = u.slot and d.lane = u.lane and d.due = '-infinity' and (d.seq + 0) > u.lo
      order by (d.seq + 0)
      limit u.most
    ) r;
end
$function$;

create or replace function dispatch_held(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, key text, seq bigint, until float8, next bigint
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select h.slot, h.lane, h.recipient::text, h.seq, (extract(epoch from h.until) * 1000)::float8, null::bigint
    from rows from (json_to_recordset(rows) as (slot smallint)) with ordinality u
    cross join lateral (select h.* from held h where h.slot = u.slot offset 0) h;
  return query
    select l.slot, l.lane, d.recipient::text, (array_agg(d.seq order by d.seq))[1], null::float8,
      (array_agg(d.seq order by d.seq))[2]
    from (
      select h.slot, h.lane, max(h.until) as until
      from rows from (json_to_recordset(rows) as (slot smallint)) with ordinality u
      cross join lateral (select h.* from held h where h.slot = u.slot offset 0) h
      group by h.slot, h.lane
    ) l
    cross join lateral (
      select d.*
      from dispatch d
      where d.slot::int = l.slot and d.lane = l.lane and d.due > '-infinity' and d.due <= l.until
      order by d.due, (d.seq + 0)
      offset 0
    ) d
    cross join lateral (
      select
      from held h
      where h.slot = l.slot and h.lane = l.lane and h.recipient = d.recipient and h.workspace_id = d.workspace_id
        and d.seq >= h.seq
      offset 0
    ) h
    group by l.slot, l.lane, d.recipient;
end
$function$;

create or replace function dispatch_lanes(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select u.slot, l.lane
    from rows from (json_to_recordset(rows) as (slot smallint)) with ordinality u
    cross join lateral (
      with recursive t(lane) as (
        (select d.lane from dispatch d where d.slot::int = u.slot order by d.lane limit 1)
        union all
        select (select d.lane from dispatch d where d.slot::int = u.slot and d.lane > t.lane order by d.lane limit 1)
        from t
        where t.lane is not null
      )
      select t.lane
      from t
      where t.lane is not null
    ) l;
end
$function$;

create or replace function dispatch_started(rows json, now timestamptz, call uuid, again boolean) returns table (
  seq bigint
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select d.seq
    from rows from (json_to_recordset(rows) as (slot smallint, seq bigint)) with ordinality u
    cross join lateral (select d.seq, d.state from dispatch d where d.slot = u.slot and d.seq = u.seq offset 0) d
    where d.state = 1;
end
$function$;

create or replace function dispatch_tail(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  seen int8multirange := coalesce(rows -> 0 ->> 'seen', '{}')::int8multirange;
begin
  return query
    select r.*
    from rows from (json_to_recordset(rows) as (slot smallint, lo bigint, most int)) with ordinality u
    cross join lateral (
      select d.slot, d.lane, (extract(epoch from d.due) * 1000)::float8, d.seq, d.workspace_id, d.message_id,
        null::uuid, d.recipient::text, d.attempt, d.state, (extract(epoch from d.started_at) * 1000)::float8,
        (extract(epoch from d.expires_at) * 1000)::float8
      from dispatch d
      where d.slot = u.slot and d.seq > u.lo and not d.seq <@ seen
      order by d.seq
      limit u.most
    ) r;
end
$function$;

create or replace function dispatch_unhold(rows json, now timestamptz, call uuid, again boolean) returns table (
  key text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
begin
  insert into flight (id) values (call);
  lock table dispatch in row exclusive mode;
  for r in
    select *
    from rows from (
      json_to_recordset(rows) as (
        slot smallint, lane int, workspace_id uuid, key bigint, until timestamptz, worker uuid, epoch int
      )
    ) with ordinality x
    order by x.slot, x.lane, x.key
  loop
    delete from held h
    where h.slot = r.slot and h.lane = r.lane and h.recipient = r.key and h.workspace_id = r.workspace_id
      and h.until <= r.until
      and exists (select from slot s where s.kind = 1 and s.slot = r.slot and s.owner = r.worker and s.epoch = r.epoch);
    key := r.key::text;
    return next;
  end loop;
end
$function$;

create or replace function emit_events(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  event_era int := (select i.era from installation i);
  slots_filled bigint := 0;
  r record;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, kind text, contact_id uuid, resource_id uuid, state json, conversation text
      )
    ) with ordinality x
  loop
    event_id := new_uuid(now);
    insert into event (
      workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
    )
    values (
      r.workspace_id, event_id, event_era, r.kind, nextval('conversation_sequence'), null, r.contact_id, r.resource_id,
      now, r.state, now
    );
    with deliveries as (
      insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
      select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
        hashtextextended(r.conversation, 0)
      from webhook_endpoint e
      where e.workspace_id = r.workspace_id and e.events && array['*', r.kind]
      returning slot
    )
    select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
    from deliveries d;
    return query select event_id;
  end loop;
end
$function$;

create or replace function end_tasks(rows json, now timestamptz, call uuid, again boolean) returns table (
  job_id uuid
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (
        slot smallint, seq bigint, workspace_id uuid, job_id uuid, outcome text, error json, due timestamptz,
        attempt smallint, crashed boolean
      )
    ) with ordinality x
    order by x.workspace_id, x.job_id
  loop
    update job b
    set error = r.error,
      unfinished = case when r.crashed then b.unfinished else 0 end,
      status = case when r.outcome = 'later' then b.status else r.outcome end,
      completed_at = case when r.outcome = 'later' then null else now end
    where b.workspace_id = r.workspace_id and b.id = r.job_id and b.status = 'pending';
    if r.outcome = 'later' then
      update task t
      set due = r.due, attempt = r.attempt
      where t.slot = r.slot and t.seq = r.seq and t.workspace_id = r.workspace_id;
    else
      delete from task t
      where t.slot = r.slot and t.seq = r.seq and t.workspace_id = r.workspace_id;
    end if;
    return query select r.job_id;
  end loop;
end
$function$;

create or replace function endpoint_lanes(rows json, now timestamptz, call uuid, again boolean) returns table (
  lane int, workspace_id uuid, enabled boolean, ordered boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select w.lane, w.workspace_id, w.enabled, w.ordered
    from rows from (json_to_recordset(rows) as (lane int)) with ordinality x
    cross join lateral (
      select w.lane, w.workspace_id, w.enabled, w.ordered
      from webhook_endpoint w
      where w.lane = x.lane
      offset 0
    ) w;
end
$function$;

create or replace function find_listeners(rows json, now timestamptz, call uuid, again boolean) returns table (
  events json
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select e.events
    from rows from (json_to_recordset(rows) as (workspace_id uuid)) with ordinality x
    left join lateral (
      select json_agg(e.events) as events
      from webhook_endpoint e
      where e.workspace_id = x.workspace_id
      offset 0
    ) e on true
    order by x.ordinality;
end
$function$;

create or replace function find_owners(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, phone_number_id uuid, business_account_id uuid
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select coalesce(p.workspace_id, a.workspace_id), p.phone_number_id, a.business_account_id
    from rows from (
      json_to_recordset(rows) as (provider_phone_number_id text, provider_account_id text)
    ) with ordinality x
    left join lateral (
      select p.*
      from phone_number_route p
      where p.provider_phone_number_id = x.provider_phone_number_id
      offset 0
    ) p on true
    left join lateral (
      select a.*
      from business_account_route a
      where a.provider_account_id = x.provider_account_id
      offset 0
    ) a on true
    order by x.ordinality;
end
$function$;

create or replace function find_templates(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid, status text, category text, revision int, parameter_format text, components json
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select t.id, t.status, t.category, t.revision, t.parameter_format, t.components
    from rows from (
      json_to_recordset(rows) as (workspace_id uuid, business_account_id uuid, name text, language text)
    ) with ordinality x
    left join lateral (
      select t.*
      from template t
      where t.workspace_id = x.workspace_id and t.business_account_id = x.business_account_id and t.name = x.name
        and t.language = x.language
      offset 0
    ) t on true
    order by x.ordinality;
end
$function$;

create or replace function finish_ingest(rows json, now timestamptz, call uuid, again boolean) returns table (
  done boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
begin
  insert into flight (id) values (call);
  for r in
    select *
    from rows from (
      json_to_recordset(rows) as (
        slot smallint, lane int, seq bigint, callback_id uuid, due timestamptz, quarantine json
      )
    ) with ordinality x
    order by x.ordinality
  loop
    if json_array_length(r.quarantine) > 0 then
      insert into quarantine (
        id, callback_id, lane, provider_phone_number_id, provider_account_id, reason, detail, change, created_at
      )
      select q.id, r.callback_id, r.lane, q.provider_phone_number_id, q.provider_account_id, q.reason, q.detail,
        q.change, now
      from rows from (
        json_to_recordset(r.quarantine) as (
          id uuid, reason text, detail text, provider_phone_number_id text, provider_account_id text, change json
        )
      ) with ordinality q
      where q.reason <> 'failed'
      on conflict do nothing;
      -- Replayed, and it failed again.
      insert into quarantine as k (
        id, callback_id, lane, provider_phone_number_id, provider_account_id, reason, detail, created_at, replay_at
      )
      select q.id, r.callback_id, r.lane, q.provider_phone_number_id, q.provider_account_id, q.reason, q.detail, now,
        now + least(
          interval '1 hours', interval '30 seconds' * 2 ^ greatest(0, least(0 - 20, 16))
        ) * (0.8 + 0.4 * random())
      from rows from (
        json_to_recordset(r.quarantine) as (
          id uuid, reason text, detail text, provider_phone_number_id text, provider_account_id text, change json
        )
      ) with ordinality q
      where q.reason = 'failed'
      limit 1
      on conflict (callback_id)
      where reason = 'failed' do update
      set tries = least(k.tries, 30000) + 1,
        detail = excluded.detail,
        replayed_at = null,
        replay_at = now + least(
          interval '1 hours', interval '30 seconds' * 2 ^ greatest(0, least(k.tries + 1 - 20, 16))
        ) * (0.8 + 0.4 * random());
    end if;
    if r.due is null then
      delete from ingest i where i.slot = r.slot and i.seq = r.seq;
    else
      update ingest i
      set due = r.due, attempt = least(i.attempt, 30000) + 1
      where i.slot = r.slot and i.seq = r.seq;
    end if;
    done := r.due is null;
    return next;
  end loop;
end
$function$;

create or replace function ingest_due(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select r.*
    from rows from (json_to_recordset(rows) as (slot smallint, lane int, due timestamptz, seq bigint)) with ordinality u
    cross join lateral (
      select d.slot, d.lane, (extract(epoch from d.due) * 1000)::float8, d.seq, null::uuid, d.callback_id, null::uuid,
        null::text, d.attempt, 0::smallint, null::float8, null::float8
      from ingest d
      where d.slot::int = u.slot and d.lane = u.lane and (d.due, (d.seq + 0)) > (u.due, u.seq) and d.due > '-infinity'
      order by d.due, (d.seq + 0)
      limit 50
    ) r;
end
$function$;

create or replace function ingest_fresh(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select r.*
    from rows from (json_to_recordset(rows) as (slot smallint, lane int, lo bigint, most int)) with ordinality u
    cross join lateral (
      select d.slot, d.lane, (extract(epoch from d.due) * 1000)::float8, d.seq, null::uuid, d.callback_id, null::uuid,
        null::text, d.attempt, 0::smallint, null::float8, null::float8
      from ingest d
      where d.slot::int = u.slot and d.lane = u.lane and d.due = '-infinity' and (d.seq + 0) > u.lo
      order by (d.seq + 0)
      limit u.most
    ) r;
end
$function$;

create or replace function ingest_lanes(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select u.slot, l.lane
    from rows from (json_to_recordset(rows) as (slot smallint)) with ordinality u
    cross join lateral (
      with recursive t(lane) as (
        (select d.lane from ingest d where d.slot::int = u.slot order by d.lane limit 1)
        union all
        select (select d.lane from ingest d where d.slot::int = u.slot and d.lane > t.lane order by d.lane limit 1)
        from t
        where t.lane is not null
      )
      select t.lane
      from t
      where t.lane is not null
    ) l;
end
$function$;

create or replace function ingest_tail(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  seen int8multirange := coalesce(rows -> 0 ->> 'seen', '{}')::int8multirange;
begin
  return query
    select r.*
    from rows from (json_to_recordset(rows) as (slot smallint, lo bigint, most int)) with ordinality u
    cross join lateral (
      select d.slot, d.lane, (extract(epoch from d.due) * 1000)::float8, d.seq, null::uuid, d.callback_id, null::uuid,
        null::text, d.attempt, 0::smallint, null::float8, null::float8
      from ingest d
      where d.slot = u.slot and d.seq > u.lo and not d.seq <@ seen
      order by d.seq
      limit u.most
    ) r;
end
$function$;

create or replace function join_parked(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, phone_number_id uuid, message_id uuid, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  slots_filled bigint := 0;
  p record;
  joined parked_status[] := '{}';
  joined_message uuid[] := '{}';
  r record;
  workspaces uuid[] := '{}';
  numbers uuid[] := '{}';
  messages uuid[] := '{}';
begin
  insert into flight (id) values (call);
  if not pg_try_advisory_xact_lock(4919202614) then
    return;
  end if;
  for r in
    select w.*, k.message_id as message
    from rows from (json_to_recordset(rows) as (up_to timestamptz)) with ordinality x
    cross join lateral (select w.* from parked_status w where w.look_at <= x.up_to order by w.look_at limit 500) w
    left join lateral (
      select k.message_id
      from provider_message k
      where k.workspace_id = w.workspace_id and k.provider_message_id = w.provider_message_id
      offset 0
    ) k on true
    -- State rows before parked ones, each sorted, as a call that stores an outcome locks them.
    order by k.message_id is null, w.workspace_id, k.message_id, w.received_at
  loop
    if r.message is null then
      update parked_status w
      set look_at = case
        when r.look_at < r.received_at + interval '30 seconds' then r.received_at + interval '30 seconds'
      end
      where w.workspace_id = r.workspace_id and w.provider_message_id = r.provider_message_id and w.bit = r.bit;
    else
      perform
      from message_state s
      where s.workspace_id = r.workspace_id and s.id = r.message for no key update;
      for p in
        delete from parked_status w
        where w.workspace_id = r.workspace_id and w.provider_message_id = r.provider_message_id
        returning w
      loop
        joined := joined || p.w;
        joined_message := joined_message || r.message;
      end loop;
    end if;
    workspaces := workspaces || r.workspace_id;
    numbers := numbers || r.phone_number_id;
    messages := messages || r.message;
  end loop;
  if cardinality(joined) > 0 then
    with given as materialized (
      select (joined[j.n]).workspace_id, joined_message[j.n] as message_id, (joined[j.n]).bit, (joined[j.n]).at,
        (joined[j.n]).error, (joined[j.n]).pricing, (joined[j.n]).provider_message_id,
        row_number() over (order by (joined[j.n]).received_at, (joined[j.n]).bit) as ordinality
      from generate_subscripts(joined, 1) as j(n)
    ),
    locked as materialized (
      select x.*, s.state
      from (select * from given x order by x.workspace_id, x.message_id, x.ordinality) x
      left join lateral (
        select s as state
        from message_state s
        where s.workspace_id = x.workspace_id and s.id = x.message_id for no key update
      ) s on true
    ),
    judged as materialized (
      select x.*,
        coalesce(
          (
            (x.state).seen | coalesce(
              bit_or(x.bit) over (
                partition by x.workspace_id, x.message_id
                order by x.ordinality rows between unbounded preceding and 1 preceding
              ),
              0
            )
          ) & x.bit = 0,
          false
        ) as is_new,
        coalesce(
          (x.state).provider_message_id,
          (array_agg(x.provider_message_id) filter (where x.provider_message_id is not null) over w)[1]
        ) as known_provider_id
      from locked x window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
    ),
    reported as materialized (
      select x.*, (x.state).seen | bit_or(x.bit) over w as seen,
        greatest(
          (x.state).rank,
          max(
            case x.bit
              when 1 then 2
              when 2 then 3
              when 4 then 4
              when 8 then 5
              when 16 then 6
              when 32 then 7
              when 64 then 7
              when 128 then 2
              when 256 then 8
              when 512 then 9
            end
          ) over w
        ) as rank,
        coalesce((array_agg(x.at) filter (where x.bit in (2)) over w)[1], (x.state).accepted_at) as accepted_at,
        coalesce((array_agg(x.at) filter (where x.bit in (4)) over w)[1], (x.state).sent_at) as sent_at,
        coalesce((array_agg(x.at) filter (where x.bit in (16)) over w)[1], (x.state).delivered_at) as delivered_at,
        coalesce((x.state).read_at, (array_agg(x.at) filter (where x.bit in (32, 64)) over w)[1]) as read_at,
        coalesce((array_agg(x.at) filter (where x.bit in (8)) over w)[1], (x.state).failed_at) as failed_at,
        coalesce(
          (array_agg(x.error) filter (where x.error is not null) over w)[count(x.error) over w], (x.state).error
        ) as known_error,
        coalesce(
          (array_agg(x.pricing) filter (where x.pricing is not null) over w)[count(x.pricing) over w], (x.state).pricing
        ) as known_pricing,
        x.ordinality = max(x.ordinality) over (partition by x.workspace_id, x.message_id) as is_last
      from judged x
      where x.is_new window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
    ),
    changed as (
      insert into message_state (
        workspace_id, id, contact_id, conversation, seen, rank, accepted_at, sent_at, delivered_at, read_at, failed_at,
        provider_message_id, error, pricing
      )
      select x.workspace_id, x.message_id, (x.state).contact_id, (x.state).conversation, x.seen, x.rank, x.accepted_at,
        x.sent_at, x.delivered_at, x.read_at, x.failed_at, x.known_provider_id, x.known_error, x.known_pricing
      from reported x
      where x.is_last
      on conflict (workspace_id, id) do update
      set seen = excluded.seen,
        rank = excluded.rank,
        accepted_at = excluded.accepted_at,
        sent_at = excluded.sent_at,
        delivered_at = excluded.delivered_at,
        read_at = excluded.read_at,
        failed_at = excluded.failed_at,
        provider_message_id = excluded.provider_message_id,
        error = excluded.error,
        pricing = excluded.pricing
    ),
    recorded as (
      insert into history (workspace_id, message_id, bit, at, received_at, error)
      select x.workspace_id, x.message_id, x.bit, x.at, now, x.error
      from reported x
      order by x.ordinality
    ),
    new_events as materialized (
      select x.*, new_uuid(now) as event_id,
        case x.bit
          when 1 then 'unknown'
          when 2 then 'accepted'
          when 4 then 'sent'
          when 8 then 'failed'
          when 16 then 'delivered'
          when 32 then 'read'
          when 64 then 'played'
          when 128 then 'unknown'
          when 256 then 'canceled'
          when 512 then 'expired'
        end as event_kind
      from reported x
      order by x.ordinality
    ),
    events as (
      insert into event (
        workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
      )
      select x.workspace_id, x.event_id, (select i.era from installation i), x.event_kind,
        nextval('conversation_sequence'), x.message_id, (x.state).contact_id, null, x.at,
        json_strip_nulls(
          json_build_object(
            'seen', x.seen, 'rank', x.rank, 'accepted_at', x.accepted_at, 'sent_at', x.sent_at, 'delivered_at',
            x.delivered_at, 'read_at', x.read_at, 'failed_at', x.failed_at, 'provider_message_id', x.known_provider_id,
            'possible_duplicate', nullif((x.state).possible_duplicate, false), 'error', x.known_error, 'pricing',
            x.known_pricing
          )
        ),
        now
      from new_events x
    ),
    deliveries as (
      insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
      select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.event_id, e.id), x.event_id,
        (x.state).conversation
      from new_events x
      cross join lateral (
        select e.id, e.lane
        from webhook_endpoint e
        where e.workspace_id = x.workspace_id and e.events && array['*', x.event_kind]
        offset 0
      ) e
      returning slot
    )
    select slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d) into slots_filled;
  end if;
  return query
    select u.workspace_id, u.phone_number_id, u.message_id, slots_filled::text
    from unnest(workspaces, numbers, messages) as u(workspace_id, phone_number_id, message_id);
end
$function$;

create or replace function list_quarantine(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid, reason text, detail text, provider_phone_number_id text, provider_account_id text, tries smallint,
  replay_at timestamptz, created_at timestamptz, replayed_at timestamptz
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select q.id, q.reason, q.detail, q.provider_phone_number_id, q.provider_account_id, q.tries, q.replay_at,
      q.created_at, q.replayed_at
    from rows from (json_to_recordset(rows) as (before uuid, most int, reason text)) with ordinality p,
    lateral (
      select *
      from quarantine q
      where q.replayed_at is null and q.created_at > '-infinity' and (p.reason is null or q.reason = p.reason)
        and (p.before is null or q.id < p.before)
      order by q.id desc
      limit p.most
    ) q;
end
$function$;

create or replace function list_workspaces(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid, name text, status text, created_at timestamptz, updated_at timestamptz
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select w.workspace_id, w.name, w.status, w.created_at, w.updated_at
    from rows from (json_to_recordset(rows) as (before uuid, most int)) with ordinality p,
    lateral (
      select *
      from workspace
      where p.before is null or workspace_id < p.before
      order by workspace_id desc
      limit p.most
    ) w;
end
$function$;

create or replace function load_callbacks(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid, received_at timestamptz, body bytea, later boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select l.id, l.received_at, case when l.room then l.body end, not l.room
    from (
      select x.id, x.ordinality, c.received_at, c.body,
        x.ordinality = 1 or coalesce(sum(octet_length(c.body)) over (order by x.ordinality), 0) <= 8388608 as room
      from rows from (json_to_recordset(rows) as (id uuid)) with ordinality x
      left join lateral (select c.received_at, c.body from callback c where c.id = x.id offset 0) c on true
    ) l
    order by l.ordinality;
end
$function$;

create or replace function load_deliveries(rows json, now timestamptz, call uuid, again boolean, lowest uuid default '00000000-0000-0000-0000-000000000000', highest uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff') returns table (
  endpoint_id uuid, version int, enabled boolean, behind float8, kind text, resource_id uuid, occurred_at float8,
  created_at float8, state json, message json, contact json
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select w.id, w.version, w.enabled, (extract(epoch from b.waits) * 1000)::float8, e.kind, e.resource_id,
      (extract(epoch from e.occurred_at) * 1000)::float8, (extract(epoch from e.created_at) * 1000)::float8, e.state,
      m.message, c.contact
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, slot smallint, lane int, seq bigint, event_id uuid, conversation bigint, body boolean
      )
    ) with ordinality x
    left join lateral (
      select p.id, p.version, p.enabled, p.ordered
      from webhook_endpoint p
      where p.workspace_id = x.workspace_id and p.lane = x.lane
      offset 0
    ) w on true
    -- The owner keeps the order in memory; a new owner has only what the table says.
    left join lateral (
      select min(d.due) as waits
      from deliver d
      where w.ordered and d.slot::int = x.slot and d.lane = x.lane and d.conversation = x.conversation
        and (d.seq + 0) < x.seq and d.due > '-infinity'
      offset 0
    ) b on true
    left join lateral (
      select v.*
      from event v
      where x.body and v.workspace_id = x.workspace_id and v.id = x.event_id and v.id between lowest and highest
      offset 0
    ) e on true
    left join lateral (
      select m.outbound, row_to_json(m) as message
      from message m
      where m.workspace_id = x.workspace_id and m.id = e.message_id
      offset 0
    ) m on true
    -- What happens to a message that was sent is told without its contact.
    left join lateral (
      select row_to_json(c) as contact
      from contact c
      where m.outbound is not true and c.workspace_id = x.workspace_id and c.id = e.contact_id
      offset 0
    ) c on true
    order by x.ordinality;
end
$function$;

create or replace function prune_idempotency_keys(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  q record;
  n int;
  gone int := 0;
begin
  insert into flight (id) values (call);
  for r in
    select *
    from rows from (json_to_recordset(rows) as (lo tid, hi tid, bound timestamptz)) with ordinality x
  loop
    delete from idempotency_key k
    where k.ctid >= r.lo and k.ctid < r.hi and k.created_at < r.bound;
    get diagnostics n = row_count;
    gone := gone + n;
  end loop;
  return query select gone;
end
$function$;

create or replace function prune_jobs(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  gone int := 0;
begin
  insert into flight (id) values (call);
  for r in
    select b.workspace_id, b.id
    from job b, rows from (json_to_recordset(rows) as (before timestamptz)) with ordinality x
    where b.completed_at < x.before
    order by b.workspace_id, b.id
    limit 1000
  loop
    delete from job b where b.workspace_id = r.workspace_id and b.id = r.id;
    gone := gone + 1;
  end loop;
  return query select gone;
end
$function$;

create or replace function prune_parked_deliveries(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  q record;
  n int;
  gone int := 0;
begin
  insert into flight (id) values (call);
  for r in
    select *
    from rows from (json_to_recordset(rows) as (lo tid, hi tid, bound uuid)) with ordinality x
  loop
    for q in
      delete from deliver d
      where d.ctid >= r.lo and d.ctid < r.hi and d.event_id < r.bound
      returning d.workspace_id, d.delivery_id
    loop
      gone := gone + 1;
      update delivery d
      set status = 'failed', next_attempt_at = null, completed_at = now
      where d.workspace_id = q.workspace_id and d.id = q.delivery_id and d.status in ('pending', 'parked');
    end loop;
  end loop;
  return query select gone;
end
$function$;

create or replace function prune_parked_statuses(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  gone int := 0;
begin
  insert into flight (id) values (call);
  for r in
    select w.workspace_id, w.provider_message_id, w.bit
    from rows from (json_to_recordset(rows) as (bound timestamptz)) with ordinality x
    join parked_status w on w.received_at < x.bound
    order by w.received_at
    limit 1000
  loop
    delete from parked_status w
    where w.workspace_id = r.workspace_id and w.provider_message_id = r.provider_message_id and w.bit = r.bit;
    gone := gone + 1;
  end loop;
  return query select gone;
end
$function$;

create or replace function prune_provider_messages(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  q record;
  n int;
  gone int := 0;
begin
  insert into flight (id) values (call);
  for r in
    select *
    from rows from (json_to_recordset(rows) as (lo tid, hi tid, bound timestamptz)) with ordinality x
  loop
    delete from provider_message k
    where k.ctid >= r.lo and k.ctid < r.hi and k.created_at < r.bound;
    get diagnostics n = row_count;
    gone := gone + n;
  end loop;
  return query select gone;
end
$function$;

create or replace function queue_needs(rows json, now timestamptz, call uuid, again boolean) returns table (
  needed boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select case x.family
      when 'message' then exists (select from dispatch d where d.message_id >= x.lo and d.message_id < x.hi)
      when 'event' then exists (select from deliver d where d.event_id >= x.lo and d.event_id < x.hi)
      when 'delivery' then exists (select from deliver d where d.delivery_id >= x.lo and d.delivery_id < x.hi)
      when 'callback' then exists (select from ingest i where i.callback_id >= x.lo and i.callback_id < x.hi)
      else false
    end
    from rows from (json_to_recordset(rows) as (family text, lo uuid, hi uuid)) with ordinality x;
end
$function$;

create or replace function read_settled(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid, settled boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select x.id, s.rank > 0
    from rows from (json_to_recordset(rows) as (workspace_id uuid, id uuid)) with ordinality x
    cross join lateral (
      select s.rank
      from message_state s
      where s.workspace_id = x.workspace_id and s.id = x.id
      offset 0
    ) s;
end
$function$;

create or replace function record_activities(rows json, now timestamptz, call uuid, again boolean) returns table (
  written int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
begin
  insert into flight (id) values (call);
  written := 0;
  for r in
    select *
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, id uuid, at timestamptz, actor_type text, actor_id uuid, actor_name text, method text,
        path text, request_id text, ip text, user_agent text, action text, resource_type text, resource_id text,
        status smallint, code text
      )
    ) with ordinality x
  loop
    insert into audit (
      workspace_id, id, at, actor_type, actor_id, actor_name, action, resource_type, resource_id, method, path,
      request_id, ip, user_agent, status, code
    )
    values (
      r.workspace_id, r.id, r.at, r.actor_type, r.actor_id, r.actor_name, r.action, r.resource_type, r.resource_id,
      r.method, r.path, r.request_id, r.ip, r.user_agent, r.status, r.code
    )
    on conflict do nothing;
    written := written + 1;
  end loop;
  return next;
end
$function$;

create or replace function replay_due(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid, slot smallint
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  slot_of smallint;
begin
  insert into flight (id) values (call);
  for r in
    select q.id
    from rows from (json_to_recordset(rows) as (due timestamptz, most int)) with ordinality x
    cross join lateral (
      select q.id, q.callback_id
      from quarantine q
      where q.replay_at <= x.due
      order by q.replay_at
      limit x.most for update of q skip locked
    ) q
    order by q.callback_id
  loop
    perform from quarantine q where q.id = r.id and q.replayed_at is null;
    if found then
      insert into ingest (slot, lane, callback_id)
      select (l.lane % 64)::smallint, l.lane, l.callback_id
      from (
        select q.callback_id,
          coalesce(
            q.lane,
            hashtext(coalesce(q.provider_phone_number_id, q.provider_account_id, q.callback_id::text)) & 2147483647
          ) as lane
        from quarantine q
        where q.id = r.id
      ) l
      returning ingest.slot into slot_of;
      update quarantine q
      set replayed_at = now, replay_at = null
      where q.callback_id = (select o.callback_id from quarantine o where o.id = r.id) and q.replayed_at is null;
    end if;
    return query select r.id, slot_of;
  end loop;
end
$function$;

create or replace function replay_quarantine(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
begin
  insert into flight (id) values (call);
  for r in
    select q.callback_id, min(q.lane) as lane
    from rows from (
      json_to_recordset(rows) as (provider_phone_number_id text, provider_account_id text)
    ) with ordinality x
    cross join lateral (
      select q.callback_id,
        coalesce(
          q.lane,
          hashtext(coalesce(q.provider_phone_number_id, q.provider_account_id, q.callback_id::text)) & 2147483647
        ) as lane
      from quarantine q
      where q.provider_phone_number_id = x.provider_phone_number_id and q.replayed_at is null and q.reason = 'unowned'
      union
      select q.callback_id,
        coalesce(
          q.lane,
          hashtext(coalesce(q.provider_phone_number_id, q.provider_account_id, q.callback_id::text)) & 2147483647
        ) as lane
      from quarantine q
      where q.provider_account_id = x.provider_account_id and q.replayed_at is null and q.reason = 'unowned'
      offset 0
    ) q
    group by q.callback_id
    order by q.callback_id
  loop
    -- All of the callback's: what has no owner even now, or is not understood, comes back here from its second reading.
    update quarantine q
    set replayed_at = now, replay_at = null
    where q.callback_id = r.callback_id and q.replayed_at is null;
    insert into ingest (slot, lane, callback_id)
    values ((r.lane % 64)::smallint, r.lane, r.callback_id);
    slot := (r.lane % 64)::smallint;
    return next;
  end loop;
end
$function$;

create or replace function replay_quarantined(rows json, now timestamptz, call uuid, again boolean) returns table (
  outcome text, id uuid, reason text, detail text, provider_phone_number_id text, provider_account_id text,
  tries smallint, replay_at timestamptz, created_at timestamptz, replayed_at timestamptz
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  slot_of smallint;
  verdict text;
begin
  insert into flight (id) values (call);
  for r in
    select q.*
    from rows from (json_to_recordset(rows) as (id uuid)) with ordinality x
    cross join lateral (select * from quarantine q where q.id = x.id for update) q
  loop
    verdict := case
      when r.replayed_at is not null then 'already'
      when not exists (select from callback c where c.id = r.callback_id) then 'gone'
      else 'replayed'
    end;
    if verdict = 'replayed' then
      insert into ingest (slot, lane, callback_id)
      select (l.lane % 64)::smallint, l.lane, l.callback_id
      from (
        select q.callback_id,
          coalesce(
            q.lane,
            hashtext(coalesce(q.provider_phone_number_id, q.provider_account_id, q.callback_id::text)) & 2147483647
          ) as lane
        from quarantine q
        where q.id = r.id
      ) l
      returning ingest.slot into slot_of;
      update quarantine q
      set replayed_at = now, replay_at = null
      where q.callback_id = (select o.callback_id from quarantine o where o.id = r.id) and q.replayed_at is null;
    end if;
    return query
      select verdict, q.id, q.reason, q.detail, q.provider_phone_number_id, q.provider_account_id, q.tries, q.replay_at,
        q.created_at, q.replayed_at
      from quarantine q
      where q.id = r.id;
  end loop;
end
$function$;

create or replace function replay_reason(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid, slot smallint
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  slot_of smallint;
begin
  insert into flight (id) values (call);
  for r in
    select q.id
    from rows from (json_to_recordset(rows) as (reason text, most int)) with ordinality x
    cross join lateral (
      select q.id, q.callback_id
      from quarantine q
      cross join lateral (select from callback c where c.id = q.callback_id offset 0) c
      where q.reason = x.reason and q.replayed_at is null and q.created_at > '-infinity'
      order by q.id
      limit x.most for update of q skip locked
    ) q
    order by q.callback_id
  loop
    perform from quarantine q where q.id = r.id and q.replayed_at is null;
    if found then
      insert into ingest (slot, lane, callback_id)
      select (l.lane % 64)::smallint, l.lane, l.callback_id
      from (
        select q.callback_id,
          coalesce(
            q.lane,
            hashtext(coalesce(q.provider_phone_number_id, q.provider_account_id, q.callback_id::text)) & 2147483647
          ) as lane
        from quarantine q
        where q.id = r.id
      ) l
      returning ingest.slot into slot_of;
      update quarantine q
      set replayed_at = now, replay_at = null
      where q.callback_id = (select o.callback_id from quarantine o where o.id = r.id) and q.replayed_at is null;
    end if;
    return query select r.id, slot_of;
  end loop;
end
$function$;

create or replace function senders_of_lanes(rows json, now timestamptz, call uuid, again boolean) returns table (
  lane int, workspace_id uuid, phone_number_id uuid, provider_phone_number_id text, business_account_id uuid,
  throughput_per_second int, number_status text, account_status text, account_changed_at timestamptz
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select n.lane, n.workspace_id, n.id, n.provider_phone_number_id, n.business_account_id, n.throughput_per_second,
      n.status, a.status, a.updated_at
    from rows from (json_to_recordset(rows) as (lane int)) with ordinality x
    cross join lateral (select n.* from phone_number n where n.lane = x.lane offset 0) n
    cross join lateral (
      select a.status, a.updated_at
      from business_account a
      where a.workspace_id = n.workspace_id and a.id = n.business_account_id
      offset 0
    ) a;
end
$function$;

create or replace function senders_of_workspaces(rows json, now timestamptz, call uuid, again boolean) returns table (
  senders json
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select coalesce(s.senders, '[]')
    from rows from (json_to_recordset(rows) as (workspace_id uuid)) with ordinality x
    cross join lateral (
      select json_agg(
        json_build_object(
          'id', n.id, 'lane', n.lane, 'phone', n.phone, 'provider_phone_number_id', n.provider_phone_number_id,
          'business_account_id', n.business_account_id, 'is_default', n.is_default, 'number_status', n.status,
          'account_status', a.status
        )
        order by n.id
      ) as senders
      from phone_number n
      join business_account a on a.workspace_id = n.workspace_id and a.id = n.business_account_id
      where n.workspace_id = x.workspace_id
      offset 0
    ) s
    order by x.ordinality;
end
$function$;

create or replace function settle_sends(rows json, now timestamptz, call uuid, again boolean, lowest uuid default '00000000-0000-0000-0000-000000000000', highest uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff') returns table (
  done boolean, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  slots_filled bigint := 0;
  p record;
  joined parked_status[] := '{}';
  joined_message uuid[] := '{}';
  r record;
  dones boolean[];
  resends boolean[];
  has_parked boolean;
  ended_slot smallint[];
  ended_workspace uuid[];
  ended_seq bigint[];
begin
  insert into flight (id) values (call);
  with given as materialized (
    select x.*,
      case x.outcome
        when 'accepted' then 2
        when 'failed' then 8
        when 'expired' then 512
        when 'unknown' then 1
        when 'silence' then 128
      end as bit, null::json as pricing
    from rows from (
      json_to_recordset(rows) as (
        slot smallint, seq bigint, workspace_id uuid, message_id uuid, attempt smallint, outcome text, at timestamptz,
        provider_message_id text, error json, due timestamptz, lane int, recipient bigint, worker uuid
      )
    ) with ordinality x
  ),
  locked as materialized (
    select x.*, s.state
    from (select * from given x order by x.workspace_id, x.message_id, x.ordinality) x
    left join lateral (
      select s as state
      from message_state s
      where s.workspace_id = x.workspace_id and s.id = x.message_id for no key update
    ) s on true
  ),
  doubted as materialized (
    -- A callback, or a late answer, may have settled a lost answer already.
    select x.*,
      x.outcome in ('unknown', 'silence') and coalesce(
        (
          (x.state).seen | coalesce(
            bit_or(x.bit) over (
              partition by x.workspace_id, x.message_id
              order by x.ordinality rows between unbounded preceding and 1 preceding
            ),
            0
          )
        ) & 126 <> 0,
        false
      ) as is_known,
      x.outcome = 'silence' and coalesce(m.resend_once and not (x.state).possible_duplicate, false) as may_resend
    from locked x
    left join lateral (
      select m.resend_once
      from message m
      where x.outcome = 'silence' and m.workspace_id = x.workspace_id and m.id = x.message_id
        and m.id between lowest and highest
      offset 0
    ) m on true
  ),
  decided as materialized (
    select x.*, x.may_resend and not x.is_known as is_resent,
      x.is_known or x.outcome in ('accepted', 'failed', 'expired') or (
        x.outcome = 'silence' and not x.may_resend
      ) as is_done
    from doubted x
  ),
  reports as materialized (
    select x.workspace_id, x.message_id, x.at, x.error, x.pricing, x.provider_message_id, x.ordinality, x.state,
      case when not x.is_known and not x.is_resent then x.bit end as bit
    from decided x
  ),
  judged as materialized (
    select x.*,
      coalesce(
        (
          (x.state).seen | coalesce(
            bit_or(x.bit) over (
              partition by x.workspace_id, x.message_id
              order by x.ordinality rows between unbounded preceding and 1 preceding
            ),
            0
          )
        ) & x.bit = 0,
        false
      ) as is_new,
      coalesce(
        (x.state).provider_message_id,
        (array_agg(x.provider_message_id) filter (where x.provider_message_id is not null) over w)[1]
      ) as known_provider_id
    from reports x window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
  ),
  reported as materialized (
    select x.*, (x.state).seen | bit_or(x.bit) over w as seen,
      greatest(
        (x.state).rank,
        max(
          case x.bit
            when 1 then 2
            when 2 then 3
            when 4 then 4
            when 8 then 5
            when 16 then 6
            when 32 then 7
            when 64 then 7
            when 128 then 2
            when 256 then 8
            when 512 then 9
          end
        ) over w
      ) as rank,
      coalesce((array_agg(x.at) filter (where x.bit in (2)) over w)[1], (x.state).accepted_at) as accepted_at,
      coalesce((array_agg(x.at) filter (where x.bit in (4)) over w)[1], (x.state).sent_at) as sent_at,
      coalesce((array_agg(x.at) filter (where x.bit in (16)) over w)[1], (x.state).delivered_at) as delivered_at,
      coalesce((x.state).read_at, (array_agg(x.at) filter (where x.bit in (32, 64)) over w)[1]) as read_at,
      coalesce((array_agg(x.at) filter (where x.bit in (8)) over w)[1], (x.state).failed_at) as failed_at,
      coalesce(
        (array_agg(x.error) filter (where x.error is not null) over w)[count(x.error) over w], (x.state).error
      ) as known_error,
      coalesce(
        (array_agg(x.pricing) filter (where x.pricing is not null) over w)[count(x.pricing) over w], (x.state).pricing
      ) as known_pricing,
      x.ordinality = max(x.ordinality) over (partition by x.workspace_id, x.message_id) as is_last
    from judged x
    where x.is_new window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
  ),
  changed as (
    insert into message_state (
      workspace_id, id, contact_id, conversation, seen, rank, accepted_at, sent_at, delivered_at, read_at, failed_at,
      provider_message_id, error, pricing
    )
    select x.workspace_id, x.message_id, (x.state).contact_id, (x.state).conversation, x.seen, x.rank, x.accepted_at,
      x.sent_at, x.delivered_at, x.read_at, x.failed_at, x.known_provider_id, x.known_error, x.known_pricing
    from reported x
    where x.is_last
    on conflict (workspace_id, id) do update
    set seen = excluded.seen,
      rank = excluded.rank,
      accepted_at = excluded.accepted_at,
      sent_at = excluded.sent_at,
      delivered_at = excluded.delivered_at,
      read_at = excluded.read_at,
      failed_at = excluded.failed_at,
      provider_message_id = excluded.provider_message_id,
      error = excluded.error,
      pricing = excluded.pricing
  ),
  recorded as (
    insert into history (workspace_id, message_id, bit, at, received_at, error)
    select x.workspace_id, x.message_id, x.bit, x.at, now, x.error
    from reported x
    order by x.ordinality
  ),
  new_events as materialized (
    select x.*, new_uuid(now) as event_id,
      case x.bit
        when 1 then 'unknown'
        when 2 then 'accepted'
        when 4 then 'sent'
        when 8 then 'failed'
        when 16 then 'delivered'
        when 32 then 'read'
        when 64 then 'played'
        when 128 then 'unknown'
        when 256 then 'canceled'
        when 512 then 'expired'
      end as event_kind
    from reported x
    order by x.ordinality
  ),
  events as (
    insert into event (
      workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
    )
    select x.workspace_id, x.event_id, (select i.era from installation i), x.event_kind,
      nextval('conversation_sequence'), x.message_id, (x.state).contact_id, null, x.at,
      json_strip_nulls(
        json_build_object(
          'seen', x.seen, 'rank', x.rank, 'accepted_at', x.accepted_at, 'sent_at', x.sent_at, 'delivered_at',
          x.delivered_at, 'read_at', x.read_at, 'failed_at', x.failed_at, 'provider_message_id', x.known_provider_id,
          'possible_duplicate', nullif((x.state).possible_duplicate, false), 'error', x.known_error, 'pricing',
          x.known_pricing
        )
      ),
      now
    from new_events x
  ),
  deliveries as (
    insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
    select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.event_id, e.id), x.event_id,
      (x.state).conversation
    from new_events x
    cross join lateral (
      select e.id, e.lane
      from webhook_endpoint e
      where e.workspace_id = x.workspace_id and e.events && array['*', x.event_kind]
      offset 0
    ) e
    returning slot
  ),
  named as (
    insert into provider_message (workspace_id, provider_message_id, message_id, created_at)
    select x.workspace_id, x.provider_message_id, x.message_id, now
    from decided x
    where x.provider_message_id is not null
    order by x.ordinality
    on conflict do nothing
  ),
  tried as (
    insert into attempt (workspace_id, message_id, attempt, completed_at, outcome, provider_message_id, error)
    select x.workspace_id, x.message_id, x.attempt, x.at, x.outcome, x.provider_message_id, x.error
    from decided x
    where x.attempt > 0 and x.outcome in ('accepted', 'failed', 'unknown', 'retry')
    order by x.ordinality
    on conflict do nothing
  )
  select array_agg(x.is_done order by x.ordinality), array_agg(x.is_resent order by x.ordinality), bool_or(w.is_parked),
    slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d), array_agg(d.slot),
    array_agg(d.workspace_id), array_agg(d.seq) into dones, resends, has_parked, slots_filled, ended_slot,
    ended_workspace, ended_seq
  from decided x
  left join lateral (
    select d.slot, d.workspace_id, d.seq
    from dispatch d
    where x.is_done and d.slot = x.slot and d.seq = x.seq and d.workspace_id = x.workspace_id
      and d.attempt = x.attempt for update
    offset 0
  ) d on true
  left join lateral (
    select true as is_parked
    from parked_status w
    where w.workspace_id = x.workspace_id and w.provider_message_id = x.provider_message_id
    limit 1
    offset 0
  ) w on true;
  if has_parked then
    for r in
      select x.workspace_id, x.message_id, x.provider_message_id
      from rows from (
        json_to_recordset(rows) as (
          slot smallint, seq bigint, workspace_id uuid, message_id uuid, attempt smallint, outcome text, at timestamptz,
          provider_message_id text, error json, due timestamptz, lane int, recipient bigint, worker uuid
        )
      ) with ordinality x
      order by x.ordinality
    loop
      for p in
        delete from parked_status w
        where w.workspace_id = r.workspace_id and w.provider_message_id = r.provider_message_id
        returning w
      loop
        joined := joined || p.w;
        joined_message := joined_message || r.message_id;
      end loop;
    end loop;
    with given as materialized (
      select (joined[j.n]).workspace_id, joined_message[j.n] as message_id, (joined[j.n]).bit, (joined[j.n]).at,
        (joined[j.n]).error, (joined[j.n]).pricing, (joined[j.n]).provider_message_id,
        row_number() over (order by (joined[j.n]).received_at, (joined[j.n]).bit) as ordinality
      from generate_subscripts(joined, 1) as j(n)
    ),
    locked as materialized (
      select x.*, s.state
      from (select * from given x order by x.workspace_id, x.message_id, x.ordinality) x
      left join lateral (
        select s as state
        from message_state s
        where s.workspace_id = x.workspace_id and s.id = x.message_id for no key update
      ) s on true
    ),
    judged as materialized (
      select x.*,
        coalesce(
          (
            (x.state).seen | coalesce(
              bit_or(x.bit) over (
                partition by x.workspace_id, x.message_id
                order by x.ordinality rows between unbounded preceding and 1 preceding
              ),
              0
            )
          ) & x.bit = 0,
          false
        ) as is_new,
        coalesce(
          (x.state).provider_message_id,
          (array_agg(x.provider_message_id) filter (where x.provider_message_id is not null) over w)[1]
        ) as known_provider_id
      from locked x window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
    ),
    reported as materialized (
      select x.*, (x.state).seen | bit_or(x.bit) over w as seen,
        greatest(
          (x.state).rank,
          max(
            case x.bit
              when 1 then 2
              when 2 then 3
              when 4 then 4
              when 8 then 5
              when 16 then 6
              when 32 then 7
              when 64 then 7
              when 128 then 2
              when 256 then 8
              when 512 then 9
            end
          ) over w
        ) as rank,
        coalesce((array_agg(x.at) filter (where x.bit in (2)) over w)[1], (x.state).accepted_at) as accepted_at,
        coalesce((array_agg(x.at) filter (where x.bit in (4)) over w)[1], (x.state).sent_at) as sent_at,
        coalesce((array_agg(x.at) filter (where x.bit in (16)) over w)[1], (x.state).delivered_at) as delivered_at,
        coalesce((x.state).read_at, (array_agg(x.at) filter (where x.bit in (32, 64)) over w)[1]) as read_at,
        coalesce((array_agg(x.at) filter (where x.bit in (8)) over w)[1], (x.state).failed_at) as failed_at,
        coalesce(
          (array_agg(x.error) filter (where x.error is not null) over w)[count(x.error) over w], (x.state).error
        ) as known_error,
        coalesce(
          (array_agg(x.pricing) filter (where x.pricing is not null) over w)[count(x.pricing) over w], (x.state).pricing
        ) as known_pricing,
        x.ordinality = max(x.ordinality) over (partition by x.workspace_id, x.message_id) as is_last
      from judged x
      where x.is_new window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
    ),
    changed as (
      insert into message_state (
        workspace_id, id, contact_id, conversation, seen, rank, accepted_at, sent_at, delivered_at, read_at, failed_at,
        provider_message_id, error, pricing
      )
      select x.workspace_id, x.message_id, (x.state).contact_id, (x.state).conversation, x.seen, x.rank, x.accepted_at,
        x.sent_at, x.delivered_at, x.read_at, x.failed_at, x.known_provider_id, x.known_error, x.known_pricing
      from reported x
      where x.is_last
      on conflict (workspace_id, id) do update
      set seen = excluded.seen,
        rank = excluded.rank,
        accepted_at = excluded.accepted_at,
        sent_at = excluded.sent_at,
        delivered_at = excluded.delivered_at,
        read_at = excluded.read_at,
        failed_at = excluded.failed_at,
        provider_message_id = excluded.provider_message_id,
        error = excluded.error,
        pricing = excluded.pricing
    ),
    recorded as (
      insert into history (workspace_id, message_id, bit, at, received_at, error)
      select x.workspace_id, x.message_id, x.bit, x.at, now, x.error
      from reported x
      order by x.ordinality
    ),
    new_events as materialized (
      select x.*, new_uuid(now) as event_id,
        case x.bit
          when 1 then 'unknown'
          when 2 then 'accepted'
          when 4 then 'sent'
          when 8 then 'failed'
          when 16 then 'delivered'
          when 32 then 'read'
          when 64 then 'played'
          when 128 then 'unknown'
          when 256 then 'canceled'
          when 512 then 'expired'
        end as event_kind
      from reported x
      order by x.ordinality
    ),
    events as (
      insert into event (
        workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
      )
      select x.workspace_id, x.event_id, (select i.era from installation i), x.event_kind,
        nextval('conversation_sequence'), x.message_id, (x.state).contact_id, null, x.at,
        json_strip_nulls(
          json_build_object(
            'seen', x.seen, 'rank', x.rank, 'accepted_at', x.accepted_at, 'sent_at', x.sent_at, 'delivered_at',
            x.delivered_at, 'read_at', x.read_at, 'failed_at', x.failed_at, 'provider_message_id', x.known_provider_id,
            'possible_duplicate', nullif((x.state).possible_duplicate, false), 'error', x.known_error, 'pricing',
            x.known_pricing
          )
        ),
        now
      from new_events x
    ),
    deliveries as (
      insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
      select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.event_id, e.id), x.event_id,
        (x.state).conversation
      from new_events x
      cross join lateral (
        select e.id, e.lane
        from webhook_endpoint e
        where e.workspace_id = x.workspace_id and e.events && array['*', x.event_kind]
        offset 0
      ) e
      returning slot
    )
    select slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d) into slots_filled;
  end if;
  for r in
    select u.slot, u.workspace_id, array_agg(u.seq) as seqs, min(u.seq) as first, max(u.seq) as last
    from unnest(ended_slot, ended_workspace, ended_seq) as u(slot, workspace_id, seq)
    group by u.slot, u.workspace_id, u.seq >> 10
    order by u.slot, u.workspace_id, u.seq >> 10
  loop
    delete from dispatch d
    where d.slot = r.slot
      and d.seq between r.first and r.last and d.seq = any(r.seqs) and d.workspace_id = r.workspace_id;
  end loop;
  if false = any(dones) then
    for r in
      select x.*
      from rows from (
        json_to_recordset(rows) as (
          slot smallint, seq bigint, workspace_id uuid, message_id uuid, attempt smallint, outcome text, at timestamptz,
          provider_message_id text, error json, due timestamptz, lane int, recipient bigint, worker uuid
        )
      ) with ordinality x
      where not dones[x.ordinality]
      order by x.ordinality
    loop
      if r.outcome = 'unknown' then
        update dispatch d
        set state = 2, due = r.due
        where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id and d.attempt = r.attempt
          and d.state = 1;
      elsif resends[r.ordinality] then
        update message_state s
        set possible_duplicate = true
        where s.workspace_id = r.workspace_id and s.id = r.message_id;
        update dispatch d
        set state = 0, due = now
        where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id and d.attempt = r.attempt
          and d.state = 2;
      else
        update dispatch d
        set state = 0, due = r.due
        where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id and d.attempt = r.attempt
        -- What its worker never wrote goes out, also when a new owner took it for lost; of another worker's attempt the
        -- request may still be under way.
        and case when r.outcome = 'unwritten' then d.worker = r.worker and d.state in (1, 2) else d.state in (0, 1) end;
        if found then
          insert into held (slot, lane, workspace_id, recipient, seq, until)
          values (r.slot, r.lane, r.workspace_id, r.recipient, r.seq, r.due)
          on conflict (slot, lane, recipient, workspace_id) do update
          set seq = excluded.seq, until = greatest(held.until, excluded.until);
        end if;
      end if;
    end loop;
  end if;
  return query
    select u.done, slots_filled::text
    from unnest(dones) with ordinality u(done, n)
    order by u.n;
end
$function$;

create or replace function share_demand(rows json, now timestamptz, call uuid, again boolean) returns table (
  worker uuid, demand json
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (json_to_recordset(rows) as (worker uuid, demand jsonb)) with ordinality x
  loop
    insert into api_demand (worker, at, demand)
    values (r.worker, now, r.demand)
    on conflict (worker) do update
    set at = excluded.at, demand = excluded.demand;
    -- Rows of processes that have gone. Skip locked: none of them is waited for.
    delete from api_demand d
    where d.worker in (select o.worker from api_demand o where o.at < now - interval '1 minute' for update skip locked);
    return query
      select d.worker, json_object_agg(e.key, e.value)
      from api_demand d
      cross join lateral jsonb_each(d.demand) e
      where d.worker <> r.worker and d.at > now - interval '3 seconds' and r.demand ? e.key
      group by d.worker;
  end loop;
end
$function$;

create or replace function store_callbacks(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  insert into flight (id) values (call);
  return query
    with given as materialized (
      select x.*
      from rows from (json_to_recordset(rows) as (id uuid, lane int, body text)) with ordinality x
    ),
    stored as (
      insert into callback as c (id, received_at, body)
      select x.id, now, decode(x.body, 'base64')
      from given x
      order by x.ordinality
      on conflict do nothing
      returning c.id
    ),
    queued as (
      insert into ingest (slot, lane, callback_id)
      select (x.lane % 64)::smallint, x.lane, x.id
      from given x
      where x.id = any((select array_agg(s.id) from stored s)::uuid[])
      order by x.ordinality
    )
    select x.id
    from given x
    order by x.ordinality;
end
$function$;

create or replace function take_callbacks(rows json, now timestamptz, call uuid, again boolean) returns table (
  outcome text, message_ids uuid[], sent_twice uuid[], slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  slots_filled bigint := 0;
  p record;
  joined parked_status[] := '{}';
  joined_message uuid[] := '{}';
  verdicts text[];
  messages uuid[];
  sent_twices boolean[];
  unnamed boolean[];
  prepared boolean;
  complete boolean;
  rows_text text;
  runs json[];
  kinds text[];
  all_verdicts text[] := '{}';
  all_messages uuid[] := '{}';
  all_sent_twices boolean[] := '{}';
  r record;
  callback_ids uuid[];
  callback_lanes int[];
  callbacks_waiting boolean[];
  report_counts int[];
  stored_ids uuid[];
  reports_text text;
begin
  insert into flight (id) values (call);
  with given as materialized (
    select x.*, waiting.yes is not null as waiting
    from rows from (json_to_recordset(rows) as (id uuid, lane int, body text, reports json)) with ordinality x
    left join lateral (
      select true as yes
      from ingest i
      where i.slot::int = (x.lane % 64)::smallint::int and i.lane = x.lane
      limit 1
      offset 0
    ) waiting on true
    order by x.ordinality
  ),
  stored as (
    insert into callback as c (id, received_at, body)
    select x.id, now, decode(x.body, 'base64')
    from given x
    order by x.ordinality
    on conflict do nothing
    returning c.id
  )
  select array_agg(x.id order by x.ordinality), array_agg(x.lane order by x.ordinality),
    array_agg(x.waiting order by x.ordinality),
    array_agg(case when x.waiting then 0 else json_array_length(x.reports) end order by x.ordinality),
    (select array_agg(s.id) from stored s),
  -- Texts of arrays without their brackets: taking the rows out of the arrays and together again would parse them twice.
  string_agg(btrim(x.reports::text, '[]'), ',' order by x.ordinality) filter (where not x.waiting) into callback_ids,
  callback_lanes, callbacks_waiting, report_counts, stored_ids, reports_text
  from given x;
  if reports_text is not null then
    rows := '[' || reports_text || ']';
    rows_text := rows::text;
    runs := array[rows];
    kinds := array[case when position('{"kind":"status"' in rows_text) > 0 then 'status' else 'message' end];
    if position('{"kind":"status"' in rows_text) > 0 and position('{"kind":"message"' in rows_text) > 0 then
      select array_agg(x.kind order by x.first), array_agg(x.taken order by x.first) into kinds, runs
      from (
        select e.kind, json_agg(e.value order by e.n) as taken, min(e.n) as first
        from (
          -- The same number for all rows of a run: their place, less their place among those of their kind.
          select v.value, v.n, v.kind, v.n - row_number() over (partition by v.kind order by v.n) as island
          from (
            select j.value, j.n, j.value->>'kind' as kind
            from json_array_elements(rows) with ordinality j(value, n)
            offset 0
          ) v
        ) e
        group by e.kind, e.island
      ) x;
    end if;
    for run in 1 .. cardinality(runs) loop
      rows := runs[run];
      if kinds[run] = 'status' then
        with given as materialized (
          select x.workspace_id, coalesce(x.message_id, k.message_id) as message_id, x.bit, x.at, x.error, x.pricing,
            x.provider_message_id, k.message_id is null as unnamed, x.ordinality
          from rows from (
            json_to_recordset(rows) as (
              kind text, workspace_id uuid, phone_number_id uuid, message_id uuid, provider_message_id text, bit int,
              at timestamptz, error json, pricing json
            )
          ) with ordinality x
          left join lateral (
            select k.message_id
            from provider_message k
            where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id
            offset 0
          ) k on true
        ),
        locked as materialized (
          select x.*, s.state
          from (select * from given x order by x.workspace_id, x.message_id, x.ordinality) x
          left join lateral (
            select s as state
            from message_state s
            where s.workspace_id = x.workspace_id and s.id = x.message_id for no key update
          ) s on true
        ),
        judged as materialized (
          select x.*,
            coalesce(
              (
                (x.state).seen | coalesce(
                  bit_or(x.bit) over (
                    partition by x.workspace_id, x.message_id
                    order by x.ordinality rows between unbounded preceding and 1 preceding
                  ),
                  0
                )
              ) & x.bit = 0,
              false
            ) as is_new,
            coalesce(
              (x.state).provider_message_id,
              (array_agg(x.provider_message_id) filter (where x.provider_message_id is not null) over w)[1]
            ) as known_provider_id
          from locked x window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
        ),
        reported as materialized (
          select x.*, (x.state).seen | bit_or(x.bit) over w as seen,
            greatest(
              (x.state).rank,
              max(
                case x.bit
                  when 1 then 2
                  when 2 then 3
                  when 4 then 4
                  when 8 then 5
                  when 16 then 6
                  when 32 then 7
                  when 64 then 7
                  when 128 then 2
                  when 256 then 8
                  when 512 then 9
                end
              ) over w
            ) as rank,
            coalesce((array_agg(x.at) filter (where x.bit in (2)) over w)[1], (x.state).accepted_at) as accepted_at,
            coalesce((array_agg(x.at) filter (where x.bit in (4)) over w)[1], (x.state).sent_at) as sent_at,
            coalesce((array_agg(x.at) filter (where x.bit in (16)) over w)[1], (x.state).delivered_at) as delivered_at,
            coalesce((x.state).read_at, (array_agg(x.at) filter (where x.bit in (32, 64)) over w)[1]) as read_at,
            coalesce((array_agg(x.at) filter (where x.bit in (8)) over w)[1], (x.state).failed_at) as failed_at,
            coalesce(
              (array_agg(x.error) filter (where x.error is not null) over w)[count(x.error) over w], (x.state).error
            ) as known_error,
            coalesce(
              (array_agg(x.pricing) filter (where x.pricing is not null) over w)[count(x.pricing) over w],
              (x.state).pricing
            ) as known_pricing,
            x.ordinality = max(x.ordinality) over (partition by x.workspace_id, x.message_id) as is_last
          from judged x
          where x.is_new window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
        ),
        changed as (
          insert into message_state (
            workspace_id, id, contact_id, conversation, seen, rank, accepted_at, sent_at, delivered_at, read_at,
            failed_at, provider_message_id, error, pricing
          )
          select x.workspace_id, x.message_id, (x.state).contact_id, (x.state).conversation, x.seen, x.rank,
            x.accepted_at, x.sent_at, x.delivered_at, x.read_at, x.failed_at, x.known_provider_id, x.known_error,
            x.known_pricing
          from reported x
          where x.is_last
          on conflict (workspace_id, id) do update
          set seen = excluded.seen,
            rank = excluded.rank,
            accepted_at = excluded.accepted_at,
            sent_at = excluded.sent_at,
            delivered_at = excluded.delivered_at,
            read_at = excluded.read_at,
            failed_at = excluded.failed_at,
            provider_message_id = excluded.provider_message_id,
            error = excluded.error,
            pricing = excluded.pricing
        ),
        recorded as (
          insert into history (workspace_id, message_id, bit, at, received_at, error)
          select x.workspace_id, x.message_id, x.bit, x.at, now, x.error
          from reported x
          order by x.ordinality
        ),
        new_events as materialized (
          select x.*, new_uuid(now) as event_id,
            case x.bit
              when 1 then 'unknown'
              when 2 then 'accepted'
              when 4 then 'sent'
              when 8 then 'failed'
              when 16 then 'delivered'
              when 32 then 'read'
              when 64 then 'played'
              when 128 then 'unknown'
              when 256 then 'canceled'
              when 512 then 'expired'
            end as event_kind
          from reported x
          order by x.ordinality
        ),
        events as (
          insert into event (
            workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
          )
          select x.workspace_id, x.event_id, (select i.era from installation i), x.event_kind,
            nextval('conversation_sequence'), x.message_id, (x.state).contact_id, null, x.at,
            json_strip_nulls(
              json_build_object(
                'seen', x.seen, 'rank', x.rank, 'accepted_at', x.accepted_at, 'sent_at', x.sent_at, 'delivered_at',
                x.delivered_at, 'read_at', x.read_at, 'failed_at', x.failed_at, 'provider_message_id',
                x.known_provider_id, 'possible_duplicate', nullif((x.state).possible_duplicate, false), 'error',
                x.known_error, 'pricing', x.known_pricing
              )
            ),
            now
          from new_events x
        ),
        deliveries as (
          insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
          select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.event_id, e.id), x.event_id,
            (x.state).conversation
          from new_events x
          cross join lateral (
            select e.id, e.lane
            from webhook_endpoint e
            where e.workspace_id = x.workspace_id and e.events && array['*', x.event_kind]
            offset 0
          ) e
          returning slot
        ),
        named as (
          insert into provider_message (workspace_id, provider_message_id, message_id, created_at)
          select x.workspace_id, x.provider_message_id, x.message_id, now
          from reported x
          where x.unnamed
          order by x.ordinality
          on conflict do nothing
        )
        select array_agg(x.verdict order by x.ordinality), array_agg(x.message_id order by x.ordinality),
        -- Two provider ids for one message: it was sent twice, and that must be known.
        array_agg(x.is_new and x.known_provider_id <> x.provider_message_id order by x.ordinality),
        array_agg(x.is_new and x.unnamed order by x.ordinality),
        slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d) into verdicts, messages,
        sent_twices, unnamed, slots_filled
        from (
          select x.*,
            case
              when x.message_id is null then 'parked'
              when x.is_new then 'reported'
              when (x.state).id is null then 'unknown_message'
              else 'repeated'
            end as verdict
          from judged x
        ) x;
        if 'parked' = any(verdicts) then
          insert into parked_status (
            workspace_id, provider_message_id, phone_number_id, bit, at, received_at, error, pricing, look_at
          )
          select x.workspace_id, x.provider_message_id, x.phone_number_id, x.bit, x.at, now, x.error, x.pricing,
            now + interval '5 seconds'
          from rows from (
            json_to_recordset(rows) as (
              kind text, workspace_id uuid, phone_number_id uuid, message_id uuid, provider_message_id text, bit int,
              at timestamptz, error json, pricing json
            )
          ) with ordinality x
          where verdicts[x.ordinality::int] = 'parked'
          order by x.ordinality
          on conflict do nothing;
        end if;
        if true = any(unnamed) then
          -- Earlier ones, which did not carry our value. A call has several runs: those of the run before are done.
          joined := '{}';
          joined_message := '{}';
          for n in 1 .. cardinality(unnamed) loop
            continue when not unnamed[n];
            for p in
              delete from parked_status w
              where w.workspace_id = (rows->(n - 1)->>'workspace_id')::uuid
                and w.provider_message_id = rows->(n - 1)->>'provider_message_id'
              returning w
            loop
              joined := joined || p.w;
              joined_message := joined_message || messages[n];
            end loop;
          end loop;
          with given as materialized (
            select (joined[j.n]).workspace_id, joined_message[j.n] as message_id, (joined[j.n]).bit, (joined[j.n]).at,
              (joined[j.n]).error, (joined[j.n]).pricing, (joined[j.n]).provider_message_id,
              row_number() over (order by (joined[j.n]).received_at, (joined[j.n]).bit) as ordinality
            from generate_subscripts(joined, 1) as j(n)
          ),
          locked as materialized (
            select x.*, s.state
            from (select * from given x order by x.workspace_id, x.message_id, x.ordinality) x
            left join lateral (
              select s as state
              from message_state s
              where s.workspace_id = x.workspace_id and s.id = x.message_id for no key update
            ) s on true
          ),
          judged as materialized (
            select x.*,
              coalesce(
                (
                  (x.state).seen | coalesce(
                    bit_or(x.bit) over (
                      partition by x.workspace_id, x.message_id
                      order by x.ordinality rows between unbounded preceding and 1 preceding
                    ),
                    0
                  )
                ) & x.bit = 0,
                false
              ) as is_new,
              coalesce(
                (x.state).provider_message_id,
                (array_agg(x.provider_message_id) filter (where x.provider_message_id is not null) over w)[1]
              ) as known_provider_id
            from locked x window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
          ),
          reported as materialized (
            select x.*, (x.state).seen | bit_or(x.bit) over w as seen,
              greatest(
                (x.state).rank,
                max(
                  case x.bit
                    when 1 then 2
                    when 2 then 3
                    when 4 then 4
                    when 8 then 5
                    when 16 then 6
                    when 32 then 7
                    when 64 then 7
                    when 128 then 2
                    when 256 then 8
                    when 512 then 9
                  end
                ) over w
              ) as rank,
              coalesce((array_agg(x.at) filter (where x.bit in (2)) over w)[1], (x.state).accepted_at) as accepted_at,
              coalesce((array_agg(x.at) filter (where x.bit in (4)) over w)[1], (x.state).sent_at) as sent_at,
              coalesce(
                (array_agg(x.at) filter (where x.bit in (16)) over w)[1], (x.state).delivered_at
              ) as delivered_at,
              coalesce((x.state).read_at, (array_agg(x.at) filter (where x.bit in (32, 64)) over w)[1]) as read_at,
              coalesce((array_agg(x.at) filter (where x.bit in (8)) over w)[1], (x.state).failed_at) as failed_at,
              coalesce(
                (array_agg(x.error) filter (where x.error is not null) over w)[count(x.error) over w], (x.state).error
              ) as known_error,
              coalesce(
                (array_agg(x.pricing) filter (where x.pricing is not null) over w)[count(x.pricing) over w],
                (x.state).pricing
              ) as known_pricing,
              x.ordinality = max(x.ordinality) over (partition by x.workspace_id, x.message_id) as is_last
            from judged x
            where x.is_new window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
          ),
          changed as (
            insert into message_state (
              workspace_id, id, contact_id, conversation, seen, rank, accepted_at, sent_at, delivered_at, read_at,
              failed_at, provider_message_id, error, pricing
            )
            select x.workspace_id, x.message_id, (x.state).contact_id, (x.state).conversation, x.seen, x.rank,
              x.accepted_at, x.sent_at, x.delivered_at, x.read_at, x.failed_at, x.known_provider_id, x.known_error,
              x.known_pricing
            from reported x
            where x.is_last
            on conflict (workspace_id, id) do update
            set seen = excluded.seen,
              rank = excluded.rank,
              accepted_at = excluded.accepted_at,
              sent_at = excluded.sent_at,
              delivered_at = excluded.delivered_at,
              read_at = excluded.read_at,
              failed_at = excluded.failed_at,
              provider_message_id = excluded.provider_message_id,
              error = excluded.error,
              pricing = excluded.pricing
          ),
          recorded as (
            insert into history (workspace_id, message_id, bit, at, received_at, error)
            select x.workspace_id, x.message_id, x.bit, x.at, now, x.error
            from reported x
            order by x.ordinality
          ),
          new_events as materialized (
            select x.*, new_uuid(now) as event_id,
              case x.bit
                when 1 then 'unknown'
                when 2 then 'accepted'
                when 4 then 'sent'
                when 8 then 'failed'
                when 16 then 'delivered'
                when 32 then 'read'
                when 64 then 'played'
                when 128 then 'unknown'
                when 256 then 'canceled'
                when 512 then 'expired'
              end as event_kind
            from reported x
            order by x.ordinality
          ),
          events as (
            insert into event (
              workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
            )
            select x.workspace_id, x.event_id, (select i.era from installation i), x.event_kind,
              nextval('conversation_sequence'), x.message_id, (x.state).contact_id, null, x.at,
              json_strip_nulls(
                json_build_object(
                  'seen', x.seen, 'rank', x.rank, 'accepted_at', x.accepted_at, 'sent_at', x.sent_at, 'delivered_at',
                  x.delivered_at, 'read_at', x.read_at, 'failed_at', x.failed_at, 'provider_message_id',
                  x.known_provider_id, 'possible_duplicate', nullif((x.state).possible_duplicate, false), 'error',
                  x.known_error, 'pricing', x.known_pricing
                )
              ),
              now
            from new_events x
          ),
          deliveries as (
            insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
            select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.event_id, e.id), x.event_id,
              (x.state).conversation
            from new_events x
            cross join lateral (
              select e.id, e.lane
              from webhook_endpoint e
              where e.workspace_id = x.workspace_id and e.events && array['*', x.event_kind]
              offset 0
            ) e
            returning slot
          )
          select slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d) into slots_filled;
        end if;
      else
        prepared := false;
        loop
          with given as materialized (
            select x.*,
              coalesce(
                (select c from contact c where c.workspace_id = x.workspace_id and c.phone = x.phone limit 1),
                (
                  select c
                  from contact c
                  where c.workspace_id = x.workspace_id and c.wa_id = x.wa_id
                  order by c.id
                  limit 1
                ),
                (select c from contact c where c.workspace_id = x.workspace_id and c.user_id = x.user_id limit 1)
              ) as person,
              n.phone as number_phone
            from rows from (
              json_to_recordset(rows) as (
                kind text, workspace_id uuid, id uuid, phone_number_id uuid, provider_message_id text,
                new_contact_id uuid, phone text, wa_id text, user_id text, name text, type text, content json,
                reply_to_provider_id text, opens_window boolean, at timestamptz
              )
            ) with ordinality x
            left join lateral (
              select n.phone
              from phone_number n
              where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
              offset 0
            ) n on true
            order by x.ordinality
          ),
          all_known as materialized (
            select bool_and(
              prepared
              or (
                (x.person).id is not null
                and not (
                  (x.wa_id is not null and (x.person).wa_id is null)
                  or (x.user_id is not null and (x.person).user_id is null)
                  or (x.name is not null and (x.person).name is null)
                )
              )
            ) as yes
            from given x
          ),
          named as (
            insert into provider_message (workspace_id, provider_message_id, message_id, created_at)
            select x.workspace_id, x.provider_message_id, x.id, now
            from all_known a
            join given x on a.yes
            order by x.workspace_id, x.provider_message_id, x.ordinality
            on conflict do nothing
            returning workspace_id, provider_message_id, message_id
          ),
          seen as materialized (
            select x.*, x.id = any((select array_agg(k.message_id) from named k)::uuid[]) as is_new
            from given x
          ),
          fresh as materialized (
            select x.*, (x.person).id as contact_id, nextval('conversation_sequence') as sequence,
              hashtextextended(x.phone_number_id::text || (x.person).id::text, 0) as conversation,
              case
                when x.reply_to_provider_id is not null then coalesce(
                  (
                    select k.message_id
                    from provider_message k
                    where k.workspace_id = x.workspace_id and k.provider_message_id = x.reply_to_provider_id
                  ),
                  (
                    select k.message_id
                    from named k
                    where k.workspace_id = x.workspace_id and k.provider_message_id = x.reply_to_provider_id
                  )
                )
              end as quoted
            from seen x
            where x.is_new
            order by x.ordinality
          ),
          windows as (
            insert into conversation as v (workspace_id, contact_id, phone_number_id, last_inbound_at, last_message_at)
            select x.workspace_id, x.contact_id, x.phone_number_id, max(x.at) filter (where x.opens_window), now
            from fresh x
            group by x.workspace_id, x.contact_id, x.phone_number_id
            order by x.workspace_id, x.contact_id, x.phone_number_id
            on conflict (workspace_id, contact_id, phone_number_id) do update
            set last_inbound_at = greatest(v.last_inbound_at, excluded.last_inbound_at),
              last_message_at = excluded.last_message_at
          ),
          stored as (
            insert into message (
              workspace_id, id, outbound, phone_number_id, contact_id, recipient, sender, type, content, reply_to,
              sequence, created_at
            )
            select x.workspace_id, x.id, false, x.phone_number_id, x.contact_id, x.number_phone, x.phone, x.type,
              x.content, x.quoted, x.sequence, now
            from fresh x
          ),
          states as (
            insert into message_state (workspace_id, id, contact_id, conversation, provider_message_id)
            select x.workspace_id, x.id, x.contact_id, x.conversation, x.provider_message_id
            from fresh x
          ),
          new_events as materialized (
            select x.*, new_uuid(now) as event_id, 'messages' as event_kind
            from fresh x
            order by x.ordinality
          ),
          events as (
            insert into event (
              workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
            )
            select x.workspace_id, x.event_id, (select i.era from installation i), x.event_kind,
              nextval('conversation_sequence'), x.id, x.contact_id, null, x.at,
              json_build_object('seen', 0, 'rank', 0, 'provider_message_id', x.provider_message_id), now
            from new_events x
          ),
          deliveries as (
            insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
            select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.event_id, e.id), x.event_id,
              x.conversation
            from new_events x
            cross join lateral (
              select e.id, e.lane
              from webhook_endpoint e
              where e.workspace_id = x.workspace_id and e.events && array['*', x.event_kind]
              offset 0
            ) e
            returning slot
          )
          select (select a.yes from all_known a),
            array_agg(case when x.is_new then 'received' else 'repeated' end order by x.ordinality),
            array_agg(case when x.is_new then x.id end order by x.ordinality), array_agg(false),
            slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d) into complete, verdicts,
            messages, sent_twices, slots_filled
          from seen x;
          exit when complete;
          with candidates as materialized (
            select x.*
            from rows from (
              json_to_recordset(rows) as (
                kind text, workspace_id uuid, id uuid, phone_number_id uuid, provider_message_id text,
                new_contact_id uuid, phone text, wa_id text, user_id text, name text, type text, content json,
                reply_to_provider_id text, opens_window boolean, at timestamptz
              )
            ) with ordinality x
            where coalesce(
              (select c from contact c where c.workspace_id = x.workspace_id and c.phone = x.phone limit 1),
              (
                select c
                from contact c
                where c.workspace_id = x.workspace_id and c.wa_id = x.wa_id
                order by c.id
                limit 1
              ),
              (select c from contact c where c.workspace_id = x.workspace_id and c.user_id = x.user_id limit 1)
            ) is null
              and not exists (
                select
                from provider_message k
                where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id
              )
          ),
          new_contacts as (
            insert into contact (workspace_id, id, phone, wa_id, user_id, name, created_at, updated_at)
            select distinct on (x.workspace_id, x.phone, coalesce(x.phone, x.wa_id, x.user_id)) x.workspace_id,
              x.new_contact_id, x.phone, x.wa_id, x.user_id, x.name, now, now
            from candidates x
            order by x.workspace_id, x.phone, coalesce(x.phone, x.wa_id, x.user_id), x.ordinality
            on conflict do nothing
            returning id
          ),
          rows_of_new_contacts as (
            select x.*
            from candidates x
            where x.new_contact_id = any((select array_agg(s.id) from new_contacts s)::uuid[])
          ),
          new_events as materialized (
            select x.*, new_uuid(now) as event_id, 'contact_created' as event_kind
            from rows_of_new_contacts x
            order by x.ordinality
          ),
          events as (
            insert into event (
              workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
            )
            select x.workspace_id, x.event_id, (select i.era from installation i), x.event_kind,
              nextval('conversation_sequence'), null, x.new_contact_id, null, x.at,
              json_build_object('source', 'inbound_message'), now
            from new_events x
          ),
          deliveries as (
            insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
            select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.event_id, e.id), x.event_id,
              hashtextextended(x.phone_number_id::text || x.new_contact_id::text, 0)
            from new_events x
            cross join lateral (
              select e.id, e.lane
              from webhook_endpoint e
              where e.workspace_id = x.workspace_id and e.events && array['*', x.event_kind]
              offset 0
            ) e
            returning slot
          )
          select slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d) into slots_filled;
          -- A business-scoped id that another contact holds is left to merging.
          for r in
            select distinct on (x.workspace_id, (x.person).id) x.workspace_id, (x.person).id as contact, x.wa_id,
              x.user_id, x.name
            from (
              select x.*,
                coalesce(
                  (select c from contact c where c.workspace_id = x.workspace_id and c.phone = x.phone limit 1),
                  (
                    select c
                    from contact c
                    where c.workspace_id = x.workspace_id and c.wa_id = x.wa_id
                    order by c.id
                    limit 1
                  ),
                  (select c from contact c where c.workspace_id = x.workspace_id and c.user_id = x.user_id limit 1)
                ) as person
              from rows from (
                json_to_recordset(rows) as (
                  kind text, workspace_id uuid, id uuid, phone_number_id uuid, provider_message_id text,
                  new_contact_id uuid, phone text, wa_id text, user_id text, name text, type text, content json,
                  reply_to_provider_id text, opens_window boolean, at timestamptz
                )
              ) with ordinality x
              offset 0
            ) x
            where (x.person).id is not null
              and (
                (x.wa_id is not null and (x.person).wa_id is null)
                or (x.user_id is not null and (x.person).user_id is null)
                or (x.name is not null and (x.person).name is null)
              )
            order by x.workspace_id, (x.person).id
          loop
            update contact c
            set wa_id = coalesce(c.wa_id, r.wa_id),
              name = coalesce(c.name, r.name),
              updated_at = now,
              user_id = coalesce(
                c.user_id,
                case
                  when exists (
                    select
                    from contact o
                    where o.workspace_id = r.workspace_id and o.user_id = r.user_id
                  ) then null
                  else r.user_id
                end
              )
            where c.workspace_id = r.workspace_id and c.id = r.contact;
          end loop;
          prepared := true;
        end loop;
      end if;
      all_verdicts := all_verdicts || verdicts;
      all_messages := all_messages || messages;
      all_sent_twices := all_sent_twices || sent_twices;
    end loop;
  end if;
  if true = any(callbacks_waiting) or 'unknown_message' = any(all_verdicts) then
    insert into ingest (slot, lane, callback_id)
    select (x.lane % 64)::smallint, x.lane, x.id
    from (
      select x.*, verdicts_of, x.waiting or 'unknown_message' = any(verdicts_of) as queued,
        all_messages[x.last - x.reports + 1:x.last] as messages_of,
        all_sent_twices[x.last - x.reports + 1:x.last] as sent_twices_of
      from (
        select u.*, sum(u.reports) over (order by u.ordinality)::int as last
        from unnest(
          callback_ids, callback_lanes, callbacks_waiting, report_counts
        ) with ordinality u(id, lane, waiting, reports, ordinality)
      ) x,
      lateral (select all_verdicts[x.last - x.reports + 1:x.last] as verdicts_of) v
    ) x
    where x.queued and x.id = any(stored_ids)
    order by x.ordinality;
  end if;
  return query
    select case when x.queued then 'queued' else 'taken' end, array_remove(x.messages_of, null),
      case
        when true = any(x.sent_twices_of) then array(
          select t.message
          from unnest(x.messages_of, x.sent_twices_of) t(message, sent_twice)
          where t.sent_twice
        )
        else '{}'
      end, slots_filled::text
    from (
      select x.*, verdicts_of, x.waiting or 'unknown_message' = any(verdicts_of) as queued,
        all_messages[x.last - x.reports + 1:x.last] as messages_of,
        all_sent_twices[x.last - x.reports + 1:x.last] as sent_twices_of
      from (
        select u.*, sum(u.reports) over (order by u.ordinality)::int as last
        from unnest(
          callback_ids, callback_lanes, callbacks_waiting, report_counts
        ) with ordinality u(id, lane, waiting, reports, ordinality)
      ) x,
      lateral (select all_verdicts[x.last - x.reports + 1:x.last] as verdicts_of) v
    ) x
    order by x.ordinality;
end
$function$;

create or replace function take_reports(rows json, now timestamptz, call uuid, again boolean) returns table (
  outcome text, message_id uuid, other_provider_id boolean, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  slots_filled bigint := 0;
  p record;
  joined parked_status[] := '{}';
  joined_message uuid[] := '{}';
  verdicts text[];
  messages uuid[];
  sent_twices boolean[];
  unnamed boolean[];
  prepared boolean;
  complete boolean;
  rows_text text;
  runs json[];
  kinds text[];
  all_verdicts text[] := '{}';
  all_messages uuid[] := '{}';
  all_sent_twices boolean[] := '{}';
  r record;
begin
  insert into flight (id) values (call);
  rows_text := rows::text;
  runs := array[rows];
  kinds := array[case when position('{"kind":"status"' in rows_text) > 0 then 'status' else 'message' end];
  if position('{"kind":"status"' in rows_text) > 0 and position('{"kind":"message"' in rows_text) > 0 then
    select array_agg(x.kind order by x.first), array_agg(x.taken order by x.first) into kinds, runs
    from (
      select e.kind, json_agg(e.value order by e.n) as taken, min(e.n) as first
      from (
        -- The same number for all rows of a run: their place, less their place among those of their kind.
        select v.value, v.n, v.kind, v.n - row_number() over (partition by v.kind order by v.n) as island
        from (
          select j.value, j.n, j.value->>'kind' as kind
          from json_array_elements(rows) with ordinality j(value, n)
          offset 0
        ) v
      ) e
      group by e.kind, e.island
    ) x;
  end if;
  for run in 1 .. cardinality(runs) loop
    rows := runs[run];
    if kinds[run] = 'status' then
      with given as materialized (
        select x.workspace_id, coalesce(x.message_id, k.message_id) as message_id, x.bit, x.at, x.error, x.pricing,
          x.provider_message_id, k.message_id is null as unnamed, x.ordinality
        from rows from (
          json_to_recordset(rows) as (
            kind text, workspace_id uuid, phone_number_id uuid, message_id uuid, provider_message_id text, bit int,
            at timestamptz, error json, pricing json
          )
        ) with ordinality x
        left join lateral (
          select k.message_id
          from provider_message k
          where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id
          offset 0
        ) k on true
      ),
      locked as materialized (
        select x.*, s.state
        from (select * from given x order by x.workspace_id, x.message_id, x.ordinality) x
        left join lateral (
          select s as state
          from message_state s
          where s.workspace_id = x.workspace_id and s.id = x.message_id for no key update
        ) s on true
      ),
      judged as materialized (
        select x.*,
          coalesce(
            (
              (x.state).seen | coalesce(
                bit_or(x.bit) over (
                  partition by x.workspace_id, x.message_id
                  order by x.ordinality rows between unbounded preceding and 1 preceding
                ),
                0
              )
            ) & x.bit = 0,
            false
          ) as is_new,
          coalesce(
            (x.state).provider_message_id,
            (array_agg(x.provider_message_id) filter (where x.provider_message_id is not null) over w)[1]
          ) as known_provider_id
        from locked x window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
      ),
      reported as materialized (
        select x.*, (x.state).seen | bit_or(x.bit) over w as seen,
          greatest(
            (x.state).rank,
            max(
              case x.bit
                when 1 then 2
                when 2 then 3
                when 4 then 4
                when 8 then 5
                when 16 then 6
                when 32 then 7
                when 64 then 7
                when 128 then 2
                when 256 then 8
                when 512 then 9
              end
            ) over w
          ) as rank,
          coalesce((array_agg(x.at) filter (where x.bit in (2)) over w)[1], (x.state).accepted_at) as accepted_at,
          coalesce((array_agg(x.at) filter (where x.bit in (4)) over w)[1], (x.state).sent_at) as sent_at,
          coalesce((array_agg(x.at) filter (where x.bit in (16)) over w)[1], (x.state).delivered_at) as delivered_at,
          coalesce((x.state).read_at, (array_agg(x.at) filter (where x.bit in (32, 64)) over w)[1]) as read_at,
          coalesce((array_agg(x.at) filter (where x.bit in (8)) over w)[1], (x.state).failed_at) as failed_at,
          coalesce(
            (array_agg(x.error) filter (where x.error is not null) over w)[count(x.error) over w], (x.state).error
          ) as known_error,
          coalesce(
            (array_agg(x.pricing) filter (where x.pricing is not null) over w)[count(x.pricing) over w],
            (x.state).pricing
          ) as known_pricing,
          x.ordinality = max(x.ordinality) over (partition by x.workspace_id, x.message_id) as is_last
        from judged x
        where x.is_new window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
      ),
      changed as (
        insert into message_state (
          workspace_id, id, contact_id, conversation, seen, rank, accepted_at, sent_at, delivered_at, read_at,
          failed_at, provider_message_id, error, pricing
        )
        select x.workspace_id, x.message_id, (x.state).contact_id, (x.state).conversation, x.seen, x.rank,
          x.accepted_at, x.sent_at, x.delivered_at, x.read_at, x.failed_at, x.known_provider_id, x.known_error,
          x.known_pricing
        from reported x
        where x.is_last
        on conflict (workspace_id, id) do update
        set seen = excluded.seen,
          rank = excluded.rank,
          accepted_at = excluded.accepted_at,
          sent_at = excluded.sent_at,
          delivered_at = excluded.delivered_at,
          read_at = excluded.read_at,
          failed_at = excluded.failed_at,
          provider_message_id = excluded.provider_message_id,
          error = excluded.error,
          pricing = excluded.pricing
      ),
      recorded as (
        insert into history (workspace_id, message_id, bit, at, received_at, error)
        select x.workspace_id, x.message_id, x.bit, x.at, now, x.error
        from reported x
        order by x.ordinality
      ),
      new_events as materialized (
        select x.*, new_uuid(now) as event_id,
          case x.bit
            when 1 then 'unknown'
            when 2 then 'accepted'
            when 4 then 'sent'
            when 8 then 'failed'
            when 16 then 'delivered'
            when 32 then 'read'
            when 64 then 'played'
            when 128 then 'unknown'
            when 256 then 'canceled'
            when 512 then 'expired'
          end as event_kind
        from reported x
        order by x.ordinality
      ),
      events as (
        insert into event (
          workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
        )
        select x.workspace_id, x.event_id, (select i.era from installation i), x.event_kind,
          nextval('conversation_sequence'), x.message_id, (x.state).contact_id, null, x.at,
          json_strip_nulls(
            json_build_object(
              'seen', x.seen, 'rank', x.rank, 'accepted_at', x.accepted_at, 'sent_at', x.sent_at, 'delivered_at',
              x.delivered_at, 'read_at', x.read_at, 'failed_at', x.failed_at, 'provider_message_id',
              x.known_provider_id, 'possible_duplicate', nullif((x.state).possible_duplicate, false), 'error',
              x.known_error, 'pricing', x.known_pricing
            )
          ),
          now
        from new_events x
      ),
      deliveries as (
        insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
        select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.event_id, e.id), x.event_id,
          (x.state).conversation
        from new_events x
        cross join lateral (
          select e.id, e.lane
          from webhook_endpoint e
          where e.workspace_id = x.workspace_id and e.events && array['*', x.event_kind]
          offset 0
        ) e
        returning slot
      ),
      named as (
        insert into provider_message (workspace_id, provider_message_id, message_id, created_at)
        select x.workspace_id, x.provider_message_id, x.message_id, now
        from reported x
        where x.unnamed
        order by x.ordinality
        on conflict do nothing
      )
      select array_agg(x.verdict order by x.ordinality), array_agg(x.message_id order by x.ordinality),
      -- Two provider ids for one message: it was sent twice, and that must be known.
      array_agg(x.is_new and x.known_provider_id <> x.provider_message_id order by x.ordinality),
      array_agg(x.is_new and x.unnamed order by x.ordinality),
      slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d) into verdicts, messages,
      sent_twices, unnamed, slots_filled
      from (
        select x.*,
          case
            when x.message_id is null then 'parked'
            when x.is_new then 'reported'
            when (x.state).id is null then 'unknown_message'
            else 'repeated'
          end as verdict
        from judged x
      ) x;
      if 'parked' = any(verdicts) then
        insert into parked_status (
          workspace_id, provider_message_id, phone_number_id, bit, at, received_at, error, pricing, look_at
        )
        select x.workspace_id, x.provider_message_id, x.phone_number_id, x.bit, x.at, now, x.error, x.pricing,
          now + interval '5 seconds'
        from rows from (
          json_to_recordset(rows) as (
            kind text, workspace_id uuid, phone_number_id uuid, message_id uuid, provider_message_id text, bit int,
            at timestamptz, error json, pricing json
          )
        ) with ordinality x
        where verdicts[x.ordinality::int] = 'parked'
        order by x.ordinality
        on conflict do nothing;
      end if;
      if true = any(unnamed) then
        -- Earlier ones, which did not carry our value. A call has several runs: those of the run before are done.
        joined := '{}';
        joined_message := '{}';
        for n in 1 .. cardinality(unnamed) loop
          continue when not unnamed[n];
          for p in
            delete from parked_status w
            where w.workspace_id = (rows->(n - 1)->>'workspace_id')::uuid
              and w.provider_message_id = rows->(n - 1)->>'provider_message_id'
            returning w
          loop
            joined := joined || p.w;
            joined_message := joined_message || messages[n];
          end loop;
        end loop;
        with given as materialized (
          select (joined[j.n]).workspace_id, joined_message[j.n] as message_id, (joined[j.n]).bit, (joined[j.n]).at,
            (joined[j.n]).error, (joined[j.n]).pricing, (joined[j.n]).provider_message_id,
            row_number() over (order by (joined[j.n]).received_at, (joined[j.n]).bit) as ordinality
          from generate_subscripts(joined, 1) as j(n)
        ),
        locked as materialized (
          select x.*, s.state
          from (select * from given x order by x.workspace_id, x.message_id, x.ordinality) x
          left join lateral (
            select s as state
            from message_state s
            where s.workspace_id = x.workspace_id and s.id = x.message_id for no key update
          ) s on true
        ),
        judged as materialized (
          select x.*,
            coalesce(
              (
                (x.state).seen | coalesce(
                  bit_or(x.bit) over (
                    partition by x.workspace_id, x.message_id
                    order by x.ordinality rows between unbounded preceding and 1 preceding
                  ),
                  0
                )
              ) & x.bit = 0,
              false
            ) as is_new,
            coalesce(
              (x.state).provider_message_id,
              (array_agg(x.provider_message_id) filter (where x.provider_message_id is not null) over w)[1]
            ) as known_provider_id
          from locked x window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
        ),
        reported as materialized (
          select x.*, (x.state).seen | bit_or(x.bit) over w as seen,
            greatest(
              (x.state).rank,
              max(
                case x.bit
                  when 1 then 2
                  when 2 then 3
                  when 4 then 4
                  when 8 then 5
                  when 16 then 6
                  when 32 then 7
                  when 64 then 7
                  when 128 then 2
                  when 256 then 8
                  when 512 then 9
                end
              ) over w
            ) as rank,
            coalesce((array_agg(x.at) filter (where x.bit in (2)) over w)[1], (x.state).accepted_at) as accepted_at,
            coalesce((array_agg(x.at) filter (where x.bit in (4)) over w)[1], (x.state).sent_at) as sent_at,
            coalesce((array_agg(x.at) filter (where x.bit in (16)) over w)[1], (x.state).delivered_at) as delivered_at,
            coalesce((x.state).read_at, (array_agg(x.at) filter (where x.bit in (32, 64)) over w)[1]) as read_at,
            coalesce((array_agg(x.at) filter (where x.bit in (8)) over w)[1], (x.state).failed_at) as failed_at,
            coalesce(
              (array_agg(x.error) filter (where x.error is not null) over w)[count(x.error) over w], (x.state).error
            ) as known_error,
            coalesce(
              (array_agg(x.pricing) filter (where x.pricing is not null) over w)[count(x.pricing) over w],
              (x.state).pricing
            ) as known_pricing,
            x.ordinality = max(x.ordinality) over (partition by x.workspace_id, x.message_id) as is_last
          from judged x
          where x.is_new window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
        ),
        changed as (
          insert into message_state (
            workspace_id, id, contact_id, conversation, seen, rank, accepted_at, sent_at, delivered_at, read_at,
            failed_at, provider_message_id, error, pricing
          )
          select x.workspace_id, x.message_id, (x.state).contact_id, (x.state).conversation, x.seen, x.rank,
            x.accepted_at, x.sent_at, x.delivered_at, x.read_at, x.failed_at, x.known_provider_id, x.known_error,
            x.known_pricing
          from reported x
          where x.is_last
          on conflict (workspace_id, id) do update
          set seen = excluded.seen,
            rank = excluded.rank,
            accepted_at = excluded.accepted_at,
            sent_at = excluded.sent_at,
            delivered_at = excluded.delivered_at,
            read_at = excluded.read_at,
            failed_at = excluded.failed_at,
            provider_message_id = excluded.provider_message_id,
            error = excluded.error,
            pricing = excluded.pricing
        ),
        recorded as (
          insert into history (workspace_id, message_id, bit, at, received_at, error)
          select x.workspace_id, x.message_id, x.bit, x.at, now, x.error
          from reported x
          order by x.ordinality
        ),
        new_events as materialized (
          select x.*, new_uuid(now) as event_id,
            case x.bit
              when 1 then 'unknown'
              when 2 then 'accepted'
              when 4 then 'sent'
              when 8 then 'failed'
              when 16 then 'delivered'
              when 32 then 'read'
              when 64 then 'played'
              when 128 then 'unknown'
              when 256 then 'canceled'
              when 512 then 'expired'
            end as event_kind
          from reported x
          order by x.ordinality
        ),
        events as (
          insert into event (
            workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
          )
          select x.workspace_id, x.event_id, (select i.era from installation i), x.event_kind,
            nextval('conversation_sequence'), x.message_id, (x.state).contact_id, null, x.at,
            json_strip_nulls(
              json_build_object(
                'seen', x.seen, 'rank', x.rank, 'accepted_at', x.accepted_at, 'sent_at', x.sent_at, 'delivered_at',
                x.delivered_at, 'read_at', x.read_at, 'failed_at', x.failed_at, 'provider_message_id',
                x.known_provider_id, 'possible_duplicate', nullif((x.state).possible_duplicate, false), 'error',
                x.known_error, 'pricing', x.known_pricing
              )
            ),
            now
          from new_events x
        ),
        deliveries as (
          insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
          select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.event_id, e.id), x.event_id,
            (x.state).conversation
          from new_events x
          cross join lateral (
            select e.id, e.lane
            from webhook_endpoint e
            where e.workspace_id = x.workspace_id and e.events && array['*', x.event_kind]
            offset 0
          ) e
          returning slot
        )
        select slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d) into slots_filled;
      end if;
    else
      prepared := false;
      loop
        with given as materialized (
          select x.*,
            coalesce(
              (select c from contact c where c.workspace_id = x.workspace_id and c.phone = x.phone limit 1),
              (
                select c
                from contact c
                where c.workspace_id = x.workspace_id and c.wa_id = x.wa_id
                order by c.id
                limit 1
              ),
              (select c from contact c where c.workspace_id = x.workspace_id and c.user_id = x.user_id limit 1)
            ) as person,
            n.phone as number_phone
          from rows from (
            json_to_recordset(rows) as (
              kind text, workspace_id uuid, id uuid, phone_number_id uuid, provider_message_id text,
              new_contact_id uuid, phone text, wa_id text, user_id text, name text, type text, content json,
              reply_to_provider_id text, opens_window boolean, at timestamptz
            )
          ) with ordinality x
          left join lateral (
            select n.phone
            from phone_number n
            where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
            offset 0
          ) n on true
          order by x.ordinality
        ),
        all_known as materialized (
          select bool_and(
            prepared
            or (
              (x.person).id is not null
              and not (
                (x.wa_id is not null and (x.person).wa_id is null)
                or (x.user_id is not null and (x.person).user_id is null)
                or (x.name is not null and (x.person).name is null)
              )
            )
          ) as yes
          from given x
        ),
        named as (
          insert into provider_message (workspace_id, provider_message_id, message_id, created_at)
          select x.workspace_id, x.provider_message_id, x.id, now
          from all_known a
          join given x on a.yes
          order by x.workspace_id, x.provider_message_id, x.ordinality
          on conflict do nothing
          returning workspace_id, provider_message_id, message_id
        ),
        seen as materialized (
          select x.*, x.id = any((select array_agg(k.message_id) from named k)::uuid[]) as is_new
          from given x
        ),
        fresh as materialized (
          select x.*, (x.person).id as contact_id, nextval('conversation_sequence') as sequence,
            hashtextextended(x.phone_number_id::text || (x.person).id::text, 0) as conversation,
            case
              when x.reply_to_provider_id is not null then coalesce(
                (
                  select k.message_id
                  from provider_message k
                  where k.workspace_id = x.workspace_id and k.provider_message_id = x.reply_to_provider_id
                ),
                (
                  select k.message_id
                  from named k
                  where k.workspace_id = x.workspace_id and k.provider_message_id = x.reply_to_provider_id
                )
              )
            end as quoted
          from seen x
          where x.is_new
          order by x.ordinality
        ),
        windows as (
          insert into conversation as v (workspace_id, contact_id, phone_number_id, last_inbound_at, last_message_at)
          select x.workspace_id, x.contact_id, x.phone_number_id, max(x.at) filter (where x.opens_window), now
          from fresh x
          group by x.workspace_id, x.contact_id, x.phone_number_id
          order by x.workspace_id, x.contact_id, x.phone_number_id
          on conflict (workspace_id, contact_id, phone_number_id) do update
          set last_inbound_at = greatest(v.last_inbound_at, excluded.last_inbound_at),
            last_message_at = excluded.last_message_at
        ),
        stored as (
          insert into message (
            workspace_id, id, outbound, phone_number_id, contact_id, recipient, sender, type, content, reply_to,
            sequence, created_at
          )
          select x.workspace_id, x.id, false, x.phone_number_id, x.contact_id, x.number_phone, x.phone, x.type,
            x.content, x.quoted, x.sequence, now
          from fresh x
        ),
        states as (
          insert into message_state (workspace_id, id, contact_id, conversation, provider_message_id)
          select x.workspace_id, x.id, x.contact_id, x.conversation, x.provider_message_id
          from fresh x
        ),
        new_events as materialized (
          select x.*, new_uuid(now) as event_id, 'messages' as event_kind
          from fresh x
          order by x.ordinality
        ),
        events as (
          insert into event (
            workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
          )
          select x.workspace_id, x.event_id, (select i.era from installation i), x.event_kind,
            nextval('conversation_sequence'), x.id, x.contact_id, null, x.at,
            json_build_object('seen', 0, 'rank', 0, 'provider_message_id', x.provider_message_id), now
          from new_events x
        ),
        deliveries as (
          insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
          select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.event_id, e.id), x.event_id,
            x.conversation
          from new_events x
          cross join lateral (
            select e.id, e.lane
            from webhook_endpoint e
            where e.workspace_id = x.workspace_id and e.events && array['*', x.event_kind]
            offset 0
          ) e
          returning slot
        )
        select (select a.yes from all_known a),
          array_agg(case when x.is_new then 'received' else 'repeated' end order by x.ordinality),
          array_agg(case when x.is_new then x.id end order by x.ordinality), array_agg(false),
          slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d) into complete, verdicts,
          messages, sent_twices, slots_filled
        from seen x;
        exit when complete;
        with candidates as materialized (
          select x.*
          from rows from (
            json_to_recordset(rows) as (
              kind text, workspace_id uuid, id uuid, phone_number_id uuid, provider_message_id text,
              new_contact_id uuid, phone text, wa_id text, user_id text, name text, type text, content json,
              reply_to_provider_id text, opens_window boolean, at timestamptz
            )
          ) with ordinality x
          where coalesce(
            (select c from contact c where c.workspace_id = x.workspace_id and c.phone = x.phone limit 1),
            (select c from contact c where c.workspace_id = x.workspace_id and c.wa_id = x.wa_id order by c.id limit 1),
            (select c from contact c where c.workspace_id = x.workspace_id and c.user_id = x.user_id limit 1)
          ) is null
            and not exists (
              select
              from provider_message k
              where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id
            )
        ),
        new_contacts as (
          insert into contact (workspace_id, id, phone, wa_id, user_id, name, created_at, updated_at)
          select distinct on (x.workspace_id, x.phone, coalesce(x.phone, x.wa_id, x.user_id)) x.workspace_id,
            x.new_contact_id, x.phone, x.wa_id, x.user_id, x.name, now, now
          from candidates x
          order by x.workspace_id, x.phone, coalesce(x.phone, x.wa_id, x.user_id), x.ordinality
          on conflict do nothing
          returning id
        ),
        rows_of_new_contacts as (
          select x.*
          from candidates x
          where x.new_contact_id = any((select array_agg(s.id) from new_contacts s)::uuid[])
        ),
        new_events as materialized (
          select x.*, new_uuid(now) as event_id, 'contact_created' as event_kind
          from rows_of_new_contacts x
          order by x.ordinality
        ),
        events as (
          insert into event (
            workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
          )
          select x.workspace_id, x.event_id, (select i.era from installation i), x.event_kind,
            nextval('conversation_sequence'), null, x.new_contact_id, null, x.at,
            json_build_object('source', 'inbound_message'), now
          from new_events x
        ),
        deliveries as (
          insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
          select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.event_id, e.id), x.event_id,
            hashtextextended(x.phone_number_id::text || x.new_contact_id::text, 0)
          from new_events x
          cross join lateral (
            select e.id, e.lane
            from webhook_endpoint e
            where e.workspace_id = x.workspace_id and e.events && array['*', x.event_kind]
            offset 0
          ) e
          returning slot
        )
        select slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d) into slots_filled;
        -- A business-scoped id that another contact holds is left to merging.
        for r in
          select distinct on (x.workspace_id, (x.person).id) x.workspace_id, (x.person).id as contact, x.wa_id,
            x.user_id, x.name
          from (
            select x.*,
              coalesce(
                (select c from contact c where c.workspace_id = x.workspace_id and c.phone = x.phone limit 1),
                (
                  select c
                  from contact c
                  where c.workspace_id = x.workspace_id and c.wa_id = x.wa_id
                  order by c.id
                  limit 1
                ),
                (select c from contact c where c.workspace_id = x.workspace_id and c.user_id = x.user_id limit 1)
              ) as person
            from rows from (
              json_to_recordset(rows) as (
                kind text, workspace_id uuid, id uuid, phone_number_id uuid, provider_message_id text,
                new_contact_id uuid, phone text, wa_id text, user_id text, name text, type text, content json,
                reply_to_provider_id text, opens_window boolean, at timestamptz
              )
            ) with ordinality x
            offset 0
          ) x
          where (x.person).id is not null
            and (
              (x.wa_id is not null and (x.person).wa_id is null)
              or (x.user_id is not null and (x.person).user_id is null)
              or (x.name is not null and (x.person).name is null)
            )
          order by x.workspace_id, (x.person).id
        loop
          update contact c
          set wa_id = coalesce(c.wa_id, r.wa_id),
            name = coalesce(c.name, r.name),
            updated_at = now,
            user_id = coalesce(
              c.user_id,
              case
                when exists (
                  select
                  from contact o
                  where o.workspace_id = r.workspace_id and o.user_id = r.user_id
                ) then null
                else r.user_id
              end
            )
          where c.workspace_id = r.workspace_id and c.id = r.contact;
        end loop;
        prepared := true;
      end loop;
    end if;
    all_verdicts := all_verdicts || verdicts;
    all_messages := all_messages || messages;
    all_sent_twices := all_sent_twices || sent_twices;
  end loop;
  return query
    select u.verdict, u.message, u.sent_twice, slots_filled::text
    from unnest(all_verdicts, all_messages, all_sent_twices) with ordinality u(verdict, message, sent_twice, n)
    order by u.n;
end
$function$;

create or replace function task_due(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select r.*
    from rows from (json_to_recordset(rows) as (slot smallint, lane int, due timestamptz, seq bigint)) with ordinality u
    cross join lateral (
      select d.slot, d.lane, (extract(epoch from d.due) * 1000)::float8, d.seq, d.workspace_id, d.job_id, null::uuid,
        null::text, d.attempt, 0::smallint, null::float8, null::float8
      from task d
      where d.slot::int = u.slot and d.lane = u.lane and (d.due, (d.seq + 0)) > (u.due, u.seq) and d.due > '-infinity'
      order by d.due, (d.seq + 0)
      limit 50
    ) r;
end
$function$;

create or replace function task_fresh(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select r.*
    from rows from (json_to_recordset(rows) as (slot smallint, lane int, lo bigint, most int)) with ordinality u
    cross join lateral (
      select d.slot, d.lane, (extract(epoch from d.due) * 1000)::float8, d.seq, d.workspace_id, d.job_id, null::uuid,
        null::text, d.attempt, 0::smallint, null::float8, null::float8
      from task d
      where d.slot::int = u.slot and d.lane = u.lane and d.due = '-infinity' and (d.seq + 0) > u.lo
      order by (d.seq + 0)
      limit u.most
    ) r;
end
$function$;

create or replace function task_lanes(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select u.slot, l.lane
    from rows from (json_to_recordset(rows) as (slot smallint)) with ordinality u
    cross join lateral (
      with recursive t(lane) as (
        (select d.lane from task d where d.slot::int = u.slot order by d.lane limit 1)
        union all
        select (select d.lane from task d where d.slot::int = u.slot and d.lane > t.lane order by d.lane limit 1)
        from t
        where t.lane is not null
      )
      select t.lane
      from t
      where t.lane is not null
    ) l;
end
$function$;

create or replace function task_tail(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  seen int8multirange := coalesce(rows -> 0 ->> 'seen', '{}')::int8multirange;
begin
  return query
    select r.*
    from rows from (json_to_recordset(rows) as (slot smallint, lo bigint, most int)) with ordinality u
    cross join lateral (
      select d.slot, d.lane, (extract(epoch from d.due) * 1000)::float8, d.seq, d.workspace_id, d.job_id, null::uuid,
        null::text, d.attempt, 0::smallint, null::float8, null::float8
      from task d
      where d.slot = u.slot and d.seq > u.lo and not d.seq <@ seen
      order by d.seq
      limit u.most
    ) r;
end
$function$;

create or replace function touch_keys(rows json, now timestamptz, call uuid, again boolean) returns table (
  touched int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
begin
  insert into flight (id) values (call);
  touched := 0;
  for r in
    select *
    from rows from (json_to_recordset(rows) as (workspace_id uuid, key_id uuid, at timestamptz)) with ordinality x
    order by 1, 2
  loop
    update api_key k
    set last_used_at = r.at
    where k.workspace_id = r.workspace_id and k.id = r.key_id and (k.last_used_at is null or k.last_used_at < r.at);
    touched := touched + 1;
  end loop;
  return next;
end
$function$;

create or replace function trim_parked(rows json, now timestamptz, call uuid, again boolean) returns table (
  phone_number_id uuid, trimmed int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  n int;
begin
  insert into flight (id) values (call);
  for r in
    select x.*, w.received_at as bound
    from rows from (json_to_recordset(rows) as (workspace_id uuid, phone_number_id uuid)) with ordinality x
    cross join lateral (
      select w.received_at
      from parked_status w
      where w.workspace_id = x.workspace_id and w.phone_number_id = x.phone_number_id
      order by w.received_at desc
      offset 5000
      limit 1
    ) w
    order by x.workspace_id, x.phone_number_id
  loop
    delete from parked_status w
    where w.workspace_id = r.workspace_id and w.phone_number_id = r.phone_number_id and w.received_at <= r.bound;
    get diagnostics n = row_count;
    return query select r.phone_number_id, n;
  end loop;
end
$function$;

create or replace function upsert_templates(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid, provider_template_id text, outcome text, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set jit = off set plan_cache_mode = force_generic_plan set lock_timeout = '100ms'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  event_era int := (select i.era from installation i);
  slots_filled bigint := 0;
  r record;
  t template;
  old_status text;
  verdict text;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, business_account_id uuid, id uuid, provider_template_id text, name text, language text,
        category text, status text, quality text, parameter_format text, components json, rejection_reason text,
        first boolean, read_at timestamptz
      )
    ) with ordinality x
    order by x.workspace_id, x.business_account_id, x.name, x.language
  loop
    old_status := null;
    verdict := 'changed';
    insert into template as e (
      workspace_id, id, business_account_id, provider_template_id, name, language, category, status, quality,
      parameter_format, components, rejection_reason, created_at, updated_at
    )
    values (
      r.workspace_id, r.id, r.business_account_id, r.provider_template_id, r.name, r.language, r.category, r.status,
      r.quality, r.parameter_format, r.components, r.rejection_reason, now, now
    )
    on conflict (workspace_id, business_account_id, name, language) do nothing
    returning e.* into t;
    if not found then
      select e.* into t
      from template e
      where e.workspace_id = r.workspace_id and e.business_account_id = r.business_account_id and e.name = r.name
        and e.language = r.language for no key update;
      old_status := t.status;
      -- json has no equality; the provider keeps the order of its fields, and a needless revision does no harm.
      verdict := case
        when (
          t.provider_template_id, t.category, t.status, t.quality, t.parameter_format, t.components::text,
          t.rejection_reason
        ) is not distinct from (r.provider_template_id, r.category, r.status, r.quality, r.parameter_format, r.components::text, r.rejection_reason) then 'same'
        when t.updated_at > r.read_at then 'stale'
        else 'changed'
      end;
      if verdict = 'changed' then
        update template e
        set provider_template_id = r.provider_template_id,
          category = r.category,
          status = r.status,
          quality = r.quality,
          parameter_format = r.parameter_format,
          components = r.components,
          rejection_reason = r.rejection_reason,
          revision = e.revision + 1,
          updated_at = now
        where e.workspace_id = t.workspace_id and e.id = t.id
        returning e.* into t;
      end if;
    end if;
    if not r.first and t.status is distinct from old_status then
      event_id := new_uuid(now);
      insert into event (
        workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
      )
      values (
        t.workspace_id, event_id, event_era, t.status, nextval('conversation_sequence'), null, null, t.id, now,
        json_build_object('template', row_to_json(t), 'previous_status', old_status, 'reason', t.rejection_reason), now
      );
      with deliveries as (
        insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
        select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
          hashtextextended(t.id::text, 0)
        from webhook_endpoint e
        where e.workspace_id = t.workspace_id and e.events && array['*', t.status]
        returning slot
      )
      select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
      from deliveries d;
    end if;
    return query
      select t.id, t.provider_template_id, verdict, slots_filled::text;
  end loop;
end
$function$;
