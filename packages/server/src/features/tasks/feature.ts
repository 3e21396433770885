import type { App } from "../../ctx.ts";
import type { HotFunction } from "../../db/hot-function.ts";
import type { Feature } from "../../feature.ts";
import { queueFunctions } from "../../lanes/queue.ts";
import type { JobWaiters } from "./job-waiters.ts";
import { type TaskHandlers, TaskLane } from "./lane.ts";
import { pruneJobs, TASK_STORE_FUNCTIONS, taskQueue } from "./store.ts";

export const TASK_FUNCTIONS: readonly HotFunction[] = [...queueFunctions(taskQueue), ...TASK_STORE_FUNCTIONS];

/** Ended jobs are kept for an operator who looks for what went wrong; a week covers a weekend and a holiday. */
const JOBS_KEPT_MS = 7 * 86_400_000;
const PRUNE_EVERY_MS = 60_000;

/** Deferred work of all features: `handlers` by kind of task. */
export function tasksFeature(app: App, jobs: JobWaiters, handlers: TaskHandlers): Feature {
  const prune = async (): Promise<void> => {
    const now = app.clock.now();
    await app.db.call(pruneJobs, [{ before: new Date(now - JOBS_KEPT_MS).toISOString() }], now);
  };
  return {
    name: "tasks",
    kinds: [new TaskLane(app, jobs, handlers)],
    timers: [{ name: "prune jobs", role: "maintenance", everyMs: PRUNE_EVERY_MS, run: prune }],
  };
}
