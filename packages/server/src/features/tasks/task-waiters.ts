import type { Ctx } from "../../ctx.ts";
import { pause } from "../../lib/clock.ts";
import { selectTaskRow, type TaskRow } from "./store.ts";

export type WaitCtx = Pick<Ctx, "db" | "clock" | "workspaceId" | "signal">;

/** Pauses between two reads of a task; each read is a small transaction. Short at first, when short tasks end, then longer. */
const FIRST_PAUSE_MS = 50;
const MOST_PAUSE_MS = 500;

/** The callers in this process that wait for tasks to end. */
export class TaskWaiters {
  /** By task id: what ends the current pause of each caller. */
  readonly #pauses = new Map<string, Set<AbortController>>();

  /**
   * The task when it has ended, or as it is after `ms` milliseconds or once the caller's signal is aborted; null when the
   * workspace has no such task. A task that ends in this process is returned at once; others are found by reading the row.
   */
  async wait(ctx: WaitCtx, taskId: string, ms: number): Promise<TaskRow | null> {
    const deadline = ctx.clock.monotonic() + ms;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MOST_PAUSE_MS, pauseMs * 2)) {
      const task = await ctx.db.read(ctx.workspaceId, (sql) => selectTaskRow(sql, ctx.workspaceId, taskId));
      const left = deadline - ctx.clock.monotonic();
      if (task?.status !== "pending" || left <= 0 || ctx.signal.aborted) return task;
      await this.#pause(ctx, taskId, Math.min(pauseMs, left));
    }
  }

  // Ends when the task ends here, after `ms`, or when the caller's signal is aborted.
  async #pause(ctx: WaitCtx, taskId: string, ms: number): Promise<void> {
    const ended = new AbortController();
    const pauses = this.#pauses.get(taskId) ?? new Set();
    this.#pauses.set(taskId, pauses.add(ended));
    await pause(ctx.clock, ms, AbortSignal.any([ctx.signal, ended.signal]));
    pauses.delete(ended);
    if (pauses.size === 0 && this.#pauses.get(taskId) === pauses) this.#pauses.delete(taskId);
  }

  /** The task has ended in this process: its callers read it now. */
  ended(taskId: string): void {
    for (const ended of this.#pauses.get(taskId) ?? []) ended.abort();
  }
}
