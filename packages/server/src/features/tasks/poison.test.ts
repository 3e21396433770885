import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DatabaseUnavailable } from "../../db/database.ts";
import { newUuid } from "../../lib/ids.ts";
import { testClaim } from "../../testing/queue.ts";
import { beginTasks } from "./store.ts";
import { startTasks, type Tasks } from "./testing/app.ts";

let tasks: Tasks;
beforeAll(async () => {
  tasks = await startTasks();
});
afterAll(() => tasks.stop());

describe("a poison task", () => {
  it("that kills its process three times is given up at the fourth start", async () => {
    const workspaceId = await tasks.workspace();
    const { taskId } = await tasks.enqueue(workspaceId);
    const { slot, seq } = (
      await tasks.rows<{ slot: number; seq: number }>(workspaceId, "select slot, seq from task")
    )[0]!;
    // What a killed process leaves behind: a start, and no end.
    const ticket = { slot, seq, workspace_id: workspaceId, job_id: taskId };
    for (let crash = 0; crash < 3; crash++)
      expect(await tasks.app.db.call(beginTasks, [ticket], tasks.clock.now())).toMatchObject([{ verdict: "run" }]);
    let ran = false;
    const lane = tasks.laneOf(() => {
      ran = true;
      return Promise.resolve({ kind: "done" });
    });
    expect(await tasks.work(lane, workspaceId)).toMatchObject([{ kind: "done" }]);
    expect(ran).toBe(false);
    expect(await tasks.taskOf(workspaceId, taskId)).toMatchObject({ status: "failed", error: { code: "crashed" } });
    expect(await tasks.queued(workspaceId)).toEqual([]);
  });

  it("that throws three times is failed, and its error contains no secret", async () => {
    const workspaceId = await tasks.workspace();
    const { taskId } = await tasks.enqueue(workspaceId);
    const lane = tasks.laneOf(() => Promise.reject(new Error("EAAsecret")));
    for (let round = 0; round < 3; round++) {
      await tasks.work(lane, workspaceId);
      tasks.clock.advance(10_000);
    }
    expect(await tasks.taskOf(workspaceId, taskId)).toEqual({
      status: "failed",
      error: { code: "crashed", detail: "Something failed here." },
    });
    expect(await tasks.queued(workspaceId)).toEqual([]);
  });

  it("is not assumed after an absence of the database or a graceful stop", async () => {
    const workspaceId = await tasks.workspace();
    const { taskId } = await tasks.enqueue(workspaceId);
    const away = tasks.laneOf(() => Promise.reject(new DatabaseUnavailable("away")));
    const stopping = testClaim();
    stopping.abort.abort();
    const stopped = tasks.laneOf(() => new Promise(() => {}));
    for (let round = 0; round < 3; round++) {
      expect(await tasks.work(away, workspaceId)).toMatchObject([{ kind: "later" }]);
      tasks.clock.advance(60_000);
      expect(await tasks.work(stopped, workspaceId, stopping)).toMatchObject([{ kind: "later" }]);
      tasks.clock.advance(1);
    }
    expect(await tasks.taskOf(workspaceId, taskId)).toMatchObject({ status: "pending" });
    expect(
      await tasks.work(
        tasks.laneOf(() => Promise.resolve({ kind: "done" })),
        workspaceId,
      ),
    ).toMatchObject([{ kind: "done" }]);
    expect(await tasks.taskOf(workspaceId, taskId)).toMatchObject({ status: "done" });
  });

  it("is not assumed when only the answer to its begin was lost", async () => {
    const workspaceId = await tasks.workspace();
    const { taskId } = await tasks.enqueue(workspaceId);
    const { slot, seq } = (
      await tasks.rows<{ slot: number; seq: number }>(workspaceId, "select slot, seq from task")
    )[0]!;
    const rows = JSON.stringify([{ slot, seq, workspace_id: workspaceId, job_id: taskId }]);
    const begin = (again: boolean) =>
      tasks.app.db.transaction(workspaceId, (sql) =>
        sql.query<{ unfinished: number }>(`select * from ${beginTasks.installed}($1, now(), $2, $3)`, [
          rows,
          newUuid(tasks.clock.now()),
          again,
        ]),
      );
    expect(await begin(false)).toMatchObject([{ unfinished: 1 }]);
    expect(await begin(true)).toMatchObject([{ unfinished: 1 }]);
  });
});
