-- Few messages are sent once more after a lost answer: what they need are functions, because a look-up that is written into a
-- statement costs it its start.

-- What was reported of a message; locks its state first, in the order of all other functions: state, then queue row.
create function lock_seen(of_workspace uuid, of_message uuid) returns int language plpgsql as $$
begin
  perform from message_state s where s.workspace_id = of_workspace and s.id = of_message for no key update;
  return (select s.seen from message_state s where s.workspace_id = of_workspace and s.id = of_message);
end
$$;

create function set_possible_duplicate(of_workspace uuid, of_message uuid) returns boolean language plpgsql as $$
begin
  update message_state s set possible_duplicate = true where s.workspace_id = of_workspace and s.id = of_message;
  return true;
end
$$;
