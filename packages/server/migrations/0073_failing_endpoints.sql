-- Since when an endpoint has only failed, at how many events (counted up to what disabling asks for), and of how many stages its
-- workspace was warned. Written at the first failures and at the first success after them only.
alter table webhook_endpoint
  add column failing_since timestamptz,
  add column failing_events smallint not null default 0,
  add column failing_stage smallint not null default 0;
do $$
begin
  execute format('grant select (failing_since, failing_events, failing_stage), update (failing_since, failing_events, failing_stage)
    on webhook_endpoint to %I', (select engine_role from installation));
end $$;
