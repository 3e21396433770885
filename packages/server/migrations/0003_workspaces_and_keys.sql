create table workspace (
  workspace_id uuid primary key,
  name text not null,
  status text not null default 'active' check (status in ('active', 'suspended')),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
select protect_tenant_table('workspace', 'select, insert, update', 'select');

create table api_key (
  workspace_id uuid not null references workspace,
  id uuid not null,
  name text not null,
  scopes text[] not null,
  -- First characters after the prefix, to recognise a key in a list; never enough to use it.
  hint text not null,
  digest bytea not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  -- The newer key that rotation made; this one ends with the overlap.
  replaced_by uuid,
  last_used_at timestamptz,
  created_at timestamptz not null,
  primary key (workspace_id, id)
);
select protect_tenant_table('api_key', 'select, insert, update', 'select, update (last_used_at)');

-- The way from a presented key to its workspace, before any workspace is known (allow-list). Written with the key, never read by app.
create table key_digest (
  digest bytea primary key,
  workspace_id uuid not null,
  api_key_id uuid not null
);
select grant_engine('key_digest', 'select');
-- A revoked key keeps its row: the key row says that it is dead.
do $$ begin execute format('grant insert on key_digest to %I', (select app_role from installation)); end $$;

create table idempotency_key (
  workspace_id uuid not null,
  digest bytea not null,
  fingerprint bytea not null,
  resource_id text not null default '',
  -- Messages are rendered again from their row; other answers keep their bytes, sealed.
  status smallint,
  answer bytea,
  headers json,
  created_at timestamptz not null,
  primary key (workspace_id, digest)
);
select protect_tenant_table('idempotency_key', 'select, insert, update, delete', 'select, insert, update, delete');
