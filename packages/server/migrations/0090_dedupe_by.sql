-- The field of a request whose value is its idempotency key where it has none of its own; null: none. Set when the key is created, and never
-- changed.
alter table api_key add column dedupe_by text;

-- Processes of before rotate a key without it: then the new one gets it here.
create function keep_dedupe_by() returns trigger language plpgsql as $$
begin
  update api_key k set dedupe_by = new.dedupe_by
  where k.workspace_id = new.workspace_id and k.id = new.replaced_by and k.dedupe_by is distinct from new.dedupe_by;
  return new;
end
$$;
create trigger keep_dedupe_by before update of replaced_by on api_key
  for each row when (new.dedupe_by is not null and new.replaced_by is distinct from old.replaced_by)
  execute function keep_dedupe_by();
