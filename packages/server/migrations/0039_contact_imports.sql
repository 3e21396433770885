-- Imports of contacts: a file that a task reads from beginning to end. Each step writes some contacts and moves the import ahead in one
-- transaction, so that a killed process repeats nothing.
create table contact_import (
  workspace_id uuid not null references workspace,
  id uuid not null,
  status text not null check (status in ('pending', 'running', 'completed', 'failed', 'canceled')),
  format text not null check (format in ('csv', 'ndjson')),
  -- What the client asked for: header → field, null for a column to ignore.
  mapping json not null,
  -- Of CSV: what separates cells, and the field of each column, null for one that is ignored.
  delimiter text,
  targets json,
  total_bytes bigint not null,
  -- What is done: bytes of the file, its lines, and rows with what became of them.
  bytes bigint not null,
  lines bigint not null,
  rows bigint not null,
  created bigint not null,
  updated bigint not null,
  failed bigint not null,
  error json,
  -- The task that reads it.
  job_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (workspace_id, id)
);
-- For the sweep of all workspaces: what should go on, and what ended long ago.
create index contact_import_active on contact_import (created_at) where completed_at is null;
create index contact_import_completed on contact_import (completed_at) where completed_at is not null;
select protect_tenant_table('contact_import', 'insert, select, update',
  'delete, select (workspace_id, id, status, job_id, created_at, completed_at), update (status, error, updated_at, completed_at)');

-- What is wrong with rows of a file: where and why, and nothing of what they say of a person.
create table contact_import_error (
  workspace_id uuid not null references workspace,
  import_id uuid not null,
  row_number bigint not null,
  line bigint not null,
  -- As the file calls it; null: the row as a whole.
  column_name text,
  code text not null,
  detail text not null,
  primary key (workspace_id, import_id, row_number)
);
select protect_tenant_table('contact_import_error', 'insert, select', 'delete, select (workspace_id, import_id)');
