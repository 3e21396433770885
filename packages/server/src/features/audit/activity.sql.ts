import { columns } from "../../db/hot-function.ts";

/**
 * Who called and how, as columns of a database function's input: what `callerFields` of fields.ts gives for each row. Without a call
 * there is none of them.
 */
export const CALLER_INPUT = columns({
  actor_type: "text?",
  actor_id: "uuid?",
  actor_name: "text?",
  method: "text?",
  path: "text?",
  request_id: "text?",
  ip: "text?",
  user_agent: "text?",
  session: "uuid?",
});

/** The audit step over rows that have `workspace_id` and `CALLER_INPUT`. All fields are SQL expressions. */
export type ActivitiesStep = {
  /** A `from` with rows `x`; empty where `x` is a variable that holds the one row. */
  from: string;
  /** A UUIDv7 of the time `at`, because lists use bounds of the time as bounds of the id. The id of the created row will do. */
  id: string;
  at: string;
  action: string;
  resource: { type: string; id: string };
  status: string;
};

/** The audit step of a database function: one row for each call that changed something, in the same transaction; none for what no call has changed. */
export const insertActivities = ({ from, id, at, action, resource, status }: ActivitiesStep): string => `
  insert into audit
    (workspace_id, id, at, actor_type, actor_id, actor_name, method, path, request_id, ip, user_agent, session,
     action, resource_type, resource_id, status)
  select x.workspace_id, ${id}, ${at}, x.actor_type, x.actor_id, x.actor_name, x.method, x.path, x.request_id, x.ip,
    x.user_agent, x.session, ${action}, ${resource.type}, ${resource.id}, ${status}
  ${from} where x.actor_type is not null`;
