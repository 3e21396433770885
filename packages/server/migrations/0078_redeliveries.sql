-- Deliveries that are sent again because it was asked for. A queue of their own, which processes of before do not know: among live rows
-- they would take them for such, and drop those of a lane that they do not know.
insert into slot (kind, slot) select 5, s.slot from slot s where s.kind = 2;
create table redeliver (
  slot smallint not null,
  lane int not null,
  due timestamptz not null default '-infinity',
  seq bigint generated always as identity,
  workspace_id uuid not null,
  delivery_id uuid not null,
  event_id uuid not null,
  conversation bigint not null,
  -- Attempts that the schedule counts; the delivery counts all.
  attempt smallint not null default 0,
  -- Null where it was asked for manually.
  replay_id uuid,
  primary key (slot, seq, workspace_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
create index redeliver_by_lane on redeliver ((slot::int), lane, due, (seq + 0));
-- One that was asked for is not asked for again. Partial, as indexes beside a key are (docs/adr/0009).
create unique index redeliver_delivery on redeliver (workspace_id, delivery_id) where attempt >= 0;
select protect_tenant_table('redeliver', 'select', 'select, insert, update, delete');

-- Replays: events of a time that an endpoint gets again. Each step asks for some deliveries and moves the replay behind them in one
-- transaction, so that a killed process repeats nothing.
create table replay (
  workspace_id uuid not null references workspace,
  id uuid not null,
  webhook_endpoint_id uuid not null,
  status text not null check (status in ('pending', 'running', 'completed', 'failed')),
  created_after timestamptz not null,
  created_before timestamptz not null,
  events text[] not null,
  only_those text not null check (only_those in ('failed', 'missing', 'all')),
  dry_run boolean not null,
  -- Events, or deliveries that failed, up to this id were looked at.
  place uuid not null,
  -- All were: what is left to do is in the queue.
  is_scheduled boolean not null default false,
  matched bigint not null default 0,
  scheduled bigint not null default 0,
  error json,
  -- The task that works it.
  job_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (workspace_id, id)
);
-- For the sweep of all workspaces: what should go on, and what ended long ago.
create index replay_active on replay (created_at) where completed_at is null;
create index replay_completed on replay (completed_at) where completed_at is not null;
select protect_tenant_table('replay', 'insert, select, update',
  'delete, select (workspace_id, id, status, job_id, created_at, completed_at), update (status, error, updated_at, completed_at)');

-- How the deliveries of a replay ended: beside it, so that no outcome waits for a step.
create table replay_count (
  workspace_id uuid not null references workspace,
  replay_id uuid not null,
  succeeded bigint not null,
  failed bigint not null,
  primary key (workspace_id, replay_id)
);
select protect_tenant_table('replay_count', 'select', 'delete, insert, select, update');
