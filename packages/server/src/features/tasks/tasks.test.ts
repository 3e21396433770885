import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { slotOf } from "../../lanes/lane-kinds.ts";
import { systemClock } from "../../lib/clock.ts";
import { DAY_MS } from "../../lib/duration.ts";
import { newUuid } from "../../lib/ids.ts";
import { createServices } from "../../process/services.ts";
import { ERASE_TASK } from "../contacts/erase.ts";
import { Erasure } from "../contacts/erasure.ts";
import { IMPORT_TASK } from "../contacts/imports/import.ts";
import { EventGroups } from "../events/event-groups.ts";
import { tasks as feature } from "./feature.ts";
import { type Task, taskBackoff } from "./lane.ts";
import { beginTasks, endTasks } from "./store.ts";
import { workspaceLane } from "./task.sql.ts";
import { enqueueTask, hintTasks, longTaskLane, shareOf, taskLane } from "./task.ts";
import { startTasks, type Tasks } from "./testing/app.ts";

let tasks: Tasks;
beforeAll(async () => {
  tasks = await startTasks();
});
afterAll(() => tasks.stop());

describe("a task", () => {
  it("is done: its handler gets what was enqueued, the task is done, the queue row is gone", async () => {
    const workspaceId = await tasks.workspace();
    const { taskId } = await tasks.enqueue(workspaceId, { payload: { account_id: "x" } });
    const seen: Task[] = [];
    const lane = tasks.laneOf((task) => {
      seen.push(task);
      return Promise.resolve({ kind: "done" });
    });
    expect(await tasks.work(lane, workspaceId)).toMatchObject([{ kind: "done" }]);
    expect(seen).toMatchObject([{ workspaceId, taskId, payload: { account_id: "x" }, attempt: 0, lastTry: false }]);
    expect(await tasks.taskOf(workspaceId, taskId)).toEqual({ status: "done", error: null });
    expect(await tasks.queued(workspaceId)).toEqual([]);
  });

  it("is rolled back with the transaction that enqueued it", async () => {
    const workspaceId = await tasks.workspace();
    const failed = tasks.app.db.transaction(workspaceId, async (sql) => {
      await enqueueTask(sql, workspaceId, { kind: "test.do", payload: {}, now: tasks.clock.now() });
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(await tasks.queued(workspaceId)).toEqual([]);
    expect(await tasks.rows(workspaceId, "select 1 from job")).toEqual([]);
  });

  it("fails with an error that the workspace can read", async () => {
    const workspaceId = await tasks.workspace();
    const { taskId } = await tasks.enqueue(workspaceId);
    const error = { code: "conflict", detail: "Taken." };
    await tasks.work(
      tasks.laneOf(() => Promise.resolve({ kind: "failed", error })),
      workspaceId,
    );
    expect(await tasks.taskOf(workspaceId, taskId)).toEqual({ status: "failed", error });
    expect(await tasks.queued(workspaceId)).toEqual([]);
  });

  it("is retried in its place after growing pauses, and after a day no more", async () => {
    const workspaceId = await tasks.workspace();
    const { taskId } = await tasks.enqueue(workspaceId);
    const tries: Task[] = [];
    const lane = tasks.laneOf((task) => {
      tries.push(task);
      return Promise.resolve({ kind: "retry", error: { code: "provider_error", detail: "Away." } });
    });
    const [first] = await tasks.work(lane, workspaceId);
    expect(first).toMatchObject({ kind: "later", holdsKey: false });
    expect(await tasks.work(lane, workspaceId)).toEqual([]); // not due
    tasks.clock.advance(2_000);
    expect(await tasks.work(lane, workspaceId)).toMatchObject([{ kind: "later" }]);
    expect(tries.map((task) => task.attempt)).toEqual([0, 1]);
    expect(await tasks.taskOf(workspaceId, taskId)).toEqual({
      status: "pending",
      error: { code: "provider_error", detail: "Away." },
    });

    tasks.clock.advance(25 * 3_600_000);
    expect(await tasks.work(lane, workspaceId)).toMatchObject([{ kind: "done" }]);
    expect(tries.at(-1)).toMatchObject({ attempt: 2, lastTry: true });
    expect(await tasks.taskOf(workspaceId, taskId)).toMatchObject({
      status: "failed",
      error: { code: "provider_error" },
    });
  });

  it("may be worked twice at once: the first end counts and nothing is left", async () => {
    const workspaceId = await tasks.workspace();
    const { taskId } = await tasks.enqueue(workspaceId);
    let meet: () => void = () => {};
    const both = new Promise<void>((resolve) => (meet = resolve));
    let started = 0;
    const lane = tasks.laneOf(async () => {
      started += 1;
      if (started === 2) meet();
      await both;
      return { kind: "done" };
    });
    expect(await Promise.all([tasks.work(lane, workspaceId), tasks.work(lane, workspaceId)])).toMatchObject([
      [{ kind: "done" }],
      [{ kind: "done" }],
    ]);
    expect(await tasks.taskOf(workspaceId, taskId)).toEqual({ status: "done", error: null });
    expect(await tasks.queued(workspaceId)).toEqual([]);
  });

  it("of a kind that this version does not know waits for a version that does", async () => {
    const workspaceId = await tasks.workspace();
    const { taskId } = await tasks.enqueue(workspaceId, { kind: "later.version" });
    expect(
      await tasks.work(
        tasks.laneOf(() => Promise.resolve({ kind: "done" })),
        workspaceId,
      ),
    ).toMatchObject([{ kind: "later" }]);
    expect(await tasks.taskOf(workspaceId, taskId)).toMatchObject({ status: "pending" });
  });
});

describe("a subject", () => {
  it("lets a waiting task stand for later tasks, but never one that has begun", async () => {
    const workspaceId = await tasks.workspace();
    const first = await tasks.enqueue(workspaceId, { subject: "tpl 1" });
    expect((await tasks.enqueue(workspaceId, { subject: "tpl 1" })).taskId).toBe(first.taskId);
    expect((await tasks.enqueue(workspaceId, { subject: "tpl 2" })).taskId).not.toBe(first.taskId);
    expect(await tasks.queued(workspaceId)).toHaveLength(2);

    let during = "";
    const lane = tasks.laneOf(async (task) => {
      if (task.taskId === first.taskId) during = (await tasks.enqueue(workspaceId, { subject: "tpl 1" })).taskId;
      return { kind: "done" };
    });
    await tasks.work(lane, workspaceId);
    expect(during).not.toBe(first.taskId);
    expect(await tasks.taskOf(workspaceId, during)).toMatchObject({ status: "pending" });
  });

  it("holds under twenty tasks enqueued at once", async () => {
    const workspaceId = await tasks.workspace();
    const created = await Promise.all(Array.from({ length: 20 }, () => tasks.enqueue(workspaceId, { subject: "one" })));
    expect(new Set(created.map((task) => task.taskId)).size).toBe(1);
    expect(await tasks.queued(workspaceId)).toHaveLength(1);
  });

  it("is each workspace's own", async () => {
    const [a, b] = [await tasks.workspace(), await tasks.workspace()];
    const [one, other] = [await tasks.enqueue(a, { subject: "same" }), await tasks.enqueue(b, { subject: "same" })];
    expect(one.taskId).not.toBe(other.taskId);
    expect(await tasks.taskOf(b, one.taskId)).toBeNull();
  });
});

describe("the functions", () => {
  it("keep two workspaces apart in one call", async () => {
    const [a, b] = [await tasks.workspace(), await tasks.workspace()];
    const created = [await tasks.enqueue(a), await tasks.enqueue(b)];
    const tickets = await Promise.all(
      [a, b].map(async (workspaceId, index) => ({
        ...(await tasks.rows<{ slot: number; seq: number }>(workspaceId, "select slot, seq from task"))[0]!,
        workspace_id: workspaceId,
        job_id: created[index]!.taskId,
      })),
    );
    // b's task under a's workspace id does not exist: nothing of b may change.
    const foreign = { ...tickets[1]!, workspace_id: a };
    const call = (rows: typeof tickets) => tasks.app.db.call(beginTasks, rows, tasks.clock.now());
    const verdicts = (await call([tickets[1]!, foreign, tickets[0]!])).map((row) => row.verdict);
    expect(verdicts.toSorted()).toEqual(["gone", "run", "run"]);
    const ends = tickets.map((ticket, index) => ({
      ...ticket,
      outcome: index === 0 ? ("done" as const) : ("failed" as const),
      error: null,
      due: null,
      attempt: 0,
      crashed: false,
    }));
    await tasks.app.db.call(endTasks, ends, tasks.clock.now());
    expect(await tasks.taskOf(a, created[0]!.taskId)).toMatchObject({ status: "done" });
    expect(await tasks.taskOf(b, created[1]!.taskId)).toMatchObject({ status: "failed" });
    expect([await tasks.queued(a), await tasks.queued(b)]).toEqual([[], []]);
  });

  it("prune tasks that ended long ago and nothing else", async () => {
    const workspaceId = await tasks.workspace();
    const [old, open] = [await tasks.enqueue(workspaceId), await tasks.enqueue(workspaceId)];
    const lane = tasks.laneOf((task) =>
      Promise.resolve(
        task.taskId === old.taskId
          ? { kind: "done" }
          : { kind: "retry", error: { code: "x", detail: "" }, at: tasks.clock.now() + 30 * DAY_MS },
      ),
    );
    await tasks.work(lane, workspaceId);
    const services = createServices(tasks.app, {
      version: "0.0.0",
      isDevelopment: false,
      events: new EventGroups([]),
      erasure: new Erasure([]),
    });
    const [timer] = feature.build?.(tasks.app, services).timers ?? [];
    await timer!.run();
    expect(await tasks.taskOf(workspaceId, old.taskId)).toMatchObject({ status: "done" });
    tasks.clock.advance(8 * DAY_MS);
    await timer!.run();
    expect(await tasks.taskOf(workspaceId, old.taskId)).toBeNull();
    expect(await tasks.taskOf(workspaceId, open.taskId)).toMatchObject({ status: "pending" });
  });
});

it("spreads retries from a second to five minutes", () => {
  expect([0, 1, 4, 30].map((attempt) => taskBackoff(attempt, () => 0.5))).toEqual([1_000, 2_000, 16_000, 300_000]);
  expect(taskBackoff(0, () => 0)).toBe(800);
});

it("gives a workspace the same 31-bit lane each time", () => {
  expect(taskLane("0198c0de-0000-7000-8000-000000000001")).toBe(taskLane("0198c0de-0000-7000-8000-000000000001"));
  for (let n = 0; n < 1_000; n++) {
    const lane = taskLane(newUuid(n));
    expect(lane >= 0 && lane < 2 ** 31 && Number.isInteger(lane)).toBe(true);
  }
});

it("gives a workspace the same lane in a database function", async () => {
  const ids = Array.from({ length: 100 }, (_, n) => newUuid(n));
  const rows = await tasks.app.db.sql.query<{ lane: number }>(
    `select ${workspaceLane("u.id")} as lane from unnest($1::uuid[]) with ordinality u(id, n) order by u.n`,
    [ids],
  );
  expect(rows.map(({ lane }) => lane)).toEqual(ids.map((id) => taskLane(id)));
});

it("gives long tasks of a kind a lane of their own, in the slot and the share of their workspace", () => {
  for (let n = 0; n < 1_000; n++) {
    const workspaceId = newUuid(n);
    const lanes = [
      taskLane(workspaceId),
      ...[IMPORT_TASK, ERASE_TASK].map((kind) => longTaskLane(workspaceId, kind)),
    ] as const;
    expect(new Set(lanes).size).toBe(3);
    expect(new Set(lanes.map(slotOf)).size).toBe(1);
    expect(new Set(lanes.map(shareOf)).size).toBe(1);
    expect(lanes.every((lane) => lane >= 0 && lane < 2 ** 31)).toBe(true);
  }
});

it("runs in the lanes: many workspaces, hinted after the commit", async () => {
  const workspaces = await Promise.all(Array.from({ length: 5 }, () => tasks.workspace()));
  const running = new Map<string, number>();
  let most = 0;
  const lane = tasks.laneOf(async ({ workspaceId }) => {
    running.set(workspaceId, (running.get(workspaceId) ?? 0) + 1);
    most = Math.max(most, running.get(workspaceId) ?? 0);
    await new Promise((resolve) => setImmediate(resolve));
    running.set(workspaceId, (running.get(workspaceId) ?? 0) - 1);
    return { kind: "done" };
  });
  await tasks.startLanes([lane]);
  const all = workspaces.flatMap((workspaceId) => Array.from({ length: 10 }, () => ({ workspaceId })));
  const states = await Promise.all(
    all.map(async ({ workspaceId }) => {
      const { taskId } = await tasks.enqueue(workspaceId);
      hintTasks(tasks.app.notifier, workspaceId);
      return await tasks.waiters.wait({ ...tasks.waiter(workspaceId), clock: systemClock() }, taskId, 25_000);
    }),
  );
  expect(states.every((task) => task?.status === "done")).toBe(true);
  expect(most).toBeLessThanOrEqual(8);
});
