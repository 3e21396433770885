create table note (
  workspace_id uuid not null references workspace,
  id uuid not null,
  text text not null,
  created_at timestamptz not null,
  primary key (workspace_id, id)
);
select protect_tenant_table('note', 'select, insert, delete', '');
