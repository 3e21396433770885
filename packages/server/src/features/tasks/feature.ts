import type { Feature } from "../../feature.ts";
import { queueFunctions } from "../../lanes/queue.ts";
import { DAY_MS } from "../../lib/duration.ts";
import { TaskLane } from "./lane.ts";
import { beginTasks, endTasks, pruneTasks, taskQueue } from "./store.ts";

/** Ended tasks are kept for an operator who looks for what went wrong; a week covers a weekend and a holiday. */
const TASKS_KEPT_MS = 7 * DAY_MS;
const PRUNE_EVERY_MS = 60_000;

/** Deferred work of all features. */
export const tasks: Feature = {
  name: "tasks",
  grants: {
    job: { app: "delete, insert, select, update", engine: "delete, insert, select, update" },
    task: { app: "insert, select", engine: "delete, insert, select, update" },
  },
  forgets: { without: ["job", "task"] },
  moves: { task: "by workspace" },
  functions: [...queueFunctions(taskQueue), beginTasks, endTasks, pruneTasks],
  build(app, services) {
    const prune = async (): Promise<void> => {
      const now = app.clock.now();
      await app.db.call(pruneTasks, [{ before: new Date(now - TASKS_KEPT_MS).toISOString() }], now);
    };
    return {
      kinds: [new TaskLane(app, services.taskWaiters, services.tasks)],
      timers: [{ name: "prune jobs", role: "maintenance", everyMs: PRUNE_EVERY_MS, run: prune }],
    };
  },
};
