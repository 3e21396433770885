-- The provider's callbacks as received, byte for byte, before anything is understood (allow-list: no workspace yet).
create table callback (
  id uuid not null,
  received_at timestamptz not null,
  body bytea not null,
  primary key (id)
) partition by range (id);
select grant_engine('callback', 'select, insert');

-- Changes that were not understood or had no owner: counted, listed, replayable, never lost (allow-list).
create table quarantine (
  id uuid primary key,
  callback_id uuid,
  provider_phone_number_id text,
  provider_account_id text,
  reason text not null,
  change json,
  created_at timestamptz not null,
  replayed_at timestamptz
);
create index quarantine_phone_number on quarantine (provider_phone_number_id);
create index quarantine_account on quarantine (provider_account_id);
create index quarantine_callback on quarantine (callback_id);
select grant_engine('quarantine', 'select, insert, update');
