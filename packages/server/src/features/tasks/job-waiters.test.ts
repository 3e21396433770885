import { describe, expect, it } from "vitest";
import { createJobs } from "./job-waiters.ts";
import { enqueue, jobs, kindOf, test, useTasks, waiter } from "./testing/tasks.ts";

useTasks();

describe("waiting for a job", () => {
  it("ends with the job, told in process at once, or found by asking when another process did it", async () => {
    const workspaceId = await test.workspace();
    const { jobId } = await enqueue(workspaceId);
    const here = jobs.wait(waiter(workspaceId), jobId, 20_000);
    const elsewhere = createJobs().wait(waiter(workspaceId), jobId, 20_000);
    await test.work(
      kindOf(() => Promise.resolve({ kind: "done" })),
      workspaceId,
    );
    expect(await here).toEqual({ status: "done", error: null });
    test.clock.advance(500); // longer than any pause between two questions
    expect(await elsewhere).toEqual({ status: "done", error: null });
  });

  it("ends with the time, and when the caller goes", async () => {
    const workspaceId = await test.workspace();
    const { jobId } = await enqueue(workspaceId);
    const timed = jobs.wait(waiter(workspaceId), jobId, 60);
    const turning = setInterval(() => test.clock.advance(60), 5);
    expect(await timed).toEqual({ status: "pending", error: null });
    clearInterval(turning);
    const gone = new AbortController();
    const waiting = jobs.wait(waiter(workspaceId, gone.signal), jobId, 60_000);
    gone.abort();
    expect(await waiting).toEqual({ status: "pending", error: null });
  });

  it("is null for another workspace's job", async () => {
    const [a, b] = [await test.workspace(), await test.workspace()];
    const { jobId } = await enqueue(a);
    expect(await jobs.wait(waiter(b), jobId, 60_000)).toBeNull();
  });
});
