-- Events of which numbers and accounts an endpoint gets; null in both: of all. `is_limited` says whether there is a limit, and is what
-- every event reads of each endpoint: it is in the index that answers alone. Processes of before know of no limits.
alter table webhook_endpoint
  add column phone_number_ids uuid[],
  add column business_account_ids uuid[],
  add column is_limited boolean not null default false;
do $$
begin
  execute format('grant select (phone_number_ids, business_account_ids, is_limited) on webhook_endpoint to %I',
    (select engine_role from installation));
end $$;
