-- Messages from this time on are billable by the type of their price. Earlier ones stay as earlier versions counted them; of a workspace
-- that is counted for the first time later there are none.
alter table usage_frontier add column typed_from timestamptz not null default now();
alter table usage_frontier alter column typed_from set default 'epoch';
