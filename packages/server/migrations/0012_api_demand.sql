-- What each process that answers the API is asked for by busy workspaces, requests a second by workspace id: the others grant
-- what it leaves of a workspace's limit. Forgotten within seconds, so nothing of it needs to survive a crash.
create unlogged table api_demand (
  worker uuid primary key,
  at timestamptz not null,
  demand jsonb not null
);
select grant_engine('api_demand', 'select, insert, update, delete');
