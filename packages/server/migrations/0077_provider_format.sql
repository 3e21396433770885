-- The provider's format: the fields of its callbacks that the endpoint asks for, while `events` has the kinds that may be such. Null: our
-- own format. Processes of before post that to either.
alter table webhook_endpoint
  add column fields text[],
  add column verify_token bytea;
do $$
begin
  execute format('grant select (fields) on webhook_endpoint to %I', (select engine_role from installation));
end $$;
-- When URLs of the workspace were asked: so many a minute, by all processes together.
alter table workspace add column endpoint_handshakes timestamptz[] not null default '{}';
