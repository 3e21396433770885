-- Every process has one row here; it is the only lease. Slots of each kind of lane are owned by workers.
create table worker (
  id uuid primary key,
  roles text[] not null,
  version text not null,
  expires_at timestamptz not null
);

create table slot (
  kind smallint not null,
  slot smallint not null,
  owner uuid,
  epoch int not null default 0,
  primary key (kind, slot)
) with (fillfactor = 20);
insert into slot (kind, slot)
select kind, slot from generate_series(1, 4) kind, generate_series(0, current_setting('waypost.slots')::int - 1) slot;
select grant_engine('slot', 'select');

-- The fence for a lost commit answer: each writing call leaves its id here; see db/fence.ts.
create table flight (
  id uuid primary key,
  at timestamptz not null default clock_timestamp()
);
select grant_engine('flight', 'insert');
do $$ begin execute format('grant insert on flight to %I', (select app_role from installation)); end $$;

-- Which installed functions are still used by a running version.
create table function_use (
  name text primary key,
  last_used timestamptz not null default clock_timestamp()
);
