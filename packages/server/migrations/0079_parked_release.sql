-- Of an endpoint that was enabled again: events before this id may have been parked, and are delivered at a bounded rate. Processes of
-- before deliver them as fast as the endpoint answers.
alter table webhook_endpoint add column parked_before uuid;
do $$
begin
  execute format('grant select (parked_before) on webhook_endpoint to %I', (select engine_role from installation));
end $$;
