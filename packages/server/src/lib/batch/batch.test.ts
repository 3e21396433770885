import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { manualClock } from "../../testing/clock.ts";
import { manualBatcher, names, overloaded, row, rows, Unavailable } from "../testing/manual-batcher.ts";
import { Batcher } from "./batch.ts";

test("a lone row leaves within its turn of the event loop and gets its own answer", async () => {
  const { batcher, flushes, submit } = manualBatcher();
  const outcome = submit(row("a"));
  await Promise.resolve();
  expect(flushes.map((flush) => flush.rows)).toEqual([["a"]]);
  await flushes[0]!.answer();
  expect(await outcome).toBe("a!");
  await batcher.drained();
});

test("rows of one turn share a flush, and each gets its answer, in order", async () => {
  const { flushes, submitAll } = manualBatcher();
  const outcomes = submitAll([row("a"), row("b"), row("c")]);
  await turn();
  expect(flushes.map((flush) => flush.rows)).toEqual([["a", "b", "c"]]);
  await flushes[0]!.answer(["1", "2", "3"]);
  expect(await outcomes).toEqual(["1", "2", "3"]);
});

test("rows of a group leave in order of arrival, across batches", async () => {
  const rig = manualBatcher({ rows: 3, inFlight: 1 });
  void rig.submitAll(rows(8));
  await turn();
  expect((await rig.answerAll(0)).flat()).toEqual(names(rows(8)));
});

test("flushes that return out of order give each row its own answer", async () => {
  const { flushes, submitAll } = manualBatcher({ rows: 2, minSecondBatch: 2 });
  const outcomes = submitAll([row("a"), row("b"), row("c"), row("d")]);
  await turn();
  expect(flushes.map((flush) => flush.rows)).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  await flushes[1]!.answer();
  await flushes[0]!.answer();
  expect(await outcomes).toEqual(["a!", "b!", "c!", "d!"]);
});

test("a second flush leaves beside one in flight only from `minSecondBatch` rows on", async () => {
  const { flushes, submitAll, occupy } = manualBatcher({ minSecondBatch: 3 });
  await occupy();
  void submitAll([row("a"), row("b")]);
  await turn();
  expect(flushes).toHaveLength(1);
  void submitAll([row("c")]);
  await turn();
  expect(flushes[1]?.rows).toEqual(["a", "b", "c"]);
});

test("tighter limits hold while `when` returns true, and no longer", async () => {
  const state = { tight: true };
  const tighter = { when: () => state.tight, limits: { rows: 2, inFlight: 1 } };
  const { flushes, submitAll } = manualBatcher({ rows: 4, minSecondBatch: 1, inFlight: 2 }, { tighter });
  void submitAll(rows(11));
  await turn();
  expect(flushes.map((flush) => flush.rows.length)).toEqual([2]);
  state.tight = false;
  await flushes[0]!.answer();
  expect(flushes.map((flush) => flush.rows.length)).toEqual([2, 4, 4]);
  state.tight = true;
  await flushes[1]!.answer();
  expect(flushes).toHaveLength(3);
  await flushes[2]!.answer();
  expect(flushes.map((flush) => flush.rows.length)).toEqual([2, 4, 4, 1]);
});

test("no more than `inFlight` flushes are in flight, however many rows wait", async () => {
  const { state, flushes, submitAll } = manualBatcher({ rows: 2, minSecondBatch: 1, inFlight: 2 });
  void submitAll(rows(9));
  await turn();
  expect(flushes).toHaveLength(2);
  expect(state.unsettled).toBe(9);
  await flushes[0]!.answer();
  expect(flushes).toHaveLength(3);
  expect(state.unsettled).toBe(7);
});

test("fewer than `minSecondBatch` rows leave when the last flush in flight returns", async () => {
  const rig = manualBatcher({ rows: 2, minSecondBatch: 2, inFlight: 2 });
  void rig.submitAll(rows(5));
  await turn();
  await rig.flushes[0]!.answer();
  expect(rig.flushes).toHaveLength(2);
  await rig.flushes[1]!.answer();
  expect(rig.flushes[2]?.rows).toEqual(["w4"]);
});

test("the next flush leaves before the callers of the last one continue", async () => {
  const { log, submitAll, occupy } = manualBatcher();
  const first = await occupy();
  void submitAll([row("a"), row("b")]);
  const answered = first.answer();
  await turn();
  expect(log).toEqual(["flush ahead", "flush a b"]);
  await answered;
  expect(log).toEqual(["flush ahead", "flush a b", "ahead!"]);
});

test("with no row waiting the callers continue at once", async () => {
  const { flushes, submit } = manualBatcher();
  const outcome = submit(row("a"));
  await turn();
  let later = false;
  setImmediate(() => {
    later = true;
  });
  void flushes[0]!.answer();
  expect(await outcome).toBe("a!");
  expect(later).toBe(false);
});

test("a row submitted by a caller that has just continued leaves too", async () => {
  const { flushes, submit } = manualBatcher();
  const chain = submit(row("a")).then(() => submit(row("b")));
  await turn();
  await flushes[0]!.answer();
  await flushes[1]!.answer();
  expect(await chain).toBe("b!");
});

test("rows beyond the bound are refused; waiting rows stay, and a batch that leaves makes room again", async () => {
  const { batcher, flushes, submit, occupy } = manualBatcher({ waitingRows: 2 });
  const first = await occupy();
  const kept = [submit(row("a")), submit(row("b"))];
  await expect(batcher.submit(row("c"))).rejects.toBe(overloaded);
  await first.answer();
  const late = submit(row("d"));
  await flushes[1]!.answer();
  await flushes[2]!.answer();
  expect(await Promise.all([...kept, late])).toEqual(["a!", "b!", "d!"]);
});

test("rows that are called one by one count for the same bound", async () => {
  const { batcher, flushes, submit, submitAll, holdSolos } = manualBatcher({ waitingRows: 2 });
  const open = holdSolos();
  const alone = submitAll([row("a"), row("b")]);
  await turn();
  await flushes[0]!.fail(new Error("batch"));
  await expect(batcher.submit(row("c"))).rejects.toBe(overloaded);
  open();
  expect(await alone).toEqual(["a alone", "b alone"]);
  const late = submit(row("d"));
  await turn();
  await flushes[1]!.answer();
  expect(await late).toBe("d!");
});

test("bytes beyond the bound are refused; exactly the bound is not, nor is a smaller row later", async () => {
  const { batcher, flushes, submit, submitAll, occupy } = manualBatcher({ waitingBytes: 10 });
  const first = await occupy();
  const kept = submitAll([row("a", { bytes: 7 })]);
  await expect(batcher.submit(row("b", { bytes: 4 }))).rejects.toBe(overloaded);
  const exact = submit(row("c", { bytes: 3 }));
  await expect(batcher.submit(row("d", { bytes: 1 }))).rejects.toBe(overloaded);
  await first.answer();
  const late = submit(row("e", { bytes: 10 }));
  await flushes[1]!.answer();
  await flushes[2]!.answer();
  expect(await Promise.all([kept, exact, late])).toEqual([["a!"], "c!", "e!"]);
});

test.each(["bytes", "weight"] as const)(
  "a batch ends before its limit of %s; a row beyond it leaves alone",
  async (what) => {
    const rig = manualBatcher({ [what]: 10, inFlight: 1 });
    void rig.submitAll([4, 6, 1, 30, 2, 9].map((size, index) => row(`r${index}`, { [what]: size })));
    await turn();
    expect(await rig.answerAll(0)).toEqual([["r0", "r1"], ["r2"], ["r3"], ["r4"], ["r5"]]);
  },
);

test("a row without a weight weighs one", async () => {
  const batches: string[][] = [];
  const batcher = new Batcher<string, string>({
    flush: (batch) => {
      const sent = batch.map(({ row }) => row);
      batches.push(sent);
      return Promise.resolve(sent);
    },
    solo: ({ row }) => Promise.resolve(row),
    group: () => "w",
    text: (row) => row,
    isSystemic: () => false,
    overloaded: () => overloaded,
    clock: manualClock(),
    limits: { weight: 2, inFlight: 1 },
  });
  await Promise.all(["a", "b", "c"].map((name) => batcher.submit(name)));
  expect(batches).toEqual([["a", "b"], ["c"]]);
});

test("drained resolves at once when no row is queued or in flight", async () => {
  const { batcher } = manualBatcher();
  let later = false;
  setImmediate(() => {
    later = true;
  });
  await batcher.drained();
  expect(later).toBe(false);
});

test("drained resolves for each of its callers when the last row has its answer", async () => {
  const rig = manualBatcher({ rows: 2, inFlight: 1 });
  const outcomes = rig.submitAll(rows(3));
  const drained = [1, 2].map((caller) => rig.batcher.drained().then(() => rig.log.push(`drained ${caller}`)));
  await turn();
  await rig.flushes[0]!.answer();
  expect(rig.state.unsettled).toBe(1);
  await rig.flushes[1]!.answer();
  await Promise.all([...drained, outcomes]);
  expect(rig.log).toEqual(["flush w0 w1", "flush w2", "w0!", "w1!", "w2!", "drained 1", "drained 2"]);
});

test.each([
  ["a failed batch", new Error("batch")],
  ["a systemic failure", new Unavailable()],
])("drained resolves after %s", async (_, error) => {
  const rig = manualBatcher();
  rig.faults.set("b", new Error("b"));
  void rig.submitAll([row("a"), row("b")]);
  await turn();
  const drained = rig.batcher.drained();
  await rig.flushes[0]!.fail(error);
  await drained;
  expect(rig.state.unsettled).toBe(0);
});

test("drained waits for the rows queued behind a batch with a systemic failure", async () => {
  const rig = manualBatcher();
  const first = await rig.occupy();
  void rig.submit(row("a"));
  const drained = rig.batcher.drained().then(() => rig.log.push("drained"));
  await first.fail(new Unavailable());
  await rig.flushes[1]!.answer();
  await drained;
  expect(rig.log).toEqual(["flush ahead", "flush a", "a!", "drained"]);
});

test("drained waits for the rows that are called one by one", async () => {
  const rig = manualBatcher();
  const open = rig.holdSolos();
  void rig.submitAll([row("a"), row("b")]);
  await turn();
  const drained = rig.batcher.drained().then(() => rig.log.push("drained"));
  await rig.flushes[0]!.fail(new Error("batch"));
  expect(rig.log).not.toContain("drained");
  open();
  await drained;
  expect(rig.log.slice(-3)).toEqual(["a alone", "b alone", "drained"]);
});
