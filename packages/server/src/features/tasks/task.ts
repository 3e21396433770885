import { createHash } from "node:crypto";
import type { Sql } from "../../db/database.ts";
import { type LaneNotifier, slotOf } from "../../lanes/lane-kinds.ts";
import { newUuid } from "../../lib/ids.ts";
import { insertJob } from "./store.ts";

/** Work to be done once the transaction that wishes for it has committed. */
export type NewTask = {
  /** `<feature>.<verb>`, the name of its handler. */
  kind: string;
  /** Small: ids, not contents. Secrets never. */
  payload: object;
  /** Milliseconds. */
  now: number;
  /** Uuid of the job, for who needs it before; default a new one. Without a `subject` it is the job's for sure. */
  id?: string;
  /**
   * What it is about. A waiting job of the same kind and subject then stands for this one too; one that has begun never
   * does, for it may have read the world before the change that this wish is about.
   */
  subject?: string;
};

export type EnqueuedTask = { jobId: string; slot: number };

/**
 * Inserts a job and its queue row; call it last in a transaction of the workspace, because `seq` should be close to the
 * commit. Its lanes are told by `hintTasks` after the commit; without that they find it by polling, within a second.
 */
export async function enqueueTask(sql: Sql, workspaceId: string, task: NewTask): Promise<EnqueuedTask> {
  const lane = taskLane(workspaceId);
  const slot = slotOf(lane);
  const { kind, payload, subject = null, now, id = newUuid(now) } = task;
  const jobId = await insertJob(sql, workspaceId, {
    id,
    kind,
    payload,
    subject,
    slot,
    lane,
    at: new Date(now),
  });
  return { jobId, slot };
}

/** Tells the owner of the workspace's lane that a task was committed. The lane follows from the workspace alone, so `after` needs no memory. */
export function hintTasks(notifier: LaneNotifier, workspaceId: string): void {
  notifier.hint("task", [slotOf(taskLane(workspaceId))]);
}

/** Workspaces may share a lane; they then share its concurrency and nothing else. Stored in rows, so never to be changed. */
export function taskLane(workspaceId: string): number {
  return createHash("sha256").update(workspaceId).digest().readUInt32BE(0) & 0x7fff_ffff;
}
