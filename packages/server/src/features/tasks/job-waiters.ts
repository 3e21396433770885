import type { Ctx } from "../../ctx.ts";
import { pause } from "../../lib/clock.ts";
import { type JobRow, selectJobRow } from "./store.ts";

export type WaitCtx = Pick<Ctx, "db" | "clock" | "workspaceId" | "signal">;

/** Pauses between two reads of a job; each read is a small transaction. Short at first, when short tasks end, then longer. */
const FIRST_PAUSE_MS = 50;
const MOST_PAUSE_MS = 500;

/** The callers in this process that wait for jobs to end. */
export class JobWaiters {
  /** By job id: what ends the current pause of each caller. */
  readonly #pauses = new Map<string, Set<AbortController>>();

  /**
   * The job when it has ended, or as it is after `ms` milliseconds or once the caller's signal is aborted; null when the
   * workspace has no such job. A job that ends in this process is returned at once; others are found by reading the row.
   */
  async wait(ctx: WaitCtx, jobId: string, ms: number): Promise<JobRow | null> {
    const deadline = ctx.clock.monotonic() + ms;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MOST_PAUSE_MS, pauseMs * 2)) {
      const job = await ctx.db.read(ctx.workspaceId, (sql) => selectJobRow(sql, ctx.workspaceId, jobId));
      const left = deadline - ctx.clock.monotonic();
      if (job?.status !== "pending" || left <= 0 || ctx.signal.aborted) return job;
      await this.#pause(ctx, jobId, Math.min(pauseMs, left));
    }
  }

  // Ends when the job ends here, after `ms`, or when the caller's signal is aborted.
  async #pause(ctx: WaitCtx, jobId: string, ms: number): Promise<void> {
    const ended = new AbortController();
    const pauses = this.#pauses.get(jobId) ?? new Set();
    this.#pauses.set(jobId, pauses.add(ended));
    await pause(ctx.clock, ms, AbortSignal.any([ctx.signal, ended.signal]));
    pauses.delete(ended);
    if (pauses.size === 0 && this.#pauses.get(jobId) === pauses) this.#pauses.delete(jobId);
  }

  /** The job has ended in this process: its callers read it now. */
  ended(jobId: string): void {
    for (const ended of this.#pauses.get(jobId) ?? []) ended.abort();
  }
}
