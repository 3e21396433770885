create table template (
  workspace_id uuid not null,
  id uuid not null,
  business_account_id uuid not null,
  provider_template_id text not null,
  name text not null,
  language text not null,
  category text not null,
  status text not null,
  quality text not null,
  parameter_format text not null,
  components json not null,
  rejection_reason text,
  -- Grows with each change, so that accept notices that its cached definition is old.
  revision int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, business_account_id) references business_account on delete cascade
);
create unique index template_name on template (workspace_id, business_account_id, name, language);
create index template_provider on template (workspace_id, provider_template_id);
select protect_tenant_table('template', 'select, insert, update, delete', 'select, insert, update');
