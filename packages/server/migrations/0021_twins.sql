-- Contacts whose number may be the same person's as this one's, though only evidence can join them. `digits` and `common` (its
-- `loose`) are a number that the contact may not have yet, or null.
create function twins_of(of_workspace uuid, of_contact uuid, digits text, common text) returns setof uuid
language plpgsql stable as $$
declare
  own record;
begin
  for own in
    select digits as value, common as loose where common is not null
    union all
    select i.value, i.loose from identifier i
    where i.workspace_id = of_workspace and i.contact_id = of_contact and i.value <> '' and i.kind = 'phone'
      and i.until is null
  loop
    -- Numbers of one length are two lines. The index of common forms leaves out the number that is its own.
    return query
      select i.contact_id from identifier i
      where i.workspace_id = of_workspace and i.kind = 'phone' and i.scope = '' and i.value = own.loose
        and i.until is null and length(i.value) <> length(own.value) and i.contact_id is distinct from of_contact
      union all
      select i.contact_id from identifier i
      where i.workspace_id = of_workspace and i.loose = own.loose and i.loose <> i.value
        and i.until is null and length(i.value) <> length(own.value) and i.contact_id is distinct from of_contact;
  end loop;
end
$$;

-- Whether one of them opted out. A function, because few numbers have such forms: a look-up written into a statement would open
-- these tables each time.
create function twin_opted_out(of_workspace uuid, of_contact uuid, digits text, common text) returns boolean
language plpgsql stable as $$
declare
  twin uuid;
begin
  for twin in select t.id from twins_of(of_workspace, of_contact, digits, common) t(id) loop
    if exists (
      select from contact c
      where c.workspace_id = of_workspace and c.id = twin and c.marketing_consent = 'opted_out') then
      return true;
    end if;
  end loop;
  return false;
end
$$;

-- Whether a contact that may be the same person (`twins_of`) wrote to a number of ours since a time.
create function twin_wrote_since(
  of_workspace uuid, of_contact uuid, digits text, common text, of_number uuid, since timestamptz) returns boolean
language plpgsql stable as $$
declare
  twin uuid;
begin
  for twin in select t.id from twins_of(of_workspace, of_contact, digits, common) t(id) loop
    if exists (
      select from conversation v
      where v.workspace_id = of_workspace and v.contact_id = twin and v.phone_number_id = of_number
        and v.last_inbound_at > since) then
      return true;
    end if;
  end loop;
  return false;
end
$$;
