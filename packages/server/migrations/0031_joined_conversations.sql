-- Few people have two records: what they need is a function, because a look-up that is written into a statement costs it its start.

-- The conversations that are one with this one since their contacts were merged, itself among them; null for one by itself.
create function joined_conversations(of_workspace uuid, of_conversation bigint) returns bigint[]
language plpgsql stable as $$
begin
  return (
    select array_agg(k.conversation order by k.conversation) from joined_conversation j
    join joined_conversation k on k.workspace_id = j.workspace_id and k.joined = j.joined and k.at > '-infinity'
    where j.workspace_id = of_workspace and j.conversation = of_conversation);
end
$$;
