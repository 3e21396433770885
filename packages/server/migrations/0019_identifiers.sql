-- How people are named: every form of a number that was seen, and the provider's ids. A person is one contact, whatever the
-- number is written like; what a form means for others is decided by rules and evidence (docs/adr/0013).
create table identifier (
  workspace_id uuid not null,
  -- change: a change of number that was reported, from the one in `scope`. Of phones the value is digits without +; user_id: also an id of the provider that looks like a number and is none.
  kind text not null check (kind in ('phone', 'user_id', 'parent_user_id', 'change')),
  -- Of user ids: the portfolio that they are valid in.
  scope text not null default '',
  value text not null,
  contact_id uuid not null,
  -- What first said so: message (a request names it), inbound_message, answer, status, … or rule: derived from another form.
  source text not null,
  -- The time, the provider's where it reported it, since which the value names this contact; and until which it did.
  since timestamptz not null,
  until timestamptz,
  -- Of phones: the canonical form, which forms of one number have in common, and what forms have in common that only evidence can join.
  key text,
  loose text,
  -- Of phones: the version of the numbering rules that `key`, `loose` and the row of the canonical form were derived by.
  rules smallint not null default 0,
  -- Of a number that named somebody else until `since`, who is not known to have left it: that contact.
  taken_from uuid,
  primary key (workspace_id, kind, scope, value)
);
-- Both conditions: no look-up by the key says them (docs/adr/0009).
create index identifier_by_contact on identifier (workspace_id, contact_id) where value <> '';
create index identifier_by_loose on identifier (workspace_id, loose) where loose <> value;
select protect_tenant_table('identifier', 'delete, insert, select', 'delete, insert, select, update');
-- When a contact is deleted, by this version or another, what named it is free for the next person.
create function forget_identifiers() returns trigger language plpgsql as $$
begin
  delete from identifier i where i.workspace_id = old.workspace_id and i.contact_id = old.id and i.value <> '';
  return null;
end
$$;
create trigger forget_identifiers after delete on contact for each row execute function forget_identifiers();

-- Observations that teach something new, from the commit of what they were observed in until they are applied.
create table contact_evidence (
  workspace_id uuid not null,
  id uuid not null,
  -- The contact that was written to; with `other_contact_id` another record of the same person.
  contact_id uuid not null,
  other_contact_id uuid,
  source text not null,
  -- The message that proves it.
  message_id uuid,
  scope text not null default '',
  wa_id text,
  wa_key text,
  wa_loose text,
  -- Calling code of the number, where the country has no rules for forms of a number.
  country text,
  user_id text,
  parent_user_id text,
  at timestamptz not null,
  look_at timestamptz not null,
  primary key (workspace_id, id)
);
-- Apart: with a backlog of the one kind, a look for the other would read all of it each time.
create index contact_evidence_names on contact_evidence (look_at) where other_contact_id is null;
create index contact_evidence_pairs on contact_evidence (look_at) where other_contact_id is not null;
select protect_tenant_table('contact_evidence', '', 'delete, insert, select, update');

-- What merging changed, for an operator who has to explain or undo it.
create table contact_merge (
  workspace_id uuid not null,
  merged_contact_id uuid not null,
  contact_id uuid not null,
  source text not null,
  message_id uuid,
  at timestamptz not null,
  -- The merged record as it was, and the identifiers that it had.
  record json not null,
  identifiers json not null,
  primary key (workspace_id, merged_contact_id)
);
select protect_tenant_table('contact_merge', 'select', 'insert, select');

-- Conversations whose rows share one order and one pace since their contacts were merged: rows that were queued before keep the
-- number of their own.
create table joined_conversation (
  workspace_id uuid not null,
  conversation bigint not null,
  joined bigint not null,
  at timestamptz not null,
  primary key (workspace_id, conversation)
);
create index joined_conversation_by_joined on joined_conversation (workspace_id, joined) where at > '-infinity';
select protect_tenant_table('joined_conversation', '', 'insert, select, update');

alter table contact
  add column parent_user_id text,
  add column username text,
  -- As the person calls themselves; `name` is the workspace's own.
  add column profile_name text,
  -- The provider's time of what last confirmed the wa_id; null while only the answer to a send named it.
  add column wa_id_at timestamptz,
  -- The surviving record of the same person, never itself merged; and of that one, that it has others.
  add column merged_into uuid,
  add column has_merged boolean not null default false,
  -- Its names are in `identifier`: false of a contact that a process of an earlier version created, until it is given them.
  add column is_named boolean not null default false;

-- The contact of a message, surviving merges. A function, because few messages quote: a look-up written into a statement would
-- open every partition of the table each time.
create function contact_of_message(workspace uuid, message uuid) returns uuid language plpgsql stable as $$
declare
  contact_id uuid := (select s.contact_id from message_state s where s.workspace_id = workspace and s.id = message);
begin
  return (select coalesce(c.merged_into, c.id) from contact c where c.workspace_id = workspace and c.id = contact_id);
end
$$;

do $$
begin
  execute format('grant delete on contact, conversation to %I', (select engine_role from installation));
end $$;
