-- Sessions of people at the console: of an API key, or of the operator (the nil workspace), who may have entered a workspace. The cookie has
-- the place of the row and 32 random bytes, of which the row has the SHA-256. The key itself is not here.
create table console_session (
  workspace_id uuid not null,
  id uuid not null,
  digest bytea not null,
  api_key_id uuid,
  -- SHA-256 of the operator key that it was begun with: it ends when that changes.
  operator_digest bytea,
  entered_id uuid,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  ip text,
  user_agent text,
  primary key (workspace_id, id)
);
select protect_tenant_table('console_session', 'delete, insert, select, update', 'delete, select');
-- The session by which a call came; null for all that came with a key. Rows of processes of before have none.
alter table audit add column session uuid;
