-- A form of the number that the provider named and then refused as not on the list of its test number: that list compares exactly,
-- so what the client wrote is sent instead.
alter table contact add column refused_form text;

-- What a person without a visible number can be written to by from this number: an id that is valid in its portfolio, or null. A
-- contact of an earlier version has no identifiers yet.
create function user_id_for(of_workspace uuid, of_contact uuid, of_number uuid) returns text
language plpgsql stable as $$
declare
  portfolio text;
  named record;
  is_named boolean := false;
begin
  portfolio := (
    select coalesce(a.portfolio_id, a.provider_account_id) from business_account a
    where a.workspace_id = of_workspace and a.id = (
      select n.business_account_id from phone_number n where n.workspace_id = of_workspace and n.id = of_number));
  for named in
    select i.value, i.scope from identifier i
    where i.workspace_id = of_workspace and i.contact_id = of_contact and i.value <> ''
      and i.kind in ('user_id', 'parent_user_id') and i.until is null
    order by i.kind desc, i.since desc
  loop
    is_named := true;
    -- Others look like a number and are none: they name the person to us alone.
    if named.scope = portfolio and named.value ~ '^[A-Z]' then return named.value; end if;
  end loop;
  if is_named then return null; end if;
  return (select coalesce(c.user_id, c.parent_user_id) from contact c where c.workspace_id = of_workspace and c.id = of_contact);
end
$$;

-- Whether an id of a person names this contact. A function, because few rows ask: each look-up that is written into a statement
-- costs it its start.
create function has_user_id(of_workspace uuid, of_contact uuid, of_kind text, of_scope text, of_value text) returns boolean
language plpgsql stable as $$
begin
  return exists (
    select from identifier i
    where i.workspace_id = of_workspace and i.kind = of_kind and i.scope = of_scope and i.value = of_value
      and i.contact_id = of_contact and i.until is null);
end
$$;

-- Whether a user id that nobody has in this portfolio is somebody's in another one of the workspace.
create function is_of_other_portfolio(of_workspace uuid, of_user_id text, portfolio text) returns boolean
language plpgsql stable as $$
declare
  other record;
begin
  for other in
    select distinct coalesce(a.portfolio_id, a.provider_account_id) as scope from business_account a
    where a.workspace_id = of_workspace
  loop
    if other.scope <> portfolio and exists (
      select from identifier i
      where i.workspace_id = of_workspace and i.kind in ('user_id', 'parent_user_id') and i.scope = other.scope
        and i.value = of_user_id and i.until is null) then
      return true;
    end if;
  end loop;
  return false;
end
$$;

-- The number by which a person can be written to: the given one, unless it was given up or is somebody else's by now; then the
-- newest that they have, or null.
create function own_number(of_workspace uuid, of_contact uuid, given text) returns text
language plpgsql stable as $$
declare
  named identifier;
  digits text := substr(given, 2);
begin
  select i.* into named from identifier i
  where i.workspace_id = of_workspace and i.kind = 'phone' and i.scope = '' and i.value = digits;
  if given is not null and (named.value is null or (named.contact_id = of_contact and named.until is null)
    -- The column holds nothing that names another contact, but of one of an earlier version no identifier says so yet.
    or given = (select c.phone from contact c where c.workspace_id = of_workspace and c.id = of_contact)) then
    return given;
  end if;
  return (
    select '+' || i.value from identifier i
    where i.workspace_id = of_workspace and i.contact_id = of_contact and i.value <> '' and i.kind = 'phone' and i.until is null
      and i.source <> 'rule'
    order by i.since desc limit 1);
end
$$;
