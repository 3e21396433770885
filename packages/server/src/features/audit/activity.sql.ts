/**
 * The audit step of database functions: one row for a call that changed something, in the same transaction. `fields` is a
 * json expression with what `http/activity.ts` names an activity (see ActivityFields).
 */
export const recordActivity = (workspace: string, fields: string): string => `
  insert into audit (workspace_id, id, at, actor_type, actor_id, actor_name, action, resource_type, resource_id, method, path, request_id, ip, user_agent, status, code)
  select ${workspace}, new_uuid(now), now, a.actor_type, a.actor_id, a.actor_name, a.action, a.resource_type, a.resource_id, a.method, a.path, a.request_id, a.ip, a.user_agent, a.status, a.code
  from json_to_record(${fields}) as a(actor_type text, actor_id uuid, actor_name text, action text, resource_type text, resource_id text, method text, path text,
    request_id text, ip text, user_agent text, status smallint, code text);`;
