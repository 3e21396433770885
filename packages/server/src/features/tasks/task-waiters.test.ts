import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TaskWaiters } from "./task-waiters.ts";
import { startTasks, type Tasks } from "./testing/app.ts";

let tasks: Tasks;
beforeAll(async () => {
  tasks = await startTasks();
});
afterAll(() => tasks.stop());

describe("waiting for a task", () => {
  it("ends with the task: at once when this process worked it, by reading the row when another did", async () => {
    const workspaceId = await tasks.workspace();
    const { taskId } = await tasks.enqueue(workspaceId);
    const here = tasks.waiters.wait(tasks.waiter(workspaceId), taskId, 20_000);
    const elsewhere = new TaskWaiters().wait(tasks.waiter(workspaceId), taskId, 20_000);
    await tasks.work(
      tasks.laneOf(() => Promise.resolve({ kind: "done" })),
      workspaceId,
    );
    expect(await here).toEqual({ status: "done", error: null });
    tasks.clock.advance(500); // longer than any pause between two reads
    expect(await elsewhere).toEqual({ status: "done", error: null });
  });

  it("ends when the time is up, and when the caller is gone", async () => {
    const workspaceId = await tasks.workspace();
    const { taskId } = await tasks.enqueue(workspaceId);
    const timed = tasks.waiters.wait(tasks.waiter(workspaceId), taskId, 60);
    const turning = setInterval(() => tasks.clock.advance(60), 5);
    expect(await timed).toEqual({ status: "pending", error: null });
    clearInterval(turning);
    const gone = new AbortController();
    const waiting = tasks.waiters.wait(tasks.waiter(workspaceId, gone.signal), taskId, 60_000);
    gone.abort();
    expect(await waiting).toEqual({ status: "pending", error: null });
  });

  it("is null for another workspace's task", async () => {
    const [a, b] = [await tasks.workspace(), await tasks.workspace()];
    const { taskId } = await tasks.enqueue(a);
    expect(await tasks.waiters.wait(tasks.waiter(b), taskId, 60_000)).toBeNull();
  });
});
