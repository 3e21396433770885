-- What this database knows about itself. The two roles are named after the database that was installed, because roles are
-- cluster-wide; a clone of the database keeps using them by these names. `era` grows when a dump is restored elsewhere.
create table installation (
  singleton boolean primary key default true check (singleton),
  app_role text not null,
  engine_role text not null,
  slots smallint not null,
  era int not null default 1,
  system_identifier text not null
);
insert into installation (app_role, engine_role, slots, system_identifier)
values (current_setting('waypost.app_role'), current_setting('waypost.engine_role'), current_setting('waypost.slots')::smallint,
        (select system_identifier::text from pg_control_system()));

do $$
begin
  execute format('grant usage on schema public to %I, %I', current_setting('waypost.app_role'), current_setting('waypost.engine_role'));
  execute format('grant select on installation to %I, %I', current_setting('waypost.app_role'), current_setting('waypost.engine_role'));
end $$;

-- Gives a tenant table its walls: row-level security that binds the owner too, one policy a role, and the grants named.
-- The setting is read directly, so that the planner uses it as an index condition.
create function protect_tenant_table(t regclass, app_grants text, engine_grants text) returns void language plpgsql as $$
declare
  app text := (select app_role from installation);
  engine text := (select engine_role from installation);
  mine text := 'workspace_id = nullif(current_setting(''app.workspace_id'', true), '''')::uuid';
begin
  execute format('alter table %s enable row level security', t);
  execute format('alter table %s force row level security', t);
  execute format('create policy app on %s to %I using (%s) with check (%s)', t, app, mine, mine);
  execute format('create policy engine on %s to %I using (true) with check (true)', t, engine);
  if app_grants <> '' then execute format('grant %s on %s to %I', app_grants, t, app); end if;
  if engine_grants <> '' then execute format('grant %s on %s to %I', engine_grants, t, engine); end if;
end $$;

-- Tables without a workspace (the allow-list of the catalogue test): grants only.
create function grant_engine(t regclass, engine_grants text) returns void language plpgsql as $$
begin
  execute format('grant %s on %s to %I', engine_grants, t, (select engine_role from installation));
end $$;

create function grant_sequence(s regclass) returns void language plpgsql as $$
begin
  execute format('grant usage on sequence %s to %I, %I', s, (select app_role from installation), (select engine_role from installation));
end $$;

-- A UUIDv7 (RFC 9562) made in the database, for rows that database functions write. 18 has its own; 15 must work.
create function new_uuid(at timestamptz) returns uuid language sql volatile parallel safe as $$
  select encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid()) placing substring(int8send((extract(epoch from at) * 1000)::bigint) from 3) from 1 for 6),
      52, 1), 53, 1), 'hex')::uuid
$$;
