import { createHash } from "node:crypto";
import type { App } from "../../ctx.ts";
import type { Sql } from "../../db/database.ts";
import { slotOf } from "../../lanes/lane-kinds.ts";
import { newUuid } from "../../lib/ids.ts";
import { insertTaskRow, selectLastTaskRow, selectPausingTaskId } from "./store.ts";

/** Work to be done once the transaction that asks for it has committed. */
export type NewTask = {
  /** `<feature>.<verb>`, the name of its handler. */
  kind: string;
  /** Small: ids, not contents. Secrets never. */
  payload: object;
  /** Milliseconds. */
  now: number;
  /** Uuid of the task, for a caller that stores it earlier; a new one by default. With a `subject`, a waiting task may stand for it, under an id of its own. */
  id?: string;
  /**
   * What it is about. A waiting task of the same kind and subject then stands for this one too; one that has begun never
   * does, because it may have read its data before the change that this task is about.
   */
  subject?: string;
  /**
   * A task of the kind and subject that has begun and waits for its next try stands for this one too: it asks again anyway, some minutes
   * later. Without it each request adds a task while the provider is away.
   */
  joins?: boolean;
  /**
   * Uuid of the account that the task asks the provider about, when no person waits for it. Such tasks have a lane for each
   * account: those of one whose provider hangs hold back no others.
   */
  accountId?: string;
  /**
   * Its runs take seconds: an import, an erasure. Such tasks have a lane for each kind, so that those which a person waits for do not wait
   * for their ends.
   */
  isLong?: boolean;
};

export type EnqueuedTask = { taskId: string; slot: number };

/**
 * Inserts a task and its queue row; call it last in a transaction of the workspace, because `seq` should be close to the
 * commit. Call `hintTasks` after the commit; without it the lane's owner finds the row by polling, within a second.
 */
export async function enqueueTask(sql: Sql, workspaceId: string, task: NewTask): Promise<EnqueuedTask> {
  const { kind, payload, subject = null, now, id = newUuid(now), accountId, isLong = false, joins = false } = task;
  const lane = isLong ? longTaskLane(workspaceId, kind) : taskLane(workspaceId, accountId);
  const slot = slotOf(lane);
  const taskId = await insertTaskRow(sql, workspaceId, {
    id,
    kind,
    payload,
    subject,
    joins,
    slot,
    lane,
    at: new Date(now),
  });
  return { taskId, slot };
}

/** The payload of the newest task of a kind about a subject, and when it ended, in milliseconds; null: it has not, or is not kept. */
export async function lastTask(
  sql: Sql,
  workspaceId: string,
  { kind, subject }: { kind: string; subject: string },
): Promise<{ payload: unknown; endedAt: number } | null> {
  const row = await selectLastTaskRow(sql, workspaceId, kind, subject);
  return row?.completed_at ? { payload: row.payload, endedAt: row.completed_at.getTime() } : null;
}

/** Whether another task of the kind and subject waits for its next try: one that failed as well need not wait beside it. */
export async function isAnotherPausing(
  sql: Sql,
  { workspaceId, taskId, kind }: { workspaceId: string; taskId: string; kind: string },
  subject: string,
): Promise<boolean> {
  return (await selectPausingTaskId(sql, workspaceId, { id: taskId, kind, subject })) !== null;
}

/** Hints the owner of the workspace's lanes that a task was committed: all are in one slot, which follows from the workspace id alone. */
export function hintTasks(notifier: App["notifier"], workspaceId: string): void {
  notifier.hint("task", [slotOf(taskLane(workspaceId))]);
}

/**
 * The lane of a workspace, or of one of its accounts: the same but for some bits, and in the same slot. Workspaces or accounts that
 * share a lane share its concurrency and nothing else. Stored in rows, so it must never change.
 */
export function taskLane(workspaceId: string, accountId?: string): number {
  const lane = hashOf(workspaceId);
  return accountId === undefined ? lane : (lane & ~OWN_BITS) | (hashOf(accountId) & OWN_BITS);
}

/**
 * The lane of a workspace's long tasks of a kind, in the same slot and never the workspace's own. It may be that of one of its accounts,
 * for which no person waits. Stored in rows too.
 */
export const longTaskLane = (workspaceId: string, kind: string): number =>
  hashOf(workspaceId) ^ (hashOf(kind) & OWN_BITS);

/** Twelve bits above those of the slot: two of a workspace's hundred accounts rarely share a lane, workspaces hardly ever a share. */
const OWN_BITS = 0x3_ffc0;

const hashOf = (id: string): number => createHash("sha256").update(id).digest().readUInt32BE(0) & 0x7fff_ffff;

/** What the lanes of one workspace have in common: places in flight are shared between workspaces, however many accounts they have. */
export const shareOf = (lane: number): string => String(lane & ~OWN_BITS);
