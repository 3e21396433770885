/** The audit step over rows: what each row's call did, and of which workspace it is. All are SQL expressions. */
export type ActivitiesStep = {
  /** A `from` list; the other expressions speak of it. */
  from: string;
  workspace: string;
  /** json with what `http/activity.ts` names an activity. */
  fields: string;
  at: string;
};

/** The audit step of database functions: one row for each call that changed something, in the same transaction. */
export const insertActivities = ({ from, workspace, fields, at }: ActivitiesStep): string => `
  insert into audit (workspace_id, id, at, actor_type, actor_id, actor_name, action, resource_type, resource_id, method, path, request_id, ip, user_agent, status, code)
  select ${workspace}, new_uuid(${at}), ${at}, a.actor_type, a.actor_id, a.actor_name, a.action, a.resource_type, a.resource_id, a.method, a.path, a.request_id, a.ip, a.user_agent, a.status, a.code
  from ${from} cross join lateral json_to_record(${fields}) as a(actor_type text, actor_id uuid, actor_name text, action text, resource_type text, resource_id text, method text, path text,
    request_id text, ip text, user_agent text, status smallint, code text)`;
