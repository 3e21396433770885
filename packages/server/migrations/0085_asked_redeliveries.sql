-- When a delivery to the endpoint was last asked for by a person: a test event, or a retry. The lane of what is asked for reads it with its
-- other settings, and does not leave the receiver alone then, whatever the attempts of a replay have come to.
alter table webhook_endpoint add column asked_at timestamptz;
do $$
begin
  execute format('grant select (asked_at) on webhook_endpoint to %I', (select engine_role from installation));
end $$;
