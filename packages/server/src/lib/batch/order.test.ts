import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { manualBatcher, names, rows, Unavailable } from "../testing/manual-batcher.ts";

const ordered = (limits: Parameters<typeof manualBatcher>[0] = {}) =>
  manualBatcher({ rows: 2, minSecondBatch: 1, inFlight: 2, ...limits }, { inOrder: true });

test("a group is in one flush at a time; other groups leave beside it", async () => {
  const rig = ordered();
  void rig.submitAll([...rows(4, "a"), ...rows(2, "b")]);
  await turn();
  expect(rig.flushes.map((flush) => flush.rows)).toEqual([["a0", "b0"]]);
  void rig.submitAll(rows(3, "c"));
  await turn();
  expect(rig.flushes[1]?.rows).toEqual(["c0", "c1"]);
  await rig.flushes[0]!.answer();
  expect(rig.flushes[2]?.rows).toEqual(["a1", "b1"]);
  expect((await rig.answerAll(1)).flat()).toEqual(["c0", "c1", "a1", "b1", "c2", "a2", "a3"]);
  await rig.batcher.drained();
  expect(rig.state.unsettled).toBe(0);
});

test("rows that are called one by one hold back only their own group", async () => {
  const rig = ordered();
  const open = rig.holdSolos();
  void rig.submitAll(rows(4, "a"));
  await turn();
  await rig.flushes[0]!.fail(new Error("batch"));
  void rig.submitAll(rows(1, "b"));
  await turn();
  expect(rig.flushes.slice(1).map((flush) => flush.rows)).toEqual([["b0"]]);
  open();
  await turn();
  await turn();
  expect(rig.solos).toEqual(["a0", "a1"]);
  expect(await rig.answerAll(1)).toEqual([["b0"], ["a2", "a3"]]);
});

test("a row that is called once more is not overtaken by its group", async () => {
  const rig = ordered({ rows: 4 });
  rig.faults.set("a0", new Error("held"));
  rig.retried.add("a0");
  const outcomes = rig.submitAll([...rows(2, "a"), ...rows(1, "b")]);
  await turn();
  await rig.flushes[0]!.fail(new Error("batch"));
  await outcomes;
  expect(rig.solos).toEqual(["a0", "b0", "a0", "a1"]);
});

test("after a row's own failure its group goes on; a failure that stops rejects all rows behind it", async () => {
  const rig = ordered();
  rig.faults.set("a0", new Error("poison"));
  const first = rig.submitAll(rows(3, "a"));
  await turn();
  await rig.flushes[0]!.fail(new Error("batch"));
  await rig.answerAll(1);
  expect(await first).toEqual([rig.faults.get("a0"), "a1 alone", "a2!"]);

  const away = new Unavailable();
  const second = rig.submitAll([...rows(5, "c"), ...rows(1, "d")]);
  await turn();
  await rig.flushes.at(-1)!.fail(away);
  expect(await second).toEqual([away, away, away, away, away, away]);
  await rig.batcher.drained();
});

test("a lone row's failure that stops rejects the rest of its group and no other row", async () => {
  const rig = ordered({ rows: 4 });
  const away = new Unavailable();
  rig.faults.set("a0", away);
  const outcomes = rig.submitAll([...rows(5, "a"), ...rows(1, "b")]);
  await turn();
  await rig.flushes[0]!.fail(new Error("batch"));
  expect((await outcomes).map(String)).toEqual([away, away, away, away, away, "b0 alone"].map(String));
  expect(rig.solos).toEqual(["a0", "b0"]);
});

test("after three shared failures in a row the rest of a batch is not tried; a success between them starts a new count", async () => {
  const rig = manualBatcher({ rows: 10 }, { shared: true });
  const trouble = new Error("shared");
  for (const name of names(rows(8)).filter((name) => name !== "w2")) rig.faults.set(name, trouble);
  const outcomes = rig.submitAll(rows(8));
  await turn();
  await rig.flushes[0]!.fail(new Error("batch"));
  expect(await outcomes).toEqual([trouble, trouble, "w2 alone", trouble, trouble, trouble, trouble, trouble]);
  expect(rig.solos).toEqual(["w0", "w1", "w2", "w3", "w4", "w5"]);
  await rig.batcher.drained();
});

test("rows that wait behind their group count for the bounds", async () => {
  const rig = ordered({ waitingRows: 3 });
  const outcomes = rig.submitAll(rows(6, "a"));
  await turn();
  await rig.answerAll(0);
  expect((await outcomes).filter((outcome) => outcome instanceof Error)).toHaveLength(3);
});
