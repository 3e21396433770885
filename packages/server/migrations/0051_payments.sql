-- What a callback says of a payment whose message is not known: it waits to be joined, for a week, and most are of messages that
-- another system sends from the same number.
create table parked_payment (
  workspace_id uuid not null,
  provider_message_id text not null,
  -- Of reference and status.
  digest bytea not null,
  phone_number_id uuid not null,
  reference text,
  status text not null,
  at timestamptz not null,
  received_at timestamptz not null,
  look_at timestamptz not null,
  primary key (workspace_id, provider_message_id, digest)
);
create index parked_payment_look on parked_payment (look_at);
create index parked_payment_number on parked_payment (phone_number_id, received_at);
select protect_tenant_table('parked_payment', '', 'delete, insert, select, update');
