import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { JobWaiters } from "./job-waiters.ts";
import { startTasks, type Tasks } from "./testing/app.ts";

let tasks: Tasks;
beforeAll(async () => {
  tasks = await startTasks();
});
afterAll(() => tasks.stop());

describe("waiting for a job", () => {
  it("ends with the job: at once when this process worked it, by reading the row when another did", async () => {
    const workspaceId = await tasks.workspace();
    const { jobId } = await tasks.enqueue(workspaceId);
    const here = tasks.jobs.wait(tasks.waiter(workspaceId), jobId, 20_000);
    const elsewhere = new JobWaiters().wait(tasks.waiter(workspaceId), jobId, 20_000);
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
    const { jobId } = await tasks.enqueue(workspaceId);
    const timed = tasks.jobs.wait(tasks.waiter(workspaceId), jobId, 60);
    const turning = setInterval(() => tasks.clock.advance(60), 5);
    expect(await timed).toEqual({ status: "pending", error: null });
    clearInterval(turning);
    const gone = new AbortController();
    const waiting = tasks.jobs.wait(tasks.waiter(workspaceId, gone.signal), jobId, 60_000);
    gone.abort();
    expect(await waiting).toEqual({ status: "pending", error: null });
  });

  it("is null for another workspace's job", async () => {
    const [a, b] = [await tasks.workspace(), await tasks.workspace()];
    const { jobId } = await tasks.enqueue(a);
    expect(await tasks.jobs.wait(tasks.waiter(b), jobId, 60_000)).toBeNull();
  });
});
