create table note (
  workspace_id uuid not null references workspace,
  id uuid not null,
  text text not null,
  topic text,
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
-- For the filter by topic, in the order of the list.
create index note_by_topic on note (workspace_id, topic, id) where topic is not null;
select protect_tenant_table('note', 'select, insert, update, delete', '');
