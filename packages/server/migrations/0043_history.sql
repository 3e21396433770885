-- Until when a number or user id was that of somebody who was erased, by a keyed digest of it: what the provider tells later of that time
-- (a history, a phone book) is of the erased person, and is not taken. Kept as long as a history reaches back.
create table erased_name (
  workspace_id uuid not null,
  digest uuid not null,
  until timestamptz not null,
  created_at timestamptz not null,
  primary key (workspace_id, digest)
);
select protect_tenant_table('erased_name', '', 'delete, insert, select, update');

-- As a trigger, so that processes of earlier versions keep them too. The names are still there when the row is written.
create function keep_erased_names() returns trigger language plpgsql as $$
begin
  insert into erased_name as e (workspace_id, digest, until, created_at)
  select f.workspace_id, person_digest(f.workspace_id, i.kind, i.scope, i.value), max(least(i.until, f.erased_at)), max(f.erased_at)
  from fresh f
  cross join lateral (
    select i.* from identifier i
    where i.workspace_id = f.workspace_id and i.contact_id = f.id and i.value <> '' and i.kind in ('phone', 'user_id') offset 0) i
  group by 1, 2
  order by 1, 2
  on conflict (workspace_id, digest) do update set until = greatest(e.until, excluded.until), created_at = excluded.created_at;
  return null;
end
$$;
create trigger keep_erased_names after insert on erased_contact referencing new table as fresh
  for each statement execute function keep_erased_names();

-- The file of a message of the history may come after the message: its type is not known before.
do $$
begin
  execute format('grant update (type) on message to %I', (select engine_role from installation));
end $$;

-- The name that the phone book of the business's own phone gave last: a later one replaces it, unless a client gave another.
alter table contact add column phone_app_name text;

-- Events of accounts of earlier versions have what people wrote and what they are called: a task takes it out, of each workspace once.
create table emptied_event (
  workspace_id uuid not null primary key,
  -- Events up to this one have been looked at.
  next uuid not null,
  -- All have been, and no process of an earlier version runs any more.
  done_at timestamptz
);
select protect_tenant_table('emptied_event', '', 'insert, select, update');
do $$ begin
  execute format('grant update (state) on event to %I', (select engine_role from installation));
end $$;
