-- Attempts to deliver that were stored together, until they are added to `metric`.
create table attempt_count (
  workspace_id uuid not null,
  id uuid not null,
  webhook_endpoint_id uuid not null,
  outcome text not null,
  -- The beginning of the five minutes in which they began.
  at timestamptz not null,
  bin smallint not null,
  count bigint not null,
  primary key (workspace_id, id)
);
select protect_tenant_table('attempt_count', '', 'select, insert, delete');
