-- The business account or the number for which a client of the provider's API set the endpoint up: one endpoint for each. That of a number
-- gets the number's events in place of that of its account; processes of before send them to both.
alter table webhook_endpoint add column front_of uuid;
create unique index webhook_endpoint_front on webhook_endpoint (workspace_id, front_of) where front_of is not null;
do $$
begin
  execute format('grant select (front_of) on webhook_endpoint to %I', (select engine_role from installation));
end $$;
