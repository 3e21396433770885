-- Made by `npm run generate` from the hot functions. Do not edit.

create or replace function accept_messages(rows json, now timestamptz, call uuid, again boolean) returns table (
  outcome text, resource text, contact_id uuid, recipient text, sequence bigint, slot smallint, room_at timestamptz,
  slots_mask text, queued json
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  -- now inside a query is the row's own.
  batch_now timestamptz := now;
  rows_text text := rows::text;
  slots_filled bigint := 0;
  ledger record;
  counting text[] := '{}';
  tight text[] := '{}';
  rooms int[] := '{}';
  room_ats timestamptz[] := '{}';
  beyond uuid[] := '{}';
  is_taken boolean := false;
  is_found boolean := false;
  x record;
  c record;
  n record;
  a record;
  t record;
  v record;
  noted int;
  losers uuid[];
  rows_with_quote uuid[];
  stored_id uuid[];
  stored_contact uuid[];
  stored_recipient text[];
  stored_sequence bigint[];
begin
  insert into flight (id) values (call);
  if position('"reply_to"' in rows_text) > 0 then
    rows_with_quote := array(
      select x.id
      from rows from (
        json_to_recordset(rows) as (
          workspace_id uuid, id uuid, phone_number_id uuid, type text, content json, reply_to uuid, reference text,
          fallback json, template_id uuid, send_at timestamptz, expires_at timestamptz, resend_once boolean,
          media uuid[], estimated_dispatch_at timestamptz, public_id text, key text, fingerprint text, key_kept int,
          phone text, phone_key text, phone_loose text, contact_id uuid, user_id text, new_contact_id uuid, sender text,
          template_revision int, category text, portfolio text, take boolean, now timestamptz, actor_type text,
          actor_id uuid, actor_name text, method text, path text, request_id text, ip text, user_agent text,
          session uuid
        )
      ) with ordinality x
      left join lateral (
        select n.lane, n.status, n.business_account_id
        from phone_number n
        where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
        offset 0
      ) n on true
      left join lateral (
        select a.status, a.portfolio_id, a.provider_account_id
        from business_account a
        where a.workspace_id = x.workspace_id and a.id = n.business_account_id
        offset 0
      ) a on true
      left join lateral (
        select c.id, c.phone, c.wa_id, c.marketing_consent
        from contact c
        where c.workspace_id = x.workspace_id and x.user_id is null and c.phone = x.phone
        union all
        select c.id, c.phone, c.wa_id, c.marketing_consent
        from contact c
        where c.workspace_id = x.workspace_id
          and c.id = named_contact(
            x.workspace_id, x.contact_id, x.user_id, coalesce(a.portfolio_id, a.provider_account_id), x.phone,
            x.phone_key
          )
        limit 1
        offset 0
      ) c on true
      cross join lateral (
        select q.contact_id
        from message q
        where q.workspace_id = x.workspace_id and q.id = x.reply_to and q.phone_number_id = x.phone_number_id
          and not q.provided ->> 'group_id' is not null
        offset 0
      ) q
      where (
        select coalesce(m.merged_into, m.id)
        from contact m
        where m.workspace_id = x.workspace_id and m.id = q.contact_id
      ) = c.id
        or (select coalesce(m.merged_into, m.id) from contact m where m.workspace_id = x.workspace_id and m.id = q.contact_id) in (
          select twins_of(
            x.workspace_id, c.id, substr(x.phone, 2), coalesce(x.phone_loose, x.phone_key, substr(x.phone, 2))
          )
        )
    );
  end if;
  if position('"portfolio"' in rows_text) > 0 then
    perform set_config('lock_timeout', '3s', true);
    for ledger in
      select p.*, g.asked
      from (
        select x.portfolio, count(*)::int as asked
        from json_to_recordset(rows) as x(portfolio text)
        where x.portfolio is not null
        group by x.portfolio
        order by x.portfolio
      ) g
      cross join lateral (select p.* from portfolio_limit p where p.portfolio_id = g.portfolio for no key update) p
    loop
      if ledger.most is not null then
        counting := counting || ledger.portfolio_id;
      end if;
      continue when (ledger.most is null or ledger.used + ledger.asked <= ledger.most)
      and (ledger.full_until is null or ledger.full_until <= batch_now);
      with returned as (
        delete from portfolio_return t
        where t.portfolio_id = ledger.portfolio_id
        returning t.recipient, t.message_id
      ),
      taken_back as (
        delete from portfolio_recipient r using returned t
        where r.portfolio_id = ledger.portfolio_id and r.recipient = t.recipient and r.message_id = t.message_id
        returning 1
      )
      select ledger.used - count(*) into ledger.used
      from taken_back;
      if ledger.used + ledger.asked > ledger.most and ledger.next_room_at <= batch_now then
        delete from portfolio_recipient r
        where r.portfolio_id = ledger.portfolio_id
          and r.minute < floor(extract(epoch from (batch_now - interval '1441 minutes')) / 60)::int;
        select count(*),
          coalesce(
            to_timestamp((min(r.minute) + 1)::bigint * 60) + interval '1441 minutes', '-infinity'
          ) into ledger.used,
          ledger.next_room_at
        from portfolio_recipient r
        where r.portfolio_id = ledger.portfolio_id;
      end if;
      update portfolio_limit p
      set used = ledger.used, next_room_at = ledger.next_room_at
      where p.portfolio_id = ledger.portfolio_id;
      tight := tight || ledger.portfolio_id;
      rooms := rooms || case when ledger.full_until > batch_now then 0 else greatest(ledger.most - ledger.used, 0) end;
      -- Where no person had been counted, those of now leave first.
      room_ats := room_ats || coalesce(
        nullif(greatest(ledger.next_room_at, ledger.full_until), '-infinity'),
        to_timestamp((floor(extract(epoch from batch_now) / 60)::int + 1)::bigint * 60) + interval '1441 minutes'
      );
    end loop;
    perform set_config('lock_timeout', '100ms', true);
    if tight <> '{}' then
      with asked as materialized (
        select x.*,
          case
            when (v.last_inbound_at is null or v.last_inbound_at + interval '1439 minutes' <= batch_now) then recipient_digest(
              case
                when coalesce(c.phone, x.phone) = x.phone then coalesce(x.phone_key, substr(x.phone, 2))
                when c.id is null then x.user_id
                else counted_person(x.workspace_id, c.id, x.phone_number_id)
              end
            )
          end as counted_as,
          case
            when m.sequence is not null then 'stored'
            when k.fingerprint <> decode(x.fingerprint, 'hex') then 'reused'
            when k.created_at <= batch_now - interval '168 hours' then 'expired_key'
            when k.resource_id is not null then 'replay'
            when not coalesce(
              (
                n.status not in ('pending', 'unverified', 'disconnected', 'banned', 'migrated', 'deleted')
                and a.status = 'connected'
              ),
              false
            ) then 'sender_unavailable'
            when x.template_id is not null and t.revision is null then 'template_not_found'
            when x.template_id is not null and t.revision <> x.template_revision then 'stale_template'
            when x.template_id is not null and t.status <> 'approved' then 'template_not_approved'
            when c.id is null and x.contact_id is not null then 'reference_not_found'
            when (
              x.category = 'marketing'
              and (
                coalesce(c.marketing_consent = 'opted_out', false)
                or case
                  when concat_ws(' ', x.phone, c.phone, c.wa_id) ~ '(^| )[+]?(22|52|55|24|54|57|84)' then twin_opted_out(
                    x.workspace_id, c.id, substr(x.phone, 2), coalesce(x.phone_loose, x.phone_key, substr(x.phone, 2))
                  )
                  else false
                end
              )
            ) then 'recipient_opted_out'
            when (
              c.phone is null and c.wa_id is null
              and is_out_of_reach(
                x.workspace_id, c.id, x.user_id, coalesce(a.portfolio_id, a.provider_account_id), x.phone_number_id
              )
            ) then 'out_of_reach'
            when not (
              not (x.type not in ('template')) or x.fallback is not null
              or not case
                when (v.last_inbound_at is null or v.last_inbound_at + interval '1439 minutes' <= batch_now) then not case
                  when concat_ws(' ', x.phone, c.phone, c.wa_id) ~ '(^| )[+]?(22|52|55|24|54|57|84)' then twin_wrote_since(
                    x.workspace_id, c.id, substr(x.phone, 2), coalesce(x.phone_loose, x.phone_key, substr(x.phone, 2)),
                    x.phone_number_id, batch_now - interval '1439 minutes'
                  )
                  else false
                end
                else false
              end
            ) then 'window_closed'
            when case
              when v.owner_role = 'other' and x.take is not true and x.type not in ('template')
                and (x.send_at is null or x.send_at <= batch_now)
                and (x.fallback is null or not (v.last_inbound_at is null or v.last_inbound_at + interval '1439 minutes' <= batch_now)) then coalesce(
                  v.owner_role = 'other' and greatest(
                    v.last_inbound_at, v.owner_since
                  ) > batch_now - interval '86400000 milliseconds',
                  false
                )
              else false
            end then 'thread_not_owned'
            when not (x.reply_to is null or x.id = any(rows_with_quote)) then 'reference_not_found_reply_to'
            when case
              when x.media is null then false
              else lacks_media(x.workspace_id, x.media)
            end then 'media_not_found'
            when x.id = any(beyond) then 'messaging_limit_reached'
            when c.id is null then 'stranger'
            else 'fresh'
          end as verdict
        from rows from (
          json_to_recordset(rows) as (
            workspace_id uuid, id uuid, phone_number_id uuid, type text, content json, reply_to uuid, reference text,
            fallback json, template_id uuid, send_at timestamptz, expires_at timestamptz, resend_once boolean,
            media uuid[], estimated_dispatch_at timestamptz, public_id text, key text, fingerprint text, key_kept int,
            phone text, phone_key text, phone_loose text, contact_id uuid, user_id text, new_contact_id uuid,
            sender text, template_revision int, category text, portfolio text, take boolean, now timestamptz,
            actor_type text, actor_id uuid, actor_name text, method text, path text, request_id text, ip text,
            user_agent text, session uuid
          )
        ) with ordinality x
        left join lateral (
          select k.resource_id, k.fingerprint, k.created_at
          from idempotency_key k
          where k.workspace_id = x.workspace_id and k.digest = decode(x.key, 'hex')
            and k.created_at >= batch_now - coalesce(make_interval(secs => x.key_kept), interval '720 hours')
          offset 0
        ) k on true
        left join lateral (
          select n.lane, n.status, n.business_account_id
          from phone_number n
          where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
          offset 0
        ) n on true
        left join lateral (
          select a.status, a.portfolio_id, a.provider_account_id
          from business_account a
          where a.workspace_id = x.workspace_id and a.id = n.business_account_id
          offset 0
        ) a on true
        left join lateral (
          select c.id, c.phone, c.wa_id, c.marketing_consent
          from contact c
          where c.workspace_id = x.workspace_id and x.user_id is null and c.phone = x.phone
          union all
          select c.id, c.phone, c.wa_id, c.marketing_consent
          from contact c
          where c.workspace_id = x.workspace_id
            and c.id = named_contact(
              x.workspace_id, x.contact_id, x.user_id, coalesce(a.portfolio_id, a.provider_account_id), x.phone,
              x.phone_key
            )
          limit 1
          offset 0
        ) c on true
        left join lateral (
          select t.status, t.revision
          from template t
          where t.workspace_id = x.workspace_id and t.id = x.template_id
          offset 0
        ) t on true
        left join lateral (
          select v.last_inbound_at, v.last_message_at, v.owner_role, v.owner_since
          from conversation v
          where v.workspace_id = x.workspace_id and v.contact_id = c.id and v.phone_number_id = x.phone_number_id
          offset 0
        ) v on true
        cross join (select null::bigint as sequence) m
        where x.portfolio = any(tight)
      )
      select array(
        select w.id
        from (
          select n.id, n.portfolio, dense_rank() over (partition by n.portfolio order by n.first) as place
          from (
            select x.id as id, x.portfolio, min(x.ordinality) over (partition by x.portfolio, x.counted_as) as first
            from (select * from asked a where a.verdict in ('fresh', 'stranger') and a.counted_as is not null) x
            left join lateral (
              select r.minute
              from portfolio_recipient r
              where r.portfolio_id = x.portfolio and r.recipient = x.counted_as
                and r.minute >= floor(extract(epoch from (batch_now - interval '1441 minutes')) / 60)::int
              offset 0
            ) l on true
            where l.minute is null
          ) n
        ) w
        where w.place > rooms[array_position(tight, w.portfolio)]
      ) into beyond;
    end if;
  end if;
  <<alone>> begin
    exit alone when again or not (pg_column_size(rows) < 8192 and json_array_length(rows) = 1) or tight <> '{}';
    select x.* into x
    from json_to_recordset(rows) as x(
      workspace_id uuid, id uuid, phone_number_id uuid, type text, content json, reply_to uuid, reference text,
      fallback json, template_id uuid, send_at timestamptz, expires_at timestamptz, resend_once boolean, media uuid[],
      estimated_dispatch_at timestamptz, public_id text, key text, fingerprint text, key_kept int, phone text,
      phone_key text, phone_loose text, contact_id uuid, user_id text, new_contact_id uuid, sender text,
      template_revision int, category text, portfolio text, take boolean, now timestamptz, actor_type text,
      actor_id uuid, actor_name text, method text, path text, request_id text, ip text, user_agent text, session uuid,
      lane int, slot smallint, contact uuid, recipient text, conversation bigint, sequence bigint, seq bigint
    );
    if x.phone is not null then
      select c.id, c.phone, c.wa_id, c.marketing_consent
      from contact c
      where c.workspace_id = x.workspace_id and x.user_id is null and c.phone = x.phone into c;
      is_found := found;
      -- Mostly a stranger.
      exit alone when not is_found and x.new_contact_id is not null;
    end if;
    select n.lane, n.status, n.business_account_id
    from phone_number n
    where n.workspace_id = x.workspace_id and n.id = x.phone_number_id into n;
    select a.status, a.portfolio_id, a.provider_account_id
    from business_account a
    where a.workspace_id = x.workspace_id and a.id = n.business_account_id into a;
    exit alone when not coalesce(
      (
        n.status not in ('pending', 'unverified', 'disconnected', 'banned', 'migrated', 'deleted')
        and a.status = 'connected'
      ),
      false
    );
    exit alone when x.media is not null;
    if not is_found then
      select c.id, c.phone, c.wa_id, c.marketing_consent
      from contact c
      where c.workspace_id = x.workspace_id
        and c.id = named_contact(
          x.workspace_id, x.contact_id, x.user_id, coalesce(a.portfolio_id, a.provider_account_id), x.phone, x.phone_key
        ) into c;
    end if;
    exit alone when c.id is null;
    if x.category = 'marketing' then
      exit alone when (
        x.category = 'marketing'
        and (
          coalesce(c.marketing_consent = 'opted_out', false)
          or case
            when concat_ws(' ', x.phone, c.phone, c.wa_id) ~ '(^| )[+]?(22|52|55|24|54|57|84)' then twin_opted_out(
              x.workspace_id, c.id, substr(x.phone, 2), coalesce(x.phone_loose, x.phone_key, substr(x.phone, 2))
            )
            else false
          end
        )
      );
    end if;
    exit alone when c.phone is null and c.wa_id is null;
    if x.template_id is not null then
      select t.status, t.revision
      from template t
      where t.workspace_id = x.workspace_id and t.id = x.template_id into t;
      exit alone when x.template_id is not null and t.revision is null;
      exit alone when x.template_id is not null and t.revision <> x.template_revision;
      exit alone when x.template_id is not null and t.status <> 'approved';
    end if;
    select v.last_inbound_at, v.last_message_at, v.owner_role, v.owner_since
    from conversation v
    where v.workspace_id = x.workspace_id and v.contact_id = c.id and v.phone_number_id = x.phone_number_id into v;
    if x.type not in ('template') and x.fallback is null then
      exit alone when (v.last_inbound_at is null or v.last_inbound_at + interval '1439 minutes' <= batch_now);
    end if;
    exit alone when v.owner_role = 'other';
    exit alone when x.reply_to is not null;
    if x.key is not null then
      perform k.resource_id, k.fingerprint, k.created_at
      from idempotency_key k
      where k.workspace_id = x.workspace_id and k.digest = decode(x.key, 'hex')
        and k.created_at >= batch_now - coalesce(make_interval(secs => x.key_kept), interval '720 hours');
      exit alone when found;
      insert into idempotency_key as i (workspace_id, digest, fingerprint, resource_id, created_at)
      select x.workspace_id, decode(x.key, 'hex'), decode(x.fingerprint, 'hex'), x.public_id, batch_now
      on conflict (workspace_id, digest) do update
      set fingerprint = excluded.fingerprint,
        resource_id = excluded.resource_id,
        created_at = excluded.created_at,
        answer = null,
        status = null
      where i.created_at < batch_now - interval '24 hours';
      if not found then
        raise exception 'overtaken' using errcode = 'serialization_failure';
      end if;
    end if;
    x.lane := n.lane;
    x.slot := (n.lane % 64)::smallint;
    x.contact := c.id;
    x.recipient := coalesce(x.phone, c.phone, '+' || c.wa_id);
    x.conversation := hashtextextended(x.phone_number_id::text || c.id::text, 0);
    x.sequence := nextval('conversation_sequence');
    x.seq := nextval('dispatch_seq_seq');
    if (v.last_message_at is null or v.last_message_at < batch_now - interval '1 minute') then
      insert into conversation as v (workspace_id, contact_id, phone_number_id, last_message_at)
      select x.workspace_id, x.contact, x.phone_number_id, batch_now
      on conflict (workspace_id, contact_id, phone_number_id) do update
      set last_message_at = greatest(v.last_message_at, excluded.last_message_at);
    end if;
    insert into message (
      workspace_id, id, outbound, phone_number_id, contact_id, recipient, sender, type, content, reply_to, reference,
      category, fallback, fallback_category, template_id, send_at, expires_at, takes_thread, resend_once, media,
      estimated_dispatch_at, sequence, created_at
    )
    select x.workspace_id, x.id, true, x.phone_number_id, x.contact, x.recipient, x.sender, x.type, x.content,
      x.reply_to, x.reference, case when x.fallback is null then x.category end, x.fallback,
      case when x.fallback is not null then x.category end, x.template_id, x.send_at, x.expires_at, x.take,
      x.resend_once, x.media, x.estimated_dispatch_at, x.sequence, x.now;
    insert into message_state (workspace_id, id, contact_id, conversation, slot, seq)
    select x.workspace_id, x.id, x.contact, x.conversation, x.slot, x.seq;
    if x.actor_type is not null then
      insert into audit (
        workspace_id, id, at, actor_type, actor_id, actor_name, method, path, request_id, ip, user_agent, session,
        action, resource_type, resource_id, status
      )
      select x.workspace_id, x.id, x.now, x.actor_type, x.actor_id, x.actor_name, x.method, x.path, x.request_id, x.ip,
        x.user_agent, x.session, 'message.create', 'message', x.public_id, 202
      where x.actor_type is not null;
    end if;
    insert into dispatch (slot, lane, due, seq, workspace_id, message_id, recipient, expires_at) overriding system value
    select x.slot, x.lane, case when x.send_at > batch_now then x.send_at else '-infinity' end, x.seq, x.workspace_id,
      x.id, x.conversation, x.expires_at;
    outcome := 'accepted';
    contact_id := x.contact;
    recipient := x.recipient;
    sequence := x.sequence;
    slot := x.slot;
    slots_mask := slots_filled::text;
    queued := json_build_object('slot', x.slot, 'lane', x.lane, 'seq', x.seq, 'key', x.conversation::text);
    return next;
    is_taken := true;
  end;
  if not is_taken then
    -- Most recipients are known, and the caller remembers them.
    if position('"new_contact_id"' in rows_text) > 0 then
      with candidates as materialized (
        select x.*
        from rows from (
          json_to_recordset(rows) as (
            workspace_id uuid, id uuid, key text, key_kept int, phone text, phone_key text, phone_loose text,
            contact_id uuid, user_id text, new_contact_id uuid, phone_number_id uuid, type text, fallback json,
            template_id uuid, template_revision int, category text, media uuid[], reply_to uuid
          )
        ) with ordinality x
        where x.new_contact_id is not null
      ),
      new_contacts as (
        insert into contact (workspace_id, id, phone, user_id, parent_user_id, created_at, updated_at, is_named)
        select distinct on (x.workspace_id, coalesce(x.phone_key, substr(x.phone, 2)), x.user_id) x.workspace_id,
          x.new_contact_id, x.phone, case when x.user_id not like '__.ENT.%' then x.user_id end,
          case when x.user_id like '__.ENT.%' then x.user_id end, batch_now, batch_now, true
        from candidates x
        left join lateral (
          select k.resource_id, k.fingerprint, k.created_at
          from idempotency_key k
          where k.workspace_id = x.workspace_id and k.digest = decode(x.key, 'hex')
            and k.created_at >= batch_now - coalesce(make_interval(secs => x.key_kept), interval '720 hours')
          offset 0
        ) k on true
        left join lateral (
          select n.lane, n.status, n.business_account_id
          from phone_number n
          where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
          offset 0
        ) n on true
        left join lateral (
          select a.status, a.portfolio_id, a.provider_account_id
          from business_account a
          where a.workspace_id = x.workspace_id and a.id = n.business_account_id
          offset 0
        ) a on true
        left join lateral (
          select c.id, c.phone, c.wa_id, c.marketing_consent
          from contact c
          where c.workspace_id = x.workspace_id and x.user_id is null and c.phone = x.phone
          union all
          select c.id, c.phone, c.wa_id, c.marketing_consent
          from contact c
          where c.workspace_id = x.workspace_id
            and c.id = coalesce(
              coalesce(
                (
                  select i.contact_id
                  from identifier i
                  where i.workspace_id = x.workspace_id and i.kind = 'phone' and i.scope = ''
                    and i.value = substr(x.phone, 2) and i.until is null
                  limit 1
                ),
                (
                  select i.contact_id
                  from identifier i
                  where i.workspace_id = x.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = x.phone_key
                    and i.until is null
                  limit 1
                )
              ),
              (
                select i.contact_id
                from identifier i
                where i.workspace_id = x.workspace_id and i.kind in ('user_id', 'parent_user_id')
                  and i.scope = coalesce(a.portfolio_id, a.provider_account_id) and i.value = x.user_id
                limit 1
              ),
              coalesce(
                (select c.id from contact c where c.workspace_id = x.workspace_id and c.phone = x.phone),
                (
                  select c.id
                  from contact c
                  where c.workspace_id = x.workspace_id and c.user_id = x.user_id and not c.is_named
                )
              )
            )
          limit 1
          offset 0
        ) c on true
        left join lateral (
          select t.status, t.revision
          from template t
          where t.workspace_id = x.workspace_id and t.id = x.template_id
          offset 0
        ) t on true
        where x.contact_id is null and k.resource_id is null
          and (
            n.status not in ('pending', 'unverified', 'disconnected', 'banned', 'migrated', 'deleted')
            and a.status = 'connected'
          )
          and (x.template_id is null or (t.status = 'approved' and t.revision = x.template_revision))
          and (x.reply_to is null or x.id = any(rows_with_quote)) and c.id is null
          and not coalesce(
            (
              x.category = 'marketing'
              and (
                coalesce(c.marketing_consent = 'opted_out', false)
                or case
                  when concat_ws(' ', x.phone, c.phone, c.wa_id) ~ '(^| )[+]?(22|52|55|24|54|57|84)' then twin_opted_out(
                    x.workspace_id, c.id, substr(x.phone, 2), coalesce(x.phone_loose, x.phone_key, substr(x.phone, 2))
                  )
                  else false
                end
              )
            ),
            false
          )
          and (
            not (x.type not in ('template')) or x.fallback is not null
            or not case
              when (null::timestamptz is null or null::timestamptz + interval '1439 minutes' <= batch_now) then not case
                when concat_ws(' ', x.phone, c.phone, c.wa_id) ~ '(^| )[+]?(22|52|55|24|54|57|84)' then twin_wrote_since(
                  x.workspace_id, c.id, substr(x.phone, 2), coalesce(x.phone_loose, x.phone_key, substr(x.phone, 2)),
                  x.phone_number_id, batch_now - interval '1439 minutes'
                )
                else false
              end
              else false
            end
          )
          and not (
            c.phone is null and c.wa_id is null
            and is_out_of_reach(
              x.workspace_id, c.id, x.user_id, coalesce(a.portfolio_id, a.provider_account_id), x.phone_number_id
            )
          )
          and not case when x.media is null then false else lacks_media(x.workspace_id, x.media) end
          and x.id <> all(beyond)
        order by x.workspace_id, coalesce(x.phone_key, substr(x.phone, 2)), x.user_id, x.ordinality
        on conflict do nothing
        returning id
      ),
      strangers as materialized (
        select x.*, coalesce(a.portfolio_id, a.provider_account_id) as scope
        from candidates x
        left join lateral (
          select n.lane, n.status, n.business_account_id
          from phone_number n
          where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
          offset 0
        ) n on true
        left join lateral (
          select a.status, a.portfolio_id, a.provider_account_id
          from business_account a
          where a.workspace_id = x.workspace_id and a.id = n.business_account_id
          offset 0
        ) a on true
        where x.new_contact_id = any(array(select s.id from new_contacts s))
      ),
      first as (
        insert into identifier as i (workspace_id, kind, scope, value, contact_id, source, since, key, loose, rules)
        select x.workspace_id,
          case
            when substr(x.phone, 2) is not null then 'phone'
            when x.user_id like '__.ENT.%' then 'parent_user_id'
            else 'user_id'
          end, case when substr(x.phone, 2) is not null then '' else x.scope end,
          coalesce(x.phone_key, substr(x.phone, 2), x.user_id), x.new_contact_id,
          case when x.phone_key is null then 'message' else 'rule' end, batch_now,
          coalesce(x.phone_key, substr(x.phone, 2)), coalesce(x.phone_loose, x.phone_key, substr(x.phone, 2)), 1
        from strangers x
        order by 1, 2, 3, 4
        on conflict (workspace_id, kind, scope, value) do update
        set contact_id = excluded.contact_id,
          source = excluded.source,
          until = null,
          key = excluded.key,
          loose = excluded.loose,
          rules = excluded.rules,
          since = case when i.until is null then i.since else excluded.since end,
          taken_from = case
            when i.until is null then i.taken_from
            when i.since = i.until then nullif(i.contact_id, excluded.contact_id)
          end
        where i.until is not null
        returning contact_id
      ),
      winners as materialized (
        select x.*
        from strangers x
        where x.new_contact_id = any(array(select s.contact_id from first s))
      ),
      forms as (
        insert into identifier as i (workspace_id, kind, value, contact_id, source, since, key, loose, rules)
        select x.workspace_id, 'phone', substr(x.phone, 2), x.new_contact_id, 'message', batch_now, x.phone_key,
          coalesce(x.phone_loose, x.phone_key), 1
        from winners x
        where x.phone_key is not null
        order by 1, 3
        on conflict (workspace_id, kind, scope, value) do update
        set contact_id = excluded.contact_id,
          source = excluded.source,
          until = null,
          key = excluded.key,
          loose = excluded.loose,
          rules = excluded.rules,
          since = case when i.until is null then i.since else excluded.since end,
          taken_from = case
            when i.until is null then i.taken_from
            when i.since = i.until then nullif(i.contact_id, excluded.contact_id)
          end
        where i.until is not null
      ),
      new_events as materialized (
        select x.workspace_id as workspace_id, new_uuid(batch_now) as id, 'contact_created' as kind,
          null::uuid as message_id, x.new_contact_id as contact_id, null::uuid as resource_id, batch_now as occurred_at,
          json_build_object('source', 'message') as state,
          hashtextextended(x.phone_number_id::text || x.new_contact_id::text, 0) as conversation
        from winners x
        order by x.ordinality
      ),
      events as (
        insert into event (
          workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
        )
        select x.workspace_id, x.id, (select i.era from installation i), x.kind, nextval('conversation_sequence'),
          x.message_id, x.contact_id, x.resource_id, x.occurred_at, x.state, batch_now
        from new_events x
      ),
      deliveries as (
        insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
        select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.id, e.id), x.id, x.conversation
        from new_events x
        cross join lateral (
          select e.id, e.lane
          from webhook_endpoint e
          where e.workspace_id = x.workspace_id and e.lane >= 0 and e.events && array['*', x.kind] and not e.is_limited
          offset 0
        ) e
        returning slot
      )
      select (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d),
        array(select s.id from new_contacts s except select w.new_contact_id from winners w) into slots_filled, losers;
      -- Another call created these people at the same moment, perhaps under another form of their number.
      if losers <> '{}' then
        delete from contact c using rows from (
          json_to_recordset(rows) as (
            workspace_id uuid, id uuid, phone_number_id uuid, type text, content json, reply_to uuid, reference text,
            fallback json, template_id uuid, send_at timestamptz, expires_at timestamptz, resend_once boolean,
            media uuid[], estimated_dispatch_at timestamptz, public_id text, key text, fingerprint text, key_kept int,
            phone text, phone_key text, phone_loose text, contact_id uuid, user_id text, new_contact_id uuid,
            sender text, template_revision int, category text, portfolio text, take boolean, now timestamptz,
            actor_type text, actor_id uuid, actor_name text, method text, path text, request_id text, ip text,
            user_agent text, session uuid
          )
        ) with ordinality x
        where x.new_contact_id = any(losers) and c.workspace_id = x.workspace_id and c.id = x.new_contact_id;
      end if;
    end if;
    if again then
      -- What an earlier call with these rows committed although its answer was lost is their answer.
      select array_agg(m.id), array_agg(m.contact_id), array_agg(m.recipient), array_agg(m.sequence) into stored_id,
        stored_contact, stored_recipient, stored_sequence
      from rows from (
        json_to_recordset(rows) as (
          workspace_id uuid, id uuid, phone_number_id uuid, type text, content json, reply_to uuid, reference text,
          fallback json, template_id uuid, send_at timestamptz, expires_at timestamptz, resend_once boolean,
          media uuid[], estimated_dispatch_at timestamptz, public_id text, key text, fingerprint text, key_kept int,
          phone text, phone_key text, phone_loose text, contact_id uuid, user_id text, new_contact_id uuid, sender text,
          template_revision int, category text, portfolio text, take boolean, now timestamptz, actor_type text,
          actor_id uuid, actor_name text, method text, path text, request_id text, ip text, user_agent text,
          session uuid
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
        select x.workspace_id, x.id, x.phone_number_id, x.type, x.content, x.reply_to, x.reference, x.fallback,
          x.template_id, x.send_at, x.expires_at, x.resend_once, x.media, x.estimated_dispatch_at, x.public_id, x.key,
          x.fingerprint, x.sender, x.category, x.portfolio, x.take, x.now, x.actor_type, x.actor_id, x.actor_name,
          x.method, x.path, x.request_id, x.ip, x.user_agent, x.session, x.ordinality, k.resource_id as first_resource,
          case
            when m.sequence is not null then 'stored'
            when k.fingerprint <> decode(x.fingerprint, 'hex') then 'reused'
            when k.created_at <= batch_now - interval '168 hours' then 'expired_key'
            when k.resource_id is not null then 'replay'
            when not coalesce(
              (
                n.status not in ('pending', 'unverified', 'disconnected', 'banned', 'migrated', 'deleted')
                and a.status = 'connected'
              ),
              false
            ) then 'sender_unavailable'
            when x.template_id is not null and t.revision is null then 'template_not_found'
            when x.template_id is not null and t.revision <> x.template_revision then 'stale_template'
            when x.template_id is not null and t.status <> 'approved' then 'template_not_approved'
            when c.id is null and x.contact_id is not null then 'reference_not_found'
            when (
              x.category = 'marketing'
              and (
                coalesce(c.marketing_consent = 'opted_out', false)
                or case
                  when concat_ws(' ', x.phone, c.phone, c.wa_id) ~ '(^| )[+]?(22|52|55|24|54|57|84)' then twin_opted_out(
                    x.workspace_id, c.id, substr(x.phone, 2), coalesce(x.phone_loose, x.phone_key, substr(x.phone, 2))
                  )
                  else false
                end
              )
            ) then 'recipient_opted_out'
            when (
              c.phone is null and c.wa_id is null
              and is_out_of_reach(
                x.workspace_id, c.id, x.user_id, coalesce(a.portfolio_id, a.provider_account_id), x.phone_number_id
              )
            ) then 'out_of_reach'
            when not (
              not (x.type not in ('template')) or x.fallback is not null
              or not case
                when (v.last_inbound_at is null or v.last_inbound_at + interval '1439 minutes' <= batch_now) then not case
                  when concat_ws(' ', x.phone, c.phone, c.wa_id) ~ '(^| )[+]?(22|52|55|24|54|57|84)' then twin_wrote_since(
                    x.workspace_id, c.id, substr(x.phone, 2), coalesce(x.phone_loose, x.phone_key, substr(x.phone, 2)),
                    x.phone_number_id, batch_now - interval '1439 minutes'
                  )
                  else false
                end
                else false
              end
            ) then 'window_closed'
            when case
              when v.owner_role = 'other' and x.take is not true and x.type not in ('template')
                and (x.send_at is null or x.send_at <= batch_now)
                and (x.fallback is null or not (v.last_inbound_at is null or v.last_inbound_at + interval '1439 minutes' <= batch_now)) then coalesce(
                  v.owner_role = 'other' and greatest(
                    v.last_inbound_at, v.owner_since
                  ) > batch_now - interval '86400000 milliseconds',
                  false
                )
              else false
            end then 'thread_not_owned'
            when not (x.reply_to is null or x.id = any(rows_with_quote)) then 'reference_not_found_reply_to'
            when case
              when x.media is null then false
              else lacks_media(x.workspace_id, x.media)
            end then 'media_not_found'
            when x.id = any(beyond) then 'messaging_limit_reached'
            when c.id is null then 'stranger'
            else 'fresh'
          end as verdict, n.lane, (n.lane % 64)::smallint as slot, v.last_message_at, m.sequence as stored_sequence,
          coalesce(m.contact_id, c.id) as contact,
          coalesce(m.recipient, coalesce(x.phone, c.phone, '+' || c.wa_id)) as recipient,
          hashtextextended(x.phone_number_id::text || c.id::text, 0) as conversation
        from rows from (
          json_to_recordset(rows) as (
            workspace_id uuid, id uuid, phone_number_id uuid, type text, content json, reply_to uuid, reference text,
            fallback json, template_id uuid, send_at timestamptz, expires_at timestamptz, resend_once boolean,
            media uuid[], estimated_dispatch_at timestamptz, public_id text, key text, fingerprint text, key_kept int,
            phone text, phone_key text, phone_loose text, contact_id uuid, user_id text, new_contact_id uuid,
            sender text, template_revision int, category text, portfolio text, take boolean, now timestamptz,
            actor_type text, actor_id uuid, actor_name text, method text, path text, request_id text, ip text,
            user_agent text, session uuid
          )
        ) with ordinality x
        left join lateral (
          select k.resource_id, k.fingerprint, k.created_at
          from idempotency_key k
          where k.workspace_id = x.workspace_id and k.digest = decode(x.key, 'hex')
            and k.created_at >= batch_now - coalesce(make_interval(secs => x.key_kept), interval '720 hours')
          offset 0
        ) k on true
        left join lateral (
          select n.lane, n.status, n.business_account_id
          from phone_number n
          where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
          offset 0
        ) n on true
        left join lateral (
          select a.status, a.portfolio_id, a.provider_account_id
          from business_account a
          where a.workspace_id = x.workspace_id and a.id = n.business_account_id
          offset 0
        ) a on true
        left join lateral (
          select c.id, c.phone, c.wa_id, c.marketing_consent
          from contact c
          where c.workspace_id = x.workspace_id and x.user_id is null and c.phone = x.phone
          union all
          select c.id, c.phone, c.wa_id, c.marketing_consent
          from contact c
          where c.workspace_id = x.workspace_id
            and c.id = named_contact(
              x.workspace_id, x.contact_id, x.user_id, coalesce(a.portfolio_id, a.provider_account_id), x.phone,
              x.phone_key
            )
          limit 1
          offset 0
        ) c on true
        left join lateral (
          select t.status, t.revision
          from template t
          where t.workspace_id = x.workspace_id and t.id = x.template_id
          offset 0
        ) t on true
        left join lateral (
          select v.last_inbound_at, v.last_message_at, v.owner_role, v.owner_since
          from conversation v
          where v.workspace_id = x.workspace_id and v.contact_id = c.id and v.phone_number_id = x.phone_number_id
          offset 0
        ) v on true
        left join unnest(
          stored_id, stored_contact, stored_recipient, stored_sequence
        ) as m(id, contact_id, recipient, sequence) on m.id = x.id
        order by x.ordinality
      ),
      keys as (
        insert into idempotency_key as i (workspace_id, digest, fingerprint, resource_id, created_at)
        select x.workspace_id, decode(x.key, 'hex'), decode(x.fingerprint, 'hex'), x.public_id, batch_now
        from decided x
        where x.verdict = 'fresh' and x.key is not null
        order by x.workspace_id, decode(x.key, 'hex')
        on conflict (workspace_id, digest) do update
        set fingerprint = excluded.fingerprint,
          resource_id = excluded.resource_id,
          created_at = excluded.created_at,
          answer = null,
          status = null
        where i.created_at < batch_now - interval '24 hours'
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
          select d.workspace_id, d.id, d.phone_number_id, d.type, d.content, d.reply_to, d.reference, d.fallback,
            d.template_id, d.send_at, d.expires_at, d.resend_once, d.media, d.estimated_dispatch_at, d.public_id,
            d.sender, d.category, d.portfolio, d.take, d.now, d.actor_type, d.actor_id, d.actor_name, d.method, d.path,
            d.request_id, d.ip, d.user_agent, d.session, d.ordinality, d.slot, d.lane, d.last_message_at, d.contact,
            d.recipient, d.conversation, nextval('conversation_sequence') as sequence,
            nextval('dispatch_seq_seq') as seq
          from all_keys
          join decided d on d.verdict = 'fresh'
          where all_keys.taken
          offset 0
        ) n
        order by n.ordinality
      ),
      messages as (
        insert into message (
          workspace_id, id, outbound, phone_number_id, contact_id, recipient, sender, type, content, reply_to,
          reference, category, fallback, fallback_category, template_id, send_at, expires_at, takes_thread, resend_once,
          media, estimated_dispatch_at, sequence, created_at
        )
        select x.workspace_id, x.id, true, x.phone_number_id, x.contact, x.recipient, x.sender, x.type, x.content,
          x.reply_to, x.reference, case when x.fallback is null then x.category end, x.fallback,
          case when x.fallback is not null then x.category end, x.template_id, x.send_at, x.expires_at, x.take,
          x.resend_once, x.media, x.estimated_dispatch_at, x.sequence, x.now
        from fresh x
      ),
      states as (
        insert into message_state (workspace_id, id, contact_id, conversation, slot, seq)
        select x.workspace_id, x.id, x.contact, x.conversation, x.slot, x.seq
        from fresh x
      ),
      audited as (
        insert into audit (
          workspace_id, id, at, actor_type, actor_id, actor_name, method, path, request_id, ip, user_agent, session,
          action, resource_type, resource_id, status
        )
        select x.workspace_id, x.id, x.now, x.actor_type, x.actor_id, x.actor_name, x.method, x.path, x.request_id,
          x.ip, x.user_agent, x.session, 'message.create', 'message', x.public_id, 202
        from fresh x
        where x.actor_type is not null
      ),
      queued as (
        insert into dispatch (
          slot, lane, due, seq, workspace_id, message_id, recipient, expires_at
        ) overriding system value
        select x.slot, x.lane, case when x.send_at > batch_now then x.send_at else '-infinity' end, x.seq,
          x.workspace_id, x.id, x.conversation, x.expires_at
        from fresh x
      ),
      conversations as (
        insert into conversation as v (workspace_id, contact_id, phone_number_id, last_message_at)
        select distinct x.workspace_id, x.contact, x.phone_number_id, batch_now
        from fresh x
        where (x.last_message_at is null or x.last_message_at < batch_now - interval '1 minute')
        order by x.workspace_id, x.contact, x.phone_number_id
        on conflict (workspace_id, contact_id, phone_number_id) do update
        set last_message_at = greatest(v.last_message_at, excluded.last_message_at)
      )
      select a.outcome, a.resource, a.contact, a.recipient, a.sequence, a.slot,
        case when a.outcome = 'messaging_limit_reached' then room_ats[array_position(tight, a.portfolio)] end,
        slots_filled::text, null::json
      from (
        select f.ordinality, 'accepted' as outcome, null as resource, f.contact, f.recipient, f.sequence, f.slot,
          f.portfolio
        from fresh f
        union all
        select d.ordinality, case d.verdict when 'stored' then 'accepted' else d.verdict end, d.first_resource,
          d.contact, d.recipient, d.stored_sequence, d.slot, d.portfolio
        from decided d
        where d.verdict <> 'fresh'
      ) a
      join all_keys on all_keys.taken
      order by a.ordinality;
    if not found then
      raise exception 'overtaken' using errcode = 'serialization_failure';
    end if;
    if position('"media":[' in rows_text) > 0 then
      noted := note_media_use(rows, now);
    end if;
  end if;
  if counting <> '{}' then
    with accepted as materialized (
      select x.portfolio, x.id,
        case
          when (v.last_inbound_at is null or v.last_inbound_at + interval '1439 minutes' <= batch_now) then recipient_digest(
            case
              when coalesce(c.phone, x.phone) = x.phone then coalesce(x.phone_key, substr(x.phone, 2))
              when c.id is null then x.user_id
              else counted_person(x.workspace_id, c.id, x.phone_number_id)
            end
          )
        end as counted_as
      from rows from (
        json_to_recordset(rows) as (
          workspace_id uuid, id uuid, phone_number_id uuid, type text, content json, reply_to uuid, reference text,
          fallback json, template_id uuid, send_at timestamptz, expires_at timestamptz, resend_once boolean,
          media uuid[], estimated_dispatch_at timestamptz, public_id text, key text, fingerprint text, key_kept int,
          phone text, phone_key text, phone_loose text, contact_id uuid, user_id text, new_contact_id uuid, sender text,
          template_revision int, category text, portfolio text, take boolean, now timestamptz, actor_type text,
          actor_id uuid, actor_name text, method text, path text, request_id text, ip text, user_agent text,
          session uuid
        )
      ) with ordinality x
      cross join lateral (
        select m.contact_id
        from message m
        where x.portfolio = any(counting) and m.workspace_id = x.workspace_id and m.id = x.id
        offset 0
      ) m
      left join lateral (
        select c.id, c.phone
        from contact c
        where c.workspace_id = x.workspace_id and c.id = m.contact_id
        offset 0
      ) c on true
      left join lateral (
        select v.last_inbound_at, v.last_message_at, v.owner_role, v.owner_since
        from conversation v
        where v.workspace_id = x.workspace_id and v.contact_id = c.id and v.phone_number_id = x.phone_number_id
        offset 0
      ) v on true
    ),
    counted as (
      insert into portfolio_recipient as r (portfolio_id, recipient, minute, message_id)
      select x.portfolio, x.counted_as, floor(extract(epoch from batch_now) / 60)::int,
        case when count(*) = 1 then (array_agg(x.id))[1] end
      from accepted x
      where x.counted_as is not null
      group by x.portfolio, x.counted_as
      order by x.portfolio, x.counted_as
      on conflict (portfolio_id, recipient) do update
      set minute = greatest(r.minute, excluded.minute),
        message_id = case when r.message_id = excluded.message_id then r.message_id end
      returning r.portfolio_id, r.xmax = 0 as is_new
    ),
    portfolios as (
      insert into portfolio_limit as p (portfolio_id, used, updated_at)
      select c.portfolio_id, count(*), batch_now
      from counted c
      where c.is_new
      group by c.portfolio_id
      on conflict (portfolio_id) do update
      set used = p.used + excluded.used
      returning 1
    )
    select count(*) as portfolios into ledger
    from portfolios;
  end if;
end
$function$;

create or replace function apply_consents(
  now timestamptz, inout slots_filled bigint, inout consents json[]
) language plpgsql volatile
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  claim record;
  consenting contact;
  known_at timestamptz;
begin
  for claim in
    select s.*
    from unnest(consents) with ordinality u(said, n)
    cross join lateral json_to_record(u.said) as s(
      workspace_id uuid, contact_id uuid, consent text, source text, at timestamptz, proof uuid, conversation bigint,
      fields json, phone_number_id uuid, place json, is_found boolean
    )
    order by s.workspace_id, s.contact_id, u.n
  loop
    select c.* into consenting
    from contact c
    where c.workspace_id = claim.workspace_id and c.id = claim.contact_id for no key update;
    if consenting.merged_into is not null then
      select c.* into consenting
      from contact c
      where c.workspace_id = claim.workspace_id and c.id = consenting.merged_into for no key update;
    end if;
    -- What the person says at the moment of the erasure is not of it: the repetition creates the contact that it is of.
    if consenting.id is null and claim.is_found
      and coalesce(
        (select true from erased_contact z where z.workspace_id = claim.workspace_id and z.id = claim.contact_id), false
      ) then
      raise exception 'overtaken' using errcode = 'serialization_failure';
    end if;
    known_at := case
      when consenting.marketing_consent <> 'unknown' or claim.consent = 'opted_out' then consenting.consent_at
    end;
    if claim.consent = 'opted_out' and claim.at = date_trunc('second', claim.at) then
      known_at := date_trunc('second', known_at);
    end if;
    continue when consenting.id is null or known_at > claim.at
    or (known_at = claim.at and (claim.consent <> 'opted_out' or consenting.marketing_consent = 'opted_out'));
    if claim.consent = 'resumed' then
      claim.consent := case when consenting.marketing_consent = 'opted_out' then 'opted_in' end;
      if claim.consent is null then
        update contact c
        set consent_at = claim.at
        where c.workspace_id = claim.workspace_id and c.id = consenting.id and coalesce(c.consent_at < claim.at, true);
        continue;
      end if;
    end if;
    update contact c
    set marketing_consent = claim.consent,
      consent_source = claim.source,
      consent_at = greatest(c.consent_at, claim.at),
      consent_proof = claim.proof,
      updated_at = case
        when c.marketing_consent = claim.consent and c.consent_source = claim.source then c.updated_at
        else now
      end
    where c.workspace_id = claim.workspace_id and c.id = consenting.id;
    if consenting.marketing_consent <> claim.consent then
      event_id := new_uuid(now);
      insert into event (
        workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at,
        callback_id
      )
      values (
        claim.workspace_id, event_id, (select i.era from installation i), claim.consent,
        nextval('conversation_sequence'), null, consenting.id, null, claim.at,
        json_strip_nulls(
          json_build_object(
            'source', claim.source, 'fields', claim.fields, 'phone_number_id', claim.phone_number_id, 'place',
            claim.place
          )
        ),
        now, case when claim.phone_number_id is not null then claim.proof end
      );
      with deliveries as (
        insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
        select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
          claim.conversation
        from webhook_endpoint e
        where e.workspace_id = claim.workspace_id and e.lane >= 0 and e.events && array['*', claim.consent]
          and not e.is_limited
        returning slot
      )
      select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
      from deliveries d;
    end if;
  end loop;
  consents := '{}';
end
$function$;

create or replace function apply_owners(
  now timestamptz, inout slots_filled bigint, inout owner_signs json[]
) language plpgsql volatile
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  owner_sign record;
  thread conversation;
  owner_before text;
  owner_before_since timestamptz;
begin
  for owner_sign in
    select s.*
    from unnest(owner_signs) with ordinality u(said, n)
    cross join lateral json_to_record(u.said) as s(
      workspace_id uuid, contact_id uuid, phone_number_id uuid, role text, since timestamptz, at timestamptz, mark text,
      is_plain boolean, from_agent boolean, opens boolean, callback_id uuid, place json
    )
    where s.contact_id is not null
    order by s.workspace_id, s.contact_id, s.phone_number_id, u.n
  loop
    if not owner_sign.is_plain then
      insert into conversation as v (workspace_id, contact_id, phone_number_id, last_message_at)
      values (owner_sign.workspace_id, owner_sign.contact_id, owner_sign.phone_number_id, owner_sign.at)
      on conflict (workspace_id, contact_id, phone_number_id) do nothing;
    end if;
    select v.* into thread
    from conversation v
    where v.workspace_id = owner_sign.workspace_id and v.contact_id = owner_sign.contact_id
      and v.phone_number_id = owner_sign.phone_number_id for no key update;
    continue when not found or (owner_sign.is_plain and thread.owner_role is null) or thread.owner_at > owner_sign.at
    or (
      thread.owner_at = owner_sign.at and owner_sign.mark = any(thread.owner_marks)
      and (owner_sign.mark <> 'own' or thread.owner_role = owner_sign.role)
    )
    or (
      owner_sign.from_agent and owner_sign.role = 'other' and thread.owner_role = 'self'
      and 'own' = any(thread.owner_marks) and owner_sign.at < thread.owner_at + interval '1 minute'
    );
    owner_before := coalesce(thread.owner_role, 'none');
    owner_before_since := thread.owner_since;
    if owner_before <> 'none'
      and greatest(thread.owner_at, thread.owner_since) <= owner_sign.at - interval '86400000 milliseconds' then
      owner_before := 'none';
      owner_before_since := greatest(thread.owner_at, thread.owner_since) + interval '86400000 milliseconds';
    end if;
    update conversation v
    set owner_role = owner_sign.role,
      owner_at = owner_sign.at,
      last_inbound_at = case
        when owner_sign.opens
          and coalesce(v.last_inbound_at <= owner_sign.at - interval '86400000 milliseconds', true) then owner_sign.at
        else v.last_inbound_at
      end,
      owner_since = case
        when owner_before = owner_sign.role and thread.owner_role = owner_sign.role then v.owner_since
        else owner_sign.since
      end,
      owner_marks = case
        when thread.owner_at = owner_sign.at
          and owner_sign.mark is not null then (owner_sign.mark || v.owner_marks)[1:20]
        when thread.owner_at = owner_sign.at then v.owner_marks
        when owner_sign.mark is not null then array[owner_sign.mark]
      end
    where v.workspace_id = owner_sign.workspace_id and v.contact_id = owner_sign.contact_id
      and v.phone_number_id = owner_sign.phone_number_id;
    if owner_before <> owner_sign.role then
      event_id := new_uuid(now);
      insert into event (
        workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at,
        callback_id
      )
      values (
        owner_sign.workspace_id, event_id, (select i.era from installation i),
        case when owner_sign.role = 'self' then 'thread_taken' else 'thread_released' end,
        nextval('conversation_sequence'), null, owner_sign.contact_id, owner_sign.phone_number_id, owner_sign.since,
        json_build_object(
          'previous_owner', json_build_object('role', owner_before, 'since', owner_before_since), 'owner',
          json_build_object('role', owner_sign.role, 'since', owner_sign.since), 'place', owner_sign.place
        ),
        now, owner_sign.callback_id
      );
      with deliveries as (
        insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
        select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
          hashtextextended(owner_sign.phone_number_id::text || owner_sign.contact_id::text, 0)
        from webhook_endpoint e
        where e.workspace_id = owner_sign.workspace_id and e.lane >= 0
          and e.events && array['*', case when owner_sign.role = 'self' then 'thread_taken' else 'thread_released' end]
          and (
            not e.is_limited
            or is_got(
              owner_sign.workspace_id,
              within_limits(owner_sign.workspace_id, e.id, owner_sign.phone_number_id, null::uuid, null::uuid)
            )
          )
        returning slot
      )
      select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
      from deliveries d;
    end if;
  end loop;
  owner_signs := '{}';
end
$function$;

create or replace function apply_parked(
  now timestamptz, joined parked_status[], joined_message uuid[], inout slots_filled bigint, inout consents json[],
  inout unreached uuid[], inout reached json[]
) language plpgsql volatile
as $function$
#variable_conflict use_column
declare
  r record;
begin
  with given as materialized (
    select (joined[j.n]).workspace_id, joined_message[j.n] as message_id, (joined[j.n]).bit, (joined[j.n]).at,
      (joined[j.n]).error, (joined[j.n]).pricing, (joined[j.n]).conversation, (joined[j.n]).callback_id,
      (joined[j.n]).provider_message_id,
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
          case when (x.state).pricing is null then 0 else coalesce((x.state).priced, (x.state).seen) end | coalesce(
            bit_or(x.bit) filter (where x.is_new and x.pricing is not null) over (
              partition by x.workspace_id, x.message_id
              order by x.ordinality rows between unbounded preceding and 1 preceding
            ),
            0
          )
        ) & case x.bit when 1 then 894 when 2 then 892 when 4 then 888 when 8 then 880 when 16 then 864 when 32 then 768 when 64 then 768 when 128 then 894 when 256 then 512 when 512 then 0 when 1024 then 1023 when 2048 then 1023 end <> 0,
        false
      ) as is_outpriced
    from (
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
          (
            array_agg(x.provider_message_id) filter (where x.provider_message_id is not null) over (
              partition by x.workspace_id, x.message_id
              order by x.ordinality rows between unbounded preceding and 1 preceding
            )
          )[1],
          x.provider_message_id
        ) as known_provider_id
      from locked x
    ) x
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
            when 1024 then 0
            when 2048 then 0
          end
        ) over w
      ) as rank,
      coalesce(min(x.at) filter (where x.bit in (2)) over w, (x.state).accepted_at) as accepted_at,
      coalesce(min(x.at) filter (where x.bit in (4)) over w, (x.state).sent_at) as sent_at,
      coalesce(min(x.at) filter (where x.bit in (16)) over w, (x.state).delivered_at) as delivered_at,
      coalesce((x.state).read_at, min(x.at) filter (where x.bit in (32, 64)) over w) as read_at,
      coalesce(min(x.at) filter (where x.bit in (8)) over w, (x.state).failed_at) as failed_at,
      coalesce(
        (
          array_agg(x.error) filter (where x.error is not null) over w
        )[count(*) filter (where x.error is not null) over w],
        (x.state).error
      ) as known_error,
    -- The price may be on several reports, in any order: that of the highest counts.
    coalesce(
      (
        array_agg(x.pricing) filter (where x.pricing is not null and not x.is_outpriced) over w
      )[count(*) filter (where x.pricing is not null and not x.is_outpriced) over w],
      (x.state).pricing
    ) as known_pricing,
    nullif(
      case
        when (x.state).pricing is null then 0
        else coalesce((x.state).priced, (x.state).seen)
      end | coalesce(bit_or(x.bit) filter (where x.pricing is not null) over w, 0), 0
    ) as priced,
    lead(x.ordinality) over w is null as is_last
    from judged x
    where x.is_new window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
  ),
  changed as (
    insert into message_state (
      workspace_id, id, contact_id, conversation, seen, rank, accepted_at, sent_at, delivered_at, read_at, failed_at,
      provider_message_id, error, pricing, priced
    )
    select x.workspace_id, x.message_id, (x.state).contact_id, (x.state).conversation, x.seen, x.rank, x.accepted_at,
      x.sent_at, x.delivered_at, x.read_at, x.failed_at, x.known_provider_id, x.known_error, x.known_pricing, x.priced
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
      pricing = excluded.pricing,
      priced = excluded.priced
  ),
  recorded as (
    insert into history (workspace_id, message_id, bit, at, received_at, error, conversation)
    select x.workspace_id, x.message_id, x.bit, x.at, now, x.error, x.conversation
    from reported x
    order by x.ordinality
  ),
  new_events as materialized (
    select x.workspace_id as workspace_id, new_uuid(now) as id,
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
        when 1024 then 'message_deleted'
        when 2048 then 'warning'
      end as kind, x.message_id as message_id, (x.state).contact_id as contact_id, null::uuid as resource_id,
      x.at as occurred_at,
      (
        '{"seen":' || x.seen || ',"rank":' || x.rank || coalesce(',"accepted_at":' || to_json(x.accepted_at), '') || coalesce(',"sent_at":' || to_json(x.sent_at), '') || coalesce(',"delivered_at":' || to_json(x.delivered_at), '') || coalesce(',"read_at":' || to_json(x.read_at), '') || coalesce(',"failed_at":' || to_json(x.failed_at), '') || coalesce(',"provider_message_id":' || to_json(x.known_provider_id), '') || case
          when (x.state).possible_duplicate then ',"possible_duplicate":true'
          else ''
        end || case when (x.state).fallback_used then ',"fallback_used":true' else '' end || coalesce(',"error":' || x.known_error, '') || coalesce(',"pricing":' || x.known_pricing, '') || '}'
      )::json as state,
      (x.state).conversation as conversation, x.callback_id as callback_id
    from reported x
    order by x.ordinality
  ),
  events as (
    insert into event (
      workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at,
      callback_id
    )
    select x.workspace_id, x.id, (select i.era from installation i), x.kind, nextval('conversation_sequence'),
      x.message_id, x.contact_id, x.resource_id, x.occurred_at, x.state, now, x.callback_id
    from new_events x
  ),
  deliveries as (
    insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
    select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.id, e.id), x.id, x.conversation
    from new_events x
    cross join lateral (
      select e.id, e.lane
      from webhook_endpoint e
      where e.workspace_id = x.workspace_id and e.lane >= 0 and e.events && array['*', x.kind]
        and (
          not e.is_limited
          or is_got(x.workspace_id, within_limits(x.workspace_id, e.id, null::uuid, null::uuid, x.message_id))
        )
      offset 0
    ) e
    returning slot
  )
  select slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d),
    consents || array(
      select json_build_object(
        'workspace_id', x.workspace_id, 'contact_id', (x.state).contact_id, 'consent', 'opted_out', 'source',
        'preference', 'at', least(x.at, now), 'proof', x.message_id, 'conversation', (x.state).conversation
      )
      from reported x
      where x.bit = 8 and x.error->>'code' = 'recipient_opted_out' and x.error->'provider' is not null
      order by x.ordinality
    ),
    unreached || array(select x.message_id from reported x where x.bit & 776 <> 0 and x.seen & 113 = 0),
    reached || array(
      select json_build_object('workspace_id', x.workspace_id, 'message_id', x.message_id)
      from reported x
      where x.bit & 112 <> 0 and x.seen & 112 = x.bit and x.seen & 776 <> 0
    ) into slots_filled,
    consents, unreached, reached;
  for r in
    select x.*
    from (
      select (joined[j.n]).workspace_id, joined_message[j.n] as message_id, (joined[j.n]).bit, (joined[j.n]).pricing,
        (joined[j.n]).error, row_number() over (order by (joined[j.n]).received_at, (joined[j.n]).bit) as ordinality
      from generate_subscripts(joined, 1) as j(n)
    ) x
    where x.pricing is not null or (x.bit = 8 and x.error->'provider' is not null)
    order by x.ordinality
  loop
    if r.pricing is not null then
      update message_state s
      set pricing = r.pricing, priced = case when s.pricing is null then 0 else coalesce(s.priced, s.seen) end | r.bit
      where s.workspace_id = r.workspace_id and s.id = r.message_id and s.seen & r.bit <> 0
        and (case when s.pricing is null then 0 else coalesce(s.priced, s.seen) end) & (
          r.bit | case r.bit
            when 1 then 894
            when 2 then 892
            when 4 then 888
            when 8 then 880
            when 16 then 864
            when 32 then 768
            when 64 then 768
            when 128 then 894
            when 256 then 512
            when 512 then 0
            when 1024 then 1023
            when 2048 then 1023
          end
        ) = 0;
    end if;
    if r.bit = 8 and r.error->'provider' is not null then
      update message_state s
      set error = r.error
      where s.workspace_id = r.workspace_id and s.id = r.message_id and s.error->'provider' is null;
    end if;
  end loop;
end
$function$;

create or replace function apply_reports(
  rows json, now timestamptz, again boolean, out all_verdicts text[], out all_messages uuid[],
  out all_sent_twices boolean[], out has_evidence boolean, out slots_filled bigint
) language plpgsql volatile
as $function$
#variable_conflict use_column
declare
  consents json[] := '{}';
  owner_signs json[] := '{}';
  unreached uuid[] := '{}';
  reached json[] := '{}';
  people json;
  all_teach boolean;
  taught_rows uuid[];
  taught_people uuid[];
  p record;
  joined parked_status[] := '{}';
  joined_message uuid[] := '{}';
  claims json[] := '{}';
  verdicts text[];
  messages uuid[];
  sent_twices boolean[];
  unnamed boolean[];
  were_lost boolean;
  parked int;
  prepared boolean;
  complete boolean;
  files_taken int;
  rows_text text;
  has_copies boolean;
  known_copies boolean[];
  runs json[];
  kinds text[];
  r record;
begin
  all_verdicts := '{}';
  all_messages := '{}';
  all_sent_twices := '{}';
  has_evidence := false;
  slots_filled := 0;
  rows_text := rows::text;
  has_copies := position('"handled_by"' in rows_text) > 0;
  runs := array[rows];
  kinds := array_remove(
    array[
      case when position('{"kind":"status"' in rows_text) > 0 then 'status' end,
      case when position('{"kind":"message"' in rows_text) > 0 then 'message' end,
      case when position('{"kind":"preference"' in rows_text) > 0 then 'preference' end,
      case when position('{"kind":"echo"' in rows_text) > 0 then 'echo' end,
      case when position('{"kind":"handover"' in rows_text) > 0 then 'handover' end,
      case when position('{"kind":"copy"' in rows_text) > 0 then 'copy' end
    ], null
  );
  if cardinality(kinds) > 1 then
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
    if kinds[run] = 'copy' then
      select array_agg(e.is_known order by e.n),
        json_agg(e.value order by e.n) filter (where e.is_known) into known_copies,
        rows from (
          select j.value, j.n,
            is_of_other_responder((j.value->>'workspace_id')::uuid, j.value->>'provider_message_id') as is_known
          from json_array_elements(rows) with ordinality j(value, n)
        ) e;
      verdicts := '{}';
      messages := '{}';
      sent_twices := '{}';
    end if;
    if kinds[run] = 'status' or (kinds[run] = 'copy' and rows is not null) then
      with given as materialized (
        select x.workspace_id,
          case when k.is_inbound is not true then coalesce(x.message_id, k.message_id) end as message_id, x.bit, x.at,
          x.error, x.pricing, x.conversation, x.callback_id, x.provider_message_id, k.message_id is null as unnamed,
          k.is_inbound, x.wa_id, x.wa_key, x.wa_loose, x.country, x.user_id, x.parent_user_id, x.scope, x.username,
          x.profile_name, x.ordinality
        from rows from (
          json_to_recordset(rows) as (
            kind text, workspace_id uuid, phone_number_id uuid, message_id uuid, provider_message_id text, bit int,
            at timestamptz, error json, pricing json, conversation json, callback_id uuid, wa_id text, wa_key text,
            wa_loose text, country text, user_id text, parent_user_id text, scope text, username text, profile_name text
          )
        ) with ordinality x
        left join lateral (
          select k.message_id,
            x.message_id is null and coalesce(k.inbound, is_inbound_message(k.workspace_id, k.message_id)) as is_inbound
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
              case when (x.state).pricing is null then 0 else coalesce((x.state).priced, (x.state).seen) end | coalesce(
                bit_or(x.bit) filter (where x.is_new and x.pricing is not null) over (
                  partition by x.workspace_id, x.message_id
                  order by x.ordinality rows between unbounded preceding and 1 preceding
                ),
                0
              )
            ) & case x.bit when 1 then 894 when 2 then 892 when 4 then 888 when 8 then 880 when 16 then 864 when 32 then 768 when 64 then 768 when 128 then 894 when 256 then 512 when 512 then 0 when 1024 then 1023 when 2048 then 1023 end <> 0,
            false
          ) as is_outpriced
        from (
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
              (
                array_agg(x.provider_message_id) filter (where x.provider_message_id is not null) over (
                  partition by x.workspace_id, x.message_id
                  order by x.ordinality rows between unbounded preceding and 1 preceding
                )
              )[1],
              x.provider_message_id
            ) as known_provider_id
          from locked x
        ) x
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
                when 1024 then 0
                when 2048 then 0
              end
            ) over w
          ) as rank,
          coalesce(min(x.at) filter (where x.bit in (2)) over w, (x.state).accepted_at) as accepted_at,
          coalesce(min(x.at) filter (where x.bit in (4)) over w, (x.state).sent_at) as sent_at,
          coalesce(min(x.at) filter (where x.bit in (16)) over w, (x.state).delivered_at) as delivered_at,
          coalesce((x.state).read_at, min(x.at) filter (where x.bit in (32, 64)) over w) as read_at,
          coalesce(min(x.at) filter (where x.bit in (8)) over w, (x.state).failed_at) as failed_at,
          coalesce(
            (
              array_agg(x.error) filter (where x.error is not null) over w
            )[count(*) filter (where x.error is not null) over w],
            (x.state).error
          ) as known_error,
        -- The price may be on several reports, in any order: that of the highest counts.
        coalesce(
          (
            array_agg(x.pricing) filter (where x.pricing is not null and not x.is_outpriced) over w
          )[count(*) filter (where x.pricing is not null and not x.is_outpriced) over w],
          (x.state).pricing
        ) as known_pricing,
        nullif(
          case
            when (x.state).pricing is null then 0
            else coalesce((x.state).priced, (x.state).seen)
          end | coalesce(bit_or(x.bit) filter (where x.pricing is not null) over w, 0), 0
        ) as priced,
        lead(x.ordinality) over w is null as is_last
        from judged x
        where x.is_new window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
      ),
      changed as (
        insert into message_state (
          workspace_id, id, contact_id, conversation, seen, rank, accepted_at, sent_at, delivered_at, read_at,
          failed_at, provider_message_id, error, pricing, priced
        )
        select x.workspace_id, x.message_id, (x.state).contact_id, (x.state).conversation, x.seen, x.rank,
          x.accepted_at, x.sent_at, x.delivered_at, x.read_at, x.failed_at, x.known_provider_id, x.known_error,
          x.known_pricing, x.priced
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
          pricing = excluded.pricing,
          priced = excluded.priced
      ),
      recorded as (
        insert into history (workspace_id, message_id, bit, at, received_at, error, conversation)
        select x.workspace_id, x.message_id, x.bit, x.at, now, x.error, x.conversation
        from reported x
        order by x.ordinality
      ),
      new_events as materialized (
        select x.workspace_id as workspace_id, new_uuid(now) as id,
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
            when 1024 then 'message_deleted'
            when 2048 then 'warning'
          end as kind, x.message_id as message_id, (x.state).contact_id as contact_id, null::uuid as resource_id,
          x.at as occurred_at,
          (
            '{"seen":' || x.seen || ',"rank":' || x.rank || coalesce(',"accepted_at":' || to_json(x.accepted_at), '') || coalesce(',"sent_at":' || to_json(x.sent_at), '') || coalesce(',"delivered_at":' || to_json(x.delivered_at), '') || coalesce(',"read_at":' || to_json(x.read_at), '') || coalesce(',"failed_at":' || to_json(x.failed_at), '') || coalesce(',"provider_message_id":' || to_json(x.known_provider_id), '') || case
              when (x.state).possible_duplicate then ',"possible_duplicate":true'
              else ''
            end || case when (x.state).fallback_used then ',"fallback_used":true' else '' end || coalesce(',"error":' || x.known_error, '') || coalesce(',"pricing":' || x.known_pricing, '') || '}'
          )::json as state,
          (x.state).conversation as conversation, x.callback_id as callback_id
        from reported x
        order by x.ordinality
      ),
      events as (
        insert into event (
          workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at,
          callback_id
        )
        select x.workspace_id, x.id, (select i.era from installation i), x.kind, nextval('conversation_sequence'),
          x.message_id, x.contact_id, x.resource_id, x.occurred_at, x.state, now, x.callback_id
        from new_events x
      ),
      deliveries as (
        insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
        select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.id, e.id), x.id, x.conversation
        from new_events x
        cross join lateral (
          select e.id, e.lane
          from webhook_endpoint e
          where e.workspace_id = x.workspace_id and e.lane >= 0 and e.events && array['*', x.kind]
            and (
              not e.is_limited
              or is_got(x.workspace_id, within_limits(x.workspace_id, e.id, null::uuid, null::uuid, x.message_id))
            )
          offset 0
        ) e
        returning slot
      ),
      named as (
        insert into provider_message (workspace_id, provider_message_id, message_id, created_at, inbound)
        select x.workspace_id, x.provider_message_id, x.message_id, now, false
        from judged x
        where x.unnamed and (x.is_new or ((x.state).id is not null and x.known_provider_id <> x.provider_message_id))
        order by x.ordinality
        on conflict do nothing
      )
      select array_agg(x.verdict order by x.ordinality), array_agg(x.message_id order by x.ordinality),
      -- Two provider ids for one message: it was sent twice, and that must be known.
      array_agg(
        coalesce(x.unnamed and ((x.state).id is not null and x.known_provider_id <> x.provider_message_id), false)
        order by x.ordinality
      ),
      array_agg(x.is_new and x.unnamed order by x.ordinality),
      coalesce(bool_or(x.is_new and x.unnamed and x.bit & 116 <> 0 and (x.state).seen & 1 <> 0), false),
      slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d),
      consents || array(
        select json_build_object(
          'workspace_id', x.workspace_id, 'contact_id', (x.state).contact_id, 'consent', 'opted_out', 'source',
          'preference', 'at', least(x.at, now), 'proof', x.message_id, 'conversation', (x.state).conversation
        )
        from reported x
        where x.bit = 8 and x.error->>'code' = 'recipient_opted_out' and x.error->'provider' is not null
        order by x.ordinality
      ),
      unreached || array(select x.message_id from reported x where x.bit & 776 <> 0 and x.seen & 113 = 0),
      reached || array(
        select json_build_object('workspace_id', x.workspace_id, 'message_id', x.message_id)
        from reported x
        where x.bit & 112 <> 0 and x.seen & 112 = x.bit and x.seen & 776 <> 0
      ),
      claims || array(
        select json_build_object(
          'source', 'status', 'workspace_id', x.workspace_id, 'message_id', x.message_id, 'contact_id', c.id, 'at',
          x.at, 'wa_id', x.wa_id, 'wa_key', x.wa_key, 'wa_loose', x.wa_loose, 'country', x.country, 'user_id',
          x.user_id, 'parent_user_id', x.parent_user_id, 'scope', x.scope, 'username', x.username, 'profile_name',
          x.profile_name
        )
        from (
          select *
          from judged x
          where not coalesce(again and coalesce(x.wa_id, x.user_id) is not null and not x.is_new, false)
        ) x
        cross join lateral (
          select c.id, c.merged_into, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
          from contact c
          where (x.wa_id is not null or x.user_id is not null) and c.workspace_id = x.workspace_id
            and c.id = (x.state).contact_id
          offset 0
        ) c
        where case
          when c.merged_into is null then (
            (x.wa_id is not null and (c.wa_id is distinct from x.wa_id or c.wa_id_at is null))
            or (
              x.user_id is not null and c.user_id is distinct from x.user_id
              and not has_user_id(x.workspace_id, c.id, 'user_id', x.scope, x.user_id)
            )
            or (
              x.parent_user_id is not null and c.parent_user_id is distinct from x.parent_user_id
              and not has_user_id(x.workspace_id, c.id, 'parent_user_id', x.scope, x.parent_user_id)
            )
            or (x.username is not null and c.username is distinct from x.username)
            or (x.profile_name is not null and c.profile_name is distinct from x.profile_name)
          )
          else exists (
            select
            from contact s
            where s.workspace_id = x.workspace_id and s.id = c.merged_into
              and (
                (x.wa_id is not null and (s.wa_id is distinct from x.wa_id or s.wa_id_at is null))
                or (
                  x.user_id is not null and s.user_id is distinct from x.user_id
                  and not has_user_id(x.workspace_id, s.id, 'user_id', x.scope, x.user_id)
                )
                or (
                  x.parent_user_id is not null and s.parent_user_id is distinct from x.parent_user_id
                  and not has_user_id(x.workspace_id, s.id, 'parent_user_id', x.scope, x.parent_user_id)
                )
                or (x.username is not null and s.username is distinct from x.username)
                or (x.profile_name is not null and s.profile_name is distinct from x.profile_name)
              )
          )
        end
        order by x.ordinality
      ),
      has_evidence or coalesce(
        bool_or(coalesce(again and coalesce(x.wa_id, x.user_id) is not null and not x.is_new, false)), false
      ) into verdicts,
      messages, sent_twices, unnamed, were_lost, slots_filled, consents, unreached, reached, claims, has_evidence
      from (
        select x.*,
          case
            when x.is_inbound then 'inbound_message'
            when x.message_id is null then 'parked'
            when x.is_new then 'reported'
            when (x.state).id is null then 'unknown_message'
            else 'repeated'
          end as verdict
        from judged x
      ) x;
      if 'parked' = any(verdicts) then
        insert into parked_status (
          workspace_id, provider_message_id, phone_number_id, bit, at, received_at, error, pricing, conversation,
          callback_id, look_at
        )
        select x.workspace_id, x.provider_message_id, x.phone_number_id, x.bit, x.at, now, x.error, x.pricing,
          x.conversation, x.callback_id, now + interval '5 seconds'
        from rows from (
          json_to_recordset(rows) as (
            kind text, workspace_id uuid, phone_number_id uuid, message_id uuid, provider_message_id text, bit int,
            at timestamptz, error json, pricing json, conversation json, callback_id uuid, wa_id text, wa_key text,
            wa_loose text, country text, user_id text, parent_user_id text, scope text, username text, profile_name text
          )
        ) with ordinality x
        where verdicts[x.ordinality::int] = 'parked'
        order by x.ordinality
        on conflict do nothing;
        get diagnostics parked = row_count;
        -- A repetition may say more than what waits.
        for r in
          select x.*
          from rows from (
            json_to_recordset(rows) as (
              kind text, workspace_id uuid, phone_number_id uuid, message_id uuid, provider_message_id text, bit int,
              at timestamptz, error json, pricing json, conversation json, callback_id uuid, wa_id text, wa_key text,
              wa_loose text, country text, user_id text, parent_user_id text, scope text, username text,
              profile_name text
            )
          ) with ordinality x
          where parked < cardinality(array_positions(verdicts, 'parked')) and verdicts[x.ordinality::int] = 'parked'
            and (x.pricing is not null or x.error is not null)
          order by x.ordinality
        loop
          update parked_status w
          set pricing = coalesce(w.pricing, r.pricing),
            error = case when w.error->'provider' is null then coalesce(r.error, w.error) else w.error end
          where w.workspace_id = r.workspace_id and w.provider_message_id = r.provider_message_id and w.bit = r.bit
            and (
              w.pricing is null and r.pricing is not null or w.error->'provider' is null
              and r.error->'provider' is not null
            );
        end loop;
      end if;
      if 'repeated' = any(verdicts) then
        for r in
          select x.*
          from (
            select x.workspace_id, messages[x.ordinality::int] as message_id, x.bit, x.pricing, x.error, x.ordinality
            from rows from (
              json_to_recordset(rows) as (
                kind text, workspace_id uuid, phone_number_id uuid, message_id uuid, provider_message_id text, bit int,
                at timestamptz, error json, pricing json, conversation json, callback_id uuid, wa_id text, wa_key text,
                wa_loose text, country text, user_id text, parent_user_id text, scope text, username text,
                profile_name text
              )
            ) with ordinality x
            where verdicts[x.ordinality::int] = 'repeated'
          ) x
          where x.pricing is not null or (x.bit = 8 and x.error->'provider' is not null)
          order by x.ordinality
        loop
          if r.pricing is not null then
            update message_state s
            set pricing = r.pricing,
              priced = case when s.pricing is null then 0 else coalesce(s.priced, s.seen) end | r.bit
            where s.workspace_id = r.workspace_id and s.id = r.message_id and s.seen & r.bit <> 0
              and (case when s.pricing is null then 0 else coalesce(s.priced, s.seen) end) & (
                r.bit | case r.bit
                  when 1 then 894
                  when 2 then 892
                  when 4 then 888
                  when 8 then 880
                  when 16 then 864
                  when 32 then 768
                  when 64 then 768
                  when 128 then 894
                  when 256 then 512
                  when 512 then 0
                  when 1024 then 1023
                  when 2048 then 1023
                end
              ) = 0;
          end if;
          if r.bit = 8 and r.error->'provider' is not null then
            update message_state s
            set error = r.error
            where s.workspace_id = r.workspace_id and s.id = r.message_id and s.error->'provider' is null;
          end if;
        end loop;
      end if;
      if true = any(sent_twices) then
        insert into audit (workspace_id, id, at, actor_type, action, resource_type, resource_id, changes)
        select t.workspace_id, new_uuid(now), now, 'system', 'message.sent_twice', 'message',
          public_id('msg', t.message),
          json_build_object('provider_message_ids', json_build_array(s.provider_message_id, t.provider_message_id))
        from (
          select distinct x.workspace_id, messages[x.ordinality::int] as message, x.provider_message_id
          from rows from (
            json_to_recordset(rows) as (
              kind text, workspace_id uuid, phone_number_id uuid, message_id uuid, provider_message_id text, bit int,
              at timestamptz, error json, pricing json, conversation json, callback_id uuid, wa_id text, wa_key text,
              wa_loose text, country text, user_id text, parent_user_id text, scope text, username text,
              profile_name text
            )
          ) with ordinality x
          where (sent_twices)[x.ordinality::int]
        ) t
        left join message_state s on s.workspace_id = t.workspace_id and s.id = t.message;
      end if;
      if position('"thread_not_owned"' in rows_text) > 0 then
        owner_signs := owner_signs || array(
          select json_build_object(
            'workspace_id', x.workspace_id, 'contact_id',
            (
              select coalesce(m.merged_into, m.id)
              from contact m
              where m.workspace_id = x.workspace_id and m.id = g.contact_id
            ),
            'phone_number_id', x.phone_number_id, 'role', 'other', 'since', least(x.at, now), 'at', least(x.at, now),
            'mark', null, 'is_plain', false, 'from_agent', false, 'opens', false
          )
          from rows from (
            json_to_recordset(rows) as (
              kind text, workspace_id uuid, phone_number_id uuid, message_id uuid, provider_message_id text, bit int,
              at timestamptz, error json, pricing json, conversation json, callback_id uuid, wa_id text, wa_key text,
              wa_loose text, country text, user_id text, parent_user_id text, scope text, username text,
              profile_name text
            )
          ) with ordinality x
          left join lateral (
            select g.contact_id
            from message g
            where g.workspace_id = x.workspace_id and g.id = messages[x.ordinality::int]
            offset 0
          ) g on true
          -- What another responder's message met says nothing of ours.
          where x.kind = 'status' and verdicts[x.ordinality::int] = 'reported' and x.error->>'code' = 'thread_not_owned'
          order by x.ordinality
        );
      end if;
      if were_lost then
        owner_signs := owner_signs || array(
          select json_build_object(
            'workspace_id', x.workspace_id, 'contact_id',
            (
              select coalesce(m.merged_into, m.id)
              from contact m
              where m.workspace_id = x.workspace_id and m.id = g.contact_id
            ),
            'phone_number_id', g.phone_number_id, 'role', 'self', 'since', u.at, 'at', date_trunc('second', u.at),
            'mark', 'own', 'is_plain', false, 'from_agent', false, 'opens', false
          )
          from rows from (
            json_to_recordset(rows) as (
              kind text, workspace_id uuid, phone_number_id uuid, message_id uuid, provider_message_id text, bit int,
              at timestamptz, error json, pricing json, conversation json, callback_id uuid, wa_id text, wa_key text,
              wa_loose text, country text, user_id text, parent_user_id text, scope text, username text,
              profile_name text
            )
          ) with ordinality x
          cross join lateral (
            select g.contact_id, g.phone_number_id
            from message g
            where g.workspace_id = x.workspace_id and g.id = messages[x.ordinality::int] and g.takes_thread
              and g.type not in ('template')
            offset 0
          ) g
          cross join lateral (
            select least(
              s.sent_at, s.delivered_at, s.read_at,
              (
                select min(a.completed_at)
                from attempt a
                where a.workspace_id = x.workspace_id and a.message_id = messages[x.ordinality::int]
                  and a.outcome = 'unknown'
              )
            ) as at
            from message_state s
            where s.workspace_id = x.workspace_id and s.id = messages[x.ordinality::int] and s.seen & 116 <> 0
              and s.fallback_used is not true
            offset 0
          ) u
          where unnamed[x.ordinality::int]
          order by x.ordinality
        );
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
        if cardinality(joined) > 0 then
          declare
            called record;
          begin
            called := apply_parked(now, joined, joined_message, slots_filled, consents, unreached, reached);
            slots_filled := called.slots_filled;
            consents := called.consents;
            unreached := called.unreached;
            reached := called.reached;
          end;
        end if;
      end if;
    elsif kinds[run] = 'message' then
      prepared := false;
      taught_rows := '{}';
      taught_people := '{}';
      loop
        with given as materialized (
          select x.workspace_id, x.id, x.phone_number_id, x.provider_message_id, x.type, x.content,
            x.reply_to_provider_id, x.opens_window, x.at, x.provided, x.callback_id, x.phone, x.ordinality,
            p.id as contact_id,
            (
              x.changes_identity is true or p.id is null or (x.wa_id is not null and p.wa_id is distinct from x.wa_id)
              -- Late: the number may have been another's then.
              or (x.wa_id is not null and p.wa_id_at > x.at + interval '2 seconds')
              or (
                x.user_id is not null and p.user_id is distinct from x.user_id
                and not has_user_id(x.workspace_id, p.id, 'user_id', x.scope, x.user_id)
              )
              or (
                x.parent_user_id is not null and p.parent_user_id is distinct from x.parent_user_id
                and not has_user_id(x.workspace_id, p.id, 'parent_user_id', x.scope, x.parent_user_id)
              )
              or (x.username is not null and p.username is distinct from x.username)
              or (x.profile_name is not null and p.profile_name is distinct from x.profile_name)
              or coalesce(
                case
                  when x.reply_to_provider_id is not null
                    and not (x.provided ->> 'group_id' is not null) then contact_of_message(
                      x.workspace_id, message_of_provider_id(x.workspace_id, x.reply_to_provider_id)
                    )
                end <> p.id, false
              )
            ) as says_more,
            n.phone as number_phone,
            case
              when x.words is null then null
              when case
                when w.opt_out_words is null then x.default_consent = 'opted_out'
                else w.opt_out_words && string_to_array(x.words, e'\n')
              end then 'opted_out'
              when w.opt_in_words is null then nullif(x.default_consent, 'opted_out')
              when x.type <> 'interactive' and w.opt_in_words && string_to_array(x.words, e'\n') then 'opted_in'
            end as consent
          from rows from (
            json_to_recordset(rows) as (
              workspace_id uuid, id uuid, phone_number_id uuid, provider_message_id text, new_contact_id uuid,
              type text, content json, reply_to_provider_id text, at timestamptz, provided json, files json,
              callback_id uuid, opens_window boolean, words text, default_consent text, phone text, wa_id text,
              user_id text, parent_user_id text, scope text, username text, profile_name text, changes_identity boolean
            )
          ) with ordinality x
          left join lateral (
            select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
            from contact c
            where c.workspace_id = x.workspace_id and c.phone = x.phone and x.user_id is null
              and x.new_contact_id <> all(taught_rows)
            union all
            select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
            from contact c
            where c.workspace_id = x.workspace_id
              and c.id = coalesce(
                taught_people[array_position(taught_rows, x.new_contact_id)],
                (
                  select i.contact_id
                  from identifier i
                  where i.workspace_id = x.workspace_id and i.kind in ('user_id', 'parent_user_id')
                    and i.scope = x.scope and i.value = x.user_id
                  limit 1
                ),
                contact_of_number(x.workspace_id, x.wa_id)
              )
            limit 1
            offset 0
          ) p on true
          left join lateral (
            select n.phone
            from phone_number n
            where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
            offset 0
          ) n on true
          left join lateral (
            select w.opt_out_words, w.opt_in_words
            from workspace w
            where x.words is not null and w.workspace_id = x.workspace_id
            offset 0
          ) w on true
          order by x.ordinality
        ),
        all_known as materialized (select bool_and(prepared or not x.says_more) as yes from given x),
        named as (
          insert into provider_message (workspace_id, provider_message_id, message_id, created_at, inbound)
          select x.workspace_id, x.provider_message_id, x.id, now, true
          from all_known a
          join given x on a.yes
          order by x.workspace_id, x.provider_message_id, x.ordinality
          on conflict do nothing
          returning workspace_id, provider_message_id, message_id
        ),
        fresh as materialized (
          select x.*, nextval('conversation_sequence') as sequence,
            hashtextextended(
              x.phone_number_id::text || coalesce(x.provided ->> 'group_id', x.contact_id::text), 0
            ) as conversation,
            case
              when x.reply_to_provider_id is not null then coalesce(
                message_of_provider_id(x.workspace_id, x.reply_to_provider_id),
                (
                  select k.message_id
                  from named k
                  where k.workspace_id = x.workspace_id and k.provider_message_id = x.reply_to_provider_id
                )
              )
            end as quoted
          from given x
          where x.id = any((select array_agg(k.message_id) from named k)::uuid[])
          order by x.ordinality
        ),
        windows as (
          insert into conversation as v (workspace_id, contact_id, phone_number_id, last_inbound_at, last_message_at)
          select x.workspace_id, x.contact_id, x.phone_number_id, max(x.at) filter (where x.opens_window), now
          from fresh x
          where not (x.provided ->> 'group_id' is not null)
          group by x.workspace_id, x.contact_id, x.phone_number_id
          order by x.workspace_id, x.contact_id, x.phone_number_id
          on conflict (workspace_id, contact_id, phone_number_id) do update
          set last_inbound_at = greatest(v.last_inbound_at, excluded.last_inbound_at),
            last_message_at = excluded.last_message_at
          returning v.owner_role is not null as has_owner
        ),
        stored as (
          insert into message (
            workspace_id, id, outbound, phone_number_id, contact_id, recipient, sender, type, content, reply_to,
            sequence, created_at, occurred_at, provided
          )
          select x.workspace_id, x.id, false, x.phone_number_id, x.contact_id, x.number_phone, x.phone, x.type,
            x.content, x.quoted, x.sequence, now, x.at, x.provided
          from fresh x
        ),
        states as (
          insert into message_state (workspace_id, id, contact_id, conversation, provider_message_id)
          select x.workspace_id, x.id, x.contact_id, x.conversation, x.provider_message_id
          from fresh x
        ),
        new_events as materialized (
          select x.workspace_id as workspace_id, new_uuid(now) as id,
            case
              when has_copies and coalesce(x.provided ->> 'handled_by' = 'other', false) then 'standby_messages'
              else 'messages'
            end as kind, x.id as message_id, x.phone_number_id as about_number, x.contact_id as contact_id,
            null::uuid as resource_id, x.at as occurred_at,
            json_build_object('seen', 0, 'rank', 0, 'provider_message_id', x.provider_message_id) as state,
            x.conversation as conversation, x.callback_id as callback_id
          from fresh x
          order by x.ordinality
        ),
        events as (
          insert into event (
            workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at,
            callback_id
          )
          select x.workspace_id, x.id, (select i.era from installation i), x.kind, nextval('conversation_sequence'),
            x.message_id, x.contact_id, x.resource_id, x.occurred_at, x.state, now, x.callback_id
          from new_events x
        ),
        deliveries as (
          insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
          select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.id, e.id), x.id, x.conversation
          from new_events x
          cross join lateral (
            select e.id, e.lane
            from webhook_endpoint e
            where e.workspace_id = x.workspace_id and e.lane >= 0 and e.events && array['*', x.kind]
              and (
                not e.is_limited
                or is_got(x.workspace_id, within_limits(x.workspace_id, e.id, x.about_number, null::uuid, x.message_id))
              )
            offset 0
          ) e
          returning slot
        )
        select (select a.yes from all_known a),
          array_agg(case when x.is_new then 'received' else 'repeated' end order by x.ordinality),
          array_agg(case when x.is_new then x.id end order by x.ordinality), array_agg(false),
          slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d),
          consents || array(
            select json_build_object(
              'workspace_id', x.workspace_id, 'contact_id', x.contact_id, 'consent', x.consent, 'source', 'keyword',
              'at', x.at, 'proof', x.id, 'conversation', x.conversation, 'is_found', true
            )
            from fresh x
            where x.consent is not null
            order by x.ordinality
          ),
          case
            when has_copies
              or (select bool_or(v.has_owner) from windows v) then owner_signs || array(
                select json_build_object(
                  'workspace_id', x.workspace_id, 'contact_id', x.contact_id, 'phone_number_id', x.phone_number_id,
                  'role', case when x.is_copy then 'other' else 'self' end, 'since', x.at, 'at', x.at, 'mark', null,
                  'is_plain', not x.is_copy, 'from_agent', false, 'opens', false
                )
                from (
                  select x.*,
                    x.is_copy = lag(x.is_copy) over w and x.is_copy = lead(x.is_copy) over w as says_nothing_new
                  from (
                    select x.*, coalesce(x.provided ->> 'handled_by' = 'other', false) as is_copy
                    from fresh x
                    where x.opens_window and not (x.provided ->> 'group_id' is not null)
                  ) x window w as (partition by x.workspace_id, x.contact_id, x.phone_number_id order by x.ordinality)
                ) x
                where x.says_nothing_new is not true
                order by x.ordinality
              )
            else owner_signs
          end into complete, verdicts, messages, sent_twices, slots_filled, consents, owner_signs
        from (
          select x.id, x.ordinality, x.id = any((select array_agg(k.message_id) from named k)::uuid[]) as is_new
          from given x
        ) x;
        exit when complete;
        all_teach := false;
        loop
          select json_agg(x order by x.workspace_id, coalesce(x.wa_key, x.wa_id), x.user_id, x.ordinality) into people
          from (
            select x.workspace_id, x.phone_number_id, x.new_contact_id, x.phone, x.wa_id, x.user_id, x.parent_user_id,
              x.scope, x.username, x.profile_name, x.changes_identity, x.wa_key, x.wa_loose, x.previous_wa_id,
              x.previous_wa_key, x.previous_wa_loose, x.previous_user_id, x.previous_parent_user_id, x.at, x.source,
              x.message_id, x.addressed, x.ordinality
            from (
              select x.*, 'inbound_message' as source, x.id as message_id,
                case
                  when x.reply_to_provider_id is not null
                    and not (x.provided ->> 'group_id' is not null) then contact_of_message(
                      x.workspace_id, message_of_provider_id(x.workspace_id, x.reply_to_provider_id)
                    )
                end as addressed
              from rows from (
                json_to_recordset(rows) as (
                  kind text, workspace_id uuid, id uuid, phone_number_id uuid, provider_message_id text,
                  new_contact_id uuid, type text, content json, reply_to_provider_id text, at timestamptz,
                  provided json, files json, callback_id uuid, opens_window boolean, words text, default_consent text,
                  phone text, wa_id text, user_id text, parent_user_id text, scope text, username text,
                  profile_name text, changes_identity boolean, wa_key text, wa_loose text, previous_wa_id text,
                  previous_wa_key text, previous_wa_loose text, previous_user_id text, previous_parent_user_id text
                )
              ) with ordinality x
              offset 0
            ) x
            left join lateral (
              select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
              from contact c
              where c.workspace_id = x.workspace_id and c.phone = x.phone and x.user_id is null
                and x.new_contact_id <> all(taught_rows)
              union all
              select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
              from contact c
              where c.workspace_id = x.workspace_id
                and c.id = coalesce(
                  taught_people[array_position(taught_rows, x.new_contact_id)],
                  (
                    select i.contact_id
                    from identifier i
                    where i.workspace_id = x.workspace_id and i.kind in ('user_id', 'parent_user_id')
                      and i.scope = x.scope and i.value = x.user_id
                    limit 1
                  ),
                  contact_of_number(x.workspace_id, x.wa_id)
                )
              limit 1
              offset 0
            ) p on true
            where (
              all_teach
              or (
                x.changes_identity is true or p.id is null or (x.wa_id is not null and p.wa_id is distinct from x.wa_id)
                -- Late: the number may have been another's then.
                or (x.wa_id is not null and p.wa_id_at > x.at + interval '2 seconds')
                or (
                  x.user_id is not null and p.user_id is distinct from x.user_id
                  and not has_user_id(x.workspace_id, p.id, 'user_id', x.scope, x.user_id)
                )
                or (
                  x.parent_user_id is not null and p.parent_user_id is distinct from x.parent_user_id
                  and not has_user_id(x.workspace_id, p.id, 'parent_user_id', x.scope, x.parent_user_id)
                )
                or (x.username is not null and p.username is distinct from x.username)
                or (x.profile_name is not null and p.profile_name is distinct from x.profile_name)
                or coalesce(x.addressed <> p.id, false)
              )
            )
              and not exists (
                select
                from provider_message k
                where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id
              )
          ) x;
          exit when all_teach or people is null or position('"changes_identity":true' in people::text) = 0;
          all_teach := true;
        end loop;
        if people is not null then
          declare
            called record;
          begin
            called := learn_people(people, now, slots_filled, has_evidence, consents);
            slots_filled := called.slots_filled;
            has_evidence := called.has_evidence;
            consents := called.consents;
            taught_rows := called.taught_rows;
            taught_people := called.taught_people;
          end;
        end if;
        prepared := true;
      end loop;
    elsif kinds[run] = 'preference' then
      taught_rows := '{}';
      taught_people := '{}';
      all_teach := false;
      loop
        select json_agg(x order by x.workspace_id, coalesce(x.wa_key, x.wa_id), x.user_id, x.ordinality) into people
        from (
          select x.workspace_id, x.phone_number_id, x.new_contact_id, x.phone, x.wa_id, x.user_id, x.parent_user_id,
            x.scope, x.username, x.profile_name, x.changes_identity, x.wa_key, x.wa_loose, x.previous_wa_id,
            x.previous_wa_key, x.previous_wa_loose, x.previous_user_id, x.previous_parent_user_id, x.at, x.source,
            x.message_id, x.addressed, x.ordinality
          from (
            select x.*, coalesce(x.said_by, 'preference') as source, null::uuid as message_id, null::uuid as addressed
            from rows from (
              json_to_recordset(rows) as (
                kind text, workspace_id uuid, phone_number_id uuid, new_contact_id uuid, phone text, wa_id text,
                user_id text, parent_user_id text, scope text, username text, profile_name text,
                changes_identity boolean, wa_key text, wa_loose text, previous_wa_id text, previous_wa_key text,
                previous_wa_loose text, previous_user_id text, previous_parent_user_id text, consent text, said_by text,
                fields json, at timestamptz, callback_id uuid, place json
              )
            ) with ordinality x
            offset 0
          ) x
          left join lateral (
            select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
            from contact c
            where c.workspace_id = x.workspace_id and c.phone = x.phone and x.user_id is null
              and x.new_contact_id <> all(taught_rows)
            union all
            select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
            from contact c
            where c.workspace_id = x.workspace_id
              and c.id = coalesce(
                taught_people[array_position(taught_rows, x.new_contact_id)],
                (
                  select i.contact_id
                  from identifier i
                  where i.workspace_id = x.workspace_id and i.kind in ('user_id', 'parent_user_id')
                    and i.scope = x.scope and i.value = x.user_id
                  limit 1
                ),
                contact_of_number(x.workspace_id, x.wa_id)
              )
            limit 1
            offset 0
          ) p on true
          where (
            all_teach
            or (
              x.changes_identity is true or p.id is null or (x.wa_id is not null and p.wa_id is distinct from x.wa_id)
              -- Late: the number may have been another's then.
              or (x.wa_id is not null and p.wa_id_at > x.at + interval '2 seconds')
              or (
                x.user_id is not null and p.user_id is distinct from x.user_id
                and not has_user_id(x.workspace_id, p.id, 'user_id', x.scope, x.user_id)
              )
              or (
                x.parent_user_id is not null and p.parent_user_id is distinct from x.parent_user_id
                and not has_user_id(x.workspace_id, p.id, 'parent_user_id', x.scope, x.parent_user_id)
              )
              or (x.username is not null and p.username is distinct from x.username)
              or (x.profile_name is not null and p.profile_name is distinct from x.profile_name)
              or coalesce(x.addressed <> p.id, false)
            )
          )
            and not false
        ) x;
        exit when all_teach or people is null or position('"changes_identity":true' in people::text) = 0;
        all_teach := true;
      end loop;
      if people is not null then
        declare
          called record;
        begin
          called := learn_people(people, now, slots_filled, has_evidence, consents);
          slots_filled := called.slots_filled;
          has_evidence := called.has_evidence;
          consents := called.consents;
          taught_rows := called.taught_rows;
          taught_people := called.taught_people;
        end;
      end if;
      with given as materialized (
        select x.*, p.id as person
        from rows from (
          json_to_recordset(rows) as (
            kind text, workspace_id uuid, phone_number_id uuid, new_contact_id uuid, phone text, wa_id text,
            user_id text, parent_user_id text, scope text, username text, profile_name text, changes_identity boolean,
            wa_key text, wa_loose text, previous_wa_id text, previous_wa_key text, previous_wa_loose text,
            previous_user_id text, previous_parent_user_id text, consent text, said_by text, fields json,
            at timestamptz, callback_id uuid, place json
          )
        ) with ordinality x
        left join lateral (
          select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
          from contact c
          where c.workspace_id = x.workspace_id and c.phone = x.phone and x.user_id is null
            and x.new_contact_id <> all(taught_rows)
          union all
          select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
          from contact c
          where c.workspace_id = x.workspace_id
            and c.id = coalesce(
              taught_people[array_position(taught_rows, x.new_contact_id)],
              (
                select i.contact_id
                from identifier i
                where i.workspace_id = x.workspace_id and i.kind in ('user_id', 'parent_user_id') and i.scope = x.scope
                  and i.value = x.user_id
                limit 1
              ),
              contact_of_number(x.workspace_id, x.wa_id)
            )
          limit 1
          offset 0
        ) p on true
        order by x.ordinality
      )
      select array_agg('noted'::text order by x.ordinality), array_agg(null::uuid), array_agg(false),
        consents || array(
          select json_build_object(
            'workspace_id', x.workspace_id, 'contact_id', x.person, 'consent', x.consent, 'source',
            coalesce(x.said_by, 'preference'), 'at', x.at, 'proof', x.callback_id, 'conversation',
            hashtextextended(x.phone_number_id::text || x.person::text, 0), 'fields', x.fields, 'phone_number_id',
            x.phone_number_id, 'place', x.place, 'is_found', true
          )
          from given x
          where x.person is not null and x.consent is not null
          order by x.ordinality
        ) into verdicts,
        messages, sent_twices, consents
      from given x;
    elsif kinds[run] = 'echo' then
      taught_rows := '{}';
      taught_people := '{}';
      all_teach := false;
      loop
        select json_agg(x order by x.workspace_id, coalesce(x.wa_key, x.wa_id), x.user_id, x.ordinality) into people
        from (
          select x.workspace_id, x.phone_number_id, x.new_contact_id, x.phone, x.wa_id, x.user_id, x.parent_user_id,
            x.scope, x.username, x.profile_name, x.changes_identity, x.wa_key, x.wa_loose, x.previous_wa_id,
            x.previous_wa_key, x.previous_wa_loose, x.previous_user_id, x.previous_parent_user_id, x.at, x.source,
            x.message_id, x.addressed, x.ordinality
          from (
            select x.*,
              case
                when has_copies and coalesce(x.provided ->> 'handled_by' = 'other', false) then 'standby'
                else 'business_app'
              end as source, x.id as message_id, null::uuid as addressed
            from rows from (
              json_to_recordset(rows) as (
                kind text, callback_id uuid, workspace_id uuid, id uuid, phone_number_id uuid, provider_message_id text,
                new_contact_id uuid, type text, content json, reply_to_provider_id text, at timestamptz, provided json,
                files json, phone text, wa_id text, user_id text, parent_user_id text, scope text, username text,
                profile_name text, changes_identity boolean, wa_key text, wa_loose text, previous_wa_id text,
                previous_wa_key text, previous_wa_loose text, previous_user_id text, previous_parent_user_id text
              )
            ) with ordinality x
            offset 0
          ) x
          left join lateral (
            select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
            from contact c
            where c.workspace_id = x.workspace_id and c.phone = x.phone and x.user_id is null
              and x.new_contact_id <> all(taught_rows)
            union all
            select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
            from contact c
            where c.workspace_id = x.workspace_id
              and c.id = coalesce(
                taught_people[array_position(taught_rows, x.new_contact_id)],
                (
                  select i.contact_id
                  from identifier i
                  where i.workspace_id = x.workspace_id and i.kind in ('user_id', 'parent_user_id')
                    and i.scope = x.scope and i.value = x.user_id
                  limit 1
                ),
                contact_of_number(x.workspace_id, x.wa_id)
              )
            limit 1
            offset 0
          ) p on true
          where (
            all_teach
            or (
              x.changes_identity is true or p.id is null or (x.wa_id is not null and p.wa_id is distinct from x.wa_id)
              -- Late: the number may have been another's then.
              or (x.wa_id is not null and p.wa_id_at > x.at + interval '2 seconds')
              or (
                x.user_id is not null and p.user_id is distinct from x.user_id
                and not has_user_id(x.workspace_id, p.id, 'user_id', x.scope, x.user_id)
              )
              or (
                x.parent_user_id is not null and p.parent_user_id is distinct from x.parent_user_id
                and not has_user_id(x.workspace_id, p.id, 'parent_user_id', x.scope, x.parent_user_id)
              )
              or (x.username is not null and p.username is distinct from x.username)
              or (x.profile_name is not null and p.profile_name is distinct from x.profile_name)
              or coalesce(x.addressed <> p.id, false)
            )
          )
            and not exists (
              select
              from provider_message k
              where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id
            )
        ) x;
        exit when all_teach or people is null or position('"changes_identity":true' in people::text) = 0;
        all_teach := true;
      end loop;
      if people is not null then
        declare
          called record;
        begin
          called := learn_people(people, now, slots_filled, has_evidence, consents);
          slots_filled := called.slots_filled;
          has_evidence := called.has_evidence;
          consents := called.consents;
          taught_rows := called.taught_rows;
          taught_people := called.taught_people;
        end;
      end if;
      with given as materialized (
        select x.*, p.id as contact_id, n.phone as number_phone
        from rows from (
          json_to_recordset(rows) as (
            kind text, callback_id uuid, workspace_id uuid, id uuid, phone_number_id uuid, provider_message_id text,
            new_contact_id uuid, type text, content json, reply_to_provider_id text, at timestamptz, provided json,
            files json, phone text, wa_id text, user_id text, parent_user_id text, scope text, username text,
            profile_name text, changes_identity boolean, wa_key text, wa_loose text, previous_wa_id text,
            previous_wa_key text, previous_wa_loose text, previous_user_id text, previous_parent_user_id text
          )
        ) with ordinality x
        left join lateral (
          select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
          from contact c
          where c.workspace_id = x.workspace_id and c.phone = x.phone and x.user_id is null
            and x.new_contact_id <> all(taught_rows)
          union all
          select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
          from contact c
          where c.workspace_id = x.workspace_id
            and c.id = coalesce(
              taught_people[array_position(taught_rows, x.new_contact_id)],
              (
                select i.contact_id
                from identifier i
                where i.workspace_id = x.workspace_id and i.kind in ('user_id', 'parent_user_id') and i.scope = x.scope
                  and i.value = x.user_id
                limit 1
              ),
              contact_of_number(x.workspace_id, x.wa_id)
            )
          limit 1
          offset 0
        ) p on true
        left join lateral (
          select n.phone
          from phone_number n
          where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
          offset 0
        ) n on true
        order by x.ordinality
      ),
      named as (
        insert into provider_message (workspace_id, provider_message_id, message_id, created_at, inbound)
        select x.workspace_id, x.provider_message_id, x.id, now, false
        from given x
        order by x.workspace_id, x.provider_message_id, x.ordinality
        on conflict do nothing
        returning workspace_id, provider_message_id, message_id
      ),
      fresh as materialized (
        select x.*, nextval('conversation_sequence') as sequence,
          hashtextextended(
            x.phone_number_id::text || coalesce(x.provided ->> 'group_id', x.contact_id::text), 0
          ) as conversation,
          case
            when x.reply_to_provider_id is not null then coalesce(
              message_of_provider_id(x.workspace_id, x.reply_to_provider_id),
              (
                select k.message_id
                from named k
                where k.workspace_id = x.workspace_id and k.provider_message_id = x.reply_to_provider_id
              )
            )
          end as quoted
        from given x
        where x.id = any((select array_agg(k.message_id) from named k)::uuid[])
        order by x.ordinality
      ),
      conversations as (
        insert into conversation as v (workspace_id, contact_id, phone_number_id, last_message_at)
        select distinct x.workspace_id, x.contact_id, x.phone_number_id, now
        from fresh x
        where not (x.provided ->> 'group_id' is not null)
        order by x.workspace_id, x.contact_id, x.phone_number_id
        on conflict (workspace_id, contact_id, phone_number_id) do update
        set last_message_at = greatest(v.last_message_at, excluded.last_message_at)
      ),
      stored as (
        insert into message (
          workspace_id, id, outbound, phone_number_id, contact_id, recipient, sender, type, content, reply_to, sequence,
          created_at, occurred_at, provided
        )
        select x.workspace_id, x.id, true, x.phone_number_id, x.contact_id, x.phone, x.number_phone, x.type, x.content,
          x.quoted, x.sequence, now, x.at, x.provided
        from fresh x
      ),
      states as (
        insert into message_state (workspace_id, id, contact_id, conversation, seen, rank, sent_at, provider_message_id)
        select x.workspace_id, x.id, x.contact_id, x.conversation, 4, 4, x.at, x.provider_message_id
        from fresh x
      ),
      recorded as (
        insert into history (workspace_id, message_id, bit, at, received_at)
        select x.workspace_id, x.id, 4, x.at, now
        from fresh x
        order by x.ordinality
      ),
      new_events as materialized (
        select x.workspace_id as workspace_id, new_uuid(now) as id, 'sent' as kind, x.id as message_id,
          x.phone_number_id as about_number, x.contact_id as contact_id, null::uuid as resource_id, x.at as occurred_at,
          json_build_object(
            'seen', 4, 'rank', 4, 'sent_at', x.at, 'provider_message_id', x.provider_message_id
          ) as state,
          x.conversation as conversation, x.callback_id as callback_id
        from fresh x
        order by x.ordinality
      ),
      events as (
        insert into event (
          workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at,
          callback_id
        )
        select x.workspace_id, x.id, (select i.era from installation i), x.kind, nextval('conversation_sequence'),
          x.message_id, x.contact_id, x.resource_id, x.occurred_at, x.state, now, x.callback_id
        from new_events x
      ),
      deliveries as (
        insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
        select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.id, e.id), x.id, x.conversation
        from new_events x
        cross join lateral (
          select e.id, e.lane
          from webhook_endpoint e
          where e.workspace_id = x.workspace_id and e.lane >= 0 and e.events && array['*', x.kind]
            and (
              not e.is_limited
              or is_got(x.workspace_id, within_limits(x.workspace_id, e.id, x.about_number, null::uuid, x.message_id))
            )
          offset 0
        ) e
        returning slot
      )
      select array_agg(case when x.is_new then 'received' else 'repeated' end order by x.ordinality),
        array_agg(case when x.is_new then x.id end order by x.ordinality), array_agg(false),
        slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d),
        case
          when has_copies then owner_signs || array(
            select json_build_object(
              'workspace_id', x.workspace_id, 'contact_id', x.contact_id, 'phone_number_id', x.phone_number_id, 'role',
              'other', 'since', x.at, 'at', x.at, 'mark', null, 'is_plain', false, 'from_agent', false, 'opens', false
            )
            from fresh x
            where coalesce(x.provided ->> 'handled_by' = 'other', false) and x.type <> 'template'
              and not (x.provided ->> 'group_id' is not null)
            order by x.ordinality
          )
          else owner_signs
        end into verdicts, messages, sent_twices, slots_filled, owner_signs
      from (
        select x.id, x.ordinality, x.id = any((select array_agg(k.message_id) from named k)::uuid[]) as is_new
        from given x
      ) x;
      -- Statuses that came before.
      joined := '{}';
      joined_message := '{}';
      for n in 1 .. cardinality(messages) loop
        continue when messages[n] is null;
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
      if cardinality(joined) > 0 then
        declare
          called record;
        begin
          called := apply_parked(now, joined, joined_message, slots_filled, consents, unreached, reached);
          slots_filled := called.slots_filled;
          consents := called.consents;
          unreached := called.unreached;
          reached := called.reached;
        end;
      end if;
    elsif kinds[run] = 'handover' then
      taught_rows := '{}';
      taught_people := '{}';
      all_teach := false;
      loop
        select json_agg(x order by x.workspace_id, coalesce(x.wa_key, x.wa_id), x.user_id, x.ordinality) into people
        from (
          select x.workspace_id, x.phone_number_id, x.new_contact_id, x.phone, x.wa_id, x.user_id, x.parent_user_id,
            x.scope, x.username, x.profile_name, x.changes_identity, x.wa_key, x.wa_loose, x.previous_wa_id,
            x.previous_wa_key, x.previous_wa_loose, x.previous_user_id, x.previous_parent_user_id, x.at, x.source,
            x.message_id, x.addressed, x.ordinality
          from (
            select x.*, 'handover' as source, null::uuid as message_id, null::uuid as addressed
            from rows from (
              json_to_recordset(rows) as (
                kind text, workspace_id uuid, phone_number_id uuid, new_contact_id uuid, phone text, wa_id text,
                user_id text, parent_user_id text, scope text, username text, profile_name text,
                changes_identity boolean, wa_key text, wa_loose text, previous_wa_id text, previous_wa_key text,
                previous_wa_loose text, previous_user_id text, previous_parent_user_id text, owner text,
                from_agent boolean, at timestamptz, mark text, callback_id uuid, place json
              )
            ) with ordinality x
            offset 0
          ) x
          left join lateral (
            select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
            from contact c
            where c.workspace_id = x.workspace_id and c.phone = x.phone and x.user_id is null
              and x.new_contact_id <> all(taught_rows)
            union all
            select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
            from contact c
            where c.workspace_id = x.workspace_id
              and c.id = coalesce(
                taught_people[array_position(taught_rows, x.new_contact_id)],
                (
                  select i.contact_id
                  from identifier i
                  where i.workspace_id = x.workspace_id and i.kind in ('user_id', 'parent_user_id')
                    and i.scope = x.scope and i.value = x.user_id
                  limit 1
                ),
                contact_of_number(x.workspace_id, x.wa_id)
              )
            limit 1
            offset 0
          ) p on true
          where (
            all_teach
            or (
              x.changes_identity is true or p.id is null or (x.wa_id is not null and p.wa_id is distinct from x.wa_id)
              -- Late: the number may have been another's then.
              or (x.wa_id is not null and p.wa_id_at > x.at + interval '2 seconds')
              or (
                x.user_id is not null and p.user_id is distinct from x.user_id
                and not has_user_id(x.workspace_id, p.id, 'user_id', x.scope, x.user_id)
              )
              or (
                x.parent_user_id is not null and p.parent_user_id is distinct from x.parent_user_id
                and not has_user_id(x.workspace_id, p.id, 'parent_user_id', x.scope, x.parent_user_id)
              )
              or (x.username is not null and p.username is distinct from x.username)
              or (x.profile_name is not null and p.profile_name is distinct from x.profile_name)
              or coalesce(x.addressed <> p.id, false)
            )
          )
            and not coalesce(
              (select true from erased_name z where z.workspace_id = x.workspace_id limit 1) and (
                select true
                from erased_name z
                where z.workspace_id = x.workspace_id and z.until >= x.at
                  and z.digest in (
                    case when x.wa_id is not null then person_digest(x.workspace_id, 'phone', '', x.wa_id) end,
                    case when x.wa_key is not null then person_digest(x.workspace_id, 'phone', '', x.wa_key) end,
                    case
                      when x.user_id is not null then person_digest(x.workspace_id, 'user_id', x.scope, x.user_id)
                    end
                  )
                limit 1
              ),
              false
            )
        ) x;
        exit when all_teach or people is null or position('"changes_identity":true' in people::text) = 0;
        all_teach := true;
      end loop;
      if people is not null then
        declare
          called record;
        begin
          called := learn_people(people, now, slots_filled, has_evidence, consents);
          slots_filled := called.slots_filled;
          has_evidence := called.has_evidence;
          consents := called.consents;
          taught_rows := called.taught_rows;
          taught_people := called.taught_people;
        end;
      end if;
      with given as materialized (
        select x.*,
          case
            when not coalesce(
              (select true from erased_name z where z.workspace_id = x.workspace_id limit 1) and (
                select true
                from erased_name z
                where z.workspace_id = x.workspace_id and z.until >= x.at
                  and z.digest in (
                    case when x.wa_id is not null then person_digest(x.workspace_id, 'phone', '', x.wa_id) end,
                    case when x.wa_key is not null then person_digest(x.workspace_id, 'phone', '', x.wa_key) end,
                    case
                      when x.user_id is not null then person_digest(x.workspace_id, 'user_id', x.scope, x.user_id)
                    end
                  )
                limit 1
              ),
              false
            ) then p.id
          end as person
        from rows from (
          json_to_recordset(rows) as (
            kind text, workspace_id uuid, phone_number_id uuid, new_contact_id uuid, phone text, wa_id text,
            user_id text, parent_user_id text, scope text, username text, profile_name text, changes_identity boolean,
            wa_key text, wa_loose text, previous_wa_id text, previous_wa_key text, previous_wa_loose text,
            previous_user_id text, previous_parent_user_id text, owner text, from_agent boolean, at timestamptz,
            mark text, callback_id uuid, place json
          )
        ) with ordinality x
        left join lateral (
          select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
          from contact c
          where c.workspace_id = x.workspace_id and c.phone = x.phone and x.user_id is null
            and x.new_contact_id <> all(taught_rows)
          union all
          select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
          from contact c
          where c.workspace_id = x.workspace_id
            and c.id = coalesce(
              taught_people[array_position(taught_rows, x.new_contact_id)],
              (
                select i.contact_id
                from identifier i
                where i.workspace_id = x.workspace_id and i.kind in ('user_id', 'parent_user_id') and i.scope = x.scope
                  and i.value = x.user_id
                limit 1
              ),
              contact_of_number(x.workspace_id, x.wa_id)
            )
          limit 1
          offset 0
        ) p on true
        order by x.ordinality
      )
      select array_agg('noted'::text order by x.ordinality), array_agg(null::uuid), array_agg(false),
        owner_signs || array(
          select json_build_object(
            'workspace_id', x.workspace_id, 'contact_id', x.person, 'phone_number_id', x.phone_number_id, 'role',
            x.owner, 'since', x.at, 'at', x.at, 'mark', x.mark, 'is_plain', false, 'from_agent',
            coalesce(x.from_agent, false), 'opens', x.owner = 'self', 'callback_id', x.callback_id, 'place', x.place
          )
          from given x
          order by x.ordinality
        ) into verdicts,
        messages, sent_twices, owner_signs
      from given x;
    end if;
    if kinds[run] = 'copy' then
      select array_agg(case when u.is_known then verdicts[u.place] else 'noted' end order by u.n),
        array_agg(case when u.is_known then messages[u.place] end order by u.n),
        array_agg(u.is_known and sent_twices[u.place] order by u.n) into verdicts, messages, sent_twices
      from (
        select k.is_known, k.n, (count(*) filter (where k.is_known) over (order by k.n))::int as place
        from unnest(known_copies) with ordinality k(is_known, n)
      ) u;
    end if;
    if cardinality(consents) > 0 then
      declare
        called record;
      begin
        called := apply_consents(now, slots_filled, consents);
        slots_filled := called.slots_filled;
        consents := called.consents;
      end;
    end if;
    if cardinality(owner_signs) > 0 then
      declare
        called record;
      begin
        called := apply_owners(now, slots_filled, owner_signs);
        slots_filled := called.slots_filled;
        owner_signs := called.owner_signs;
      end;
    end if;
    if cardinality(unreached) > 0 or cardinality(reached) > 0 then
      declare
        called record;
      begin
        called := give_back(now, unreached, reached);
        unreached := called.unreached;
        reached := called.reached;
      end;
    end if;
    all_verdicts := all_verdicts || verdicts;
    all_messages := all_messages || messages;
    all_sent_twices := all_sent_twices || sent_twices;
  end loop;
  if cardinality(claims) > 0 then
    declare
      called record;
    begin
      called := learn_claims(now, claims, has_evidence);
      claims := called.claims;
      has_evidence := called.has_evidence;
    end;
  end if;
  if position('"files":[{' in rows_text) > 0 then
    files_taken := take_files(rows_text::json, all_messages, now);
  end if;
end
$function$;

create or replace function ask_redeliveries(rows json, now timestamptz, call uuid, again boolean) returns table (
  delivery_id uuid, outcome text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '5s' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  d record;
  e record;
  q record;
  ids uuid[];
  outcomes text[];
  outcome text;
  advance_some boolean;
begin
  insert into flight (id) values (call);
  with asked as materialized (
    select x.*, e.kind, e.contact_id, e.resource_id, e.created_at, d.status
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, endpoint_id uuid, lane int, delivery_id uuid, event_id uuid, replay_id uuid, reopens text[],
        creates boolean, advances boolean, in_order boolean, ahead boolean
      )
    ) with ordinality x
    left join lateral (
      select v.kind, v.contact_id, v.resource_id, v.created_at
      from event v
      where v.workspace_id = x.workspace_id and v.id = x.event_id
      offset 0
    ) e on true
    left join lateral (
      select p.status
      from delivery p
      where p.workspace_id = x.workspace_id and p.id = x.delivery_id and e.kind is not null for no key update
      offset 0
    ) d on true
    order by x.ordinality
  ),
  opened as (
    insert into delivery as p (
      workspace_id, id, event_id, webhook_endpoint_id, kind, status, attempt, next_attempt_at, created_at, completed_at,
      attempts
    )
    select a.workspace_id, a.delivery_id, a.event_id, a.endpoint_id, a.kind, 'pending', 0, now, a.created_at, null, '[]'
    from asked a
    where a.kind is not null and case when a.status is null then a.creates else a.status = any(a.reopens) end
    order by a.ordinality
    on conflict (workspace_id, id) do update
    set status = 'pending', next_attempt_at = excluded.next_attempt_at, completed_at = null
    where p.status in ('failed', 'succeeded')
    returning p.workspace_id, p.id
  ),
  judged as materialized (
    select a.*, (a.workspace_id, a.delivery_id) in (select o.workspace_id, o.id from opened o) as is_asked
    from asked a
  ),
  queued as (
    insert into redeliver (slot, lane, due, workspace_id, delivery_id, event_id, conversation, attempt, replay_id)
    select (a.lane % 64)::smallint, a.lane, case when a.ahead then now else '-infinity' end, a.workspace_id,
      a.delivery_id, a.event_id,
      hashtextextended(
        case
          when a.kind = 'endpoint_test' then a.event_id
          else coalesce(a.contact_id, a.resource_id, a.event_id)
        end::text, 0
      ),
      0, a.replay_id
    from judged a
    where a.is_asked
    order by a.ordinality
    on conflict do nothing
  )
  select array_agg(a.delivery_id order by a.ordinality), bool_or(a.advances),
    array_agg(
      case when a.is_asked then 'asked' when a.status in ('pending', 'parked') then 'open' else 'none' end
      order by a.ordinality
    ) into ids,
    advance_some, outcomes
  from judged a;
  if advance_some then
    for r in
      select x.*
      from rows from (
        json_to_recordset(rows) as (
          workspace_id uuid, endpoint_id uuid, lane int, delivery_id uuid, event_id uuid, replay_id uuid,
          reopens text[], creates boolean, advances boolean, in_order boolean, ahead boolean
        )
      ) with ordinality x
      where x.advances and outcomes[x.ordinality] = 'open'
      order by x.ordinality
    loop
      outcome := 'open';
      select v.id, v.kind, v.contact_id, v.resource_id into e
      from event v
      where v.workspace_id = r.workspace_id and v.id = r.event_id;
      select p.next_attempt_at into d
      from delivery p
      where p.workspace_id = r.workspace_id and p.id = r.delivery_id;
      select p.slot, p.seq, p.conversation into q
      from redeliver p
      where p.workspace_id = r.workspace_id and p.delivery_id = r.delivery_id and p.attempt >= 0
        and p.due > now + interval '2 seconds';
      if found and r.in_order then
        update redeliver p
        set due = now
        where p.slot = q.slot and p.seq = q.seq and p.workspace_id = r.workspace_id;
        if found then
          outcome := 'asked';
          update redeliver p
          set due = now
          from (
            select f.slot, f.seq, f.workspace_id, f.delivery_id, f.conversation
            from redeliver f
            where f.slot::int = (r.lane % 64)::smallint and f.lane = r.lane and f.due > now + interval '2 seconds'
            order by f.due, (f.seq + 0)
            limit 20000
          ) w
          where w.seq > q.seq
            and w.conversation = any(
              coalesce(joined_conversations(r.workspace_id, q.conversation), array[q.conversation])
            )
            and p.slot = w.slot and p.seq = w.seq and p.workspace_id = w.workspace_id;
        end if;
      elsif found then
        delete from redeliver p
        where p.slot = q.slot and p.seq = q.seq and p.workspace_id = r.workspace_id
        returning p.attempt, p.replay_id into q;
        if found then
          outcome := 'asked';
          insert into redeliver (slot, lane, due, workspace_id, delivery_id, event_id, conversation, attempt, replay_id)
          values (
            (r.lane % 64)::smallint, r.lane, case when r.ahead then now else '-infinity' end, r.workspace_id,
            r.delivery_id, r.event_id,
            hashtextextended(
              case
                when e.kind = 'endpoint_test' then r.event_id
                else coalesce(e.contact_id, e.resource_id, r.event_id)
              end::text, 0
            ),
            q.attempt, q.replay_id
          )
          on conflict do nothing;
        end if;
      else
        select p.slot, p.seq, p.conversation into q
        from deliver p
        where p.slot::int = (r.lane % 64)::smallint and p.lane = r.lane and p.due = d.next_attempt_at
          and p.due > now + interval '2 seconds' and p.workspace_id = r.workspace_id and p.delivery_id = r.delivery_id
        limit 1;
        if not found then
          select p.slot, p.seq, p.conversation into q
          from (
            select f.slot, f.seq, f.workspace_id, f.delivery_id, f.conversation
            from deliver f
            where f.slot::int = (r.lane % 64)::smallint and f.lane = r.lane and f.due > now + interval '2 seconds'
            order by f.due, (f.seq + 0)
            limit 20000
          ) p
          where p.workspace_id = r.workspace_id and p.delivery_id = r.delivery_id
          limit 1;
        end if;
        if found and r.in_order then
          update deliver p
          set due = now
          where p.slot = q.slot and p.seq = q.seq and p.workspace_id = r.workspace_id;
          if found then
            outcome := 'asked';
            update deliver p
            set due = now
            from (
              select f.slot, f.seq, f.workspace_id, f.delivery_id, f.conversation
              from deliver f
              where f.slot::int = (r.lane % 64)::smallint and f.lane = r.lane and f.due > now + interval '2 seconds'
              order by f.due, (f.seq + 0)
              limit 20000
            ) w
            where w.seq > q.seq
              and w.conversation = any(
                coalesce(joined_conversations(r.workspace_id, q.conversation), array[q.conversation])
              )
              and p.slot = w.slot and p.seq = w.seq and p.workspace_id = w.workspace_id;
          end if;
        elsif found then
          delete from deliver p
          where p.slot = q.slot and p.seq = q.seq and p.workspace_id = r.workspace_id
          returning p.attempt into q;
          if found then
            outcome := 'asked';
            insert into redeliver (
              slot, lane, due, workspace_id, delivery_id, event_id, conversation, attempt, replay_id
            )
            values (
              (r.lane % 64)::smallint, r.lane, case when r.ahead then now else '-infinity' end, r.workspace_id,
              r.delivery_id, r.event_id,
              hashtextextended(
                case
                  when e.kind = 'endpoint_test' then r.event_id
                  else coalesce(e.contact_id, e.resource_id, r.event_id)
                end::text, 0
              ),
              q.attempt, null
            )
            on conflict do nothing;
          end if;
        end if;
      end if;
      if outcome = 'asked' then
        update delivery p
        set next_attempt_at = now
        where p.workspace_id = r.workspace_id and p.id = r.delivery_id;
        outcomes[r.ordinality] := outcome;
      end if;
    end loop;
  end if;
  return query select * from unnest(ids, outcomes);
end
$function$;

create or replace function authenticate_keys(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, key_id uuid, key_name text, scopes text[], workspace_status text, expires_at timestamptz,
  phone_number_ids uuid[], dedupe_by text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
    select k.workspace_id, k.id, k.name, k.scopes, w.status, k.expires_at, k.phone_number_ids,
      k.dedupe_by into workspace_id, key_id, key_name, scopes, workspace_status, expires_at, phone_number_ids, dedupe_by
    from (
      select d.workspace_id, d.api_key_id
      from key_digest d
      where d.digest in (decode(given ->> 'digest', 'hex'), decode(given ->> 'limited_digest', 'hex'))
      offset 0
    ) d
    cross join lateral (
      select k.workspace_id, k.id, k.name, k.scopes, k.expires_at, k.revoked_at, k.phone_number_ids, k.dedupe_by
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
  outcome text, keys text[], type text, content text, fallback_used boolean, possible_duplicate boolean, recipient text,
  user_id text, known_number text, reply_to_provider_id text, files json, takes_thread boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  x record;
  m record;
  c record;
  v record;
begin
  insert into flight (id) values (call);
  lock table dispatch in row exclusive mode;
  <<alone>> begin
    exit alone when again or pg_column_size(rows) > 1000
    or not (pg_column_size(rows) < 8192 and json_array_length(rows) = 1);
    select x.* into x
    from json_to_recordset(rows) as x(
      slot smallint, seq bigint, workspace_id uuid, message_id uuid, attempt smallint, worker uuid, epoch int,
      state smallint, asked boolean, recipient bigint, joined int, portfolio text
    );
    exit alone when x.asked or x.attempt > 0;
    perform s.owner
    from slot s
    where s.kind = 1 and s.slot = x.slot and s.owner = x.worker and s.epoch = x.epoch;
    exit alone when not found;
    select m.type, m.content, m.fallback, m.fallback_category, m.category, m.reply_to, m.recipient, m.contact_id,
      m.phone_number_id, m.takes_thread, m.media
    from message m
    where m.workspace_id = x.workspace_id and m.id = x.message_id and m.id between lowest and highest into m;
    exit alone when not found or m.fallback is not null or m.reply_to is not null or m.media is not null
    or m.type in ('reaction');
    select c.id, c.phone, c.wa_id, c.refused_form, c.user_id, c.is_named, c.has_merged, c.merged_into,
      c.marketing_consent into c
    from contact c
    where c.workspace_id = x.workspace_id and c.id = m.contact_id;
    exit alone when not found or c.merged_into is not null or c.has_merged;
    recipient := case
      when c.wa_id is not null and c.wa_id is distinct from c.refused_form then '+' || c.wa_id
      when m.recipient = c.phone then m.recipient
      else own_number(x.workspace_id, c.id, m.recipient)
    end;
    exit alone when recipient is null;
    if m.category = 'marketing' then
      exit alone when coalesce(
        coalesce(m.category, m.fallback_category) = 'marketing' and (
          coalesce(c.marketing_consent = 'opted_out', false)
          or case
            when concat_ws(
              ' ', m.recipient, c.phone, c.wa_id
            ) ~ '(^| )[+]?(22|52|55|24|54|57|84)' then twin_opted_out(x.workspace_id, c.id, null, null)
            else false
          end
        ),
        false
      );
    end if;
    if m.type not in ('template') or x.portfolio is not null then
      select v.last_inbound_at, v.owner_role, v.owner_since
      from conversation v
      where (m.type <> 'template' or x.portfolio is not null) and v.workspace_id = x.workspace_id
        and v.contact_id = c.id and v.phone_number_id = m.phone_number_id into v;
      if m.type not in ('template') then
        exit alone when (v.last_inbound_at is null or v.last_inbound_at + interval '86370 seconds' <= now)
        or v.owner_role = 'other';
      end if;
      if x.portfolio is not null then
        exit alone when case
          when x.portfolio is not null
            and case
              when m.type = 'template' then (
                v.last_inbound_at is null or v.last_inbound_at + interval '1439 minutes' <= now
              )
              else m.fallback is not null and m.type not in ('template')
              and (
                case
                  when (v.last_inbound_at is null or v.last_inbound_at + interval '86370 seconds' <= now) then not case
                    when concat_ws(' ', m.recipient, c.phone, c.wa_id) ~ '(^| )[+]?(22|52|55|24|54|57|84)' then twin_wrote_since(
                      x.workspace_id, c.id, null, null, m.phone_number_id, now - interval '86370 seconds'
                    )
                    else false
                  end
                  else false
                end or m.fallback is not null and x.attempt > 0 and was_refused_as_closed(x.workspace_id, x.message_id)
              )
            end then coalesce(counted_minute(x.portfolio, recipient_digest(counted_person(x.workspace_id, c.id, m.phone_number_id))) < floor(extract(epoch from now) / 60)::int, true)
          else false
        end;
      end if;
    end if;
    update dispatch d
    set attempt = d.attempt + 1, state = 1, worker = x.worker, started_at = now
    where d.slot = x.slot and d.seq = x.seq and d.workspace_id = x.workspace_id and d.attempt = x.attempt
      and d.state = x.state;
    exit alone when not found;
    outcome := 'go';
    type := m.type;
    content := m.content::text;
    user_id := c.user_id;
    known_number := coalesce(c.wa_id, case when c.is_named and recipient = c.phone then substr(c.phone, 2) end);
    takes_thread := case when m.takes_thread and m.type not in ('template') then true end;
    return next;
    return;
  end;
  return query
    with given as materialized (
      select x.*, m.type as message_type, m.content as message_content, m.fallback as message_fallback, p.phone,
        case when m.fallback is not null then lock_fallback_used(x.workspace_id, x.message_id) end as fell_back,
        case when m.resend_once and x.attempt > 0 then lock_seen(x.workspace_id, x.message_id) end as seen,
        case
          when p.phone is null then user_id_for(x.workspace_id, c.id, m.phone_number_id)
          else c.user_id
        end as user_id,
        coalesce(c.wa_id, case when c.is_named and p.phone = c.phone then substr(c.phone, 2) end) as known_number,
        m.media,
        case
          when m.media is not null then media_at_number(x.workspace_id, m.media, m.phone_number_id, now)
        end as files, g.keys, coalesce(x.joined > 0 and cardinality(g.keys) > x.joined, false) as joins_more,
        case when m.reply_to is not null then quoted_provider_id(x.workspace_id, m.reply_to) end as quoted,
        s.owner is not null and m.type is not null as is_ours,
      -- A contact goes in no other way.
      c.id is null as is_erased,
      m.type not in ('template') and (
        case
          when (v.last_inbound_at is null or v.last_inbound_at + interval '86370 seconds' <= now) then not case
            when concat_ws(' ', m.recipient, c.phone, c.wa_id) ~ '(^| )[+]?(22|52|55|24|54|57|84)' then twin_wrote_since(
              x.workspace_id, c.id, null, null, m.phone_number_id, now - interval '86370 seconds'
            )
            else false
          end
          else false
        end or m.fallback is not null and x.attempt > 0 and was_refused_as_closed(x.workspace_id, x.message_id)
      ) as is_outside,
      coalesce(
        coalesce(m.category, m.fallback_category) = 'marketing' and (
          coalesce(c.marketing_consent = 'opted_out', false)
          or case
            when concat_ws(
              ' ', m.recipient, c.phone, c.wa_id
            ) ~ '(^| )[+]?(22|52|55|24|54|57|84)' then twin_opted_out(x.workspace_id, c.id, null, null)
            else false
          end
        ),
        false
      ) as has_opted_out,
      case
        when x.portfolio is not null
          and case
            when m.type = 'template' then (
              v.last_inbound_at is null or v.last_inbound_at + interval '1439 minutes' <= now
            )
            else m.fallback is not null and m.type not in ('template')
            and (
              case
                when (v.last_inbound_at is null or v.last_inbound_at + interval '86370 seconds' <= now) then not case
                  when concat_ws(' ', m.recipient, c.phone, c.wa_id) ~ '(^| )[+]?(22|52|55|24|54|57|84)' then twin_wrote_since(
                    x.workspace_id, c.id, null, null, m.phone_number_id, now - interval '86370 seconds'
                  )
                  else false
                end
                else false
              end or m.fallback is not null and x.attempt > 0 and was_refused_as_closed(x.workspace_id, x.message_id)
            )
          end then coalesce(counted_minute(x.portfolio, recipient_digest(counted_person(x.workspace_id, c.id, m.phone_number_id))) < floor(extract(epoch from now) / 60)::int, true)
        else false
      end as is_uncounted, m.takes_thread and m.type not in ('template') as takes_thread,
      case
        when v.owner_role = 'other' and m.takes_thread is not true
          and m.type not in ('template') then coalesce(
            v.owner_role = 'other' and greatest(
              v.last_inbound_at, v.owner_since
            ) > now - interval '86400000 milliseconds',
            false
          )
        else false
      end as is_others
      from rows from (
        json_to_recordset(rows) as (
          slot smallint, seq bigint, workspace_id uuid, message_id uuid, attempt smallint, worker uuid, epoch int,
          state smallint, asked boolean, recipient bigint, joined int, portfolio text
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
        select coalesce(o.merged_into, o.id) as id
        from contact o
        where o.workspace_id = x.workspace_id and o.id = m.contact_id
        offset 0
      ) o on true
      left join lateral (
        select c.*
        from contact c
        where c.workspace_id = x.workspace_id and c.id = o.id
        offset 0
      ) c on true
      cross join lateral (
        select case
          when c.wa_id is not null and c.wa_id is distinct from c.refused_form then '+' || c.wa_id
          when m.recipient = c.phone then m.recipient
          else own_number(x.workspace_id, c.id, m.recipient)
        end as phone
        offset 0
      ) p
      cross join lateral (
        select case when c.has_merged then joined_conversations(x.workspace_id, x.recipient) end as keys
        offset 0
      ) g
      left join lateral (
        select v.last_inbound_at, v.owner_role, v.owner_since
        from conversation v
        where (m.type <> 'template' or x.portfolio is not null) and v.workspace_id = x.workspace_id
          and v.contact_id = c.id and v.phone_number_id = m.phone_number_id
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
        where x.is_ours and not x.is_erased and not coalesce(x.seen & 126 <> 0, false)
          and not (x.is_outside and x.fell_back is null)
          and not (x.is_others and not (x.is_outside and x.fell_back is not null))
          and not (x.has_opted_out and (x.is_outside or x.fell_back is null)) and not x.joins_more
          and coalesce(x.phone, x.user_id) is not null
          and not (
            x.quoted is null and not (x.is_outside and x.fell_back is not null) and x.message_type in ('reaction')
          )
          and not (
            case
              when x.media is null then false
              else (select count(*) from json_each(x.files)) < cardinality(x.media)
            end
            or case
              when x.media is null then false
              else exists (select from json_each_text(x.files) f where f.value is null)
            end
          )
          and not x.is_uncounted and d.slot = x.slot and d.seq = x.seq and d.workspace_id = x.workspace_id
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
          when not x.is_ours then case when e.is_begun then 'unwritten' else 'no' end
          when e.is_begun then 'go'
          when coalesce(x.seen & 126 <> 0, false) then 'settled'
          when x.is_erased then 'erased'
          when x.joins_more then 'joined'
          when (x.is_outside and x.fell_back is null) then 'window_closed'
          when (x.is_others and not (x.is_outside and x.fell_back is not null)) then 'not_owned'
          when (x.has_opted_out and (x.is_outside or x.fell_back is null)) then 'opted_out'
          when coalesce(x.phone, x.user_id) is null then 'unreachable'
          when (
            x.quoted is null and not (x.is_outside and x.fell_back is not null) and x.message_type in ('reaction')
          ) then 'no_target'
          when case
            when x.media is null then false
            else (select count(*) from json_each(x.files)) < cardinality(x.media)
          end then 'no_media'
          when case
            when x.media is null then false
            else exists (select from json_each_text(x.files) f where f.value is null)
          end then 'needs_media'
          when x.is_uncounted then 'uncounted'
          when x.ordinality = any((select array_agg(d.ordinality) from found d)::bigint[]) then 'go'
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
    select x.verdict, case when x.verdict = 'joined' then x.keys::text[] end,
      case when (x.is_outside and x.fell_back is not null) then 'template' else x.message_type end,
      case
        when x.verdict = 'go' then case
          when (x.is_outside and x.fell_back is not null) then x.message_fallback
          else x.message_content
        end::text
      end,
    -- An earlier attempt may have sent the other.
    case
      when x.verdict = 'go'
        and x.fell_back <> x.is_outside then set_fallback_used(x.workspace_id, x.message_id, x.is_outside)
      else x.fell_back
    end, case when x.verdict = 'go' and x.seen & 1 <> 0 then set_possible_duplicate(x.workspace_id, x.message_id) end,
    x.phone, x.user_id, x.known_number,
    case when not (x.is_outside and x.fell_back is not null) or not x.message_type in ('reaction') then x.quoted end,
    x.files,
    case when x.takes_thread and x.verdict = 'go' and not (x.is_outside and x.fell_back is not null) then true end
    from judged x
    order by x.ordinality;
end
$function$;

create or replace function begin_tasks(rows json, now timestamptz, call uuid, again boolean) returns table (
  verdict text, kind text, payload json, created_at timestamptz, unfinished smallint
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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

create or replace function cancel_messages(rows json, now timestamptz, call uuid, again boolean) returns table (
  canceled boolean, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  slots_filled bigint := 0;
  unreached uuid[] := '{}';
  reached json[] := '{}';
  verdicts boolean[];
  ended tid[];
begin
  insert into flight (id) values (call);
  with given as materialized (
    select x.*, now as at, null::json as error, null::json as pricing, null::text as provider_message_id
    from rows from (json_to_recordset(rows) as (workspace_id uuid, message_id uuid)) with ordinality x
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
  found as materialized (
    select d.place, x.ordinality
    from locked x
    cross join lateral (
      select d.ctid as place
      from dispatch d
      where (x.state).rank = 0 and d.slot = (x.state).slot and d.seq = (x.state).seq and d.workspace_id = x.workspace_id
        and d.state = 0 for update
      offset 0
    ) d
  ),
  decided as materialized (
    select x.*,
      coalesce(x.ordinality = any((select array_agg(f.ordinality) from found f)::bigint[]), false) as is_canceled
    from locked x
  ),
  reports as materialized (select x.*, case when x.is_canceled then 256 end as bit from decided x),
  judged as materialized (
    select x.*,
      coalesce(
        (
          case when (x.state).pricing is null then 0 else coalesce((x.state).priced, (x.state).seen) end | coalesce(
            bit_or(x.bit) filter (where x.is_new and x.pricing is not null) over (
              partition by x.workspace_id, x.message_id
              order by x.ordinality rows between unbounded preceding and 1 preceding
            ),
            0
          )
        ) & case x.bit when 1 then 894 when 2 then 892 when 4 then 888 when 8 then 880 when 16 then 864 when 32 then 768 when 64 then 768 when 128 then 894 when 256 then 512 when 512 then 0 when 1024 then 1023 when 2048 then 1023 end <> 0,
        false
      ) as is_outpriced
    from (
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
          (
            array_agg(x.provider_message_id) filter (where x.provider_message_id is not null) over (
              partition by x.workspace_id, x.message_id
              order by x.ordinality rows between unbounded preceding and 1 preceding
            )
          )[1],
          x.provider_message_id
        ) as known_provider_id
      from reports x
    ) x
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
            when 1024 then 0
            when 2048 then 0
          end
        ) over w
      ) as rank,
      coalesce(min(x.at) filter (where x.bit in (2)) over w, (x.state).accepted_at) as accepted_at,
      coalesce(min(x.at) filter (where x.bit in (4)) over w, (x.state).sent_at) as sent_at,
      coalesce(min(x.at) filter (where x.bit in (16)) over w, (x.state).delivered_at) as delivered_at,
      coalesce((x.state).read_at, min(x.at) filter (where x.bit in (32, 64)) over w) as read_at,
      coalesce(min(x.at) filter (where x.bit in (8)) over w, (x.state).failed_at) as failed_at,
      coalesce(
        (
          array_agg(x.error) filter (where x.error is not null) over w
        )[count(*) filter (where x.error is not null) over w],
        (x.state).error
      ) as known_error,
    -- The price may be on several reports, in any order: that of the highest counts.
    coalesce(
      (
        array_agg(x.pricing) filter (where x.pricing is not null and not x.is_outpriced) over w
      )[count(*) filter (where x.pricing is not null and not x.is_outpriced) over w],
      (x.state).pricing
    ) as known_pricing,
    nullif(
      case
        when (x.state).pricing is null then 0
        else coalesce((x.state).priced, (x.state).seen)
      end | coalesce(bit_or(x.bit) filter (where x.pricing is not null) over w, 0), 0
    ) as priced,
    lead(x.ordinality) over w is null as is_last
    from judged x
    where x.is_new window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
  ),
  changed as (
    insert into message_state (
      workspace_id, id, contact_id, conversation, seen, rank, accepted_at, sent_at, delivered_at, read_at, failed_at,
      provider_message_id, error, pricing, priced
    )
    select x.workspace_id, x.message_id, (x.state).contact_id, (x.state).conversation, x.seen, x.rank, x.accepted_at,
      x.sent_at, x.delivered_at, x.read_at, x.failed_at, x.known_provider_id, x.known_error, x.known_pricing, x.priced
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
      pricing = excluded.pricing,
      priced = excluded.priced
  ),
  recorded as (
    insert into history (workspace_id, message_id, bit, at, received_at, error)
    select x.workspace_id, x.message_id, x.bit, x.at, now, x.error
    from reported x
    order by x.ordinality
  ),
  new_events as materialized (
    select x.workspace_id as workspace_id, new_uuid(now) as id,
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
        when 1024 then 'message_deleted'
        when 2048 then 'warning'
      end as kind, x.message_id as message_id, (x.state).contact_id as contact_id, null::uuid as resource_id,
      x.at as occurred_at,
      (
        '{"seen":' || x.seen || ',"rank":' || x.rank || coalesce(',"accepted_at":' || to_json(x.accepted_at), '') || coalesce(',"sent_at":' || to_json(x.sent_at), '') || coalesce(',"delivered_at":' || to_json(x.delivered_at), '') || coalesce(',"read_at":' || to_json(x.read_at), '') || coalesce(',"failed_at":' || to_json(x.failed_at), '') || coalesce(',"provider_message_id":' || to_json(x.known_provider_id), '') || case
          when (x.state).possible_duplicate then ',"possible_duplicate":true'
          else ''
        end || case when (x.state).fallback_used then ',"fallback_used":true' else '' end || coalesce(',"error":' || x.known_error, '') || coalesce(',"pricing":' || x.known_pricing, '') || '}'
      )::json as state,
      (x.state).conversation as conversation
    from reported x
    order by x.ordinality
  ),
  events as (
    insert into event (
      workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
    )
    select x.workspace_id, x.id, (select i.era from installation i), x.kind, nextval('conversation_sequence'),
      x.message_id, x.contact_id, x.resource_id, x.occurred_at, x.state, now
    from new_events x
  ),
  deliveries as (
    insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
    select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.id, e.id), x.id, x.conversation
    from new_events x
    cross join lateral (
      select e.id, e.lane
      from webhook_endpoint e
      where e.workspace_id = x.workspace_id and e.lane >= 0 and e.events && array['*', x.kind]
        and (
          not e.is_limited
          or is_got(x.workspace_id, within_limits(x.workspace_id, e.id, null::uuid, null::uuid, x.message_id))
        )
      offset 0
    ) e
    returning slot
  )
  select array_agg(x.is_canceled order by x.ordinality),
    slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d),
    unreached || array(select x.message_id from reported x where x.bit & 776 <> 0 and x.seen & 113 = 0),
    (select array_agg(f.place) from found f) into verdicts, slots_filled, unreached, ended
  from reports x;
  if cardinality(unreached) > 0 or cardinality(reached) > 0 then
    declare
      called record;
    begin
      called := give_back(now, unreached, reached);
      unreached := called.unreached;
      reached := called.reached;
    end;
  end if;
  delete from dispatch where ctid = any(ended);
  return query
    select u.canceled, slots_filled::text
    from unnest(verdicts) with ordinality u(canceled, n)
    order by u.n;
end
$function$;

create or replace function changed_contacts(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, contacts json, era int, xid text, id uuid, more boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set work_mem = '32MB'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  filter_sql text;
  narrow_sql text;
  sample_sql text;
  r record;
  x record;
  began timestamptz;
  found json[];
  looked_at int;
  last_era int;
  last_xid xid8;
  last_id uuid;
  is_more boolean;
begin
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, filter json, narrow json, sample json,
        values jsonb, era int, xid text, id uuid, most int, budget_ms int
      )
    ) with ordinality x
  loop
    filter_sql := compile_condition(r.filter);
    narrow_sql := compile_condition(r.narrow);
    sample_sql := compile_condition(r.sample);
    began := clock_timestamp();
    found := '{}';
    looked_at := 0;
    is_more := false;
    last_era := r.era;
    last_xid := r.xid::xid8;
    last_id := r.id;
    for x in execute 'select s.* from ((
        select coalesce(c.changed_era, 0) as era, coalesce(c.changed_in, ''0''::xid8) as xid, c.id,
          c.merged_into is not null as is_gone, c.merged_into is not null or ' || coalesce(
      filter_sql, 'true'
    ) || ' as fits
        from contact c
        where c.workspace_id = $1 and c.revision > 0 and (coalesce(c.changed_era, 0), coalesce(c.changed_in, ''0''::xid8), c.id) > ($4, $5, $6)
          and (coalesce(c.changed_era, 0) < $7 or coalesce(c.changed_in, ''0''::xid8) < pg_snapshot_xmin(pg_current_snapshot()))
        order by c.workspace_id, coalesce(c.changed_era, 0), coalesce(c.changed_in, ''0''::xid8), c.id) union all (
        select e.changed_era as era, e.changed_in as xid, e.id, true as is_gone, true as fits
        from erased_contact e
        where e.workspace_id = $1 and e.erased_at > ''-infinity'' and (e.changed_era, e.changed_in, e.id) > ($4, $5, $6)
          and (e.changed_era < $7 or e.changed_in < pg_snapshot_xmin(pg_current_snapshot()))
        order by e.workspace_id, e.changed_era, e.changed_in, e.id)) s
      order by s.era, s.xid, s.id' using r.workspace_id,
    null::uuid, r.
      values, last_era, last_xid, last_id, current_era()
    loop
      is_more := cardinality(found) >= r.most or looked_at > 0 and looked_at % 64 = 0
      and clock_timestamp() > began + r.budget_ms * interval '1 millisecond';
      exit when is_more;
      looked_at := looked_at + 1;
      last_era := x.era;
      last_xid := x.xid;
      last_id := x.id;
      if x.fits then
        found := found || json_build_object('id', x.id, 'is_gone', x.is_gone);
      end if;
    end loop;
    return query
      select r.workspace_id, array_to_json(found), last_era, last_xid::text, last_id, is_more;
  end loop;
end
$function$;

create or replace function claim_routes(rows json, now timestamptz, call uuid, again boolean) returns table (
  provider_id text, owner text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
            and not (n.status in ('disconnected', 'migrated', 'deleted'))
        ) as account into owner_row
      from phone_number_route o
      where o.provider_phone_number_id = r.provider_id for update of o;
    end if;
    if owner_row.workspace_id <> r.workspace_id then
      select a.status into holder_status
      from business_account a
      where a.workspace_id = owner_row.workspace_id and a.id = owner_row.account;
    end if;
    if holder_status in ('connected', 'restricted') then
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

create or replace function compile_condition(
  steps json, out condition_sql text
) language plpgsql volatile
as $function$
#variable_conflict use_column
declare
  step json;
  stack text[] := '{}';
  depth int;
  operands int;
  at_value int;
  part text;
begin
  for step in
    select s.value
    from json_array_elements(steps) with ordinality s(value, n)
    order by s.n
  loop
    depth := cardinality(stack);
    at_value := (step ->> 'at')::int;
    operands := (step ->> 'of')::int;
    if at_value is null and (operands is null or operands < 0 or operands > depth) then
      raise exception 'a step has % operands, and there are %', operands, depth;
    end if;
    if at_value is null then
      part := case step ->> 'do'
        when 'all' then coalesce(array_to_string(stack[depth - operands + 1 : depth], ' and '), '')
        when 'any' then coalesce(array_to_string(stack[depth - operands + 1 : depth], ' or '), '')
        when 'not' then 'not ' || stack[depth]
      end;
      if part = '' then
        part := case step ->> 'do' when 'all' then 'true' else 'false' end;
      end if;
      stack := stack[1 : depth - operands];
    else
      part := case step ->> 'do'
        when 'id' then format($sql$c.id = ($3 ->> %1$s)::uuid$sql$, at_value)
        when 'tag' then format($sql$c.tags @> array[$3 ->> %1$s]$sql$, at_value)
        when 'tags_in' then format($sql$c.tags && array(select jsonb_array_elements_text($3 -> %1$s))$sql$, at_value)
        when 'tags_exist' then format($sql$c.tags <> '{}'$sql$, at_value)
        when 'attribute' then format($sql$c.attributes @> ($3 -> %1$s)$sql$, at_value)
        when 'attribute_in' then format(
          $sql$coalesce(
            c.attributes -> ($3 -> %1$s ->> 'name') = any(array(select jsonb_array_elements($3 -> %1$s -> 'values'))),
            false
          )$sql$,
          at_value
        )
        when 'attribute_exists' then format($sql$c.attributes ? ($3 ->> %1$s)$sql$, at_value)
        when 'attribute_contains' then format(
          $sql$case when jsonb_typeof(c.attributes -> ($3 -> %1$s ->> 'name')) = 'string' then contact_fold(
            c.attributes ->> ($3 -> %1$s ->> 'name')
          ) like contact_pattern($3 -> %1$s ->> 'value') else false end$sql$,
          at_value
        )
        when 'name_in' then format(
          $sql$coalesce(c.name = any(array(select jsonb_array_elements_text($3 -> %1$s))), false)$sql$, at_value
        )
        when 'name_contains' then format(
          $sql$coalesce(contact_fold(c.name) like contact_pattern($3 ->> %1$s), false)$sql$, at_value
        )
        when 'name_exists' then format($sql$c.name is not null$sql$, at_value)
        when 'email_in' then format(
          $sql$coalesce(c.email = any(array(select jsonb_array_elements_text($3 -> %1$s))), false)$sql$, at_value
        )
        when 'email_contains' then format(
          $sql$coalesce(contact_fold(c.email) like contact_pattern($3 ->> %1$s), false)$sql$, at_value
        )
        when 'email_exists' then format($sql$c.email is not null$sql$, at_value)
        when 'locale_in' then format(
          $sql$coalesce(c.locale = any(array(select jsonb_array_elements_text($3 -> %1$s))), false)$sql$, at_value
        )
        when 'locale_contains' then format(
          $sql$coalesce(contact_fold(c.locale) like contact_pattern($3 ->> %1$s), false)$sql$, at_value
        )
        when 'locale_exists' then format($sql$c.locale is not null$sql$, at_value)
        when 'phone_in' then format(
          $sql$(
            exists (
              select
              from identifier i
              where i.workspace_id = c.workspace_id and i.kind = 'phone' and i.scope = ''
                and i.value = any(array(select jsonb_array_elements_text($3 -> %1$s))) and i.contact_id = c.id
                and i.until is null
            )
            or coalesce(c.phone = any(array(select '+' || jsonb_array_elements_text($3 -> %1$s))), false)
          )$sql$,
          at_value
        )
        when 'phone_contains' then format(
          $sql$coalesce(c.phone like contact_pattern($3 ->> %1$s), false)$sql$, at_value
        )
        when 'phone_exists' then format($sql$c.phone is not null$sql$, at_value)
        when 'consent_in' then format(
          $sql$coalesce(c.marketing_consent = any(array(select jsonb_array_elements_text($3 -> %1$s))), false)$sql$,
          at_value
        )
        when 'last_inbound_exists' then format(
          $sql$(
            select max(v.last_inbound_at)
            from conversation v
            where v.workspace_id = c.workspace_id and v.contact_id = c.id
          ) is not null$sql$,
          at_value
        )
        when 'text' then format(
          $sql$contact_text(
            c.name, c.profile_name, c.username, c.email, c.phone, c.wa_id, c.attributes
          ) like contact_pattern($3 ->> %1$s)$sql$,
          at_value
        )
        when 'text_parts' then format(
          $sql$contact_text(c.name, c.profile_name, c.username, c.email, c.phone, c.wa_id, c.attributes) like all (
            array(select contact_pattern(p) from jsonb_array_elements_text($3 -> %1$s) p)
          )$sql$,
          at_value
        )
        when 'attribute_number_gt' then format(
          $sql$case when jsonb_typeof(c.attributes -> ($3 -> %1$s ->> 'name')) = 'number' then (
            c.attributes ->> ($3 -> %1$s ->> 'name')
          )::numeric > ($3 -> %1$s ->> 'value')::numeric else false end$sql$,
          at_value
        )
        when 'attribute_text_gt' then format(
          $sql$case when jsonb_typeof(c.attributes -> ($3 -> %1$s ->> 'name')) = 'string' then (
            c.attributes ->> ($3 -> %1$s ->> 'name')
          ) collate "C" > ($3 -> %1$s ->> 'value') else false end$sql$,
          at_value
        )
        when 'attribute_number_gte' then format(
          $sql$case when jsonb_typeof(c.attributes -> ($3 -> %1$s ->> 'name')) = 'number' then (
            c.attributes ->> ($3 -> %1$s ->> 'name')
          )::numeric >= ($3 -> %1$s ->> 'value')::numeric else false end$sql$,
          at_value
        )
        when 'attribute_text_gte' then format(
          $sql$case when jsonb_typeof(c.attributes -> ($3 -> %1$s ->> 'name')) = 'string' then (
            c.attributes ->> ($3 -> %1$s ->> 'name')
          ) collate "C" >= ($3 -> %1$s ->> 'value') else false end$sql$,
          at_value
        )
        when 'attribute_number_lt' then format(
          $sql$case when jsonb_typeof(c.attributes -> ($3 -> %1$s ->> 'name')) = 'number' then (
            c.attributes ->> ($3 -> %1$s ->> 'name')
          )::numeric < ($3 -> %1$s ->> 'value')::numeric else false end$sql$,
          at_value
        )
        when 'attribute_text_lt' then format(
          $sql$case when jsonb_typeof(c.attributes -> ($3 -> %1$s ->> 'name')) = 'string' then (
            c.attributes ->> ($3 -> %1$s ->> 'name')
          ) collate "C" < ($3 -> %1$s ->> 'value') else false end$sql$,
          at_value
        )
        when 'attribute_number_lte' then format(
          $sql$case when jsonb_typeof(c.attributes -> ($3 -> %1$s ->> 'name')) = 'number' then (
            c.attributes ->> ($3 -> %1$s ->> 'name')
          )::numeric <= ($3 -> %1$s ->> 'value')::numeric else false end$sql$,
          at_value
        )
        when 'attribute_text_lte' then format(
          $sql$case when jsonb_typeof(c.attributes -> ($3 -> %1$s ->> 'name')) = 'string' then (
            c.attributes ->> ($3 -> %1$s ->> 'name')
          ) collate "C" <= ($3 -> %1$s ->> 'value') else false end$sql$,
          at_value
        )
        when 'last_inbound_gt' then format(
          $sql$coalesce(
            (
              select max(v.last_inbound_at)
              from conversation v
              where v.workspace_id = c.workspace_id and v.contact_id = c.id
            ) > ($3 ->> %1$s)::timestamptz,
            false
          )$sql$,
          at_value
        )
        when 'last_inbound_gte' then format(
          $sql$coalesce(
            (
              select max(v.last_inbound_at)
              from conversation v
              where v.workspace_id = c.workspace_id and v.contact_id = c.id
            ) >= ($3 ->> %1$s)::timestamptz,
            false
          )$sql$,
          at_value
        )
        when 'last_inbound_lt' then format(
          $sql$coalesce(
            (
              select max(v.last_inbound_at)
              from conversation v
              where v.workspace_id = c.workspace_id and v.contact_id = c.id
            ) < ($3 ->> %1$s)::timestamptz,
            false
          )$sql$,
          at_value
        )
        when 'last_inbound_lte' then format(
          $sql$coalesce(
            (
              select max(v.last_inbound_at)
              from conversation v
              where v.workspace_id = c.workspace_id and v.contact_id = c.id
            ) <= ($3 ->> %1$s)::timestamptz,
            false
          )$sql$,
          at_value
        )
        when 'created_gt' then format($sql$coalesce(c.created_at > ($3 ->> %1$s)::timestamptz, false)$sql$, at_value)
        when 'created_gte' then format($sql$coalesce(c.created_at >= ($3 ->> %1$s)::timestamptz, false)$sql$, at_value)
        when 'created_lt' then format($sql$coalesce(c.created_at < ($3 ->> %1$s)::timestamptz, false)$sql$, at_value)
        when 'created_lte' then format($sql$coalesce(c.created_at <= ($3 ->> %1$s)::timestamptz, false)$sql$, at_value)
        when 'updated_gt' then format($sql$coalesce(c.updated_at > ($3 ->> %1$s)::timestamptz, false)$sql$, at_value)
        when 'updated_gte' then format($sql$coalesce(c.updated_at >= ($3 ->> %1$s)::timestamptz, false)$sql$, at_value)
        when 'updated_lt' then format($sql$coalesce(c.updated_at < ($3 ->> %1$s)::timestamptz, false)$sql$, at_value)
        when 'updated_lte' then format($sql$coalesce(c.updated_at <= ($3 ->> %1$s)::timestamptz, false)$sql$, at_value)
      end;
    end if;
    if part is null then
      raise exception 'there is no step %', step ->> 'do';
    end if;
    stack := stack || ('(' || part || ')');
  end loop;
  if cardinality(stack) > 1 then
    raise exception 'the steps leave % conditions', cardinality(stack);
  end if;
  condition_sql := stack[1];
end
$function$;

create or replace function count_attempts(rows json, now timestamptz, call uuid, again boolean) returns table (
  more boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  rows_taken bigint;
begin
  insert into flight (id) values (call);
  if not pg_try_advisory_xact_lock(4919202672) then
    return query select false;
    return;
  end if;
  with taken as (
    delete from attempt_count a using (
      select o.workspace_id, o.id
      from attempt_count o
      order by o.workspace_id, o.id
      limit 2000
    ) x
    where a.workspace_id = x.workspace_id and a.id = x.id
    returning a.workspace_id, a.webhook_endpoint_id, a.outcome, a.at, a.bin, a.count
  ),
  added as (
    insert into metric as d (workspace_id, series, span, at, resource_id, value, bin, count)
    select x.workspace_id, g.series, p.span, date_bin(p.span * interval '1 minute', x.at, timestamptz 'epoch'),
      x.webhook_endpoint_id, g.value, g.bin, sum(x.count)
    from taken x
    cross join lateral (
      values ('attempt', x.outcome, -1::smallint, true), ('attempt', x.outcome, x.bin, x.bin is not null)
    ) g(series, value, bin, counts)
    cross join (values (5::smallint), (60::smallint), (1440::smallint)) p(span)
    where g.counts
    group by 1, 2, 3, 4, 5, 6, 7
    order by 1, 2, 3, 4, 5, 6, 7
    on conflict (workspace_id, series, span, at, resource_id, value, bin) do update
    set count = d.count + excluded.count
  )
  select count(*) into rows_taken
  from taken;
  return query select rows_taken = 2000;
end
$function$;

create or replace function count_backlog(rows json, now timestamptz, call uuid, again boolean) returns table (
  waiting int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select b.waiting
    from rows from (json_to_recordset(rows) as (slot smallint, lane int, most int)) with ordinality u
    cross join lateral (
      select count(*)::int as waiting
      from (select from dispatch d where d.slot::int = u.slot and d.lane = u.lane and d.due <= now limit u.most) r
      offset 0
    ) b
    order by u.ordinality;
end
$function$;

create or replace function count_contacts(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, count bigint, at uuid
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set work_mem = '32MB'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  filter_sql text;
  narrow_sql text;
  sample_sql text;
  candidates uuid[];
  plan json;
  expected float8;
  sampled float8;
  r record;
  began timestamptz;
  counted bigint;
  fitting bigint;
  looked_at int;
  last_looked_at uuid;
begin
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, filter json, narrow json, sample json,
        values jsonb, before uuid, most_candidates int, budget_ms int
      )
    ) with ordinality x
  loop
    filter_sql := compile_condition(r.filter);
    narrow_sql := compile_condition(r.narrow);
    sample_sql := compile_condition(r.sample);
    began := clock_timestamp();
    counted := 0;
    candidates := null;
    last_looked_at := r.before;
    if r.before is null and narrow_sql is not null
      and exists (select from pg_index i where i.indexrelid = to_regclass('contact_search') and i.indisvalid) then
      execute 'explain (format json) select c.id from contact c where c.workspace_id::text = $1 and ' || narrow_sql ||
      '' into plan using r.workspace_id::text, null::int, r.
      values;
      expected := (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float8;
      execute 'explain (format json) select c.id from contact c where c.workspace_id::text = $1' into plan using
      r.workspace_id::text, null::int, r.
      values;
      execute 'select $4 * count(*) filter (where ' || sample_sql || ') / greatest(count(*), 1) from (select c.* from (

               select (''x'' || substr(o.id::text, 1, 8) || substr(o.id::text, 10, 4))::bit(48)::bigint as oldest,
      (''x'' || substr(n.id::text, 1, 8) || substr(n.id::text, 10, 4))::bit(48)::bigint as newest
          from (select
      c.id from contact c where c.workspace_id = $1 order by c.id limit 1) o
          cross join (select c.id from
      contact c where c.workspace_id = $1 order by c.id desc limit 1) n) t
        cross join generate_series(0, 19)
      p(n)
        cross join lateral (
          select c.* from contact c
          where c.workspace_id = $1
        
         and c.id >= rpad(lpad(to_hex(t.oldest + (t.newest - t.oldest) * p.n / 20), 12, ''0''), 32, ''0'')::uuid
       
        order by c.id limit 50) c) c' into sampled using r.workspace_id, null::int, r.
      values, (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float8;
      candidates := null;
      if greatest(expected, sampled) <= r.most_candidates then
        perform set_config('enable_bitmapscan', 'on', true);
        execute 'select coalesce(array_agg(n.id), ''{}'') from (select c.id from contact c where c.workspace_id::text =
        $1 and ' || narrow_sql || ' limit $2) n' into candidates using r.workspace_id::text, r.most_candidates + 1, r.
        values;
        perform set_config('enable_bitmapscan', 'off', true);
        if cardinality(candidates) > r.most_candidates then
          candidates := null;
        end if;
      end if;
    end if;
    if candidates is not null then
      execute 'select count(*) from unnest($2) u(id)
        cross join lateral (select c.* from contact c where c.workspace_id = $1 and c.id = u.id offset 0) c
        where c.merged_into is null and ' || coalesce(
        filter_sql, 'true'
      ) into counted using r.workspace_id,
      candidates, r.
      values;
      last_looked_at := null;
    else
      loop
        execute 'select count(*) filter (where x.fits), count(*), (array_agg(x.id))[count(*)] from (
          select c.id, c.merged_into is null and ' || coalesce(
          filter_sql, 'true'
        ) || ' as fits from contact c
          where c.workspace_id = $1 and c.id < $2 order by c.id desc limit 5000) x' into fitting,
        looked_at, last_looked_at using r.workspace_id,
        coalesce(last_looked_at, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), r.
        values;
        counted := counted + fitting;
        if looked_at < 5000 then
          last_looked_at := null;
          exit;
        end if;
        exit when clock_timestamp() > began + r.budget_ms * interval '1 millisecond';
      end loop;
    end if;
    return query select r.workspace_id, counted, last_looked_at;
  end loop;
end
$function$;

create or replace function count_endpoints(rows json, now timestamptz, call uuid, again boolean) returns table (
  status text, endpoints int, parked int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select w.status, count(*)::int, coalesce(sum(d.parked), 0)::int
    from webhook_endpoint w
    left join lateral (
      select count(*)::int as parked
      from (
        select
        from deliver d
        where w.status = 'disabled' and d.slot = (w.lane % 64)::smallint and d.lane = w.lane
        limit 100000
      ) d
      offset 0
    ) d on true
    group by w.status
    order by w.status;
end
$function$;

create or replace function count_messages(rows json, now timestamptz, call uuid, again boolean) returns table (
  behind uuid, more boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  stops timestamptz := clock_timestamp() + interval '1 seconds';
  start uuid;
  last_done uuid;
  settled xid8;
  this_era int;
  has_more boolean := false;
  marked_at timestamptz;
  w record;
  s record;
  lowest_id uuid;
begin
  insert into flight (id) values (call);
  if not pg_try_advisory_xact_lock(4919202671) then
    return query select null::uuid, false;
    return;
  end if;
  start := (select x.behind from rows from (json_to_recordset(rows) as (behind uuid)) with ordinality x limit 1);
  settled := pg_snapshot_xmin(pg_current_snapshot());
  this_era := current_era();
  marked_at := greatest(now, clock_timestamp());
  insert into feed_mark (workspace_id, at, era, xid)
  select '00000000-0000-0000-0000-000000000000', marked_at, this_era, settled
  where not exists (
    select
    from feed_mark m
    where m.workspace_id = '00000000-0000-0000-0000-000000000000' and m.at > marked_at - interval '1 hours'
  );
  if found then
    delete from feed_mark m
    where m.workspace_id = '00000000-0000-0000-0000-000000000000' and m.at < marked_at - interval '9600 hours';
  end if;
  for w in
    select k.workspace_id, coalesce(f.era, 0) as era, coalesce(f.xid, '0'::xid8) as xid,
      coalesce(f.id, '00000000-0000-0000-0000-000000000000'::uuid) as id, f.looked_at
    from workspace k
    left join metric_frontier f on f.workspace_id = k.workspace_id
    where k.workspace_id > start
    order by k.workspace_id
  loop
    lowest_id := uuid_floor(coalesce(w.looked_at, now) - interval '24 hours');
    with latest as materialized (
      select v.workspace_id, v.era, v.xid, v.id, v.kind, v.message_id, v.occurred_at, v.created_at, v.state
      from event v
      where v.workspace_id = w.workspace_id and v.sequence > 0 and v.id >= lowest_id
        and (v.era, v.xid, v.id) > (w.era, w.xid, w.id) and (v.era, v.xid) < (this_era, settled)
      order by v.era, v.xid, v.id
      limit 2000
    ),
    reported as materialized (
      select e.workspace_id, m.phone_number_id,
      -- The provider's clock may be wrong, but nothing is reported before it happens, nor of a message that is not there.
      least(greatest(e.occurred_at, case when m.outbound then m.created_at end), e.created_at) as at,
      case
        when e.kind in ('messages', 'standby_messages') then 'received'
        when e.kind = 'played' then 'read'
        else e.kind
      end as status,
      case e.kind
        when 'read' then e.seen & 96 = 32
        when 'played' then e.seen & 96 = 64
        when 'unknown' then e.seen & 128 = 0
        else true
      end as is_status, e.seen & 895 = e.bit as is_first, e.kind in ('failed', 'expired') as is_failure,
      coalesce(left(e.state -> 'error' ->> 'code', 64), '') as error_code,
      coalesce(left(case when t.fell_back then m.fallback_name else m.template_name end, 512), '') as template,
      coalesce(case when t.fell_back then m.fallback_category else m.category end, '') as category,
      case
        when e.kind = 'delivered' then ceil(
          ln(
            least(
              greatest(
                extract(
                  epoch
                  from (e.state ->> 'delivered_at')::timestamptz - (e.state ->> 'accepted_at')::timestamptz
                ) * 1000,
                1
              ),
              10000000000
            )::float8
          ) / ln(1.1::float8)
        )::smallint
      end as bin
      from (
        select v.*,
          case v.kind
            when 'unknown' then 1
            when 'accepted' then 2
            when 'sent' then 4
            when 'failed' then 8
            when 'delivered' then 16
            when 'read' then 32
            when 'played' then 64
            when 'canceled' then 256
            when 'expired' then 512
            else 0
          end as bit, coalesce((v.state ->> 'seen')::int, 0) as seen
        from latest v
        where v.kind in (
          'messages', 'standby_messages', 'unknown', 'accepted', 'sent', 'failed', 'delivered', 'read', 'played',
          'canceled', 'expired'
        )
      ) e
      cross join lateral (select coalesce((e.state ->> 'fallback_used')::boolean, false) as fell_back offset 0) t
      cross join lateral (
        select m.phone_number_id, m.outbound, m.created_at, m.category, m.fallback_category,
          case when m.type = 'template' then m.content ->> 'name' end as template_name,
          m.fallback ->> 'name' as fallback_name
        from message m
        where m.workspace_id = e.workspace_id and m.id = e.message_id
          and not coalesce(m.provided ->> 'origin' = 'history', false)
        offset 0
      ) m
    ),
    added as (
      insert into metric as d (workspace_id, series, span, at, resource_id, value, bin, count)
      select x.workspace_id, g.series, p.span, date_bin(p.span * interval '1 minute', x.at, timestamptz 'epoch'),
        x.phone_number_id, g.value, g.bin, sum(1)
      from reported x
      cross join lateral (
        values ('status', x.status, -1::smallint, x.is_status), ('status', x.status, x.bin, x.bin is not null),
          ('category', x.category, -1::smallint, x.is_first), ('category', x.category, x.bin, x.bin is not null),
          ('template', x.template, -1::smallint, x.is_first), ('template', x.template, x.bin, x.bin is not null),
          ('error_code', x.error_code, -1::smallint, x.is_failure),
          ('error_code', x.error_code, null::smallint, null::smallint is not null)
      ) g(series, value, bin, counts)
      cross join (values (5::smallint), (60::smallint), (1440::smallint)) p(span)
      where g.counts
      group by 1, 2, 3, 4, 5, 6, 7
      order by 1, 2, 3, 4, 5, 6, 7
      on conflict (workspace_id, series, span, at, resource_id, value, bin) do update
      set count = d.count + excluded.count
    )
    select f.era, f.xid, f.id, count(*) over () as events into s
    from latest f
    order by f.era desc, f.xid desc, f.id desc
    limit 1;
    if s.events = 2000 then
      has_more := true;
      -- Ids below are of before the place in the order, not in time: the rest may be as old.
      update metric_frontier f
      set era = s.era, xid = s.xid, id = s.id
      where f.workspace_id = w.workspace_id;
      if not found then
        insert into metric_frontier (workspace_id, era, xid, id, looked_at)
        values (w.workspace_id, s.era, s.xid, s.id, now);
      end if;
    elsif s.events > 0 or w.looked_at is null or w.looked_at < now - interval '1 hours' then
      insert into metric_frontier as f (workspace_id, era, xid, id, looked_at)
      values (w.workspace_id, this_era, settled, '00000000-0000-0000-0000-000000000000'::uuid, now)
      on conflict (workspace_id) do update
      set era = excluded.era,
        xid = excluded.xid,
        id = excluded.id,
        looked_at = greatest(f.looked_at, excluded.looked_at);
    end if;
    last_done := w.workspace_id;
    exit when clock_timestamp() > stops;
  end loop;
  return query
    select case when exists (select from workspace k where k.workspace_id > last_done) then last_done end, has_more;
end
$function$;

create or replace function count_rooms(rows json, now timestamptz, call uuid, again boolean) returns table (
  room text, portfolios int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    with known as materialized (
      select p.*,
        case
          when p.full_until > now then 0
          when p.used * 2 < p.most then p.most - p.used
          else p.most - (
            select count(*)::int
            from portfolio_recipient r
            where r.portfolio_id = p.portfolio_id
              and r.minute >= floor(extract(epoch from (now - interval '1441 minutes')) / 60)::int
          )
        end as left_over
      from portfolio_limit p
    )
    select k.room, count(*)::int
    from (
      select case
        when k.most is null then case when k.is_unlimited then 'unlimited' else 'unknown' end
        when k.left_over <= 0 then 'none'
        when k.left_over * 10 < k.most then 'below_tenth'
        when k.left_over * 2 < k.most then 'below_half'
        else 'above_half'
      end as room
      from known k
    ) k
    group by k.room
    order by k.room;
end
$function$;

create or replace function count_sent(rows json, now timestamptz, call uuid, again boolean) returns table (
  last uuid
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  ledger record;
  counting text[] := '{}';
  tight text[] := '{}';
  rooms int[] := '{}';
  room_ats timestamptz[] := '{}';
begin
  insert into flight (id) values (call);
  perform set_config('lock_timeout', '3s', true);
  for ledger in
    select p.*, g.asked
    from (
      select x.portfolio, count(*)::int as asked
      from json_to_recordset(rows) as x(portfolio text)
      where x.portfolio is not null
      group by x.portfolio
      order by x.portfolio
    ) g
    cross join lateral (select p.* from portfolio_limit p where p.portfolio_id = g.portfolio for no key update) p
  loop
    if ledger.most is not null then
      counting := counting || ledger.portfolio_id;
    end if;
    continue when (ledger.most is null or ledger.used + ledger.asked <= ledger.most)
    and (ledger.full_until is null or ledger.full_until <= now);
    with returned as (
      delete from portfolio_return t
      where t.portfolio_id = ledger.portfolio_id
      returning t.recipient, t.message_id
    ),
    taken_back as (
      delete from portfolio_recipient r using returned t
      where r.portfolio_id = ledger.portfolio_id and r.recipient = t.recipient and r.message_id = t.message_id
      returning 1
    )
    select ledger.used - count(*) into ledger.used
    from taken_back;
    if ledger.used + ledger.asked > ledger.most and ledger.next_room_at <= now then
      delete from portfolio_recipient r
      where r.portfolio_id = ledger.portfolio_id
        and r.minute < floor(extract(epoch from (now - interval '1441 minutes')) / 60)::int;
      select count(*),
        coalesce(
          to_timestamp((min(r.minute) + 1)::bigint * 60) + interval '1441 minutes', '-infinity'
        ) into ledger.used,
        ledger.next_room_at
      from portfolio_recipient r
      where r.portfolio_id = ledger.portfolio_id;
    end if;
    update portfolio_limit p
    set used = ledger.used, next_room_at = ledger.next_room_at
    where p.portfolio_id = ledger.portfolio_id;
    tight := tight || ledger.portfolio_id;
    rooms := rooms || case when ledger.full_until > now then 0 else greatest(ledger.most - ledger.used, 0) end;
    -- Where no person had been counted, those of now leave first.
    room_ats := room_ats || coalesce(
      nullif(greatest(ledger.next_room_at, ledger.full_until), '-infinity'),
      to_timestamp((floor(extract(epoch from now) / 60)::int + 1)::bigint * 60) + interval '1441 minutes'
    );
  end loop;
  perform set_config('lock_timeout', '100ms', true);
  return query
    with page as materialized (
      select x.portfolio, x.ordinality, m.*
      from rows from (
        json_to_recordset(rows) as (portfolio text, workspace_id uuid, lo uuid, most int)
      ) with ordinality x
      cross join lateral (
        select m.id, m.workspace_id, m.outbound, m.type, m.contact_id, m.phone_number_id, m.created_at
        from message m
        where m.workspace_id = x.workspace_id and m.id > x.lo
        order by m.id
        limit x.most
      ) m
    ),
    sent as materialized (
      select p.portfolio, p.id, floor(extract(epoch from greatest(p.created_at, s.accepted_at)) / 60)::int as minute,
        recipient_digest(
          counted_person(
            p.workspace_id,
            (
              select coalesce(m.merged_into, m.id)
              from contact m
              where m.workspace_id = p.workspace_id and m.id = p.contact_id
            ),
            p.phone_number_id
          )
        ) as counted_as
      from page p
      left join lateral (
        select n.business_account_id
        from phone_number n
        where n.workspace_id = p.workspace_id and n.id = p.phone_number_id
        offset 0
      ) n on true
      left join lateral (
        select a.portfolio_id, a.provider_account_id
        from business_account a
        where a.workspace_id = p.workspace_id and a.id = n.business_account_id
        offset 0
      ) a on true
      left join lateral (
        select s.rank, s.accepted_at, s.fallback_used
        from message_state s
        where s.workspace_id = p.workspace_id and s.id = p.id
        offset 0
      ) s on true
      left join lateral (
        select v.last_inbound_at
        from conversation v
        where v.workspace_id = p.workspace_id and v.contact_id = p.contact_id and v.phone_number_id = p.phone_number_id
        offset 0
      ) v on true
      where p.outbound and (p.type = 'template' or s.fallback_used) and p.portfolio = any(counting)
        and coalesce(a.portfolio_id, a.provider_account_id) = p.portfolio and coalesce(s.rank, 0) not in (5, 8, 9)
        and (
          v.last_inbound_at > p.created_at
          or (
            v.last_inbound_at is null
            or v.last_inbound_at + interval '1439 minutes' <= greatest(p.created_at, s.accepted_at)
          )
        )
    ),
    kept as (
      delete from portfolio_return
      where ctid = any(
        array(
          select k.place
          from sent t
          cross join lateral (
            select k.ctid as place
            from portfolio_return k
            where k.portfolio_id = t.portfolio and k.message_id = t.id
            offset 0
          ) k
        )
      )
    ),
    counted as (
      insert into portfolio_recipient as r (portfolio_id, recipient, minute, message_id)
      select t.portfolio, t.counted_as, max(t.minute), case when count(*) = 1 then (array_agg(t.id))[1] end
      from sent t
      group by t.portfolio, t.counted_as
      order by t.portfolio, t.counted_as
      on conflict (portfolio_id, recipient) do update
      set minute = greatest(r.minute, excluded.minute),
        message_id = case when r.message_id = excluded.message_id then r.message_id end
      returning r.portfolio_id, r.xmax = 0 as is_new
    ),
    portfolios as (
      insert into portfolio_limit as p (portfolio_id, used, updated_at)
      select c.portfolio_id, count(*) filter (where c.is_new), now
      from counted c
      group by c.portfolio_id
      on conflict (portfolio_id) do update
      set used = p.used + excluded.used, next_room_at = '-infinity'
    )
    select (select max(p.id::text)::uuid from page p where p.ordinality = x.ordinality)
    from rows from (json_to_recordset(rows) as (portfolio text, workspace_id uuid, lo uuid, most int)) with ordinality x
    order by x.ordinality;
end
$function$;

create or replace function count_service(rows json, now timestamptz, call uuid, again boolean) returns table (
  slices int, more boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  stops timestamptz := clock_timestamp() + interval '1 seconds';
  w record;
  s service_slice;
  found_id uuid;
  begins uuid;
  ends uuid;
  middle uuid;
  midnight timestamptz;
  counted json;
  total bigint;
  done int := 0;
begin
  insert into flight (id) values (call);
  if not pg_try_advisory_xact_lock(4919202645) then
    return query select 0, false;
    return;
  end if;
  for w in
    select k.workspace_id, f.next
    from workspace k
    left join service_frontier f on f.workspace_id = k.workspace_id
  loop
    begins := coalesce(w.next, uuid_floor(date_trunc('month', now - interval '14 hours', 'UTC') - interval '14 hours'));
    loop
      found_id := (
        select m.id
        from event m
        where m.workspace_id = w.workspace_id and m.id >= begins and m.id < uuid_floor(now + interval '1 hours')
        order by m.id
        limit 1
      );
      exit when found_id is null;
      midnight := date_trunc('day', uuid_time(found_id), 'UTC');
      if begins < uuid_floor(midnight) then
        insert into service_slice (workspace_id, first, until, due)
        values (w.workspace_id, greatest(begins, uuid_floor(midnight - interval '1 hour')), uuid_floor(midnight), now)
        on conflict do nothing;
        begins := uuid_floor(midnight);
      end if;
      ends := uuid_floor(date_trunc('hour', uuid_time(found_id), 'UTC') + interval '1 hour');
      insert into service_slice (workspace_id, first, until, due)
      values (w.workspace_id, begins, ends, now)
      on conflict do nothing;
      begins := ends;
      insert into service_frontier as f (workspace_id, next)
      values (w.workspace_id, begins)
      on conflict (workspace_id) do update
      set next = greatest(f.next, excluded.next);
      exit when clock_timestamp() > stops;
    end loop;
    exit when clock_timestamp() > stops;
  end loop;
  for s in
    select u.*
    from service_slice u
    where u.due <= now
    order by u.due
    limit 500
  loop
    middle := (
      select m.id
      from event m
      where m.workspace_id = s.workspace_id and m.id >= s.first and m.id < s.until
      order by m.id
      offset 10000
      limit 1
    );
    if middle is not null then
      insert into service_slice (workspace_id, first, until, due)
      values (s.workspace_id, middle, s.until, now);
      s.until := middle;
    end if;
    select coalesce(json_agg(g) filter (where g.number is not null), '[]'), coalesce(sum(g.count), 0) into counted,
      total
    from (
      select n.number,
        case
          when n.number is not null then case
            when 1 in (
              extract(day from d.at at time zone 'UTC'), extract(day from d.at at time zone 'UTC' + interval '1 day')
            ) then date_bin(interval '15 minutes', d.at, timestamptz 'epoch')
            else date_trunc('day', d.at, 'UTC')
          end
        end as at, count(*) as count
      from event e
      left join lateral (
        select coalesce(i.delivered_at, i.read_at) as at, i.fallback_used,
          coalesce(nullif(lower(btrim(i.pricing ->> 'category')), ''), '') as category,
          i.pricing is not null and (
            coalesce(nullif(lower(btrim(i.pricing ->> 'subtype')), '') = 'paid_exempt', false)
            or coalesce(nullif(lower(btrim(i.pricing ->> 'type')), '') = 'free_entry_point', false)
          ) as is_free
        from message_state i
        where case e.kind
          when 'delivered' then (e.state ->> 'seen')::int & 112 = 16
          when 'read' then (e.state ->> 'seen')::int & 112 = 32
          when 'played' then (e.state ->> 'seen')::int & 112 = 64
          else false
        end and i.workspace_id = e.workspace_id and i.id = e.message_id
        offset 0
      ) d on true
      left join lateral (
        select m.phone_number_id as number
        from message m
        where d.category in ('', 'service', 'group_service') and m.workspace_id = e.workspace_id and m.id = e.message_id
          and m.type <> 'reaction' and not d.is_free
          and (
            d.category <> '' or m.type <> 'template' and not d.fallback_used and m.provided ->> 'origin' is null
            and m.provided ->> 'handled_by' is null
          )
        offset 0
      ) n on true
      where e.workspace_id = s.workspace_id and e.id >= s.first and e.id < s.until
      group by 1, 2
    ) g;
    -- Retention has removed some: what they were counted as stays.
    if total < s.events then
      delete from service_slice u
      where u.workspace_id = s.workspace_id and u.first = s.first;
      continue;
    end if;
    insert into service_use as u (workspace_id, phone_number_id, at, count)
    select s.workspace_id, x.number, x.at, sum(x.count)
    from (
      select n.*
      from json_to_recordset(counted) as n(number uuid, at timestamptz, count bigint)
      union all
      select o.number, o.at, -o.count
      from json_to_recordset(s.groups) as o(number uuid, at timestamptz, count bigint)
    ) x
    group by x.number, x.at
    having sum(x.count) <> 0
    order by x.number, x.at
    on conflict (workspace_id, phone_number_id, at) do update
    set count = u.count + excluded.count;
    if now - uuid_time(s.first) > interval '768 hours' then
      delete from service_slice u
      where u.workspace_id = s.workspace_id and u.first = s.first;
      delete from service_use u
      where u.workspace_id = s.workspace_id and u.at < now - interval '1680 hours';
    else
      update service_slice u
      set until = s.until,
        groups = counted,
        events = total,
        due = now + least(
          greatest(interval '30 seconds', total * interval '6 milliseconds', (now - uuid_time(s.until)) * 2),
          interval '96 hours'
        )
      where u.workspace_id = s.workspace_id and u.first = s.first;
    end if;
    done := done + 1;
    exit when clock_timestamp() > stops;
  end loop;
  return query
    select done, exists (select from service_slice u where u.due <= now);
end
$function$;

create or replace function count_usage(rows json, now timestamptz, call uuid, again boolean) returns table (
  slices int, more boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  stops timestamptz := clock_timestamp() + interval '1 seconds';
  w record;
  s usage_slice;
  found_id uuid;
  begins uuid;
  ends uuid;
  middle uuid;
  midnight timestamptz;
  counted json;
  total bigint;
  done int := 0;
  typed_from uuid;
begin
  insert into flight (id) values (call);
  if not pg_try_advisory_xact_lock(4919202615) then
    return query select 0, false;
    return;
  end if;
  for w in
    select k.workspace_id, f.next
    from workspace k
    left join usage_frontier f on f.workspace_id = k.workspace_id
  loop
    begins := coalesce(w.next, uuid_floor('epoch'));
    loop
      found_id := (
        select m.id
        from message m
        where m.workspace_id = w.workspace_id and m.id >= begins and m.id < uuid_floor(now + interval '1 hours')
        order by m.id
        limit 1
      );
      exit when found_id is null;
      midnight := date_trunc('day', uuid_time(found_id), 'UTC');
      if begins < uuid_floor(midnight) then
        insert into usage_slice (workspace_id, first, until, due)
        values (w.workspace_id, greatest(begins, uuid_floor(midnight - interval '1 hour')), uuid_floor(midnight), now)
        on conflict do nothing;
        begins := uuid_floor(midnight);
      end if;
      ends := uuid_floor(date_trunc('hour', uuid_time(found_id), 'UTC') + interval '1 hour');
      insert into usage_slice (workspace_id, first, until, due)
      values (w.workspace_id, begins, ends, now)
      on conflict do nothing;
      begins := ends;
      insert into usage_frontier as f (workspace_id, next)
      values (w.workspace_id, begins)
      on conflict (workspace_id) do update
      set next = greatest(f.next, excluded.next);
      exit when clock_timestamp() > stops;
    end loop;
    exit when clock_timestamp() > stops;
  end loop;
  for s in
    select u.*
    from usage_slice u
    where u.due <= now
    order by u.due
    limit 500
  loop
    middle := (
      select m.id
      from message m
      where m.workspace_id = s.workspace_id and m.id >= s.first and m.id < s.until
      order by m.id
      offset 10000
      limit 1
    );
    if middle is not null then
      insert into usage_slice (workspace_id, first, until, due)
      values (s.workspace_id, middle, s.until, now);
      s.until := middle;
    end if;
    typed_from := (select uuid_floor(f.typed_from) from usage_frontier f where f.workspace_id = s.workspace_id);
    select coalesce(json_agg(g), '[]'), coalesce(sum(g.count), 0) into counted, total
    from (
      select m.outbound, m.phone_number_id as number,
        case
          when not m.outbound then 'received'
          when s2.rank = 2 then 'unknown'
          when s2.rank = 3 then 'accepted'
          when s2.rank = 4 then 'sent'
          when s2.rank = 5 then 'failed'
          when s2.rank = 6 then 'delivered'
          when s2.rank = 7 then 'read'
          when s2.rank = 8 then 'canceled'
          when s2.rank = 9 then 'expired'
          when m.send_at > now then 'scheduled'
          else 'queued'
        end as status,
        coalesce(s2.category, case when s2.fallback_used then m.fallback_category else m.category end, '') as category,
        count(*) as count, count(*) filter (where s2.billable) as billable
      from message m
      cross join lateral (
        select i.rank, i.fallback_used, left(nullif(lower(btrim(i.pricing ->> 'category')), ''), 64) as category,
          case
            when i.pricing is null then false
            when i.id < typed_from then case
              when i.pricing ->> 'billable' is null then case
                when nullif(lower(btrim(i.pricing ->> 'type')), '') is null then coalesce(
                  lower(i.pricing ->> 'billable') = 'true', false
                )
                else nullif(lower(btrim(i.pricing ->> 'type')), '') = 'regular'
                and not coalesce(nullif(lower(btrim(i.pricing ->> 'subtype')), '') = 'paid_exempt', false)
              end
              else i.pricing ->> 'billable' = 'true'
            end
            else case
              when nullif(lower(btrim(i.pricing ->> 'type')), '') is null then coalesce(
                lower(i.pricing ->> 'billable') = 'true', false
              )
              else nullif(lower(btrim(i.pricing ->> 'type')), '') = 'regular'
              and not coalesce(nullif(lower(btrim(i.pricing ->> 'subtype')), '') = 'paid_exempt', false)
            end
          end as billable
        from message_state i
        where i.workspace_id = m.workspace_id and i.id = m.id and i.id >= s.first and i.id < s.until
        offset 0
      ) s2
      where m.workspace_id = s.workspace_id and m.id >= s.first and m.id < s.until
        and not coalesce(m.provided ->> 'origin' = 'history', false)
      group by 1, 2, 3, 4
    ) g;
    -- Retention has removed some: what they were counted as stays.
    if total < s.messages then
      delete from usage_slice u
      where u.workspace_id = s.workspace_id and u.first = s.first;
      continue;
    end if;
    insert into usage_day as d (workspace_id, day, phone_number_id, outbound, status, category, count, billable)
    select s.workspace_id, (uuid_time(s.first) at time zone 'UTC')::date, x.number, x.outbound, x.status, x.category,
      sum(x.count), sum(x.billable)
    from (
      select n.*
      from json_to_recordset(counted) as n(
        outbound boolean, number uuid, status text, category text, count bigint, billable bigint
      )
      union all
      select o.outbound, o.number, o.status, o.category, -o.count, -o.billable
      from json_to_recordset(s.groups) as o(
        outbound boolean, number uuid, status text, category text, count bigint, billable bigint
      )
    ) x
    group by x.number, x.outbound, x.status, x.category
    having sum(x.count) <> 0 or sum(x.billable) <> 0
    order by x.number, x.outbound, x.status, x.category
    on conflict (workspace_id, day, phone_number_id, outbound, status, category) do update
    set count = d.count + excluded.count, billable = d.billable + excluded.billable;
    if now - uuid_time(s.first) > interval '768 hours' then
      delete from usage_slice u
      where u.workspace_id = s.workspace_id and u.first = s.first;
    else
      update usage_slice u
      set until = s.until,
        groups = counted,
        messages = total,
        due = now + least(
          greatest(interval '1 minutes', total * interval '30 milliseconds', (now - uuid_time(s.until)) * 1),
          interval '96 hours'
        )
      where u.workspace_id = s.workspace_id and u.first = s.first;
    end if;
    done := done + 1;
    exit when clock_timestamp() > stops;
  end loop;
  return query
    select done, exists (select from usage_slice u where u.due <= now);
end
$function$;

create or replace function decide_public_ids(rows json, now timestamptz, call uuid, again boolean, lowest uuid default '00000000-0000-0000-0000-000000000000', highest uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff') returns table (
  public_id text, minted boolean, error json
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  s record;
  public_ids text[] := '{}';
  are_minted boolean[] := '{}';
  errors json[] := '{}';
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (json_to_recordset(rows) as (workspace_id uuid, message_id uuid, minted_id text)) with ordinality x
    order by x.workspace_id, x.message_id
  loop
    select s.minted_id, s.provider_message_id, s.seen, s.error into s
    from message_state s
    where s.workspace_id = r.workspace_id and s.id = r.message_id and s.id between lowest and highest for no key update;
    if found and coalesce(s.minted_id, s.provider_message_id) is null
      and not (coalesce(s.minted_id, s.provider_message_id) is null and s.seen & 776 <> 0) then
      update message_state m
      set minted_id = r.minted_id
      where m.workspace_id = r.workspace_id and m.id = r.message_id and m.id between lowest and highest;
      insert into provider_message (workspace_id, provider_message_id, message_id, created_at, inbound)
      values (r.workspace_id, r.minted_id, r.message_id, now, false)
      on conflict do nothing;
      s.minted_id := r.minted_id;
    end if;
    public_ids[r.ordinality] := coalesce(s.minted_id, s.provider_message_id);
    are_minted[r.ordinality] := s.minted_id is not null;
    errors[r.ordinality] := case
      when (coalesce(s.minted_id, s.provider_message_id) is null and s.seen & 776 <> 0) then s.error
    end;
  end loop;
  return query
    select u.public_id, u.minted, u.error
    from unnest(public_ids, are_minted, errors) with ordinality u(public_id, minted, error, n)
    order by u.n;
end
$function$;

create or replace function deliver_advance(rows json, now timestamptz, call uuid, again boolean) returns table (
  moved int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  w record;
  n int;
begin
  insert into flight (id) values (call);
  for r in
    select *
    from rows from (
      json_to_recordset(rows) as (slot smallint, lane int, keys text[], lo bigint, hi bigint, due timestamptz)
    ) with ordinality x
    order by x.slot, x.lane, x.ordinality
  loop
    moved := 0;
    for w in
      select m.due, array_agg(p.place) as places
      from (
        select a.seq, a.workspace_id, r.due
        from (
          select f.seq, f.workspace_id, f.conversation, f.attempt, f.due
          from deliver f
          where f.slot::int = r.slot and f.lane = r.lane and f.due > now
          order by f.due, (f.seq + 0)
          limit 20000
        ) a
        where r.keys is not null and a.attempt = 0 and a.conversation = any(r.keys::bigint[])
          and a.seq between r.lo and r.hi
        union all
        select b.seq, b.workspace_id, greatest(r.due, b.behind)
        from (
          select a.seq, a.workspace_id, a.due, a.attempt,
            max(a.due) filter (where a.attempt > 0) over (
              partition by a.workspace_id, a.conversation order by a.seq
            ) as behind
          from (
            select f.seq, f.workspace_id, f.conversation, f.attempt, f.due
            from deliver f
            where f.slot::int = r.slot and f.lane = r.lane and f.due > now
            order by f.due, (f.seq + 0)
            limit 20000
          ) a
          where r.keys is null
        ) b
        where b.attempt = 0 and greatest(r.due, b.behind) < b.due
      ) m(seq, workspace_id, due)
      cross join lateral (
        select q.ctid as place
        from deliver q
        where q.slot = r.slot and q.seq = m.seq and q.workspace_id = m.workspace_id
        offset 0
      ) p
      group by m.due
    loop
      update deliver d
      set due = w.due
      where d.attempt + 0 = 0 and d.ctid = any(w.places);
      get diagnostics n = row_count;
      moved := moved + n;
    end loop;
    return next;
  end loop;
end
$function$;

create or replace function deliver_defer(rows json, now timestamptz, call uuid, again boolean) returns table (
  seq bigint
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
    -- Only to a later time, as conversations that were joined are. Not by a comparison: the row is found by its key, and due is
    -- the lane index's.
    update deliver d
    set due = r.due
    where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id
      and greatest(d.due, r.due) is distinct from d.due;
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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

create or replace function deliver_oldest(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, since float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select u.slot, l.since
    from rows from (json_to_recordset(rows) as (slot smallint, most int)) with ordinality u
    cross join lateral (
      with recursive t(lane, n) as (
        (select d.lane, 1 from deliver d where d.slot::int = u.slot order by d.lane limit 1)
        union all
        select (select d.lane from deliver d where d.slot::int = u.slot and d.lane > t.lane order by d.lane limit 1),
          t.n + 1
        from t
        where t.lane is not null and t.n < u.most
      )
      select count(t.lane) as lanes, (extract(epoch from min(least(f.at, w.due))) * 1000)::float8 as since
      from t
      left join lateral (
        select uuid_time(d.delivery_id) as at
        from deliver d
        where d.slot::int = u.slot and d.lane = t.lane and d.due = '-infinity'
        order by (d.seq + 0)
        limit 1
        offset 0
      ) f on true
      left join lateral (
        select d.due
        from deliver d
        where d.slot::int = u.slot and d.lane = t.lane and d.due > '-infinity' and d.due <= now
        order by d.due, (d.seq + 0)
        limit 1
        offset 0
      ) w on true
      where t.lane is not null
    ) l
    where l.lanes > 0;
end
$function$;

create or replace function deliver_outcomes(rows json, now timestamptz, call uuid, again boolean) returns table (
  slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  slots_filled bigint := 0;
  r record;
  w record;
  outcomes int;
  is_usual boolean;
  has_news boolean;
begin
  insert into flight (id) values (call);
  -- Endpoints before queue rows, each sorted. Found in another text too, the words only cost a pass.
  has_news := position('"says":' in rows::text) > 0;
  if has_news or position('"gone"' in rows::text) > 0 then
    perform 1
    from (
      select x.workspace_id, x.endpoint_id, x.says
      from rows from (
        json_to_recordset(rows) as (
          slot smallint, seq bigint, workspace_id uuid, delivery_id uuid, event_id uuid, endpoint_id uuid,
          endpoint_version int, kind text, created_at timestamptz, result text, due timestamptz, entry json,
          record boolean, says text
        )
      ) with ordinality x
      where x.result = 'gone' or x.says is not null
      order by 1, 2
    ) x
    cross join lateral (
      select 1
      from webhook_endpoint p
      where p.workspace_id = x.workspace_id and p.id = x.endpoint_id
        and (
          x.says is null
          or case x.says
            when 'recovered' then p.failing_since is not null
            else p.failing_events < 20 or p.enabled
            and p.failing_stage < case
              when p.failing_since <= now - interval '72 hours' then 3
              when p.failing_since <= now - interval '24 hours' then 2
              when p.failing_since <= now - interval '1 hour' then 1
              else 0
            end or p.failing_since <= now - interval '5 days'
          end
        ) for no key update
    ) p;
  end if;
  with outcome as materialized (
    select x.*, (x.entry->>'n')::smallint as n, x.result in ('succeeded', 'failed', 'dropped') as is_over
    from rows from (
      json_to_recordset(rows) as (
        slot smallint, seq bigint, workspace_id uuid, delivery_id uuid, event_id uuid, endpoint_id uuid,
        endpoint_version int, kind text, created_at timestamptz, result text, due timestamptz, entry json,
        record boolean
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
      case when not x.is_over then x.due end, x.created_at, case when x.is_over then now end, json_build_array(x.entry)
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
    returning d.workspace_id, d.webhook_endpoint_id, d.attempts -> -1 as entry
  ),
  counted as (
    insert into attempt_count (workspace_id, id, webhook_endpoint_id, outcome, at, bin, count)
    select g.workspace_id, new_uuid(now), g.webhook_endpoint_id, g.outcome, g.at, g.bin, g.count
    from (
      select x.workspace_id, x.webhook_endpoint_id, x.entry ->> 'outcome' as outcome,
        date_bin(interval '5 minutes', (x.entry ->> 'started_at')::timestamptz, timestamptz 'epoch') as at,
        ceil(
          ln(least(greatest((x.entry ->> 'duration_ms')::float8, 1), 10000000000)::float8) / ln(1.1::float8)
        )::smallint as bin,
        count(*) as count
      from recorded x
      group by 1, 2, 3, 4, 5
    ) g
  ),
  -- Not locked before: a row that another owner moves in this moment may stay, until that one's own attempts have ended.
  ended as (
    delete from deliver
    where ctid = any(
      array(
        select d.place
        from outcome x
        cross join lateral (
          select d.ctid as place
          from deliver d
          where x.is_over and d.slot = x.slot and d.seq = x.seq and d.workspace_id = x.workspace_id
          offset 0
        ) d
      )
    )
  )
  select count(*), bool_and(x.is_over and x.result <> 'dropped') into outcomes, is_usual
  from outcome x;
  if has_news or not is_usual then
    for r in
      select x.*, (x.entry->>'n')::smallint as n
      from rows from (
        json_to_recordset(rows) as (
          slot smallint, seq bigint, workspace_id uuid, delivery_id uuid, event_id uuid, endpoint_id uuid,
          endpoint_version int, kind text, created_at timestamptz, result text, due timestamptz, entry json,
          record boolean, says text
        )
      ) with ordinality x
      where x.result not in ('succeeded', 'failed') or x.says is not null
      order by x.ordinality
    loop
      if r.result = 'succeeded' then
        update webhook_endpoint p
        set status = case p.status when 'failing' then 'active' else p.status end,
          updated_at = case p.status when 'failing' then now else p.updated_at end,
          failing_since = null,
          failing_events = 0,
          failing_stage = 0
        where p.workspace_id = r.workspace_id and p.id = r.endpoint_id and p.failing_since is not null;
      elsif r.result = 'dropped' then
        update delivery d
        set status = 'failed', next_attempt_at = null, completed_at = now
        where d.workspace_id = r.workspace_id and d.id = r.delivery_id and d.status in ('pending', 'parked');
      elsif r.result = 'behind' then
        update deliver q
        set due = greatest(
          now,
          least(
            r.due,
            coalesce(
              (
                select min(f.due)
                from deliver f
                where f.slot::int = q.slot and f.lane = q.lane
                  and f.conversation = any(
                    coalesce(joined_conversations(r.workspace_id, q.conversation), array[q.conversation])
                  )
                  and (f.seq + 0) < r.seq and f.due > '-infinity'
              ),
              now
            )
          )
        )
        where q.slot = r.slot and q.seq = r.seq and q.workspace_id = r.workspace_id;
      else
        update deliver d
        set attempt = r.n, due = coalesce(r.due, now)
        where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id and d.attempt < r.n;
        -- Not another time when the call is repeated.
        if found and r.says = 'failed' then
          update webhook_endpoint p
          set failing_since = coalesce(p.failing_since, now), failing_events = p.failing_events + 1
          where p.workspace_id = r.workspace_id and p.id = r.endpoint_id and p.enabled and p.failing_events < 20
            and not exists (
              select
              from delivery d
              cross join lateral json_array_elements(d.attempts) a
              where d.workspace_id = r.workspace_id and d.id = r.delivery_id and (a->>'n')::int <> r.n
                and (a->>'started_at')::timestamptz > p.failing_since - interval '31 seconds'
            );
          update webhook_endpoint p
          set enabled = false,
            status = 'disabled',
            disabled_reason = 'failing',
            version = p.version + 1,
            updated_at = now,
            failing_since = null,
            failing_events = 0,
            failing_stage = 0
          where p.workspace_id = r.workspace_id and p.id = r.endpoint_id and p.enabled and p.failing_events >= 20
            and p.failing_since <= now - interval '5 days'
          returning p.id, p.url, p.events, p.fields, p.description, p.ordered, p.header_names, p.phone_number_ids,
            p.business_account_ids, p.timeout_seconds, p.rate_per_second, p.enabled, p.status, p.disabled_reason,
            p.created_at, p.updated_at, p.failing_stage into w;
          if found then
            event_id := new_uuid(now);
            insert into event (
              workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
            )
            values (
              r.workspace_id, event_id, (select i.era from installation i), 'endpoint_disabled',
              nextval('conversation_sequence'), null, null, r.endpoint_id, now,
              json_build_object('webhook_endpoint', row_to_json(w), 'reason', 'failing'), now
            );
            with deliveries as (
              insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
              select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
                hashtextextended(r.endpoint_id::text, 0)
              from webhook_endpoint e
              where e.workspace_id = r.workspace_id and e.lane >= 0 and e.events && array['*', 'endpoint_disabled']
                and not e.is_limited
              returning slot
            )
            select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
            from deliveries d;
          end if;
          update webhook_endpoint p
          set status = 'failing',
            updated_at = now,
            failing_stage = case
              when p.failing_since <= now - interval '72 hours' then 3
              when p.failing_since <= now - interval '24 hours' then 2
              when p.failing_since <= now - interval '1 hour' then 1
              else 0
            end
          where p.workspace_id = r.workspace_id and p.id = r.endpoint_id and p.enabled
            and p.failing_stage < case
              when p.failing_since <= now - interval '72 hours' then 3
              when p.failing_since <= now - interval '24 hours' then 2
              when p.failing_since <= now - interval '1 hour' then 1
              else 0
            end
          returning p.id, p.url, p.events, p.fields, p.description, p.ordered, p.header_names, p.phone_number_ids,
            p.business_account_ids, p.timeout_seconds, p.rate_per_second, p.enabled, p.status, p.disabled_reason,
            p.created_at, p.updated_at, p.failing_stage into w;
          if found then
            event_id := new_uuid(now);
            insert into event (
              workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
            )
            values (
              r.workspace_id, event_id, (select i.era from installation i), 'endpoint_failing',
              nextval('conversation_sequence'), null, null, r.endpoint_id, now,
              json_build_object(
                'webhook_endpoint', row_to_json(w), 'reason',
                (array['failing_for_1_hour', 'failing_for_24_hours', 'failing_for_72_hours'])[w.failing_stage]
              ),
              now
            );
            with deliveries as (
              insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
              select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
                hashtextextended(r.endpoint_id::text, 0)
              from webhook_endpoint e
              where e.workspace_id = r.workspace_id and e.lane >= 0 and e.events && array['*', 'endpoint_failing']
                and not e.is_limited
              returning slot
            )
            select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
            from deliveries d;
          end if;
        end if;
      end if;
      if r.result = 'gone' then
        -- Of an endpoint that has another URL since, or was switched off and on, it says nothing.
        update webhook_endpoint p
        set enabled = false,
          status = 'disabled',
          disabled_reason = 'gone',
          version = p.version + 1,
          updated_at = now,
          failing_since = null,
          failing_events = 0,
          failing_stage = 0
        where p.workspace_id = r.workspace_id and p.id = r.endpoint_id and p.enabled and p.version = r.endpoint_version
        returning p.id, p.url, p.events, p.fields, p.description, p.ordered, p.header_names, p.phone_number_ids,
          p.business_account_ids, p.timeout_seconds, p.rate_per_second, p.enabled, p.status, p.disabled_reason,
          p.created_at, p.updated_at, p.failing_stage into w;
        if found then
          event_id := new_uuid(now);
          insert into event (
            workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
          )
          values (
            r.workspace_id, event_id, (select i.era from installation i), 'endpoint_disabled',
            nextval('conversation_sequence'), null, null, r.endpoint_id, now,
            json_build_object('webhook_endpoint', row_to_json(w), 'reason', 'gone'), now
          );
          with deliveries as (
            insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
            select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
              hashtextextended(r.endpoint_id::text, 0)
            from webhook_endpoint e
            where e.workspace_id = r.workspace_id and e.lane >= 0 and e.events && array['*', 'endpoint_disabled']
              and not e.is_limited
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  slots_filled bigint := 0;
  r record;
  old_status text;
  a record;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, id uuid, reason text, provider_event text, with_event boolean, detail json
      )
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
    returning b.id, b.provider_account_id, b.name, b.status, b.status_reason, b.portfolio_id, b.time_zone,
      b.messaging_account_id, b.waac_id, b.created_at into a;
    if r.with_event and old_status <> 'connecting' then
      event_id := new_uuid(now);
      insert into event (
        workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
      )
      values (
        r.workspace_id, event_id, (select i.era from installation i), 'signup_revoked',
        nextval('conversation_sequence'), null, null, r.id, now,
        json_build_object(
          'business_account', row_to_json(a), 'provider_event', r.provider_event, 'reason', r.reason, 'detail', r.detail
        ),
        now
      );
      with deliveries as (
        insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
        select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
          hashtextextended(r.id::text, 0)
        from webhook_endpoint e
        where e.workspace_id = r.workspace_id and e.lane >= 0 and e.events && array['*', 'signup_revoked']
          and (
            not e.is_limited
            or is_got(r.workspace_id, within_limits(r.workspace_id, e.id, null::uuid, r.id, null::uuid))
          )
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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

create or replace function dispatch_numbered(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select d.slot, d.lane, (extract(epoch from d.due) * 1000)::float8, d.seq, d.workspace_id, d.message_id, null::uuid,
      d.recipient::text, d.attempt, d.state, (extract(epoch from d.started_at) * 1000)::float8,
      (extract(epoch from d.expires_at) * 1000)::float8
    from rows from (json_to_recordset(rows) as (slot smallint, seq bigint)) with ordinality u
    cross join lateral (select d.* from dispatch d where d.slot = u.slot and d.seq = u.seq offset 0) d
    order by d.seq;
end
$function$;

create or replace function dispatch_oldest(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, since float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select u.slot, l.since
    from rows from (json_to_recordset(rows) as (slot smallint, most int)) with ordinality u
    cross join lateral (
      with recursive t(lane, n) as (
        (select d.lane, 1 from dispatch d where d.slot::int = u.slot order by d.lane limit 1)
        union all
        select (select d.lane from dispatch d where d.slot::int = u.slot and d.lane > t.lane order by d.lane limit 1),
          t.n + 1
        from t
        where t.lane is not null and t.n < u.most
      )
      select count(t.lane) as lanes, (extract(epoch from min(least(f.at, w.due))) * 1000)::float8 as since
      from t
      left join lateral (
        select uuid_time(d.message_id) as at
        from dispatch d
        where d.slot::int = u.slot and d.lane = t.lane and d.due = '-infinity'
        order by (d.seq + 0)
        limit 1
        offset 0
      ) f on true
      left join lateral (
        select d.due
        from dispatch d
        where d.slot::int = u.slot and d.lane = t.lane and d.due > '-infinity' and d.due <= now
        order by d.due, (d.seq + 0)
        limit 1
        offset 0
      ) w on true
      where t.lane is not null
    ) l
    where l.lanes > 0;
end
$function$;

create or replace function dispatch_started(rows json, now timestamptz, call uuid, again boolean) returns table (
  seq bigint
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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

create or replace function due_accounts(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, business_account_id uuid
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select s.workspace_id, s.id
    from rows from (json_to_recordset(rows) as (created_before timestamptz, most int)) with ordinality x
    cross join lateral (
      select a.workspace_id, a.id
      from business_account a
      where a.status in ('connected', 'restricted')
        and case when a.reconcile_at is null then a.created_at <= x.created_before else a.reconcile_at <= now end
      order by coalesce(a.reconcile_at, a.created_at)
      limit x.most
    ) s;
end
$function$;

create or replace function emit_events(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  slots_filled bigint := 0;
  r record;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, kind text, contact_id uuid, message_id uuid, resource_id uuid, phone_number_id uuid,
        business_account_id uuid, state json, conversation text, callback_id uuid, unlisted boolean
      )
    ) with ordinality x
  loop
    event_id := new_uuid(now);
    insert into event (
      workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at,
      callback_id
    )
    values (
      r.workspace_id, event_id, (select i.era from installation i), r.kind,
      case when r.unlisted is true then 0 else nextval('conversation_sequence') end, r.message_id, r.contact_id,
      r.resource_id, now, r.state, now, r.callback_id
    );
    with deliveries as (
      insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
      select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
        hashtextextended(r.conversation, 0)
      from webhook_endpoint e
      where e.workspace_id = r.workspace_id and e.lane >= 0
        and e.events && case when r.unlisted is true then array[r.kind] else array['*', r.kind] end
        and (
          not e.is_limited
          or is_got(
            r.workspace_id, within_limits(r.workspace_id, e.id, r.phone_number_id, r.business_account_id, r.message_id)
          )
        )
      returning slot
    )
    select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
    from deliveries d;
    return query select event_id;
  end loop;
end
$function$;

create or replace function empty_events(rows json, now timestamptz, call uuid, again boolean) returns table (
  emptied int, more boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  stops timestamptz := clock_timestamp() + interval '500 milliseconds';
  a record;
  w record;
  r record;
  before uuid;
  last uuid;
  found_events int;
  said json;
  are_gone boolean;
  total int := 0;
  rest boolean := false;
begin
  insert into flight (id) values (call);
  for a in
    select x.*, coalesce(x.others_until + interval '3 hours', '-infinity') as others_gone
    from rows from (json_to_recordset(rows) as (others_until timestamptz)) with ordinality x
  loop
    -- Two at once would only wait for each other.
    if not pg_try_advisory_xact_lock(4919202668) then
      return query select 0, false;
      continue;
    end if;
    for w in
      select k.workspace_id, e.next
      from workspace k
      left join emptied_event e on e.workspace_id = k.workspace_id
      where e.done_at is null or e.done_at <= a.others_gone
      order by e.next nulls first, k.workspace_id
    loop
      before := coalesce(w.next, uuid_floor('epoch'));
      loop
        if clock_timestamp() > stops then
          rest := true;
          exit;
        end if;
        select count(*), (array_agg(v.id order by v.id desc))[1] into found_events, last
        from (
          select v.id
          from event v
          where v.workspace_id = w.workspace_id and v.id > before
          order by v.id
          limit 2000
        ) v;
        exit when found_events = 0;
        -- One by one: a history that was kept whole has megabytes.
        for r in
          select v.id
          from event v
          where v.workspace_id = w.workspace_id and v.id > before and v.id <= last and v.kind = 'account_changed'
          order by v.id
        loop
          select case
            when v.state::text ~* '\\u(0000|d[89a-f][0-9a-f]{2})' then regexp_replace(
              v.state::text, '\\u(0000|d[89a-f][0-9a-f]{2})', '\\ufffd', 'gi'
            )::json
            else v.state
          end into said
          from event v
          where v.workspace_id = w.workspace_id and v.id = r.id;
          if (said -> 'provider_event')::text in (
            '"automatic_events"', '"calls"', '"consumer_profile"', '"errors"', '"group_participants_update"',
            '"history"', '"messaging_handovers"', '"smb_app_state_sync"', '"standby"', '"user_preferences"'
          )
            and said -> 'is_reduced' is null and (said -> 'detail')::text <> '{}' then
            update event v
            set state = case
              when said -> 'phone_number_id' is null then json_build_object(
                'business_account', said -> 'business_account', 'provider_event', said -> 'provider_event', 'detail',
                '{}'::json
              )
              else json_build_object(
                'business_account', said -> 'business_account', 'provider_event', said -> 'provider_event', 'detail',
                '{}'::json, 'phone_number_id', said -> 'phone_number_id'
              )
            end
            where v.workspace_id = w.workspace_id and v.id = r.id;
            total := total + 1;
          end if;
          if clock_timestamp() > stops then
            last := r.id;
            found_events := 2000;
            exit;
          end if;
        end loop;
        before := last;
        exit when found_events < 2000;
      end loop;
      are_gone := a.others_gone < clock_timestamp();
      -- What others may still commit is ahead of it. One with nothing new is not the furthest behind.
      before := case
        when are_gone then before
        when rest then least(before, uuid_floor(now - interval '10 minutes'))
        else uuid_floor(now - interval '10 minutes')
      end;
      insert into emptied_event as e (workspace_id, next, done_at)
      values (w.workspace_id, before, case when are_gone and not rest then clock_timestamp() end)
      on conflict (workspace_id) do update
      set next = excluded.next, done_at = coalesce(excluded.done_at, e.done_at);
      exit when rest;
    end loop;
    return query select total, rest;
  end loop;
end
$function$;

create or replace function end_erasures(rows json, now timestamptz, call uuid, again boolean) returns table (
  contact_id uuid
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (json_to_recordset(rows) as (workspace_id uuid, contact_id uuid)) with ordinality x
    order by x.workspace_id, x.contact_id
  loop
    update erased_contact e
    set redacted_at = now, progress = null
    where e.workspace_id = r.workspace_id and e.id = r.contact_id and e.redacted_at is null;
    return query select r.contact_id;
  end loop;
end
$function$;

create or replace function end_tasks(rows json, now timestamptz, call uuid, again boolean) returns table (
  job_id uuid
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
  lane int, workspace_id uuid, enabled boolean, ordered boolean, rate_per_second smallint, version int,
  endpoint_id uuid, releases boolean, advanced_at float8, asked_at float8, failing boolean, warns boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select w.*
    from rows from (json_to_recordset(rows) as (lane int)) with ordinality x
    cross join lateral (
      select p.lane, p.workspace_id, p.enabled, p.ordered, p.rate_per_second, p.version, p.id,
        p.parked_before > (
          select d.event_id
          from deliver d
          where p.parked_before is not null and d.slot::int = (p.lane % 64) and d.lane = p.lane and d.due = '-infinity'
          order by (d.seq + 0)
          limit 1
        ) is true,
        (extract(epoch from p.advanced_at) * 1000)::float8, (extract(epoch from p.asked_at) * 1000)::float8,
        p.failing_since is not null,
        p.failing_since is not null and p.enabled and p.failing_stage < case
          when p.failing_since <= now - interval '72 hours' then 3
          when p.failing_since <= now - interval '24 hours' then 2
          when p.failing_since <= now - interval '1 hour' then 1
          else 0
        end
      from webhook_endpoint p
      where p.lane = x.lane
      offset 0
    ) w;
end
$function$;

create or replace function erase_contacts(rows json, now timestamptz, call uuid, again boolean) returns table (
  contact_id uuid, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '5s' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  slots_filled bigint := 0;
  records uuid[];
  person_numbers text[];
  r record;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (json_to_recordset(rows) as (workspace_id uuid, contact_id uuid)) with ordinality x
    order by x.workspace_id, x.contact_id
  loop
    records := array(
      select c.id
      from contact c
      where c.workspace_id = r.workspace_id and c.id = r.contact_id and c.merged_into is null
      union all
      select c.id
      from contact c
      where c.workspace_id = r.workspace_id and c.merged_into = r.contact_id
      order by 1
    );
    perform
    from unnest(records) u(id)
    cross join lateral (
      select
      from contact c
      where c.workspace_id = r.workspace_id and c.id = u.id for update
      offset 0
    ) c;
    continue when r.contact_id <> all(records);
    if exists (
      select
      from contact_evidence e
      where e.look_at <= now + interval '2 seconds' and e.other_contact_id is not null
        and e.workspace_id = r.workspace_id and e.source <> 'aftermath'
        and (e.contact_id = any(records) or e.other_contact_id = any(records))
    ) then
      raise exception 'overtaken' using errcode = 'serialization_failure';
    end if;
    insert into erased_contact (workspace_id, id, person, erased_at)
    select r.workspace_id, u.id, r.contact_id, now
    from unnest(records) u(id)
    on conflict do nothing;
    person_numbers := array(
      select i.value
      from identifier i
      where i.workspace_id = r.workspace_id and i.contact_id = any(records) and i.value <> '' and i.kind = 'phone'
    );
    with sent as (
      delete from media m
      where m.workspace_id = r.workspace_id and m.contact_id = any(records)
      returning m.file_id
    ),
    used as (
      delete from media_use u
      where u.workspace_id = r.workspace_id and u.contact_id = any(records) and u.used_at > '-infinity'
      returning u.media_id
    ),
    got as (
      delete from media m using (select distinct u.media_id from used u) o
      where m.workspace_id = r.workspace_id and m.id = o.media_id and m.source = 'upload'
        and not exists (
          select
          from media_use u
          where u.workspace_id = r.workspace_id and u.media_id = m.id and u.contact_id <> all(records)
        )
      returning m.file_id
    )
    update media_file f
    set sweep_at = greatest(f.sweep_at, now)
    from (select s.file_id from sent s union select g.file_id from got g) o
    where f.workspace_id = r.workspace_id and f.id = o.file_id;
    with digests as materialized (
      select distinct on (1) person_digest(i.workspace_id, i.kind, i.scope, i.value) as digest, c.marketing_consent,
        c.consent_source
      from identifier i
      cross join lateral (
        select c.marketing_consent, c.consent_source
        from contact c
        where c.workspace_id = r.workspace_id and c.id = r.contact_id
        offset 0
      ) c
      where i.workspace_id = r.workspace_id and i.contact_id = any(records) and i.value <> '' and i.until is null
        and i.kind in ('phone', 'user_id')
    ),
    kept as (
      insert into opt_out_of_erased (workspace_id, digest, source)
      select r.workspace_id, d.digest, d.consent_source
      from digests d
      where d.marketing_consent = 'opted_out'
      order by 2
      on conflict do nothing
    )
    delete from opt_out_of_erased o using digests d
    where d.marketing_consent = 'opted_in' and o.workspace_id = r.workspace_id and o.digest = d.digest;
    delete from identifier i
    where i.workspace_id = r.workspace_id and i.contact_id = any(records) and i.value <> '';
    delete from conversation v
    where v.workspace_id = r.workspace_id and v.contact_id = any(records);
    delete from contact_merge g
    where g.workspace_id = r.workspace_id and g.merged_contact_id = any(records);
    -- Numbers are in it for minutes, of few people.
    update new_owner o
    set numbers = o.numbers - person_numbers
    where o.workspace_id = r.workspace_id and o.numbers ?| person_numbers;
    -- By place: servers before 17 take a list in a key for a filter, and read all contacts of the workspace.
    delete from contact
    where ctid = any(
      array(
        select k.place
        from unnest(records) u(id)
        cross join lateral (
          select c.ctid as place
          from contact c
          where c.workspace_id = r.workspace_id and c.id = u.id
          offset 0
        ) k
      )
    );
    update idempotency_key i
    set status = null, answer = null, headers = null
    from (
      select distinct k.digest
      from kept_answer_contact k
      where k.workspace_id = r.workspace_id and k.contact_id = any(records)
    ) k
    where i.workspace_id = r.workspace_id and i.digest = k.digest;
    delete from kept_answer_contact k
    where k.workspace_id = r.workspace_id and k.contact_id = any(records);
    event_id := new_uuid(now);
    insert into event (
      workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
    )
    values (
      r.workspace_id, event_id, (select i.era from installation i), 'contact_deleted', nextval('conversation_sequence'),
      null, r.contact_id, null, now, json_build_object('source', 'client'), now
    );
    with deliveries as (
      insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
      select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
        hashtextextended(r.contact_id::text, 0)
      from webhook_endpoint e
      where e.workspace_id = r.workspace_id and e.lane >= 0 and e.events && array['*', 'contact_deleted']
        and not e.is_limited
      returning slot
    )
    select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
    from deliveries d;
    return query select r.contact_id, slots_filled::text;
  end loop;
end
$function$;

create or replace function erase_late(rows json, now timestamptz, call uuid, again boolean) returns table (
  contact_id uuid
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  records uuid[];
  person_numbers text[];
  r record;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (json_to_recordset(rows) as (workspace_id uuid, contact_id uuid)) with ordinality x
    order by x.workspace_id, x.contact_id
  loop
    records := array(
      select e.id
      from erased_contact e
      where e.workspace_id = r.workspace_id and e.person = r.contact_id and e.erased_at > '-infinity'
    );
    with sent as (
      delete from media m
      where m.workspace_id = r.workspace_id and m.contact_id = any(records)
      returning m.file_id
    ),
    used as (
      delete from media_use u
      where u.workspace_id = r.workspace_id and u.contact_id = any(records) and u.used_at > '-infinity'
      returning u.media_id
    ),
    got as (
      delete from media m using (select distinct u.media_id from used u) o
      where m.workspace_id = r.workspace_id and m.id = o.media_id and m.source = 'upload'
        and not exists (
          select
          from media_use u
          where u.workspace_id = r.workspace_id and u.media_id = m.id and u.contact_id <> all(records)
        )
      returning m.file_id
    )
    update media_file f
    set sweep_at = greatest(f.sweep_at, now)
    from (select s.file_id from sent s union select g.file_id from got g) o
    where f.workspace_id = r.workspace_id and f.id = o.file_id;
    delete from identifier i
    where i.workspace_id = r.workspace_id and i.contact_id = any(records) and i.value <> '';
    delete from conversation v
    where v.workspace_id = r.workspace_id and v.contact_id = any(records);
    delete from contact_merge g
    where g.workspace_id = r.workspace_id and g.merged_contact_id = any(records);
    delete from contact_evidence e
    where e.workspace_id = r.workspace_id and (e.contact_id = any(records) or e.other_contact_id = any(records));
    update idempotency_key i
    set status = null, answer = null, headers = null
    from (
      select distinct k.digest
      from kept_answer_contact k
      where k.workspace_id = r.workspace_id and k.contact_id = any(records)
    ) k
    where i.workspace_id = r.workspace_id and i.digest = k.digest;
    delete from kept_answer_contact k
    where k.workspace_id = r.workspace_id and k.contact_id = any(records);
    return query select r.contact_id;
  end loop;
end
$function$;

create or replace function events_about(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, events json, reached uuid
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set enable_sort = off set jit = off
  set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  v record;
  began timestamptz;
  looked int;
  last_id uuid;
  stopped_at uuid;
  ids uuid[];
begin
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, message_id uuid, contact_ids uuid[], kind text, lowest uuid, below uuid, most int, look int,
        budget_ms int
      )
    ) with ordinality x
    order by x.ordinality
  loop
    began := clock_timestamp();
    looked := 0;
    last_id := null;
    stopped_at := null;
    ids := '{}';
    for v in
      select e.id, e.kind, e.message_id, e.contact_id
      from event e
      where e.workspace_id = r.workspace_id and e.id >= r.lowest and e.id < r.below
      order by e.id desc
    loop
      if (
        cardinality(ids) >= r.most or looked >= r.look or looked > 0 and looked % 64 = 0
        and clock_timestamp() > began + r.budget_ms * interval '1 millisecond'
      )
        and left(v.id::text, 13) <> left(last_id::text, 13) then
        stopped_at := last_id;
        exit;
      end if;
      looked := looked + 1;
      last_id := v.id;
      if (r.message_id is null or v.message_id = r.message_id)
        and (r.contact_ids is null or v.contact_id = any(r.contact_ids)) and (r.kind is null or v.kind = r.kind) then
        ids := ids || v.id;
      end if;
    end loop;
    return query select r.workspace_id, array_to_json(ids), stopped_at;
  end loop;
end
$function$;

create or replace function expire_sends(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, message_id uuid, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  slots_filled bigint := 0;
  unreached uuid[] := '{}';
  reached json[] := '{}';
  ended_message uuid[];
  ended_workspace uuid[];
  ended tid[];
begin
  insert into flight (id) values (call);
  -- Most calls find none, and starting what follows takes milliseconds of a busy database.
  perform
  from rows from (json_to_recordset(rows) as (up_to timestamptz, error json)) with ordinality x
  cross join lateral (
    select d.seq
    from dispatch d
    where d.expires_at <= x.up_to and d.state = 0
    -- Its lane put it back until its end, and knows what it waited for.
    and (d.due < d.expires_at or d.expires_at <= x.up_to - interval '10 seconds')
    order by d.expires_at
    limit 1
  ) d;
  if not found then
    return;
  end if;
  if not pg_try_advisory_xact_lock(4919202616) then
    return;
  end if;
  with overdue as materialized (
    select d.workspace_id, d.message_id, x.error as error
    from rows from (json_to_recordset(rows) as (up_to timestamptz, error json)) with ordinality x
    cross join lateral (
      select d.workspace_id, d.message_id
      from dispatch d
      where d.expires_at <= x.up_to and d.state = 0
      -- Its lane put it back until its end, and knows what it waited for.
      and (d.due < d.expires_at or d.expires_at <= x.up_to - interval '10 seconds')
      order by d.expires_at
      limit 100
    ) d
  ),
  given as materialized (
    select x.*, now as at, null::json as pricing, null::text as provider_message_id,
      row_number() over (order by x.workspace_id, x.message_id) as ordinality
    from overdue x
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
  found as materialized (
    select d.place, x.workspace_id, x.message_id, x.ordinality
    from locked x
    cross join lateral (
      select d.ctid as place
      from dispatch d
      where d.slot = (x.state).slot and d.seq = (x.state).seq and d.workspace_id = x.workspace_id
        and d.state = 0 for update
      offset 0
    ) d
  ),
  decided as materialized (
    select x.*, (x.state).seen & 1 <> 0 as is_lost,
      x.ordinality = any(
        (select array_agg(f.ordinality) from found f)::bigint[]
      ) and (x.state).seen & 126 = 0 as is_ended
    from locked x
  ),
  reports as materialized (
    select x.workspace_id, x.message_id, x.at, case when not x.is_lost then x.error end as error, x.pricing,
      x.provider_message_id, x.ordinality, x.state,
      case when x.is_ended then case when x.is_lost then 128 else 512 end end as bit
    from decided x
  ),
  judged as materialized (
    select x.*,
      coalesce(
        (
          case when (x.state).pricing is null then 0 else coalesce((x.state).priced, (x.state).seen) end | coalesce(
            bit_or(x.bit) filter (where x.is_new and x.pricing is not null) over (
              partition by x.workspace_id, x.message_id
              order by x.ordinality rows between unbounded preceding and 1 preceding
            ),
            0
          )
        ) & case x.bit when 1 then 894 when 2 then 892 when 4 then 888 when 8 then 880 when 16 then 864 when 32 then 768 when 64 then 768 when 128 then 894 when 256 then 512 when 512 then 0 when 1024 then 1023 when 2048 then 1023 end <> 0,
        false
      ) as is_outpriced
    from (
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
          (
            array_agg(x.provider_message_id) filter (where x.provider_message_id is not null) over (
              partition by x.workspace_id, x.message_id
              order by x.ordinality rows between unbounded preceding and 1 preceding
            )
          )[1],
          x.provider_message_id
        ) as known_provider_id
      from reports x
    ) x
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
            when 1024 then 0
            when 2048 then 0
          end
        ) over w
      ) as rank,
      coalesce(min(x.at) filter (where x.bit in (2)) over w, (x.state).accepted_at) as accepted_at,
      coalesce(min(x.at) filter (where x.bit in (4)) over w, (x.state).sent_at) as sent_at,
      coalesce(min(x.at) filter (where x.bit in (16)) over w, (x.state).delivered_at) as delivered_at,
      coalesce((x.state).read_at, min(x.at) filter (where x.bit in (32, 64)) over w) as read_at,
      coalesce(min(x.at) filter (where x.bit in (8)) over w, (x.state).failed_at) as failed_at,
      coalesce(
        (
          array_agg(x.error) filter (where x.error is not null) over w
        )[count(*) filter (where x.error is not null) over w],
        (x.state).error
      ) as known_error,
    -- The price may be on several reports, in any order: that of the highest counts.
    coalesce(
      (
        array_agg(x.pricing) filter (where x.pricing is not null and not x.is_outpriced) over w
      )[count(*) filter (where x.pricing is not null and not x.is_outpriced) over w],
      (x.state).pricing
    ) as known_pricing,
    nullif(
      case
        when (x.state).pricing is null then 0
        else coalesce((x.state).priced, (x.state).seen)
      end | coalesce(bit_or(x.bit) filter (where x.pricing is not null) over w, 0), 0
    ) as priced,
    lead(x.ordinality) over w is null as is_last
    from judged x
    where x.is_new window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
  ),
  changed as (
    insert into message_state (
      workspace_id, id, contact_id, conversation, seen, rank, accepted_at, sent_at, delivered_at, read_at, failed_at,
      provider_message_id, error, pricing, priced
    )
    select x.workspace_id, x.message_id, (x.state).contact_id, (x.state).conversation, x.seen, x.rank, x.accepted_at,
      x.sent_at, x.delivered_at, x.read_at, x.failed_at, x.known_provider_id, x.known_error, x.known_pricing, x.priced
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
      pricing = excluded.pricing,
      priced = excluded.priced
  ),
  recorded as (
    insert into history (workspace_id, message_id, bit, at, received_at, error)
    select x.workspace_id, x.message_id, x.bit, x.at, now, x.error
    from reported x
    order by x.ordinality
  ),
  new_events as materialized (
    select x.workspace_id as workspace_id, new_uuid(now) as id,
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
        when 1024 then 'message_deleted'
        when 2048 then 'warning'
      end as kind, x.message_id as message_id, (x.state).contact_id as contact_id, null::uuid as resource_id,
      x.at as occurred_at,
      (
        '{"seen":' || x.seen || ',"rank":' || x.rank || coalesce(',"accepted_at":' || to_json(x.accepted_at), '') || coalesce(',"sent_at":' || to_json(x.sent_at), '') || coalesce(',"delivered_at":' || to_json(x.delivered_at), '') || coalesce(',"read_at":' || to_json(x.read_at), '') || coalesce(',"failed_at":' || to_json(x.failed_at), '') || coalesce(',"provider_message_id":' || to_json(x.known_provider_id), '') || case
          when (x.state).possible_duplicate then ',"possible_duplicate":true'
          else ''
        end || case when (x.state).fallback_used then ',"fallback_used":true' else '' end || coalesce(',"error":' || x.known_error, '') || coalesce(',"pricing":' || x.known_pricing, '') || '}'
      )::json as state,
      (x.state).conversation as conversation
    from reported x
    order by x.ordinality
  ),
  events as (
    insert into event (
      workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
    )
    select x.workspace_id, x.id, (select i.era from installation i), x.kind, nextval('conversation_sequence'),
      x.message_id, x.contact_id, x.resource_id, x.occurred_at, x.state, now
    from new_events x
  ),
  deliveries as (
    insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
    select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.id, e.id), x.id, x.conversation
    from new_events x
    cross join lateral (
      select e.id, e.lane
      from webhook_endpoint e
      where e.workspace_id = x.workspace_id and e.lane >= 0 and e.events && array['*', x.kind]
        and (
          not e.is_limited
          or is_got(x.workspace_id, within_limits(x.workspace_id, e.id, null::uuid, null::uuid, x.message_id))
        )
      offset 0
    ) e
    returning slot
  )
  select slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d),
    unreached || array(select x.message_id from reported x where x.bit & 776 <> 0 and x.seen & 113 = 0),
    array_agg(f.message_id order by f.ordinality), array_agg(f.workspace_id order by f.ordinality),
    array_agg(f.place) into slots_filled, unreached, ended_message, ended_workspace, ended
  from found f;
  if cardinality(unreached) > 0 or cardinality(reached) > 0 then
    declare
      called record;
    begin
      called := give_back(now, unreached, reached);
      unreached := called.unreached;
      reached := called.reached;
    end;
  end if;
  delete from dispatch where ctid = any(ended);
  return query
    select u.workspace_id, u.message_id, slots_filled::text
    from unnest(ended_workspace, ended_message) as u(workspace_id, message_id);
end
$function$;

create or replace function fetching_due(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select r.*
    from rows from (json_to_recordset(rows) as (slot smallint, lane int, due timestamptz, seq bigint)) with ordinality u
    cross join lateral (
      select d.slot, d.lane, (extract(epoch from d.due) * 1000)::float8, d.seq, d.workspace_id, d.media_id, null::uuid,
        null::text, d.attempt, 0::smallint, null::float8, null::float8
      from fetching d
      where d.slot::int = u.slot and d.lane = u.lane and (d.due, (d.seq + 0)) > (u.due, u.seq) and d.due > '-infinity'
      order by d.due, (d.seq + 0)
      limit 50
    ) r;
end
$function$;

create or replace function fetching_fresh(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select r.*
    from rows from (json_to_recordset(rows) as (slot smallint, lane int, lo bigint, most int)) with ordinality u
    cross join lateral (
      select d.slot, d.lane, (extract(epoch from d.due) * 1000)::float8, d.seq, d.workspace_id, d.media_id, null::uuid,
        null::text, d.attempt, 0::smallint, null::float8, null::float8
      from fetching d
      where d.slot::int = u.slot and d.lane = u.lane and d.due = '-infinity' and (d.seq + 0) > u.lo
      order by (d.seq + 0)
      limit u.most
    ) r;
end
$function$;

create or replace function fetching_lanes(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select u.slot, l.lane
    from rows from (json_to_recordset(rows) as (slot smallint)) with ordinality u
    cross join lateral (
      with recursive t(lane) as (
        (select d.lane from fetching d where d.slot::int = u.slot order by d.lane limit 1)
        union all
        select (select d.lane from fetching d where d.slot::int = u.slot and d.lane > t.lane order by d.lane limit 1)
        from t
        where t.lane is not null
      )
      select t.lane
      from t
      where t.lane is not null
    ) l;
end
$function$;

create or replace function fetching_oldest(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, since float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select u.slot, l.since
    from rows from (json_to_recordset(rows) as (slot smallint, most int)) with ordinality u
    cross join lateral (
      with recursive t(lane, n) as (
        (select d.lane, 1 from fetching d where d.slot::int = u.slot order by d.lane limit 1)
        union all
        select (select d.lane from fetching d where d.slot::int = u.slot and d.lane > t.lane order by d.lane limit 1),
          t.n + 1
        from t
        where t.lane is not null and t.n < u.most
      )
      select count(t.lane) as lanes, (extract(epoch from min(least(f.at, w.due))) * 1000)::float8 as since
      from t
      left join lateral (
        select uuid_time(d.media_id) as at
        from fetching d
        where d.slot::int = u.slot and d.lane = t.lane and d.due = '-infinity'
        order by (d.seq + 0)
        limit 1
        offset 0
      ) f on true
      left join lateral (
        select d.due
        from fetching d
        where d.slot::int = u.slot and d.lane = t.lane and d.due > '-infinity' and d.due <= now
        order by d.due, (d.seq + 0)
        limit 1
        offset 0
      ) w on true
      where t.lane is not null
    ) l
    where l.lanes > 0;
end
$function$;

create or replace function fetching_tail(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  seen int8multirange := coalesce(rows -> 0 ->> 'seen', '{}')::int8multirange;
begin
  return query
    select r.*
    from rows from (json_to_recordset(rows) as (slot smallint, lo bigint, most int)) with ordinality u
    cross join lateral (
      select d.slot, d.lane, (extract(epoch from d.due) * 1000)::float8, d.seq, d.workspace_id, d.media_id, null::uuid,
        null::text, d.attempt, 0::smallint, null::float8, null::float8
      from fetching d
      where d.slot = u.slot and d.seq > u.lo and not d.seq <@ seen
      order by d.seq
      limit u.most
    ) r;
end
$function$;

create or replace function find_contacts(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, ids uuid[], at uuid, more boolean, way text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set work_mem = '32MB'
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  filter_sql text;
  narrow_sql text;
  sample_sql text;
  candidates uuid[];
  plan json;
  expected float8;
  sampled float8;
  r record;
  x record;
  began timestamptz;
  found uuid[];
  last_looked_at uuid;
  chosen text;
  looked_at int;
  is_more boolean;
  asks_index boolean;
  lowest_id uuid;
begin
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, filter json, narrow json, sample json,
        values jsonb, before uuid, lowest uuid, contact_id uuid, way text, most int, walk_first int,
          most_candidates int, budget_ms int
      )
    ) with ordinality x
  loop
    filter_sql := compile_condition(r.filter);
    narrow_sql := compile_condition(r.narrow);
    sample_sql := compile_condition(r.sample);
    found := '{}';
    candidates := case when r.contact_id is not null then array[r.contact_id] end;
    last_looked_at := r.before;
    lowest_id := coalesce(r.lowest, '00000000-0000-0000-0000-000000000000');
    chosen := r.way;
    is_more := false;
    asks_index := candidates is null and narrow_sql is not null and chosen is distinct from 'walk'
    and exists (select from pg_index i where i.indexrelid = to_regclass('contact_search') and i.indisvalid);
    if candidates is null and (not asks_index or chosen is distinct from 'index') then
      began := clock_timestamp();
      looked_at := 0;
      is_more := false;
      for x in execute 'select c.id, c.merged_into is null and ' || coalesce(
        filter_sql, 'true'
      ) || ' as fits
        from contact c where c.workspace_id = $1 and c.id < $2 and c.id >= $4 order by c.id desc' using r.workspace_id,
      coalesce(last_looked_at, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), r.
        values, lowest_id, candidates
      loop
        -- There is one more.
        is_more := cardinality(found) >= r.most or asks_index and looked_at >= r.walk_first or looked_at > 0
        and looked_at % 64 = 0
        and clock_timestamp() > began + r.budget_ms * interval '1 millisecond' * case
          when cardinality(found) = 0 then 1.75
          else 1
        end;
        exit when is_more;
        looked_at := looked_at + 1;
        last_looked_at := x.id;
        if x.fits then
          found := found || x.id;
        end if;
      end loop;
      asks_index := asks_index and is_more and cardinality(found) < r.most;
    end if;
    if asks_index then
      execute 'explain (format json) select c.id from contact c where c.workspace_id::text = $1 and ' || narrow_sql ||
      '' into plan using r.workspace_id::text, null::int, r.
      values;
      expected := (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float8;
      execute 'explain (format json) select c.id from contact c where c.workspace_id::text = $1' into plan using
      r.workspace_id::text, null::int, r.
      values;
      execute 'select $4 * count(*) filter (where ' || sample_sql || ') / greatest(count(*), 1) from (select c.* from (

               select (''x'' || substr(o.id::text, 1, 8) || substr(o.id::text, 10, 4))::bit(48)::bigint as oldest,
      (''x'' || substr(n.id::text, 1, 8) || substr(n.id::text, 10, 4))::bit(48)::bigint as newest
          from (select
      c.id from contact c where c.workspace_id = $1 order by c.id limit 1) o
          cross join (select c.id from
      contact c where c.workspace_id = $1 order by c.id desc limit 1) n) t
        cross join generate_series(0, 19)
      p(n)
        cross join lateral (
          select c.* from contact c
          where c.workspace_id = $1
        
         and c.id >= rpad(lpad(to_hex(t.oldest + (t.newest - t.oldest) * p.n / 20), 12, ''0''), 32, ''0'')::uuid
       
        order by c.id limit 50) c) c' into sampled using r.workspace_id, null::int, r.
      values, (plan -> 0 -> 'Plan' ->> 'Plan Rows')::float8;
      candidates := null;
      if greatest(expected, sampled) <= r.most_candidates then
        perform set_config('enable_bitmapscan', 'on', true);
        execute 'select coalesce(array_agg(n.id), ''{}'') from (select c.id from contact c where c.workspace_id::text =
        $1 and ' || narrow_sql || ' limit $2) n' into candidates using r.workspace_id::text, r.most_candidates + 1, r.
        values;
        perform set_config('enable_bitmapscan', 'off', true);
        if cardinality(candidates) > r.most_candidates then
          candidates := null;
        end if;
      end if;
      if candidates is null then
        chosen := 'walk';
        began := clock_timestamp();
        looked_at := 0;
        is_more := false;
        for x in execute 'select c.id, c.merged_into is null and ' || coalesce(
          filter_sql, 'true'
        ) || ' as fits
        from contact c where c.workspace_id = $1 and c.id < $2 and c.id >= $4 order by c.id desc' using r.workspace_id,
        coalesce(last_looked_at, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), r.
          values, lowest_id, candidates
        loop
          -- There is one more.
          is_more := cardinality(found) >= r.most or false or looked_at > 0 and looked_at % 64 = 0
          and clock_timestamp() > began + r.budget_ms * interval '1 millisecond' * case
            when cardinality(found) = 0 then 1.75
            else 1
          end;
          exit when is_more;
          looked_at := looked_at + 1;
          last_looked_at := x.id;
          if x.fits then
            found := found || x.id;
          end if;
        end loop;
      else
        chosen := 'index';
      end if;
    end if;
    if candidates is not null then
      began := clock_timestamp();
      looked_at := 0;
      is_more := false;
      for x in execute 'select c.id, c.merged_into is null and ' || coalesce(
        filter_sql, 'true'
      ) || ' as fits
        from (select u.id from unnest($5) u(id) where u.id < $2 and u.id >= $4 order by u.id desc offset 0) u
        cross join lateral (select c.* from contact c where c.workspace_id = $1 and c.id = u.id offset 0) c' using r.workspace_id,
      coalesce(last_looked_at, 'ffffffff-ffff-ffff-ffff-ffffffffffff'), r.
        values, lowest_id, candidates
      loop
        -- There is one more.
        is_more := cardinality(found) >= r.most or false or looked_at > 0 and looked_at % 64 = 0
        and clock_timestamp() > began + r.budget_ms * interval '1 millisecond' * case
          when cardinality(found) = 0 then 1.75
          else 1
        end;
        exit when is_more;
        looked_at := looked_at + 1;
        last_looked_at := x.id;
        if x.fits then
          found := found || x.id;
        end if;
      end loop;
    end if;
    return query select r.workspace_id, found, last_looked_at, is_more, chosen;
  end loop;
end
$function$;

create or replace function find_listeners(rows json, now timestamptz, call uuid, again boolean) returns table (
  events json
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select e.events
    from rows from (json_to_recordset(rows) as (workspace_id uuid)) with ordinality x
    left join lateral (
      select json_agg(e.events) as events
      from webhook_endpoint e
      where e.workspace_id = x.workspace_id and e.lane >= 0
      offset 0
    ) e on true
    order by x.ordinality;
end
$function$;

create or replace function find_owners(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, phone_number_id uuid, business_account_id uuid, user_id_scope text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select coalesce(p.workspace_id, a.workspace_id), p.phone_number_id,
      coalesce(n.business_account_id, a.business_account_id), coalesce(b.portfolio_id, b.provider_account_id)
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
      select n.business_account_id
      from phone_number n
      where n.workspace_id = p.workspace_id and n.id = p.phone_number_id
      offset 0
    ) n on true
    left join lateral (
      select b.portfolio_id, b.provider_account_id
      from business_account b
      where b.workspace_id = p.workspace_id and b.id = n.business_account_id
      offset 0
    ) b on true
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
  id uuid, provider_template_id text, status text, category text, revision int, parameter_format text, components json
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select t.id, t.provider_template_id, t.status, t.category, t.revision, t.parameter_format, t.components
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

create or replace function find_unnamed(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, id uuid, phone text, wa_id text, user_id text, scope text, created_at timestamptz
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select c.workspace_id, c.id, c.phone, c.wa_id, c.user_id, coalesce(a.portfolio_id, a.provider_account_id),
      c.created_at
    from rows from (json_to_recordset(rows) as (most int)) with ordinality x
    cross join lateral (
      select c.*
      from contact c
      where not c.is_named and c.created_at > '-infinity'
      order by c.created_at
      limit x.most
      offset 0
    ) c
    left join lateral (
      select v.phone_number_id
      from conversation v
      where v.workspace_id = c.workspace_id and v.contact_id = c.id
      limit 1
      offset 0
    ) v on true
    left join lateral (
      select n.business_account_id
      from phone_number n
      where n.workspace_id = c.workspace_id and n.id = v.phone_number_id
      offset 0
    ) n on true
    left join lateral (
      select a.portfolio_id, a.provider_account_id
      from business_account a
      where c.user_id is not null and a.workspace_id = c.workspace_id
        and a.id = coalesce(
          n.business_account_id,
          (select o.id from business_account o where o.workspace_id = c.workspace_id order by o.id limit 1)
        )
      offset 0
    ) a on true
    order by c.created_at;
end
$function$;

create or replace function find_work(rows json, now timestamptz, call uuid, again boolean) returns table (
  question text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  asked text;
  has_any boolean;
begin
  for asked in
    select x.question
    from rows from (json_to_recordset(rows) as (question text)) with ordinality x
  loop
    has_any := false;
    if asked = 'parked_statuses' then
      has_any := exists (select from parked_status w where w.look_at <= now);
    end if;
    if asked = 'parked_payments' then
      has_any := exists (select from parked_payment w where w.look_at <= now);
    end if;
    if asked = 'overdue_sends' then
      has_any := exists (
        select
        from dispatch d
        where d.expires_at <= now - interval '2 seconds' and d.state = 0
        -- Its lane put it back until its end, and knows what it waited for.
        and (d.due < d.expires_at or d.expires_at <= now - interval '2 seconds' - interval '10 seconds')
        order by d.expires_at
        limit 1
      );
    end if;
    if asked = 'due media files' then
      has_any := exists (select from media_file f where f.sweep_at <= now);
    end if;
    if asked = 'evidence' then
      has_any := exists (
        select
        from contact_evidence e
        where e.look_at <= now and e.other_contact_id is null
        union all
        select
        from contact_evidence e
        where e.look_at <= now and e.other_contact_id is not null
      );
    end if;
    if asked = 'unnamed_contacts' then
      has_any := exists (
        select
        from contact c
        where not c.is_named and c.created_at > '-infinity' and c.created_at <= now
      );
    end if;
    if asked = 'due_usage_slice' then
      has_any := exists (select from usage_slice u where u.due <= now);
    end if;
    if asked = 'due_service_slice' then
      has_any := exists (select from service_slice u where u.due <= now);
    end if;
    if asked = 'counted_attempts' then
      has_any := exists (select from attempt_count a);
    end if;
    if asked = 'due_replays' then
      has_any := exists (select from quarantine q where q.replay_at <= now);
    end if;
    if has_any then
      return query select asked;
    end if;
  end loop;
end
$function$;

create or replace function finish_ingest(rows json, now timestamptz, call uuid, again boolean) returns table (
  done boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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

create or replace function found_elsewhere(rows json, now timestamptz, call uuid, again boolean) returns table (
  provider_id text, elsewhere boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select x.provider_id,
      exists (select from business_account_route o where o.provider_account_id = x.provider_id and o.workspace_id <> x.workspace_id) or exists (select from phone_number_route o where o.provider_phone_number_id = x.provider_id and o.workspace_id <> x.workspace_id) or (
        exists (select from portfolio_limit p where p.portfolio_id = x.provider_id)
        and not exists (
          select
          from business_account a
          where a.workspace_id = x.workspace_id and a.portfolio_id = x.provider_id
        )
      )
    from rows from (json_to_recordset(rows) as (workspace_id uuid, provider_id text)) with ordinality x;
end
$function$;

create or replace function get_quarantined(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid, reason text, detail text, provider_phone_number_id text, provider_account_id text, tries smallint,
  replay_at timestamptz, created_at timestamptz, replayed_at timestamptz, change json, received_at timestamptz,
  body bytea
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select q.id, q.reason, q.detail, q.provider_phone_number_id, q.provider_account_id, q.tries, q.replay_at,
      q.created_at, q.replayed_at, q.change, c.received_at, c.body
    from rows from (json_to_recordset(rows) as (id uuid)) with ordinality x
    cross join lateral (select q.* from quarantine q where q.id = x.id offset 0) q
    left join lateral (select c.received_at, c.body from callback c where c.id = q.callback_id offset 0) c on true
    order by x.ordinality;
end
$function$;

create or replace function give_back(
  now timestamptz, inout unreached uuid[], inout reached json[]
) language plpgsql volatile
as $function$
#variable_conflict use_column
declare
begin
  if unreached <> '{}' then
    insert into portfolio_return (portfolio_id, message_id, recipient, at)
    select r.portfolio_id, r.message_id, r.recipient, now
    from unnest(unreached) as u(message_id)
    cross join lateral (select r.* from portfolio_recipient r where r.message_id = u.message_id offset 0) r
    order by r.portfolio_id, r.message_id
    on conflict do nothing;
    unreached := '{}';
  end if;
  if cardinality(reached) > 0 then
    with jobs as (
      insert into job (workspace_id, id, kind, payload, created_at)
      select x.workspace_id, x.message_id, 'limits.count_again',
        json_build_object('portfolio', p.portfolio_id, 'message_id', x.message_id), now
      from unnest(reached) u(said)
      cross join lateral json_to_record(u.said) as x(workspace_id uuid, message_id uuid)
      left join lateral (
        select m.phone_number_id
        from message m
        where m.workspace_id = x.workspace_id and m.id = x.message_id
        offset 0
      ) m on true
      left join lateral (
        select n.business_account_id
        from phone_number n
        where n.workspace_id = x.workspace_id and n.id = m.phone_number_id
        offset 0
      ) n on true
      left join lateral (
        select a.portfolio_id, a.provider_account_id
        from business_account a
        where a.workspace_id = x.workspace_id and a.id = n.business_account_id
        offset 0
      ) a on true
      cross join lateral (
        select p.portfolio_id
        from portfolio_limit p
        where p.portfolio_id = coalesce(a.portfolio_id, a.provider_account_id) and p.most is not null
        offset 0
      ) p
      order by 1, 2
      on conflict do nothing
      returning workspace_id, id
    ),
    lanes as materialized (
      select j.*,
        (
          (
            'x' || encode(substr(sha256(convert_to(j.workspace_id::text, 'UTF8')), 1, 4), 'hex')
          )::bit(32)::bigint & 2147483647
        )::int as lane
      from jobs j
    )
    insert into task (slot, lane, workspace_id, job_id)
    select (l.lane % 64)::smallint, l.lane, l.workspace_id, l.id
    from lanes l;
    reached := '{}';
  end if;
end
$function$;

create or replace function give_up_sends(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, message_id uuid, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  slots_filled bigint := 0;
  unreached uuid[] := '{}';
  reached json[] := '{}';
  ended_message uuid[];
  ended_workspace uuid[];
  ended tid[];
begin
  insert into flight (id) values (call);
  -- Most calls find none, and starting what follows takes milliseconds of a busy database.
  perform
  from rows from (json_to_recordset(rows) as (up_to timestamptz)) with ordinality x
  cross join lateral (
    select d.seq
    from generate_series(0, 63) as u(slot)
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
      offset 0
    ) l
    left join lateral (
      select true as is_open
      from phone_number n
      join business_account a on a.workspace_id = n.workspace_id and a.id = n.business_account_id
      and a.status = 'connected'
      where n.lane = l.lane
        and n.status not in ('pending', 'unverified', 'disconnected', 'banned', 'migrated', 'deleted')
      offset 0
    ) n on true
    cross join lateral (
      select d.*
      from dispatch d
      where n.is_open is null and d.slot::int = u.slot and d.lane = l.lane and d.due > '-infinity' and d.due <= x.up_to
        and d.state = 2
      order by d.due, (d.seq + 0)
      limit 1
      offset 0
    ) d
    limit 1
  ) d;
  if not found then
    return;
  end if;
  if not pg_try_advisory_xact_lock(4919202616) then
    return;
  end if;
  with overdue as materialized (
    select d.workspace_id, d.message_id, null::json as error
    from rows from (json_to_recordset(rows) as (up_to timestamptz)) with ordinality x
    cross join lateral (
      select d.workspace_id, d.message_id
      from generate_series(0, 63) as u(slot)
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
        offset 0
      ) l
      left join lateral (
        select true as is_open
        from phone_number n
        join business_account a on a.workspace_id = n.workspace_id and a.id = n.business_account_id
        and a.status = 'connected'
        where n.lane = l.lane
          and n.status not in ('pending', 'unverified', 'disconnected', 'banned', 'migrated', 'deleted')
        offset 0
      ) n on true
      cross join lateral (
        select d.*
        from dispatch d
        where n.is_open is null and d.slot::int = u.slot and d.lane = l.lane and d.due > '-infinity'
          and d.due <= x.up_to and d.state = 2
        order by d.due, (d.seq + 0)
        limit 100
        offset 0
      ) d
      limit 100
    ) d
  ),
  given as materialized (
    select x.*, now as at, null::json as pricing, null::text as provider_message_id,
      row_number() over (order by x.workspace_id, x.message_id) as ordinality
    from overdue x
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
  found as materialized (
    select d.place, x.workspace_id, x.message_id, x.ordinality
    from locked x
    cross join lateral (
      select d.ctid as place
      from dispatch d
      where d.slot = (x.state).slot and d.seq = (x.state).seq and d.workspace_id = x.workspace_id
        and d.state = 2 for update
      offset 0
    ) d
  ),
  decided as materialized (
    select x.*, (x.state).seen & 1 <> 0 as is_lost,
      x.ordinality = any(
        (select array_agg(f.ordinality) from found f)::bigint[]
      ) and (x.state).seen & 126 = 0 as is_ended
    from locked x
  ),
  reports as materialized (
    select x.workspace_id, x.message_id, x.at, case when not x.is_lost then x.error end as error, x.pricing,
      x.provider_message_id, x.ordinality, x.state,
      case when x.is_ended then case when x.is_lost then 128 else 512 end end as bit
    from decided x
  ),
  judged as materialized (
    select x.*,
      coalesce(
        (
          case when (x.state).pricing is null then 0 else coalesce((x.state).priced, (x.state).seen) end | coalesce(
            bit_or(x.bit) filter (where x.is_new and x.pricing is not null) over (
              partition by x.workspace_id, x.message_id
              order by x.ordinality rows between unbounded preceding and 1 preceding
            ),
            0
          )
        ) & case x.bit when 1 then 894 when 2 then 892 when 4 then 888 when 8 then 880 when 16 then 864 when 32 then 768 when 64 then 768 when 128 then 894 when 256 then 512 when 512 then 0 when 1024 then 1023 when 2048 then 1023 end <> 0,
        false
      ) as is_outpriced
    from (
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
          (
            array_agg(x.provider_message_id) filter (where x.provider_message_id is not null) over (
              partition by x.workspace_id, x.message_id
              order by x.ordinality rows between unbounded preceding and 1 preceding
            )
          )[1],
          x.provider_message_id
        ) as known_provider_id
      from reports x
    ) x
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
            when 1024 then 0
            when 2048 then 0
          end
        ) over w
      ) as rank,
      coalesce(min(x.at) filter (where x.bit in (2)) over w, (x.state).accepted_at) as accepted_at,
      coalesce(min(x.at) filter (where x.bit in (4)) over w, (x.state).sent_at) as sent_at,
      coalesce(min(x.at) filter (where x.bit in (16)) over w, (x.state).delivered_at) as delivered_at,
      coalesce((x.state).read_at, min(x.at) filter (where x.bit in (32, 64)) over w) as read_at,
      coalesce(min(x.at) filter (where x.bit in (8)) over w, (x.state).failed_at) as failed_at,
      coalesce(
        (
          array_agg(x.error) filter (where x.error is not null) over w
        )[count(*) filter (where x.error is not null) over w],
        (x.state).error
      ) as known_error,
    -- The price may be on several reports, in any order: that of the highest counts.
    coalesce(
      (
        array_agg(x.pricing) filter (where x.pricing is not null and not x.is_outpriced) over w
      )[count(*) filter (where x.pricing is not null and not x.is_outpriced) over w],
      (x.state).pricing
    ) as known_pricing,
    nullif(
      case
        when (x.state).pricing is null then 0
        else coalesce((x.state).priced, (x.state).seen)
      end | coalesce(bit_or(x.bit) filter (where x.pricing is not null) over w, 0), 0
    ) as priced,
    lead(x.ordinality) over w is null as is_last
    from judged x
    where x.is_new window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
  ),
  changed as (
    insert into message_state (
      workspace_id, id, contact_id, conversation, seen, rank, accepted_at, sent_at, delivered_at, read_at, failed_at,
      provider_message_id, error, pricing, priced
    )
    select x.workspace_id, x.message_id, (x.state).contact_id, (x.state).conversation, x.seen, x.rank, x.accepted_at,
      x.sent_at, x.delivered_at, x.read_at, x.failed_at, x.known_provider_id, x.known_error, x.known_pricing, x.priced
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
      pricing = excluded.pricing,
      priced = excluded.priced
  ),
  recorded as (
    insert into history (workspace_id, message_id, bit, at, received_at, error)
    select x.workspace_id, x.message_id, x.bit, x.at, now, x.error
    from reported x
    order by x.ordinality
  ),
  new_events as materialized (
    select x.workspace_id as workspace_id, new_uuid(now) as id,
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
        when 1024 then 'message_deleted'
        when 2048 then 'warning'
      end as kind, x.message_id as message_id, (x.state).contact_id as contact_id, null::uuid as resource_id,
      x.at as occurred_at,
      (
        '{"seen":' || x.seen || ',"rank":' || x.rank || coalesce(',"accepted_at":' || to_json(x.accepted_at), '') || coalesce(',"sent_at":' || to_json(x.sent_at), '') || coalesce(',"delivered_at":' || to_json(x.delivered_at), '') || coalesce(',"read_at":' || to_json(x.read_at), '') || coalesce(',"failed_at":' || to_json(x.failed_at), '') || coalesce(',"provider_message_id":' || to_json(x.known_provider_id), '') || case
          when (x.state).possible_duplicate then ',"possible_duplicate":true'
          else ''
        end || case when (x.state).fallback_used then ',"fallback_used":true' else '' end || coalesce(',"error":' || x.known_error, '') || coalesce(',"pricing":' || x.known_pricing, '') || '}'
      )::json as state,
      (x.state).conversation as conversation
    from reported x
    order by x.ordinality
  ),
  events as (
    insert into event (
      workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
    )
    select x.workspace_id, x.id, (select i.era from installation i), x.kind, nextval('conversation_sequence'),
      x.message_id, x.contact_id, x.resource_id, x.occurred_at, x.state, now
    from new_events x
  ),
  deliveries as (
    insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
    select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.id, e.id), x.id, x.conversation
    from new_events x
    cross join lateral (
      select e.id, e.lane
      from webhook_endpoint e
      where e.workspace_id = x.workspace_id and e.lane >= 0 and e.events && array['*', x.kind]
        and (
          not e.is_limited
          or is_got(x.workspace_id, within_limits(x.workspace_id, e.id, null::uuid, null::uuid, x.message_id))
        )
      offset 0
    ) e
    returning slot
  )
  select slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d),
    unreached || array(select x.message_id from reported x where x.bit & 776 <> 0 and x.seen & 113 = 0),
    array_agg(f.message_id order by f.ordinality), array_agg(f.workspace_id order by f.ordinality),
    array_agg(f.place) into slots_filled, unreached, ended_message, ended_workspace, ended
  from found f;
  if cardinality(unreached) > 0 or cardinality(reached) > 0 then
    declare
      called record;
    begin
      called := give_back(now, unreached, reached);
      unreached := called.unreached;
      reached := called.reached;
    end;
  end if;
  delete from dispatch where ctid = any(ended);
  return query
    select u.workspace_id, u.message_id, slots_filled::text
    from unnest(ended_workspace, ended_message) as u(workspace_id, message_id);
end
$function$;

create or replace function held_elsewhere(rows json, now timestamptz, call uuid, again boolean) returns table (
  provider_id text, held boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select x.provider_id,
      case
        when x.kind = 'account' then exists (
          select
          from business_account_route o
          join business_account a on a.workspace_id = o.workspace_id and a.id = o.business_account_id
          where o.provider_account_id = x.provider_id and o.workspace_id <> x.workspace_id
            and a.status in ('connected', 'restricted')
        )
        else exists (
          select
          from phone_number_route o
          join phone_number n on n.workspace_id = o.workspace_id and n.id = o.phone_number_id
          join business_account a on a.workspace_id = n.workspace_id and a.id = n.business_account_id
          where o.provider_phone_number_id = x.provider_id and o.workspace_id <> x.workspace_id
            and a.status in ('connected', 'restricted') and not (n.status in ('disconnected', 'migrated', 'deleted'))
        )
      end
    from rows from (json_to_recordset(rows) as (workspace_id uuid, kind text, provider_id text)) with ordinality x;
end
$function$;

create or replace function hold_marketing(rows json, now timestamptz, call uuid, again boolean, lowest uuid default '00000000-0000-0000-0000-000000000000', highest uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff') returns table (
  verdict text, until timestamptz
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  stop timestamptz;
  verdicts text[];
  untils timestamptz[];
begin
  insert into flight (id) values (call);
  for r in
    select x.*, n.marketing_stopped_until, n.marketing_probe, m.category
    from rows from (
      json_to_recordset(rows) as (workspace_id uuid, phone_number_id uuid, message_id uuid)
    ) with ordinality x
    left join lateral (
      select n.*
      from phone_number n
      where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
      offset 0
    ) n on true
    left join lateral (
      select coalesce(
        g.category,
        case
          when g.fallback_category is not null
            and (
              not exists (
                select
                from conversation v
                where v.workspace_id = g.workspace_id
                  and v.contact_id = (
                    select coalesce(m.merged_into, m.id)
                    from contact m
                    where m.workspace_id = g.workspace_id and m.id = g.contact_id
                  )
                  and v.phone_number_id = g.phone_number_id
                  and not (v.last_inbound_at is null or v.last_inbound_at + interval '86370 seconds' <= now)
              )
              or was_refused_as_closed(g.workspace_id, g.id)
            ) then g.fallback_category
        end
      ) as category
      from message g
      where g.workspace_id = x.workspace_id and g.id = x.message_id and g.id between lowest and highest
      offset 0
    ) m on true
    order by x.workspace_id, x.phone_number_id, x.ordinality
  loop
    stop := r.marketing_stopped_until;
    untils[r.ordinality] := stop;
    if r.category is distinct from 'marketing' or stop is null then
      verdicts[r.ordinality] := 'go';
    elsif r.marketing_probe = r.message_id then
      verdicts[r.ordinality] := 'probe';
    else
      verdicts[r.ordinality] := 'wait';
      if stop <= now then
        update phone_number n
        set marketing_probe = r.message_id, marketing_stopped_until = now + interval '2 minutes'
        where n.workspace_id = r.workspace_id and n.id = r.phone_number_id and n.marketing_stopped_until <= now;
        if found then
          verdicts[r.ordinality] := 'probe';
        else
          -- Another message of this call is tried, or the stop is over.
          select n.marketing_stopped_until into stop
          from phone_number n
          where n.workspace_id = r.workspace_id and n.id = r.phone_number_id;
          untils[r.ordinality] := stop;
          if stop is null then
            verdicts[r.ordinality] := 'go';
          end if;
        end if;
      end if;
    end if;
  end loop;
  return query
    select u.verdict, u.until
    from unnest(verdicts, untils) with ordinality u(verdict, until, n)
    order by u.n;
end
$function$;

create or replace function identify_contacts(rows json, now timestamptz, call uuid, again boolean) returns table (
  named int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  n int;
  locked uuid[];
begin
  insert into flight (id) values (call);
  -- Another process may be naming them, or merging them.
  locked := array(
    select c.id
    from (
      select distinct x.workspace_id, x.contact_id
      from rows from (
        json_to_recordset(rows) as (
          workspace_id uuid, contact_id uuid, kind text, scope text, value text, source text, key text, loose text,
          since timestamptz
        )
      ) with ordinality x
    ) x
    cross join lateral (
      select c.id
      from contact c
      where c.workspace_id = x.workspace_id and c.id = x.contact_id and not c.is_named
        and c.merged_into is null for no key update skip locked
      offset 0
    ) c
  );
  insert into identifier as i (workspace_id, kind, scope, value, contact_id, source, since, key, loose, rules)
  select distinct on (x.workspace_id, x.kind, x.scope, x.value) x.workspace_id, x.kind, x.scope, x.value, x.contact_id,
    x.source, x.since, x.key, x.loose, 1
  from rows from (
    json_to_recordset(rows) as (
      workspace_id uuid, contact_id uuid, kind text, scope text, value text, source text, key text, loose text,
      since timestamptz
    )
  ) with ordinality x
  where x.contact_id = any(locked) and x.kind <> 'none'
  order by x.workspace_id, x.kind, x.scope, x.value, x.source = 'rule', x.ordinality
  on conflict (workspace_id, kind, scope, value) do update
  set contact_id = excluded.contact_id, source = excluded.source, since = excluded.since
  where i.source = 'rule' and excluded.source <> 'rule' and i.until is null;
  update contact c
  set is_named = true, profile_name = coalesce(c.profile_name, c.name), name = null
  from (
    select distinct x.workspace_id, x.contact_id
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, contact_id uuid, kind text, scope text, value text, source text, key text, loose text,
        since timestamptz
      )
    ) with ordinality x
  ) x
  where x.contact_id = any(locked) and c.workspace_id = x.workspace_id and c.id = x.contact_id;
  get diagnostics n = row_count;
  return query select n;
end
$function$;

create or replace function ingest_due(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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

create or replace function ingest_oldest(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, since float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select u.slot, l.since
    from rows from (json_to_recordset(rows) as (slot smallint, most int)) with ordinality u
    cross join lateral (
      with recursive t(lane, n) as (
        (select d.lane, 1 from ingest d where d.slot::int = u.slot order by d.lane limit 1)
        union all
        select (select d.lane from ingest d where d.slot::int = u.slot and d.lane > t.lane order by d.lane limit 1),
          t.n + 1
        from t
        where t.lane is not null and t.n < u.most
      )
      select count(t.lane) as lanes, (extract(epoch from min(least(f.at, w.due))) * 1000)::float8 as since
      from t
      left join lateral (
        select uuid_time(d.callback_id) as at
        from ingest d
        where d.slot::int = u.slot and d.lane = t.lane and d.due = '-infinity'
        order by (d.seq + 0)
        limit 1
        offset 0
      ) f on true
      left join lateral (
        select d.due
        from ingest d
        where d.slot::int = u.slot and d.lane = t.lane and d.due > '-infinity' and d.due <= now
        order by d.due, (d.seq + 0)
        limit 1
        offset 0
      ) w on true
      where t.lane is not null
    ) l
    where l.lanes > 0;
end
$function$;

create or replace function ingest_tail(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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

create or replace function is_got(
  of_workspace uuid, given_for uuid, out gets boolean
) language plpgsql stable
as $function$
#variable_conflict use_column
declare
begin
  gets := given_for is not null;
  if gets and given_for <> '00000000-0000-0000-0000-000000000000' then
    perform 1
    from webhook_endpoint p
    where p.workspace_id = of_workspace and p.front_of = given_for;
    gets := not found;
  end if;
end
$function$;

create or replace function is_of_numbers(
  numbers uuid[], of_workspace uuid, about_message uuid, about_resource uuid, of_state json, out is_of boolean
) language plpgsql volatile
as $function$
#variable_conflict use_column
declare
  of_account uuid;
begin
  if about_message is not null then
    select m.phone_number_id = any(numbers) into is_of
    from message m
    where m.workspace_id = of_workspace and m.id = about_message;
  elsif about_resource = any(numbers) or of_state ->> 'phone_number_id' = any(numbers::text[]) then
    is_of := true;
  elsif about_resource is not null then
    select t.business_account_id into of_account
    from template t
    where t.workspace_id = of_workspace and t.id = about_resource;
    of_account := coalesce(of_account, about_resource);
    perform 1
    from unnest(numbers) x(id)
    cross join lateral (
      select 1
      from phone_number n
      where n.workspace_id = of_workspace and n.id = x.id and n.business_account_id = of_account
      offset 0
    ) n;
    is_of := found;
    if not is_of then
      select d.phone_number_id = any(numbers) into is_of
      from media d
      where d.workspace_id = of_workspace and d.id = about_resource;
    end if;
  end if;
  is_of := coalesce(is_of, false);
end
$function$;

create or replace function join_parked(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, phone_number_id uuid, message_id uuid, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  slots_filled bigint := 0;
  consents json[] := '{}';
  unreached uuid[] := '{}';
  reached json[] := '{}';
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
    select w.*, k.message_id as message, k.is_inbound
    from rows from (json_to_recordset(rows) as (up_to timestamptz)) with ordinality x
    cross join lateral (select w.* from parked_status w where w.look_at <= x.up_to order by w.look_at limit 500) w
    left join lateral (
      select k.message_id, coalesce(k.inbound, is_inbound_message(k.workspace_id, k.message_id)) as is_inbound
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
    elsif r.is_inbound then
      r.message := null;
      delete from parked_status w
      where w.workspace_id = r.workspace_id and w.provider_message_id = r.provider_message_id and w.bit = r.bit;
      insert into quarantine (id, provider_phone_number_id, reason, change, created_at)
      values (
        new_uuid(now),
        (
          select n.provider_phone_number_id
          from phone_number n
          where n.workspace_id = r.workspace_id and n.id = r.phone_number_id
        ),
        'status of an inbound message',
        json_build_object(
          'kind', 'status', 'providerMessageId', r.provider_message_id, 'status',
          case r.bit
            when 1 then 'unknown'
            when 2 then 'accepted'
            when 4 then 'sent'
            when 8 then 'failed'
            when 16 then 'delivered'
            when 32 then 'read'
            when 64 then 'played'
            when 128 then 'given_up'
            when 256 then 'canceled'
            when 512 then 'expired'
            when 1024 then 'deleted'
            when 2048 then 'warning'
          end, 'at', r.at, 'error', r.error, 'pricing', r.pricing
        ),
        now
      );
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
    declare
      called record;
    begin
      called := apply_parked(now, joined, joined_message, slots_filled, consents, unreached, reached);
      slots_filled := called.slots_filled;
      consents := called.consents;
      unreached := called.unreached;
      reached := called.reached;
    end;
  end if;
  if cardinality(consents) > 0 then
    declare
      called record;
    begin
      called := apply_consents(now, slots_filled, consents);
      slots_filled := called.slots_filled;
      consents := called.consents;
    end;
  end if;
  if cardinality(unreached) > 0 or cardinality(reached) > 0 then
    declare
      called record;
    begin
      called := give_back(now, unreached, reached);
      unreached := called.unreached;
      reached := called.reached;
    end;
  end if;
  return query
    select u.workspace_id, u.phone_number_id, u.message_id, slots_filled::text
    from unnest(workspaces, numbers, messages) as u(workspace_id, phone_number_id, message_id);
end
$function$;

create or replace function join_payments(rows json, now timestamptz, call uuid, again boolean) returns table (
  looked int, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  slots_filled bigint := 0;
  due parked_payment[];
begin
  insert into flight (id) values (call);
  select array_agg(w.payment) into due
  from rows from (json_to_recordset(rows) as (up_to timestamptz)) with ordinality x
  cross join lateral (
    select w as payment
    from parked_payment w
    where w.look_at <= x.up_to
    order by w.look_at
    limit 500 for update skip locked
  ) w;
  with looked as materialized (select (due[d.n]).*, d.n as ordinality from generate_subscripts(due, 1) as d(n)),
  given as materialized (
    select x.workspace_id, k.message_id, x.digest as key, x.reference, x.status, x.at, x.callback_id,
      row_number() over (order by x.received_at, x.ordinality) as ordinality, x.provider_message_id
    from looked x
    cross join lateral (
      select k.message_id
      from provider_message k
      where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id
      offset 0
    ) k
  ),
  paid as materialized (
    select distinct on (g.workspace_id, g.message_id, g.key) g.*, s.state,
      sha256(convert_to('payment ' || g.message_id, 'UTF8') || g.key) as notice
    from given g
    cross join lateral (
      select m.outbound
      from message m
      where m.workspace_id = g.workspace_id and m.id = g.message_id
      offset 0
    ) m
    cross join lateral (
      select s as state
      from message_state s
      where s.workspace_id = g.workspace_id and s.id = g.message_id
      offset 0
    ) s
    where m.outbound
    order by g.workspace_id, g.message_id, g.key, g.ordinality
  ),
  noted as (
    insert into provider_notice (workspace_id, digest, created_at, at)
    select p.workspace_id, p.notice, now, p.at
    from paid p
    order by p.workspace_id, p.notice
    on conflict do nothing
    returning workspace_id, digest
  ),
  reported as materialized (
    select p.workspace_id, p.message_id, p.at, p.reference, p.status, p.state, p.callback_id, p.ordinality,
      (p.state).seen, (p.state).rank, (p.state).accepted_at, (p.state).sent_at, (p.state).delivered_at,
      (p.state).read_at, (p.state).failed_at, (p.state).provider_message_id as known_provider_id,
      (p.state).error as known_error, (p.state).pricing as known_pricing
    from paid p
    where exists (select from noted n where n.workspace_id = p.workspace_id and n.digest = p.notice)
  ),
  new_events as materialized (
    select x.workspace_id as workspace_id, new_uuid(now) as id, 'payment_updated' as kind, x.message_id as message_id,
      (x.state).contact_id as contact_id, null::uuid as resource_id, x.at as occurred_at,
      (
        (
          '{"seen":' || x.seen || ',"rank":' || x.rank || coalesce(',"accepted_at":' || to_json(x.accepted_at), '') || coalesce(',"sent_at":' || to_json(x.sent_at), '') || coalesce(',"delivered_at":' || to_json(x.delivered_at), '') || coalesce(',"read_at":' || to_json(x.read_at), '') || coalesce(',"failed_at":' || to_json(x.failed_at), '') || coalesce(',"provider_message_id":' || to_json(x.known_provider_id), '') || case
            when (x.state).possible_duplicate then ',"possible_duplicate":true'
            else ''
          end || case when (x.state).fallback_used then ',"fallback_used":true' else '' end || coalesce(',"error":' || x.known_error, '') || coalesce(',"pricing":' || x.known_pricing, '') || '}'
        )::json::jsonb || jsonb_build_object('payment', jsonb_build_object('reference', x.reference, 'status', x.status))
      )::json as state,
      (x.state).conversation as conversation, x.callback_id as callback_id
    from reported x
    order by x.ordinality
  ),
  events as (
    insert into event (
      workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at,
      callback_id
    )
    select x.workspace_id, x.id, (select i.era from installation i), x.kind, nextval('conversation_sequence'),
      x.message_id, x.contact_id, x.resource_id, x.occurred_at, x.state, now, x.callback_id
    from new_events x
  ),
  deliveries as (
    insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
    select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.id, e.id), x.id, x.conversation
    from new_events x
    cross join lateral (
      select e.id, e.lane
      from webhook_endpoint e
      where e.workspace_id = x.workspace_id and e.lane >= 0 and e.events && array['*', x.kind]
        and (
          not e.is_limited
          or is_got(x.workspace_id, within_limits(x.workspace_id, e.id, null::uuid, null::uuid, x.message_id))
        )
      offset 0
    ) e
    returning slot
  ),
  joined as (
    delete from parked_payment w using looked x
    where w.workspace_id = x.workspace_id and w.provider_message_id = x.provider_message_id and w.digest = x.digest
      and (
        x.received_at < now - interval '168 hours'
        or exists (
          select
          from given g
          where g.workspace_id = x.workspace_id and g.provider_message_id = x.provider_message_id
        )
      )
  )
  select slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d) into slots_filled;
  update parked_payment w
  set look_at = now + least(interval '1 hours', greatest(interval '5 seconds', (now - w.received_at) / 2))
  from (select (due[d.n]).* from generate_subscripts(due, 1) as d(n)) x
  where w.workspace_id = x.workspace_id and w.provider_message_id = x.provider_message_id and w.digest = x.digest;
  return query select coalesce(cardinality(due), 0), slots_filled::text;
end
$function$;

create or replace function judge_marketing(rows json, now timestamptz, call uuid, again boolean, lowest uuid default '00000000-0000-0000-0000-000000000000', highest uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff') returns table (
  is_marketing boolean, until timestamptz, changed boolean, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  slots_filled bigint := 0;
  r record;
  n record;
  refusals smallint;
  is_stop boolean;
  changes boolean;
  marketing boolean;
begin
  insert into flight (id) values (call);
  for r in
    select x.*, case when s.fallback_used then m.fallback_category else m.category end as category
    from rows from (
      json_to_recordset(rows) as (workspace_id uuid, phone_number_id uuid, message_id uuid, refused boolean)
    ) with ordinality x
    left join lateral (
      select s.fallback_used
      from message_state s
      where s.workspace_id = x.workspace_id and s.id = x.message_id and s.id between lowest and highest
      offset 0
    ) s on true
    left join lateral (
      select m.category, m.fallback_category
      from message m
      where m.workspace_id = x.workspace_id and m.id = x.message_id and m.id between lowest and highest
      offset 0
    ) m on true
    order by x.ordinality
  loop
    select p.* into n
    from phone_number p
    where p.workspace_id = r.workspace_id and p.id = r.phone_number_id for no key update;
    is_stop := r.refused and (n.marketing_stopped_until is null or n.marketing_probe = r.message_id);
    changes := case
      when r.refused then is_stop and n.marketing_stopped_until is null
      else coalesce(n.marketing_probe = r.message_id and n.marketing_stopped_until is not null, false)
    end;
    refusals := n.marketing_refusals;
    -- A probe that was accepted may still be refused, by a status: until it has left, the next stop goes on where the last one ended.
    if changes and r.refused
      and not exists (
        select
        from message_state s
        where s.workspace_id = r.workspace_id and s.id = n.marketing_probe and s.seen & 116 = 0
          and s.accepted_at > now - interval '24 hours'
      ) then
      refusals := 0;
    end if;
    marketing := coalesce(r.category = 'marketing', false);
    if is_stop or changes then
      update phone_number p
      set updated_at = now,
        marketing_probe = case when not r.refused then p.marketing_probe end,
        marketing_refusals = case when r.refused then refusals + 1 else refusals end,
        marketing_stopped_until = case
          when r.refused then now + least(interval '24 hours', interval '1 hours' * power(2, least(refusals, 5)))
        end
      where p.workspace_id = r.workspace_id and p.id = r.phone_number_id
      returning p.* into n;
    end if;
    if changes then
      event_id := new_uuid(now);
      insert into event (
        workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
      )
      values (
        n.workspace_id, event_id, (select i.era from installation i), 'phone_number_changed',
        nextval('conversation_sequence'), null, null, n.id, now,
        json_build_object(
          'phone_number',
          json_build_object(
            'id', n.id, 'business_account_id', n.business_account_id, 'provider_phone_number_id',
            n.provider_phone_number_id, 'phone', n.phone, 'verified_name', n.verified_name, 'quality', n.quality,
            'status', n.status, 'throughput_per_second', n.throughput_per_second, 'description', n.description,
            'is_default', n.is_default, 'marketing_stopped_until', n.marketing_stopped_until
          ),
          'changed', '["limit"]'::json
        ),
        now
      );
      with deliveries as (
        insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
        select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
          hashtextextended(n.id::text, 0)
        from webhook_endpoint e
        where e.workspace_id = n.workspace_id and e.lane >= 0 and e.events && array['*', 'phone_number_changed']
          and (
            not e.is_limited
            or is_got(n.workspace_id, within_limits(n.workspace_id, e.id, n.id, null::uuid, null::uuid))
          )
        returning slot
      )
      select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
      from deliveries d;
    end if;
    return query
      select marketing, n.marketing_stopped_until, changes, slots_filled::text;
  end loop;
end
$function$;

create or replace function judge_messages(rows json, now timestamptz, call uuid, again boolean) returns table (
  refusals text[], last_inbound_at timestamptz, is_new_person boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  batch_now timestamptz := now;
  rows_text text := rows::text;
  rows_with_quote uuid[];
begin
  if position('"reply_to"' in rows_text) > 0 then
    rows_with_quote := array(
      select x.id
      from rows from (
        json_to_recordset(rows) as (
          workspace_id uuid, id uuid, phone_number_id uuid, type text, content json, reply_to uuid, reference text,
          fallback json, template_id uuid, send_at timestamptz, expires_at timestamptz, resend_once boolean,
          media uuid[], estimated_dispatch_at timestamptz, public_id text, key text, fingerprint text, key_kept int,
          phone text, phone_key text, phone_loose text, contact_id uuid, user_id text, new_contact_id uuid, sender text,
          template_revision int, category text, portfolio text, take boolean, now timestamptz, actor_type text,
          actor_id uuid, actor_name text, method text, path text, request_id text, ip text, user_agent text,
          session uuid
        )
      ) with ordinality x
      left join lateral (
        select n.lane, n.status, n.business_account_id
        from phone_number n
        where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
        offset 0
      ) n on true
      left join lateral (
        select a.status, a.portfolio_id, a.provider_account_id
        from business_account a
        where a.workspace_id = x.workspace_id and a.id = n.business_account_id
        offset 0
      ) a on true
      left join lateral (
        select c.id, c.phone, c.wa_id, c.marketing_consent
        from contact c
        where c.workspace_id = x.workspace_id and x.user_id is null and c.phone = x.phone
        union all
        select c.id, c.phone, c.wa_id, c.marketing_consent
        from contact c
        where c.workspace_id = x.workspace_id
          and c.id = named_contact(
            x.workspace_id, x.contact_id, x.user_id, coalesce(a.portfolio_id, a.provider_account_id), x.phone,
            x.phone_key
          )
        limit 1
        offset 0
      ) c on true
      cross join lateral (
        select q.contact_id
        from message q
        where q.workspace_id = x.workspace_id and q.id = x.reply_to and q.phone_number_id = x.phone_number_id
          and not q.provided ->> 'group_id' is not null
        offset 0
      ) q
      where (
        select coalesce(m.merged_into, m.id)
        from contact m
        where m.workspace_id = x.workspace_id and m.id = q.contact_id
      ) = c.id
        or (select coalesce(m.merged_into, m.id) from contact m where m.workspace_id = x.workspace_id and m.id = q.contact_id) in (
          select twins_of(
            x.workspace_id, c.id, substr(x.phone, 2), coalesce(x.phone_loose, x.phone_key, substr(x.phone, 2))
          )
        )
    );
  end if;
  return query
    select array_remove(
      array[
        case
          when not coalesce(
            (
              n.status not in ('pending', 'unverified', 'disconnected', 'banned', 'migrated', 'deleted')
              and a.status = 'connected'
            ),
            false
          ) then 'sender_unavailable'
        end, case when x.template_id is not null and t.revision is null then 'template_not_found' end,
        case when x.template_id is not null and t.revision <> x.template_revision then 'stale_template' end,
        case when x.template_id is not null and t.status <> 'approved' then 'template_not_approved' end,
        case when c.id is null and x.contact_id is not null then 'reference_not_found' end,
        case
          when (
            x.category = 'marketing'
            and (
              coalesce(c.marketing_consent = 'opted_out', false)
              or case
                when concat_ws(' ', x.phone, c.phone, c.wa_id) ~ '(^| )[+]?(22|52|55|24|54|57|84)' then twin_opted_out(
                  x.workspace_id, c.id, substr(x.phone, 2), coalesce(x.phone_loose, x.phone_key, substr(x.phone, 2))
                )
                else false
              end
            )
          ) then 'recipient_opted_out'
        end,
        case
          when (
            c.phone is null and c.wa_id is null
            and is_out_of_reach(
              x.workspace_id, c.id, x.user_id, coalesce(a.portfolio_id, a.provider_account_id), x.phone_number_id
            )
          ) then 'out_of_reach'
        end,
        case
          when not (
            not (x.type not in ('template')) or x.fallback is not null
            or not case
              when (v.last_inbound_at is null or v.last_inbound_at + interval '1439 minutes' <= batch_now) then not case
                when concat_ws(' ', x.phone, c.phone, c.wa_id) ~ '(^| )[+]?(22|52|55|24|54|57|84)' then twin_wrote_since(
                  x.workspace_id, c.id, substr(x.phone, 2), coalesce(x.phone_loose, x.phone_key, substr(x.phone, 2)),
                  x.phone_number_id, batch_now - interval '1439 minutes'
                )
                else false
              end
              else false
            end
          ) then 'window_closed'
        end,
        case
          when case
            when v.owner_role = 'other' and x.take is not true and x.type not in ('template')
              and (x.send_at is null or x.send_at <= batch_now)
              and (x.fallback is null or not (v.last_inbound_at is null or v.last_inbound_at + interval '1439 minutes' <= batch_now)) then coalesce(
                v.owner_role = 'other' and greatest(
                  v.last_inbound_at, v.owner_since
                ) > batch_now - interval '86400000 milliseconds',
                false
              )
            else false
          end then 'thread_not_owned'
        end, case when not (x.reply_to is null or x.id = any(rows_with_quote)) then 'reference_not_found_reply_to' end,
        case
          when case when x.media is null then false else lacks_media(x.workspace_id, x.media) end then 'media_not_found'
        end
      ], null
    ),
      v.last_inbound_at,
      case
        when x.portfolio is null then false
        else (
          select who.id is not null
            and coalesce(
              counted_minute(x.portfolio, who.id) < floor(
                extract(epoch from (batch_now - interval '1441 minutes')) / 60
              )::int,
              true
            )
          from (
            select case
              when (v.last_inbound_at is null or v.last_inbound_at + interval '1439 minutes' <= batch_now) then recipient_digest(
                case
                  when coalesce(c.phone, x.phone) = x.phone then coalesce(x.phone_key, substr(x.phone, 2))
                  when c.id is null then x.user_id
                  else counted_person(x.workspace_id, c.id, x.phone_number_id)
                end
              )
            end as id
          ) who
        )
      end
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, id uuid, phone_number_id uuid, type text, content json, reply_to uuid, reference text,
        fallback json, template_id uuid, send_at timestamptz, expires_at timestamptz, resend_once boolean, media uuid[],
        estimated_dispatch_at timestamptz, public_id text, key text, fingerprint text, key_kept int, phone text,
        phone_key text, phone_loose text, contact_id uuid, user_id text, new_contact_id uuid, sender text,
        template_revision int, category text, portfolio text, take boolean, now timestamptz, actor_type text,
        actor_id uuid, actor_name text, method text, path text, request_id text, ip text, user_agent text, session uuid
      )
    ) with ordinality x
    left join lateral (
      select k.resource_id, k.fingerprint, k.created_at
      from idempotency_key k
      where k.workspace_id = x.workspace_id and k.digest = decode(x.key, 'hex')
        and k.created_at >= batch_now - coalesce(make_interval(secs => x.key_kept), interval '720 hours')
      offset 0
    ) k on true
    left join lateral (
      select n.lane, n.status, n.business_account_id
      from phone_number n
      where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
      offset 0
    ) n on true
    left join lateral (
      select a.status, a.portfolio_id, a.provider_account_id
      from business_account a
      where a.workspace_id = x.workspace_id and a.id = n.business_account_id
      offset 0
    ) a on true
    left join lateral (
      select c.id, c.phone, c.wa_id, c.marketing_consent
      from contact c
      where c.workspace_id = x.workspace_id and x.user_id is null and c.phone = x.phone
      union all
      select c.id, c.phone, c.wa_id, c.marketing_consent
      from contact c
      where c.workspace_id = x.workspace_id
        and c.id = named_contact(
          x.workspace_id, x.contact_id, x.user_id, coalesce(a.portfolio_id, a.provider_account_id), x.phone, x.phone_key
        )
      limit 1
      offset 0
    ) c on true
    left join lateral (
      select t.status, t.revision
      from template t
      where t.workspace_id = x.workspace_id and t.id = x.template_id
      offset 0
    ) t on true
    left join lateral (
      select v.last_inbound_at, v.last_message_at, v.owner_role, v.owner_since
      from conversation v
      where v.workspace_id = x.workspace_id and v.contact_id = c.id and v.phone_number_id = x.phone_number_id
      offset 0
    ) v on true
    order by x.ordinality;
end
$function$;

create or replace function keep_erasure_progress(rows json, now timestamptz, call uuid, again boolean) returns table (
  contact_id uuid
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (workspace_id uuid, contact_id uuid, part text, place text, whole boolean)
    ) with ordinality x
    order by x.workspace_id, x.contact_id, x.part
  loop
    update erased_contact e
    set progress = coalesce(e.progress, '{}') || jsonb_build_object(
      r.part, jsonb_build_object('place', r.place, 'whole', r.whole)
    )
    where e.workspace_id = r.workspace_id and e.id = r.contact_id and e.redacted_at is null
      and e.progress -> r.part ->> 'whole' is distinct from 'true';
    return query select r.contact_id;
  end loop;
end
$function$;

create or replace function lacks_media(
  of_workspace uuid, ids uuid[], out lacks boolean
) language plpgsql volatile
as $function$
#variable_conflict use_column
declare
begin
  select count(*) < cardinality(ids) into lacks
  from media f
  where f.workspace_id = of_workspace and f.id = any(ids) and f.file_id is not null;
end
$function$;

create or replace function learn_claims(
  now timestamptz, inout claims json[], inout has_evidence boolean
) language plpgsql volatile
as $function$
#variable_conflict use_column
declare
begin
  with claimed as materialized (
    select x.*, i.is_held is not null as confirms, x.user_id is not null and u.contact_id is null as has_new_id,
      coalesce(x.user_id, c.user_id) as known_user_id, c.known_username, c.known_profile_name, c.named_at, c.updated_at,
      i.since, i.key, i.loose, i.rules
    from rows from (
      json_to_recordset(array_to_json(claims)) as (
        source text, workspace_id uuid, message_id uuid, contact_id uuid, at timestamptz, wa_id text, wa_key text,
        wa_loose text, country text, user_id text, parent_user_id text, scope text, username text, profile_name text
      )
    ) with ordinality x
    left join lateral (
      select u.contact_id, u.until is null as is_valid
      from identifier u
      where x.user_id is not null and u.workspace_id = x.workspace_id and u.kind = 'user_id'
        and u.scope = coalesce(x.scope, '') and u.value = x.user_id
      offset 0
    ) u on true
    left join lateral (
      select c.id, c.user_id,
        case
          when (
            coalesce(c.username, c.profile_name) is not null
            and coalesce(coalesce(c.named_at, c.wa_id_at) > x.at, false)
          ) then coalesce(c.username, x.username)
          else coalesce(x.username, c.username)
        end as known_username,
        case
          when (
            coalesce(c.username, c.profile_name) is not null
            and coalesce(coalesce(c.named_at, c.wa_id_at) > x.at, false)
          ) then coalesce(c.profile_name, x.profile_name)
          else coalesce(x.profile_name, c.profile_name)
        end as known_profile_name,
        case
          when coalesce(x.username, x.profile_name) is null
            or (
              coalesce(c.username, c.profile_name) is not null
              and coalesce(coalesce(c.named_at, c.wa_id_at) > x.at, false)
            ) then c.named_at
          else x.at
        end as named_at,
        case
          when c.wa_id is null or (x.user_id is not null and c.user_id is null)
            or (x.username is not null and c.username is distinct from x.username)
            or (x.profile_name is not null and c.profile_name is distinct from x.profile_name) then now
          else c.updated_at
        end as updated_at
      from contact c
      where c.workspace_id = x.workspace_id and c.id = x.contact_id and x.source = 'status' and x.wa_id is not null
        and x.wa_key is null and x.parent_user_id is null and c.phone = '+' || x.wa_id
        and coalesce(c.wa_id, x.wa_id) = x.wa_id and c.wa_id_at is null and c.is_named and c.merged_into is null
        and (
          select c.id
          from contact c
          where c.workspace_id = x.workspace_id and c.wa_id = x.wa_id and not c.is_named
          limit 1
        ) is null
        and not exists (select from phone_number n where n.workspace_id = x.workspace_id and n.phone = c.phone)
        and case
          when x.user_id is null then true
          when u.contact_id is not null then u.contact_id = c.id and u.is_valid and c.user_id = x.user_id
          else c.user_id is null
          and not exists (
            select
            from identifier i
            where i.workspace_id = x.workspace_id and i.contact_id = c.id and i.value <> '' and i.kind = 'user_id'
          )
          and not exists (select from contact o where o.workspace_id = x.workspace_id and o.user_id = x.user_id)
        end for no key update skip locked
      offset 0
    ) c on true
    left join lateral (
      select true as is_held, i.since, i.key, i.loose, i.rules
      from identifier i
      where i.workspace_id = x.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = x.wa_id
        and i.contact_id = c.id and i.until is null for no key update skip locked
      offset 0
    ) i on true
  ),
  newest as materialized (
    select distinct on (x.workspace_id, x.contact_id) x.*
    from (
      select x.*,
        min(x.user_id) over of_contact is not distinct from max(x.user_id) over of_contact and (
          x.user_id is null or min(x.contact_id::text) over of_id = max(x.contact_id::text) over of_id
        ) as is_sure,
        min(x.at) over (partition by x.workspace_id, x.contact_id, x.user_id, x.scope) as id_since
      from claimed x window of_contact as (partition by x.workspace_id, x.contact_id),
      of_id as (partition by x.workspace_id, x.user_id)
    ) x
    -- Which of several ids is a person's, and whose an id is that several are named by, takes longer.
    where x.confirms and x.is_sure
    order by x.workspace_id, x.contact_id, x.at desc, x.ordinality
  ),
  new_ids as (
    insert into identifier (workspace_id, kind, scope, value, contact_id, source, since, rules)
    select x.workspace_id, 'user_id', coalesce(x.scope, ''), x.user_id, x.contact_id, 'status', x.id_since, 1
    from newest x
    where x.has_new_id
    order by x.workspace_id, x.scope, x.user_id
    on conflict do nothing
    returning contact_id
  ),
  -- Without those whose id another call has given to a contact at this moment.
  learned as materialized (
    select x.*
    from newest x
    where not x.has_new_id or x.contact_id = any(array(select n.contact_id from new_ids n))
  ),
  confirmed as (
    insert into contact (
      workspace_id, id, wa_id, wa_id_at, user_id, username, profile_name, named_at, created_at, updated_at
    )
    select x.workspace_id, x.contact_id, x.wa_id, x.at, x.known_user_id, x.known_username, x.known_profile_name,
      x.named_at, now, x.updated_at
    from learned x
    on conflict (workspace_id, id) do update
    set wa_id = excluded.wa_id,
      wa_id_at = excluded.wa_id_at,
      user_id = excluded.user_id,
      username = excluded.username,
      profile_name = excluded.profile_name,
      named_at = excluded.named_at,
      updated_at = excluded.updated_at
  ),
  confirmed_form as (
    -- As `changeLocked`: the row is there, and only its source changes.
    insert into identifier as i (workspace_id, kind, value, contact_id, source, since, key, loose, rules)
    select x.workspace_id, 'phone', x.wa_id, x.contact_id, 'status', x.since, x.key, x.loose, x.rules
    from learned x
    on conflict (workspace_id, kind, scope, value) do update
    set source = excluded.source
    where i.source in ('rule', 'message', 'answer', 'upgrade')
  ),
  evidence as (
    insert into contact_evidence (
      workspace_id, id, contact_id, source, message_id, scope, wa_id, wa_key, wa_loose, country, user_id,
      parent_user_id, username, profile_name, at, look_at
    )
    select x.workspace_id, new_uuid(now), x.contact_id, x.source, x.message_id, coalesce(x.scope, ''), x.wa_id,
      x.wa_key, x.wa_loose, x.country, x.user_id, x.parent_user_id, x.username, x.profile_name, x.at, now
    from claimed x
    where not (
      x.confirms
      and exists (
        select
        from learned l
        where l.workspace_id = x.workspace_id and l.contact_id = x.contact_id
          and l.user_id is not distinct from x.user_id and coalesce(l.scope, '') = coalesce(x.scope, '')
      )
    )
    order by x.ordinality
    returning id
  )
  select has_evidence or exists (select from evidence) into has_evidence;
  claims := '{}';
end
$function$;

create or replace function learn_people(
  people json, now timestamptz, inout slots_filled bigint, inout has_evidence boolean, inout consents json[],
  out taught_rows uuid[], out taught_people uuid[]
) language plpgsql volatile
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  person uuid;
  by_user uuid;
  by_phone uuid;
  former_owner uuid;
  owner_then uuid;
  e164 text;
  is_other_person boolean;
  is_new boolean;
  by_previous_user uuid;
  by_previous_phone uuid;
  old_number identifier;
  old_number_now identifier;
  left_number identifier;
  contested uuid;
  r record;
begin
  taught_rows := '{}';
  taught_people := '{}';
  for r in
    select x.*, true as confirms
    from rows from (
      json_to_recordset(people) as (
        workspace_id uuid, phone_number_id uuid, new_contact_id uuid, phone text, wa_id text, user_id text,
        parent_user_id text, scope text, username text, profile_name text, changes_identity boolean, wa_key text,
        wa_loose text, previous_wa_id text, previous_wa_key text, previous_wa_loose text, previous_user_id text,
        previous_parent_user_id text, at timestamptz, source text, message_id uuid, addressed uuid
      )
    ) with ordinality x
    order by x.ordinality
  loop
    if r.changes_identity then
      former_owner := null;
      e164 := '+' || r.wa_id;
      by_user := (
        select i.contact_id
        from identifier i
        where i.workspace_id = r.workspace_id and i.kind in ('user_id', 'parent_user_id') and i.scope = r.scope
          and i.value = r.user_id
        limit 1
      );
      by_phone := coalesce(
        (
          select i.contact_id
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.wa_id
            and i.until is null
          limit 1
        ),
        (
          select i.contact_id
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.wa_key
            and i.until is null
          limit 1
        )
      );
      select o.* into old_number
      from (
        select i.*
        from identifier i
        where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = ''
          and i.value in (r.previous_wa_id, r.previous_wa_key)
          and (
            (i.since <= r.at + interval '2 seconds' and (i.until is null or i.until >= r.at))
            or (i.taken_from is not null and i.since > r.at + interval '2 seconds')
          )
        order by i.value = r.previous_wa_id desc
        limit 1
      ) o;
      is_new := false;
      person := case
        when coalesce(r.user_id, r.previous_user_id) is null then (
          select i.contact_id
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind = 'change'
            and i.scope = coalesce(r.previous_wa_key, r.previous_wa_id) and i.value = coalesce(r.wa_key, r.wa_id)
            and abs(extract(epoch from i.since - r.at)) <= case
              when old_number.value is null and i.contact_id = by_phone then 10
              else 2
            end
        )
      end;
      if person is null then
        by_previous_user := (
          select i.contact_id
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind in ('user_id', 'parent_user_id') and i.scope = r.scope
            and i.value = r.previous_user_id
          limit 1
        );
        by_previous_phone := old_number.contact_id;
        contested := null;
        former_owner := (
          select coalesce(m.merged_into, m.id)
          from contact m
          where m.workspace_id = r.workspace_id and m.id = old_number.taken_from
        );
        if former_owner <> by_previous_phone then
          if r.at <= old_number.since + interval '2 seconds' then
            by_previous_phone := former_owner;
          elsif not exists (
            select
            from conversation v
            where v.workspace_id = r.workspace_id and v.contact_id = by_previous_phone
              and v.last_inbound_at > old_number.since
          ) then
            contested := by_previous_phone;
            by_previous_phone := null;
          end if;
        end if;
        former_owner := null;
        person := coalesce(
          by_previous_user, by_previous_phone,
          (
            select i.contact_id
            from identifier i
            where i.workspace_id = r.workspace_id and i.kind = 'parent_user_id' and i.scope = r.scope
              and i.value = r.previous_parent_user_id and i.until is null
            limit 1
          )
        );
        if by_previous_user is null and not coalesce(r.user_id, r.previous_user_id) is null
          and exists (
            select
            from identifier i
            where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> '' and i.kind = 'user_id'
              and i.scope = r.scope and i.value is distinct from r.user_id
              and i.value is distinct from r.previous_user_id
          ) then
          person := null;
          -- The number had another owner when it was last heard of.
        end if;
        person := coalesce(person, by_user);
        if person is not null then
          contested := null;
        end if;
        select l.* into left_number
        from (
          select i.*
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.wa_id
            and i.until > r.at and i.since <= r.at + interval '2 seconds'
        ) l;
        perform
        from (
          select distinct u.id
          from unnest(array[person, by_user, by_phone, left_number.contact_id, contested]) u(id)
          order by 1
        ) u
        cross join lateral (
          select
          from contact c
          where c.workspace_id = r.workspace_id and c.id = u.id for no key update
          offset 0
        ) c;
        if (
          select bool_or(c.merged_into is not null)
          from (
            select distinct u.id
            from unnest(array[person, by_user, by_phone, left_number.contact_id, contested]) u(id)
            order by 1
          ) u
          cross join lateral (
            select c.*
            from contact c
            where c.workspace_id = r.workspace_id and c.id = u.id
            offset 0
          ) c
        )
        -- Erased meanwhile: what is learned would name no contact.
        or (
          select count(*)
          from (
            select distinct u.id
            from unnest(array[person, by_user, by_phone, left_number.contact_id, contested]) u(id)
            order by 1
          ) u
          cross join lateral (
            select c.*
            from contact c
            where c.workspace_id = r.workspace_id and c.id = u.id
            offset 0
          ) c
        ) < (select count(distinct u.id) from unnest(array[person, by_user, by_phone, left_number.contact_id, contested]) u(id))
        or by_user is distinct from (
          select i.contact_id
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind in ('user_id', 'parent_user_id') and i.scope = r.scope
            and i.value = r.user_id
          limit 1
        )
        or by_phone is distinct from coalesce(
          (
            select i.contact_id
            from identifier i
            where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.wa_id
              and i.until is null
            limit 1
          ),
          (
            select i.contact_id
            from identifier i
            where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.wa_key
              and i.until is null
            limit 1
          )
        ) then
          raise exception 'overtaken' using errcode = 'serialization_failure';
        end if;
        select o.* into old_number_now
        from (
          select i.*
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = ''
            and i.value in (r.previous_wa_id, r.previous_wa_key)
            and (
              (i.since <= r.at + interval '2 seconds' and (i.until is null or i.until >= r.at))
              or (i.taken_from is not null and i.since > r.at + interval '2 seconds')
            )
          order by i.value = r.previous_wa_id desc
          limit 1
        ) o;
        if old_number_now is distinct from old_number then
          raise exception 'overtaken' using errcode = 'serialization_failure';
        end if;
        is_new := person is null;
        if is_new then
          person := r.new_contact_id;
          insert into contact (workspace_id, id, created_at, updated_at, is_named)
          values (r.workspace_id, person, now, now, true);
        end if;
        if r.previous_wa_id is not null and r.wa_id is not null then
          insert into identifier as i (workspace_id, kind, scope, value, contact_id, source, since)
          values (
            r.workspace_id, 'change', coalesce(r.previous_wa_key, r.previous_wa_id), coalesce(r.wa_key, r.wa_id),
            person, r.source, r.at
          )
          on conflict (workspace_id, kind, scope, value) do update
          set contact_id = excluded.contact_id, since = excluded.since
          where i.since < excluded.since - interval '2 seconds';
        end if;
        if contested is not null then
          with ended as (
            update identifier i
            set until = i.since
            where i.workspace_id = r.workspace_id and i.contact_id = contested and i.value <> '' and i.until is null
              and i.since <= r.at + interval '2 seconds' and i.value is distinct from r.wa_id
              and i.value is distinct from r.wa_key and i.value is distinct from r.user_id
              and ((i.kind = 'phone' and i.loose = coalesce(r.previous_wa_loose, r.previous_wa_key, r.previous_wa_id)))
            returning i.value
          )
          update contact c
          set phone = case when substr(c.phone, 2) in (select g.value from ended g) then null else c.phone end,
            wa_id = case when c.wa_id in (select g.value from ended g) then null else c.wa_id end,
            wa_id_at = case when c.wa_id in (select g.value from ended g) then null else c.wa_id_at end,
            user_id = case when c.user_id in (select g.value from ended g) then null else c.user_id end,
            updated_at = now
          where c.workspace_id = r.workspace_id and c.id = contested;
        end if;
        with ended as (
          update identifier i
          set until = r.at
          where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> '' and i.until is null
            and i.since <= r.at + interval '2 seconds' and i.value is distinct from r.wa_id
            and i.value is distinct from r.wa_key and i.value is distinct from r.user_id
            and (
              (i.kind = 'phone' and i.loose = coalesce(r.previous_wa_loose, r.previous_wa_key, r.previous_wa_id))
              or (i.kind = 'user_id' and i.scope = r.scope and r.user_id is not null)
            )
          returning i.value
        )
        update contact c
        set phone = case when substr(c.phone, 2) in (select g.value from ended g) then null else c.phone end,
          wa_id = case when c.wa_id in (select g.value from ended g) then null else c.wa_id end,
          wa_id_at = case when c.wa_id in (select g.value from ended g) then null else c.wa_id_at end,
          user_id = case when c.user_id in (select g.value from ended g) then null else c.user_id end,
          updated_at = now
        where c.workspace_id = r.workspace_id and c.id = person;
        insert into identifier (workspace_id, kind, scope, value, contact_id, source, since, until, key, loose, rules)
        select r.workspace_id, v.kind, v.scope, v.value, person, r.source, '-infinity', r.at,
          case when v.kind = 'phone' then coalesce(r.previous_wa_key, r.previous_wa_id) end, v.loose, 1
        from (
          values ('phone', '', r.previous_wa_key, coalesce(r.previous_wa_loose, r.previous_wa_key)),
            ('phone', '', r.previous_wa_id, coalesce(r.previous_wa_loose, r.previous_wa_key, r.previous_wa_id)),
            ('user_id', r.scope, r.previous_user_id, null)
        ) v(kind, scope, value, loose)
        where v.value is not null and v.value is distinct from r.wa_id and v.value is distinct from r.wa_key
          and v.value is distinct from r.user_id
        order by v.kind, v.scope, v.value
        on conflict do nothing;
        select o.* into old_number_now
        from (
          select i.*
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = ''
            and i.value in (r.previous_wa_id, r.previous_wa_key)
            and (
              (i.since <= r.at + interval '2 seconds' and (i.until is null or i.until >= r.at))
              or (i.taken_from is not null and i.since > r.at + interval '2 seconds')
            )
          order by i.value = r.previous_wa_id desc
          limit 1
        ) o;
        if (
          by_previous_user is null
          and (
            select i.contact_id
            from identifier i
            where i.workspace_id = r.workspace_id and i.kind in ('user_id', 'parent_user_id') and i.scope = r.scope
              and i.value = r.previous_user_id
            limit 1
          ) <> person
        )
          or (old_number.value is null and old_number_now.contact_id <> person) then
          raise exception 'overtaken' using errcode = 'serialization_failure';
        end if;
        if by_user is not null and by_user <> person then
          insert into contact_evidence (
            workspace_id, id, contact_id, other_contact_id, source, message_id, scope, user_id, at, look_at
          )
          values (
            r.workspace_id, new_uuid(now), person, by_user, r.source, r.message_id, r.scope, r.user_id, r.at, now
          );
          has_evidence := true;
        end if;
        if left_number.contact_id <> person
          and (
            coalesce(r.user_id, r.previous_user_id) is null and left_number.since > '-infinity'
            and left_number.since < r.at - interval '2 seconds'
            and not (
              not exists (
                select
                from identifier i
                where i.workspace_id = r.workspace_id and i.contact_id = left_number.contact_id and i.value <> ''
                  and i.kind = 'user_id' and i.scope = r.scope and i.value is distinct from r.user_id
              )
              and not exists (
                select
                from conversation v
                where v.workspace_id = r.workspace_id and v.contact_id = left_number.contact_id
                  and v.last_inbound_at > '-infinity'
              )
              and not exists (
                select
                from identifier i
                where i.workspace_id = r.workspace_id and i.contact_id = left_number.contact_id and i.value <> ''
                  and i.kind = 'phone' and i.source = r.source
              )
            )
          ) then
          update identifier i
          set contact_id = person,
            source = r.source,
            since = r.at,
            taken_from = i.contact_id,
            until = case when left_number.until > r.at + interval '2 seconds' then r.at end
          where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value in (r.wa_id, r.wa_key)
            and i.contact_id = left_number.contact_id and i.until = left_number.until;
          with ended as (
            update identifier i
            set until = i.since
            where i.workspace_id = r.workspace_id and i.contact_id = left_number.contact_id and i.value <> ''
              and i.kind = 'phone' and i.until is null and i.since = left_number.until
              and i.since > r.at + interval '2 seconds'
            returning i.value
          )
          update contact c
          set phone = case when substr(c.phone, 2) in (select g.value from ended g) then null else c.phone end,
            wa_id = case when c.wa_id in (select g.value from ended g) then null else c.wa_id end,
            wa_id_at = case when c.wa_id in (select g.value from ended g) then null else c.wa_id_at end,
            user_id = case when c.user_id in (select g.value from ended g) then null else c.user_id end,
            updated_at = now
          where c.workspace_id = r.workspace_id and c.id = left_number.contact_id;
          if left_number.until > r.at + interval '2 seconds' then
            r.wa_id := null;
            r.wa_key := null;
          end if;
        elsif left_number.contact_id <> person
          and (
            r.user_id is null
            or not exists (
              select
              from identifier i
              where i.workspace_id = r.workspace_id and i.contact_id = left_number.contact_id and i.value <> ''
                and i.kind = 'user_id' and i.scope = r.scope
            )
          ) then
          -- Who left the new number later had come to it by this change.
          insert into contact_evidence (
            workspace_id, id, contact_id, other_contact_id, source, message_id, scope, user_id, at, look_at
          )
          values (
            r.workspace_id, new_uuid(now), person, left_number.contact_id, r.source, r.message_id, r.scope, null, r.at,
            now
          );
          has_evidence := true;
        elsif by_phone is not null and by_phone <> person and by_phone is distinct from by_user then
          if (
            not exists (
              select
              from identifier i
              where i.workspace_id = r.workspace_id and i.contact_id = by_phone and i.value <> '' and i.kind = 'user_id'
                and i.scope = r.scope and i.value is distinct from r.user_id
            )
            and not exists (
              select
              from conversation v
              where v.workspace_id = r.workspace_id and v.contact_id = by_phone and v.last_inbound_at > '-infinity'
            )
            and not exists (
              select
              from identifier i
              where i.workspace_id = r.workspace_id and i.contact_id = by_phone and i.value <> '' and i.kind = 'phone'
                and i.source = r.source
            )
          ) then
            -- At once, or another person who writes from it meanwhile would be taken for this record, and merged with the person.
            with taken as (
              update identifier i
              set contact_id = person, source = r.source, since = r.at, taken_from = by_phone
              where i.workspace_id = r.workspace_id and i.contact_id = by_phone and i.value <> '' and i.kind = 'phone'
                and i.until is null
                and (
                  i.key = coalesce(r.wa_key, r.wa_id)
                  or (
                    i.loose = coalesce(r.wa_loose, r.wa_key, r.wa_id)
                    and i.source in ('rule', 'message', 'answer', 'upgrade')
                  )
                )
              returning i.value
            )
            update contact c
            set phone = case when substr(c.phone, 2) in (select g.value from taken g) then null else c.phone end,
              wa_id = case when c.wa_id in (select g.value from taken g) then null else c.wa_id end,
              wa_id_at = case when c.wa_id in (select g.value from taken g) then null else c.wa_id_at end,
              user_id = case when c.user_id in (select g.value from taken g) then null else c.user_id end,
              updated_at = now
            where c.workspace_id = r.workspace_id and c.id = by_phone;
            former_owner := by_phone;
            by_phone := person;
            insert into contact_evidence (
              workspace_id, id, contact_id, other_contact_id, source, message_id, scope, user_id, at, look_at
            )
            values (
              r.workspace_id, new_uuid(now), person, former_owner, r.source, r.message_id, r.scope, null, r.at, now
            );
            has_evidence := true;
          elsif not exists (
            select
            from identifier i
            where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = ''
              and i.value in (r.wa_id, r.wa_key) and i.contact_id = by_phone and i.since > r.at
          ) then
            with taken as (
              update identifier i
              set contact_id = person, source = r.source, since = r.at, taken_from = by_phone
              where i.workspace_id = r.workspace_id and i.contact_id = by_phone and i.value <> '' and i.kind = 'phone'
                and i.until is null
                and (
                  i.key = coalesce(r.wa_key, r.wa_id)
                  or (
                    i.loose = coalesce(r.wa_loose, r.wa_key, r.wa_id)
                    and i.source in ('rule', 'message', 'answer', 'upgrade')
                  )
                )
              returning i.value
            )
            update contact c
            set phone = case when substr(c.phone, 2) in (select g.value from taken g) then null else c.phone end,
              wa_id = case when c.wa_id in (select g.value from taken g) then null else c.wa_id end,
              wa_id_at = case when c.wa_id in (select g.value from taken g) then null else c.wa_id_at end,
              user_id = case when c.user_id in (select g.value from taken g) then null else c.user_id end,
              updated_at = now
            where c.workspace_id = r.workspace_id and c.id = by_phone;
            former_owner := by_phone;
            by_phone := person;
          end if;
        end if;
        insert into identifier as i (workspace_id, kind, scope, value, contact_id, source, since, key, loose, rules)
        select r.workspace_id, v.kind, v.scope, v.value, person, v.source, r.at,
          case when v.kind = 'phone' then coalesce(r.wa_key, r.wa_id) end, v.loose, 1
        from (
          values ('phone', '', r.wa_key, 'rule', coalesce(r.wa_loose, r.wa_key)),
            ('phone', '', r.wa_id, r.source, coalesce(r.wa_loose, r.wa_key, r.wa_id)),
            (
              'user_id', r.scope,
              case
                when not exists (
                  select
                  from identifier i
                  where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> ''
                    and i.kind = 'user_id' and i.scope = r.scope and i.value is distinct from r.user_id
                    and i.until is null
                ) then r.user_id
              end, r.source, null
            ),
            ('parent_user_id', r.scope, r.parent_user_id, r.source, null)
        ) v(kind, scope, value, source, loose)
        where v.value is not null
        order by v.kind, v.scope, v.value
        on conflict (workspace_id, kind, scope, value) do update
        set contact_id = excluded.contact_id,
          source = excluded.source,
          until = null,
          key = excluded.key,
          loose = excluded.loose,
          rules = excluded.rules,
          since = case when i.until is null then i.since else excluded.since end,
          taken_from = case
            when i.until is null then i.taken_from
            when i.since = i.until then nullif(i.contact_id, excluded.contact_id)
          end
        where (i.until is not null and i.until <= excluded.since)
        -- What the rules derived has been seen now and may be sent, or what was written to was heard from.
        or (
          i.contact_id = excluded.contact_id and i.until is null
          and (
            (i.source = 'rule' and excluded.source <> 'rule')
            or (
              i.source in ('rule', 'message', 'answer', 'upgrade')
              and excluded.source not in ('rule', 'message', 'answer', 'upgrade')
            )
          )
        );
        update contact c
        set wa_id = k.wa_id,
          wa_id_at = case when k.is_number and r.confirms then r.at else c.wa_id_at end,
          phone = k.phone,
          user_id = k.user_id,
          parent_user_id = k.parent_user_id,
          username = k.username,
          profile_name = k.profile_name,
          named_at = k.named_at,
          updated_at = case
            when (
              c.wa_id, c.phone, c.user_id, c.parent_user_id, c.username, c.profile_name
            ) is distinct from (k.wa_id, k.phone, k.user_id, k.parent_user_id, k.username, k.profile_name) then now
            else c.updated_at
          end
        from (
          select n.is_number, case when n.is_number then r.wa_id else c.wa_id end as wa_id,
            coalesce(
              c.phone,
              case
                when n.is_number
                  and not exists (
                    select
                    from contact o
                    where o.workspace_id = r.workspace_id and o.phone = n.e164
                  ) then n.e164
              end
            ) as phone,
            case when n.is_user then r.user_id else c.user_id end as user_id,
            coalesce(r.parent_user_id, c.parent_user_id) as parent_user_id,
            case
              when (
                coalesce(c.username, c.profile_name) is not null
                and coalesce(coalesce(c.named_at, c.wa_id_at) > r.at, false)
              ) then coalesce(c.username, r.username)
              else coalesce(r.username, c.username)
            end as username,
            case
              when (
                coalesce(c.username, c.profile_name) is not null
                and coalesce(coalesce(c.named_at, c.wa_id_at) > r.at, false)
              ) then coalesce(c.profile_name, r.profile_name)
              else coalesce(r.profile_name, c.profile_name)
            end as profile_name,
            case
              when coalesce(r.username, r.profile_name) is null
                or (
                  coalesce(c.username, c.profile_name) is not null
                  and coalesce(coalesce(c.named_at, c.wa_id_at) > r.at, false)
                ) then c.named_at
              else r.at
            end as named_at
          from contact c,
          lateral (
            select '+' || r.wa_id as e164,
              exists (
                select
                from identifier i
                where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.wa_id
                  and i.contact_id = person and i.until is null
              ) and (c.wa_id_at is null or (r.confirms and c.wa_id_at <= r.at)) as is_number,
              exists (select from identifier i where i.workspace_id = r.workspace_id and i.kind = 'user_id' and i.scope = r.scope and i.value = r.user_id and i.contact_id = person and i.until is null) and not exists (
                select
                from identifier i
                where i.workspace_id = r.workspace_id and i.kind = 'user_id' and i.scope <> r.scope
                  and i.value = c.user_id and i.contact_id = person and i.until is null
              ) and not exists (select from contact o where o.workspace_id = r.workspace_id and o.user_id = r.user_id and o.id <> person) as is_user
          ) n
          where c.workspace_id = r.workspace_id and c.id = person
        ) k
        where c.workspace_id = r.workspace_id and c.id = person
          and (c.wa_id, c.phone, c.user_id, c.parent_user_id, c.username, c.profile_name, c.wa_id_at) is distinct from (
            k.wa_id, k.phone, k.user_id, k.parent_user_id, k.username, k.profile_name,
            case when k.is_number and r.confirms then r.at else c.wa_id_at end
          );
        if (
          select count(*)
          from (
            select
            from identifier i
            where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> ''
            limit 51
          ) n
        ) > 50 then
          delete from identifier i
          where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> ''
            and i.ctid = any(
              array(
                select o.ctid
                from identifier o
                join contact c on c.workspace_id = o.workspace_id and c.id = o.contact_id
                where o.workspace_id = r.workspace_id and o.contact_id = person and o.value <> ''
                order by o.value in (substr(c.phone, 2), c.wa_id, c.user_id, c.parent_user_id) desc nulls last,
                  o.until is null desc, o.since desc, o.value
                offset 50
              )
            );
        end if;
      end if;
    else
      former_owner := null;
      e164 := '+' || r.wa_id;
      by_user := (
        select i.contact_id
        from identifier i
        where i.workspace_id = r.workspace_id and i.kind in ('user_id', 'parent_user_id') and i.scope = r.scope
          and i.value = r.user_id
        limit 1
      );
      by_phone := coalesce(
        (
          select i.contact_id
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.wa_id
            and i.until is null
          limit 1
        ),
        (
          select i.contact_id
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.wa_key
            and i.until is null
          limit 1
        )
      );
      owner_then := nullif(
        coalesce(
          (
            select (
              select coalesce(m.merged_into, m.id)
              from contact m
              where m.workspace_id = r.workspace_id and m.id = i.taken_from
            )
            from identifier i
            where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = ''
              and i.value in (r.wa_id, r.wa_key)
              and (i.taken_from is not null and i.since > r.at + interval '2 seconds')
            limit 1
          ),
          (
            select (
              select coalesce(m.merged_into, m.id)
              from contact m
              where m.workspace_id = r.workspace_id and m.id = l.contact_id
            )
            from identifier l
            where l.workspace_id = r.workspace_id and l.kind = 'change' and l.scope = coalesce(r.wa_key, r.wa_id)
              and l.since >= r.at
              and exists (
                select
                from identifier i
                where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = ''
                  and i.value in (r.wa_id, r.wa_key) and i.since > r.at + interval '2 seconds'
              )
            order by l.since
            limit 1
          )
        ),
        by_phone
      );
      person := coalesce(
        by_user, owner_then, by_phone,
        (
          select i.contact_id
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.wa_id
            and (i.since <= r.at + interval '2 seconds' and (i.until is null or i.until >= r.at))
        ),
        (
          select i.contact_id
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.wa_key
            and (i.since <= r.at + interval '2 seconds' and (i.until is null or i.until >= r.at))
        ),
        (
          select i.contact_id
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind = 'parent_user_id' and i.scope = r.scope
            and i.value = r.parent_user_id and i.until is null
          limit 1
        ),
        coalesce(
          (select c.id from contact c where c.workspace_id = r.workspace_id and c.phone = r.phone),
          (
            select c.id
            from contact c
            where c.workspace_id = r.workspace_id and c.user_id = r.user_id and not c.is_named
          )
        ),
        coalesce(
          (select c.id from contact c where c.workspace_id = r.workspace_id and c.phone = e164),
          (
            select c.id
            from contact c
            where c.workspace_id = r.workspace_id and c.user_id = r.user_id and not c.is_named
          )
        ),
        (
          select c.id
          from contact c
          where c.workspace_id = r.workspace_id and c.wa_id = r.wa_id and not c.is_named
          limit 1
        )
      );
      perform
      from (select distinct u.id from unnest(array[person, by_user, by_phone, r.addressed]) u(id) order by 1) u
      cross join lateral (
        select
        from contact c
        where c.workspace_id = r.workspace_id and c.id = u.id for no key update
        offset 0
      ) c;
      if (
        select bool_or(c.merged_into is not null)
        from (select distinct u.id from unnest(array[person, by_user, by_phone, r.addressed]) u(id) order by 1) u
        cross join lateral (select c.* from contact c where c.workspace_id = r.workspace_id and c.id = u.id offset 0) c
      )
      -- Erased meanwhile: what is learned would name no contact.
      or (
        select count(*)
        from (select distinct u.id from unnest(array[person, by_user, by_phone, r.addressed]) u(id) order by 1) u
        cross join lateral (select c.* from contact c where c.workspace_id = r.workspace_id and c.id = u.id offset 0) c
      ) < (select count(distinct u.id) from unnest(array[person, by_user, by_phone, r.addressed]) u(id))
      or by_user is distinct from (
        select i.contact_id
        from identifier i
        where i.workspace_id = r.workspace_id and i.kind in ('user_id', 'parent_user_id') and i.scope = r.scope
          and i.value = r.user_id
        limit 1
      )
      or by_phone is distinct from coalesce(
        (
          select i.contact_id
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.wa_id
            and i.until is null
          limit 1
        ),
        (
          select i.contact_id
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.wa_key
            and i.until is null
          limit 1
        )
      ) then
        raise exception 'overtaken' using errcode = 'serialization_failure';
      end if;
      if owner_then is not null then
        -- Late: the number is another's by now.
        by_phone := null;
        r.wa_id := null;
        r.wa_key := null;
      end if;
      is_new := false;
      is_other_person := person is not null and by_user is null and r.user_id is not null
      and (
        exists (
          select
          from identifier i
          where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> '' and i.kind = 'user_id'
            and i.scope = r.scope and i.value is distinct from r.user_id
        )
        or exists (
          select
          from contact c
          where c.workspace_id = r.workspace_id and c.id = person and not c.is_named and c.user_id <> r.user_id
        )
      );
      if is_other_person then
        if by_phone is null then
          -- One of an earlier version, whose number is in its column alone.
          update contact c
          set phone = null, wa_id = null
          where c.workspace_id = r.workspace_id and c.id = person and not c.is_named
          returning c.id into former_owner;
        end if;
        person := null;
      end if;
      if person is null and not is_other_person and r.addressed is not null
        and not exists (
          select
          from identifier i
          where i.workspace_id = r.workspace_id and i.contact_id = r.addressed and i.value <> '' and i.kind = 'user_id'
            and i.scope = r.scope and i.value is distinct from r.user_id
        )
        and not (
          r.wa_id is not null
          and exists (
            select
            from identifier i
            where i.workspace_id = r.workspace_id and i.contact_id = r.addressed and i.value <> '' and i.kind = 'phone'
              and i.until is null
          )
          and coalesce(
            (
              select bool_or(
                i.key <> coalesce(r.wa_key, r.wa_id) and length(i.key) = length(coalesce(r.wa_key, r.wa_id))
              )
              from identifier i
              where i.workspace_id = r.workspace_id and i.contact_id = r.addressed and i.value <> ''
                and i.kind = 'phone' and i.until is null and i.loose = coalesce(r.wa_loose, r.wa_key, r.wa_id)
            ),
            true
          )
        ) then
        person := r.addressed;
      end if;
      if person is null then
        person := r.new_contact_id;
        is_new := true;
      end if;
      if by_phone is not null and by_phone <> person and r.user_id is not null
        and (
          exists (
            select
            from identifier i
            where i.workspace_id = r.workspace_id and i.contact_id = by_phone and i.value <> '' and i.kind = 'user_id'
              and i.scope = r.scope and i.value is distinct from r.user_id
          )
          or (
            (
              select count(c.wa_id_at)
              from (select distinct u.id from unnest(array[person, by_phone]) u(id) order by 1) u
              cross join lateral (
                select c.*
                from contact c
                where c.workspace_id = r.workspace_id and c.id = u.id
                offset 0
              ) c
            ) = 2
            and (
              r.wa_id is not null
              and exists (
                select
                from identifier i
                where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> '' and i.kind = 'phone'
                  and i.until is null
              )
              and coalesce(
                (
                  select bool_or(
                    i.key <> coalesce(r.wa_key, r.wa_id) and length(i.key) = length(coalesce(r.wa_key, r.wa_id))
                  )
                  from identifier i
                  where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> '' and i.kind = 'phone'
                    and i.until is null and i.loose = coalesce(r.wa_loose, r.wa_key, r.wa_id)
                ),
                true
              )
            )
          )
        ) then
        if not exists (
          select
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value in (r.wa_id, r.wa_key)
            and i.contact_id = by_phone and i.since > r.at
        ) then
          with taken as (
            update identifier i
            set contact_id = person, source = r.source, since = r.at, taken_from = by_phone
            where i.workspace_id = r.workspace_id and i.contact_id = by_phone and i.value <> '' and i.kind = 'phone'
              and i.until is null
              and (
                i.key = coalesce(r.wa_key, r.wa_id)
                or (
                  i.loose = coalesce(r.wa_loose, r.wa_key, r.wa_id)
                  and i.source in ('rule', 'message', 'answer', 'upgrade')
                )
              )
            returning i.value
          )
          update contact c
          set phone = case when substr(c.phone, 2) in (select g.value from taken g) then null else c.phone end,
            wa_id = case when c.wa_id in (select g.value from taken g) then null else c.wa_id end,
            wa_id_at = case when c.wa_id in (select g.value from taken g) then null else c.wa_id_at end,
            user_id = case when c.user_id in (select g.value from taken g) then null else c.user_id end,
            updated_at = now
          where c.workspace_id = r.workspace_id and c.id = by_phone;
          former_owner := by_phone;
          by_phone := person;
          -- Many numbers at once mean that user ids cannot be relied on.
          insert into contact_evidence (
            workspace_id, id, contact_id, source, message_id, scope, wa_id, wa_key, at, look_at
          )
          values (
            r.workspace_id, new_uuid(now), person, 'new_owner', r.message_id, r.scope, r.wa_id, r.wa_key, r.at, now
          );
          has_evidence := true;
        else
          -- Another person has it since: this one is not who it names.
          by_phone := null;
          r.wa_id := null;
          r.wa_key := null;
        end if;
      end if;
      if is_new
        and exists (
          select
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value in (r.wa_id, r.wa_key)
            and i.contact_id <> person and i.until > r.at
        ) then
        -- Late: the number has been others' since, and names no person now.
        r.wa_id := null;
        r.wa_key := null;
      end if;
      if is_new then
        insert into contact (
          workspace_id, id, phone, wa_id, wa_id_at, user_id, parent_user_id, created_at, updated_at, is_named
        )
        values (
          r.workspace_id, person, '+' || r.wa_id, r.wa_id, case when r.wa_id is not null then r.at end,
          case
            when not exists (
              select
              from contact o
              where o.workspace_id = r.workspace_id and o.user_id = r.user_id and o.id <> person
            ) then r.user_id
          end, r.parent_user_id, now, now, true
        )
        on conflict do nothing;
        if not found then
          if (
            by_phone is null
            and exists (
              select
              from identifier i
              where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = ''
                and i.value in (r.wa_id, r.wa_key) and i.until is null and i.contact_id <> person
            )
          )
            or (
              by_user is null
              and exists (
                select
                from identifier i
                where i.workspace_id = r.workspace_id and i.kind = 'user_id' and i.scope = r.scope
                  and i.value = r.user_id and i.contact_id <> person
              )
            ) then
            raise exception 'overtaken' using errcode = 'serialization_failure';
          end if;
          -- A process of an earlier version created this person since.
          is_new := false;
          person := coalesce(
            (select c.id from contact c where c.workspace_id = r.workspace_id and c.phone = r.phone),
            (
              select c.id
              from contact c
              where c.workspace_id = r.workspace_id and c.user_id = r.user_id and not c.is_named
            )
          );
          if person is null then
            raise exception 'overtaken' using errcode = 'serialization_failure';
          end if;
          update identifier i
          set contact_id = person
          where i.workspace_id = r.workspace_id and i.contact_id = r.new_contact_id and i.value <> '';
        end if;
      end if;
      if by_phone is not null and by_phone <> person then
        insert into contact_evidence (
          workspace_id, id, contact_id, other_contact_id, source, message_id, scope, user_id, at, look_at
        )
        values (r.workspace_id, new_uuid(now), person, by_phone, r.source, r.message_id, r.scope, null, r.at, now);
        has_evidence := true;
      end if;
      if r.addressed is not null and r.addressed <> person and r.addressed is distinct from by_phone
        and not (
          r.wa_id is not null
          and exists (
            select
            from identifier i
            where i.workspace_id = r.workspace_id and i.contact_id = r.addressed and i.value <> '' and i.kind = 'phone'
              and i.until is null
          )
          and coalesce(
            (
              select bool_or(
                i.key <> coalesce(r.wa_key, r.wa_id) and length(i.key) = length(coalesce(r.wa_key, r.wa_id))
              )
              from identifier i
              where i.workspace_id = r.workspace_id and i.contact_id = r.addressed and i.value <> ''
                and i.kind = 'phone' and i.until is null and i.loose = coalesce(r.wa_loose, r.wa_key, r.wa_id)
            ),
            true
          )
        ) then
        insert into contact_evidence (
          workspace_id, id, contact_id, other_contact_id, source, message_id, scope, user_id, at, look_at
        )
        values (r.workspace_id, new_uuid(now), person, r.addressed, r.source, r.message_id, r.scope, null, r.at, now);
        has_evidence := true;
      end if;
      insert into identifier as i (workspace_id, kind, scope, value, contact_id, source, since, key, loose, rules)
      select r.workspace_id, v.kind, v.scope, v.value, person, v.source, r.at,
        case when v.kind = 'phone' then coalesce(r.wa_key, r.wa_id) end, v.loose, 1
      from (
        values ('phone', '', r.wa_key, 'rule', coalesce(r.wa_loose, r.wa_key)),
          ('phone', '', r.wa_id, r.source, coalesce(r.wa_loose, r.wa_key, r.wa_id)),
          (
            'user_id', r.scope,
            case
              when not exists (
                select
                from identifier i
                where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> '' and i.kind = 'user_id'
                  and i.scope = r.scope and i.value is distinct from r.user_id and i.until is null
              ) then r.user_id
            end, r.source, null
          ),
          ('parent_user_id', r.scope, r.parent_user_id, r.source, null)
      ) v(kind, scope, value, source, loose)
      where v.value is not null
      order by v.kind, v.scope, v.value
      on conflict (workspace_id, kind, scope, value) do update
      set contact_id = excluded.contact_id,
        source = excluded.source,
        until = null,
        key = excluded.key,
        loose = excluded.loose,
        rules = excluded.rules,
        since = case when i.until is null then i.since else excluded.since end,
        taken_from = case
          when i.until is null then i.taken_from
          when i.since = i.until then nullif(i.contact_id, excluded.contact_id)
        end
      where (i.until is not null and i.until <= excluded.since)
      -- What the rules derived has been seen now and may be sent, or what was written to was heard from.
      or (
        i.contact_id = excluded.contact_id and i.until is null
        and (
          (i.source = 'rule' and excluded.source <> 'rule')
          or (
            i.source in ('rule', 'message', 'answer', 'upgrade')
            and excluded.source not in ('rule', 'message', 'answer', 'upgrade')
          )
        )
      );
      update contact c
      set wa_id = k.wa_id,
        wa_id_at = case when k.is_number and r.confirms then r.at else c.wa_id_at end,
        phone = k.phone,
        user_id = k.user_id,
        parent_user_id = k.parent_user_id,
        username = k.username,
        profile_name = k.profile_name,
        named_at = k.named_at,
        updated_at = case
          when (
            c.wa_id, c.phone, c.user_id, c.parent_user_id, c.username, c.profile_name
          ) is distinct from (k.wa_id, k.phone, k.user_id, k.parent_user_id, k.username, k.profile_name) then now
          else c.updated_at
        end
      from (
        select n.is_number, case when n.is_number then r.wa_id else c.wa_id end as wa_id,
          coalesce(
            c.phone,
            case
              when n.is_number
                and not exists (
                  select
                  from contact o
                  where o.workspace_id = r.workspace_id and o.phone = n.e164
                ) then n.e164
            end
          ) as phone,
          case when n.is_user then r.user_id else c.user_id end as user_id,
          coalesce(r.parent_user_id, c.parent_user_id) as parent_user_id,
          case
            when (
              coalesce(c.username, c.profile_name) is not null
              and coalesce(coalesce(c.named_at, c.wa_id_at) > r.at, false)
            ) then coalesce(c.username, r.username)
            else coalesce(r.username, c.username)
          end as username,
          case
            when (
              coalesce(c.username, c.profile_name) is not null
              and coalesce(coalesce(c.named_at, c.wa_id_at) > r.at, false)
            ) then coalesce(c.profile_name, r.profile_name)
            else coalesce(r.profile_name, c.profile_name)
          end as profile_name,
          case
            when coalesce(r.username, r.profile_name) is null
              or (
                coalesce(c.username, c.profile_name) is not null
                and coalesce(coalesce(c.named_at, c.wa_id_at) > r.at, false)
              ) then c.named_at
            else r.at
          end as named_at
        from contact c,
        lateral (
          select '+' || r.wa_id as e164,
            exists (
              select
              from identifier i
              where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.wa_id
                and i.contact_id = person and i.until is null
            ) and (c.wa_id_at is null or (r.confirms and c.wa_id_at <= r.at)) as is_number,
            exists (select from identifier i where i.workspace_id = r.workspace_id and i.kind = 'user_id' and i.scope = r.scope and i.value = r.user_id and i.contact_id = person and i.until is null) and not exists (
              select
              from identifier i
              where i.workspace_id = r.workspace_id and i.kind = 'user_id' and i.scope <> r.scope
                and i.value = c.user_id and i.contact_id = person and i.until is null
            ) and not exists (select from contact o where o.workspace_id = r.workspace_id and o.user_id = r.user_id and o.id <> person) as is_user
        ) n
        where c.workspace_id = r.workspace_id and c.id = person
      ) k
      where c.workspace_id = r.workspace_id and c.id = person
        and (c.wa_id, c.phone, c.user_id, c.parent_user_id, c.username, c.profile_name, c.wa_id_at) is distinct from (
          k.wa_id, k.phone, k.user_id, k.parent_user_id, k.username, k.profile_name,
          case when k.is_number and r.confirms then r.at else c.wa_id_at end
        );
      if (
        select count(*)
        from (
          select
          from identifier i
          where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> ''
          limit 51
        ) n
      ) > 50 then
        delete from identifier i
        where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> ''
          and i.ctid = any(
            array(
              select o.ctid
              from identifier o
              join contact c on c.workspace_id = o.workspace_id and c.id = o.contact_id
              where o.workspace_id = r.workspace_id and o.contact_id = person and o.value <> ''
              order by o.value in (substr(c.phone, 2), c.wa_id, c.user_id, c.parent_user_id) desc nulls last,
                o.until is null desc, o.since desc, o.value
              offset 50
            )
          );
      end if;
      if r.previous_wa_id is not null and r.wa_id is not null then
        insert into identifier (workspace_id, kind, value, contact_id, source, since, key, loose, rules)
        values (
          r.workspace_id, 'phone', r.previous_wa_id, person, r.source, r.at,
          coalesce(r.previous_wa_key, r.previous_wa_id),
          coalesce(r.previous_wa_loose, r.previous_wa_key, r.previous_wa_id), 1
        )
        on conflict do nothing;
        by_phone := coalesce(
          (
            select i.contact_id
            from identifier i
            where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.previous_wa_id
              and i.until is null
            limit 1
          ),
          (
            select i.contact_id
            from identifier i
            where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.previous_wa_key
              and i.until is null
            limit 1
          )
        );
        if by_phone <> person then
          insert into contact_evidence (
            workspace_id, id, contact_id, other_contact_id, source, message_id, scope, user_id, at, look_at
          )
          values (r.workspace_id, new_uuid(now), person, by_phone, r.source, r.message_id, r.scope, null, r.at, now);
          has_evidence := true;
        end if;
      end if;
      if is_new
        and exists (
          select
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value in (r.wa_id, r.wa_key)
            and i.contact_id <> person and i.until > r.at
        ) then
        raise exception 'overtaken' using errcode = 'serialization_failure';
      end if;
    end if;
    if (
      by_phone is null
      and exists (
        select
        from identifier i
        where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value in (r.wa_id, r.wa_key)
          and i.until is null and i.contact_id <> person
      )
    )
      or (
        by_user is null
        and exists (
          select
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind = 'user_id' and i.scope = r.scope and i.value = r.user_id
            and i.contact_id <> person
        )
      ) then
      raise exception 'overtaken' using errcode = 'serialization_failure';
    end if;
    taught_rows := taught_rows || r.new_contact_id;
    taught_people := taught_people || person;
    if former_owner is not null then
      -- Who has a number now may not be who stopped marketing to it, but is not written to against that.
      consents := consents || array(
        select json_build_object(
          'workspace_id', x.workspace_id, 'contact_id', person, 'consent', 'opted_out', 'source', x.consent_source,
          'at', coalesce(x.consent_at, x.seen_at), 'proof', x.consent_proof, 'conversation',
          hashtextextended(r.phone_number_id::text || person::text, 0)
        )
        from (
          select o.*, r.at as seen_at, 1 as ordinality
          from contact o
          where o.workspace_id = r.workspace_id and o.id = former_owner and o.marketing_consent = 'opted_out'
        ) x
        order by x.ordinality
      );
    end if;
    if is_new then
      event_id := new_uuid(now);
      insert into event (
        workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
      )
      values (
        r.workspace_id, event_id, (select i.era from installation i), 'contact_created',
        nextval('conversation_sequence'), null, person, null, r.at, json_build_object('source', r.source), now
      );
      with deliveries as (
        insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
        select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
          hashtextextended(r.phone_number_id::text || person::text, 0)
        from webhook_endpoint e
        where e.workspace_id = r.workspace_id and e.lane >= 0 and e.events && array['*', 'contact_created']
          and not e.is_limited
        returning slot
      )
      select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
      from deliveries d;
    end if;
  end loop;
end
$function$;

create or replace function list_quarantine(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid, reason text, detail text, provider_phone_number_id text, provider_account_id text, tries smallint,
  replay_at timestamptz, created_at timestamptz, replayed_at timestamptz
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
  endpoint_id uuid, version int, enabled boolean, ordered boolean, behind float8, keys text[], kind text,
  resource_id uuid, sequence bigint, occurred_at float8, created_at float8, state json, message json, contact json,
  contact_id uuid, is_erased boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  x record;
  w record;
  e record;
  f record;
  is_sent boolean;
begin
  <<alone>> begin
    exit alone when pg_column_size(rows) > 1000 or not (pg_column_size(rows) < 8192 and json_array_length(rows) = 1);
    select x.* into x
    from json_to_recordset(rows) as x(
      workspace_id uuid, slot smallint, lane int, seq bigint, event_id uuid, conversation bigint, joined int,
      body boolean, contact_id uuid
    );
    select p.id, p.version, p.enabled, p.ordered
    from webhook_endpoint p
    where p.workspace_id = x.workspace_id and p.lane = x.lane into w;
    exit alone when w.ordered;
    select v.kind, v.resource_id, v.sequence, v.contact_id, v.message_id, v.occurred_at, v.created_at, v.state
    from event v
    where x.body and v.workspace_id = x.workspace_id and v.id = x.event_id and v.id between lowest and highest into e;
    select true as yes
    from erased_contact c
    where c.workspace_id = x.workspace_id and c.id = coalesce(e.contact_id, x.contact_id) into is_erased;
    is_erased := found;
    if e.message_id is not null then
      select m.outbound, row_to_json(m) as message
      from message m
      where m.workspace_id = x.workspace_id and m.id = e.message_id into is_sent, message;
    end if;
    if is_sent is not true and e.contact_id is not null then
      select v.merged_into, row_to_json(v) as contact
      from (
        select c.id, c.phone, c.wa_id, c.user_id, c.parent_user_id, c.username, c.profile_name, c.name, c.email,
          c.locale, c.attributes, c.tags, c.marketing_consent, c.consent_source, c.created_at, c.updated_at,
          c.merged_into
        from contact c
        where true and c.workspace_id = x.workspace_id and c.id = e.contact_id
      ) v into f;
      exit alone when f.merged_into is not null;
      contact := f.contact;
    end if;
    endpoint_id := w.id;
    version := w.version;
    enabled := w.enabled;
    ordered := w.ordered;
    kind := e.kind;
    state := e.state;
    contact_id := e.contact_id;
    resource_id := coalesce(e.resource_id, e.contact_id);
    sequence := e.sequence;
    occurred_at := (extract(epoch from e.occurred_at) * 1000)::float8;
    created_at := (extract(epoch from e.created_at) * 1000)::float8;
    return next;
    return;
  end;
  return query
    select w.id, w.version, w.enabled, w.ordered, (extract(epoch from b.waits) * 1000)::float8,
      case when coalesce(x.joined > 0 and cardinality(g.keys) > x.joined, false) then g.keys::text[] end, e.kind,
      coalesce(e.resource_id, e.contact_id), e.sequence, (extract(epoch from e.occurred_at) * 1000)::float8,
      (extract(epoch from e.created_at) * 1000)::float8, e.state, m.message, coalesce(s.contact, f.contact),
      e.contact_id, z.yes is not null
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, slot smallint, lane int, seq bigint, event_id uuid, conversation bigint, joined int,
        body boolean, contact_id uuid
      )
    ) with ordinality x
    left join lateral (
      select p.id, p.version, p.enabled, p.ordered
      from webhook_endpoint p
      where p.workspace_id = x.workspace_id and p.lane = x.lane
      offset 0
    ) w on true
    cross join lateral (
      select case when w.ordered and x.joined > 0 then joined_conversations(x.workspace_id, x.conversation) end as keys
      offset 0
    ) g
    -- The owner keeps the order in memory; a new owner has only what the table says.
    left join lateral (
      select min(d.due) as waits
      from deliver d
      where w.ordered and d.slot::int = x.slot and d.lane = x.lane
        and d.conversation = any(coalesce(g.keys, array[x.conversation])) and (d.seq + 0) < x.seq
        and d.due > '-infinity'
      offset 0
    ) b on true
    left join lateral (
      select v.kind, v.resource_id, v.sequence, v.contact_id, v.message_id, v.occurred_at, v.created_at, v.state
      from event v
      where x.body and v.workspace_id = x.workspace_id and v.id = x.event_id and v.id between lowest and highest
      offset 0
    ) e on true
    left join lateral (
      select true as yes
      from erased_contact c
      where c.workspace_id = x.workspace_id and c.id = coalesce(e.contact_id, x.contact_id)
      offset 0
    ) z on true
    left join lateral (
      select m.outbound, row_to_json(m) as message
      from message m
      where m.workspace_id = x.workspace_id and m.id = e.message_id
      offset 0
    ) m on true
    -- What happens to a message that was sent is reported without its contact.
    left join lateral (
      select v.merged_into, row_to_json(v) as contact
      from (
        select c.id, c.phone, c.wa_id, c.user_id, c.parent_user_id, c.username, c.profile_name, c.name, c.email,
          c.locale, c.attributes, c.tags, c.marketing_consent, c.consent_source, c.created_at, c.updated_at,
          c.merged_into
        from contact c
        where m.outbound is not true and c.workspace_id = x.workspace_id and c.id = e.contact_id
      ) v
      offset 0
    ) f on true
    -- Of a merged record the surviving one is shown.
    left join lateral (
      select v.merged_into, row_to_json(v) as contact
      from (
        select c.id, c.phone, c.wa_id, c.user_id, c.parent_user_id, c.username, c.profile_name, c.name, c.email,
          c.locale, c.attributes, c.tags, c.marketing_consent, c.consent_source, c.created_at, c.updated_at,
          c.merged_into
        from contact c
        where f.merged_into is not null and c.workspace_id = x.workspace_id and c.id = f.merged_into
      ) v
      offset 0
    ) s on true
    order by x.ordinality;
end
$function$;

create or replace function load_events(rows json, now timestamptz, call uuid, again boolean, lowest uuid default '00000000-0000-0000-0000-000000000000', highest uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff') returns table (
  event json
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select case
      when e.id is not null
        and (x.numbers is null or is_of_numbers(x.numbers, x.workspace_id, e.message_id, e.resource_id, e.state)) then json_build_object(
          'era', e.era, 'xid', e.xid::text, 'id', e.id, 'kind', e.kind, 'resource_id',
          coalesce(e.resource_id, e.contact_id), 'contact_id', e.contact_id, 'message_id', e.message_id, 'sequence',
          e.sequence, 'occurred_at', (extract(epoch from e.occurred_at) * 1000)::float8, 'created_at',
          (extract(epoch from e.created_at) * 1000)::float8, 'state', e.state, 'message', m.message, 'contact',
          coalesce(s.contact, f.contact), 'is_erased', z.yes is not null
        )
    end
    from (
      select x.*, null::uuid as contact_id
      from rows from (json_to_recordset(rows) as (workspace_id uuid, id uuid, numbers uuid[])) with ordinality x
    ) x
    left join lateral (
      select v.era, v.xid, v.id, v.kind, v.resource_id, v.contact_id, v.message_id, v.sequence, v.occurred_at,
        v.created_at, v.state
      from event v
      where v.workspace_id = x.workspace_id and v.id = x.id and v.id between lowest and highest
      offset 0
    ) e on true
    left join lateral (
      select true as yes
      from erased_contact c
      where c.workspace_id = x.workspace_id and c.id = coalesce(e.contact_id, x.contact_id)
      offset 0
    ) z on true
    left join lateral (
      select m.outbound, row_to_json(m) as message
      from message m
      where m.workspace_id = x.workspace_id and m.id = e.message_id
      offset 0
    ) m on true
    -- What happens to a message that was sent is reported without its contact.
    left join lateral (
      select v.merged_into, row_to_json(v) as contact
      from (
        select c.id, c.phone, c.wa_id, c.user_id, c.parent_user_id, c.username, c.profile_name, c.name, c.email,
          c.locale, c.attributes, c.tags, c.marketing_consent, c.consent_source, c.created_at, c.updated_at,
          c.merged_into
        from contact c
        where m.outbound is not true and c.workspace_id = x.workspace_id and c.id = e.contact_id
      ) v
      offset 0
    ) f on true
    -- Of a merged record the surviving one is shown.
    left join lateral (
      select v.merged_into, row_to_json(v) as contact
      from (
        select c.id, c.phone, c.wa_id, c.user_id, c.parent_user_id, c.username, c.profile_name, c.name, c.email,
          c.locale, c.attributes, c.tags, c.marketing_consent, c.consent_source, c.created_at, c.updated_at,
          c.merged_into
        from contact c
        where f.merged_into is not null and c.workspace_id = x.workspace_id and c.id = f.merged_into
      ) v
      offset 0
    ) s on true
    order by x.ordinality;
end
$function$;

create or replace function load_parts(rows json, now timestamptz, call uuid, again boolean, lowest uuid default '00000000-0000-0000-0000-000000000000', highest uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff') returns table (
  kind text, occurred_at float8, state json, message_id uuid, callback_id uuid, message json, contact json,
  is_erased boolean, provider_phone_number_id text, phone text, provider_account_id text, minted_id text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select e.kind, (extract(epoch from e.occurred_at) * 1000)::float8, e.state, e.message_id, e.callback_id, m.message,
      coalesce(s.contact, f.contact), z.yes is not null, n.provider_phone_number_id, n.phone, b.provider_account_id,
      i.minted_id
    from (
      select x.*, null::uuid as contact_id
      from rows from (json_to_recordset(rows) as (workspace_id uuid, id uuid)) with ordinality x
    ) x
    left join lateral (
      select v.kind, v.contact_id, v.message_id, v.resource_id, v.occurred_at, v.state, v.callback_id
      from event v
      where v.workspace_id = x.workspace_id and v.id = x.id and v.id between lowest and highest
      offset 0
    ) e on true
    left join lateral (
      select true as yes
      from erased_contact c
      where c.workspace_id = x.workspace_id and c.id = coalesce(e.contact_id, x.contact_id)
      offset 0
    ) z on true
    left join lateral (
      select m.outbound, row_to_json(m) as message
      from message m
      where m.workspace_id = x.workspace_id and m.id = e.message_id
      offset 0
    ) m on true
    left join lateral (
      select v.merged_into, row_to_json(v) as contact
      from (
        select c.id, c.phone, c.wa_id, c.user_id, c.parent_user_id, c.username, c.profile_name, c.name, c.email,
          c.locale, c.attributes, c.tags, c.marketing_consent, c.consent_source, c.created_at, c.updated_at,
          c.merged_into
        from contact c
        where true and c.workspace_id = x.workspace_id and c.id = e.contact_id
      ) v
      offset 0
    ) f on true
    left join lateral (
      select v.merged_into, row_to_json(v) as contact
      from (
        select c.id, c.phone, c.wa_id, c.user_id, c.parent_user_id, c.username, c.profile_name, c.name, c.email,
          c.locale, c.attributes, c.tags, c.marketing_consent, c.consent_source, c.created_at, c.updated_at,
          c.merged_into
        from contact c
        where f.merged_into is not null and c.workspace_id = x.workspace_id and c.id = f.merged_into
      ) v
      offset 0
    ) s on true
    left join lateral (
      select n.provider_phone_number_id, n.phone, n.business_account_id
      from phone_number n
      where n.workspace_id = x.workspace_id
        and n.id = coalesce(
          (m.message->>'phone_number_id')::uuid,
          case
            when e.kind in ('call', 'opted_out', 'opted_in') then (e.state->>'phone_number_id')::uuid
            when e.kind in ('thread_taken', 'thread_released') then e.resource_id
          end
        )
      offset 0
    ) n on true
    left join lateral (
      select b.provider_account_id
      from business_account b
      where b.workspace_id = x.workspace_id and b.id = n.business_account_id
      offset 0
    ) b on true
    left join lateral (
      select i.minted_id
      from message_state i
      where m.message is not null and i.workspace_id = x.workspace_id
        and i.id = case
          when m.message->>'occurred_at' is null then e.message_id
          else coalesce(
            (m.message->>'reply_to')::uuid,
            message_of_provider_id(
              x.workspace_id,
              coalesce(
                m.message->'content'->>'message_id', m.message->'content'->>'original_message_id',
                m.message->'provided'->'context'->>'id'
              )
            )
          )
        end
      offset 0
    ) i on true
    order by x.ordinality;
end
$function$;

create or replace function load_raw_callback(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid, body bytea
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select x.id, c.body
    from rows from (json_to_recordset(rows) as (id uuid)) with ordinality x
    left join lateral (select c.body from callback c where c.id = x.id offset 0) c on true
    order by x.ordinality;
end
$function$;

create or replace function load_redeliveries(rows json, now timestamptz, call uuid, again boolean, lowest uuid default '00000000-0000-0000-0000-000000000000', highest uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff') returns table (
  endpoint_id uuid, version int, enabled boolean, ordered boolean, behind float8, attempt smallint, replay_id uuid,
  kind text, resource_id uuid, sequence bigint, occurred_at float8, created_at float8, state json, message json,
  contact json, contact_id uuid, is_erased boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select w.id, w.version, w.enabled, w.ordered, (extract(epoch from b.waits) * 1000)::float8, d.attempt, q.replay_id,
      e.kind, coalesce(e.resource_id, e.contact_id), e.sequence, (extract(epoch from e.occurred_at) * 1000)::float8,
      (extract(epoch from e.created_at) * 1000)::float8, e.state, m.message, coalesce(s.contact, f.contact),
      e.contact_id, z.yes is not null
    from (
      select y.*, null::uuid as contact_id
      from rows from (
        json_to_recordset(rows) as (
          workspace_id uuid, slot smallint, lane int, seq bigint, delivery_id uuid, event_id uuid, conversation bigint
        )
      ) with ordinality y
    ) x
    left join lateral (
      select p.id, p.version, p.enabled, p.ordered
      from webhook_endpoint p
      where p.workspace_id = x.workspace_id and p.lane = x.lane
      offset 0
    ) w on true
    left join lateral (
      select min(p.due) as waits
      from redeliver p
      where w.ordered and p.slot::int = x.slot and p.lane = x.lane and p.conversation = x.conversation
        and (p.seq + 0) < x.seq and p.due > '-infinity'
      offset 0
    ) b on true
    left join lateral (
      select p.replay_id
      from redeliver p
      where p.slot = x.slot and p.seq = x.seq and p.workspace_id = x.workspace_id
      offset 0
    ) q on true
    left join lateral (
      select p.attempt
      from delivery p
      where p.workspace_id = x.workspace_id and p.id = x.delivery_id and p.id between lowest and highest
      offset 0
    ) d on true
    left join lateral (
      select v.kind, v.resource_id, v.sequence, v.contact_id, v.message_id, v.occurred_at, v.created_at, v.state
      from event v
      where v.workspace_id = x.workspace_id and v.id = x.event_id and v.id between lowest and highest
      offset 0
    ) e on true
    left join lateral (
      select true as yes
      from erased_contact c
      where c.workspace_id = x.workspace_id and c.id = coalesce(e.contact_id, x.contact_id)
      offset 0
    ) z on true
    left join lateral (
      select m.outbound, row_to_json(m) as message
      from message m
      where m.workspace_id = x.workspace_id and m.id = e.message_id
      offset 0
    ) m on true
    -- What happens to a message that was sent is reported without its contact.
    left join lateral (
      select v.merged_into, row_to_json(v) as contact
      from (
        select c.id, c.phone, c.wa_id, c.user_id, c.parent_user_id, c.username, c.profile_name, c.name, c.email,
          c.locale, c.attributes, c.tags, c.marketing_consent, c.consent_source, c.created_at, c.updated_at,
          c.merged_into
        from contact c
        where m.outbound is not true and c.workspace_id = x.workspace_id and c.id = e.contact_id
      ) v
      offset 0
    ) f on true
    -- Of a merged record the surviving one is shown.
    left join lateral (
      select v.merged_into, row_to_json(v) as contact
      from (
        select c.id, c.phone, c.wa_id, c.user_id, c.parent_user_id, c.username, c.profile_name, c.name, c.email,
          c.locale, c.attributes, c.tags, c.marketing_consent, c.consent_source, c.created_at, c.updated_at,
          c.merged_into
        from contact c
        where f.merged_into is not null and c.workspace_id = x.workspace_id and c.id = f.merged_into
      ) v
      offset 0
    ) s on true
    order by x.ordinality;
end
$function$;

create or replace function mark_portfolios_full(rows json, now timestamptz, call uuid, again boolean) returns table (
  portfolio_id text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (json_to_recordset(rows) as (portfolio text, until timestamptz)) with ordinality x
    order by x.portfolio
  loop
    insert into portfolio_limit as p (portfolio_id, full_until, updated_at)
    values (r.portfolio, r.until, now)
    on conflict (portfolio_id) do update
    set full_until = greatest(p.full_until, excluded.full_until), updated_at = now;
    return query select r.portfolio;
  end loop;
end
$function$;

create or replace function media_at_number(
  of_workspace uuid, ids uuid[], of_number uuid, at_time timestamptz, out known json
) language plpgsql volatile
as $function$
#variable_conflict use_column
declare
begin
  select coalesce(json_object_agg(f.id, case when p.expires_at > at_time then p.provider_media_id end), '{}') into known
  from media f
  left join lateral (
    select p.provider_media_id, p.expires_at
    from media_at_provider p
    where p.workspace_id = of_workspace and p.media_id = f.id and p.phone_number_id = of_number
    offset 0
  ) p on true
  where f.workspace_id = of_workspace and f.id = any(ids) and f.file_id is not null;
end
$function$;

create or replace function merge_contacts(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, message_id uuid, failure text, contact_id uuid, merged_contact_id uuid, outcome text,
  slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  slots_filled bigint := 0;
  survivor uuid;
  merged uuid;
  has_two_numbers boolean;
  keeps_number boolean := false;
  joining record;
  r record;
  late boolean;
  waits_until timestamptz;
  older record;
begin
  insert into flight (id) values (call);
  for r in
    select e.*
    from (
      select e.*
      from rows from (json_to_recordset(rows) as (up_to timestamptz, most int)) with ordinality x
      cross join lateral (
        select e.*
        from contact_evidence e
        where e.look_at <= x.up_to and e.other_contact_id is not null
        order by e.look_at
        limit x.most for update skip locked
      ) e
    ) e
    order by e.workspace_id, least(e.contact_id, e.other_contact_id), greatest(e.contact_id, e.other_contact_id), e.id
  loop
  begin
    delete from contact_evidence e
    where e.workspace_id = r.workspace_id and e.id = r.id;
    select min(s.id::text)::uuid, max(s.id::text)::uuid into survivor, merged
    from (
      select coalesce(c.merged_into, c.id) as id
      from (select distinct u.id from unnest(array[r.contact_id, r.other_contact_id]) u(id) order by 1) u
      cross join lateral (select c.* from contact c where c.workspace_id = r.workspace_id and c.id = u.id offset 0) c
    ) s;
    late := r.source = 'aftermath';
    waits_until := case
      when not late then (
        select s.stopped_until
        from new_owner s
        where s.workspace_id = r.workspace_id and s.scope = r.scope and s.stopped_until > now
      )
    end;
    if waits_until is not null then
      insert into contact_evidence (
        workspace_id, id, contact_id, other_contact_id, source, message_id, scope, user_id, at, look_at
      )
      values (
        r.workspace_id, r.id, r.contact_id, r.other_contact_id, r.source, r.message_id, r.scope, r.user_id, r.at,
        waits_until
      );
      return query
        select r.workspace_id, r.message_id, null::text, r.contact_id, r.other_contact_id::uuid, 'waits',
          slots_filled::text;
      continue;
    end if;
    if late then
      survivor := (
        select c.merged_into
        from contact c
        where c.workspace_id = r.workspace_id and c.id = r.other_contact_id
      );
      merged := r.other_contact_id;
    end if;
    if survivor is null or survivor = merged then
      return query
        select r.workspace_id, r.message_id, null::text, r.contact_id, null::uuid, 'same', slots_filled::text;
      continue;
    end if;
    perform
    from (select distinct u.id from unnest(array[survivor, merged]) u(id) order by 1) u
    cross join lateral (
      select
      from contact c
      where c.workspace_id = r.workspace_id and c.id = u.id for update
      offset 0
    ) c;
    -- One may have been merged or erased meanwhile.
    if (
      select count(*) < 2 or count(c.merged_into) > late::int
      from (select distinct u.id from unnest(array[survivor, merged]) u(id) order by 1) u
      cross join lateral (select c.* from contact c where c.workspace_id = r.workspace_id and c.id = u.id offset 0) c
    ) then
      raise exception 'overtaken' using errcode = 'serialization_failure';
    end if;
    if late then
      update identifier i
      set contact_id = survivor
      where i.workspace_id = r.workspace_id and i.contact_id = merged and i.value <> '';
      for joining in
        select hashtextextended(v.phone_number_id::text || merged::text, 0) as from_merged,
          hashtextextended(v.phone_number_id::text || survivor::text, 0) as into_survivor
        from conversation v
        where v.workspace_id = r.workspace_id and v.contact_id in (survivor, merged)
        group by v.phone_number_id
        order by v.phone_number_id
      loop
        insert into joined_conversation as j (workspace_id, conversation, joined, at)
        values (r.workspace_id, joining.from_merged, joining.into_survivor, now),
          (r.workspace_id, joining.into_survivor, joining.into_survivor, now)
        on conflict (workspace_id, conversation) do update
        set joined = excluded.joined, at = excluded.at
        where j.joined <> excluded.joined;
        -- And those that were joined with the merged one before.
        update joined_conversation j
        set joined = joining.into_survivor, at = now
        where j.workspace_id = r.workspace_id and j.joined = joining.from_merged and j.at > '-infinity';
      end loop;
      with moved as (
        delete from conversation v
        where v.workspace_id = r.workspace_id and v.contact_id = merged
        returning v.*
      )
      insert into conversation as v (
        workspace_id, contact_id, phone_number_id, last_inbound_at, last_message_at, read_to, owner_role, owner_since,
        owner_at, owner_marks
      )
      select m.workspace_id, survivor, m.phone_number_id, m.last_inbound_at, m.last_message_at, m.read_to, m.owner_role,
        m.owner_since, m.owner_at, m.owner_marks
      from moved m
      on conflict (workspace_id, contact_id, phone_number_id) do update
      set last_inbound_at = greatest(v.last_inbound_at, excluded.last_inbound_at),
        last_message_at = greatest(v.last_message_at, excluded.last_message_at),
        read_to = greatest(v.read_to, excluded.read_to),
        owner_role = case
          when coalesce(excluded.owner_at, '-infinity') > coalesce(v.owner_at, '-infinity') then excluded.owner_role
          else v.owner_role
        end,
        owner_since = case
          when coalesce(excluded.owner_at, '-infinity') > coalesce(v.owner_at, '-infinity') then excluded.owner_since
          else v.owner_since
        end,
        owner_at = case
          when coalesce(excluded.owner_at, '-infinity') > coalesce(v.owner_at, '-infinity') then excluded.owner_at
          else v.owner_at
        end,
        owner_marks = case
          when coalesce(excluded.owner_at, '-infinity') > coalesce(v.owner_at, '-infinity') then excluded.owner_marks
          else v.owner_marks
        end;
      return query
        select r.workspace_id, r.message_id, null::text, survivor, merged::uuid, 'moved', slots_filled::text;
      continue;
    end if;
    has_two_numbers := (
      (
        select count(c.wa_id_at)
        from (select distinct u.id from unnest(array[survivor, merged]) u(id) order by 1) u
        cross join lateral (select c.* from contact c where c.workspace_id = r.workspace_id and c.id = u.id offset 0) c
      ) = 2
      and not exists (
        select
        from identifier a
        join identifier b on b.workspace_id = a.workspace_id and b.kind = 'phone' and b.scope = '' and b.loose = a.loose
        and (b.value = a.value or length(b.value) <> length(a.value))
        where a.workspace_id = r.workspace_id and a.contact_id = survivor and a.value <> '' and a.kind = 'phone'
          and a.until is null and b.contact_id = merged and b.value <> '' and b.until is null
      )
    )
    or exists (
      select
      from identifier a
      join identifier b on b.workspace_id = a.workspace_id and b.kind = 'phone' and b.scope = '' and b.loose = a.loose
      and b.key <> a.key and length(b.key) = length(a.key)
      where a.workspace_id = r.workspace_id and a.contact_id = survivor and a.value <> '' and a.kind = 'phone'
        and a.until is null and b.contact_id = merged and b.value <> '' and b.until is null
    );
    if exists (
      select
      from identifier a
      join identifier b on b.workspace_id = a.workspace_id and b.kind = a.kind and b.scope = a.scope
      and b.value <> a.value
      where a.workspace_id = r.workspace_id and a.contact_id = survivor and a.value <> '' and a.kind = 'user_id'
        and b.contact_id = merged and b.value <> '' and (r.user_id is null or (a.until is null and b.until is null))
    )
      or (has_two_numbers and r.user_id is null) then
      return query
        select r.workspace_id, r.message_id, null::text, survivor, merged::uuid, 'two_people', slots_filled::text;
      continue;
    end if;
    if has_two_numbers then
      select c.id, max(c.wa_id_at) over () as moved_at into older
      from (select distinct u.id from unnest(array[survivor, merged]) u(id) order by 1) u
      cross join lateral (select c.* from contact c where c.workspace_id = r.workspace_id and c.id = u.id offset 0) c
      order by c.wa_id_at
      limit 1;
      with ended as (
        update identifier i
        set until = greatest(i.since, older.moved_at)
        where i.workspace_id = r.workspace_id and i.contact_id = older.id and i.value <> '' and i.kind = 'phone'
          and i.until is null
        returning i.value
      )
      update contact c
      set phone = case when substr(c.phone, 2) in (select g.value from ended g) then null else c.phone end,
        wa_id = case when c.wa_id in (select g.value from ended g) then null else c.wa_id end,
        wa_id_at = case when c.wa_id in (select g.value from ended g) then null else c.wa_id_at end,
        user_id = case when c.user_id in (select g.value from ended g) then null else c.user_id end,
        updated_at = now
      where c.workspace_id = r.workspace_id and c.id = older.id;
    end if;
    slots_filled := merge_records(
      r.workspace_id, r.source, r.message_id, r.scope, r.at, survivor, merged, keeps_number, now, slots_filled
    );
    return query
      select r.workspace_id, r.message_id, null::text, survivor, merged::uuid, 'merged', slots_filled::text;
    exception when others then
      update contact_evidence e
      set look_at = now + case
        when sqlstate in ('40001', '40P01', '55P03') then least(
          interval '2 seconds',
          greatest(
            interval '200 ms',
            (now - to_timestamp((('x' || substr(replace(r.id::text, '-', ''), 1, 12))::bit(48)::bigint) / 1000.0)) / 10
          )
        ) * (0.5 + random())
        else least(
          interval '1 hour',
          greatest(
            interval '1 second',
            (now - to_timestamp((('x' || substr(replace(r.id::text, '-', ''), 1, 12))::bit(48)::bigint) / 1000.0))
          )
        )
      end
      where e.workspace_id = r.workspace_id and e.id = r.id;
      return query
        select r.workspace_id, r.message_id, sqlstate, r.contact_id, r.other_contact_id::uuid, 'failed',
          slots_filled::text;
      exit when sqlstate = '55P03';
    end;
  end loop;
end
$function$;

create or replace function merge_named(rows json, now timestamptz, call uuid, again boolean) returns table (
  outcome text, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '5s' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  slots_filled bigint := 0;
  survivor uuid;
  merged uuid;
  has_two_numbers boolean;
  keeps_number boolean := false;
  joining record;
  r record;
  merge_outcome text;
begin
  insert into flight (id) values (call);
  for r in
    select x.*, 'client' as source, null::uuid as message_id, '' as scope, now as at
    from rows from (
      json_to_recordset(rows) as (workspace_id uuid, contact_id uuid, other_contact_id uuid)
    ) with ordinality x
    order by x.workspace_id, x.ordinality
  loop
    survivor := (
      select coalesce(m.merged_into, m.id)
      from contact m
      where m.workspace_id = r.workspace_id and m.id = r.contact_id
    );
    merged := (
      select coalesce(m.merged_into, m.id)
      from contact m
      where m.workspace_id = r.workspace_id and m.id = r.other_contact_id
    );
    merge_outcome := case
      when survivor is null then 'not_found'
      when merged is null then 'no_other'
      when survivor = merged then 'same'
    end;
    if merge_outcome is null then
      perform
      from (select distinct u.id from unnest(array[survivor, merged]) u(id) order by 1) u
      cross join lateral (
        select
        from contact c
        where c.workspace_id = r.workspace_id and c.id = u.id for update
        offset 0
      ) c;
      if (
        select count(*) < 2 or count(c.merged_into) > 0
        from (select distinct u.id from unnest(array[survivor, merged]) u(id) order by 1) u
        cross join lateral (select c.* from contact c where c.workspace_id = r.workspace_id and c.id = u.id offset 0) c
      ) then
        raise exception 'overtaken' using errcode = 'serialization_failure';
      end if;
      if exists (
        select
        from identifier a
        join identifier b on b.workspace_id = a.workspace_id and b.kind = a.kind and b.scope = a.scope
        and b.value <> a.value
        where a.workspace_id = r.workspace_id and a.contact_id = survivor and a.value <> '' and a.kind = 'user_id'
          and a.until is null and b.contact_id = merged and b.value <> '' and b.until is null
      ) then
        merge_outcome := 'two_people';
      else
        merge_outcome := 'merged';
        keeps_number := exists (
          select
          from contact c
          where c.workspace_id = r.workspace_id and c.id = survivor and coalesce(c.phone, c.wa_id) is not null
        )
        and not exists (
          select
          from identifier a
          join identifier b on b.workspace_id = a.workspace_id and b.kind = 'phone' and b.scope = ''
          and b.loose = a.loose
          where a.workspace_id = r.workspace_id and a.contact_id = survivor and a.value <> '' and a.kind = 'phone'
            and a.until is null and b.contact_id = merged and b.value <> '' and b.until is null
        );
        slots_filled := merge_records(
          r.workspace_id, r.source, r.message_id, r.scope, r.at, survivor, merged, keeps_number, now, slots_filled
        );
      end if;
    end if;
    return query select merge_outcome, slots_filled::text;
  end loop;
end
$function$;

create or replace function merge_records(
  of_workspace uuid, said_by text, proof uuid, said_in text, said_at timestamptz, survivor uuid, merged uuid,
  keeps_number boolean, now timestamptz, inout slots_filled bigint
) language plpgsql volatile
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  r record;
  joining record;
  old_record contact;
begin
  select of_workspace as workspace_id, said_by as source, proof as message_id, said_in as scope, said_at as at into r;
  insert into contact_merge (workspace_id, merged_contact_id, contact_id, source, message_id, at, record, identifiers)
  select r.workspace_id, merged, survivor, r.source, r.message_id, r.at, row_to_json(c),
    coalesce(
      (
        select json_agg(row_to_json(i))
        from identifier i
        where i.workspace_id = r.workspace_id and i.contact_id = merged and i.value <> ''
      ),
      '[]'
    )
  from contact c
  where c.workspace_id = r.workspace_id and c.id = merged
  on conflict (workspace_id, merged_contact_id) do nothing;
  update identifier i
  set contact_id = survivor
  where i.workspace_id = r.workspace_id and i.contact_id = merged and i.value <> '';
  for joining in
    select hashtextextended(v.phone_number_id::text || merged::text, 0) as from_merged,
      hashtextextended(v.phone_number_id::text || survivor::text, 0) as into_survivor
    from conversation v
    where v.workspace_id = r.workspace_id and v.contact_id in (survivor, merged)
    group by v.phone_number_id
    order by v.phone_number_id
  loop
    insert into joined_conversation as j (workspace_id, conversation, joined, at)
    values (r.workspace_id, joining.from_merged, joining.into_survivor, now),
      (r.workspace_id, joining.into_survivor, joining.into_survivor, now)
    on conflict (workspace_id, conversation) do update
    set joined = excluded.joined, at = excluded.at
    where j.joined <> excluded.joined;
    -- And those that were joined with the merged one before.
    update joined_conversation j
    set joined = joining.into_survivor, at = now
    where j.workspace_id = r.workspace_id and j.joined = joining.from_merged and j.at > '-infinity';
  end loop;
  with moved as (
    delete from conversation v
    where v.workspace_id = r.workspace_id and v.contact_id = merged
    returning v.*
  )
  insert into conversation as v (
    workspace_id, contact_id, phone_number_id, last_inbound_at, last_message_at, read_to, owner_role, owner_since,
    owner_at, owner_marks
  )
  select m.workspace_id, survivor, m.phone_number_id, m.last_inbound_at, m.last_message_at, m.read_to, m.owner_role,
    m.owner_since, m.owner_at, m.owner_marks
  from moved m
  on conflict (workspace_id, contact_id, phone_number_id) do update
  set last_inbound_at = greatest(v.last_inbound_at, excluded.last_inbound_at),
    last_message_at = greatest(v.last_message_at, excluded.last_message_at),
    read_to = greatest(v.read_to, excluded.read_to),
    owner_role = case
      when coalesce(excluded.owner_at, '-infinity') > coalesce(v.owner_at, '-infinity') then excluded.owner_role
      else v.owner_role
    end,
    owner_since = case
      when coalesce(excluded.owner_at, '-infinity') > coalesce(v.owner_at, '-infinity') then excluded.owner_since
      else v.owner_since
    end,
    owner_at = case
      when coalesce(excluded.owner_at, '-infinity') > coalesce(v.owner_at, '-infinity') then excluded.owner_at
      else v.owner_at
    end,
    owner_marks = case
      when coalesce(excluded.owner_at, '-infinity') > coalesce(v.owner_at, '-infinity') then excluded.owner_marks
      else v.owner_marks
    end;
  -- The values leave the merged row before the survivor takes them: each is in one row.
  select c.* into old_record
  from contact c
  where c.workspace_id = r.workspace_id and c.id = merged;
  update contact c
  set merged_into = survivor, phone = null, wa_id = null, user_id = null, is_named = true, updated_at = now
  where c.workspace_id = r.workspace_id and c.id = merged;
  update contact c
  set merged_into = survivor
  where c.workspace_id = r.workspace_id and c.merged_into = merged;
  update contact c
  set has_merged = true,
    phone = case when keeps_number then c.phone else coalesce(c.phone, old_record.phone) end,
    user_id = coalesce(c.user_id, old_record.user_id),
    wa_id = case
      when keeps_number then c.wa_id
      when is_later then old_record.wa_id
      else coalesce(c.wa_id, old_record.wa_id)
    end,
    wa_id_at = case when keeps_number then c.wa_id_at else greatest(c.wa_id_at, old_record.wa_id_at) end,
    refused_form = case
      when keeps_number then c.refused_form
      else coalesce(c.refused_form, old_record.refused_form)
    end,
    parent_user_id = coalesce(c.parent_user_id, old_record.parent_user_id),
    username = coalesce(c.username, old_record.username),
    name = coalesce(c.name, old_record.name),
    profile_name = coalesce(c.profile_name, old_record.profile_name),
    named_at = case when coalesce(c.username, c.profile_name) is null then old_record.named_at else c.named_at end,
    phone_app_name = case when c.name is null then old_record.phone_app_name else c.phone_app_name end,
    email = coalesce(c.email, old_record.email),
    locale = coalesce(c.locale, old_record.locale),
    tags = array(
      select k.t
      from (
        select u.t, min(u.own) as own
        from (select unnest(c.tags) as t, 0 as own union all select unnest(old_record.tags), 1) u
        group by u.t
        order by 2, 1
        limit 100
      ) k
      order by k.t collate "C"
    ),
    attributes = coalesce(
      (
        select jsonb_object_agg(k.key, k.value)
        from (
          select u.key, u.value
          from (
            select e.key, e.value, 0 as own
            from jsonb_each(c.attributes) e
            union all
            select e.key, e.value, 1
            from jsonb_each(old_record.attributes) e
            where not c.attributes ? e.key
          ) u
          order by u.own, u.key
          limit 100
        ) k
      ),
      '{}'
    ),
    marketing_consent = case
      when case
        when old_record.marketing_consent = 'unknown' then not r.source = 'client' and c.marketing_consent = 'opted_out'
          and coalesce(old_record.consent_at, '-infinity') > coalesce(c.consent_at, '-infinity')
        when r.source = 'client' then c.marketing_consent = 'unknown'
          or (old_record.marketing_consent = 'opted_out' and c.marketing_consent <> 'opted_out')
        when c.marketing_consent = 'unknown' then old_record.marketing_consent = 'opted_in'
          or not coalesce(c.consent_at > old_record.consent_at, false)
        else coalesce(old_record.consent_at, '-infinity') > coalesce(c.consent_at, '-infinity')
        or (
          coalesce(old_record.consent_at, '-infinity') = coalesce(c.consent_at, '-infinity')
          and old_record.marketing_consent = 'opted_out'
        )
      end then old_record.marketing_consent
      else c.marketing_consent
    end,
    consent_source = case
      when case
        when old_record.marketing_consent = 'unknown' then not r.source = 'client' and c.marketing_consent = 'opted_out'
          and coalesce(old_record.consent_at, '-infinity') > coalesce(c.consent_at, '-infinity')
        when r.source = 'client' then c.marketing_consent = 'unknown'
          or (old_record.marketing_consent = 'opted_out' and c.marketing_consent <> 'opted_out')
        when c.marketing_consent = 'unknown' then old_record.marketing_consent = 'opted_in'
          or not coalesce(c.consent_at > old_record.consent_at, false)
        else coalesce(old_record.consent_at, '-infinity') > coalesce(c.consent_at, '-infinity')
        or (
          coalesce(old_record.consent_at, '-infinity') = coalesce(c.consent_at, '-infinity')
          and old_record.marketing_consent = 'opted_out'
        )
      end then old_record.consent_source
      else c.consent_source
    end,
    consent_at = case
      when case
        when old_record.marketing_consent = 'unknown' then not r.source = 'client' and c.marketing_consent = 'opted_out'
          and coalesce(old_record.consent_at, '-infinity') > coalesce(c.consent_at, '-infinity')
        when r.source = 'client' then c.marketing_consent = 'unknown'
          or (old_record.marketing_consent = 'opted_out' and c.marketing_consent <> 'opted_out')
        when c.marketing_consent = 'unknown' then old_record.marketing_consent = 'opted_in'
          or not coalesce(c.consent_at > old_record.consent_at, false)
        else coalesce(old_record.consent_at, '-infinity') > coalesce(c.consent_at, '-infinity')
        or (
          coalesce(old_record.consent_at, '-infinity') = coalesce(c.consent_at, '-infinity')
          and old_record.marketing_consent = 'opted_out'
        )
      end then old_record.consent_at
      else c.consent_at
    end,
    consent_proof = case
      when case
        when old_record.marketing_consent = 'unknown' then not r.source = 'client' and c.marketing_consent = 'opted_out'
          and coalesce(old_record.consent_at, '-infinity') > coalesce(c.consent_at, '-infinity')
        when r.source = 'client' then c.marketing_consent = 'unknown'
          or (old_record.marketing_consent = 'opted_out' and c.marketing_consent <> 'opted_out')
        when c.marketing_consent = 'unknown' then old_record.marketing_consent = 'opted_in'
          or not coalesce(c.consent_at > old_record.consent_at, false)
        else coalesce(old_record.consent_at, '-infinity') > coalesce(c.consent_at, '-infinity')
        or (
          coalesce(old_record.consent_at, '-infinity') = coalesce(c.consent_at, '-infinity')
          and old_record.marketing_consent = 'opted_out'
        )
      end then old_record.consent_proof
      else c.consent_proof
    end,
    updated_at = now
  from (
    select old_record.wa_id_at > coalesce(
      (select s.wa_id_at from contact s where s.workspace_id = r.workspace_id and s.id = survivor), '-infinity'
    ) as is_later
  ) l
  where c.workspace_id = r.workspace_id and c.id = survivor;
  insert into contact_evidence (workspace_id, id, contact_id, other_contact_id, source, message_id, scope, at, look_at)
  values (
    r.workspace_id, new_uuid(now), survivor, merged, 'aftermath', r.message_id, r.scope, r.at,
    now + interval '15 seconds'
  );
  event_id := new_uuid(now);
  insert into event (
    workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
  )
  values (
    r.workspace_id, event_id, (select i.era from installation i), 'contact_merged', nextval('conversation_sequence'),
    null, survivor, null, r.at, json_build_object('source', r.source, 'merged_contact_id', merged), now
  );
  with deliveries as (
    insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
    select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
      hashtextextended(survivor::text, 0)
    from webhook_endpoint e
    where e.workspace_id = r.workspace_id and e.lane >= 0 and e.events && array['*', 'contact_merged']
      and not e.is_limited
    returning slot
  )
  select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
  from deliveries d;
end
$function$;

create or replace function next_of_erased(rows json, now timestamptz, call uuid, again boolean) returns table (
  contact_id uuid, id uuid, waits boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select x.contact_id, m.id, d.state is not null
    from rows from (
      json_to_recordset(rows) as (workspace_id uuid, contact_id uuid, before uuid, from_id uuid)
    ) with ordinality x
    cross join lateral (
      select g.id
      from message g
      where g.workspace_id = x.workspace_id and g.contact_id = x.contact_id and g.sequence > 0
        and g.id < coalesce(x.before, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        and g.id >= coalesce(x.from_id, '00000000-0000-0000-0000-000000000000')
      order by g.id desc
      limit 500
      offset 0
    ) m
    left join lateral (
      select s.slot, s.seq, s.rank
      from message_state s
      where s.workspace_id = x.workspace_id and s.id = m.id
      offset 0
    ) s on true
    left join lateral (
      select d.state
      from dispatch d
      where s.rank = 0 and d.slot = s.slot and d.seq = s.seq and d.workspace_id = x.workspace_id and d.state = 0
      offset 0
    ) d on true
    order by x.ordinality, m.id desc;
end
$function$;

create or replace function note_media_use(
  rows json, now timestamptz, out noted int
) language plpgsql volatile
as $function$
#variable_conflict use_column
declare
  kept int;
  named int;
begin
  with written as (
    insert into media_use (workspace_id, media_id, message_id, contact_id, used_at)
    select x.workspace_id, f.id, m.id, m.contact_id, greatest(now, x.send_at)
    from json_to_recordset(rows) as x(workspace_id uuid, id uuid, media uuid[], send_at timestamptz)
    cross join unnest(x.media) f(id)
    cross join lateral (
      select m.id, m.contact_id
      from message m
      where m.workspace_id = x.workspace_id and m.id = x.id
      offset 0
    ) m
    order by x.workspace_id, f.id, m.id
    on conflict do nothing
    returning workspace_id, media_id
  ),
  names as materialized (
    select w.workspace_id, w.media_id, count(*) as uses
    from written w
    group by w.workspace_id, w.media_id
    order by w.workspace_id, w.media_id
  ),
  locked as materialized (
    select f.id
    from names n
    cross join lateral (
      select f.id
      from media f
      where f.workspace_id = n.workspace_id and f.id = n.media_id
      offset 0 for key share
    ) f
  )
  select coalesce(sum(n.uses), 0), count(*), (select count(*) from locked) into noted, named, kept
  from names n;
  if kept < named then
    raise exception 'overtaken' using errcode = 'serialization_failure';
  end if;
end
$function$;

create or replace function prune_console_sessions(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
    delete from console_session k
    where k.ctid >= r.lo and k.ctid < r.hi and coalesce(k.ended_at, k.expires_at) < r.bound;
    get diagnostics n = row_count;
    gone := gone + n;
  end loop;
  return query select gone;
end
$function$;

create or replace function prune_erased_names(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
    delete from erased_name k
    where k.ctid >= r.lo and k.ctid < r.hi and k.created_at < r.bound;
    get diagnostics n = row_count;
    gone := gone + n;
  end loop;
  return query select gone;
end
$function$;

create or replace function prune_idempotency_keys(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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

create or replace function prune_kept_answer_contacts(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
    delete from kept_answer_contact k
    where k.ctid >= r.lo and k.ctid < r.hi and k.created_at < r.bound;
    get diagnostics n = row_count;
    gone := gone + n;
  end loop;
  return query select gone;
end
$function$;

create or replace function prune_media_uses(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
    delete from media_use k
    where k.ctid >= r.lo and k.ctid < r.hi
      and (
        k.used_at < r.bound
        and not exists (
          select
          from message_state s
          where s.workspace_id = k.workspace_id and s.id = k.message_id
            and (s.rank = 0 or s.rank = 2 and s.seen & 128 = 0)
        )
        or not exists (select from media m where m.workspace_id = k.workspace_id and m.id = k.media_id)
      );
    get diagnostics n = row_count;
    gone := gone + n;
  end loop;
  return query select gone;
end
$function$;

create or replace function prune_metrics(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
    delete from metric k
    where k.ctid >= r.lo and k.ctid < r.hi
      and k.at < r.bound - case k.span
        when 5 then interval '192 hours'
        when 60 then interval '2208 hours'
        when 1440 then interval '24000 hours'
      end;
    get diagnostics n = row_count;
    gone := gone + n;
  end loop;
  return query select gone;
end
$function$;

create or replace function prune_parked_deliveries(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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

create or replace function prune_parked_redeliveries(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
      delete from redeliver d
      where d.ctid >= r.lo and d.ctid < r.hi and d.event_id < r.bound
      returning d.workspace_id, d.delivery_id, d.replay_id
    loop
      gone := gone + 1;
      update delivery d
      set status = 'failed', next_attempt_at = null, completed_at = now
      where d.workspace_id = q.workspace_id and d.id = q.delivery_id and d.status in ('pending', 'parked');
      if q.replay_id is not null then
        insert into replay_count as c (workspace_id, replay_id, succeeded, failed)
        values (q.workspace_id, q.replay_id, 0, 1)
        on conflict (workspace_id, replay_id) do update
        set failed = c.failed + 1;
      end if;
    end loop;
  end loop;
  return query select gone;
end
$function$;

create or replace function prune_parked_statuses(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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

create or replace function prune_portfolio_recipients(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
    delete from portfolio_recipient k
    where k.ctid >= r.lo and k.ctid < r.hi and k.minute < floor(extract(epoch from r.bound) / 60)::int;
    get diagnostics n = row_count;
    gone := gone + n;
  end loop;
  return query select gone;
end
$function$;

create or replace function prune_portfolio_returns(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
    delete from portfolio_return k
    where k.ctid >= r.lo and k.ctid < r.hi and k.at < r.bound;
    get diagnostics n = row_count;
    gone := gone + n;
  end loop;
  return query select gone;
end
$function$;

create or replace function prune_provider_messages(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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

create or replace function prune_provider_notices(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
    delete from provider_notice k
    where k.ctid >= r.lo and k.ctid < r.hi and k.created_at < r.bound;
    get diagnostics n = row_count;
    gone := gone + n;
  end loop;
  return query select gone;
end
$function$;

create or replace function prune_setup_links(rows json, now timestamptz, call uuid, again boolean) returns table (
  pruned int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
    delete from setup_link k
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select case x.family
      when 'message' then exists (select from dispatch d where d.message_id >= x.lo and d.message_id < x.hi)
      when 'event' then exists (select from deliver d where d.event_id >= x.lo and d.event_id < x.hi)
        or exists (select from redeliver d where d.event_id >= x.lo and d.event_id < x.hi)
      when 'delivery' then exists (select from deliver d where d.delivery_id >= x.lo and d.delivery_id < x.hi)
        or exists (select from redeliver d where d.delivery_id >= x.lo and d.delivery_id < x.hi)
      when 'callback' then exists (select from ingest i where i.callback_id >= x.lo and i.callback_id < x.hi)
      else false
    end
    from rows from (json_to_recordset(rows) as (family text, lo uuid, hi uuid)) with ordinality x;
end
$function$;

create or replace function read_accepted(rows json, now timestamptz, call uuid, again boolean, lowest uuid default '00000000-0000-0000-0000-000000000000', highest uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff') returns table (
  id uuid, outbound boolean, phone_number_id uuid, contact_id uuid, recipient text, sender text, type text,
  content json, reply_to uuid, reference text, category text, fallback json, fallback_category text,
  send_at timestamptz, expires_at timestamptz, estimated_dispatch_at timestamptz, sequence bigint,
  created_at timestamptz, is_erased boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select m.id, m.outbound, m.phone_number_id, m.contact_id, m.recipient, m.sender, m.type, m.content, m.reply_to,
      m.reference, m.category, m.fallback, m.fallback_category, m.send_at, m.expires_at, m.estimated_dispatch_at,
      m.sequence, m.created_at, z.yes is not null
    from rows from (json_to_recordset(rows) as (workspace_id uuid, id uuid)) with ordinality x
    left join lateral (
      select g.*
      from message g
      where g.workspace_id = x.workspace_id and g.id = x.id and g.id between lowest and highest
      offset 0
    ) m on true
    left join lateral (
      select true as yes
      from erased_contact e
      where e.workspace_id = x.workspace_id and e.id = m.contact_id
      offset 0
    ) z on true
    order by x.ordinality;
end
$function$;

create or replace function read_feed(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, events json, era int, xid text, id uuid, more boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set enable_sort = off set jit = off
  set plan_cache_mode = force_generic_plan set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  v record;
  began timestamptz;
  settled xid8;
  this_era int;
  found json[];
  looked_at int;
  is_more boolean;
  from_era int;
  from_xid xid8;
  last_era int;
  last_xid xid8;
  last_id uuid;
  shown json;
begin
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, era int, xid text, id uuid, lowest uuid, kind text, message_id uuid, contact_ids uuid[],
        numbers uuid[], most int, look int, budget_ms int
      )
    ) with ordinality x
    order by x.ordinality
  loop
    settled := pg_snapshot_xmin(pg_current_snapshot());
    this_era := current_era();
    began := clock_timestamp();
    found := '{}';
    looked_at := 0;
    is_more := false;
    last_era := r.era;
    last_xid := r.xid::xid8;
    last_id := r.id;
    from_era := null;
    if r.era = 0 then
      select m.era, m.xid into from_era, from_xid
      from feed_mark m
      where m.workspace_id = '00000000-0000-0000-0000-000000000000'
        and m.at < uuid_time(r.lowest) - interval '15 minutes'
      order by m.at desc
      limit 1;
    end if;
    if from_era is null then
      from_era := r.era;
      from_xid := last_xid;
    end if;
    for v in
      select e.era, e.xid, e.id, e.kind, e.resource_id, e.contact_id, e.message_id, e.sequence, e.occurred_at,
        e.created_at, e.state
      from event e
      where e.workspace_id = r.workspace_id and e.sequence > 0 and e.id >= r.lowest
        and (e.era, e.xid, e.id) > (from_era, from_xid, r.id) and (e.era, e.xid) < (this_era, settled)
      order by e.era, e.xid, e.id
      limit r.look + 1
    loop
      is_more := cardinality(found) >= r.most or looked_at >= r.look or looked_at > 0 and looked_at % 64 = 0
      and clock_timestamp() > began + r.budget_ms * interval '1 millisecond';
      exit when is_more;
      looked_at := looked_at + 1;
      last_era := v.era;
      last_xid := v.xid;
      last_id := v.id;
      if (r.kind is null or v.kind = r.kind) and (r.message_id is null or v.message_id = r.message_id)
        and (r.contact_ids is null or v.contact_id = any(r.contact_ids))
        and (r.numbers is null or is_of_numbers(r.numbers, r.workspace_id, v.message_id, v.resource_id, v.state)) then
        found := found || row_to_json(v);
      end if;
    end loop;
    shown := '[]';
    if cardinality(found) > 0 then
      select json_agg(
        json_build_object(
          'era', e.era, 'xid', e.xid::text, 'id', e.id, 'kind', e.kind, 'resource_id',
          coalesce(e.resource_id, e.contact_id), 'contact_id', e.contact_id, 'message_id', e.message_id, 'sequence',
          e.sequence, 'occurred_at', (extract(epoch from e.occurred_at) * 1000)::float8, 'created_at',
          (extract(epoch from e.created_at) * 1000)::float8, 'state', e.state, 'message', m.message, 'contact',
          coalesce(s.contact, f.contact), 'is_erased', z.yes is not null
        )
        order by e.ordinality
      ) into shown
      from (select r.workspace_id, null::uuid as contact_id) x
      cross join rows from (
        json_to_recordset(array_to_json(found)) as (
          era int, xid text, id uuid, kind text, resource_id uuid, contact_id uuid, message_id uuid, sequence bigint,
          occurred_at timestamptz, created_at timestamptz, state json
        )
      ) with ordinality e
      left join lateral (
        select true as yes
        from erased_contact c
        where c.workspace_id = x.workspace_id and c.id = coalesce(e.contact_id, x.contact_id)
        offset 0
      ) z on true
      left join lateral (
        select m.outbound, row_to_json(m) as message
        from message m
        where m.workspace_id = x.workspace_id and m.id = e.message_id
        offset 0
      ) m on true
      -- What happens to a message that was sent is reported without its contact.
      left join lateral (
        select v.merged_into, row_to_json(v) as contact
        from (
          select c.id, c.phone, c.wa_id, c.user_id, c.parent_user_id, c.username, c.profile_name, c.name, c.email,
            c.locale, c.attributes, c.tags, c.marketing_consent, c.consent_source, c.created_at, c.updated_at,
            c.merged_into
          from contact c
          where m.outbound is not true and c.workspace_id = x.workspace_id and c.id = e.contact_id
        ) v
        offset 0
      ) f on true
      -- Of a merged record the surviving one is shown.
      left join lateral (
        select v.merged_into, row_to_json(v) as contact
        from (
          select c.id, c.phone, c.wa_id, c.user_id, c.parent_user_id, c.username, c.profile_name, c.name, c.email,
            c.locale, c.attributes, c.tags, c.marketing_consent, c.consent_source, c.created_at, c.updated_at,
            c.merged_into
          from contact c
          where f.merged_into is not null and c.workspace_id = x.workspace_id and c.id = f.merged_into
        ) v
        offset 0
      ) s on true;
    end if;
    return query
      select r.workspace_id, shown, last_era, last_xid::text, last_id, is_more;
  end loop;
end
$function$;

create or replace function read_headroom(rows json, now timestamptz, call uuid, again boolean) returns table (
  most int, is_unlimited boolean, used int, resets_at timestamptz, full_until timestamptz
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    with asked as materialized (
      select x.*, p.portfolio_id, p.most, coalesce(p.is_unlimited, false) as is_unlimited,
        case when p.full_until > now then p.full_until end as full_until
      from rows from (json_to_recordset(rows) as (workspace_id uuid, business_account_id uuid)) with ordinality x
      left join lateral (
        select a.portfolio_id, a.provider_account_id
        from business_account a
        where a.workspace_id = x.workspace_id and a.id = x.business_account_id
        offset 0
      ) a on true
      left join lateral (
        select p.*
        from portfolio_limit p
        where p.portfolio_id = coalesce(a.portfolio_id, a.provider_account_id)
        offset 0
      ) p on true
    ),
    -- Numbers of one portfolio are counted once.
    counts as materialized (
      select d.portfolio_id, c.used, c.first
      from (select distinct q.portfolio_id from asked q where q.most is not null) d
      cross join lateral (
        select count(*)::int as used, min(r.minute) as first
        from portfolio_recipient r
        where r.portfolio_id = d.portfolio_id
          and r.minute >= floor(extract(epoch from (now - interval '1441 minutes')) / 60)::int
          and not exists (
            select
            from portfolio_return t
            where t.portfolio_id = r.portfolio_id and t.message_id = r.message_id and t.recipient = r.recipient
          )
      ) c
    )
    select q.most, q.is_unlimited, c.used, to_timestamp((c.first + 1)::bigint * 60) + interval '1441 minutes',
      q.full_until
    from asked q
    left join counts c on c.portfolio_id = q.portfolio_id
    order by q.ordinality;
end
$function$;

create or replace function read_settled(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid, settled boolean, public_id text, ended boolean, error json
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select x.id, s.rank > 0, coalesce(s.minted_id, s.provider_message_id),
      (coalesce(s.minted_id, s.provider_message_id) is null and s.seen & 776 <> 0),
      case when (coalesce(s.minted_id, s.provider_message_id) is null and s.seen & 776 <> 0) then s.error end
    from rows from (json_to_recordset(rows) as (workspace_id uuid, id uuid)) with ordinality x
    cross join lateral (
      select s.rank, s.seen, s.provider_message_id, s.minted_id, s.error
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
        path text, request_id text, ip text, user_agent text, session uuid, action text, resource_type text,
        resource_id text, status smallint, code text
      )
    ) with ordinality x
  loop
    insert into audit (
      workspace_id, id, at, actor_type, actor_id, actor_name, action, resource_type, resource_id, method, path,
      request_id, ip, user_agent, session, status, code
    )
    values (
      r.workspace_id, r.id, r.at, r.actor_type, r.actor_id, r.actor_name, r.action, r.resource_type, r.resource_id,
      r.method, r.path, r.request_id, r.ip, r.user_agent, r.session, r.status, r.code
    )
    on conflict do nothing;
    written := written + 1;
  end loop;
  return next;
end
$function$;

create or replace function redact_messages(rows json, now timestamptz, call uuid, again boolean, lowest uuid default '00000000-0000-0000-0000-000000000000', highest uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff') returns table (
  contact_id uuid, redacted int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  n int;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (workspace_id uuid, contact_id uuid, message_ids uuid[])
    ) with ordinality x
    order by x.workspace_id, x.contact_id
  loop
    update message m
    set recipient = case when not m.outbound then m.recipient end,
      sender = case when m.outbound then m.sender end,
      content = 'null',
      reference = null,
      fallback = case when m.fallback is not null then '{}'::json end,
      provided = case
        when m.provided ->> 'group_id' is not null then '{"group_id":""}'::json
        when coalesce(m.provided ->> 'origin', m.provided ->> 'handled_by') is not null then json_strip_nulls(
          json_build_object('origin', m.provided ->> 'origin', 'handled_by', m.provided ->> 'handled_by')
        )
      end
    where m.workspace_id = r.workspace_id and m.id = any(r.message_ids)
      and m.id between lowest and highest and m.content::text <> 'null';
    get diagnostics n = row_count;
    return query select r.contact_id, n;
  end loop;
end
$function$;

create or replace function redeliver_advance(rows json, now timestamptz, call uuid, again boolean) returns table (
  moved int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  w record;
  n int;
begin
  insert into flight (id) values (call);
  for r in
    select *
    from rows from (
      json_to_recordset(rows) as (slot smallint, lane int, keys text[], lo bigint, hi bigint, due timestamptz)
    ) with ordinality x
    order by x.slot, x.lane, x.ordinality
  loop
    moved := 0;
    for w in
      select m.due, array_agg(p.place) as places
      from (
        select a.seq, a.workspace_id, r.due
        from (
          select f.seq, f.workspace_id, f.conversation, f.attempt, f.due
          from redeliver f
          where f.slot::int = r.slot and f.lane = r.lane and f.due > now
          order by f.due, (f.seq + 0)
          limit 20000
        ) a
        where r.keys is not null and a.attempt = 0 and a.conversation = any(r.keys::bigint[])
          and a.seq between r.lo and r.hi
        union all
        select b.seq, b.workspace_id, greatest(r.due, b.behind)
        from (
          select a.seq, a.workspace_id, a.due, a.attempt,
            max(a.due) filter (where a.attempt > 0) over (
              partition by a.workspace_id, a.conversation order by a.seq
            ) as behind
          from (
            select f.seq, f.workspace_id, f.conversation, f.attempt, f.due
            from redeliver f
            where f.slot::int = r.slot and f.lane = r.lane and f.due > now
            order by f.due, (f.seq + 0)
            limit 20000
          ) a
          where r.keys is null
        ) b
        where b.attempt = 0 and greatest(r.due, b.behind) < b.due
      ) m(seq, workspace_id, due)
      cross join lateral (
        select q.ctid as place
        from redeliver q
        where q.slot = r.slot and q.seq = m.seq and q.workspace_id = m.workspace_id
        offset 0
      ) p
      group by m.due
    loop
      update redeliver d
      set due = w.due
      where d.attempt + 0 = 0 and d.ctid = any(w.places);
      get diagnostics n = row_count;
      moved := moved + n;
    end loop;
    return next;
  end loop;
end
$function$;

create or replace function redeliver_defer(rows json, now timestamptz, call uuid, again boolean) returns table (
  seq bigint
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
    update redeliver d
    set due = r.due
    where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id
      and greatest(d.due, r.due) is distinct from d.due;
    seq := r.seq;
    return next;
  end loop;
end
$function$;

create or replace function redeliver_due(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select r.*
    from rows from (json_to_recordset(rows) as (slot smallint, lane int, due timestamptz, seq bigint)) with ordinality u
    cross join lateral (
      select d.slot, d.lane, (extract(epoch from d.due) * 1000)::float8, d.seq, d.workspace_id, d.delivery_id,
        d.event_id, d.conversation::text, d.attempt, 0::smallint, null::float8, null::float8
      from redeliver d
      where d.slot::int = u.slot and d.lane = u.lane and (d.due, (d.seq + 0)) > (u.due, u.seq) and d.due > '-infinity'
      order by d.due, (d.seq + 0)
      limit 50
    ) r;
end
$function$;

create or replace function redeliver_fresh(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select r.*
    from rows from (json_to_recordset(rows) as (slot smallint, lane int, lo bigint, most int)) with ordinality u
    cross join lateral (
      select d.slot, d.lane, (extract(epoch from d.due) * 1000)::float8, d.seq, d.workspace_id, d.delivery_id,
        d.event_id, d.conversation::text, d.attempt, 0::smallint, null::float8, null::float8
      from redeliver d
      where d.slot::int = u.slot and d.lane = u.lane and d.due = '-infinity' and (d.seq + 0) > u.lo
      order by (d.seq + 0)
      limit u.most
    ) r;
end
$function$;

create or replace function redeliver_lanes(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select u.slot, l.lane
    from rows from (json_to_recordset(rows) as (slot smallint)) with ordinality u
    cross join lateral (
      with recursive t(lane) as (
        (select d.lane from redeliver d where d.slot::int = u.slot order by d.lane limit 1)
        union all
        select (select d.lane from redeliver d where d.slot::int = u.slot and d.lane > t.lane order by d.lane limit 1)
        from t
        where t.lane is not null
      )
      select t.lane
      from t
      where t.lane is not null
    ) l;
end
$function$;

create or replace function redeliver_oldest(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, since float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select u.slot, l.since
    from rows from (json_to_recordset(rows) as (slot smallint, most int)) with ordinality u
    cross join lateral (
      with recursive t(lane, n) as (
        (select d.lane, 1 from redeliver d where d.slot::int = u.slot order by d.lane limit 1)
        union all
        select (select d.lane from redeliver d where d.slot::int = u.slot and d.lane > t.lane order by d.lane limit 1),
          t.n + 1
        from t
        where t.lane is not null and t.n < u.most
      )
      select count(t.lane) as lanes, (extract(epoch from min(least(f.at, w.due))) * 1000)::float8 as since
      from t
      left join lateral (
        select uuid_time(d.delivery_id) as at
        from redeliver d
        where d.slot::int = u.slot and d.lane = t.lane and d.due = '-infinity'
        order by (d.seq + 0)
        limit 1
        offset 0
      ) f on true
      left join lateral (
        select d.due
        from redeliver d
        where d.slot::int = u.slot and d.lane = t.lane and d.due > '-infinity' and d.due <= now
        order by d.due, (d.seq + 0)
        limit 1
        offset 0
      ) w on true
      where t.lane is not null
    ) l
    where l.lanes > 0;
end
$function$;

create or replace function redeliver_outcomes(rows json, now timestamptz, call uuid, again boolean, lowest uuid default '00000000-0000-0000-0000-000000000000', highest uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff') returns table (
  slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  slots_filled bigint := 0;
  r record;
  w record;
  outcomes int;
  is_usual boolean;
  has_recovered boolean;
begin
  insert into flight (id) values (call);
  -- Endpoints before queue rows, each sorted.
  perform 1
  from (
    select distinct x.workspace_id, x.endpoint_id, x.result
    from rows from (
      json_to_recordset(rows) as (
        slot smallint, seq bigint, workspace_id uuid, delivery_id uuid, endpoint_id uuid, endpoint_version int,
        result text, due timestamptz, attempt smallint, entry json
      )
    ) with ordinality x
    where x.result in ('gone', 'succeeded')
    order by 1, 2
  ) x
  cross join lateral (
    select 1
    from webhook_endpoint p
    where p.workspace_id = x.workspace_id and p.id = x.endpoint_id
      and (x.result = 'gone' or p.failing_since is not null) for no key update
  ) p;
  has_recovered := found;
  with outcome as materialized (
    select x.*, (x.entry->>'n')::smallint as n, x.result in ('succeeded', 'failed', 'dropped') as is_over
    from rows from (
      json_to_recordset(rows) as (
        slot smallint, seq bigint, workspace_id uuid, delivery_id uuid, endpoint_id uuid, endpoint_version int,
        result text, due timestamptz, attempt smallint, entry json
      )
    ) with ordinality x
  ),
  -- The rest of the row is only for the insert, which finds it there: it is given as it is.
  recorded as (
    insert into delivery as d (
      workspace_id, id, event_id, webhook_endpoint_id, kind, status, attempt, next_attempt_at, created_at, completed_at,
      attempts
    )
    select x.workspace_id, x.delivery_id, p.event_id, p.webhook_endpoint_id, p.kind,
      case x.result when 'retry' then 'pending' when 'gone' then 'parked' else x.result end, x.n, x.due, p.created_at,
      case when x.is_over then now end, json_build_array(x.entry)
    from outcome x
    cross join lateral (
      select d.event_id, d.webhook_endpoint_id, d.kind, d.created_at
      from delivery d
      where d.workspace_id = x.workspace_id and d.id = x.delivery_id and d.id between lowest and highest
      offset 0
    ) p
    where x.entry is not null
    order by x.slot, x.seq
    on conflict (workspace_id, id) do update
    set status = excluded.status,
      attempt = excluded.attempt,
      next_attempt_at = excluded.next_attempt_at,
      completed_at = excluded.completed_at,
      attempts = (d.attempts::jsonb || excluded.attempts::jsonb)::json
    where d.attempt < excluded.attempt
    returning d.workspace_id, d.webhook_endpoint_id, d.attempts -> -1 as entry
  ),
  counted as (
    insert into attempt_count (workspace_id, id, webhook_endpoint_id, outcome, at, bin, count)
    select g.workspace_id, new_uuid(now), g.webhook_endpoint_id, g.outcome, g.at, g.bin, g.count
    from (
      select x.workspace_id, x.webhook_endpoint_id, x.entry ->> 'outcome' as outcome,
        date_bin(interval '5 minutes', (x.entry ->> 'started_at')::timestamptz, timestamptz 'epoch') as at,
        ceil(
          ln(least(greatest((x.entry ->> 'duration_ms')::float8, 1), 10000000000)::float8) / ln(1.1::float8)
        )::smallint as bin,
        count(*) as count
      from recorded x
      group by 1, 2, 3, 4, 5
    ) g
  ),
  ended as (
    delete from redeliver
    where ctid = any(
      array(
        select q.place
        from outcome x
        cross join lateral (
          select q.ctid as place
          from redeliver q
          where x.is_over and q.slot = x.slot and q.seq = x.seq and q.workspace_id = x.workspace_id
          offset 0
        ) q
      )
    )
    returning workspace_id, replay_id, delivery_id
  ),
  counted_for_replays as (
    insert into replay_count as c (workspace_id, replay_id, succeeded, failed)
    select e.workspace_id, e.replay_id, count(*) filter (where s.yes), count(*) filter (where not s.yes)
    from ended e
    cross join lateral (
      select e.delivery_id = any(array(select x.delivery_id from outcome x where x.result = 'succeeded')) as yes
    ) s
    where e.replay_id is not null
    group by 1, 2
    order by 1, 2
    on conflict (workspace_id, replay_id) do update
    set succeeded = c.succeeded + excluded.succeeded, failed = c.failed + excluded.failed
  )
  select count(*), bool_and(x.is_over and x.result <> 'dropped') into outcomes, is_usual
  from outcome x;
  if has_recovered or not is_usual then
    for r in
      select x.*
      from rows from (
        json_to_recordset(rows) as (
          slot smallint, seq bigint, workspace_id uuid, delivery_id uuid, endpoint_id uuid, endpoint_version int,
          result text, due timestamptz, attempt smallint, entry json
        )
      ) with ordinality x
      where x.result not in ('succeeded', 'failed') or has_recovered and x.result = 'succeeded'
      order by x.slot, x.seq, x.ordinality
    loop
      if r.result = 'succeeded' then
        update webhook_endpoint p
        set status = case p.status when 'failing' then 'active' else p.status end,
          updated_at = case p.status when 'failing' then now else p.updated_at end,
          failing_since = null,
          failing_events = 0,
          failing_stage = 0
        where p.workspace_id = r.workspace_id and p.id = r.endpoint_id and p.failing_since is not null;
      elsif r.result = 'dropped' then
        update delivery d
        set status = 'failed', next_attempt_at = null, completed_at = now
        where d.workspace_id = r.workspace_id and d.id = r.delivery_id and d.status in ('pending', 'parked');
      elsif r.result = 'behind' then
        update redeliver q
        set due = greatest(
          now,
          least(
            r.due,
            coalesce(
              (
                select min(f.due)
                from redeliver f
                where f.slot::int = q.slot and f.lane = q.lane and f.conversation = any(array[q.conversation])
                  and (f.seq + 0) < r.seq and f.due > '-infinity'
              ),
              now
            )
          )
        )
        where q.slot = r.slot and q.seq = r.seq and q.workspace_id = r.workspace_id;
      else
        update redeliver q
        set attempt = r.attempt, due = coalesce(r.due, now)
        where q.slot = r.slot and q.seq = r.seq and q.workspace_id = r.workspace_id and q.attempt < r.attempt;
      end if;
      if r.result = 'gone' then
        -- Of an endpoint that has another URL since, or was switched off and on, it says nothing.
        update webhook_endpoint p
        set enabled = false,
          status = 'disabled',
          disabled_reason = 'gone',
          version = p.version + 1,
          updated_at = now,
          failing_since = null,
          failing_events = 0,
          failing_stage = 0
        where p.workspace_id = r.workspace_id and p.id = r.endpoint_id and p.enabled and p.version = r.endpoint_version
        returning p.id, p.url, p.events, p.fields, p.description, p.ordered, p.header_names, p.phone_number_ids,
          p.business_account_ids, p.timeout_seconds, p.rate_per_second, p.enabled, p.status, p.disabled_reason,
          p.created_at, p.updated_at, p.failing_stage into w;
        if found then
          event_id := new_uuid(now);
          insert into event (
            workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
          )
          values (
            r.workspace_id, event_id, (select i.era from installation i), 'endpoint_disabled',
            nextval('conversation_sequence'), null, null, r.endpoint_id, now,
            json_build_object('webhook_endpoint', row_to_json(w), 'reason', 'gone'), now
          );
          with deliveries as (
            insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
            select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
              hashtextextended(r.endpoint_id::text, 0)
            from webhook_endpoint e
            where e.workspace_id = r.workspace_id and e.lane >= 0 and e.events && array['*', 'endpoint_disabled']
              and not e.is_limited
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

create or replace function redeliver_tail(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
      from redeliver d
      where d.slot = u.slot and d.seq > u.lo and not d.seq <@ seen
      order by d.seq
      limit u.most
    ) r;
end
$function$;

create or replace function replay_due(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid, slot smallint
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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

create or replace function report_numbers(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  slots_filled bigint := 0;
  r record;
  n record;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (json_to_recordset(rows) as (workspace_id uuid, id uuid, changed json)) with ordinality x
    order by x.workspace_id, x.id
  loop
    select p.* into n
    from phone_number p
    where p.workspace_id = r.workspace_id and p.id = r.id;
    if found then
      event_id := new_uuid(now);
      insert into event (
        workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
      )
      values (
        n.workspace_id, event_id, (select i.era from installation i), 'phone_number_changed',
        nextval('conversation_sequence'), null, null, n.id, now,
        json_build_object(
          'phone_number',
          json_build_object(
            'id', n.id, 'business_account_id', n.business_account_id, 'provider_phone_number_id',
            n.provider_phone_number_id, 'phone', n.phone, 'verified_name', n.verified_name, 'quality', n.quality,
            'status', n.status, 'throughput_per_second', n.throughput_per_second, 'description', n.description,
            'is_default', n.is_default, 'marketing_stopped_until', n.marketing_stopped_until
          ),
          'changed', r.changed::json
        ),
        now
      );
      with deliveries as (
        insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
        select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
          hashtextextended(n.id::text, 0)
        from webhook_endpoint e
        where e.workspace_id = n.workspace_id and e.lane >= 0 and e.events && array['*', 'phone_number_changed']
          and (
            not e.is_limited
            or is_got(n.workspace_id, within_limits(n.workspace_id, e.id, n.id, null::uuid, null::uuid))
          )
        returning slot
      )
      select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
      from deliveries d;
    end if;
    return query select r.id, slots_filled::text;
  end loop;
end
$function$;

create or replace function reserve_recipients(rows json, now timestamptz, call uuid, again boolean, lowest uuid default '00000000-0000-0000-0000-000000000000', highest uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff') returns table (
  outcome text, room_at timestamptz
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  ledger record;
  counting text[] := '{}';
  tight text[] := '{}';
  rooms int[] := '{}';
  room_ats timestamptz[] := '{}';
begin
  insert into flight (id) values (call);
  perform set_config('lock_timeout', '3s', true);
  for ledger in
    select p.*, g.asked
    from (
      select x.portfolio, count(*)::int as asked
      from json_to_recordset(rows) as x(portfolio text)
      where x.portfolio is not null
      group by x.portfolio
      order by x.portfolio
    ) g
    cross join lateral (select p.* from portfolio_limit p where p.portfolio_id = g.portfolio for no key update) p
  loop
    if ledger.most is not null then
      counting := counting || ledger.portfolio_id;
    end if;
    continue when (ledger.most is null or ledger.used + ledger.asked <= ledger.most)
    and (ledger.full_until is null or ledger.full_until <= now);
    with returned as (
      delete from portfolio_return t
      where t.portfolio_id = ledger.portfolio_id
      returning t.recipient, t.message_id
    ),
    taken_back as (
      delete from portfolio_recipient r using returned t
      where r.portfolio_id = ledger.portfolio_id and r.recipient = t.recipient and r.message_id = t.message_id
      returning 1
    )
    select ledger.used - count(*) into ledger.used
    from taken_back;
    if ledger.used + ledger.asked > ledger.most and ledger.next_room_at <= now then
      delete from portfolio_recipient r
      where r.portfolio_id = ledger.portfolio_id
        and r.minute < floor(extract(epoch from (now - interval '1441 minutes')) / 60)::int;
      select count(*),
        coalesce(
          to_timestamp((min(r.minute) + 1)::bigint * 60) + interval '1441 minutes', '-infinity'
        ) into ledger.used,
        ledger.next_room_at
      from portfolio_recipient r
      where r.portfolio_id = ledger.portfolio_id;
    end if;
    update portfolio_limit p
    set used = ledger.used, next_room_at = ledger.next_room_at
    where p.portfolio_id = ledger.portfolio_id;
    tight := tight || ledger.portfolio_id;
    rooms := rooms || case when ledger.full_until > now then 0 else greatest(ledger.most - ledger.used, 0) end;
    -- Where no person had been counted, those of now leave first.
    room_ats := room_ats || coalesce(
      nullif(greatest(ledger.next_room_at, ledger.full_until), '-infinity'),
      to_timestamp((floor(extract(epoch from now) / 60)::int + 1)::bigint * 60) + interval '1441 minutes'
    );
  end loop;
  perform set_config('lock_timeout', '100ms', true);
  return query
    with asked as materialized (
      select x.*,
        case
          when s.is_waiting
            and (
              m.has_fallback or m.type = 'template'
              and (v.last_inbound_at is null or v.last_inbound_at + interval '1439 minutes' <= now)
            ) then recipient_digest(counted_person(x.workspace_id, m.contact_id, m.phone_number_id))
        end as counted_as
      from (
        select *
        from rows from (
          json_to_recordset(rows) as (workspace_id uuid, message_id uuid, portfolio text)
        ) with ordinality x
        order by x.workspace_id, x.message_id
      ) x
      -- Locked, in the order of all calls: what ends it after this gives its person back.
      left join lateral (
        select true as is_waiting
        from message_state s
        where s.workspace_id = x.workspace_id and s.id = x.message_id
          and s.id between lowest and highest and s.seen & 776 = 0 for no key update
        offset 0
      ) s on true
      left join lateral (
        select g.type, g.fallback is not null as has_fallback, g.phone_number_id,
          (
            select coalesce(m.merged_into, m.id)
            from contact m
            where m.workspace_id = g.workspace_id and m.id = g.contact_id
          ) as contact_id
        from message g
        where g.workspace_id = x.workspace_id and g.id = x.message_id and g.id between lowest and highest
        offset 0
      ) m on true
      left join lateral (
        select v.last_inbound_at
        from conversation v
        where v.workspace_id = x.workspace_id and v.contact_id = m.contact_id and v.phone_number_id = m.phone_number_id
        offset 0
      ) v on true
    ),
    refused as materialized (
      select array(
        select w.id
        from (
          select n.id, n.portfolio, dense_rank() over (partition by n.portfolio order by n.first) as place
          from (
            select x.message_id as id, x.portfolio,
              min(x.ordinality) over (partition by x.portfolio, x.counted_as) as first
            from (select * from asked a where a.portfolio = any(tight) and a.counted_as is not null) x
            left join lateral (
              select r.minute
              from portfolio_recipient r
              where r.portfolio_id = x.portfolio and r.recipient = x.counted_as
                and r.minute >= floor(extract(epoch from (now - interval '1441 minutes')) / 60)::int
              offset 0
            ) l on true
            where l.minute is null
          ) n
        ) w
        where w.place > rooms[array_position(tight, w.portfolio)]
      ) as ids
    ),
    granted as materialized (select x.*, x.message_id = any(f.ids) as is_refused from asked x cross join refused f),
    counted as (
      insert into portfolio_recipient as r (portfolio_id, recipient, minute, message_id)
      select x.portfolio, x.counted_as, floor(extract(epoch from now) / 60)::int,
        case when count(*) = 1 then (array_agg(x.message_id))[1] end
      from (select * from granted g where not g.is_refused and g.portfolio = any(counting)) x
      where x.counted_as is not null
      group by x.portfolio, x.counted_as
      order by x.portfolio, x.counted_as
      on conflict (portfolio_id, recipient) do update
      set minute = greatest(r.minute, excluded.minute),
        message_id = case when r.message_id = excluded.message_id then r.message_id end
      returning r.portfolio_id, r.xmax = 0 as is_new
    ),
    portfolios as (
      insert into portfolio_limit as p (portfolio_id, used, updated_at)
      select c.portfolio_id, count(*), now
      from counted c
      where c.is_new
      group by c.portfolio_id
      on conflict (portfolio_id) do update
      set used = p.used + excluded.used
      returning 1
    )
    select case when x.is_refused then 'full' else 'counted' end,
      case when x.is_refused then room_ats[array_position(tight, x.portfolio)] end
    from granted x
    order by x.ordinality;
end
$function$;

create or replace function restrict_accounts(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid, changed boolean, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  slots_filled bigint := 0;
  r record;
  a record;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (workspace_id uuid, id uuid, restricted boolean, reason text, provider_event text)
    ) with ordinality x
    order by x.workspace_id, x.id
  loop
    update business_account b
    set status = case when r.restricted then 'restricted' else 'connected' end,
      status_reason = case when r.restricted then r.reason end,
      updated_at = now
    where b.workspace_id = r.workspace_id and b.id = r.id
      and b.status = case when r.restricted then 'connected' else 'restricted' end
    returning b.id, b.provider_account_id, b.name, b.status, b.status_reason, b.portfolio_id, b.time_zone,
      b.messaging_account_id, b.waac_id, b.created_at into a;
    if not found then
      return query select r.id, false, slots_filled::text;
      continue;
    end if;
    event_id := new_uuid(now);
    insert into event (
      workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
    )
    values (
      r.workspace_id, event_id, (select i.era from installation i), 'account_changed', nextval('conversation_sequence'),
      null, null, r.id, now,
      json_build_object(
        'business_account', row_to_json(a), 'provider_event', r.provider_event, 'detail',
        case
          when r.restricted then r.reason
          else 'The provider lets the account send again; messages that waited are sent.'
        end
      ),
      now
    );
    with deliveries as (
      insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
      select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
        hashtextextended(r.id::text, 0)
      from webhook_endpoint e
      where e.workspace_id = r.workspace_id and e.lane >= 0 and e.events && array['*', 'account_changed']
        and (
          not e.is_limited or is_got(r.workspace_id, within_limits(r.workspace_id, e.id, null::uuid, r.id, null::uuid))
        )
      returning slot
    )
    select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
    from deliveries d;
    return query select r.id, true, slots_filled::text;
  end loop;
end
$function$;

create or replace function retain_media(rows json, now timestamptz, call uuid, again boolean) returns table (
  looked int, deleted int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  x record;
  last_used timestamptz;
  n int;
  looked int := 0;
  deleted int := 0;
begin
  insert into flight (id) values (call);
  select y.bound, y.most into x
  from rows from (json_to_recordset(rows) as (bound timestamptz, most int)) with ordinality y;
  for r in
    select m.workspace_id, m.id, m.file_id
    from media m
    where m.used_at > '-infinity' and m.used_at < x.bound
    order by m.used_at
    limit x.most for update skip locked
  loop
    looked := looked + 1;
    -- The use of the newest message.
    select u.used_at into last_used
    from media_use u
    where u.workspace_id = r.workspace_id and u.media_id = r.id
    order by u.message_id desc
    limit 1;
    if last_used >= x.bound then
      update media m
      set used_at = last_used
      where m.workspace_id = r.workspace_id and m.id = r.id;
      continue;
    end if;
    delete from media_use v using (
      select u.message_id
      from media_use u
      where u.workspace_id = r.workspace_id and u.media_id = r.id
        and not exists (
          select
          from message_state s
          where s.workspace_id = u.workspace_id and s.id = u.message_id
            and (s.rank = 0 or s.rank = 2 and s.seen & 128 = 0)
        )
      limit 2000
    ) o
    where v.workspace_id = r.workspace_id and v.media_id = r.id and v.message_id = o.message_id;
    get diagnostics n = row_count;
    continue when n = 2000;
    if exists (select from media_use u where u.workspace_id = r.workspace_id and u.media_id = r.id) then
      update media m
      set used_at = x.bound + interval '1 day'
      where m.workspace_id = r.workspace_id and m.id = r.id;
      continue;
    end if;
    delete from media m where m.workspace_id = r.workspace_id and m.id = r.id;
    update media_file f
    set sweep_at = greatest(f.sweep_at, now)
    where f.workspace_id = r.workspace_id and f.id = r.file_id;
    deleted := deleted + 1;
  end loop;
  return query select looked, deleted;
end
$function$;

create or replace function senders_of_lanes(rows json, now timestamptz, call uuid, again boolean) returns table (
  lane int, workspace_id uuid, phone_number_id uuid, provider_phone_number_id text, business_account_id uuid,
  throughput_per_second int, marketing_stopped boolean, number_status text, account_status text,
  account_changed_at timestamptz, account_checked_at timestamptz, user_id_scope text, limited_portfolio text,
  messaging_account_id text, paused boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select n.lane, n.workspace_id, n.id, n.provider_phone_number_id, n.business_account_id, n.throughput_per_second,
      n.marketing_stopped_until is not null, n.status, a.status, a.updated_at, a.checked_at,
      coalesce(a.portfolio_id, a.provider_account_id),
      (
        select p.portfolio_id
        from portfolio_limit p
        where p.portfolio_id = coalesce(a.portfolio_id, a.provider_account_id)
          and (p.most is not null or p.full_until > now)
      ),
      a.messaging_account_id,
      coalesce(
        n.offboarded_at > coalesce(n.reconnected_at, '-infinity') and n.offboarded_at > now - interval '15 minutes',
        false
      )
    from rows from (json_to_recordset(rows) as (lane int)) with ordinality x
    cross join lateral (select n.* from phone_number n where n.lane = x.lane offset 0) n
    cross join lateral (
      select a.status, a.updated_at, a.checked_at, a.portfolio_id, a.provider_account_id, a.messaging_account_id
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
          'business_account_id', n.business_account_id, 'is_default', n.is_default, 'throughput_per_second',
          n.throughput_per_second, 'number_status', n.status, 'account_status', a.status, 'limited_portfolio',
          (
            select p.portfolio_id
            from portfolio_limit p
            where p.portfolio_id = coalesce(a.portfolio_id, a.provider_account_id)
              and (p.most is not null or p.full_until > now)
          )
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

create or replace function set_portfolio_limits(rows json, now timestamptz, call uuid, again boolean) returns table (
  portfolio_id text, must_count boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  slots_filled bigint := 0;
  r record;
  before portfolio_limit;
  n record;
begin
  insert into flight (id) values (call);
  for r in
    select x.*, coalesce(a.portfolio_id, a.provider_account_id) as portfolio
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, business_account_id uuid, is_new boolean, has_moved boolean, is_known boolean, most int
      )
    ) with ordinality x
    join business_account a on a.workspace_id = x.workspace_id and a.id = x.business_account_id
    order by portfolio
  loop
    insert into portfolio_limit (portfolio_id, updated_at)
    values (r.portfolio, now)
    on conflict do nothing;
    select p.* into before
    from portfolio_limit p
    where p.portfolio_id = r.portfolio for no key update;
    if r.is_known then
      update portfolio_limit p
      set most = r.most, is_unlimited = r.most is null, updated_at = now,
      -- The provider has spoken since it refused.
      full_until = case when p.most is distinct from r.most then null else p.full_until end
      where p.portfolio_id = r.portfolio;
      if (before.most is not null or before.is_unlimited) and before.most is distinct from r.most then
        for n in
          select p.*
          from business_account a
          join phone_number p on p.workspace_id = a.workspace_id and p.business_account_id = a.id
          where coalesce(a.portfolio_id, a.provider_account_id) = r.portfolio
            and a.status in ('connected', 'restricted') and not p.status in ('disconnected', 'migrated', 'deleted')
          order by p.workspace_id, p.id
        loop
          event_id := new_uuid(now);
          insert into event (
            workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
          )
          values (
            n.workspace_id, event_id, (select i.era from installation i), 'phone_number_changed',
            nextval('conversation_sequence'), null, null, n.id, now,
            json_build_object(
              'phone_number',
              json_build_object(
                'id', n.id, 'business_account_id', n.business_account_id, 'provider_phone_number_id',
                n.provider_phone_number_id, 'phone', n.phone, 'verified_name', n.verified_name, 'quality', n.quality,
                'status', n.status, 'throughput_per_second', n.throughput_per_second, 'description', n.description,
                'is_default', n.is_default, 'marketing_stopped_until', n.marketing_stopped_until
              ),
              'changed', '["limit"]'::json, 'messaging_limit', r.most
            ),
            now
          );
          with deliveries as (
            insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
            select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
              hashtextextended(n.id::text, 0)
            from webhook_endpoint e
            where e.workspace_id = n.workspace_id and e.lane >= 0 and e.events && array['*', 'phone_number_changed']
              and (
                not e.is_limited
                or is_got(n.workspace_id, within_limits(n.workspace_id, e.id, n.id, null::uuid, null::uuid))
              )
            returning slot
          )
          select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
          from deliveries d;
        end loop;
      end if;
    else
      update portfolio_limit p
      set updated_at = now
      where p.portfolio_id = r.portfolio;
    end if;
    return query
      select r.portfolio,
        case when r.is_known then r.most else before.most end is not null and (
          r.has_moved or before.most is null
          and exists (
            select
            from business_account b
            where coalesce(b.portfolio_id, b.provider_account_id) = r.portfolio
              and not (r.is_new and b.workspace_id = r.workspace_id and b.id = r.business_account_id)
          )
        );
  end loop;
end
$function$;

create or replace function settle_fetches(rows json, now timestamptz, call uuid, again boolean) returns table (
  media_id uuid
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
        slot smallint, seq bigint, workspace_id uuid, media_id uuid, outcome text, due timestamptz, attempt smallint,
        error json
      )
    ) with ordinality x
    order by x.workspace_id, x.media_id
  loop
    if r.outcome = 'later' then
      update fetching f
      set due = r.due, attempt = r.attempt
      where f.slot = r.slot and f.seq = r.seq and f.workspace_id = r.workspace_id;
      if r.error is not null then
        update media_fetch f
        set last_error = r.error
        where f.workspace_id = r.workspace_id and f.media_id = r.media_id;
      end if;
    else
      delete from fetching f
      where f.slot = r.slot and f.seq = r.seq and f.workspace_id = r.workspace_id;
      delete from media_fetch f
      where f.workspace_id = r.workspace_id and f.media_id = r.media_id;
    end if;
    return query select r.media_id;
  end loop;
end
$function$;

create or replace function settle_sends(rows json, now timestamptz, call uuid, again boolean, lowest uuid default '00000000-0000-0000-0000-000000000000', highest uuid default 'ffffffff-ffff-ffff-ffff-ffffffffffff') returns table (
  done boolean, sent_twice boolean, public_id text, has_evidence boolean, slots_mask text, handed json
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  slots_filled bigint := 0;
  event_id uuid;
  handed json;
  handed_to json;
  event_sequence bigint;
  event_state json;
  has_evidence boolean := false;
  claims json[] := '{}';
  consents json[] := '{}';
  owner_signs json[] := '{}';
  unreached uuid[] := '{}';
  reached json[] := '{}';
  p record;
  joined parked_status[] := '{}';
  joined_message uuid[] := '{}';
  r record;
  x record;
  dones boolean[];
  resends boolean[];
  sent_twices boolean[];
  public_ids text[];
  has_parked boolean;
  has_refused_form boolean;
  has_owner_signs boolean;
  ended tid[];
begin
  insert into flight (id) values (call);
  if not again and pg_column_size(rows) < 8192 and json_array_length(rows) = 1 then
    select x.* into r
    from rows from (
      json_to_recordset(rows) as (
        slot smallint, seq bigint, workspace_id uuid, message_id uuid, attempt smallint, outcome text, at timestamptz,
        provider_message_id text, error json, takes_thread boolean, wa_id text, user_id text, hands boolean
      )
    ) with ordinality x;
    if r.outcome = 'accepted' and r.takes_thread is not true and r.provider_message_id is not null then
      select x.workspace_id, x.message_id, x.attempt, x.outcome, x.at, x.provider_message_id, x.error, x.bit, x.pricing,
        x.version, x.is_new, x.known_provider_id, x.was_contact_id, x.was_conversation, x.was_possible_duplicate,
        x.was_fallback_used, x.was_minted_id, x.was_seen | x.bit as seen,
        greatest(
          x.was_rank,
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
            when 1024 then 0
            when 2048 then 0
          end
        ) as rank,
        coalesce(case when x.bit in (2) then x.at end, x.was_accepted_at) as accepted_at,
        coalesce(case when x.bit in (4) then x.at end, x.was_sent_at) as sent_at,
        coalesce(case when x.bit in (16) then x.at end, x.was_delivered_at) as delivered_at,
        coalesce(x.was_read_at, case when x.bit in (32, 64) then x.at end) as read_at,
        coalesce(case when x.bit in (8) then x.at end, x.was_failed_at) as failed_at,
        coalesce(x.error, x.was_error) as known_error,
      -- The price may be on several reports, in any order: that of the highest counts.
      coalesce(case when not x.is_outpriced then x.pricing end, x.was_pricing) as known_pricing,
      nullif(
        case
          when x.was_pricing is null then 0
          else coalesce(x.was_priced, x.was_seen)
        end | coalesce(case when x.pricing is not null then x.bit end, 0), 0
      ) as priced,
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
        when 1024 then 'message_deleted'
        when 2048 then 'warning'
      end as kind,
      exists (
        select
        from parked_status w
        where w.workspace_id = x.workspace_id and w.provider_message_id = x.provider_message_id
      ) as is_parked
      from (
        select x.*,
          coalesce(
            case when x.was_pricing is null then 0 else coalesce(x.was_priced, x.was_seen) end & case x.bit
              when 1 then 894
              when 2 then 892
              when 4 then 888
              when 8 then 880
              when 16 then 864
              when 32 then 768
              when 64 then 768
              when 128 then 894
              when 256 then 512
              when 512 then 0
              when 1024 then 1023
              when 2048 then 1023
            end <> 0, false
          ) as is_outpriced
        from (
          select x.*, coalesce(x.was_seen & x.bit = 0, false) as is_new,
            coalesce(x.was_provider_message_id, x.provider_message_id) as known_provider_id
          from (
            select r.workspace_id as workspace_id, r.message_id as message_id, r.attempt as attempt,
              r.outcome as outcome, r.at as at, r.provider_message_id as provider_message_id, r.error as error,
              2 as bit, null::json as pricing, s.xmin as version, s.contact_id as was_contact_id,
              s.conversation as was_conversation, s.possible_duplicate as was_possible_duplicate,
              s.fallback_used as was_fallback_used, s.minted_id as was_minted_id, s.seen as was_seen,
              s.rank as was_rank, s.accepted_at as was_accepted_at, s.sent_at as was_sent_at,
              s.delivered_at as was_delivered_at, s.read_at as was_read_at, s.failed_at as was_failed_at,
              s.provider_message_id as was_provider_message_id, s.error as was_error, s.pricing as was_pricing,
              s.priced as was_priced
            from message_state s
            where s.workspace_id = r.workspace_id and s.id = r.message_id
          ) x
        ) x
      ) x into x;
      if x.is_new and x.known_provider_id = x.provider_message_id and not x.is_parked then
        insert into message_state as s (
          workspace_id, id, contact_id, conversation, seen, rank, accepted_at, sent_at, delivered_at, read_at,
          failed_at, provider_message_id, error, pricing, priced
        )
        values (
          x.workspace_id, x.message_id, x.was_contact_id, x.was_conversation, x.seen, x.rank, x.accepted_at, x.sent_at,
          x.delivered_at, x.read_at, x.failed_at, x.known_provider_id, x.known_error, x.known_pricing, x.priced
        )
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
          pricing = excluded.pricing,
          priced = excluded.priced
        where s.xmin = x.version;
        if found then
          delete from dispatch d
          where d.slot = r.slot and d.seq = r.seq and d.workspace_id = r.workspace_id and d.attempt = r.attempt;
          insert into history (workspace_id, message_id, bit, at, received_at, error)
          values (x.workspace_id, x.message_id, x.bit, x.at, now, x.error);
          event_id := new_uuid(now);
          event_state := (
            '{"seen":' || x.seen || ',"rank":' || x.rank || coalesce(',"accepted_at":' || to_json(x.accepted_at), '') || coalesce(',"sent_at":' || to_json(x.sent_at), '') || coalesce(',"delivered_at":' || to_json(x.delivered_at), '') || coalesce(',"read_at":' || to_json(x.read_at), '') || coalesce(',"failed_at":' || to_json(x.failed_at), '') || coalesce(',"provider_message_id":' || to_json(x.known_provider_id), '') || case
              when x.was_possible_duplicate then ',"possible_duplicate":true'
              else ''
            end || case when x.was_fallback_used then ',"fallback_used":true' else '' end || coalesce(',"error":' || x.known_error, '') || coalesce(',"pricing":' || x.known_pricing, '') || '}'
          )::json;
          insert into event (
            workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
          )
          values (
            x.workspace_id, event_id, (select i.era from installation i), x.kind, nextval('conversation_sequence'),
            x.message_id, x.was_contact_id, null, x.at, event_state, now
          )
          returning sequence into event_sequence;
          with deliveries as (
            insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
            select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
              x.was_conversation
            from webhook_endpoint e
            where e.workspace_id = x.workspace_id and e.lane >= 0 and e.events && array['*', x.kind]
              and (
                not e.is_limited
                or is_got(x.workspace_id, within_limits(x.workspace_id, e.id, null::uuid, null::uuid, x.message_id))
              )
            returning slot, lane, seq, delivery_id
          )
          select slots_filled | coalesce(bit_or(1::bigint << d.slot) filter (where p.id is null), 0),
            json_agg(
              json_build_object(
                'slot', d.slot, 'lane', d.lane, 'seq', d.seq, 'delivery_id', d.delivery_id, 'endpoint_id', p.id,
                'version', p.version
              )
              order by d.seq
            ) filter (where p.id is not null) into slots_filled,
            handed_to
          from deliveries d
          left join lateral (
            select p.id, p.version
            from webhook_endpoint p
            where r.hands and p.workspace_id = x.workspace_id and p.lane = d.lane and p.enabled and not p.ordered
            offset 0
          ) p on true;
          if handed_to is not null then
            handed := json_build_object(
              'workspace_id', x.workspace_id, 'id', event_id, 'kind', x.kind, 'resource_id', x.was_contact_id,
              'contact_id', x.was_contact_id, 'sequence', event_sequence, 'occurred_at',
              (extract(epoch from x.at) * 1000)::float8, 'created_at', (extract(epoch from now) * 1000)::float8,
              'state', event_state, 'message',
              (select row_to_json(m) from message m where m.workspace_id = x.workspace_id and m.id = x.message_id),
              'contact', null, 'is_erased',
              exists (select from erased_contact z where z.workspace_id = x.workspace_id and z.id = x.was_contact_id),
              'to', handed_to
            );
          end if;
          insert into provider_message (workspace_id, provider_message_id, message_id, created_at, inbound)
          values (x.workspace_id, x.provider_message_id, x.message_id, now, false)
          on conflict do nothing;
          if r.attempt > 0 then
            insert into attempt (workspace_id, message_id, attempt, completed_at, outcome, provider_message_id, error)
            values (
              x.workspace_id, x.message_id, x.attempt, x.at,
              case x.outcome when 'waits' then 'retry' else x.outcome end, x.provider_message_id, x.error
            )
            on conflict do nothing;
          end if;
          if coalesce(r.wa_id, r.user_id) is not null then
            claims := claims || array(
              select json_build_object(
                'source', 'answer', 'workspace_id', x.workspace_id, 'message_id', x.message_id, 'contact_id', c.id,
                'at', x.at, 'wa_id', x.wa_id, 'wa_key', x.wa_key, 'wa_loose', x.wa_loose, 'country', x.country,
                'user_id', x.user_id, 'parent_user_id', x.parent_user_id, 'scope', x.scope
              )
              from (
                select *
                from (
                  select y.*, x.was_contact_id as to_contact
                  from rows from (
                    json_to_recordset(rows) as (
                      slot smallint, seq bigint, workspace_id uuid, message_id uuid, attempt smallint, outcome text,
                      at timestamptz, provider_message_id text, error json, due timestamptz, lane int, recipient bigint,
                      worker uuid, takes_thread boolean, wa_id text, wa_key text, wa_loose text, country text,
                      user_id text, parent_user_id text, scope text, hands boolean
                    )
                  ) with ordinality y
                ) x
                where not coalesce(again and coalesce(x.wa_id, x.user_id) is not null and false, false)
              ) x
              cross join lateral (
                select c.id, c.merged_into, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id
                from contact c
                where (x.wa_id is not null or x.user_id is not null) and c.workspace_id = x.workspace_id
                  and c.id = x.to_contact
                offset 0
              ) c
              where case
                when c.merged_into is null then (
                  (x.wa_id is not null and (c.wa_id is distinct from x.wa_id))
                  or (
                    x.user_id is not null and c.user_id is distinct from x.user_id
                    and not has_user_id(x.workspace_id, c.id, 'user_id', x.scope, x.user_id)
                  )
                  or (
                    x.parent_user_id is not null and c.parent_user_id is distinct from x.parent_user_id
                    and not has_user_id(x.workspace_id, c.id, 'parent_user_id', x.scope, x.parent_user_id)
                  )
                )
                else exists (
                  select
                  from contact s
                  where s.workspace_id = x.workspace_id and s.id = c.merged_into
                    and (
                      (x.wa_id is not null and (s.wa_id is distinct from x.wa_id))
                      or (
                        x.user_id is not null and s.user_id is distinct from x.user_id
                        and not has_user_id(x.workspace_id, s.id, 'user_id', x.scope, x.user_id)
                      )
                      or (
                        x.parent_user_id is not null and s.parent_user_id is distinct from x.parent_user_id
                        and not has_user_id(x.workspace_id, s.id, 'parent_user_id', x.scope, x.parent_user_id)
                      )
                    )
                )
              end
              order by x.ordinality
            );
            if cardinality(claims) > 0 then
              declare
                called record;
              begin
                called := learn_claims(now, claims, has_evidence);
                claims := called.claims;
                has_evidence := called.has_evidence;
              end;
            end if;
          end if;
          return query
            select true, false, coalesce(x.was_minted_id, x.known_provider_id), has_evidence, slots_filled::text,
              handed;
          return;
        end if;
      end if;
    end if;
  end if;
  with given as materialized (
    select x.*,
      case x.outcome
        when 'accepted' then 2
        when 'failed' then 8
        when 'expired' then 512
        when 'canceled' then 256
        when 'unknown' then 1
        when 'silence' then 128
      end as bit, null::json as pricing
    from rows from (
      json_to_recordset(rows) as (
        slot smallint, seq bigint, workspace_id uuid, message_id uuid, attempt smallint, outcome text, at timestamptz,
        provider_message_id text, error json, due timestamptz, lane int, recipient bigint, worker uuid,
        takes_thread boolean, wa_id text, wa_key text, wa_loose text, country text, user_id text, parent_user_id text,
        scope text
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
    -- A callback, or a late answer, may have settled a lost answer already. What waits to be sent once more waits no longer then.
    select x.*,
      x.outcome in ('unknown', 'silence', 'retry', 'waits', 'expired', 'canceled') and coalesce(
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
      x.outcome in ('expired', 'canceled') and coalesce(
        (
          (x.state).seen | coalesce(
            bit_or(x.bit) over (
              partition by x.workspace_id, x.message_id
              order by x.ordinality rows between unbounded preceding and 1 preceding
            ),
            0
          )
        ) & 1 <> 0,
        false
      ) as is_lost,
      x.outcome = 'silence' and coalesce(m.resend_once and not (x.state).possible_duplicate, false) as may_resend
    from locked x
    left join lateral (
      select m.resend_once and (m.expires_at is null or m.expires_at > now) as resend_once
      from message m
      where x.outcome = 'silence' and m.workspace_id = x.workspace_id and m.id = x.message_id
        and m.id between lowest and highest
      offset 0
    ) m on true
  ),
  decided as materialized (
    select x.*, x.may_resend and not x.is_known as is_resent,
      x.is_known or x.outcome in (
        'accepted', 'failed', 'expired', 'canceled'
      ) or (x.outcome = 'silence' and not x.may_resend) as is_done
    from doubted x
  ),
  reports as materialized (
    -- What may have reached the provider has not expired: it is given up.
    select x.workspace_id, x.message_id, x.at, case when not x.is_lost then x.error end as error, x.pricing,
      x.provider_message_id, x.ordinality, x.state,
      case when x.is_known or x.is_resent then null when x.is_lost then 128 else x.bit end as bit
    from decided x
  ),
  judged as materialized (
    select x.*,
      coalesce(
        (
          case when (x.state).pricing is null then 0 else coalesce((x.state).priced, (x.state).seen) end | coalesce(
            bit_or(x.bit) filter (where x.is_new and x.pricing is not null) over (
              partition by x.workspace_id, x.message_id
              order by x.ordinality rows between unbounded preceding and 1 preceding
            ),
            0
          )
        ) & case x.bit when 1 then 894 when 2 then 892 when 4 then 888 when 8 then 880 when 16 then 864 when 32 then 768 when 64 then 768 when 128 then 894 when 256 then 512 when 512 then 0 when 1024 then 1023 when 2048 then 1023 end <> 0,
        false
      ) as is_outpriced
    from (
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
          (
            array_agg(x.provider_message_id) filter (where x.provider_message_id is not null) over (
              partition by x.workspace_id, x.message_id
              order by x.ordinality rows between unbounded preceding and 1 preceding
            )
          )[1],
          x.provider_message_id
        ) as known_provider_id
      from reports x
    ) x
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
            when 1024 then 0
            when 2048 then 0
          end
        ) over w
      ) as rank,
      coalesce(min(x.at) filter (where x.bit in (2)) over w, (x.state).accepted_at) as accepted_at,
      coalesce(min(x.at) filter (where x.bit in (4)) over w, (x.state).sent_at) as sent_at,
      coalesce(min(x.at) filter (where x.bit in (16)) over w, (x.state).delivered_at) as delivered_at,
      coalesce((x.state).read_at, min(x.at) filter (where x.bit in (32, 64)) over w) as read_at,
      coalesce(min(x.at) filter (where x.bit in (8)) over w, (x.state).failed_at) as failed_at,
      coalesce(
        (
          array_agg(x.error) filter (where x.error is not null) over w
        )[count(*) filter (where x.error is not null) over w],
        (x.state).error
      ) as known_error,
    -- The price may be on several reports, in any order: that of the highest counts.
    coalesce(
      (
        array_agg(x.pricing) filter (where x.pricing is not null and not x.is_outpriced) over w
      )[count(*) filter (where x.pricing is not null and not x.is_outpriced) over w],
      (x.state).pricing
    ) as known_pricing,
    nullif(
      case
        when (x.state).pricing is null then 0
        else coalesce((x.state).priced, (x.state).seen)
      end | coalesce(bit_or(x.bit) filter (where x.pricing is not null) over w, 0), 0
    ) as priced,
    lead(x.ordinality) over w is null as is_last
    from judged x
    where x.is_new window w as (partition by x.workspace_id, x.message_id order by x.ordinality)
  ),
  changed as (
    insert into message_state (
      workspace_id, id, contact_id, conversation, seen, rank, accepted_at, sent_at, delivered_at, read_at, failed_at,
      provider_message_id, error, pricing, priced
    )
    select x.workspace_id, x.message_id, (x.state).contact_id, (x.state).conversation, x.seen, x.rank, x.accepted_at,
      x.sent_at, x.delivered_at, x.read_at, x.failed_at, x.known_provider_id, x.known_error, x.known_pricing, x.priced
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
      pricing = excluded.pricing,
      priced = excluded.priced
  ),
  recorded as (
    insert into history (workspace_id, message_id, bit, at, received_at, error)
    select x.workspace_id, x.message_id, x.bit, x.at, now, x.error
    from reported x
    order by x.ordinality
  ),
  new_events as materialized (
    select x.workspace_id as workspace_id, new_uuid(now) as id,
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
        when 1024 then 'message_deleted'
        when 2048 then 'warning'
      end as kind, x.message_id as message_id, (x.state).contact_id as contact_id, null::uuid as resource_id,
      x.at as occurred_at,
      (
        '{"seen":' || x.seen || ',"rank":' || x.rank || coalesce(',"accepted_at":' || to_json(x.accepted_at), '') || coalesce(',"sent_at":' || to_json(x.sent_at), '') || coalesce(',"delivered_at":' || to_json(x.delivered_at), '') || coalesce(',"read_at":' || to_json(x.read_at), '') || coalesce(',"failed_at":' || to_json(x.failed_at), '') || coalesce(',"provider_message_id":' || to_json(x.known_provider_id), '') || case
          when (x.state).possible_duplicate then ',"possible_duplicate":true'
          else ''
        end || case when (x.state).fallback_used then ',"fallback_used":true' else '' end || coalesce(',"error":' || x.known_error, '') || coalesce(',"pricing":' || x.known_pricing, '') || '}'
      )::json as state,
      (x.state).conversation as conversation
    from reported x
    order by x.ordinality
  ),
  events as (
    insert into event (
      workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
    )
    select x.workspace_id, x.id, (select i.era from installation i), x.kind, nextval('conversation_sequence'),
      x.message_id, x.contact_id, x.resource_id, x.occurred_at, x.state, now
    from new_events x
  ),
  deliveries as (
    insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
    select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.id, e.id), x.id, x.conversation
    from new_events x
    cross join lateral (
      select e.id, e.lane
      from webhook_endpoint e
      where e.workspace_id = x.workspace_id and e.lane >= 0 and e.events && array['*', x.kind]
        and (
          not e.is_limited
          or is_got(x.workspace_id, within_limits(x.workspace_id, e.id, null::uuid, null::uuid, x.message_id))
        )
      offset 0
    ) e
    returning slot
  ),
  named as (
    insert into provider_message (workspace_id, provider_message_id, message_id, created_at, inbound)
    select x.workspace_id, x.provider_message_id, x.message_id, now, false
    from decided x
    where x.provider_message_id is not null
    order by x.ordinality
    on conflict do nothing
  ),
  tried as (
    insert into attempt (workspace_id, message_id, attempt, completed_at, outcome, provider_message_id, error)
    select x.workspace_id, x.message_id, x.attempt, x.at, case x.outcome when 'waits' then 'retry' else x.outcome end,
      x.provider_message_id, x.error
    from decided x
    where x.attempt > 0 and x.outcome in ('accepted', 'failed', 'unknown', 'retry', 'waits')
    order by x.ordinality
    on conflict do nothing
  )
  select array_agg(x.is_done order by x.ordinality), array_agg(x.is_resent order by x.ordinality),
    array_agg(
      coalesce((x.state).provider_message_id <> x.provider_message_id and k.is_named is null, false)
      order by x.ordinality
    ),
    array_agg(
      coalesce((x.state).minted_id, (x.state).provider_message_id, x.provider_message_id)
      order by x.ordinality
    ),
    bool_or(w.is_parked), bool_or(coalesce(x.outcome = 'failed' and x.error->'provider'->>'code' = '131030', false)),
    bool_or(
      (x.outcome = 'accepted' and x.takes_thread is true)
      or coalesce(
        x.outcome = 'failed' and x.error->>'code' = 'thread_not_owned' and x.error->'provider' is not null, false
      )
      or (x.outcome = 'unknown' and x.is_known)
    ),
    slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d),
    consents || array(
      select json_build_object(
        'workspace_id', x.workspace_id, 'contact_id', (x.state).contact_id, 'consent', 'opted_out', 'source',
        'preference', 'at', least(x.at, now), 'proof', x.message_id, 'conversation', (x.state).conversation
      )
      from reported x
      where x.bit = 8 and x.error->>'code' = 'recipient_opted_out' and x.error->'provider' is not null
      order by x.ordinality
    ),
    unreached || array(select x.message_id from reported x where x.bit & 776 <> 0 and x.seen & 113 = 0),
    reached || array(
      select json_build_object('workspace_id', x.workspace_id, 'message_id', x.message_id)
      from reported x
      where x.bit & 112 <> 0 and x.seen & 112 = x.bit and x.seen & 776 <> 0
    ),
    claims || array(
      select json_build_object(
        'source', 'answer', 'workspace_id', x.workspace_id, 'message_id', x.message_id, 'contact_id', c.id, 'at', x.at,
        'wa_id', x.wa_id, 'wa_key', x.wa_key, 'wa_loose', x.wa_loose, 'country', x.country, 'user_id', x.user_id,
        'parent_user_id', x.parent_user_id, 'scope', x.scope
      )
      from (
        select *
        from decided x
        where not coalesce(again and coalesce(x.wa_id, x.user_id) is not null and (x.state).seen & 2 <> 0, false)
      ) x
      cross join lateral (
        select c.id, c.merged_into, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id
        from contact c
        where (x.wa_id is not null or x.user_id is not null) and c.workspace_id = x.workspace_id
          and c.id = (x.state).contact_id
        offset 0
      ) c
      where case
        when c.merged_into is null then (
          (x.wa_id is not null and (c.wa_id is distinct from x.wa_id))
          or (
            x.user_id is not null and c.user_id is distinct from x.user_id
            and not has_user_id(x.workspace_id, c.id, 'user_id', x.scope, x.user_id)
          )
          or (
            x.parent_user_id is not null and c.parent_user_id is distinct from x.parent_user_id
            and not has_user_id(x.workspace_id, c.id, 'parent_user_id', x.scope, x.parent_user_id)
          )
        )
        else exists (
          select
          from contact s
          where s.workspace_id = x.workspace_id and s.id = c.merged_into
            and (
              (x.wa_id is not null and (s.wa_id is distinct from x.wa_id))
              or (
                x.user_id is not null and s.user_id is distinct from x.user_id
                and not has_user_id(x.workspace_id, s.id, 'user_id', x.scope, x.user_id)
              )
              or (
                x.parent_user_id is not null and s.parent_user_id is distinct from x.parent_user_id
                and not has_user_id(x.workspace_id, s.id, 'parent_user_id', x.scope, x.parent_user_id)
              )
            )
        )
      end
      order by x.ordinality
    ),
    coalesce(
      bool_or(coalesce(again and coalesce(x.wa_id, x.user_id) is not null and (x.state).seen & 2 <> 0, false)), false
    ),
    array_agg(d.place) into dones, resends, sent_twices, public_ids, has_parked, has_refused_form, has_owner_signs,
    slots_filled, consents, unreached, reached, claims, has_evidence, ended
  from decided x
  left join lateral (
    select d.ctid as place
    from dispatch d
    where x.is_done and d.slot = x.slot and d.seq = x.seq and d.workspace_id = x.workspace_id
      and d.attempt = x.attempt for update
    offset 0
  ) d on true
  -- A status may have brought this id before.
  left join lateral (
    select true as is_named
    from provider_message k
    where (x.state).provider_message_id <> x.provider_message_id and k.workspace_id = x.workspace_id
      and k.provider_message_id = x.provider_message_id
    offset 0
  ) k on true
  left join lateral (
    select true as is_parked
    from parked_status w
    where w.workspace_id = x.workspace_id and w.provider_message_id = x.provider_message_id
    limit 1
    offset 0
  ) w on true;
  if true = any(sent_twices) then
    insert into audit (workspace_id, id, at, actor_type, action, resource_type, resource_id, changes)
    select t.workspace_id, new_uuid(now), now, 'system', 'message.sent_twice', 'message', public_id('msg', t.message),
      json_build_object('provider_message_ids', json_build_array(s.provider_message_id, t.provider_message_id))
    from (
      select distinct x.workspace_id, x.message_id as message, x.provider_message_id
      from rows from (
        json_to_recordset(rows) as (
          slot smallint, seq bigint, workspace_id uuid, message_id uuid, attempt smallint, outcome text, at timestamptz,
          provider_message_id text, error json, due timestamptz, lane int, recipient bigint, worker uuid,
          takes_thread boolean, wa_id text, wa_key text, wa_loose text, country text, user_id text, parent_user_id text,
          scope text
        )
      ) with ordinality x
      where (sent_twices)[x.ordinality::int]
    ) t
    left join message_state s on s.workspace_id = t.workspace_id and s.id = t.message;
  end if;
  if has_parked then
    for r in
      select x.workspace_id, x.message_id, x.provider_message_id
      from rows from (
        json_to_recordset(rows) as (
          slot smallint, seq bigint, workspace_id uuid, message_id uuid, attempt smallint, outcome text, at timestamptz,
          provider_message_id text, error json, due timestamptz, lane int, recipient bigint, worker uuid,
          takes_thread boolean, wa_id text, wa_key text, wa_loose text, country text, user_id text, parent_user_id text,
          scope text
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
    if cardinality(joined) > 0 then
      declare
        called record;
      begin
        called := apply_parked(now, joined, joined_message, slots_filled, consents, unreached, reached);
        slots_filled := called.slots_filled;
        consents := called.consents;
        unreached := called.unreached;
        reached := called.reached;
      end;
    end if;
  end if;
  if has_refused_form then
    for r in
      select x.workspace_id,
        (
          select coalesce(m.merged_into, m.id)
          from contact m
          where m.workspace_id = x.workspace_id and m.id = s.contact_id
        ) as contact_id
      from rows from (
        json_to_recordset(rows) as (
          slot smallint, seq bigint, workspace_id uuid, message_id uuid, attempt smallint, outcome text, at timestamptz,
          provider_message_id text, error json, due timestamptz, lane int, recipient bigint, worker uuid,
          takes_thread boolean, wa_id text, wa_key text, wa_loose text, country text, user_id text, parent_user_id text,
          scope text
        )
      ) with ordinality x
      left join lateral (
        select s.contact_id
        from message_state s
        where s.workspace_id = x.workspace_id and s.id = x.message_id and s.id between lowest and highest
        offset 0
      ) s on true
      where coalesce(x.outcome = 'failed' and x.error->'provider'->>'code' = '131030', false)
      order by 1, 2
    loop
      update contact c
      set refused_form = c.wa_id, updated_at = now
      where c.workspace_id = r.workspace_id and c.id = r.contact_id and c.refused_form is distinct from c.wa_id;
    end loop;
  end if;
  if has_owner_signs then
    owner_signs := owner_signs || array(
      select json_build_object(
        'workspace_id', x.workspace_id, 'contact_id',
        (
          select coalesce(m.merged_into, m.id)
          from contact m
          where m.workspace_id = x.workspace_id and m.id = g.contact_id
        ),
        'phone_number_id', g.phone_number_id, 'role',
        case when (x.outcome = 'accepted' and x.takes_thread is true) then 'self' else 'other' end, 'since', x.at, 'at',
        date_trunc('second', x.at), 'mark',
        case when (x.outcome = 'accepted' and x.takes_thread is true) then 'own' end, 'is_plain', false, 'from_agent',
        false, 'opens', false
      )
      from rows from (
        json_to_recordset(rows) as (
          slot smallint, seq bigint, workspace_id uuid, message_id uuid, attempt smallint, outcome text, at timestamptz,
          provider_message_id text, error json, due timestamptz, lane int, recipient bigint, worker uuid,
          takes_thread boolean, wa_id text, wa_key text, wa_loose text, country text, user_id text, parent_user_id text,
          scope text
        )
      ) with ordinality x
      left join lateral (
        select g.contact_id, g.phone_number_id
        from message g
        where g.workspace_id = x.workspace_id and g.id = x.message_id and g.id between lowest and highest
        offset 0
      ) g on true
      where (x.outcome = 'accepted' and x.takes_thread is true)
        or coalesce(
          x.outcome = 'failed' and x.error->>'code' = 'thread_not_owned' and x.error->'provider' is not null, false
        )
      order by x.ordinality
    );
    owner_signs := owner_signs || array(
      select json_build_object(
        'workspace_id', x.workspace_id, 'contact_id',
        (
          select coalesce(m.merged_into, m.id)
          from contact m
          where m.workspace_id = x.workspace_id and m.id = g.contact_id
        ),
        'phone_number_id', g.phone_number_id, 'role', 'self', 'since', u.at, 'at', date_trunc('second', u.at), 'mark',
        'own', 'is_plain', false, 'from_agent', false, 'opens', false
      )
      from rows from (
        json_to_recordset(rows) as (
          slot smallint, seq bigint, workspace_id uuid, message_id uuid, attempt smallint, outcome text, at timestamptz,
          provider_message_id text, error json, due timestamptz, lane int, recipient bigint, worker uuid,
          takes_thread boolean, wa_id text, wa_key text, wa_loose text, country text, user_id text, parent_user_id text,
          scope text
        )
      ) with ordinality x
      cross join lateral (
        select g.contact_id, g.phone_number_id
        from message g
        where g.workspace_id = x.workspace_id and g.id = x.message_id and g.takes_thread and g.type not in ('template')
        offset 0
      ) g
      cross join lateral (
        select least(
          s.sent_at, s.delivered_at, s.read_at,
          (
            select min(a.completed_at)
            from attempt a
            where a.workspace_id = x.workspace_id and a.message_id = x.message_id and a.outcome = 'unknown'
          )
        ) as at
        from message_state s
        where s.workspace_id = x.workspace_id and s.id = x.message_id and s.seen & 116 <> 0
          and s.fallback_used is not true
        offset 0
      ) u
      where x.outcome = 'unknown' and dones[x.ordinality::int]
      order by x.ordinality
    );
    if cardinality(owner_signs) > 0 then
      declare
        called record;
      begin
        called := apply_owners(now, slots_filled, owner_signs);
        slots_filled := called.slots_filled;
        owner_signs := called.owner_signs;
      end;
    end if;
  end if;
  if cardinality(consents) > 0 then
    declare
      called record;
    begin
      called := apply_consents(now, slots_filled, consents);
      slots_filled := called.slots_filled;
      consents := called.consents;
    end;
  end if;
  if cardinality(unreached) > 0 or cardinality(reached) > 0 then
    declare
      called record;
    begin
      called := give_back(now, unreached, reached);
      unreached := called.unreached;
      reached := called.reached;
    end;
  end if;
  delete from dispatch where ctid = any(ended);
  if false = any(dones) then
    for r in
      select x.*
      from rows from (
        json_to_recordset(rows) as (
          slot smallint, seq bigint, workspace_id uuid, message_id uuid, attempt smallint, outcome text, at timestamptz,
          provider_message_id text, error json, due timestamptz, lane int, recipient bigint, worker uuid,
          takes_thread boolean, wa_id text, wa_key text, wa_loose text, country text, user_id text, parent_user_id text,
          scope text
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
        if found and r.outcome <> 'waits' then
          insert into held (slot, lane, workspace_id, recipient, seq, until)
          values (r.slot, r.lane, r.workspace_id, r.recipient, r.seq, r.due)
          on conflict (slot, lane, recipient, workspace_id) do update
          set seq = excluded.seq, until = greatest(held.until, excluded.until);
        end if;
      end if;
    end loop;
  end if;
  if cardinality(claims) > 0 then
    declare
      called record;
    begin
      called := learn_claims(now, claims, has_evidence);
      claims := called.claims;
      has_evidence := called.has_evidence;
    end;
  end if;
  return query
    select u.done, u.sent_twice, u.public_id, has_evidence, slots_filled::text, null::json
    from unnest(dones, sent_twices, public_ids) with ordinality u(done, sent_twice, public_id, n)
    order by u.n;
end
$function$;

create or replace function share_demand(rows json, now timestamptz, call uuid, again boolean) returns table (
  worker uuid, demand json
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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

create or replace function stale_limits(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, business_account_id uuid
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select s.workspace_id, s.id
    from rows from (json_to_recordset(rows) as (before timestamptz, most int)) with ordinality x
    cross join lateral (
      select a.workspace_id, a.id
      from business_account a
      left join lateral (
        select p.updated_at
        from portfolio_limit p
        where p.portfolio_id = coalesce(a.portfolio_id, a.provider_account_id)
        offset 0
      ) p on true
      where a.status = 'connected' and (p.updated_at is null or p.updated_at < x.before)
      -- Not the longest ago first: those that cannot be read would always come before the others. In another order each time.
      order by hashtextextended(a.id::text, extract(epoch from now)::bigint)
      limit x.most
    ) s;
end
$function$;

create or replace function store_callbacks(rows json, now timestamptz, call uuid, again boolean) returns table (
  id uuid
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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

create or replace function sweep_imports(rows json, now timestamptz, call uuid, again boolean) returns table (
  swept int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  q record;
  gone int := 0;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (error json, ended_before timestamptz, begun_before timestamptz)
    ) with ordinality x
  loop
    for q in
      select i.workspace_id, i.id
      from contact_import i
      where i.completed_at is null and i.created_at < r.begun_before
        and not exists (
          select
          from job j
          where j.workspace_id = i.workspace_id and j.id = i.job_id and j.status = 'pending'
        )
      order by i.created_at
      limit 20 for no key update skip locked
    loop
      update contact_import i
      set status = 'failed', error = r.error, completed_at = now, updated_at = now
      where i.workspace_id = q.workspace_id and i.id = q.id;
      gone := gone + 1;
    end loop;
    for q in
      select i.workspace_id, i.id
      from contact_import i
      where i.completed_at is not null and i.completed_at < r.ended_before
      order by i.completed_at
      limit 20 for update skip locked
    loop
      delete from contact_import_error e
      where e.workspace_id = q.workspace_id and e.import_id = q.id;
      delete from contact_import i
      where i.workspace_id = q.workspace_id and i.id = q.id;
      gone := gone + 1;
    end loop;
  end loop;
  return query select gone;
end
$function$;

create or replace function sweep_media_files(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, id uuid
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
begin
  insert into flight (id) values (call);
  for r in
    select f.workspace_id, f.id
    from media_file f
    where f.sweep_at <= now
    order by f.sweep_at
    limit (
      select max(x.most)
      from rows from (json_to_recordset(rows) as (most int)) with ordinality x
    ) for update skip locked
  loop
    if exists (select from media m where m.workspace_id = r.workspace_id and m.file_id = r.id) then
      update media_file f
      set sweep_at = null
      where f.workspace_id = r.workspace_id and f.id = r.id;
    else
      update media_file f
      set state = 'leaving', sweep_at = now + interval '1 minute'
      where f.workspace_id = r.workspace_id and f.id = r.id;
      return query select r.workspace_id, r.id;
    end if;
  end loop;
end
$function$;

create or replace function sweep_replays(rows json, now timestamptz, call uuid, again boolean) returns table (
  swept int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  q record;
  gone int := 0;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (error json, ended_before timestamptz, begun_before timestamptz)
    ) with ordinality x
  loop
    for q in
      select i.workspace_id, i.id
      from replay i
      where i.completed_at is null and i.created_at < r.begun_before
        and not exists (
          select
          from job j
          where j.workspace_id = i.workspace_id and j.id = i.job_id and j.status = 'pending'
        )
      order by i.created_at
      limit 20 for no key update skip locked
    loop
      update replay i
      set status = 'failed', error = r.error, completed_at = now, updated_at = now
      where i.workspace_id = q.workspace_id and i.id = q.id;
      gone := gone + 1;
    end loop;
    for q in
      select i.workspace_id, i.id
      from replay i
      where i.completed_at is not null and i.completed_at < r.ended_before
      order by i.completed_at
      limit 20 for update skip locked
    loop
      delete from replay_count e
      where e.workspace_id = q.workspace_id and e.replay_id = q.id;
      delete from replay i
      where i.workspace_id = q.workspace_id and i.id = q.id;
      gone := gone + 1;
    end loop;
  end loop;
  return query select gone;
end
$function$;

create or replace function sweep_signups(rows json, now timestamptz, call uuid, again boolean) returns table (
  swept int
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  q record;
  gone int := 0;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (error json, erase_at timestamptz, delete_at timestamptz)
    ) with ordinality x
  loop
    for q in
      select s.workspace_id, s.id, s.status, s.has_secrets
      from embedded_signup s
      where s.sweep_at <= now
      order by s.sweep_at
      limit 200 for update skip locked
    loop
      if q.status in ('pending', 'running') then
        update embedded_signup s
        set status = 'failed', error = r.error, claim = null, sweep_at = r.erase_at, updated_at = now
        where s.workspace_id = q.workspace_id and s.id = q.id;
      elsif q.has_secrets then
        update embedded_signup s
        set code = null, access_token = null, pin = null, has_secrets = false, sweep_at = r.delete_at
        where s.workspace_id = q.workspace_id and s.id = q.id;
      else
        delete from embedded_signup s
        where s.workspace_id = q.workspace_id and s.id = q.id;
      end if;
      gone := gone + 1;
    end loop;
  end loop;
  return query select gone;
end
$function$;

create or replace function take_callbacks(rows json, now timestamptz, call uuid, again boolean) returns table (
  outcome text, message_ids uuid[], sent_twice uuid[], has_evidence boolean, slots_mask text, handed json
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  slots_filled bigint := 0;
  has_evidence boolean := false;
  all_verdicts text[] := '{}';
  all_messages uuid[] := '{}';
  all_sent_twices boolean[] := '{}';
  event_id uuid;
  handed json;
  handed_to json;
  event_sequence bigint;
  event_state json;
  claims json[] := '{}';
  owner_signs json[] := '{}';
  g record;
  r record;
  k record;
  x record;
  p record;
  w record;
  callback_ids uuid[];
  callback_lanes int[];
  callbacks_waiting boolean[];
  report_counts int[];
  stored_ids uuid[];
  reports_text text;
  has_moved boolean;
begin
  insert into flight (id) values (call);
  if not again and pg_column_size(rows) < 8192 and json_array_length(rows) = 1 then
    select x.*, case when json_array_length(x.reports) = 1 then x.reports->0->>'kind' end as kind into g
    from rows from (
      json_to_recordset(rows) as (
        id uuid, lane int, body text, number text, workspace_id uuid, reports json, hands boolean
      )
    ) with ordinality x;
    if g.kind = 'status' then
      select x.* into r
      from rows from (
        json_to_recordset(g.reports) as (
          kind text, workspace_id uuid, phone_number_id uuid, message_id uuid, provider_message_id text, bit int,
          at timestamptz, error json, pricing json, conversation json, callback_id uuid, wa_id text, wa_key text,
          wa_loose text, country text, user_id text, parent_user_id text, scope text, username text, profile_name text
        )
      ) with ordinality x;
      if r.bit & 116 <> 0 and r.error is null then
        select w.message_id into k
        from provider_message w
        where w.workspace_id = r.workspace_id and w.provider_message_id = r.provider_message_id and w.inbound is false;
        if found and coalesce(r.message_id, k.message_id) = k.message_id
          and not exists (select from ingest i where i.slot::int = (g.lane % 64)::smallint::int and i.lane = g.lane)
          and exists (
            select
            from phone_number_route o
            where o.provider_phone_number_id = g.number and o.workspace_id = g.workspace_id
          ) then
          r.message_id := k.message_id;
          select x.workspace_id, x.message_id, x.at, x.provider_message_id, x.error, x.bit, x.pricing, x.version,
            x.is_new, x.known_provider_id, x.was_contact_id, x.was_conversation, x.was_possible_duplicate,
            x.was_fallback_used, x.was_minted_id, x.was_seen | x.bit as seen,
            greatest(
              x.was_rank,
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
                when 1024 then 0
                when 2048 then 0
              end
            ) as rank,
            coalesce(case when x.bit in (2) then x.at end, x.was_accepted_at) as accepted_at,
            coalesce(case when x.bit in (4) then x.at end, x.was_sent_at) as sent_at,
            coalesce(case when x.bit in (16) then x.at end, x.was_delivered_at) as delivered_at,
            coalesce(x.was_read_at, case when x.bit in (32, 64) then x.at end) as read_at,
            coalesce(case when x.bit in (8) then x.at end, x.was_failed_at) as failed_at,
            coalesce(x.error, x.was_error) as known_error,
          -- The price may be on several reports, in any order: that of the highest counts.
          coalesce(case when not x.is_outpriced then x.pricing end, x.was_pricing) as known_pricing,
          nullif(
            case
              when x.was_pricing is null then 0
              else coalesce(x.was_priced, x.was_seen)
            end | coalesce(case when x.pricing is not null then x.bit end, 0), 0
          ) as priced,
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
            when 1024 then 'message_deleted'
            when 2048 then 'warning'
          end as kind, x.was_seen
          from (
            select x.*,
              coalesce(
                case when x.was_pricing is null then 0 else coalesce(x.was_priced, x.was_seen) end & case x.bit
                  when 1 then 894
                  when 2 then 892
                  when 4 then 888
                  when 8 then 880
                  when 16 then 864
                  when 32 then 768
                  when 64 then 768
                  when 128 then 894
                  when 256 then 512
                  when 512 then 0
                  when 1024 then 1023
                  when 2048 then 1023
                end <> 0, false
              ) as is_outpriced
            from (
              select x.*, coalesce(x.was_seen & x.bit = 0, false) as is_new,
                coalesce(x.was_provider_message_id, x.provider_message_id) as known_provider_id
              from (
                select r.workspace_id as workspace_id, r.message_id as message_id, r.at as at,
                  r.provider_message_id as provider_message_id, r.error as error, r.bit as bit, r.pricing as pricing,
                  s.xmin as version, s.contact_id as was_contact_id, s.conversation as was_conversation,
                  s.possible_duplicate as was_possible_duplicate, s.fallback_used as was_fallback_used,
                  s.minted_id as was_minted_id, s.seen as was_seen, s.rank as was_rank,
                  s.accepted_at as was_accepted_at, s.sent_at as was_sent_at, s.delivered_at as was_delivered_at,
                  s.read_at as was_read_at, s.failed_at as was_failed_at,
                  s.provider_message_id as was_provider_message_id, s.error as was_error, s.pricing as was_pricing,
                  s.priced as was_priced
                from message_state s
                where s.workspace_id = r.workspace_id and s.id = r.message_id
              ) x
            ) x
          ) x into x;
          if x.is_new and x.known_provider_id = x.provider_message_id and x.was_seen & 776 = 0 then
            insert into message_state as s (
              workspace_id, id, contact_id, conversation, seen, rank, accepted_at, sent_at, delivered_at, read_at,
              failed_at, provider_message_id, error, pricing, priced
            )
            values (
              x.workspace_id, x.message_id, x.was_contact_id, x.was_conversation, x.seen, x.rank, x.accepted_at,
              x.sent_at, x.delivered_at, x.read_at, x.failed_at, x.known_provider_id, x.known_error, x.known_pricing,
              x.priced
            )
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
              pricing = excluded.pricing,
              priced = excluded.priced
            where s.xmin = x.version;
            if found then
              insert into callback (id, received_at, body)
              values (g.id, now, decode(g.body, 'base64'));
              insert into history (workspace_id, message_id, bit, at, received_at, error, conversation)
              values (x.workspace_id, x.message_id, x.bit, x.at, now, x.error, r.conversation);
              event_id := new_uuid(now);
              event_state := (
                '{"seen":' || x.seen || ',"rank":' || x.rank || coalesce(',"accepted_at":' || to_json(x.accepted_at), '') || coalesce(',"sent_at":' || to_json(x.sent_at), '') || coalesce(',"delivered_at":' || to_json(x.delivered_at), '') || coalesce(',"read_at":' || to_json(x.read_at), '') || coalesce(',"failed_at":' || to_json(x.failed_at), '') || coalesce(',"provider_message_id":' || to_json(x.known_provider_id), '') || case
                  when x.was_possible_duplicate then ',"possible_duplicate":true'
                  else ''
                end || case when x.was_fallback_used then ',"fallback_used":true' else '' end || coalesce(',"error":' || x.known_error, '') || coalesce(',"pricing":' || x.known_pricing, '') || '}'
              )::json;
              insert into event (
                workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state,
                created_at, callback_id
              )
              values (
                x.workspace_id, event_id, (select i.era from installation i), x.kind, nextval('conversation_sequence'),
                x.message_id, x.was_contact_id, null, x.at, event_state, now, r.callback_id
              )
              returning sequence into event_sequence;
              with deliveries as (
                insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
                select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
                  x.was_conversation
                from webhook_endpoint e
                where e.workspace_id = x.workspace_id and e.lane >= 0 and e.events && array['*', x.kind]
                  and (
                    not e.is_limited
                    or is_got(x.workspace_id, within_limits(x.workspace_id, e.id, null::uuid, null::uuid, x.message_id))
                  )
                returning slot, lane, seq, delivery_id
              )
              select slots_filled | coalesce(bit_or(1::bigint << d.slot) filter (where p.id is null), 0),
                json_agg(
                  json_build_object(
                    'slot', d.slot, 'lane', d.lane, 'seq', d.seq, 'delivery_id', d.delivery_id, 'endpoint_id', p.id,
                    'version', p.version
                  )
                  order by d.seq
                ) filter (where p.id is not null) into slots_filled,
                handed_to
              from deliveries d
              left join lateral (
                select p.id, p.version
                from webhook_endpoint p
                where g.hands and p.workspace_id = x.workspace_id and p.lane = d.lane and p.enabled and not p.ordered
                offset 0
              ) p on true;
              if handed_to is not null then
                handed := json_build_object(
                  'workspace_id', x.workspace_id, 'id', event_id, 'kind', x.kind, 'resource_id', x.was_contact_id,
                  'contact_id', x.was_contact_id, 'sequence', event_sequence, 'occurred_at',
                  (extract(epoch from x.at) * 1000)::float8, 'created_at', (extract(epoch from now) * 1000)::float8,
                  'state', event_state, 'message',
                  (select row_to_json(m) from message m where m.workspace_id = x.workspace_id and m.id = x.message_id),
                  'contact', null, 'is_erased',
                  exists (
                    select
                    from erased_contact z
                    where z.workspace_id = x.workspace_id and z.id = x.was_contact_id
                  ),
                  'to', handed_to
                );
              end if;
              if coalesce(r.wa_id, r.user_id) is not null then
                claims := claims || array(
                  select json_build_object(
                    'source', 'status', 'workspace_id', x.workspace_id, 'message_id', x.message_id, 'contact_id', c.id,
                    'at', x.at, 'wa_id', x.wa_id, 'wa_key', x.wa_key, 'wa_loose', x.wa_loose, 'country', x.country,
                    'user_id', x.user_id, 'parent_user_id', x.parent_user_id, 'scope', x.scope, 'username', x.username,
                    'profile_name', x.profile_name
                  )
                  from (
                    select *
                    from (
                      select y.workspace_id, x.message_id as message_id, y.at, y.wa_id, y.wa_key, y.wa_loose, y.country,
                        y.user_id, y.parent_user_id, y.scope, y.username, y.profile_name,
                        x.was_contact_id as to_contact, y.ordinality
                      from rows from (
                        json_to_recordset(g.reports) as (
                          kind text, workspace_id uuid, phone_number_id uuid, message_id uuid, provider_message_id text,
                          bit int, at timestamptz, error json, pricing json, conversation json, callback_id uuid,
                          wa_id text, wa_key text, wa_loose text, country text, user_id text, parent_user_id text,
                          scope text, username text, profile_name text
                        )
                      ) with ordinality y
                    ) x
                    where not coalesce(again and coalesce(x.wa_id, x.user_id) is not null and false, false)
                  ) x
                  cross join lateral (
                    select c.id, c.merged_into, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username,
                      c.profile_name
                    from contact c
                    where (x.wa_id is not null or x.user_id is not null) and c.workspace_id = x.workspace_id
                      and c.id = x.to_contact
                    offset 0
                  ) c
                  where case
                    when c.merged_into is null then (
                      (x.wa_id is not null and (c.wa_id is distinct from x.wa_id or c.wa_id_at is null))
                      or (
                        x.user_id is not null and c.user_id is distinct from x.user_id
                        and not has_user_id(x.workspace_id, c.id, 'user_id', x.scope, x.user_id)
                      )
                      or (
                        x.parent_user_id is not null and c.parent_user_id is distinct from x.parent_user_id
                        and not has_user_id(x.workspace_id, c.id, 'parent_user_id', x.scope, x.parent_user_id)
                      )
                      or (x.username is not null and c.username is distinct from x.username)
                      or (x.profile_name is not null and c.profile_name is distinct from x.profile_name)
                    )
                    else exists (
                      select
                      from contact s
                      where s.workspace_id = x.workspace_id and s.id = c.merged_into
                        and (
                          (x.wa_id is not null and (s.wa_id is distinct from x.wa_id or s.wa_id_at is null))
                          or (
                            x.user_id is not null and s.user_id is distinct from x.user_id
                            and not has_user_id(x.workspace_id, s.id, 'user_id', x.scope, x.user_id)
                          )
                          or (
                            x.parent_user_id is not null and s.parent_user_id is distinct from x.parent_user_id
                            and not has_user_id(x.workspace_id, s.id, 'parent_user_id', x.scope, x.parent_user_id)
                          )
                          or (x.username is not null and s.username is distinct from x.username)
                          or (x.profile_name is not null and s.profile_name is distinct from x.profile_name)
                        )
                    )
                  end
                  order by x.ordinality
                );
                if cardinality(claims) > 0 then
                  declare
                    called record;
                  begin
                    called := learn_claims(now, claims, has_evidence);
                    claims := called.claims;
                    has_evidence := called.has_evidence;
                  end;
                end if;
              end if;
              return query
                select 'taken', array[x.message_id], '{}'::uuid[], has_evidence, slots_filled::text, handed;
              return;
            end if;
          end if;
        end if;
      end if;
    elsif g.kind = 'message' then
      <<alone>> begin
        select x.* into x
        from json_to_recordset(g.reports) as x(
          workspace_id uuid, id uuid, phone_number_id uuid, provider_message_id text, type text, content json,
          reply_to_provider_id text, at timestamptz, provided json, files json, callback_id uuid, opens_window boolean,
          words text, default_consent text, phone text, wa_id text, user_id text, parent_user_id text, scope text,
          username text, profile_name text, changes_identity boolean, contact_id uuid, number_phone text,
          sequence bigint, conversation bigint, quoted uuid
        );
        exit alone when x.files is not null;
        if x.user_id is null then
          select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
          from contact c
          where c.workspace_id = x.workspace_id and c.phone = x.phone into p;
        end if;
        if x.user_id is not null or not found then
          select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
          from contact c
          where c.workspace_id = x.workspace_id
            and c.id = coalesce(
              (
                select i.contact_id
                from identifier i
                where i.workspace_id = x.workspace_id and i.kind in ('user_id', 'parent_user_id') and i.scope = x.scope
                  and i.value = x.user_id
                limit 1
              ),
              contact_of_number(x.workspace_id, x.wa_id)
            ) into p;
        end if;
        exit alone when not found
        or (
          x.changes_identity is true or p.id is null or (x.wa_id is not null and p.wa_id is distinct from x.wa_id)
          -- Late: the number may have been another's then.
          or (x.wa_id is not null and p.wa_id_at > x.at + interval '2 seconds')
          or (
            x.user_id is not null and p.user_id is distinct from x.user_id
            and not has_user_id(x.workspace_id, p.id, 'user_id', x.scope, x.user_id)
          )
          or (
            x.parent_user_id is not null and p.parent_user_id is distinct from x.parent_user_id
            and not has_user_id(x.workspace_id, p.id, 'parent_user_id', x.scope, x.parent_user_id)
          )
          or (x.username is not null and p.username is distinct from x.username)
          or (x.profile_name is not null and p.profile_name is distinct from x.profile_name)
          or coalesce(
            case
              when x.reply_to_provider_id is not null
                and not (x.provided ->> 'group_id' is not null) then contact_of_message(
                  x.workspace_id, message_of_provider_id(x.workspace_id, x.reply_to_provider_id)
                )
            end <> p.id, false
          )
        ) is not false
        or x.provided ->> 'group_id' is not null or coalesce(x.provided ->> 'handled_by' = 'other', false);
        if x.words is not null then
          select w.opt_out_words, w.opt_in_words
          from workspace w
          where x.words is not null and w.workspace_id = x.workspace_id into w;
          exit alone when case
            when x.words is null then null
            when case
              when w.opt_out_words is null then x.default_consent = 'opted_out'
              else w.opt_out_words && string_to_array(x.words, e'\n')
            end then 'opted_out'
            when w.opt_in_words is null then nullif(x.default_consent, 'opted_out')
            when x.type <> 'interactive' and w.opt_in_words && string_to_array(x.words, e'\n') then 'opted_in'
          end is not null;
        end if;
        select n.phone
        from phone_number n
        where n.workspace_id = x.workspace_id and n.id = x.phone_number_id into x.number_phone;
        x.contact_id := p.id;
        exit alone when not (
          not exists (select from ingest i where i.slot::int = (g.lane % 64)::smallint::int and i.lane = g.lane)
          and exists (
            select
            from phone_number_route o
            where o.provider_phone_number_id = g.number and o.workspace_id = g.workspace_id
          )
        );
        x.quoted := case
          when x.reply_to_provider_id is not null then coalesce(
            message_of_provider_id(x.workspace_id, x.reply_to_provider_id),
            case when x.reply_to_provider_id = x.provider_message_id then x.id end
          )
        end;
        insert into provider_message (workspace_id, provider_message_id, message_id, created_at, inbound)
        values (x.workspace_id, x.provider_message_id, x.id, now, true)
        on conflict do nothing;
        exit alone when not found;
        insert into callback (id, received_at, body)
        values (g.id, now, decode(g.body, 'base64'));
        x.sequence := nextval('conversation_sequence');
        x.conversation := hashtextextended(
          x.phone_number_id::text || coalesce(x.provided ->> 'group_id', x.contact_id::text), 0
        );
        insert into conversation as v (workspace_id, contact_id, phone_number_id, last_inbound_at, last_message_at)
        values (x.workspace_id, x.contact_id, x.phone_number_id, case when x.opens_window then x.at end, now)
        on conflict (workspace_id, contact_id, phone_number_id) do update
        set last_inbound_at = greatest(v.last_inbound_at, excluded.last_inbound_at),
          last_message_at = excluded.last_message_at
        returning v.owner_role is not null as has_owner into k;
        if k.has_owner and x.opens_window then
          owner_signs := owner_signs || array(
            select json_build_object(
              'workspace_id', x.workspace_id, 'contact_id', x.contact_id, 'phone_number_id', x.phone_number_id, 'role',
              case when false then 'other' else 'self' end, 'since', x.at, 'at', x.at, 'mark', null, 'is_plain',
              not false, 'from_agent', false, 'opens', false
            )
            from (select 1 as ordinality) o
            order by o.ordinality
          );
        end if;
        insert into message (
          workspace_id, id, outbound, phone_number_id, contact_id, recipient, sender, type, content, reply_to, sequence,
          created_at, occurred_at, provided
        )
        select x.workspace_id, x.id, false, x.phone_number_id, x.contact_id, x.number_phone, x.phone, x.type, x.content,
          x.quoted, x.sequence, now, x.at, x.provided
        returning case when g.hands then row_to_json(message) end as message into k;
        insert into message_state (workspace_id, id, contact_id, conversation, provider_message_id)
        select x.workspace_id, x.id, x.contact_id, x.conversation, x.provider_message_id;
        if g.hands then
          select v.merged_into, row_to_json(v) as contact
          from (
            select c.id, c.phone, c.wa_id, c.user_id, c.parent_user_id, c.username, c.profile_name, c.name, c.email,
              c.locale, c.attributes, c.tags, c.marketing_consent, c.consent_source, c.created_at, c.updated_at,
              c.merged_into
            from contact c
            where true and c.workspace_id = x.workspace_id and c.id = x.contact_id
          ) v into p;
          -- Since it was found.
          if p.merged_into is not null then
            select v.merged_into, row_to_json(v) as contact
            from (
              select c.id, c.phone, c.wa_id, c.user_id, c.parent_user_id, c.username, c.profile_name, c.name, c.email,
                c.locale, c.attributes, c.tags, c.marketing_consent, c.consent_source, c.created_at, c.updated_at,
                c.merged_into
              from contact c
              where true and c.workspace_id = x.workspace_id and c.id = p.merged_into
            ) v into p;
          end if;
        end if;
        event_id := new_uuid(now);
        event_state := json_build_object('seen', 0, 'rank', 0, 'provider_message_id', x.provider_message_id);
        insert into event (
          workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at,
          callback_id
        )
        values (
          x.workspace_id, event_id, (select i.era from installation i), 'messages', nextval('conversation_sequence'),
          x.id, x.contact_id, null, x.at, event_state, now, x.callback_id
        )
        returning sequence into event_sequence;
        with deliveries as (
          insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
          select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id, x.conversation
          from webhook_endpoint e
          where e.workspace_id = x.workspace_id and e.lane >= 0 and e.events && array['*', 'messages']
            and (
              not e.is_limited
              or is_got(x.workspace_id, within_limits(x.workspace_id, e.id, x.phone_number_id, null::uuid, x.id))
            )
          returning slot, lane, seq, delivery_id
        )
        select slots_filled | coalesce(bit_or(1::bigint << d.slot) filter (where p.id is null), 0),
          json_agg(
            json_build_object(
              'slot', d.slot, 'lane', d.lane, 'seq', d.seq, 'delivery_id', d.delivery_id, 'endpoint_id', p.id,
              'version', p.version
            )
            order by d.seq
          ) filter (where p.id is not null) into slots_filled,
          handed_to
        from deliveries d
        left join lateral (
          select p.id, p.version
          from webhook_endpoint p
          where g.hands and p.workspace_id = x.workspace_id and p.lane = d.lane and p.enabled and not p.ordered
          offset 0
        ) p on true;
        if handed_to is not null then
          handed := json_build_object(
            'workspace_id', x.workspace_id, 'id', event_id, 'kind', 'messages', 'resource_id', x.contact_id,
            'contact_id', x.contact_id, 'sequence', event_sequence, 'occurred_at',
            (extract(epoch from x.at) * 1000)::float8, 'created_at', (extract(epoch from now) * 1000)::float8, 'state',
            event_state, 'message', k.message, 'contact', p.contact, 'is_erased',
            exists (select from erased_contact z where z.workspace_id = x.workspace_id and z.id = x.contact_id), 'to',
            handed_to
          );
        end if;
        if cardinality(owner_signs) > 0 then
          declare
            called record;
          begin
            called := apply_owners(now, slots_filled, owner_signs);
            slots_filled := called.slots_filled;
            owner_signs := called.owner_signs;
          end;
        end if;
        return query
          select 'taken', array[x.id], '{}'::uuid[], has_evidence, slots_filled::text, handed;
        return;
      end;
    end if;
  end if;
  with given as materialized (
    select x.*, waiting.yes is not null as waiting, o.workspace_id is distinct from x.workspace_id as has_moved
    from rows from (
      json_to_recordset(rows) as (
        id uuid, lane int, body text, number text, workspace_id uuid, reports json, hands boolean
      )
    ) with ordinality x
    left join lateral (
      select true as yes
      from ingest i
      where i.slot::int = (x.lane % 64)::smallint::int and i.lane = x.lane
      limit 1
      offset 0
    ) waiting on true
    left join lateral (
      select o.workspace_id
      from phone_number_route o
      where o.provider_phone_number_id = x.number
      offset 0
    ) o on true
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
  string_agg(btrim(x.reports::text, '[]'), ',' order by x.ordinality) filter (where not x.waiting),
  bool_or(x.has_moved) into callback_ids, callback_lanes, callbacks_waiting, report_counts, stored_ids, reports_text,
  has_moved
  from given x;
  if has_moved then
    raise exception 'the number has moved to another workspace' using errcode = 'WP001';
  end if;
  if reports_text is not null then
    rows := '[' || reports_text || ']';
    declare
      called record;
    begin
      called := apply_reports(rows, now, again);
      all_verdicts := called.all_verdicts;
      all_messages := called.all_messages;
      all_sent_twices := called.all_sent_twices;
      has_evidence := called.has_evidence;
      slots_filled := called.slots_filled;
    end;
  end if;
  if true = any(callbacks_waiting) or all_verdicts && '{unknown_message,inbound_message}' then
    insert into ingest (slot, lane, callback_id)
    select (x.lane % 64)::smallint, x.lane, x.id
    from (
      select x.*, verdicts_of, x.waiting or verdicts_of && '{unknown_message,inbound_message}' as queued,
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
      end, has_evidence, slots_filled::text, null::json
    from (
      select x.*, verdicts_of, x.waiting or verdicts_of && '{unknown_message,inbound_message}' as queued,
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

create or replace function take_calls(rows json, now timestamptz, call uuid, again boolean) returns table (
  contact_id uuid, has_evidence boolean, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '5s' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  slots_filled bigint := 0;
  has_evidence boolean := false;
  consents json[] := '{}';
  people json;
  all_teach boolean;
  taught_rows uuid[];
  taught_people uuid[];
  contacts uuid[];
  r record;
begin
  insert into flight (id) values (call);
  if exists (
    select
    from (
      select distinct x.workspace_id, x.phone_number_id
      from rows from (
        json_to_recordset(rows) as (
          workspace_id uuid, phone_number_id uuid, new_contact_id uuid, phone text, wa_id text, user_id text,
          parent_user_id text, scope text, username text, profile_name text, changes_identity boolean, wa_key text,
          wa_loose text, previous_wa_id text, previous_wa_key text, previous_wa_loose text, previous_user_id text,
          previous_parent_user_id text, at timestamptz, called_at timestamptz, digest text, beginning text, call json,
          callback_id uuid
        )
      ) with ordinality x
    ) x
    left join lateral (
      select n.provider_phone_number_id
      from phone_number n
      where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
      offset 0
    ) n on true
    left join lateral (
      select o.workspace_id
      from phone_number_route o
      where o.provider_phone_number_id = n.provider_phone_number_id
      offset 0
    ) o on true
    where o.workspace_id is distinct from x.workspace_id
  ) then
    raise exception 'the number has moved to another workspace' using errcode = 'WP001';
  end if;
  taught_rows := '{}';
  taught_people := '{}';
  all_teach := false;
  loop
    select json_agg(x order by x.workspace_id, coalesce(x.wa_key, x.wa_id), x.user_id, x.ordinality) into people
    from (
      select x.workspace_id, x.phone_number_id, x.new_contact_id, x.phone, x.wa_id, x.user_id, x.parent_user_id,
        x.scope, x.username, x.profile_name, x.changes_identity, x.wa_key, x.wa_loose, x.previous_wa_id,
        x.previous_wa_key, x.previous_wa_loose, x.previous_user_id, x.previous_parent_user_id, x.at, x.source,
        x.message_id, x.addressed, x.ordinality
      from (
        select x.*, 'call' as source, null::uuid as message_id, null::uuid as addressed
        from rows from (
          json_to_recordset(rows) as (
            workspace_id uuid, phone_number_id uuid, new_contact_id uuid, phone text, wa_id text, user_id text,
            parent_user_id text, scope text, username text, profile_name text, changes_identity boolean, wa_key text,
            wa_loose text, previous_wa_id text, previous_wa_key text, previous_wa_loose text, previous_user_id text,
            previous_parent_user_id text, at timestamptz, called_at timestamptz, digest text, beginning text, call json,
            callback_id uuid
          )
        ) with ordinality x
        offset 0
      ) x
      left join lateral (
        select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
        from contact c
        where c.workspace_id = x.workspace_id and c.phone = x.phone and x.user_id is null
          and x.new_contact_id <> all(taught_rows)
        union all
        select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
        from contact c
        where c.workspace_id = x.workspace_id
          and c.id = coalesce(
            taught_people[array_position(taught_rows, x.new_contact_id)],
            (
              select i.contact_id
              from identifier i
              where i.workspace_id = x.workspace_id and i.kind in ('user_id', 'parent_user_id') and i.scope = x.scope
                and i.value = x.user_id
              limit 1
            ),
            contact_of_number(x.workspace_id, x.wa_id)
          )
        limit 1
        offset 0
      ) p on true
      where (
        all_teach
        or (
          x.changes_identity is true or p.id is null or (x.wa_id is not null and p.wa_id is distinct from x.wa_id)
          -- Late: the number may have been another's then.
          or (x.wa_id is not null and p.wa_id_at > x.at + interval '2 seconds')
          or (
            x.user_id is not null and p.user_id is distinct from x.user_id
            and not has_user_id(x.workspace_id, p.id, 'user_id', x.scope, x.user_id)
          )
          or (
            x.parent_user_id is not null and p.parent_user_id is distinct from x.parent_user_id
            and not has_user_id(x.workspace_id, p.id, 'parent_user_id', x.scope, x.parent_user_id)
          )
          or (x.username is not null and p.username is distinct from x.username)
          or (x.profile_name is not null and p.profile_name is distinct from x.profile_name)
          or coalesce(x.addressed <> p.id, false)
        )
      )
        and not (
          exists (
            select
            from provider_notice k
            where k.workspace_id = x.workspace_id and k.digest = decode(x.digest, 'hex')
          )
          or coalesce(
            (select true from erased_name z where z.workspace_id = x.workspace_id limit 1) and (
              select true
              from erased_name z
              where z.workspace_id = x.workspace_id
                and z.until >= least(
                  x.at, x.called_at,
                  (
                    select k.at
                    from provider_notice k
                    where k.workspace_id = x.workspace_id and k.digest = decode(x.beginning, 'hex')
                  )
                )
                and z.digest in (
                  case when x.wa_id is not null then person_digest(x.workspace_id, 'phone', '', x.wa_id) end,
                  case when x.wa_key is not null then person_digest(x.workspace_id, 'phone', '', x.wa_key) end,
                  case when x.user_id is not null then person_digest(x.workspace_id, 'user_id', x.scope, x.user_id) end
                )
              limit 1
            ),
            false
          )
        )
    ) x;
    exit when all_teach or people is null or position('"changes_identity":true' in people::text) = 0;
    all_teach := true;
  end loop;
  if people is not null then
    declare
      called record;
    begin
      called := learn_people(people, now, slots_filled, has_evidence, consents);
      slots_filled := called.slots_filled;
      has_evidence := called.has_evidence;
      consents := called.consents;
      taught_rows := called.taught_rows;
      taught_people := called.taught_people;
    end;
  end if;
  with given as materialized (
    select x.*, p.id as contact_id
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, phone_number_id uuid, new_contact_id uuid, phone text, wa_id text, user_id text,
        parent_user_id text, scope text, username text, profile_name text, changes_identity boolean, wa_key text,
        wa_loose text, previous_wa_id text, previous_wa_key text, previous_wa_loose text, previous_user_id text,
        previous_parent_user_id text, at timestamptz, called_at timestamptz, digest text, beginning text, call json,
        callback_id uuid
      )
    ) with ordinality x
    left join lateral (
      select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
      from contact c
      where c.workspace_id = x.workspace_id and c.phone = x.phone and x.user_id is null
        and x.new_contact_id <> all(taught_rows)
      union all
      select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
      from contact c
      where c.workspace_id = x.workspace_id
        and c.id = coalesce(
          taught_people[array_position(taught_rows, x.new_contact_id)],
          (
            select i.contact_id
            from identifier i
            where i.workspace_id = x.workspace_id and i.kind in ('user_id', 'parent_user_id') and i.scope = x.scope
              and i.value = x.user_id
            limit 1
          ),
          contact_of_number(x.workspace_id, x.wa_id)
        )
      limit 1
      offset 0
    ) p on true
    order by x.ordinality
  ),
  noted as (
    insert into provider_notice (workspace_id, digest, created_at, at)
    select x.workspace_id, decode(x.digest, 'hex'), now, x.at
    from given x
    where x.contact_id is not null
      and not coalesce(
        (select true from erased_name z where z.workspace_id = x.workspace_id limit 1) and (
          select true
          from erased_name z
          where z.workspace_id = x.workspace_id
            and z.until >= least(
              x.at, x.called_at,
              (
                select k.at
                from provider_notice k
                where k.workspace_id = x.workspace_id and k.digest = decode(x.beginning, 'hex')
              )
            )
            and z.digest in (
              case when x.wa_id is not null then person_digest(x.workspace_id, 'phone', '', x.wa_id) end,
              case when x.wa_key is not null then person_digest(x.workspace_id, 'phone', '', x.wa_key) end,
              case when x.user_id is not null then person_digest(x.workspace_id, 'user_id', x.scope, x.user_id) end
            )
          limit 1
        ),
        false
      )
    order by x.workspace_id, x.digest
    on conflict do nothing
    returning workspace_id, digest
  ),
  fresh as materialized (
    select x.*, hashtextextended(x.phone_number_id::text || x.contact_id::text, 0) as conversation
    from given x
    where exists (select from noted k where k.workspace_id = x.workspace_id and k.digest = decode(x.digest, 'hex'))
    order by x.ordinality
  ),
  windows as (
    insert into conversation as v (workspace_id, contact_id, phone_number_id, last_inbound_at, last_message_at)
    select x.workspace_id, x.contact_id, x.phone_number_id, max(x.called_at), max(x.called_at)
    from fresh x
    where x.called_at is not null
    group by x.workspace_id, x.contact_id, x.phone_number_id
    order by x.workspace_id, x.contact_id, x.phone_number_id
    on conflict (workspace_id, contact_id, phone_number_id) do update
    set last_inbound_at = greatest(v.last_inbound_at, excluded.last_inbound_at)
  ),
  new_events as materialized (
    select x.workspace_id as workspace_id, new_uuid(now) as id, 'call' as kind, null::uuid as message_id,
      x.phone_number_id as about_number, x.contact_id as contact_id, null::uuid as resource_id, x.at as occurred_at,
      json_build_object('call', x.call, 'phone_number_id', x.phone_number_id) as state, x.conversation as conversation,
      x.callback_id as callback_id
    from fresh x
    order by x.ordinality
  ),
  events as (
    insert into event (
      workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at,
      callback_id
    )
    select x.workspace_id, x.id, (select i.era from installation i), x.kind, nextval('conversation_sequence'),
      x.message_id, x.contact_id, x.resource_id, x.occurred_at, x.state, now, x.callback_id
    from new_events x
  ),
  deliveries as (
    insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
    select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.id, e.id), x.id, x.conversation
    from new_events x
    cross join lateral (
      select e.id, e.lane
      from webhook_endpoint e
      where e.workspace_id = x.workspace_id and e.lane >= 0 and e.events && array['*', x.kind]
        and (
          not e.is_limited
          or is_got(x.workspace_id, within_limits(x.workspace_id, e.id, x.about_number, null::uuid, null::uuid))
        )
      offset 0
    ) e
    returning slot
  )
  select array_agg(x.contact_id order by x.ordinality),
    slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d) into contacts, slots_filled
  from given x;
  if cardinality(consents) > 0 then
    declare
      called record;
    begin
      called := apply_consents(now, slots_filled, consents);
      slots_filled := called.slots_filled;
      consents := called.consents;
    end;
  end if;
  return query
    select u.id, has_evidence, slots_filled::text
    from unnest(contacts) with ordinality u(id, n)
    order by u.n;
end
$function$;

create or replace function take_evidence(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid, message_id uuid, failure text, stops boolean, has_pairs boolean
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  has_evidence boolean := false;
  person uuid;
  by_user uuid;
  by_phone uuid;
  former_owner uuid;
  owner_then uuid;
  e164 text;
  is_other_person boolean;
  is_new boolean;
  owners new_owner;
  has_stopped boolean;
  r record;
begin
  insert into flight (id) values (call);
  for r in
    select e.*, e.source = 'status' as confirms
    from (
      select e.*
      from rows from (json_to_recordset(rows) as (up_to timestamptz, most int)) with ordinality x
      cross join lateral (
        select e.*
        from contact_evidence e
        where e.look_at <= x.up_to and e.other_contact_id is null
        order by e.look_at
        limit x.most for update skip locked
      ) e
    ) e
    order by e.workspace_id, e.contact_id, e.at, e.id
  loop
  begin
    delete from contact_evidence e
    where e.workspace_id = r.workspace_id and e.id = r.id;
    if r.source = 'new_owner' then
      insert into new_owner (workspace_id, scope)
      values (r.workspace_id, r.scope)
      on conflict do nothing;
      select s.* into owners
      from new_owner s
      where s.workspace_id = r.workspace_id and s.scope = r.scope for update;
      select coalesce(jsonb_object_agg(n.key, n.value), '{}') into owners.numbers
      from jsonb_each(owners.numbers) n
      where n.value::float8 > extract(epoch from now - interval '10 minutes');
      owners.numbers := owners.numbers || jsonb_build_object(
        coalesce(r.wa_key, r.wa_id, r.contact_id::text), extract(epoch from now)
      );
      has_stopped := false;
      if (select count(*) >= 20 from jsonb_object_keys(owners.numbers)) then
        has_stopped := coalesce(owners.stopped_until <= now, true);
        owners.numbers := '{}';
        owners.stopped_until := now + interval '1 day';
      end if;
      update new_owner s
      set numbers = owners.numbers, stopped_until = owners.stopped_until
      where s.workspace_id = r.workspace_id and s.scope = r.scope;
      return query
        select r.workspace_id, r.message_id, null::text, has_stopped, has_evidence;
      continue;
    end if;
    person := (
      select coalesce(c.merged_into, c.id)
      from contact c
      where c.workspace_id = r.workspace_id and c.id = r.contact_id
    );
    -- Until it is one that was not merged while its lock was waited for. One that was deleted meanwhile leaves its names to the next.
    loop
      perform
      from contact c
      where c.workspace_id = r.workspace_id and c.id = person for no key update;
      if not found then
        person := null;
        exit;
      end if;
      by_user := (select c.merged_into from contact c where c.workspace_id = r.workspace_id and c.id = person);
      exit when by_user is null;
      person := by_user;
    end loop;
    e164 := '+' || r.wa_id;
    if exists (select from contact c where c.workspace_id = r.workspace_id and c.id = person and not c.is_named)
      or exists (select from contact c where c.workspace_id = r.workspace_id and c.phone = e164 and not c.is_named)
      or (
        select c.id
        from contact c
        where c.workspace_id = r.workspace_id and c.wa_id = r.wa_id and not c.is_named
        limit 1
      ) is not null then
      raise exception 'overtaken' using errcode = 'serialization_failure';
    end if;
    if exists (
      select
      from identifier i
      where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value in (r.wa_id, r.wa_key)
        and i.until > to_timestamp(
          (('x' || substr(replace(r.message_id::text, '-', ''), 1, 12))::bit(48)::bigint) / 1000.0
        ) - interval '2 seconds'
    )
      or exists (
        select
        from identifier i
        where i.workspace_id = r.workspace_id and i.kind = 'user_id' and i.scope = r.scope and i.value = r.user_id
          and i.until > to_timestamp(
            (('x' || substr(replace(r.message_id::text, '-', ''), 1, 12))::bit(48)::bigint) / 1000.0
          ) - interval '2 seconds'
      )
      or exists (select from phone_number n where n.workspace_id = r.workspace_id and n.phone = e164) then
      r.wa_id := null;
      r.wa_key := null;
      r.user_id := null;
      r.parent_user_id := null;
      r.username := null;
      r.profile_name := null;
    end if;
    by_user := (
      select i.contact_id
      from identifier i
      where i.workspace_id = r.workspace_id and i.kind in ('user_id', 'parent_user_id') and i.scope = r.scope
        and i.value = r.user_id
      limit 1
    );
    by_phone := coalesce(
      (
        select i.contact_id
        from identifier i
        where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.wa_id
          and i.until is null
        limit 1
      ),
      (
        select i.contact_id
        from identifier i
        where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.wa_key
          and i.until is null
        limit 1
      )
    );
    if r.user_id is not null and by_user is distinct from person
      and exists (
        select
        from identifier i
        where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> '' and i.kind = 'user_id'
          and i.scope = r.scope and i.value is distinct from r.user_id
      ) then
      -- The number has another owner by now, who is called so, or the id is of another portfolio.
      r.user_id := null;
      r.username := null;
      r.profile_name := null;
      r.wa_id := null;
      r.wa_key := null;
    end if;
    if r.wa_id is not null and by_phone is distinct from person
      and (
        (
          (
            r.wa_id is not null
            and exists (
              select
              from identifier i
              where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> '' and i.kind = 'phone'
                and i.until is null
            )
            and coalesce(
              (
                select bool_or(
                  i.key <> coalesce(r.wa_key, r.wa_id) and length(i.key) = length(coalesce(r.wa_key, r.wa_id))
                )
                from identifier i
                where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> '' and i.kind = 'phone'
                  and i.until is null and i.loose = coalesce(r.wa_loose, r.wa_key, r.wa_id)
              ),
              true
            )
          )
          and not (
            by_phone is null
            and (
              r.country is not null
              and exists (
                select
                from identifier i
                where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> '' and i.kind = 'phone'
                  and i.until is null and starts_with(i.value, r.country)
              )
            )
          )
        )
        -- Who gave a number up, and whom the report does not name by user id, is not its owner of now.
        or (
          by_phone is not null and by_user is distinct from person
          and not exists (
            select
            from identifier i
            where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> '' and i.kind = 'phone'
              and i.until is null
          )
        )
      ) then
      if by_user is distinct from person then
        r.username := null;
        r.profile_name := null;
      end if;
      r.wa_id := null;
      r.wa_key := null;
    end if;
    if r.user_id is not null and by_user is not null and by_user <> person then
      insert into contact_evidence (
        workspace_id, id, contact_id, other_contact_id, source, message_id, scope, user_id, at, look_at
      )
      values (r.workspace_id, new_uuid(now), person, by_user, r.source, r.message_id, r.scope, null, r.at, now);
      has_evidence := true;
    end if;
    if r.wa_id is not null and by_phone is not null and by_phone <> person and by_phone is distinct from by_user then
      insert into contact_evidence (
        workspace_id, id, contact_id, other_contact_id, source, message_id, scope, user_id, at, look_at
      )
      values (r.workspace_id, new_uuid(now), person, by_phone, r.source, r.message_id, r.scope, null, r.at, now);
      has_evidence := true;
    end if;
    if by_phone is not null and by_phone <> person then
      -- Its forms are the other record's until the two are one.
      r.wa_id := null;
      r.wa_key := null;
    end if;
    if person is not null then
      insert into identifier as i (workspace_id, kind, scope, value, contact_id, source, since, key, loose, rules)
      select r.workspace_id, v.kind, v.scope, v.value, person, v.source, r.at,
        case when v.kind = 'phone' then coalesce(r.wa_key, r.wa_id) end, v.loose, 1
      from (
        values ('phone', '', r.wa_key, 'rule', coalesce(r.wa_loose, r.wa_key)),
          ('phone', '', r.wa_id, r.source, coalesce(r.wa_loose, r.wa_key, r.wa_id)),
          (
            'user_id', r.scope,
            case
              when not exists (
                select
                from identifier i
                where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> '' and i.kind = 'user_id'
                  and i.scope = r.scope and i.value is distinct from r.user_id and i.until is null
              ) then r.user_id
            end, r.source, null
          ),
          ('parent_user_id', r.scope, r.parent_user_id, r.source, null)
      ) v(kind, scope, value, source, loose)
      where v.value is not null
      order by v.kind, v.scope, v.value
      on conflict (workspace_id, kind, scope, value) do update
      set contact_id = excluded.contact_id,
        source = excluded.source,
        until = null,
        key = excluded.key,
        loose = excluded.loose,
        rules = excluded.rules,
        since = case when i.until is null then i.since else excluded.since end,
        taken_from = case
          when i.until is null then i.taken_from
          when i.since = i.until then nullif(i.contact_id, excluded.contact_id)
        end
      where (i.until is not null and i.until <= excluded.since)
      -- What the rules derived has been seen now and may be sent, or what was written to was heard from.
      or (
        i.contact_id = excluded.contact_id and i.until is null
        and (
          (i.source = 'rule' and excluded.source <> 'rule')
          or (
            i.source in ('rule', 'message', 'answer', 'upgrade')
            and excluded.source not in ('rule', 'message', 'answer', 'upgrade')
          )
        )
      );
      update contact c
      set wa_id = k.wa_id,
        wa_id_at = case when k.is_number and r.confirms then r.at else c.wa_id_at end,
        phone = k.phone,
        user_id = k.user_id,
        parent_user_id = k.parent_user_id,
        username = k.username,
        profile_name = k.profile_name,
        named_at = k.named_at,
        updated_at = case
          when (
            c.wa_id, c.phone, c.user_id, c.parent_user_id, c.username, c.profile_name
          ) is distinct from (k.wa_id, k.phone, k.user_id, k.parent_user_id, k.username, k.profile_name) then now
          else c.updated_at
        end
      from (
        select n.is_number, case when n.is_number then r.wa_id else c.wa_id end as wa_id,
          coalesce(
            c.phone,
            case
              when n.is_number
                and not exists (
                  select
                  from contact o
                  where o.workspace_id = r.workspace_id and o.phone = n.e164
                ) then n.e164
            end
          ) as phone,
          case when n.is_user then r.user_id else c.user_id end as user_id,
          coalesce(r.parent_user_id, c.parent_user_id) as parent_user_id,
          case
            when (
              coalesce(c.username, c.profile_name) is not null
              and coalesce(coalesce(c.named_at, c.wa_id_at) > r.at, false)
            ) then coalesce(c.username, r.username)
            else coalesce(r.username, c.username)
          end as username,
          case
            when (
              coalesce(c.username, c.profile_name) is not null
              and coalesce(coalesce(c.named_at, c.wa_id_at) > r.at, false)
            ) then coalesce(c.profile_name, r.profile_name)
            else coalesce(r.profile_name, c.profile_name)
          end as profile_name,
          case
            when coalesce(r.username, r.profile_name) is null
              or (
                coalesce(c.username, c.profile_name) is not null
                and coalesce(coalesce(c.named_at, c.wa_id_at) > r.at, false)
              ) then c.named_at
            else r.at
          end as named_at
        from contact c,
        lateral (
          select '+' || r.wa_id as e164,
            exists (
              select
              from identifier i
              where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.wa_id
                and i.contact_id = person and i.until is null
            ) and (c.wa_id_at is null or (r.confirms and c.wa_id_at <= r.at)) as is_number,
            exists (select from identifier i where i.workspace_id = r.workspace_id and i.kind = 'user_id' and i.scope = r.scope and i.value = r.user_id and i.contact_id = person and i.until is null) and not exists (
              select
              from identifier i
              where i.workspace_id = r.workspace_id and i.kind = 'user_id' and i.scope <> r.scope
                and i.value = c.user_id and i.contact_id = person and i.until is null
            ) and not exists (select from contact o where o.workspace_id = r.workspace_id and o.user_id = r.user_id and o.id <> person) as is_user
        ) n
        where c.workspace_id = r.workspace_id and c.id = person
      ) k
      where c.workspace_id = r.workspace_id and c.id = person
        and (c.wa_id, c.phone, c.user_id, c.parent_user_id, c.username, c.profile_name, c.wa_id_at) is distinct from (
          k.wa_id, k.phone, k.user_id, k.parent_user_id, k.username, k.profile_name,
          case when k.is_number and r.confirms then r.at else c.wa_id_at end
        );
      if (
        select count(*)
        from (
          select
          from identifier i
          where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> ''
          limit 51
        ) n
      ) > 50 then
        delete from identifier i
        where i.workspace_id = r.workspace_id and i.contact_id = person and i.value <> ''
          and i.ctid = any(
            array(
              select o.ctid
              from identifier o
              join contact c on c.workspace_id = o.workspace_id and c.id = o.contact_id
              where o.workspace_id = r.workspace_id and o.contact_id = person and o.value <> ''
              order by o.value in (substr(c.phone, 2), c.wa_id, c.user_id, c.parent_user_id) desc nulls last,
                o.until is null desc, o.since desc, o.value
              offset 50
            )
          );
      end if;
      if (
        by_phone is null
        and exists (
          select
          from identifier i
          where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value in (r.wa_id, r.wa_key)
            and i.until is null and i.contact_id <> person
        )
      )
        or (
          by_user is null
          and exists (
            select
            from identifier i
            where i.workspace_id = r.workspace_id and i.kind = 'user_id' and i.scope = r.scope and i.value = r.user_id
              and i.contact_id <> person
          )
        ) then
        raise exception 'overtaken' using errcode = 'serialization_failure';
      end if;
    end if;
    return query
      select r.workspace_id, r.message_id, null::text, false, has_evidence;
    exception when others then
      update contact_evidence e
      set look_at = now + case
        when sqlstate in ('40001', '40P01', '55P03') then least(
          interval '2 seconds',
          greatest(
            interval '200 ms',
            (now - to_timestamp((('x' || substr(replace(r.id::text, '-', ''), 1, 12))::bit(48)::bigint) / 1000.0)) / 10
          )
        ) * (0.5 + random())
        else least(
          interval '1 hour',
          greatest(
            interval '1 second',
            (now - to_timestamp((('x' || substr(replace(r.id::text, '-', ''), 1, 12))::bit(48)::bigint) / 1000.0))
          )
        )
      end
      where e.workspace_id = r.workspace_id and e.id = r.id;
      return query
        select r.workspace_id, r.message_id, sqlstate, false, has_evidence;
      exit when sqlstate = '55P03';
    end;
  end loop;
end
$function$;

create or replace function take_files(
  reports json, message_ids uuid[], now timestamptz, out taken int
) language plpgsql volatile
as $function$
#variable_conflict use_column
declare
begin
  with given as materialized (
    select r.workspace_id, r.phone_number_id, s.id as message_id, s.contact_id, f.*,
      (
        (
          'x' || encode(substr(sha256(convert_to(r.workspace_id::text, 'UTF8')), 1, 4), 'hex')
        )::bit(32)::bigint & 2147483647
      )::int as lane,
      r.n
    from rows from (
      json_to_recordset(reports) as (workspace_id uuid, phone_number_id uuid, files json)
    ) with ordinality r(workspace_id, phone_number_id, files, n)
    cross join lateral json_to_recordset(r.files) as f(
      id uuid, provider_media_id text, type text, mime_type text, filename text
    )
    cross join lateral (
      select s.id, s.contact_id
      from message_state s
      where s.workspace_id = r.workspace_id and s.id = message_ids[r.n]
      offset 0
    ) s
    where r.files is not null
  ),
  arrived as (
    insert into media (
      workspace_id, id, source, status, type, mime_type, filename, message_id, contact_id, phone_number_id, created_at,
      used_at
    )
    select g.workspace_id, g.id, 'inbound', 'pending', g.type, g.mime_type, g.filename, g.message_id, g.contact_id,
      g.phone_number_id, now, now
    from given g
    order by g.workspace_id, g.id
    on conflict do nothing
    returning id
  ),
  fetches as (
    insert into media_fetch (workspace_id, media_id, phone_number_id, provider_media_id, created_at)
    select g.workspace_id, g.id, g.phone_number_id, g.provider_media_id, now
    from given g
    where g.id = any(array(select a.id from arrived a))
    order by g.workspace_id, g.id
  )
  insert into fetching (slot, lane, workspace_id, media_id)
  select (g.lane % 64)::smallint, g.lane, g.workspace_id, g.id
  from given g
  where g.id = any(array(select a.id from arrived a))
  order by g.n, g.id;
  get diagnostics taken = row_count;
end
$function$;

create or replace function take_history(rows json, now timestamptz, call uuid, again boolean) returns table (
  taken int, has_evidence boolean, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '5s' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  slots_filled bigint := 0;
  has_evidence boolean := false;
  consents json[] := '{}';
  people json;
  all_teach boolean;
  taught_rows uuid[];
  taught_people uuid[];
  files_taken int;
  taken int;
  with_files uuid[];
  r record;
begin
  insert into flight (id) values (call);
  if exists (
    select
    from (
      select distinct x.workspace_id, x.phone_number_id
      from rows from (
        json_to_recordset(rows) as (
          workspace_id uuid, id uuid, phone_number_id uuid, provider_message_id text, new_contact_id uuid, type text,
          content json, reply_to_provider_id text, at timestamptz, provided json, files json, phone text, wa_id text,
          user_id text, parent_user_id text, scope text, username text, profile_name text, changes_identity boolean,
          wa_key text, wa_loose text, previous_wa_id text, previous_wa_key text, previous_wa_loose text,
          previous_user_id text, previous_parent_user_id text, outbound boolean, seen int, rank smallint,
          is_placeholder boolean
        )
      ) with ordinality x
    ) x
    left join lateral (
      select n.provider_phone_number_id
      from phone_number n
      where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
      offset 0
    ) n on true
    left join lateral (
      select o.workspace_id
      from phone_number_route o
      where o.provider_phone_number_id = n.provider_phone_number_id
      offset 0
    ) o on true
    where o.workspace_id is distinct from x.workspace_id
  ) then
    raise exception 'the number has moved to another workspace' using errcode = 'WP001';
  end if;
  taught_rows := '{}';
  taught_people := '{}';
  all_teach := false;
  loop
    select json_agg(x order by x.workspace_id, coalesce(x.wa_key, x.wa_id), x.user_id, x.ordinality) into people
    from (
      select x.workspace_id, x.phone_number_id, x.new_contact_id, x.phone, x.wa_id, x.user_id, x.parent_user_id,
        x.scope, x.username, x.profile_name, x.changes_identity, x.wa_key, x.wa_loose, x.previous_wa_id,
        x.previous_wa_key, x.previous_wa_loose, x.previous_user_id, x.previous_parent_user_id, x.at, x.source,
        x.message_id, x.addressed, x.ordinality
      from (
        select x.*, 'history' as source, x.id as message_id, null::uuid as addressed
        from (
          select distinct on (y.workspace_id, y.new_contact_id) y.*
          from rows from (
            json_to_recordset(rows) as (
              workspace_id uuid, id uuid, phone_number_id uuid, provider_message_id text, new_contact_id uuid,
              type text, content json, reply_to_provider_id text, at timestamptz, provided json, files json, phone text,
              wa_id text, user_id text, parent_user_id text, scope text, username text, profile_name text,
              changes_identity boolean, wa_key text, wa_loose text, previous_wa_id text, previous_wa_key text,
              previous_wa_loose text, previous_user_id text, previous_parent_user_id text, outbound boolean, seen int,
              rank smallint, is_placeholder boolean
            )
          ) with ordinality y
          order by y.workspace_id, y.new_contact_id, y.at desc, y.ordinality
        ) x
        offset 0
      ) x
      left join lateral (
        select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
        from contact c
        where c.workspace_id = x.workspace_id and c.phone = x.phone and x.user_id is null
          and x.new_contact_id <> all(taught_rows)
        union all
        select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
        from contact c
        where c.workspace_id = x.workspace_id
          and c.id = coalesce(
            taught_people[array_position(taught_rows, x.new_contact_id)],
            (
              select i.contact_id
              from identifier i
              where i.workspace_id = x.workspace_id and i.kind in ('user_id', 'parent_user_id') and i.scope = x.scope
                and i.value = x.user_id
              limit 1
            ),
            contact_of_number(x.workspace_id, x.wa_id)
          )
        limit 1
        offset 0
      ) p on true
      where (
        all_teach
        or (
          x.changes_identity is true or p.id is null or (x.wa_id is not null and p.wa_id is distinct from x.wa_id)
          -- Late: the number may have been another's then.
          or (x.wa_id is not null and p.wa_id_at > x.at + interval '2 seconds')
          or (
            x.user_id is not null and p.user_id is distinct from x.user_id
            and not has_user_id(x.workspace_id, p.id, 'user_id', x.scope, x.user_id)
          )
          or (
            x.parent_user_id is not null and p.parent_user_id is distinct from x.parent_user_id
            and not has_user_id(x.workspace_id, p.id, 'parent_user_id', x.scope, x.parent_user_id)
          )
          or (x.username is not null and p.username is distinct from x.username)
          or (x.profile_name is not null and p.profile_name is distinct from x.profile_name)
          or coalesce(x.addressed <> p.id, false)
        )
      )
        and not (
          coalesce(
            (
              select true
              from provider_message k
              where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id
            ),
            false
          )
          or coalesce(
            (select true from erased_name z where z.workspace_id = x.workspace_id limit 1) and (
              select true
              from erased_name z
              where z.workspace_id = x.workspace_id and z.until >= x.at
                and z.digest in (
                  case when x.wa_id is not null then person_digest(x.workspace_id, 'phone', '', x.wa_id) end,
                  case when x.wa_key is not null then person_digest(x.workspace_id, 'phone', '', x.wa_key) end,
                  case when x.user_id is not null then person_digest(x.workspace_id, 'user_id', x.scope, x.user_id) end
                )
              limit 1
            ),
            false
          )
        )
    ) x;
    exit when all_teach or people is null or position('"changes_identity":true' in people::text) = 0;
    all_teach := true;
  end loop;
  if people is not null then
    declare
      called record;
    begin
      called := learn_people(people, now, slots_filled, has_evidence, consents);
      slots_filled := called.slots_filled;
      has_evidence := called.has_evidence;
      consents := called.consents;
      taught_rows := called.taught_rows;
      taught_people := called.taught_people;
    end;
  end if;
  -- Who is erased meanwhile is erased with these: no clean-up looks for what was written late at ids of the past.
  for r in
    select distinct x.workspace_id, p.id
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, id uuid, phone_number_id uuid, provider_message_id text, new_contact_id uuid, type text,
        content json, reply_to_provider_id text, at timestamptz, provided json, files json, phone text, wa_id text,
        user_id text, parent_user_id text, scope text, username text, profile_name text, changes_identity boolean,
        wa_key text, wa_loose text, previous_wa_id text, previous_wa_key text, previous_wa_loose text,
        previous_user_id text, previous_parent_user_id text, outbound boolean, seen int, rank smallint,
        is_placeholder boolean
      )
    ) with ordinality x
    left join lateral (
      select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
      from contact c
      where c.workspace_id = x.workspace_id and c.phone = x.phone and x.user_id is null
        and x.new_contact_id <> all(taught_rows)
      union all
      select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
      from contact c
      where c.workspace_id = x.workspace_id
        and c.id = coalesce(
          taught_people[array_position(taught_rows, x.new_contact_id)],
          (
            select i.contact_id
            from identifier i
            where i.workspace_id = x.workspace_id and i.kind in ('user_id', 'parent_user_id') and i.scope = x.scope
              and i.value = x.user_id
            limit 1
          ),
          contact_of_number(x.workspace_id, x.wa_id)
        )
      limit 1
      offset 0
    ) p on true
    where p.id is not null
    order by x.workspace_id, p.id
  loop
    perform
    from contact c
    where c.workspace_id = r.workspace_id and c.id = r.id for key share;
  end loop;
  with given as materialized (
    select x.*, p.id as contact_id, n.phone as number_phone
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, id uuid, phone_number_id uuid, provider_message_id text, new_contact_id uuid, type text,
        content json, reply_to_provider_id text, at timestamptz, provided json, files json, phone text, wa_id text,
        user_id text, parent_user_id text, scope text, username text, profile_name text, changes_identity boolean,
        wa_key text, wa_loose text, previous_wa_id text, previous_wa_key text, previous_wa_loose text,
        previous_user_id text, previous_parent_user_id text, outbound boolean, seen int, rank smallint,
        is_placeholder boolean
      )
    ) with ordinality x
    left join lateral (
      select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
      from contact c
      where c.workspace_id = x.workspace_id and c.phone = x.phone and x.user_id is null
        and x.new_contact_id <> all(taught_rows)
      union all
      select c.id, c.wa_id, c.wa_id_at, c.user_id, c.parent_user_id, c.username, c.profile_name
      from contact c
      where c.workspace_id = x.workspace_id
        and c.id = coalesce(
          taught_people[array_position(taught_rows, x.new_contact_id)],
          (
            select i.contact_id
            from identifier i
            where i.workspace_id = x.workspace_id and i.kind in ('user_id', 'parent_user_id') and i.scope = x.scope
              and i.value = x.user_id
            limit 1
          ),
          contact_of_number(x.workspace_id, x.wa_id)
        )
      limit 1
      offset 0
    ) p on true
    left join lateral (
      select n.phone
      from phone_number n
      where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
      offset 0
    ) n on true
    order by x.ordinality
  ),
  named as (
    insert into provider_message (workspace_id, provider_message_id, message_id, created_at, inbound)
    select x.workspace_id, x.provider_message_id, x.id, x.at, not x.outbound
    from given x
    where x.contact_id is not null
      and not coalesce(
        (select true from erased_name z where z.workspace_id = x.workspace_id limit 1) and (
          select true
          from erased_name z
          where z.workspace_id = x.workspace_id and z.until >= x.at
            and z.digest in (
              case when x.wa_id is not null then person_digest(x.workspace_id, 'phone', '', x.wa_id) end,
              case when x.wa_key is not null then person_digest(x.workspace_id, 'phone', '', x.wa_key) end,
              case when x.user_id is not null then person_digest(x.workspace_id, 'user_id', x.scope, x.user_id) end
            )
          limit 1
        ),
        false
      )
    order by x.workspace_id, x.provider_message_id, x.is_placeholder, x.ordinality
    on conflict do nothing
    returning workspace_id, provider_message_id, message_id
  ),
  fresh as materialized (
    select x.*, nextval('conversation_sequence') as sequence,
      hashtextextended(
        x.phone_number_id::text || coalesce(x.provided ->> 'group_id', x.contact_id::text), 0
      ) as conversation,
      case
        when x.reply_to_provider_id is not null then coalesce(
          message_of_provider_id(x.workspace_id, x.reply_to_provider_id),
          (
            select k.message_id
            from named k
            where k.workspace_id = x.workspace_id and k.provider_message_id = x.reply_to_provider_id
          )
        )
      end as quoted
    from given x
    where x.id = any((select array_agg(k.message_id) from named k)::uuid[])
    order by x.at, x.ordinality
  ),
  conversations as (
    insert into conversation as v (workspace_id, contact_id, phone_number_id, last_message_at)
    select x.workspace_id, x.contact_id, x.phone_number_id, max(x.at)
    from fresh x
    where not (x.provided ->> 'group_id' is not null)
    group by x.workspace_id, x.contact_id, x.phone_number_id
    order by x.workspace_id, x.contact_id, x.phone_number_id
    on conflict (workspace_id, contact_id, phone_number_id) do update
    set last_message_at = greatest(v.last_message_at, excluded.last_message_at)
  ),
  stored as (
    insert into message (
      workspace_id, id, outbound, phone_number_id, contact_id, recipient, sender, type, content, reply_to, sequence,
      created_at, occurred_at, provided
    )
    select x.workspace_id, x.id, x.outbound, x.phone_number_id, x.contact_id,
      case when x.outbound then x.phone else x.number_phone end,
      case when x.outbound then x.number_phone else x.phone end, x.type, x.content, x.quoted, x.sequence, x.at, x.at,
      x.provided
    from fresh x
  )
  insert into message_state (workspace_id, id, contact_id, conversation, seen, rank, sent_at, provider_message_id)
  select x.workspace_id, x.id, x.contact_id, x.conversation, x.seen, x.rank, case when x.seen & 4 <> 0 then x.at end,
    x.provider_message_id
  from fresh x;
  get diagnostics taken = row_count;
  -- The files of messages that were stored without: only of those that were known before, each looked up by itself.
  for r in
    select x.*, k.message_id
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, id uuid, phone_number_id uuid, provider_message_id text, new_contact_id uuid, type text,
        content json, reply_to_provider_id text, at timestamptz, provided json, files json, phone text, wa_id text,
        user_id text, parent_user_id text, scope text, username text, profile_name text, changes_identity boolean,
        wa_key text, wa_loose text, previous_wa_id text, previous_wa_key text, previous_wa_loose text,
        previous_user_id text, previous_parent_user_id text, outbound boolean, seen int, rank smallint,
        is_placeholder boolean
      )
    ) with ordinality x
    cross join lateral (
      select k.message_id
      from provider_message k
      where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id
      offset 0
    ) k
    where not x.is_placeholder and k.message_id <> x.id
    order by x.workspace_id, x.provider_message_id, x.ordinality
  loop
    update message m
    set type = r.type, content = r.content, provided = r.provided
    where m.workspace_id = r.workspace_id and m.id = r.message_id and m.type = 'unsupported'
      and m.content ->> 'type' = 'media_placeholder' and m.provided ->> 'origin' = 'history';
  end loop;
  if position('"files":[{' in rows::text) > 0 then
    -- Of messages that have them now, and of no other: a message that is known keeps what it has.
    select array_agg(case when m.content::text = x.content::text then m.id end order by x.ordinality) into with_files
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, id uuid, phone_number_id uuid, provider_message_id text, new_contact_id uuid, type text,
        content json, reply_to_provider_id text, at timestamptz, provided json, files json, phone text, wa_id text,
        user_id text, parent_user_id text, scope text, username text, profile_name text, changes_identity boolean,
        wa_key text, wa_loose text, previous_wa_id text, previous_wa_key text, previous_wa_loose text,
        previous_user_id text, previous_parent_user_id text, outbound boolean, seen int, rank smallint,
        is_placeholder boolean
      )
    ) with ordinality x
    left join lateral (
      select k.message_id
      from provider_message k
      where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id
      offset 0
    ) k on true
    left join lateral (
      select m.id, m.content
      from message m
      where x.files is not null and m.workspace_id = x.workspace_id and m.id = k.message_id
      offset 0
    ) m on true;
    if position('"files":[{' in rows::text) > 0 then
      files_taken := take_files(rows, with_files, now);
    end if;
  end if;
  if cardinality(consents) > 0 then
    declare
      called record;
    begin
      called := apply_consents(now, slots_filled, consents);
      slots_filled := called.slots_filled;
      consents := called.consents;
    end;
  end if;
  return query select taken, has_evidence, slots_filled::text;
end
$function$;

create or replace function take_payments(rows json, now timestamptz, call uuid, again boolean) returns table (
  slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  slots_filled bigint := 0;
  r record;
begin
  insert into flight (id) values (call);
  if exists (
    select
    from (
      select distinct x.workspace_id, x.phone_number_id
      from rows from (
        json_to_recordset(rows) as (
          workspace_id uuid, phone_number_id uuid, message_id uuid, provider_message_id text, digest text,
          reference text, status text, at timestamptz, callback_id uuid
        )
      ) with ordinality x
    ) x
    left join lateral (
      select n.provider_phone_number_id
      from phone_number n
      where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
      offset 0
    ) n on true
    left join lateral (
      select o.workspace_id
      from phone_number_route o
      where o.provider_phone_number_id = n.provider_phone_number_id
      offset 0
    ) o on true
    where o.workspace_id is distinct from x.workspace_id
  ) then
    raise exception 'the number has moved to another workspace' using errcode = 'WP001';
  end if;
  with given as materialized (
    select x.workspace_id, coalesce(x.message_id, k.message_id) as message_id, x.phone_number_id, x.provider_message_id,
      decode(x.digest, 'hex') as key, x.reference, x.status, x.at, x.callback_id, x.ordinality
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, phone_number_id uuid, message_id uuid, provider_message_id text, digest text, reference text,
        status text, at timestamptz, callback_id uuid
      )
    ) with ordinality x
    left join lateral (
      select k.message_id
      from provider_message k
      where k.workspace_id = x.workspace_id and k.provider_message_id = x.provider_message_id
      offset 0
    ) k on true
  ),
  parked as (
    insert into parked_payment (
      workspace_id, provider_message_id, digest, phone_number_id, reference, status, at, callback_id, received_at,
      look_at
    )
    select x.workspace_id, x.provider_message_id, x.key, x.phone_number_id, x.reference, x.status, x.at, x.callback_id,
      now, now + interval '5 seconds'
    from given x
    where x.message_id is null
    order by x.workspace_id, x.provider_message_id, x.key
    on conflict do nothing
  ),
  paid as materialized (
    select distinct on (g.workspace_id, g.message_id, g.key) g.*, s.state,
      sha256(convert_to('payment ' || g.message_id, 'UTF8') || g.key) as notice
    from given g
    cross join lateral (
      select m.outbound
      from message m
      where m.workspace_id = g.workspace_id and m.id = g.message_id
      offset 0
    ) m
    cross join lateral (
      select s as state
      from message_state s
      where s.workspace_id = g.workspace_id and s.id = g.message_id
      offset 0
    ) s
    where m.outbound
    order by g.workspace_id, g.message_id, g.key, g.ordinality
  ),
  noted as (
    insert into provider_notice (workspace_id, digest, created_at, at)
    select p.workspace_id, p.notice, now, p.at
    from paid p
    order by p.workspace_id, p.notice
    on conflict do nothing
    returning workspace_id, digest
  ),
  reported as materialized (
    select p.workspace_id, p.message_id, p.at, p.reference, p.status, p.state, p.callback_id, p.ordinality,
      (p.state).seen, (p.state).rank, (p.state).accepted_at, (p.state).sent_at, (p.state).delivered_at,
      (p.state).read_at, (p.state).failed_at, (p.state).provider_message_id as known_provider_id,
      (p.state).error as known_error, (p.state).pricing as known_pricing
    from paid p
    where exists (select from noted n where n.workspace_id = p.workspace_id and n.digest = p.notice)
  ),
  new_events as materialized (
    select x.workspace_id as workspace_id, new_uuid(now) as id, 'payment_updated' as kind, x.message_id as message_id,
      (x.state).contact_id as contact_id, null::uuid as resource_id, x.at as occurred_at,
      (
        (
          '{"seen":' || x.seen || ',"rank":' || x.rank || coalesce(',"accepted_at":' || to_json(x.accepted_at), '') || coalesce(',"sent_at":' || to_json(x.sent_at), '') || coalesce(',"delivered_at":' || to_json(x.delivered_at), '') || coalesce(',"read_at":' || to_json(x.read_at), '') || coalesce(',"failed_at":' || to_json(x.failed_at), '') || coalesce(',"provider_message_id":' || to_json(x.known_provider_id), '') || case
            when (x.state).possible_duplicate then ',"possible_duplicate":true'
            else ''
          end || case when (x.state).fallback_used then ',"fallback_used":true' else '' end || coalesce(',"error":' || x.known_error, '') || coalesce(',"pricing":' || x.known_pricing, '') || '}'
        )::json::jsonb || jsonb_build_object('payment', jsonb_build_object('reference', x.reference, 'status', x.status))
      )::json as state,
      (x.state).conversation as conversation, x.callback_id as callback_id
    from reported x
    order by x.ordinality
  ),
  events as (
    insert into event (
      workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at,
      callback_id
    )
    select x.workspace_id, x.id, (select i.era from installation i), x.kind, nextval('conversation_sequence'),
      x.message_id, x.contact_id, x.resource_id, x.occurred_at, x.state, now, x.callback_id
    from new_events x
  ),
  deliveries as (
    insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
    select (e.lane % 64)::smallint, e.lane, x.workspace_id, delivery_id(x.id, e.id), x.id, x.conversation
    from new_events x
    cross join lateral (
      select e.id, e.lane
      from webhook_endpoint e
      where e.workspace_id = x.workspace_id and e.lane >= 0 and e.events && array['*', x.kind]
        and (
          not e.is_limited
          or is_got(x.workspace_id, within_limits(x.workspace_id, e.id, null::uuid, null::uuid, x.message_id))
        )
      offset 0
    ) e
    returning slot
  )
  select slots_filled | (select coalesce(bit_or(1::bigint << d.slot), 0) from deliveries d) into slots_filled;
  for r in
    select distinct x.workspace_id, x.phone_number_id
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, phone_number_id uuid, message_id uuid, provider_message_id text, digest text, reference text,
        status text, at timestamptz, callback_id uuid
      )
    ) with ordinality x
    order by 1, 2
  loop
    delete from parked_payment w
    where w.workspace_id = r.workspace_id and w.phone_number_id = r.phone_number_id
      and w.received_at <= (
        select o.received_at
        from parked_payment o
        where o.workspace_id = r.workspace_id and o.phone_number_id = r.phone_number_id
        order by o.received_at desc
        offset 1000
        limit 1
      );
  end loop;
  return query select slots_filled::text;
end
$function$;

create or replace function take_reports(rows json, now timestamptz, call uuid, again boolean) returns table (
  outcome text, message_id uuid, other_provider_id boolean, has_evidence boolean, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  slots_filled bigint := 0;
  has_evidence boolean := false;
  all_verdicts text[] := '{}';
  all_messages uuid[] := '{}';
  all_sent_twices boolean[] := '{}';
begin
  insert into flight (id) values (call);
  if exists (
    select
    from (
      select distinct x.workspace_id, x.phone_number_id
      from rows from (json_to_recordset(rows) as (workspace_id uuid, phone_number_id uuid)) with ordinality x
    ) x
    left join lateral (
      select n.provider_phone_number_id
      from phone_number n
      where n.workspace_id = x.workspace_id and n.id = x.phone_number_id
      offset 0
    ) n on true
    left join lateral (
      select o.workspace_id
      from phone_number_route o
      where o.provider_phone_number_id = n.provider_phone_number_id
      offset 0
    ) o on true
    where o.workspace_id is distinct from x.workspace_id
  ) then
    raise exception 'the number has moved to another workspace' using errcode = 'WP001';
  end if;
  declare
    called record;
  begin
    called := apply_reports(rows, now, again);
    all_verdicts := called.all_verdicts;
    all_messages := called.all_messages;
    all_sent_twices := called.all_sent_twices;
    has_evidence := called.has_evidence;
    slots_filled := called.slots_filled;
  end;
  return query
    select u.verdict, u.message, u.sent_twice, has_evidence, slots_filled::text
    from unnest(all_verdicts, all_messages, all_sent_twices) with ordinality u(verdict, message, sent_twice, n)
    order by u.n;
end
$function$;

create or replace function task_due(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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

create or replace function task_oldest(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, since float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select u.slot, l.since
    from rows from (json_to_recordset(rows) as (slot smallint, most int)) with ordinality u
    cross join lateral (
      with recursive t(lane, n) as (
        (select d.lane, 1 from task d where d.slot::int = u.slot order by d.lane limit 1)
        union all
        select (select d.lane from task d where d.slot::int = u.slot and d.lane > t.lane order by d.lane limit 1),
          t.n + 1
        from t
        where t.lane is not null and t.n < u.most
      )
      select count(t.lane) as lanes, (extract(epoch from min(least(f.at, w.due))) * 1000)::float8 as since
      from t
      left join lateral (
        select uuid_time(d.job_id) as at
        from task d
        where d.slot::int = u.slot and d.lane = t.lane and d.due = '-infinity'
        order by (d.seq + 0)
        limit 1
        offset 0
      ) f on true
      left join lateral (
        select d.due
        from task d
        where d.slot::int = u.slot and d.lane = t.lane and d.due > '-infinity' and d.due <= now
        order by d.due, (d.seq + 0)
        limit 1
        offset 0
      ) w on true
      where t.lane is not null
    ) l
    where l.lanes > 0;
end
$function$;

create or replace function task_tail(rows json, now timestamptz, call uuid, again boolean) returns table (
  slot smallint, lane int, due float8, seq bigint, workspace_id uuid, item_id uuid, event_id uuid, key text,
  attempt smallint, state smallint, started_at float8, expires_at float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
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
  id uuid, provider_template_id text, outcome text, held_until timestamptz, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  slots_filled bigint := 0;
  r record;
  t template;
  old template;
  verdict text;
  template_ids text[];
  d record;
  n provider_notice;
  twin provider_notice;
  joined bytea[];
  former text;
  is_new boolean;
  held timestamptz;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, business_account_id uuid, id uuid, provider_template_id text, name text, language text,
        category text, status text, quality text, parameter_format text, components json, rejection_reason text,
        first boolean, read_at timestamptz, hold_until timestamptz, is_last boolean
      )
    ) with ordinality x
    order by x.workspace_id, x.business_account_id, x.name, x.language
  loop
    old := null;
    held := null;
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
      old := t;
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
    -- It may have been created again under another id: what was said of the former is said of it.
    template_ids := array[t.provider_template_id, coalesce(old.provider_template_id, t.provider_template_id)];
    if verdict = 'changed' and not r.first then
      for d in
        select v.*
        from (
          values (t.status, old.status, t.status, t.rejection_reason, t.status is distinct from old.status),
            ('template_category_changed', old.category, t.category, null, t.category <> old.category),
            ('template_quality_changed', old.quality, t.quality, null, t.quality <> old.quality),
            (
              'template_components_changed', old.components::text, t.components::text, null,
              t.provider_template_id = old.provider_template_id and case
                when old.components::text = t.components::text then false
                when old.components::text ~ '\\u(0000|[dD][89a-fA-F])'
                  or t.components::text ~ '\\u(0000|[dD][89a-fA-F])' then true
                else (
                  select jsonb_agg(
                    case
                      when jsonb_typeof(p.value) = 'object' then p.value - 'example' || jsonb_build_object('buttons', (select jsonb_agg(case when jsonb_typeof(b.value) = 'object' then b.value - 'example' else b.value end order by b.ordinality) from jsonb_array_elements(case when jsonb_typeof(p.value->'buttons') = 'array' then p.value->'buttons' end) with ordinality b)) || jsonb_build_object(
                        'cards',
                        (
                          select jsonb_agg(
                            case
                              when jsonb_typeof(k.value) = 'object' then k.value - 'example' || jsonb_build_object(
                                'components',
                                (
                                  select jsonb_agg(
                                    case
                                      when jsonb_typeof(c.value) = 'object' then c.value - 'example' || jsonb_build_object(
                                        'buttons',
                                        (
                                          select jsonb_agg(
                                            case
                                              when jsonb_typeof(d.value) = 'object' then d.value - 'example'
                                              else d.value
                                            end
                                            order by d.ordinality
                                          )
                                          from jsonb_array_elements(
                                            case
                                              when jsonb_typeof(c.value->'buttons') = 'array' then c.value->'buttons'
                                            end
                                          ) with ordinality d
                                        )
                                      )
                                      else c.value
                                    end
                                    order by c.ordinality
                                  )
                                  from jsonb_array_elements(
                                    case
                                      when jsonb_typeof(k.value->'components') = 'array' then k.value->'components'
                                    end
                                  ) with ordinality c
                                )
                              )
                              else k.value
                            end
                            order by k.ordinality
                          )
                          from jsonb_array_elements(
                            case when jsonb_typeof(p.value->'cards') = 'array' then p.value->'cards' end
                          ) with ordinality k
                        )
                      )
                      else p.value
                    end
                    order by p.ordinality
                  )
                  from jsonb_array_elements(
                    case when jsonb_typeof(old.components::jsonb) = 'array' then old.components::jsonb end
                  ) with ordinality p
                ) <> (select jsonb_agg(case when jsonb_typeof(p.value) = 'object' then p.value - 'example' || jsonb_build_object('buttons', (select jsonb_agg(case when jsonb_typeof(b.value) = 'object' then b.value - 'example' else b.value end order by b.ordinality) from jsonb_array_elements(case when jsonb_typeof(p.value->'buttons') = 'array' then p.value->'buttons' end) with ordinality b)) || jsonb_build_object('cards', (select jsonb_agg(case when jsonb_typeof(k.value) = 'object' then k.value - 'example' || jsonb_build_object('components', (select jsonb_agg(case when jsonb_typeof(c.value) = 'object' then c.value - 'example' || jsonb_build_object('buttons', (select jsonb_agg(case when jsonb_typeof(d.value) = 'object' then d.value - 'example' else d.value end order by d.ordinality) from jsonb_array_elements(case when jsonb_typeof(c.value->'buttons') = 'array' then c.value->'buttons' end) with ordinality d)) else c.value end order by c.ordinality) from jsonb_array_elements(case when jsonb_typeof(k.value->'components') = 'array' then k.value->'components' end) with ordinality c)) else k.value end order by k.ordinality) from jsonb_array_elements(case when jsonb_typeof(p.value->'cards') = 'array' then p.value->'cards' end) with ordinality k)) else p.value end order by p.ordinality) from jsonb_array_elements(case when jsonb_typeof(t.components::jsonb) = 'array' then t.components::jsonb end) with ordinality p)
              end
            )
        ) v (kind, previous, current, reason, is_changed)
        where v.is_changed
      loop
        select w.* into twin
        from provider_notice w
        where w.workspace_id = t.workspace_id and w.provider_template_id = any(template_ids)
          and w.provider_template_id is not null and w.kind = d.kind and w.current = d.current
          and w.effective_at is null and not w.found and not w.matched
          and (w.event_due is not null or w.told_unread or w.created_at > r.read_at - interval '10 minutes')
        order by w.event_due is null, coalesce(w.at, w.created_at) desc
        limit 1;
        if found then
          update provider_notice w
          set matched = true, previous = coalesce(w.previous, d.previous)
          where w.workspace_id = twin.workspace_id and w.digest = twin.digest;
        else
          if d.kind = d.current then
            -- It changes again: what waited is in the order of its events.
            update provider_notice w
            set event_due = now
            where w.workspace_id = t.workspace_id and w.provider_template_id = any(template_ids)
              and w.provider_template_id is not null and w.found and w.event_due > now and w.kind = w.current;
          end if;
          -- An event waits for a callback that says more than was read. Not so an approval: callbacks seldom add to it, and people wait for
          -- it. Nor new components: the callback about them only has the template read.
          insert into provider_notice (
            workspace_id, digest, created_at, at, provider_template_id, kind, previous, current, reason, found,
            event_due
          )
          values (
            t.workspace_id, sha256(convert_to(concat(t.id, t.revision, d.kind), 'UTF8')), now, r.read_at,
            t.provider_template_id, d.kind, d.previous, d.current, d.reason, true,
            case
              when d.current = 'approved' or d.kind = 'template_components_changed' then now
              else coalesce(r.hold_until, now)
            end
          );
        end if;
      end loop;
    end if;
    if not r.is_last then
      update provider_notice w
      set told_unread = false
      where w.workspace_id = t.workspace_id and w.provider_template_id = any(template_ids)
        and w.provider_template_id is not null and w.told_unread;
    end if;
    if verdict <> 'stale' then
      former := old.status;
      joined := '{}';
      for n in
        select w.*
        from provider_notice w
        where w.workspace_id = t.workspace_id and w.provider_template_id = any(template_ids)
          and w.provider_template_id is not null and w.event_due is not null
        order by w.found, coalesce(w.at, w.created_at), w.created_at, w.kind <> w.current, w.kind, w.digest
      loop
        continue when n.digest = any(joined);
        is_new := true;
        if n.found and n.event_due > now and not r.is_last then
          held := least(held, n.event_due);
          continue;
        elsif not n.found and not n.matched and n.effective_at is null then
          -- What a read has found before is not what the provider says has happened since.
          select w.* into twin
          from provider_notice w
          where w.workspace_id = t.workspace_id and w.provider_template_id = any(template_ids)
            and w.provider_template_id is not null and w.kind = n.kind and w.current = n.current and w.found
            and not w.matched and (w.event_due is not null or n.at is null or n.at <= w.at + interval '1 minute')
          order by w.event_due is null, w.at
          limit 1;
          if found then
            update provider_notice w
            set matched = true, event_due = null
            where w.workspace_id = twin.workspace_id and w.digest = twin.digest;
            joined := joined || twin.digest;
            is_new := twin.event_due is not null;
            n.matched := true;
            n.previous := coalesce(n.previous, twin.previous);
          end if;
        end if;
        if is_new then
          event_id := new_uuid(now);
          insert into event (
            workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
          )
          values (
            t.workspace_id, event_id, (select i.era from installation i), n.kind, nextval('conversation_sequence'),
            null, null, t.id, now,
            case n.kind
              when 'template_quality_changed' then json_build_object(
                'template', row_to_json(t), 'previous', n.previous, 'current', n.current
              )
              when 'template_components_changed' then json_build_object(
                'template', row_to_json(t), 'previous', n.previous::json, 'current', n.current::json
              )
              when 'template_category_changed' then json_build_object(
                'template', row_to_json(t), 'previous', n.previous, 'current', n.current, 'effective_at', n.effective_at
              )
              else json_build_object(
                'template', row_to_json(t), 'previous_status', coalesce(n.previous, nullif(former, n.kind)), 'reason',
                coalesce(n.reason, case n.kind when 'rejected' then t.rejection_reason end), 'detail', n.detail
              )
            end, now
          );
          with deliveries as (
            insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
            select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
              hashtextextended(t.id::text, 0)
            from webhook_endpoint e
            where e.workspace_id = t.workspace_id and e.lane >= 0 and e.events && array['*', n.kind]
              and (
                not e.is_limited
                or is_got(
                  t.workspace_id, within_limits(t.workspace_id, e.id, null::uuid, t.business_account_id, null::uuid)
                )
              )
            returning slot
          )
          select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
          from deliveries d;
          if n.kind not in ('template_quality_changed', 'template_category_changed', 'template_components_changed') then
            former := n.kind;
          end if;
        end if;
        update provider_notice w
        set event_due = null, matched = n.matched, previous = n.previous, told_unread = r.is_last
        where w.workspace_id = n.workspace_id and w.digest = n.digest;
      end loop;
    end if;
    return query
      select t.id, t.provider_template_id, verdict, held, slots_filled::text;
  end loop;
end
$function$;

create or replace function waiting_deliveries(rows json, now timestamptz, call uuid, again boolean) returns table (
  endpoint_id uuid, deliveries json, reached float8
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  r record;
  v record;
  low bigint;
  high bigint;
  middle bigint;
  looked int;
  rows_found json[];
  oldest timestamptz;
  oldest_needed timestamptz;
  at_time timestamptz;
  stopped_at timestamptz;
begin
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, endpoint_id uuid, slot smallint, lane int, lowest uuid, below uuid, above uuid,
        delivery_id uuid, kind text, most int, look int
      )
    ) with ordinality x
    order by x.ordinality
  loop
    low := (select d.seq from deliver d where d.slot = r.slot order by d.seq limit 1);
    high := 1 + (select d.seq from deliver d where d.slot = r.slot order by d.seq desc limit 1);
    while low < high loop
      middle := low + (high - low) / 2;
      select d.seq, d.event_id into v
      from deliver d
      where d.slot = r.slot and d.seq >= middle
      order by d.seq
      limit 1;
      if v.event_id < r.above then
        low := v.seq + 1;
      else
        high := middle;
      end if;
    end loop;
    rows_found := '{}';
    looked := 0;
    oldest := null;
    oldest_needed := null;
    stopped_at := null;
    for v in
      select d.lane, d.workspace_id, d.delivery_id, d.event_id, d.attempt, d.due
      from deliver d
      where d.slot = r.slot and d.seq < low
      order by d.seq desc
    loop
      at_time := uuid_time(v.event_id);
      exit when at_time < uuid_time(r.lowest) - interval '5000 milliseconds';
      exit when oldest_needed is not null and at_time < oldest_needed - interval '5000 milliseconds';
      looked := looked + 1;
      if looked > r.look and at_time < uuid_time(r.below) - 2 * interval '5000 milliseconds' then
        stopped_at := at_time + interval '5000 milliseconds';
        exit;
      end if;
      if v.lane = r.lane and v.workspace_id = r.workspace_id and v.attempt = 0 and v.delivery_id >= r.lowest
        and v.delivery_id < r.below and (r.delivery_id is null or v.delivery_id = r.delivery_id) then
        rows_found := rows_found || array(
          select json_build_object(
            'id', v.delivery_id, 'event_id', v.event_id, 'kind', e.kind, 'created_at',
            (extract(epoch from e.created_at) * 1000)::float8, 'due',
            (extract(epoch from greatest(v.due, e.created_at)) * 1000)::float8
          )
          from event e
          where e.workspace_id = r.workspace_id and e.id = v.event_id and (r.kind is null or e.kind = r.kind)
        );
        if cardinality(rows_found) > 0 then
          oldest := least(oldest, at_time);
          if cardinality(rows_found) >= r.most and oldest_needed is null then
            oldest_needed := oldest;
          end if;
        end if;
      end if;
    end loop;
    return query
      select r.endpoint_id, array_to_json(rows_found), (extract(epoch from stopped_at) * 1000)::float8;
  end loop;
end
$function$;

create or replace function warn_endpoints(rows json, now timestamptz, call uuid, again boolean) returns table (
  slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '100ms' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  slots_filled bigint := 0;
  r record;
  w record;
begin
  insert into flight (id) values (call);
  for r in
    select x.workspace_id, x.endpoint_id
    from rows from (json_to_recordset(rows) as (workspace_id uuid, endpoint_id uuid)) with ordinality x
    order by 1, 2
  loop
    update webhook_endpoint p
    set status = 'failing',
      updated_at = now,
      failing_stage = case
        when p.failing_since <= now - interval '72 hours' then 3
        when p.failing_since <= now - interval '24 hours' then 2
        when p.failing_since <= now - interval '1 hour' then 1
        else 0
      end
    where p.workspace_id = r.workspace_id and p.id = r.endpoint_id and p.enabled
      and p.failing_stage < case
        when p.failing_since <= now - interval '72 hours' then 3
        when p.failing_since <= now - interval '24 hours' then 2
        when p.failing_since <= now - interval '1 hour' then 1
        else 0
      end
    returning p.id, p.url, p.events, p.fields, p.description, p.ordered, p.header_names, p.phone_number_ids,
      p.business_account_ids, p.timeout_seconds, p.rate_per_second, p.enabled, p.status, p.disabled_reason,
      p.created_at, p.updated_at, p.failing_stage into w;
    if found then
      event_id := new_uuid(now);
      insert into event (
        workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
      )
      values (
        r.workspace_id, event_id, (select i.era from installation i), 'endpoint_failing',
        nextval('conversation_sequence'), null, null, r.endpoint_id, now,
        json_build_object(
          'webhook_endpoint', row_to_json(w), 'reason',
          (array['failing_for_1_hour', 'failing_for_24_hours', 'failing_for_72_hours'])[w.failing_stage]
        ),
        now
      );
      with deliveries as (
        insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
        select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
          hashtextextended(r.endpoint_id::text, 0)
        from webhook_endpoint e
        where e.workspace_id = r.workspace_id and e.lane >= 0 and e.events && array['*', 'endpoint_failing']
          and not e.is_limited
        returning slot
      )
      select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
      from deliveries d;
    end if;
  end loop;
  return query
    select slots_filled::text
    from generate_series(1, json_array_length(rows));
end
$function$;

create or replace function within_limits(
  of_workspace uuid, of_endpoint uuid, about_number uuid, about_account uuid, about_message uuid, out given_for uuid
) language plpgsql volatile
as $function$
#variable_conflict use_column
declare
  limits record;
  is_within boolean;
  of_number uuid := about_number;
  of_account uuid;
begin
  select p.phone_number_ids, p.business_account_ids, p.front_of into limits
  from webhook_endpoint p
  where p.workspace_id = of_workspace and p.id = of_endpoint;
  if of_number is null and about_message is not null then
    select m.phone_number_id into of_number
    from message m
    where m.workspace_id = of_workspace and m.id = about_message;
  end if;
  if of_number is not null then
    is_within := of_number = any(limits.phone_number_ids);
    if is_within is not true and limits.business_account_ids is not null then
      select n.business_account_id into of_account
      from phone_number n
      where n.workspace_id = of_workspace and n.id = of_number;
      is_within := of_account = any(limits.business_account_ids);
      if is_within and limits.front_of is not null then
        given_for := of_number;
      end if;
    end if;
  elsif about_account is not null then
    is_within := about_account = any(limits.business_account_ids);
    if is_within is not true and limits.phone_number_ids is not null then
      perform 1
      from unnest(limits.phone_number_ids) x(id)
      cross join lateral (
        select 1
        from phone_number n
        where n.workspace_id = of_workspace and n.id = x.id and n.business_account_id = about_account
        offset 0
      ) n;
      is_within := found;
    end if;
  end if;
  if is_within and given_for is null then
    given_for := '00000000-0000-0000-0000-000000000000';
  end if;
end
$function$;

create or replace function workspaces_of_portfolios(rows json, now timestamptz, call uuid, again boolean) returns table (
  workspace_id uuid
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set search_path = public, pg_temp
as $function$
#variable_conflict use_column
begin
  return query
    select distinct a.workspace_id
    from rows from (json_to_recordset(rows) as (portfolio text)) with ordinality x
    join business_account a on coalesce(a.portfolio_id, a.provider_account_id) = x.portfolio
    order by 1;
end
$function$;

create or replace function write_contacts(rows json, now timestamptz, call uuid, again boolean) returns table (
  of_row uuid, outcome text, id uuid, slots_mask text
) language plpgsql volatile security definer
  set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_memoize = off set jit = off set plan_cache_mode = force_generic_plan
  set lock_timeout = '5s' set search_path = public, pg_temp
as $function$
#variable_conflict use_column
declare
  event_id uuid;
  slots_filled bigint := 0;
  consents json[] := '{}';
  r record;
  old contact;
  fresh contact;
  person uuid;
  candidate uuid;
  won uuid;
  is_new boolean;
  outcome_of_row text;
begin
  insert into flight (id) values (call);
  for r in
    select x.*
    from rows from (
      json_to_recordset(rows) as (
        workspace_id uuid, mode text, contact_id uuid, phone text, phone_key text, phone_loose text, e164 text,
        fields json, attributes json, add_tags text[], remove_tags text[], consent text, consent_at timestamptz,
        source text, said_at timestamptz
      )
    ) with ordinality x
    where not (
      x.source = 'phone_app'
      and coalesce(
        (select true from erased_name z where z.workspace_id = x.workspace_id limit 1) and (
          select true
          from erased_name z
          where z.workspace_id = x.workspace_id and z.until >= x.said_at
            and z.digest in (
              case when x.phone is not null then person_digest(x.workspace_id, 'phone', '', x.phone) end,
              case when x.phone_key is not null then person_digest(x.workspace_id, 'phone', '', x.phone_key) end,
              case when null::text is not null then person_digest(x.workspace_id, 'user_id', null::text, null::text) end
            )
          limit 1
        ),
        false
      )
    )
    order by x.workspace_id, coalesce(x.phone_key, x.phone, x.contact_id::text), x.ordinality
  loop
    person := null;
    for tries in 1..3 loop
      candidate := case
        when r.mode = 'update' then (
          select coalesce(m.merged_into, m.id)
          from contact m
          where m.workspace_id = r.workspace_id and m.id = r.contact_id
        )
        else coalesce(
          coalesce(
            (
              select i.contact_id
              from identifier i
              where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.phone
                and i.until is null
              limit 1
            ),
            (
              select i.contact_id
              from identifier i
              where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.phone_key
                and i.until is null
              limit 1
            )
          ),
          coalesce(
            (select c.id from contact c where c.workspace_id = r.workspace_id and c.phone = r.e164),
            (
              select c.id
              from contact c
              where c.workspace_id = r.workspace_id and c.user_id = null::text and not c.is_named
            )
          )
        )
      end;
      exit when candidate is null;
      select c.* into old
      from contact c
      where c.workspace_id = r.workspace_id and c.id = candidate for no key update;
      if old.id is not null and old.merged_into is null then
        person := old.id;
        exit;
      end if;
    end loop;
    is_new := false;
    if person is null and r.mode <> 'update' then
      with first as (
        insert into identifier as i (workspace_id, kind, scope, value, contact_id, source, since, key, loose, rules)
        select r.workspace_id,
          case
            when r.phone is not null then 'phone'
            when null::text like '__.ENT.%' then 'parent_user_id'
            else 'user_id'
          end, case when r.phone is not null then '' else '' end, coalesce(r.phone_key, r.phone, null::text),
          r.contact_id, case when r.phone_key is null then r.source else 'rule' end, now,
          coalesce(r.phone_key, r.phone), coalesce(r.phone_loose, r.phone_key, r.phone), 1
        from (select 1) one
        order by 1, 2, 3, 4
        on conflict (workspace_id, kind, scope, value) do update
        set contact_id = excluded.contact_id,
          source = excluded.source,
          until = null,
          key = excluded.key,
          loose = excluded.loose,
          rules = excluded.rules,
          since = case when i.until is null then i.since else excluded.since end,
          taken_from = case
            when i.until is null then i.taken_from
            when i.since = i.until then nullif(i.contact_id, excluded.contact_id)
          end
        where i.until is not null
        returning contact_id
      )
      select f.contact_id into won
      from first f;
      if won is null then
        -- Another transaction that creates this person has committed by now.
        person := null;
        for tries in 1..3 loop
          candidate := case
            when r.mode = 'update' then (
              select coalesce(m.merged_into, m.id)
              from contact m
              where m.workspace_id = r.workspace_id and m.id = r.contact_id
            )
            else coalesce(
              coalesce(
                (
                  select i.contact_id
                  from identifier i
                  where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.phone
                    and i.until is null
                  limit 1
                ),
                (
                  select i.contact_id
                  from identifier i
                  where i.workspace_id = r.workspace_id and i.kind = 'phone' and i.scope = '' and i.value = r.phone_key
                    and i.until is null
                  limit 1
                )
              ),
              coalesce(
                (select c.id from contact c where c.workspace_id = r.workspace_id and c.phone = r.e164),
                (
                  select c.id
                  from contact c
                  where c.workspace_id = r.workspace_id and c.user_id = null::text and not c.is_named
                )
              )
            )
          end;
          exit when candidate is null;
          select c.* into old
          from contact c
          where c.workspace_id = r.workspace_id and c.id = candidate for no key update;
          if old.id is not null and old.merged_into is null then
            person := old.id;
            exit;
          end if;
        end loop;
      else
        insert into identifier as i (workspace_id, kind, value, contact_id, source, since, key, loose, rules)
        select r.workspace_id, 'phone', r.phone, r.contact_id, r.source, now, r.phone_key,
          coalesce(r.phone_loose, r.phone_key), 1
        from (select 1) one
        where r.phone_key is not null
        order by 1, 3
        on conflict (workspace_id, kind, scope, value) do update
        set contact_id = excluded.contact_id,
          source = excluded.source,
          until = null,
          key = excluded.key,
          loose = excluded.loose,
          rules = excluded.rules,
          since = case when i.until is null then i.since else excluded.since end,
          taken_from = case
            when i.until is null then i.taken_from
            when i.since = i.until then nullif(i.contact_id, excluded.contact_id)
          end
        where i.until is not null;
        -- With all that is said of them: a second writing of the row would cost its index entries again.
        insert into contact as c (
          workspace_id, id, phone, name, email, locale, attributes, tags, created_at, updated_at, is_named,
          phone_app_name
        )
        values (
          r.workspace_id, r.contact_id, r.e164, r.fields ->> 'name', r.fields ->> 'email', r.fields ->> 'locale',
          jsonb_strip_nulls(coalesce(r.attributes::jsonb, '{}')),
          array(
            select t
            from unnest('{}'::text[] || coalesce(r.add_tags, '{}')) t
            where t <> all(coalesce(r.remove_tags, '{}'))
            group by t
            order by t collate "C"
          ),
          now, now, true, case when r.source = 'phone_app' then r.fields ->> 'name' end
        )
        on conflict do nothing
        returning c.* into old;
        is_new := found;
        person := r.contact_id;
        if not is_new then
          -- A process of an earlier version created this person since.
          select c.* into old
          from contact c
          where c.workspace_id = r.workspace_id
            and c.id = coalesce(
              (select c.id from contact c where c.workspace_id = r.workspace_id and c.phone = r.e164),
              (
                select c.id
                from contact c
                where c.workspace_id = r.workspace_id and c.user_id = null::text and not c.is_named
              )
            ) for no key update;
          person := old.id;
          update identifier i
          set contact_id = person
          where i.workspace_id = r.workspace_id and i.contact_id = r.contact_id and i.value <> '';
        end if;
      end if;
    end if;
    outcome_of_row := case when person is null then 'not_found' when not is_new and r.mode = 'create' then 'exists' end;
    if outcome_of_row is null then
      fresh := old;
      fresh.name := case when r.fields::jsonb ? 'name' then r.fields ->> 'name' else old.name end;
      if r.source = 'phone_app' and fresh.name is distinct from old.name then
        if old.name is not null and old.name is distinct from old.phone_app_name then
          fresh.name := old.name;
        else
          fresh.phone_app_name := fresh.name;
        end if;
      end if;
      fresh.email := case when r.fields::jsonb ? 'email' then r.fields ->> 'email' else old.email end;
      fresh.locale := case when r.fields::jsonb ? 'locale' then r.fields ->> 'locale' else old.locale end;
      fresh.attributes := jsonb_strip_nulls(old.attributes || coalesce(r.attributes::jsonb, '{}'));
      fresh.tags := array(
        select t
        from unnest(old.tags || coalesce(r.add_tags, '{}')) t
        where t <> all(coalesce(r.remove_tags, '{}'))
        group by t
        order by t collate "C"
      );
      outcome_of_row := case
        when cardinality(fresh.tags) > 100 then 'tags'
        when (select count(*) from jsonb_object_keys(fresh.attributes)) > 100 then 'attributes'
        when is_new then 'created'
        when fresh is distinct from old then 'updated'
        else 'unchanged'
      end;
    end if;
    if outcome_of_row in ('created', 'updated') then
      if fresh is distinct from old then
        update contact c
        set name = fresh.name,
          email = fresh.email,
          locale = fresh.locale,
          attributes = fresh.attributes,
          tags = fresh.tags,
          phone_app_name = fresh.phone_app_name,
          updated_at = now
        where c.workspace_id = r.workspace_id and c.id = person;
      end if;
      event_id := new_uuid(now);
      insert into event (
        workspace_id, id, era, kind, sequence, message_id, contact_id, resource_id, occurred_at, state, created_at
      )
      values (
        r.workspace_id, event_id, (select i.era from installation i),
        case when is_new then 'contact_created' else 'contact_updated' end, nextval('conversation_sequence'), null,
        person, null, now, json_build_object('source', r.source), now
      );
      with deliveries as (
        insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
        select (e.lane % 64)::smallint, e.lane, e.workspace_id, delivery_id(event_id, e.id), event_id,
          hashtextextended(person::text, 0)
        from webhook_endpoint e
        where e.workspace_id = r.workspace_id and e.lane >= 0
          and e.events && array['*', case when is_new then 'contact_created' else 'contact_updated' end]
          and not e.is_limited
        returning slot
      )
      select slots_filled | coalesce(bit_or(1::bigint << d.slot), 0) into slots_filled
      from deliveries d;
    end if;
    -- A file that says what is known already, or was known better since, is no evidence: so an export can be imported.
    if r.consent is not null and outcome_of_row in ('created', 'updated', 'unchanged')
      and not (
        r.source = 'import'
        and (
          old.marketing_consent = r.consent or coalesce(old.consent_at > r.consent_at, false)
          and (old.marketing_consent <> 'unknown' or r.consent = 'opted_out')
        )
      ) then
      consents := consents || array(
        select json_build_object(
          'workspace_id', x.workspace_id, 'contact_id', person, 'consent', x.consent, 'source', x.source, 'at',
          coalesce(r.consent_at, now), 'proof', null::uuid, 'conversation', hashtextextended(person::text, 0)
        )
        from (select r.workspace_id, r.source, r.consent, 1 as ordinality) x
        order by x.ordinality
      );
      if outcome_of_row = 'unchanged'
        and (old.marketing_consent, old.consent_source) is distinct from (r.consent, r.source) then
        outcome_of_row := 'updated';
      end if;
    end if;
    if cardinality(consents) > 0 then
      declare
        called record;
      begin
        called := apply_consents(now, slots_filled, consents);
        slots_filled := called.slots_filled;
        consents := called.consents;
      end;
    end if;
    return query
      select r.contact_id, outcome_of_row, person, slots_filled::text;
  end loop;
end
$function$;
