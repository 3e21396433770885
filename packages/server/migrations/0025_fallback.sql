-- A template that is sent instead of a free-form message whose window is closed: the content as it was given, and the template's
-- category. What was requested never changes, so which of the two an attempt sent is part of the state.
alter table message add column fallback json, add column fallback_category text;
alter table message_state add column fallback_used boolean not null default false;

-- Whether the last attempt at a message with a fallback was begun with it; locks the state first, in the order of all other
-- functions: state, then queue row. Functions, because few messages have a fallback: a look-up written into the statement would
-- open every partition of the table each time.
create function lock_fallback_used(of_workspace uuid, of_message uuid) returns boolean language plpgsql as $$
begin
  perform from message_state s where s.workspace_id = of_workspace and s.id = of_message for no key update;
  return (select s.fallback_used from message_state s where s.workspace_id = of_workspace and s.id = of_message);
end
$$;

create function set_fallback_used(of_workspace uuid, of_message uuid, is_used boolean) returns boolean language plpgsql as $$
begin
  update message_state s set fallback_used = is_used where s.workspace_id = of_workspace and s.id = of_message;
  return is_used;
end
$$;

-- Whether the provider has refused a message because its window is closed, though the gateway knew of an open one.
create function was_refused_as_closed(of_workspace uuid, of_message uuid) returns boolean language plpgsql stable as $$
begin
  return exists (
    select from attempt a
    where a.workspace_id = of_workspace and a.message_id = of_message and a.error ->> 'code' = 'window_closed');
end
$$;
