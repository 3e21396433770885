-- The queues of the lanes (lanes/queue.ts): thin, no foreign keys, no state in an index. `due` is -infinity for fresh
-- rows and "not before" for the others; `seq` orders a lane. Rows are read above a moving watermark, never claimed, so
-- dead rows cost nothing; truncation is off because it locks the hottest tables exclusively.
create table dispatch (
  slot smallint not null,
  lane int not null,
  due timestamptz not null default '-infinity',
  seq bigint generated always as identity,
  workspace_id uuid not null,
  message_id uuid not null,
  recipient bigint not null,
  expires_at timestamptz,
  attempt smallint not null default 0,
  state smallint not null default 0,
  worker uuid,
  started_at timestamptz,
  primary key (slot, seq, workspace_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
create index dispatch_lane on dispatch (slot, lane, due, seq);
select protect_tenant_table('dispatch', 'select', 'select, insert, update, delete');
-- Accepting draws its numbers itself, to write them into the message's state as well.
select grant_sequence('dispatch_seq_seq');

-- A recipient whose rows wait for an earlier one: order survives a change of owner.
create table held (
  slot smallint not null,
  lane int not null,
  workspace_id uuid not null,
  recipient bigint not null,
  seq bigint not null,
  until timestamptz not null,
  primary key (slot, lane, recipient, workspace_id)
) with (fillfactor = 70);
select protect_tenant_table('held', '', 'select, insert, update, delete');

create table deliver (
  slot smallint not null,
  lane int not null,
  due timestamptz not null default '-infinity',
  seq bigint generated always as identity,
  workspace_id uuid not null,
  delivery_id uuid not null,
  event_id uuid not null,
  conversation bigint not null,
  attempt smallint not null default 0,
  primary key (slot, seq, workspace_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
create index deliver_lane on deliver (slot, lane, due, seq);
select protect_tenant_table('deliver', 'select, insert', 'select, insert, update, delete');

-- Without a workspace (allow-list): a callback's owner is known only after it is parsed.
create table ingest (
  slot smallint not null,
  lane int not null,
  due timestamptz not null default '-infinity',
  seq bigint generated always as identity,
  callback_id uuid not null,
  attempt smallint not null default 0,
  primary key (slot, seq)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
create index ingest_lane on ingest (slot, lane, due, seq);
select grant_engine('ingest', 'select, insert, update, delete');

create table task (
  slot smallint not null,
  lane int not null,
  due timestamptz not null default '-infinity',
  seq bigint generated always as identity,
  workspace_id uuid not null,
  job_id uuid not null,
  attempt smallint not null default 0,
  primary key (slot, seq, workspace_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
create index task_lane on task (slot, lane, due, seq);
select protect_tenant_table('task', 'select, insert', 'select, insert, update, delete');

-- What a task does; its queue row is only the ticket.
create table job (
  workspace_id uuid not null,
  id uuid not null,
  kind text not null,
  -- What it is about: one waiting job of a kind and subject is enough.
  subject text,
  payload json not null,
  started boolean not null default false,
  -- Starts since the last known end: each of them may have killed its process.
  unfinished smallint not null default 0,
  status text not null default 'pending' check (status in ('pending', 'done', 'failed')),
  error json,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (workspace_id, id)
);
-- Only a job that has not begun may stand for a later wish: one that runs may have read what it needed before.
create unique index job_waiting on job (workspace_id, kind, subject) where subject is not null and not started;
create index job_completed on job (completed_at) where completed_at is not null;
select protect_tenant_table('job', 'select, insert, update, delete', 'select, insert, update, delete');
