import { describe, expect, it } from "vitest";
import { DatabaseUnavailable } from "../../db/database.ts";
import { newUuid } from "../../lib/ids.ts";
import { beginTasks } from "./store.ts";
import { firmClaim } from "./testing/app.ts";
import { app, enqueue, jobOf, kindOf, queued, test, useTasks } from "./testing/tasks.ts";

useTasks();

describe("a poison task", () => {
  it("that kills its process three times is given up at the fourth start", async () => {
    const workspaceId = await test.workspace();
    const { jobId } = await enqueue(workspaceId);
    const { slot, seq } = (
      await test.rows<{ slot: number; seq: number }>(workspaceId, "select slot, seq from task")
    )[0]!;
    // What a killed process leaves behind: a start, and no end.
    const ticket = { slot, seq, workspace_id: workspaceId, job_id: jobId };
    for (let crash = 0; crash < 3; crash++)
      expect(await app.db.call(beginTasks, [ticket], app.clock.now())).toMatchObject([{ fate: "run" }]);
    let ran = false;
    const kind = kindOf(() => {
      ran = true;
      return Promise.resolve({ kind: "done" });
    });
    expect(await test.work(kind, workspaceId)).toEqual([{ kind: "done" }]);
    expect(ran).toBe(false);
    expect(await jobOf(workspaceId, jobId)).toMatchObject({ status: "failed", error: { code: "crashed" } });
    expect(await queued(workspaceId)).toEqual([]);
  });

  it("that throws three times is failed, and its error tells no secret", async () => {
    const workspaceId = await test.workspace();
    const { jobId } = await enqueue(workspaceId);
    const kind = kindOf(() => Promise.reject(new Error("EAAsecret")));
    for (let round = 0; round < 3; round++) {
      await test.work(kind, workspaceId);
      test.clock.advance(10_000);
    }
    expect(await jobOf(workspaceId, jobId)).toEqual({
      status: "failed",
      error: { code: "crashed", detail: "Something failed here." },
    });
    expect(await queued(workspaceId)).toEqual([]);
  });

  it("is none when the database was away, when it ended well in between, or when the process stopped in order", async () => {
    const workspaceId = await test.workspace();
    const { jobId } = await enqueue(workspaceId);
    const away = kindOf(() => Promise.reject(new DatabaseUnavailable("away")));
    const stopping = AbortSignal.abort();
    const stopped = kindOf(() => new Promise(() => {}));
    for (let round = 0; round < 3; round++) {
      expect(await test.work(away, workspaceId)).toMatchObject([{ kind: "later" }]);
      test.clock.advance(60_000);
      expect(await test.work(stopped, workspaceId, firmClaim(stopping))).toMatchObject([{ kind: "later" }]);
      test.clock.advance(1);
    }
    expect(await jobOf(workspaceId, jobId)).toMatchObject({ status: "pending" });
    expect(
      await test.work(
        kindOf(() => Promise.resolve({ kind: "done" })),
        workspaceId,
      ),
    ).toEqual([{ kind: "done" }]);
    expect(await jobOf(workspaceId, jobId)).toMatchObject({ status: "done" });
  });

  it("is none when only the answer to its begin was lost", async () => {
    const workspaceId = await test.workspace();
    const { jobId } = await enqueue(workspaceId);
    const { slot, seq } = (
      await test.rows<{ slot: number; seq: number }>(workspaceId, "select slot, seq from task")
    )[0]!;
    const rows = JSON.stringify([{ slot, seq, workspace_id: workspaceId, job_id: jobId }]);
    const begin = (again: boolean) =>
      app.db.transaction(workspaceId, (sql) =>
        sql.query<{ unfinished: number }>(`select * from ${beginTasks.installed}($1, now(), $2, $3)`, [
          rows,
          newUuid(app.clock.now()),
          again,
        ]),
      );
    expect(await begin(false)).toMatchObject([{ unfinished: 1 }]);
    expect(await begin(true)).toMatchObject([{ unfinished: 1 }]);
  });
});
