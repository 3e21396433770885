import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createBatcher } from "./batch.ts";
import { Away, airfield, full, row } from "./testing/airfield.ts";

test("a failed batch goes row by row: each sees its own error, a neighbour none", async () => {
  const { flights, solos, faults, submitAll } = airfield();
  const fault = new Error("b is bad");
  faults.set("b", fault);
  const outcomes = submitAll([row("a"), row("b"), row("c")]);
  await turn();
  await flights[0]!.crash(new Error("the batch failed"));
  expect(await outcomes).toEqual(["a alone", fault, "c alone"]);
  expect(solos).toEqual(["a", "b", "c"]);
});

test("a flush that throws before it returns a promise is a failed batch", async () => {
  const batcher = createBatcher<string, string>({
    flush: () => {
      throw new Error("not even started");
    },
    solo: (name) => Promise.resolve(`${name} alone`),
    group: () => "w",
    bytes: () => 1,
    hopeless: () => false,
    overloaded: () => full,
    monotonic: () => 0,
  });
  expect(await batcher.submit("a")).toBe("a alone");
  expect(batcher.size).toBe(0);
});

test("the main loop goes on while a failed batch goes row by row", async () => {
  const field = airfield();
  const open = field.holdSolos();
  const slow = field.submitAll([row("a"), row("b")]);
  await turn();
  const outcome = field.submit(row("c"));
  await field.flights[0]!.crash(new Error("batch"));
  await field.flights[1]!.land();
  expect(await outcome).toBe("c!");
  expect(field.solos).toEqual(["a"]);
  expect(field.batcher.size).toBe(2);
  open();
  expect(await slow).toEqual(["a alone", "b alone"]);
});

test("a hopeless failure reaches every caller as it is, and the next batch is tried", async () => {
  const { batcher, flights, solos, submit, submitAll } = airfield();
  const away = new Away();
  const outcomes = submitAll([row("a"), row("b")]);
  await turn();
  const next = submit(row("c"));
  await flights[0]!.crash(away);
  for (const outcome of await outcomes) expect(outcome).toBe(away);
  expect(solos).toEqual([]);
  await flights[1]!.land();
  expect(await next).toBe("c!");
  expect(batcher.size).toBe(0);
});

test("a hopeless failure of one row alone is that row's only", async () => {
  const { flights, faults, submitAll } = airfield();
  const away = new Away();
  faults.set("a", away);
  const outcomes = submitAll([row("a"), row("b")]);
  await turn();
  await flights[0]!.crash(new Error("batch"));
  expect(await outcomes).toEqual([away, "b alone"]);
});

test("a row that may try again lets its neighbours go first", async () => {
  const { flights, solos, faults, patient, submitAll } = airfield();
  const held = new Error("a lock");
  faults.set("a", held);
  patient.add("a");
  const outcomes = submitAll([row("a"), row("b"), row("c")]);
  await turn();
  await flights[0]!.crash(new Error("batch"));
  expect(await outcomes).toEqual([held, "b alone", "c alone"]);
  expect(solos).toEqual(["a", "b", "c", "a"]);
});

test.each([[[]], [["1"]], [["1", "2", "3"]]])("%j is no answer to two rows: they go one by one", async (answers) => {
  const { flights, solos, submitAll } = airfield();
  const outcomes = submitAll([row("a"), row("b")]);
  await turn();
  await flights[0]!.land(answers);
  expect(await outcomes).toEqual(["a alone", "b alone"]);
  expect(solos).toEqual(["a", "b"]);
});
