import { describe, expect, it } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { newUuid } from "../../lib/ids.ts";
import { taskBackoff } from "./backoff.ts";
import { tasksFeature } from "./feature.ts";
import type { Task } from "./lane.ts";
import { beginTasks, endTasks } from "./store.ts";
import { enqueueTask, hintTasks, taskLane } from "./task.ts";
import { app, enqueue, jobOf, jobs, kindOf, queued, test, useTasks, waiter } from "./testing/tasks.ts";

useTasks();

describe("a task", () => {
  it("is done: handler called with what was enqueued, job done, queue row gone", async () => {
    const workspaceId = await test.workspace();
    const { jobId } = await enqueue(workspaceId, { payload: { account_id: "x" } });
    const seen: Task[] = [];
    const kind = kindOf((task) => {
      seen.push(task);
      return Promise.resolve({ kind: "done" });
    });
    expect(await test.work(kind, workspaceId)).toEqual([{ kind: "done" }]);
    expect(seen).toMatchObject([{ workspaceId, jobId, payload: { account_id: "x" }, attempt: 0, lastTry: false }]);
    expect(await jobOf(workspaceId, jobId)).toEqual({ status: "done", error: null });
    expect(await queued(workspaceId)).toEqual([]);
  });

  it("is rolled back with the transaction that wished for it", async () => {
    const workspaceId = await test.workspace();
    const failed = app.db.transaction(workspaceId, async (sql) => {
      await enqueueTask(sql, workspaceId, { kind: "test.do", payload: {}, now: app.clock.now() });
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(await queued(workspaceId)).toEqual([]);
    expect(await test.rows(workspaceId, "select 1 from job")).toEqual([]);
  });

  it("fails with its error for people to read", async () => {
    const workspaceId = await test.workspace();
    const { jobId } = await enqueue(workspaceId);
    const error = { code: "conflict", detail: "Taken." };
    await test.work(
      kindOf(() => Promise.resolve({ kind: "failed", error })),
      workspaceId,
    );
    expect(await jobOf(workspaceId, jobId)).toEqual({ status: "failed", error });
    expect(await queued(workspaceId)).toEqual([]);
  });

  it("is tried again later in its place, each time after a longer while, and after a day no more", async () => {
    const workspaceId = await test.workspace();
    const { jobId } = await enqueue(workspaceId);
    const tries: Task[] = [];
    const kind = kindOf((task) => {
      tries.push(task);
      return Promise.resolve({ kind: "retry", error: { code: "provider_error", detail: "Away." } });
    });
    const [first] = await test.work(kind, workspaceId);
    expect(first).toMatchObject({ kind: "later", holdsKey: false });
    expect(await test.work(kind, workspaceId)).toEqual([]); // not due
    test.clock.advance(2_000);
    expect(await test.work(kind, workspaceId)).toMatchObject([{ kind: "later" }]);
    expect(tries.map((task) => task.attempt)).toEqual([0, 1]);
    expect(await jobOf(workspaceId, jobId)).toEqual({
      status: "pending",
      error: { code: "provider_error", detail: "Away." },
    });

    test.clock.advance(25 * 3_600_000);
    expect(await test.work(kind, workspaceId)).toEqual([{ kind: "done" }]);
    expect(tries.at(-1)).toMatchObject({ attempt: 2, lastTry: true });
    expect(await jobOf(workspaceId, jobId)).toMatchObject({ status: "failed", error: { code: "provider_error" } });
  });

  it("may be worked twice at once: the first end counts and nothing is left over", async () => {
    const workspaceId = await test.workspace();
    const { jobId } = await enqueue(workspaceId);
    let meet: () => void = () => {};
    const both = new Promise<void>((resolve) => (meet = resolve));
    let started = 0;
    const kind = kindOf(async () => {
      started += 1;
      if (started === 2) meet();
      await both;
      return { kind: "done" };
    });
    expect(await Promise.all([test.work(kind, workspaceId), test.work(kind, workspaceId)])).toEqual([
      [{ kind: "done" }],
      [{ kind: "done" }],
    ]);
    expect(await jobOf(workspaceId, jobId)).toEqual({ status: "done", error: null });
    expect(await queued(workspaceId)).toEqual([]);
  });

  it("of a kind that this version does not know waits for one that does", async () => {
    const workspaceId = await test.workspace();
    const { jobId } = await enqueue(workspaceId, { kind: "later.version" });
    expect(
      await test.work(
        kindOf(() => Promise.resolve({ kind: "done" })),
        workspaceId,
      ),
    ).toMatchObject([{ kind: "later" }]);
    expect(await jobOf(workspaceId, jobId)).toMatchObject({ status: "pending" });
  });
});

describe("a subject", () => {
  it("lets a waiting job stand for later wishes, but never one that has begun", async () => {
    const workspaceId = await test.workspace();
    const first = await enqueue(workspaceId, { subject: "tpl 1" });
    expect((await enqueue(workspaceId, { subject: "tpl 1" })).jobId).toBe(first.jobId);
    expect((await enqueue(workspaceId, { subject: "tpl 2" })).jobId).not.toBe(first.jobId);
    expect(await queued(workspaceId)).toHaveLength(2);

    let during = "";
    const kind = kindOf(async (task) => {
      if (task.jobId === first.jobId) during = (await enqueue(workspaceId, { subject: "tpl 1" })).jobId;
      return { kind: "done" };
    });
    await test.work(kind, workspaceId);
    expect(during).not.toBe(first.jobId);
    expect(await jobOf(workspaceId, during)).toMatchObject({ status: "pending" });
  });

  it("holds under twenty wishes at once", async () => {
    const workspaceId = await test.workspace();
    const made = await Promise.all(Array.from({ length: 20 }, () => enqueue(workspaceId, { subject: "one" })));
    expect(new Set(made.map((task) => task.jobId)).size).toBe(1);
    expect(await queued(workspaceId)).toHaveLength(1);
  });

  it("is each workspace's own", async () => {
    const [a, b] = [await test.workspace(), await test.workspace()];
    const [one, other] = [await enqueue(a, { subject: "same" }), await enqueue(b, { subject: "same" })];
    expect(one.jobId).not.toBe(other.jobId);
    expect(await jobOf(b, one.jobId)).toBeNull();
  });
});

describe("the functions", () => {
  it("keep two workspaces apart in one call", async () => {
    const [a, b] = [await test.workspace(), await test.workspace()];
    const made = [await enqueue(a), await enqueue(b)];
    const tickets = await Promise.all(
      [a, b].map(async (workspaceId, index) => ({
        ...(await test.rows<{ slot: number; seq: number }>(workspaceId, "select slot, seq from task"))[0]!,
        workspace_id: workspaceId,
        job_id: made[index]!.jobId,
      })),
    );
    // b's job under a's name is nobody's: nothing of b may change.
    const foreign = { ...tickets[1]!, workspace_id: a };
    const begun = await app.db.call(beginTasks, [tickets[1]!, foreign, tickets[0]!], app.clock.now());
    const fates = begun.map((row) => row.fate);
    expect(fates.toSorted()).toEqual(["gone", "run", "run"]);
    const ends = tickets.map((ticket, index) => ({
      ...ticket,
      outcome: index === 0 ? ("done" as const) : ("failed" as const),
      error: null,
      due: null,
      attempt: 0,
      crashed: false,
    }));
    await app.db.call(endTasks, ends, app.clock.now());
    expect(await jobOf(a, made[0]!.jobId)).toMatchObject({ status: "done" });
    expect(await jobOf(b, made[1]!.jobId)).toMatchObject({ status: "failed" });
    expect([await queued(a), await queued(b)]).toEqual([[], []]);
  });

  it("prune what ended long ago and nothing else", async () => {
    const workspaceId = await test.workspace();
    const [old, open] = [await enqueue(workspaceId), await enqueue(workspaceId)];
    const kind = kindOf((task) =>
      Promise.resolve(
        task.jobId === old.jobId
          ? { kind: "done" }
          : { kind: "retry", error: { code: "x", detail: "" }, at: app.clock.now() + 30 * 86_400_000 },
      ),
    );
    await test.work(kind, workspaceId);
    const [timer] = tasksFeature(app, jobs, {}).timers ?? [];
    await timer!.run();
    expect(await jobOf(workspaceId, old.jobId)).toMatchObject({ status: "done" });
    test.clock.advance(8 * 86_400_000);
    await timer!.run();
    expect(await jobOf(workspaceId, old.jobId)).toBeNull();
    expect(await jobOf(workspaceId, open.jobId)).toMatchObject({ status: "pending" });
  });
});

it("spreads retries from a second to five minutes", () => {
  expect([0, 1, 4, 30].map((attempt) => taskBackoff(attempt, () => 0.5))).toEqual([1_000, 2_000, 16_000, 300_000]);
  expect(taskBackoff(0, () => 0)).toBe(800);
});

it("gives a workspace one positive 31-bit lane for ever", () => {
  expect(taskLane("0198c0de-0000-7000-8000-000000000001")).toBe(taskLane("0198c0de-0000-7000-8000-000000000001"));
  for (let n = 0; n < 1_000; n++) {
    const lane = taskLane(newUuid(n));
    expect(lane >= 0 && lane < 2 ** 31 && Number.isInteger(lane)).toBe(true);
  }
});

it("works through the lanes: many workspaces, hinted after the commit", async () => {
  const workspaces = await Promise.all(Array.from({ length: 5 }, () => test.workspace()));
  const running = new Map<string, number>();
  let most = 0;
  const kind = kindOf(async ({ workspaceId }) => {
    running.set(workspaceId, (running.get(workspaceId) ?? 0) + 1);
    most = Math.max(most, running.get(workspaceId) ?? 0);
    await new Promise((resolve) => setImmediate(resolve));
    running.set(workspaceId, (running.get(workspaceId) ?? 0) - 1);
    return { kind: "done" };
  });
  await test.lanes([kind]);
  const all = workspaces.flatMap((workspaceId) => Array.from({ length: 10 }, () => ({ workspaceId })));
  const states = await Promise.all(
    all.map(async ({ workspaceId }) => {
      const { jobId } = await enqueue(workspaceId);
      hintTasks(app.notifier, workspaceId);
      return await jobs.wait({ ...waiter(workspaceId), clock: systemClock() }, jobId, 25_000);
    }),
  );
  expect(states.every((job) => job?.status === "done")).toBe(true);
  expect(most).toBeLessThanOrEqual(8);
});
