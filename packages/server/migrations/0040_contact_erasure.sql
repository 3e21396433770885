-- Contacts that were erased: that there was one, and nothing of whom. Their messages keep the id, and are returned without what was
-- in them from the commit of this row on, long before the last of them is rewritten.
create table erased_contact (
  workspace_id uuid not null,
  -- Of the contact, or of a record that was merged into it.
  id uuid not null,
  -- The record that stood for the person.
  person uuid not null,
  erased_at timestamptz not null,
  -- As of a contact: the transaction that changed it, for readers who synchronise.
  changed_era int not null default current_era(),
  changed_in xid8 not null default pg_current_xact_id(),
  -- Messages of this record from this one on have lost their content; null: none yet.
  redacted_from uuid,
  -- When all had, those of calls that began before the erasure among them.
  redacted_at timestamptz,
  primary key (workspace_id, id)
);
create index erased_contact_changed on erased_contact (workspace_id, changed_era, changed_in, id) where erased_at > '-infinity';
create index erased_contact_person on erased_contact (workspace_id, person) where erased_at > '-infinity';
select protect_tenant_table('erased_contact', 'select', 'insert, select, update');

-- Whose data is in the kept answer of an idempotency key: it is erased with them.
create table kept_answer_contact (
  workspace_id uuid not null,
  contact_id uuid not null,
  digest bytea not null,
  created_at timestamptz not null,
  primary key (workspace_id, contact_id, digest)
);
select protect_tenant_table('kept_answer_contact', 'insert, select', 'delete, select');

-- A message never changes but for this: what was in it, and whom it was exchanged with.
do $$
begin
  execute format('grant update (content, fallback, provided, recipient, reference, sender) on message to %I',
    (select engine_role from installation));
  execute format('grant delete on contact_merge to %I', (select engine_role from installation));
end $$;

-- The id of a reported status in the log of messages: its time, and a hash of what it is of. So the log has an order and places of its
-- own without a column.
create function history_entry_id(at timestamptz, message uuid, report int) returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex(greatest(0, floor(extract(epoch from at) * 1000))::bigint), 12, '0')
    || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid
  from (select md5(message::text || report::text) as h) x
$$;

-- Who opted out of marketing and was erased, by a keyed digest of each number and user id: nobody is named by it, and whoever has one of
-- them again has still opted out.
create table opt_out_of_erased (
  workspace_id uuid not null,
  digest uuid not null,
  -- As of the contact's consent.
  source text,
  primary key (workspace_id, digest)
);
select protect_tenant_table('opt_out_of_erased', 'select', 'delete, insert, select');

create function person_digest(of_workspace uuid, kind text, scope text, value text) returns uuid language sql stable as $$
  select recipient_digest(concat_ws(' ', of_workspace, kind, scope, value))
$$;

-- As triggers, because new people come in several ways, in those of earlier versions too, and some are named before they are stored.
-- Once a statement: of nearly every workspace the table is empty, and a call for each row would cost more than the look.
create function recall_opt_out(of_workspace uuid, of_contact uuid) returns void language plpgsql as $$
declare
  known opt_out_of_erased;
begin
  select o.* into known from identifier i
  cross join lateral (
    select o.* from opt_out_of_erased o
    where o.workspace_id = of_workspace and o.digest = person_digest(of_workspace, i.kind, i.scope, i.value) offset 0) o
  where i.workspace_id = of_workspace and i.contact_id = of_contact and i.value <> '' and i.until is null
    and i.kind in ('phone', 'user_id')
  limit 1;
  if found then
    update contact c set marketing_consent = 'opted_out', consent_source = known.source
    where c.workspace_id = of_workspace and c.id = of_contact and c.marketing_consent = 'unknown' and c.merged_into is null;
  end if;
end
$$;
create function recall_opt_outs_of_contacts() returns trigger language plpgsql as $$
begin
  perform recall_opt_out(f.workspace_id, f.id) from fresh f
  cross join lateral (select from opt_out_of_erased o where o.workspace_id = f.workspace_id limit 1) o;
  return null;
end
$$;
create function recall_opt_outs_of_names() returns trigger language plpgsql as $$
begin
  perform recall_opt_out(f.workspace_id, f.contact_id) from fresh f
  cross join lateral (select from opt_out_of_erased o where o.workspace_id = f.workspace_id limit 1) o
  where f.kind in ('phone', 'user_id') and f.until is null;
  return null;
end
$$;
create trigger recall_opt_out after insert on contact referencing new table as fresh
  for each statement execute function recall_opt_outs_of_contacts();
create trigger recall_opt_out after insert on identifier referencing new table as fresh
  for each statement execute function recall_opt_outs_of_names();
