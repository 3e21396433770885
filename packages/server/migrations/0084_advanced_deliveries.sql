-- Of an endpoint that keeps an order: when deliveries that waited in its lane were last given an earlier time because it was asked for. The
-- lane's owner reads it with its other settings, and looks for them. The lanes of processes of before attempt them at their next sweep.
alter table webhook_endpoint add column advanced_at timestamptz;
do $$
begin
  execute format('grant select (advanced_at) on webhook_endpoint to %I', (select engine_role from installation));
end $$;
