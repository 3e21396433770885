-- What the provider has said of accounts, numbers and templates, each once: it repeats a callback for up to a week.
create table provider_notice (
  workspace_id uuid not null,
  digest bytea not null,
  created_at timestamptz not null,
  -- The provider's time, where it gives one; of what a read has found, when that was.
  at timestamptz,
  -- The rest is of templates alone: a change that a callback reports, or one that a read has found.
  provider_template_id text,
  -- The kind of its event, and what that has.
  kind text,
  previous text,
  current text,
  reason text,
  detail json,
  effective_at timestamptz,
  found boolean not null default false,
  -- When it becomes an event; null: it has.
  event_due timestamptz,
  -- A callback and a read that are about the same change: one event for both.
  matched boolean not null default false,
  -- It became an event without a read: the next one finds the same change.
  told_unread boolean not null default false,
  primary key (workspace_id, digest)
);
create index provider_notice_template on provider_notice (workspace_id, provider_template_id)
  where provider_template_id is not null;
select protect_tenant_table('provider_notice', 'insert, select, update', 'delete, insert, select, update');

-- When the provider is next asked for everything that is known of an account; null: six hours after it was created.
alter table business_account add column reconcile_at timestamptz;
do $$ begin
  execute format('grant select (reconcile_at) on business_account to %I', (select engine_role from installation));
end $$;
