import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { manualClock } from "../../testing/clock.ts";
import { manualBatcher, overloaded, row, Unavailable } from "../testing/manual-batcher.ts";
import { Batcher } from "./batch.ts";

test("the rows of a failed batch are called one by one: each gets its own error or answer", async () => {
  const { flushes, solos, faults, submitAll } = manualBatcher();
  const fault = new Error("b is bad");
  faults.set("b", fault);
  const outcomes = submitAll([row("a"), row("b"), row("c")]);
  await turn();
  await flushes[0]!.fail(new Error("the batch failed"));
  expect(await outcomes).toEqual(["a alone", fault, "c alone"]);
  expect(solos).toEqual(["a", "b", "c"]);
});

test("a flush that throws before it returns a promise is a failed batch", async () => {
  const batcher = new Batcher<string, string>({
    flush: () => {
      throw new Error("not even started");
    },
    solo: ({ row }) => Promise.resolve(`${row} alone`),
    group: () => "w",
    text: (row) => row,
    isSystemic: () => false,
    overloaded: () => overloaded,
    clock: manualClock(),
  });
  expect(await batcher.submit("a")).toBe("a alone");
  await batcher.drained();
});

test("other batches go on while the rows of a failed batch are called one by one", async () => {
  const rig = manualBatcher();
  const open = rig.holdSolos();
  const slow = rig.submitAll([row("a"), row("b")]);
  await turn();
  const outcome = rig.submit(row("c"));
  await rig.flushes[0]!.fail(new Error("batch"));
  await rig.flushes[1]!.answer();
  expect(await outcome).toBe("c!");
  expect(rig.solos).toEqual(["a"]);
  expect(rig.state.unsettled).toBe(2);
  open();
  expect(await slow).toEqual(["a alone", "b alone"]);
});

test("a systemic failure reaches every caller as it is, and the next batch is tried", async () => {
  const { batcher, flushes, solos, submit, submitAll } = manualBatcher();
  const away = new Unavailable();
  const outcomes = submitAll([row("a"), row("b")]);
  await turn();
  const next = submit(row("c"));
  await flushes[0]!.fail(away);
  for (const outcome of await outcomes) expect(outcome).toBe(away);
  expect(solos).toEqual([]);
  await flushes[1]!.answer();
  expect(await next).toBe("c!");
  await batcher.drained();
});

test("a systemic failure of a lone row is returned to that row only", async () => {
  const { flushes, faults, submitAll } = manualBatcher();
  const away = new Unavailable();
  faults.set("a", away);
  const outcomes = submitAll([row("a"), row("b")]);
  await turn();
  await flushes[0]!.fail(new Error("batch"));
  expect(await outcomes).toEqual([away, "b alone"]);
});

test("a row that may be retried is called again after the other rows", async () => {
  const { flushes, solos, faults, retried, submitAll } = manualBatcher();
  const held = new Error("a lock");
  faults.set("a", held);
  retried.add("a");
  const outcomes = submitAll([row("a"), row("b"), row("c")]);
  await turn();
  await flushes[0]!.fail(new Error("batch"));
  expect(await outcomes).toEqual([held, "b alone", "c alone"]);
  expect(solos).toEqual(["a", "b", "c", "a"]);
});

test.each([[[]], [["1"]], [["1", "2", "3"]]])(
  "%j is no answer to two rows: they are called one by one",
  async (answers) => {
    const { flushes, solos, submitAll } = manualBatcher();
    const outcomes = submitAll([row("a"), row("b")]);
    await turn();
    await flushes[0]!.answer(answers);
    expect(await outcomes).toEqual(["a alone", "b alone"]);
    expect(solos).toEqual(["a", "b"]);
  },
);
