-- The time zone that the provider bills an account in, by its IANA name; null: not known.
alter table business_account add column time_zone text;
do $$ begin
  execute format('grant select (time_zone) on business_account to %I', (select engine_role from installation));
end $$;

-- Service messages of a number that were delivered, by when: a day, and a quarter of an hour in the first and last day of a month, in UTC.
-- So the month of any time zone can be summed up.
create table service_use (
  workspace_id uuid not null,
  phone_number_id uuid not null,
  at timestamptz not null,
  count bigint not null,
  primary key (workspace_id, phone_number_id, at)
);
select protect_tenant_table('service_use', 'select', 'select, insert, update, delete');

-- The events with ids from `first` up to below `until` are looked through together, and again as they get older, for a month. As of usage.
create table service_slice (
  workspace_id uuid not null,
  first uuid not null,
  until uuid not null,
  -- What of them is in service_use.
  groups json not null default '[]',
  events int not null default 0,
  -- When they are looked through again.
  due timestamptz not null,
  primary key (workspace_id, first)
) with (fillfactor = 70);
create index service_slice_due on service_slice (due);
select protect_tenant_table('service_slice', '', 'select, insert, update, delete');

-- Events with ids from here on are in no slice yet.
create table service_frontier (
  workspace_id uuid primary key,
  next uuid not null
);
select protect_tenant_table('service_frontier', '', 'select, insert, update');
