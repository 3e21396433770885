-- The secret that signs what the endpoints get which clients of the provider's API set up; sealed. No row: there is none.
create table front_secret (
  workspace_id uuid primary key,
  secret bytea not null,
  updated_at timestamptz not null
);
select protect_tenant_table('front_secret', 'delete, insert, select, update', '');
