create table contact (
  workspace_id uuid not null,
  id uuid not null,
  -- E.164 with +; null for people without a visible number.
  phone text,
  wa_id text,
  user_id text,
  name text,
  marketing_consent text not null default 'unknown' check (marketing_consent in ('unknown', 'opted_in', 'opted_out')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
create unique index contact_phone on contact (workspace_id, phone);
create unique index contact_user_id on contact (workspace_id, user_id);
create index contact_wa_id on contact (workspace_id, wa_id) where wa_id is not null;
select protect_tenant_table('contact', 'select, insert, update, delete', 'select, insert, update');

-- The 24-hour window belongs to a pair of number and person; it is counted from the provider's time of the last inbound message.
create table conversation (
  workspace_id uuid not null,
  contact_id uuid not null,
  phone_number_id uuid not null,
  last_inbound_at timestamptz,
  last_message_at timestamptz not null,
  primary key (workspace_id, contact_id, phone_number_id)
) with (fillfactor = 70);
select protect_tenant_table('conversation', 'select, delete', 'select, insert, update');
