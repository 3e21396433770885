import { once } from "node:events";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DatabaseUnavailable } from "../../db/database.ts";
import { latch } from "../../lanes/testing/waiting.ts";
import { DAY_MS } from "../../lib/duration.ts";
import { TaskLane } from "./lane.ts";
import { sweepDue } from "./long-task.sql.ts";
import { TaskWaiters } from "./task-waiters.ts";
import { type Copies, type Copy, startCopies, sweepCopies } from "./testing/copies.ts";

let copies: Copies;
let mine: string;
let theirs: string;
beforeAll(async () => {
  copies = await startCopies();
  [mine, theirs] = [await copies.workspace(), await copies.workspace()];
});
afterAll(() => copies.stop());

const upTo = (last: number, first = 1): number[] => Array.from({ length: last - first + 1 }, (_, at) => first + at);
const WAIT = { kind: "wait", at: expect.any(Number) };
const away = (): never => {
  throw new DatabaseUnavailable("away");
};

it("is done step by step, and what only it needs is deleted", async () => {
  const copy = await copies.create(mine, 12);
  const places: number[] = [];
  const process = copies.process({ batch: 5, committed: ({ place }) => places.push(place) });
  expect(await process.run(copy.task)).toEqual({ kind: "done" });
  expect(places).toEqual([5, 10, 12]);
  expect(await copy.read()).toMatchObject({ status: "completed", place: 12, failed: 0, copied: upTo(12) });
  expect(copies.forgotten).toEqual([(copy.task.payload as { copy_id: string }).copy_id]);
  // The task comes again, because its end was not stored.
  expect(await process.run(copy.task)).toEqual({ kind: "done" });
  expect((await copy.read()).copied).toEqual(upTo(12));
});

it.each([
  ["before the commit of a step", { inStep: away }],
  ["behind it", { committed: away }],
])("goes on in another process where one was killed %s, and repeats nothing", async (_, kill) => {
  const copy = await copies.create(mine, 10);
  for (let kills = 0; kills < 2; kills++)
    await expect(copies.process({ batch: 4, ...kill }).run(copy.task)).rejects.toThrow("away");
  expect(await copies.process({ batch: 4 }).run(copy.task)).toEqual({ kind: "done" });
  expect(await copy.read()).toMatchObject({ status: "completed", copied: upTo(10) });
});

it("is done once by four processes that work it at once", async () => {
  const copy = await copies.create(mine, 12);
  const processes = [1, 2, 3, 4].map((batch) => copies.process({ batch }));
  const outcomes = () => Promise.all(processes.map((process) => process.run(copy.task)));
  await expect.poll(async () => (await outcomes()).map(({ kind }) => kind)).toEqual(Array(4).fill("done"));
  expect(await copy.read()).toMatchObject({ status: "completed", copied: upTo(12) });
});

it.each([
  ["between two steps", { early: false }],
  ["in the middle of a step, which is done", { early: true }],
])("stops when it is canceled %s", async (_, { early }) => {
  const copy = await copies.create(mine, 12);
  let canceled: Promise<void> | undefined;
  const cancel = (): Promise<void> => (canceled ??= copy.cancel());
  const process = copies.process({
    batch: 5,
    // The step has locked the row: the cancel waits for its end.
    inStep: () => void (early && cancel()),
    between: (place) => (place === 5 ? cancel() : undefined),
  });
  expect(await process.run(copy.task)).toEqual({ kind: "done" });
  expect(await copy.read()).toMatchObject({ status: "canceled", place: 5, copied: upTo(5) });
});

it("stores the one item that the database refuses, does all others, and keeps the first errors", async () => {
  const copy = await copies.create(mine, 520);
  while ((await copies.process({ batch: 260 }).run(copy.task)).kind !== "done");
  const refused = [13, 113, 213, 313, 413, 513];
  const { copied, ...read } = await copy.read();
  expect(read).toMatchObject({ status: "completed", failed: refused.length, errors: refused.slice(0, 3) });
  expect(copied).toEqual(upTo(520).filter((n) => !refused.includes(n)));
});

/** Works the task's tries as the owner of its lane does; each is due at once. */
async function work(lane: TaskLane, workspaceId: string, tries: number): Promise<void> {
  for (let done = 0; done < tries; done++) {
    await copies.work(lane, workspaceId);
    copies.advance(10 * 60_000);
  }
}
const laneOf = (process: ReturnType<Copies["process"]>): TaskLane =>
  new TaskLane(copies.app, new TaskWaiters(), new Map([["test.copy", (task) => process.run(task)]]));
const taskOf = ({ task }: Copy) =>
  copies.rows(task.workspaceId, "select status, unfinished from job where id = $1", [task.taskId]);

it("is repeated when a step fails for a moment", async () => {
  const workspace = await copies.workspace();
  const copy = await copies.create(workspace, 10);
  let isAway = true;
  const fail = (): void => {
    if (isAway) {
      isAway = false;
      away();
    }
  };
  await work(laneOf(copies.process({ batch: 4, inStep: fail })), workspace, 2);
  expect(await copy.read()).toMatchObject({ status: "completed", copied: upTo(10) });
  expect(await taskOf(copy)).toMatchObject([{ status: "done" }]);
});

it("is given up when it throws for ever: the sweep ends the row, and after a month deletes it with its errors", async () => {
  const workspace = await copies.workspace();
  const [copy, other] = [await copies.create(workspace, 20), await copies.create(theirs, 2)];
  const fault = (row: { place: number }): void => {
    if (row.place > 15) throw new Error("a fault of the code");
  };
  await work(laneOf(copies.process({ batch: 15, inStep: fault })), workspace, 2);
  await sweepDue(copies.app, sweepCopies, GIVEN_UP);
  expect(await copy.read()).toMatchObject({ status: "pending", error: null }); // its task waits
  await work(laneOf(copies.process({ inStep: fault })), workspace, 2);
  expect(await taskOf(copy)).toMatchObject([{ status: "failed" }]);
  await sweepDue(copies.app, sweepCopies, GIVEN_UP);
  const swept = await copy.read();
  expect(swept).toMatchObject({ status: "failed", error: GIVEN_UP, place: 15, failed: 1, errors: [13] });
  expect(await other.read()).toMatchObject({ status: "pending" });
  copies.advance(31 * DAY_MS);
  await sweepDue(copies.app, sweepCopies, GIVEN_UP);
  expect(await copies.rows(workspace, "select n from copy_error")).toEqual([]);
  await expect(copy.read()).rejects.toThrow("deleted");
  expect(await copies.process().run(other.task)).toEqual({ kind: "done" });
});
const GIVEN_UP = { code: "crashed", detail: "Given up." };

it("leaves the next one a turn: of another workspace at once, of its own when it has ended", async () => {
  const workspaces = await Promise.all([1, 2, 3].map(() => copies.workspace()));
  const [first, second, third] = await Promise.all(workspaces.map((workspace) => copies.create(workspace, 12)));
  const next = await copies.create(workspaces[0] ?? "", 1);
  if (!first || !second || !third) throw new Error("there are three");
  let looks: unknown[] = [];
  const looked = new AbortController();
  const firstHasPlace = latch();
  const process = copies.process({
    batch: 4,
    async inStep({ id }) {
      if (id !== (second.task.payload as { copy_id: string }).copy_id) {
        firstHasPlace.open();
        return looked.signal.aborted || (await once(looked.signal, "abort"));
      }
      if (looks.length > 0) return;
      await firstHasPlace.passed; // before, the third would take it
      looks = await Promise.all([third, next].map(({ task }) => process.run(task)));
      copies.advance(6_000);
      looked.abort();
    },
  });
  const outcomes = await Promise.all([first, second].map(({ task }) => process.run(task)));
  expect(looks).toEqual([WAIT, WAIT]);
  expect(outcomes).toEqual([WAIT, WAIT]); // their time was over in the first step
  expect((await second.read()).copied).toEqual(upTo(4));
  expect((await third.read()).place).toBe(0);
  for (const { task } of [first, second, third, next])
    await expect.poll(async () => (await process.run(task)).kind).toBe("done");
  for (const copy of [first, second, third, next]) expect(await copy.read()).toMatchObject({ status: "completed" });
});

it("stops with its process behind the step that it is in, and is not counted as a crash", async () => {
  const copy = await copies.create(mine, 12);
  const stop = new AbortController();
  const process = copies.process({ batch: 5, inStep: () => stop.abort() });
  expect(await process.run({ ...copy.task, signal: stop.signal })).toEqual(WAIT);
  expect(await copy.read()).toMatchObject({ status: "pending", place: 5, copied: upTo(5) });
  expect(await copies.process().run(copy.task)).toEqual({ kind: "done" });
  expect((await copy.read()).copied).toEqual(upTo(12));
});

it("waits while its workspace is suspended, also from the middle of a turn on", async () => {
  const workspace = await copies.workspace();
  const copy = await copies.create(workspace, 12);
  const set = (status: string) =>
    copies.app.db.transaction(workspace, (sql) =>
      sql.run("update workspace set status = $2 where workspace_id = $1", [workspace, status]),
    );
  let suspended: Promise<unknown> | undefined;
  const process = copies.process({ batch: 5, inStep: () => (suspended ??= set("suspended")) });
  expect(await process.run(copy.task)).toEqual(WAIT);
  expect(await process.run(copy.task)).toEqual(WAIT);
  expect((await copy.read()).place).toBe(5);
  await set("active");
  expect(await process.run(copy.task)).toEqual({ kind: "done" });
  expect((await copy.read()).copied).toEqual(upTo(12));
});
