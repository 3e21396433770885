import { afterAll, beforeAll } from "vitest";
import type { App } from "../../../ctx.ts";
import type { LaneKind } from "../../../lanes/kind.ts";
import { TASK_FUNCTIONS } from "../feature.ts";
import { createJobs, type Jobs } from "../job-waiters.ts";
import { type TaskHandler, taskKind } from "../lane.ts";
import { readJob } from "../store.ts";
import { enqueueTask, type NewTask } from "../task.ts";
import { startApp, type TestApp } from "./app.ts";

export let test: TestApp;
export let app: App;
export let jobs: Jobs;

/** Starts the feature for the tests of a file: tasks of one kind, `test.do`, whose handler each test brings. */
export function useTasks(): void {
  beforeAll(async () => {
    test = await startApp(TASK_FUNCTIONS, {} as App["provider"]); // not reached
    app = test.app;
    jobs = createJobs();
  });
  afterAll(() => test.stop());
}

export const kindOf = (handler: TaskHandler): LaneKind => taskKind(app, jobs, { "test.do": handler });

export const enqueue = (workspaceId: string, more: Partial<NewTask> = {}) =>
  app.db.transaction(workspaceId, (sql) =>
    enqueueTask(sql, workspaceId, { kind: "test.do", payload: { n: 1 }, now: app.clock.now(), ...more }),
  );

export const jobOf = (workspaceId: string, jobId: string) =>
  app.db.read(workspaceId, (sql) => readJob(sql, workspaceId, jobId));

/** The rows of the queue that belong to a workspace. */
export const queued = (workspaceId: string) =>
  test.rows<{ attempt: number; due: Date | number }>(
    workspaceId,
    "select attempt, due from task where workspace_id = $1",
    [workspaceId],
  );

export const waiter = (workspaceId: string, signal = new AbortController().signal) => ({
  ...app,
  workspaceId,
  signal,
});
