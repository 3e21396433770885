-- Append only: no role may change or delete a row.
create table audit (
  workspace_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  actor_type text not null,
  actor_id uuid,
  actor_name text,
  action text not null,
  resource_type text,
  resource_id text,
  method text,
  path text,
  request_id text,
  ip text,
  user_agent text,
  status smallint,
  code text,
  changes json,
  primary key (workspace_id, id)
) partition by range (id);
select protect_tenant_table('audit', 'select, insert', 'insert');
