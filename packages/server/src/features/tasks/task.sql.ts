import { slotOfLane } from "../../lanes/lane-kinds.ts";

/** int: the lane of a workspace's tasks, as `taskLane` gives it. */
export const workspaceLane = (workspace: string): string =>
  `(('x' || encode(substr(sha256(convert_to(${workspace}::text, 'UTF8')), 1, 4), 'hex'))::bit(32)::bigint & 2147483647)::int`;

/** The SQL of a new task, of each row `x` of a `from` list. */
type TaskStep = {
  workspace: string;
  /** uuid of the task. Of two with one id the first stays, as long as it is kept. */
  id: string;
  kind: string;
  /** json */
  payload: string;
};

/** Enqueues tasks of workspaces within a database function: a statement, run last. Nothing hints them: they are found within a second. */
export const enqueueTaskRows = (from: string, { workspace, id, kind, payload }: TaskStep): string => `
with jobs as (
  insert into job (workspace_id, id, kind, payload, created_at)
  select ${workspace}, ${id}, '${kind}', ${payload}, now from ${from}
  order by 1, 2
  on conflict do nothing
  returning workspace_id, id),
lanes as materialized (select j.*, ${workspaceLane("j.workspace_id")} as lane from jobs j)
insert into task (slot, lane, workspace_id, job_id)
select ${slotOfLane("l.lane")}, l.lane, l.workspace_id, l.id from lanes l`;
