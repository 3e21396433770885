-- Who wrote a row of the fence: a call leaves `false` by writing its id alone, as every version does; who asks what became of
-- the call writes `true`. So an asker whose own answer was lost knows its row again and does not take it for the call's.
-- A constant default changes the catalogue alone: the lock, on a table that every write inserts into, lasts a moment.
alter table flight add column asked boolean not null default false;
