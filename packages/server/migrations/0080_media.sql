-- Files that messages have: uploaded to be sent, or sent by people. The bytes are in the file store; a row of media is what clients see.
create table media (
  workspace_id uuid not null references workspace,
  id uuid not null,
  source text not null check (source in ('upload', 'inbound')),
  status text not null check (status in ('pending', 'available', 'failed')),
  -- What it can be sent as, or came as.
  type text not null check (type in ('image', 'video', 'audio', 'document', 'sticker')),
  -- By its content; of one that is not here yet as the provider said it.
  mime_type text,
  size bigint,
  sha256 bytea,
  filename text,
  -- Set of what is available.
  file_id uuid,
  -- Of what people sent.
  message_id uuid,
  contact_id uuid,
  phone_number_id uuid,
  error json,
  created_at timestamptz not null,
  -- When it was last used, as far as retention has looked.
  used_at timestamptz not null,
  primary key (workspace_id, id),
  check ((status = 'available') = (file_id is not null))
);
create index media_by_message on media (workspace_id, message_id, id) where message_id is not null;
create index media_by_contact on media (workspace_id, contact_id) where contact_id is not null;
create index media_by_file on media (workspace_id, file_id) where file_id is not null;
-- For filters of the list, which say the predicate.
create index media_by_source on media (workspace_id, source, id) where source > '';
create index media_not_here on media (workspace_id, status, id) where status <> 'available';
-- For retention in all workspaces.
create index media_by_use on media (used_at) where used_at > '-infinity';
select protect_tenant_table('media', 'delete, insert, select, update', 'delete, insert, select, update');

-- The files of a workspace. One that two media share is stored once. At `sweep_at` it is deleted unless a media names it by then: so a
-- transfer that was killed leaves nothing, and one that finds the bytes here already keeps them until its row is committed.
create table media_file (
  workspace_id uuid not null references workspace,
  id uuid not null,
  sha256 bytea not null,
  size bigint not null,
  -- `leaving`: its bytes are being deleted, no media can name it any more.
  state text not null check (state in ('arriving', 'stored', 'leaving')),
  sweep_at timestamptz,
  primary key (workspace_id, id)
);
create index media_file_by_digest on media_file (workspace_id, sha256) where state = 'stored';
create index media_file_due on media_file (sweep_at) where sweep_at is not null;
select protect_tenant_table('media_file', 'delete, insert, select, update', 'delete, select, update');
alter table media add constraint media_has_file foreign key (workspace_id, file_id) references media_file;

-- Which messages name a media that was uploaded, and to whom they go: it is kept while one of them may need it, and erased with the only
-- person who got it.
create table media_use (
  workspace_id uuid not null references workspace,
  media_id uuid not null,
  message_id uuid not null,
  contact_id uuid not null,
  -- When the message is to be sent.
  used_at timestamptz not null,
  primary key (workspace_id, media_id, message_id)
);
create index media_use_by_contact on media_use (workspace_id, contact_id) where used_at > '-infinity';
select protect_tenant_table('media_use', 'delete, insert, select', 'delete, insert, select');

-- The ids that the provider knows a media by, one for each number that sends it. Until `lease_until` one process uploads it, or none tries again.
create table media_at_provider (
  workspace_id uuid not null,
  media_id uuid not null,
  phone_number_id uuid not null,
  provider_media_id text,
  uploaded_at timestamptz,
  expires_at timestamptz,
  lease_until timestamptz,
  -- Uploads that failed in a row.
  attempts smallint not null default 0,
  error json,
  primary key (workspace_id, media_id, phone_number_id),
  foreign key (workspace_id, media_id) references media on delete cascade
);
select protect_tenant_table('media_at_provider', 'delete, insert, select, update', 'delete, insert, select, update');

-- Media of people that is not fetched from the provider yet.
create table media_fetch (
  workspace_id uuid not null,
  media_id uuid not null,
  phone_number_id uuid not null,
  provider_media_id text not null,
  last_error json,
  created_at timestamptz not null,
  primary key (workspace_id, media_id),
  foreign key (workspace_id, media_id) references media on delete cascade
);
select protect_tenant_table('media_fetch', 'delete, insert, select, update', 'delete, insert, select, update');

-- The directory in which a process keeps files; null: another kind of store, or a process of before. Two that differ do not share theirs.
alter table worker add column directory_id uuid;
