-- Files that people sent, to be fetched from the provider: the queue of a kind of lane, one for each workspace. What is fetched is in
-- media_fetch. Processes of before do not know the kind, and leave it alone.
insert into slot (kind, slot) select 6, s.slot from slot s where s.kind = 2;
create table fetching (
  slot smallint not null,
  lane int not null,
  due timestamptz not null default '-infinity',
  seq bigint generated always as identity,
  workspace_id uuid not null,
  media_id uuid not null,
  attempt smallint not null default 0,
  primary key (slot, seq, workspace_id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0, vacuum_truncate = off);
create index fetching_by_lane on fetching ((slot::int), lane, due, (seq + 0));
select protect_tenant_table('fetching', 'select', 'delete, insert, select, update');
