-- What a workspace itself knows of its contacts, beside what the provider calls them.
alter table contact
  add column email text,
  add column locale text,
  -- Texts, numbers and booleans by name.
  add column attributes jsonb not null default '{}',
  -- Sorted, each once.
  add column tags text[] not null default '{}',
  -- Counts the changes of what is shown of the contact, for `If-Match`.
  add column revision int not null default 1,
  -- The transaction that last changed what is shown, for readers who synchronise: one that commits late is not missed, as by a
  -- time it would be. Null: no transaction since these columns exist.
  add column changed_era int,
  add column changed_in xid8;

-- In another cluster a restored dump restarts transaction numbers.
create function current_era() returns int language sql stable as $$
  select i.era from installation i
$$;
alter table contact alter column changed_era set default current_era(), alter column changed_in set default pg_current_xact_id();

-- As a trigger, because many statements change a contact, also those of processes of earlier versions.
create function note_contact_change() returns trigger language plpgsql as $$
begin
  new.revision := old.revision + 1;
  new.changed_era := current_era();
  new.changed_in := pg_current_xact_id();
  return new;
end
$$;
create trigger note_contact_change before update on contact for each row
  when ((old.phone, old.wa_id, old.user_id, old.parent_user_id, old.username, old.profile_name, old.name, old.email, old.locale,
      old.attributes, old.tags, old.marketing_consent, old.consent_source, old.merged_into)
    is distinct from (new.phone, new.wa_id, new.user_id, new.parent_user_id, new.username, new.profile_name, new.name, new.email,
      new.locale, new.attributes, new.tags, new.marketing_consent, new.consent_source, new.merged_into))
  execute function note_contact_change();
