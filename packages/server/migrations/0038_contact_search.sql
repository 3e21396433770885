-- Finding contacts by what is written in them, and lists of them that are kept as a filter.

-- Parts of every PostgreSQL, which the owner of a database may install without being a superuser.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- A text as it is compared in searches: without accents, in lower case.
create function contact_fold(t text) returns text language plpgsql immutable parallel safe as $$
begin
  return lower(case when octet_length(t) = length(t) then t else regexp_replace(normalize(t, nfkd), '[\u0300-\u036f]', '', 'g') end);
end
$$;

-- The pattern of texts that have `t` somewhere. Nothing in it is a wildcard: that is looked for after folding, which makes plain
-- signs out of others.
create function contact_pattern(t text) returns text language plpgsql immutable parallel safe as $$
begin
  return '%' || replace(replace(replace(contact_fold(t), '\', '\\'), '%', '\%'), '_', '\_') || '%';
end
$$;

-- What a search looks through: names, address, numbers, and the values of attributes, folded. An index has it (`contact_search` in
-- db/indexes.ts), the table does not: a stored column would rewrite the table, and each of its rows at each change.
-- It calls nothing but what is in pg_catalog, because an index is built without `public` on the search path.
create function contact_text(
  name text, profile_name text, username text, email text, phone text, wa_id text, attributes jsonb) returns text
language plpgsql immutable parallel safe as $$
declare
  t text := concat_ws(E'\n', name, profile_name, username, email, phone, wa_id,
    -- As JSON, where quotes and backslashes have a backslash before them.
    case when attributes <> '{}' then
      replace(replace(jsonb_path_query_array(attributes, '$.*')::text, '\"', '"'), '\\', '\') end);
begin
  return lower(case when octet_length(t) = length(t) then t else regexp_replace(normalize(t, nfkd), '[\u0300-\u036f]', '', 'g') end);
end
$$;

create table segment (
  workspace_id uuid not null references workspace,
  id uuid not null,
  name text not null,
  -- As the client wrote it.
  filter json not null,
  -- Counts the changes, for `If-Match`.
  revision int not null default 1,
  -- How many contacts fit when they were last counted to the end, and when that began. Null: not yet.
  count bigint,
  counted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (workspace_id, id)
);
select protect_tenant_table('segment', 'delete, insert, select, update', '');
