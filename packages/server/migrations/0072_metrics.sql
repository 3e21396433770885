-- What happened in each interval, counted by a value: the status, the category …
create table metric (
  workspace_id uuid not null,
  -- What is counted, and what `value` is of it: see features/metrics/metric.sql.ts.
  series text not null,
  -- Minutes of an interval: 5, 60 or 1440, each from the beginning of a day in UTC.
  span smallint not null,
  at timestamptz not null,
  -- The phone number, or the webhook endpoint.
  resource_id uuid not null,
  value text not null,
  -- How long it took, in steps of a tenth; -1: the count of all, with a time or without.
  bin smallint not null,
  count bigint not null,
  primary key (workspace_id, series, span, at, resource_id, value, bin)
) with (fillfactor = 70);
select protect_tenant_table('metric', 'select', 'select, insert, update, delete');

-- The place in the order of the feed up to which a workspace's events are counted.
create table metric_frontier (
  workspace_id uuid primary key,
  era int not null default current_era(),
  xid xid8 not null default pg_current_xact_id(),
  id uuid not null,
  -- Events of a day before this are counted.
  looked_at timestamptz not null
) with (fillfactor = 50);
select protect_tenant_table('metric_frontier', '', 'select, insert, update');
