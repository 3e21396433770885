-- How many people a business portfolio may write to outside their 24-hour window within 24 hours, and whom it has written to
-- (docs/adr/0014). Without a workspace (allow-list): numbers of several workspaces may share a portfolio. Of an account that
-- has not said which portfolio it is in, `portfolio_id` is the account's own id.
create table portfolio_limit (
  portfolio_id text primary key,
  -- Null: unlimited or not known. Then nobody is counted.
  most int,
  is_unlimited boolean not null default false,
  -- Never fewer than the portfolio has rows in portfolio_recipient; what it has too many is found when it matters.
  used int not null default 0,
  -- Before this time nobody leaves who was counted when it was last looked.
  next_room_at timestamptz not null default '-infinity',
  -- The provider itself refused for the limit: it counts people that we know nothing of.
  full_until timestamptz,
  updated_at timestamptz not null
) with (fillfactor = 50);

create table portfolio_recipient (
  portfolio_id text not null,
  -- A keyed digest of who it is, the same in all workspaces.
  recipient uuid not null,
  -- Minutes since 1970 of when they were last written to.
  minute int not null,
  -- The one message they are counted for; null once there was another.
  message_id uuid,
  primary key (portfolio_id, recipient)
) with (fillfactor = 70);
create index portfolio_recipient_message on portfolio_recipient (message_id) where message_id is not null;

-- Messages that ended without reaching the person they were counted for. Taken back under the portfolio's lock, by whoever
-- needs the room: those that store an outcome wait for no lock.
create table portfolio_return (
  portfolio_id text not null,
  message_id uuid not null,
  recipient uuid not null,
  at timestamptz not null,
  primary key (portfolio_id, message_id)
);

select grant_engine('portfolio_limit', 'select, insert, update');
select grant_engine('portfolio_recipient', 'select, insert, update, delete');
select grant_engine('portfolio_return', 'select, insert, delete');

-- The key of the digests: the ledger alone names nobody.
alter table installation add column people_salt uuid not null default gen_random_uuid();

create function recipient_digest(person text) returns uuid language plpgsql stable as $$
begin
  return encode(substr(sha256(convert_to((select i.people_salt from installation i)::text || person, 'UTF8')), 1, 16), 'hex')::uuid;
end
$$;

-- When somebody was last written to. A function, because few rows ask: each look-up that is written into a statement costs it its start.
create function counted_minute(of_portfolio text, of_recipient uuid) returns int language plpgsql stable as $$
begin
  return (
    select r.minute from portfolio_recipient r where r.portfolio_id = of_portfolio and r.recipient = of_recipient);
end
$$;

-- Who a contact is, whatever form of the number a request gives and whichever workspace's contact it is: the canonical form of
-- its number, else the user id that is valid in the sender's portfolio.
create function counted_person(of_workspace uuid, of_contact uuid, of_number uuid) returns text
language plpgsql stable as $$
declare
  digits text := (
    select coalesce(substr(c.phone, 2), c.wa_id) from contact c where c.workspace_id = of_workspace and c.id = of_contact);
begin
  if digits is not null then
    return coalesce((
      select i.key from identifier i
      where i.workspace_id = of_workspace and i.kind = 'phone' and i.scope = '' and i.value = digits), digits);
  end if;
  return coalesce(user_id_for(of_workspace, of_contact, of_number), of_contact::text);
end
$$;
