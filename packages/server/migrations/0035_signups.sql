-- Embedded signups: the way from the code of the provider's dialog to a connected account, step by step. Secrets are sealed.
create table embedded_signup (
  workspace_id uuid not null references workspace,
  id uuid not null,
  status text not null check (status in ('pending', 'running', 'completed', 'failed')),
  -- What the caller named; the account also once its ownership is verified.
  provider_account_id text,
  provider_phone_number_id text,
  business_account_id uuid,
  -- The steps that are done, in their order: name, detail, completed_at.
  done json not null,
  -- Why the next step has failed, or is tried again.
  error json,
  -- Accounts that the token was granted, by the provider's ids; null: all, or not known yet.
  granted text[],
  code bytea,
  -- When the code came: it lives for seconds only.
  code_at timestamptz not null,
  access_token bytea,
  token_expires_at timestamptz,
  pin bytea,
  has_secrets boolean not null,
  -- The run that is working on it. Each of its writes compares the claim, so one that was overtaken writes nothing.
  claim uuid,
  claimed_until timestamptz,
  -- Tries of the next step that came to nothing.
  tries smallint not null,
  next_try_at timestamptz not null,
  deadline_at timestamptz not null,
  -- When the next thing happens to it without a run: given up, secrets erased, deleted.
  sweep_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (workspace_id, id)
);
create index embedded_signup_sweep on embedded_signup (sweep_at);
-- The engine sweeps: it may erase secrets and not read them.
select protect_tenant_table('embedded_signup', 'insert, select, update',
  'delete, select (workspace_id, id, status, has_secrets, sweep_at), update (status, error, code, access_token, pin, has_secrets, claim, sweep_at, updated_at)');

-- The two-step PIN that a number was registered with, sealed: the provider asks for the same one the next time.
create table phone_number_pin (
  workspace_id uuid not null references workspace,
  provider_phone_number_id text not null,
  pin bytea not null,
  created_at timestamptz not null,
  primary key (workspace_id, provider_phone_number_id)
);
select protect_tenant_table('phone_number_pin', 'insert, select, update', '');
