-- What was set aside is replayed: into the lane that it came from, by whoever connects its number, by the operator, and, where
-- applying it failed, by itself at `replay_at`, ever more rarely.
alter table quarantine
  add column lane int,
  -- What went wrong, without a word of what was in it: a SQLSTATE and the constraint.
  add column detail text,
  add column tries smallint not null default 0,
  add column replay_at timestamptz;

-- One row for a callback that failed, however often it was replayed.
delete from quarantine q using quarantine o
where q.reason = 'failed' and o.reason = 'failed' and q.callback_id = o.callback_id and (q.replayed_at is not null, q.id) > (o.replayed_at is not null, o.id);
create unique index quarantine_failed on quarantine (callback_id) where reason = 'failed';
-- Those that nobody could bring back before.
update quarantine set replay_at = now() where reason = 'failed' and replayed_at is null;
create index quarantine_replay on quarantine (replay_at) where replay_at is not null;
-- The second condition always holds: a look-up by key does not say it, and so cannot take this index.
create index quarantine_waiting on quarantine (reason, id) where replayed_at is null and created_at > '-infinity';

-- Statuses of a number that another system sends from too name messages that are not ours. Each is looked at a moment after
-- it came and once more (`look_at`; the default is for those of the version before), and a number keeps its newest.
alter table parked_status
  add column phone_number_id uuid,
  add column look_at timestamptz default now();
create index parked_status_look on parked_status (look_at) where look_at is not null;
create index parked_status_number on parked_status (workspace_id, phone_number_id, received_at) where phone_number_id is not null;
do $$
begin
  execute format('grant update on parked_status to %I', (select engine_role from installation));
end $$;
