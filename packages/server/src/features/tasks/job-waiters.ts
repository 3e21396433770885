import type { Ctx } from "../../ctx.ts";
import { type JobRow, readJob } from "./store.ts";

/** Who waits for jobs in this process. */
export type Jobs = {
  /**
   * The job as soon as it has ended, or as it is after `ms` or when the caller has gone; null when there is none. A job
   * worked here is told at once, others are asked for: the row is the truth.
   */
  wait(ctx: WaitCtx, jobId: string, ms: number): Promise<JobRow | null>;
  /** The job has ended here. */
  ended(jobId: string): void;
};

export type WaitCtx = Pick<Ctx, "db" | "clock" | "workspaceId" | "signal">;

/** Asking costs a small transaction: often at first, when short tasks end, then rarely. */
const FIRST_ASK_MS = 50;
const MOST_ASK_MS = 500;

export function createJobs(): Jobs {
  const waiting = new Map<string, Set<() => void>>();

  // Resolves at a hint, after `ms`, or when the caller has gone.
  function pause(ctx: WaitCtx, jobId: string, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const set = waiting.get(jobId) ?? new Set();
      waiting.set(jobId, set);
      const wake = (): void => {
        cancel();
        ctx.signal.removeEventListener("abort", wake);
        set.delete(wake);
        if (set.size === 0 && waiting.get(jobId) === set) waiting.delete(jobId);
        resolve();
      };
      const cancel = ctx.clock.after(ms, wake);
      set.add(wake);
      ctx.signal.addEventListener("abort", wake, { once: true });
    });
  }

  return {
    async wait(ctx, jobId, ms) {
      const deadline = ctx.clock.monotonic() + ms;
      for (let ask = FIRST_ASK_MS; ; ask = Math.min(MOST_ASK_MS, ask * 2)) {
        const job = await ctx.db.read(ctx.workspaceId, (sql) => readJob(sql, ctx.workspaceId, jobId));
        const left = deadline - ctx.clock.monotonic();
        if (job?.status !== "pending" || left <= 0 || ctx.signal.aborted) return job;
        await pause(ctx, jobId, Math.min(ask, left));
      }
    },
    ended(jobId) {
      // A set may lose entries while it is walked.
      for (const wake of waiting.get(jobId) ?? []) wake();
    },
  };
}
