-- Larger is later within a conversation, over messages and events; gaps mean nothing.
create sequence conversation_sequence;
select grant_sequence('conversation_sequence');

-- Immutable and wide: every field of the first answer stands here, so that a replay renders the same bytes.
create table message (
  workspace_id uuid not null,
  id uuid not null,
  outbound boolean not null,
  phone_number_id uuid not null,
  contact_id uuid not null,
  recipient text,
  sender text,
  type text not null,
  content json not null,
  reply_to uuid,
  reference text,
  category text,
  template_id uuid,
  send_at timestamptz,
  expires_at timestamptz,
  resend_once boolean not null default false,
  estimated_dispatch_at timestamptz,
  sequence bigint not null,
  created_at timestamptz not null,
  primary key (workspace_id, id)
) partition by range (id);
create index message_contact on message (workspace_id, contact_id, id);
create index message_reference on message (workspace_id, reference, id) where reference is not null;
select protect_tenant_table('message', 'select', 'select, insert');

-- Thin and changing: one conditional update on `seen` decides whether a reported status is new. Apart from `message`
-- because updates of the wide row cost 4.9 times the WAL and never stay on their page.
create table message_state (
  workspace_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  -- One number for the pair of phone number and person: order at the number and at ordered endpoints.
  conversation bigint not null,
  seen int not null default 0,
  rank smallint not null default 0,
  -- The ticket of the queue row, from which queued, sending and scheduled are read.
  slot smallint,
  seq bigint,
  accepted_at timestamptz,
  sent_at timestamptz,
  delivered_at timestamptz,
  read_at timestamptz,
  failed_at timestamptz,
  provider_message_id text,
  possible_duplicate boolean not null default false,
  error json,
  pricing json,
  primary key (workspace_id, id)
) partition by range (id);
select protect_tenant_table('message_state', 'select', 'select, insert, update');

-- One row for each status ever reported of a message: its history and its audit log.
create table history (
  workspace_id uuid not null,
  message_id uuid not null,
  bit int not null,
  at timestamptz not null,
  received_at timestamptz not null,
  error json,
  primary key (workspace_id, message_id, bit)
) partition by range (message_id);
select protect_tenant_table('history', 'select', 'select, insert');

-- One row for each try at the provider, written with its outcome.
create table attempt (
  workspace_id uuid not null,
  message_id uuid not null,
  attempt smallint not null,
  completed_at timestamptz not null,
  outcome text not null,
  provider_message_id text,
  error json,
  primary key (workspace_id, message_id, attempt)
) partition by range (message_id);
select protect_tenant_table('attempt', 'select', 'select, insert');

-- Uniqueness over partitions needs a table without them: from a provider id to our message, both directions.
create table provider_message (
  workspace_id uuid not null,
  provider_message_id text not null,
  message_id uuid not null,
  created_at timestamptz not null,
  primary key (workspace_id, provider_message_id)
);
select protect_tenant_table('provider_message', 'select', 'select, insert, delete');

-- A status whose message is not known yet waits here until the send's outcome names it.
create table parked_status (
  workspace_id uuid not null,
  provider_message_id text not null,
  bit int not null,
  at timestamptz not null,
  received_at timestamptz not null,
  error json,
  pricing json,
  primary key (workspace_id, provider_message_id, bit)
);
create index parked_status_received on parked_status (received_at);
select protect_tenant_table('parked_status', '', 'select, insert, delete');
