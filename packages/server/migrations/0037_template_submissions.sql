-- A template that is being created, edited or deleted at the provider: committed before the first byte leaves, and deleted in the
-- transaction that stores the outcome. What a lost answer or a killed process leaves behind is settled by reading the template.
create table template_submission (
  workspace_id uuid not null,
  business_account_id uuid not null,
  name text not null,
  language text not null,
  operation text not null check (operation in ('create', 'edit', 'delete')),
  -- Of operation and definition, as the client gave them: a repetition has the same.
  digest bytea not null,
  -- The template that had this name and language when it began.
  provider_template_id text,
  started_at timestamptz not null,
  -- Until then the request that began it is at work. Later, the next request about the template, or the task, settles it.
  lease_until timestamptz not null,
  -- Grows when another request takes over: what the former one writes late finds no row.
  attempt int not null default 1,
  primary key (workspace_id, business_account_id, name, language),
  foreign key (workspace_id, business_account_id) references business_account on delete cascade
);
select protect_tenant_table('template_submission', 'delete, insert, select, update', '');
