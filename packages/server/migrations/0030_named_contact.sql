-- What few messages need to know, as functions: each look-up that is written into a statement costs it its start.

-- The contact that a request names, where not by the very number in the contact's column: by its id, which may be that of a record
-- merged since, by a user id of the sender's portfolio, or by a number, as it is or in its canonical form. At last by the columns
-- that processes of earlier versions filled.
create function named_contact(
  of_workspace uuid, of_contact uuid, of_user_id text, portfolio text, of_phone text, canonical text) returns uuid
language plpgsql stable as $$
begin
  if of_contact is not null then
    return (
      select coalesce(c.merged_into, c.id) from contact c where c.workspace_id = of_workspace and c.id = of_contact);
  elsif of_user_id is not null then
    -- One that was given up is no other person's.
    return coalesce(
      (select i.contact_id from identifier i
       where i.workspace_id = of_workspace and i.kind in ('user_id', 'parent_user_id') and i.scope = portfolio
         and i.value = of_user_id
       limit 1),
      (select c.id from contact c where c.workspace_id = of_workspace and c.user_id = of_user_id and not c.is_named));
  else
    return coalesce(
      (select i.contact_id from identifier i
       where i.workspace_id = of_workspace and i.kind = 'phone' and i.scope = '' and i.value = substr(of_phone, 2)
         and i.until is null),
      (select i.contact_id from identifier i
       where i.workspace_id = of_workspace and i.kind = 'phone' and i.scope = '' and i.value = canonical
         and i.until is null),
      (select c.id from contact c where c.workspace_id = of_workspace and c.phone = of_phone));
  end if;
end
$$;

-- The contact that a number names, as the provider writes it.
create function contact_of_number(of_workspace uuid, digits text) returns uuid language plpgsql stable as $$
begin
  return (
    select i.contact_id from identifier i
    where i.workspace_id = of_workspace and i.kind = 'phone' and i.scope = '' and i.value = digits and i.until is null);
end
$$;

-- The message that the provider calls so.
create function message_of_provider_id(of_workspace uuid, provider_id text) returns uuid language plpgsql stable as $$
begin
  return (
    select k.message_id from provider_message k
    where k.workspace_id = of_workspace and k.provider_message_id = provider_id);
end
$$;

-- Whether somebody who is known by no number cannot be written to from this number of ours either: no user id is valid in its
-- portfolio. Of somebody who is not known, whether the user id is valid in another one.
create function is_out_of_reach(of_workspace uuid, of_contact uuid, of_user_id text, portfolio text, of_number uuid)
returns boolean language plpgsql stable as $$
begin
  if of_contact is null then
    return of_user_id is not null and is_of_other_portfolio(of_workspace, of_user_id, portfolio);
  end if;
  return user_id_for(of_workspace, of_contact, of_number) is null;
end
$$;
