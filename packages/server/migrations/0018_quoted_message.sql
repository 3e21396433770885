-- The provider's id of a message that another one quotes. A function, because few messages quote: a look-up written into the
-- statement would open every partition of the table each time. In PL/pgSQL, which is not put into the statement.
create function quoted_provider_id(workspace uuid, message uuid) returns text language plpgsql stable as $$
begin
  return (select s.provider_message_id from message_state s where s.workspace_id = workspace and s.id = message);
end
$$;
