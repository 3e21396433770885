-- What an endpoint asks of its deliveries. Processes of before insert without these, and deliver with a deadline of 15 s, at any rate
-- and without the endpoint's own headers. The values of headers are sealed and read by the workspace's own role alone.
alter table webhook_endpoint
  add column timeout_seconds smallint not null default 15,
  add column rate_per_second smallint,
  add column header_names text[] not null default '{}',
  add column sealed_headers bytea;
do $$
begin
  execute format('grant select (timeout_seconds, rate_per_second, header_names) on webhook_endpoint to %I',
    (select engine_role from installation));
end $$;
