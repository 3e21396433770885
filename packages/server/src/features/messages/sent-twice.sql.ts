/**
 * The audit step for messages of which the provider has two ids: they were sent twice. `rows` is SQL for the rows `x` of the call,
 * `message` for their message's id; `twice` names a boolean[] of them. Written once for each id: the id is stored in the same call, and
 * a row of which it was stored before is not in `twice`.
 */
export const auditSentTwice = (rows: string, message: string, twice: string): string => `
if true = any(${twice}) then
  insert into audit (workspace_id, id, at, actor_type, action, resource_type, resource_id, changes)
  select t.workspace_id, new_uuid(now), now, 'system', 'message.sent_twice', 'message', public_id('msg', t.message),
    json_build_object('provider_message_ids', json_build_array(s.provider_message_id, t.provider_message_id))
  from (
    select distinct x.workspace_id, ${message} as message, x.provider_message_id
    from ${rows} where (${twice})[x.ordinality::int]) t
  left join message_state s on s.workspace_id = t.workspace_id and s.id = t.message;
end if;`;
