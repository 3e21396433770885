import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { manualBatcher, row, rows, Unavailable } from "../testing/manual-batcher.ts";

const MINUTE_MS = 60_000;

test("batches are filled round robin over groups; the group that was first is last the next time", async () => {
  const rig = manualBatcher({ rows: 4, inFlight: 1 });
  void rig.submitAll([...rows(6, "flood"), ...rows(2, "b"), ...rows(1, "c")]);
  await turn();
  expect(await rig.answerAll(0)).toEqual([
    ["flood0", "b0", "c0", "flood1"],
    ["b1", "flood2", "flood3", "flood4"],
    ["flood5"],
  ]);
});

test("with more groups than rows in a batch every group is served before any is served twice", async () => {
  const rig = manualBatcher({ rows: 2, inFlight: 1 });
  void rig.submitAll(["a", "b", "c", "d", "e"].flatMap((of) => rows(2, of)));
  await turn();
  expect((await rig.answerAll(0)).flat().slice(0, 5)).toEqual(["a0", "b0", "c0", "d0", "e0"]);
});

test("a group that became empty starts again at the end", async () => {
  const rig = manualBatcher({ rows: 2, inFlight: 1 });
  void rig.submitAll([...rows(1, "a"), ...rows(3, "b")]);
  await turn();
  void rig.submit(row("a1", { of: "a" }));
  expect(await rig.answerAll(0)).toEqual([["a0", "b0"], ["b1", "a1"], ["b2"]]);
});

/** The rows of the next batches, with two rows of each of three groups waiting. */
async function mixed(rig: ReturnType<typeof manualBatcher>): Promise<string[][]> {
  const first = await rig.occupy();
  const from = rig.flushes.length;
  void rig.submitAll([...rows(2, "a"), ...rows(2, "bad"), ...rows(2, "c")]);
  await first.answer();
  return rig.answerAll(from);
}

const TOGETHER = [["a0", "bad0", "c0", "a1", "bad1", "c1"]];
const APART = [
  ["a0", "c0", "a1", "c1"],
  ["bad0", "bad1"],
];

test("a group with three failures within a minute is batched alone until the minute is over", async () => {
  const rig = manualBatcher();
  await rig.failOnce("bad");
  await rig.failOnce("bad");
  expect(await mixed(rig)).toEqual(TOGETHER);
  rig.clock.advance(MINUTE_MS - 1);
  await rig.failOnce("bad");
  expect(await mixed(rig)).toEqual(APART);
  rig.clock.advance(1);
  expect(await mixed(rig)).toEqual(TOGETHER);
});

test("a failure a minute after the first starts a new count", async () => {
  const rig = manualBatcher();
  await rig.failOnce("bad");
  await rig.failOnce("bad");
  rig.clock.advance(MINUTE_MS);
  await rig.failOnce("bad");
  expect(await mixed(rig)).toEqual(TOGETHER);
  await rig.failOnce("bad");
  await rig.failOnce("bad");
  expect(await mixed(rig)).toEqual(APART);
});

test("a batch that left within the minute and failed after it starts a new count", async () => {
  const rig = manualBatcher();
  await rig.failOnce("bad");
  await rig.failOnce("bad");
  rig.clock.advance(MINUTE_MS - 1);
  const late = rig.failOnce("bad");
  // In flight by the next microtask; it fails a turn later.
  await Promise.resolve();
  rig.clock.advance(1);
  await late;
  expect(await mixed(rig)).toEqual(TOGETHER);
  await rig.failOnce("bad");
  await rig.failOnce("bad");
  expect(await mixed(rig)).toEqual(APART);
});

test("failures are counted for each group; two suspect groups are batched apart from each other", async () => {
  const rig = manualBatcher();
  for (const of of ["bad", "c", "bad", "c", "bad"]) await rig.failOnce(of);
  expect(await mixed(rig)).toEqual(APART);
  await rig.failOnce("c");
  expect(await mixed(rig)).toEqual([
    ["a0", "a1"],
    ["bad0", "bad1"],
    ["c0", "c1"],
  ]);
});

test("rows that succeed alone after their batch failed are not counted", async () => {
  const rig = manualBatcher();
  for (let time = 0; time < 3; time += 1) {
    const outcomes = rig.submitAll([row("fine", { of: "bad" }), row("fine too", { of: "c" })]);
    await turn();
    await rig.flushes.at(-1)!.fail(new Error("batch"));
    await outcomes;
  }
  expect(await mixed(rig)).toEqual(TOGETHER);
});

test("a suspect group and the others take turns", async () => {
  const rig = manualBatcher({ rows: 2, inFlight: 1 });
  for (let time = 0; time < 3; time += 1) await rig.failOnce("bad");
  const first = await rig.occupy();
  const from = rig.flushes.length;
  void rig.submitAll([...rows(5, "bad"), ...rows(4, "c")]);
  await first.answer();
  expect(await rig.answerAll(from)).toEqual([["bad0", "bad1"], ["c0", "c1"], ["bad2", "bad3"], ["c2", "c3"], ["bad4"]]);
});

test("a systemic failure is not counted", async () => {
  const rig = manualBatcher();
  rig.faults.set("held", new Unavailable());
  for (let time = 0; time < 3; time += 1) {
    const outcome = rig.submit(row("held", { of: "bad" }));
    await turn();
    await rig.flushes.at(-1)!.fail(new Error("batch"));
    expect(await outcome).toBeInstanceOf(Unavailable);
  }
  const flush = await rig.occupy();
  void rig.submitAll([row("x", { of: "bad" }), row("y", { of: "good" })]);
  await flush.answer();
  expect(rig.flushes.at(-1)!.rows).toEqual(["x", "y"]);
});
