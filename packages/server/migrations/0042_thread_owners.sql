-- Who answers a conversation, where the provider has several responders for a number. Null until something was said of it. Without a
-- check, which would read the whole table: self (the workspace), other or none.
alter table conversation
  add column owner_role text,
  add column owner_since timestamptz,
  -- The provider's time of what said so; what is older changes nothing.
  add column owner_at timestamptz,
  -- Digests of the handovers of that second that were taken: the provider repeats them.
  add column owner_marks text[];

do $$
begin
  execute format('grant update (owner_role, owner_since, owner_at, owner_marks) on conversation to %I',
    (select app_role from installation));
end $$;

-- It is sent although another responder owns the conversation, which makes it ours. Null: no.
alter table message add column takes_thread boolean;

-- Few statuses come as copies: a function, because a look-up that is written into a statement costs it its start.

-- Whether a provider's id is that of a message that another responder sent.
create function is_of_other_responder(of_workspace uuid, of_provider_id text) returns boolean language plpgsql stable as $$
declare
  known uuid := message_of_provider_id(of_workspace, of_provider_id);
begin
  return coalesce((
    select m.outbound and m.provided ->> 'handled_by' = 'other' from message m
    where m.workspace_id = of_workspace and m.id = known), false);
end
$$;
