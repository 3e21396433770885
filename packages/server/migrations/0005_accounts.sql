create sequence phone_number_lane as int;
select grant_sequence('phone_number_lane');

create table business_account (
  workspace_id uuid not null references workspace,
  id uuid not null,
  provider_account_id text not null,
  name text not null default '',
  status text not null check (status in ('connecting', 'connected', 'restricted', 'disconnected')),
  status_reason text,
  portfolio_id text,
  -- Sealed; null once disconnected by the workspace. A new token waits beside the old one until the provider has taken it.
  access_token bytea,
  pending_token bytea,
  -- When the present token was taken: a refusal that speaks of an older one must not end the connection.
  token_since timestamptz,
  -- The job that connects it; while it runs, `POST /v1/business-accounts` waits for it.
  job_id uuid not null,
  imported_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create unique index business_account_provider on business_account (workspace_id, provider_account_id);
-- The engine decides by status and tells of its change; the tokens are read by the workspace's own role alone.
select protect_tenant_table('business_account', 'select, insert, update, delete',
  'select (workspace_id, id, provider_account_id, name, status, status_reason, portfolio_id, created_at, updated_at), update (status, status_reason, updated_at)');

create table phone_number (
  workspace_id uuid not null,
  id uuid not null,
  business_account_id uuid not null,
  provider_phone_number_id text not null,
  phone text not null,
  verified_name text,
  quality text not null,
  status text not null,
  throughput_per_second int not null default 80,
  description text,
  is_default boolean not null default false,
  lane int not null default nextval('phone_number_lane'),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, business_account_id) references business_account on delete cascade
);
create unique index phone_number_provider on phone_number (workspace_id, provider_phone_number_id);
create unique index phone_number_default on phone_number (workspace_id) where is_default;
create index phone_number_account on phone_number (workspace_id, business_account_id);
create index phone_number_lane_number on phone_number (lane);
select protect_tenant_table('phone_number', 'select, insert, update, delete', 'select');

-- Callbacks find their workspace by these alone (allow-list): a number or account belongs to one workspace.
create table phone_number_route (
  provider_phone_number_id text primary key,
  workspace_id uuid not null,
  phone_number_id uuid not null
);
create table business_account_route (
  provider_account_id text primary key,
  workspace_id uuid not null,
  business_account_id uuid not null
);
select grant_engine('phone_number_route', 'select, insert, update, delete');
select grant_engine('business_account_route', 'select, insert, update, delete');
