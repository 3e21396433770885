-- Links by which a client without access to the console connects an account by the provider's dialog. The link's secret has the place of its
-- row and 32 random bytes, of which the row has the SHA-256.
create table setup_link (
  workspace_id uuid not null references workspace,
  id uuid not null,
  digest bytea not null,
  return_url text,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- The signup that was begun with it; it can be resumed, and there is never a second one. When that is completed, the link is used.
  embedded_signup_id uuid,
  -- SHA-256 of the last code that the dialog gave: the same one begins nothing again.
  code_digest bytea,
  created_at timestamptz not null,
  primary key (workspace_id, id)
);
select protect_tenant_table('setup_link', 'delete, insert, select, update', 'delete, select');
