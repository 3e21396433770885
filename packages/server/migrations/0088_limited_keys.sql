-- The phone numbers to which a key is limited; null: all of the workspace. Set when the key is created, and never changed. A limited key and
-- its sessions are stored under another digest (features/keys/key-format.ts), which processes of before do not look for.
alter table api_key add column phone_number_ids uuid[];

-- Processes of before would rotate a limited key into one for all numbers: this is refused.
create function keep_key_limit() returns trigger language plpgsql as $$
begin
  perform from api_key k
  where k.workspace_id = new.workspace_id and k.id = new.replaced_by and k.phone_number_ids is not distinct from new.phone_number_ids;
  if not found then
    raise exception 'a key that is limited to phone numbers is rotated by a process that knows such keys';
  end if;
  return new;
end
$$;
create trigger keep_key_limit before update of replaced_by on api_key
  for each row when (new.phone_number_ids is not null and new.replaced_by is distinct from old.replaced_by)
  execute function keep_key_limit();
