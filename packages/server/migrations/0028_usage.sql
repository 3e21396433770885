-- Messages by day, as `count_usage` last counted them. A group that has become empty stays, with 0.
create table usage_day (
  workspace_id uuid not null,
  day date not null,
  phone_number_id uuid not null,
  outbound boolean not null,
  status text not null,
  -- '' without one.
  category text not null,
  count bigint not null,
  billable bigint not null,
  primary key (workspace_id, day, phone_number_id, outbound, status, category)
);
select protect_tenant_table('usage_day', 'select', 'select, insert, update');

-- The messages with ids from `first` up to below `until`, all of one day, are counted together and again as they get older, for a month.
create table usage_slice (
  workspace_id uuid not null,
  first uuid not null,
  until uuid not null,
  -- What of them is in usage_day.
  groups json not null default '[]',
  messages int not null default 0,
  -- When they are counted again.
  due timestamptz not null,
  primary key (workspace_id, first)
) with (fillfactor = 70);
create index usage_slice_due on usage_slice (due);
select protect_tenant_table('usage_slice', '', 'select, insert, update, delete');

-- Messages with ids from here on are in no slice yet.
create table usage_frontier (
  workspace_id uuid primary key,
  next uuid not null
);
select protect_tenant_table('usage_frontier', '', 'select, insert, update');

-- The smallest UUIDv7 of a millisecond, and the time of one.
create function uuid_floor(at timestamptz) returns uuid language sql immutable parallel safe as $$
  select (lpad(to_hex(greatest(0, floor(extract(epoch from at) * 1000))::bigint), 12, '0') || '70008000000000000000')::uuid
$$;
create function uuid_time(id uuid) returns timestamptz language sql immutable parallel safe as $$
  select to_timestamp(('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
$$;
