-- When the provider was last asked about the account and let its token in: a send that is refused after that is refused for itself.
alter table business_account add column checked_at timestamptz;

-- While a number's marketing is stopped: when one message is tried again, after how many refusals of such tries, and which message.
alter table phone_number
  add column marketing_stopped_until timestamptz,
  add column marketing_refusals smallint not null default 0,
  add column marketing_probe uuid;

-- The engine stops and resumes marketing by what the provider answers, and looks when an account was checked.
do $$
begin
  execute format('grant update (marketing_stopped_until, marketing_refusals, marketing_probe, updated_at) on phone_number to %I',
    (select engine_role from installation));
  execute format('grant select (checked_at) on business_account to %I', (select engine_role from installation));
end $$;

-- A public id as `formatId` of lib/ids.ts writes it, for audit rows that database functions write about what they found.
create function public_id(prefix text, id uuid) returns text language sql immutable parallel safe as $$
  select prefix || '_' || string_agg(
    substr('0123456789abcdefghjkmnpqrstvwxyz', 1 + substring(b.bits from 1 + 5 * n for 5)::bit(5)::int, 1), '' order by n)
  from (select b'00' || ('x' || replace(id::text, '-', ''))::bit(128) as bits) b, generate_series(0, 25) n
$$;
