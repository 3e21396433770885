import type { App } from "../../../ctx.ts";
import type { HotFunction } from "../../../db/hot-function.ts";
import { startLanes } from "../../../lanes/engine.ts";
import type { Disposition, LaneClaim, LaneKind } from "../../../lanes/kind.ts";
import { slotOf } from "../../../lanes/lane-kinds.ts";
import { openNotifier } from "../../../lanes/ownership/notifier.ts";
import { systemClock } from "../../../lib/clock.ts";
import { openApp, type TestApp } from "../../../testing/app.ts";
import { readQueue, testClaim } from "../../../testing/queue.ts";
import { tasks as feature } from "../feature.ts";
import { type TaskHandler, TaskLane } from "../lane.ts";
import { selectTaskRow, type TaskRow, taskQueue } from "../store.ts";
import { type EnqueuedTask, enqueueTask, type NewTask, shareOf, taskLane } from "../task.ts";
import { TaskWaiters, type WaitCtx } from "../task-waiters.ts";

export type TaskApp = TestApp & {
  /** Works every row of the workspace's task lane that is due, once, in order, as the lane's owner does. */
  work(lane: LaneKind, workspaceId: string, claim?: LaneClaim): Promise<Disposition[]>;
  /** Runs the lanes until `stop`, by the machine's clock: a new owner waits, and finds its rows by itself. */
  startLanes(kinds: readonly LaneKind[]): Promise<void>;
};

/** A database with these functions, whose task lanes the test runs itself. */
export async function startTaskApp(functions: readonly HotFunction[], provider: App["provider"]): Promise<TaskApp> {
  const open = await openApp({ functions, provider });
  const { db, clock, log } = open.app;
  const stops: (() => Promise<void>)[] = [];
  return {
    ...open,
    async work(kind, workspaceId, claim = testClaim()) {
      const lane = taskLane(workspaceId);
      const rows = await readQueue(open.app, taskQueue, [slotOf(lane)]);
      const due = rows.filter((row) => shareOf(row.lane) === shareOf(lane) && row.due <= clock.now());
      const dispositions: Disposition[] = [];
      for (const row of due) dispositions.push(await kind.work(row, claim));
      return dispositions;
    },
    async startLanes(kinds) {
      const notifier = await openNotifier(open.database.url, log);
      stops.push(() => notifier.close());
      const options = { kinds, roles: ["maintenance"] as const, version: "0.0.0", leaseMs: 12_000 };
      const lanes = await startLanes({ ...options, db, clock: systemClock(), log, notifier, random: Math.random });
      stops.push(() => lanes.stop());
    },
    async stop() {
      for (const stop of stops.toReversed()) await stop();
      await open.stop();
    },
  };
}

export type Tasks = TaskApp & {
  waiters: TaskWaiters;
  /** The task lane with one kind of task, `test.do`. */
  laneOf(handler: TaskHandler): TaskLane;
  /** Enqueues a task of the kind `test.do`, or what `more` says. */
  enqueue(workspaceId: string, more?: Partial<NewTask>): Promise<EnqueuedTask>;
  taskOf(workspaceId: string, taskId: string): Promise<TaskRow | null>;
  /** The workspace's rows of the queue. */
  queued(workspaceId: string): Promise<{ attempt: number; due: Date | number }[]>;
  /** The context of a request that waits for a task. */
  waiter(workspaceId: string, signal?: AbortSignal): WaitCtx;
};

/** The feature on a database of its own. */
export async function startTasks(): Promise<Tasks> {
  const open = await startTaskApp(feature.functions ?? [], {} as App["provider"]); // not reached
  const { app } = open;
  const waiters = new TaskWaiters();
  return {
    ...open,
    waiters,
    laneOf: (handler) => new TaskLane(app, waiters, new Map([["test.do", handler]])),
    enqueue: (workspaceId, more = {}) =>
      app.db.transaction(workspaceId, (sql) =>
        enqueueTask(sql, workspaceId, { kind: "test.do", payload: { n: 1 }, now: app.clock.now(), ...more }),
      ),
    taskOf: (workspaceId, taskId) => app.db.read(workspaceId, (sql) => selectTaskRow(sql, workspaceId, taskId)),
    queued: (workspaceId) =>
      open.rows(workspaceId, "select attempt, due from task where workspace_id = $1", [workspaceId]),
    waiter: (workspaceId, signal = new AbortController().signal) => ({ ...app, workspaceId, signal }),
  };
}
