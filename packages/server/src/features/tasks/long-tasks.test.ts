import { afterAll, beforeAll, expect, it } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { type Task, TaskLane, type TaskOutcome } from "./lane.ts";
import { startTasks, type Tasks } from "./testing/app.ts";

let tasks: Tasks;
beforeAll(async () => {
  tasks = await startTasks();
  const handlers = { "test.do": async (): Promise<TaskOutcome> => ({ kind: "done" }), "test.long": long };
  await tasks.startLanes([new TaskLane(tasks.app, tasks.waiters, new Map(Object.entries(handlers)))]);
});
afterAll(() => tasks.stop());

/** Tasks that waited, and workspaces that have one which runs until it is released. */
const waited = new Set<string>();
const running = new Map<string, () => void>();

async function long({ workspaceId, taskId, payload }: Task): Promise<TaskOutcome> {
  if ((payload as { waits: boolean }).waits) {
    waited.add(taskId);
    return { kind: "wait", at: Date.now() + 100 };
  }
  await new Promise<void>((resolve) => running.set(workspaceId, resolve));
  return { kind: "done" };
}

it.each([
  ["this version have a lane of their own", { isLong: true, run: 8 }],
  // A lane begins with two places. The waiting of the others says nothing against the second.
  ["the version before, in the workspace's lane, leave it a place", { isLong: false, run: 1 }],
])("long tasks of %s: others end beside them", async (_, { isLong, run }) => {
  const workspaceId = await tasks.workspace();
  const enqueue = (waits: boolean) => tasks.enqueue(workspaceId, { kind: "test.long", isLong, payload: { waits } });
  const jobs = await Promise.all(Array.from({ length: 20 }, () => enqueue(true)));
  await expect.poll(() => jobs.every(({ taskId }) => waited.has(taskId))).toBe(true);
  const ends = await Promise.all(Array.from({ length: run }, () => enqueue(false)));
  await expect.poll(() => running.has(workspaceId)).toBe(true);
  const waiter = { ...tasks.waiter(workspaceId), clock: systemClock() };
  for (let others = 0; others < 3; others++) {
    const { taskId } = await tasks.enqueue(workspaceId);
    expect(await tasks.waiters.wait(waiter, taskId, 10_000)).toMatchObject({ status: "done" });
  }
  expect(await tasks.taskOf(workspaceId, ends[0]?.taskId ?? "")).toMatchObject({ status: "pending" });
});
