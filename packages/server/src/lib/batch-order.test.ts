import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Away, airfield, names, rows } from "./testing/airfield.ts";

const ordered = (limits: Parameters<typeof airfield>[0] = {}) =>
  airfield({ rows: 2, worthwhile: 1, flights: 2, ...limits }, { inOrder: true });

test("a group has one flight at a time; others leave beside it", async () => {
  const field = ordered();
  void field.submitAll([...rows(4, "a"), ...rows(2, "b")]);
  await turn();
  expect(field.flights.map((flight) => flight.rows)).toEqual([["a0", "b0"]]);
  void field.submitAll(rows(3, "c"));
  await turn();
  expect(field.flights[1]?.rows).toEqual(["c0", "c1"]);
  await field.flights[0]!.land();
  expect(field.flights[2]?.rows).toEqual(["a1", "b1"]);
  expect((await field.flown(1)).flat()).toEqual(["c0", "c1", "a1", "b1", "c2", "a2", "a3"]);
  await field.batcher.drained();
  expect(field.batcher.size).toBe(0);
});

test("rows that go one by one hold back their own group alone", async () => {
  const field = ordered();
  const open = field.holdSolos();
  void field.submitAll(rows(4, "a"));
  await turn();
  await field.flights[0]!.crash(new Error("batch"));
  void field.submitAll(rows(1, "b"));
  await turn();
  expect(field.flights.slice(1).map((flight) => flight.rows)).toEqual([["b0"]]);
  open();
  await turn();
  await turn();
  expect(field.solos).toEqual(["a0", "a1"]);
  expect(await field.flown(1)).toEqual([["b0"], ["a2", "a3"]]);
});

test("a row that tries once more alone is not overtaken by its group", async () => {
  const field = ordered({ rows: 4 });
  field.faults.set("a0", new Error("held"));
  field.patient.add("a0");
  const outcomes = field.submitAll([...rows(2, "a"), ...rows(1, "b")]);
  await turn();
  await field.flights[0]!.crash(new Error("batch"));
  await outcomes;
  expect(field.solos).toEqual(["a0", "b0", "a0", "a1"]);
});

test("one row's own failure passes its group on; one that stops takes all behind it along", async () => {
  const field = ordered();
  field.faults.set("a0", new Error("poison"));
  const first = field.submitAll(rows(3, "a"));
  await turn();
  await field.flights[0]!.crash(new Error("batch"));
  await field.flown(1);
  expect(await first).toEqual([field.faults.get("a0"), "a1 alone", "a2!"]);

  const away = new Away();
  const second = field.submitAll([...rows(5, "c"), ...rows(1, "d")]);
  await turn();
  await field.flights.at(-1)!.crash(away);
  expect(await second).toEqual([away, away, away, away, away, away]);
  expect(field.batcher.size).toBe(0);
});

test("a failure alone that stops takes the rest of its group along, and nobody else's", async () => {
  const field = ordered({ rows: 4 });
  const away = new Away();
  field.faults.set("a0", away);
  const outcomes = field.submitAll([...rows(5, "a"), ...rows(1, "b")]);
  await turn();
  await field.flights[0]!.crash(new Error("batch"));
  expect((await outcomes).map(String)).toEqual([away, away, away, away, away, "b0 alone"].map(String));
  expect(field.solos).toEqual(["a0", "b0"]);
});

test("after three alike in a row the rest of a batch is not tried; a success between them counts anew", async () => {
  const field = airfield({ rows: 10 }, { shared: true });
  const trouble = new Error("everybody's");
  for (const name of names(rows(8)).filter((name) => name !== "w2")) field.faults.set(name, trouble);
  const outcomes = field.submitAll(rows(8));
  await turn();
  await field.flights[0]!.crash(new Error("batch"));
  expect(await outcomes).toEqual([trouble, trouble, "w2 alone", trouble, trouble, trouble, trouble, trouble]);
  expect(field.solos).toEqual(["w0", "w1", "w2", "w3", "w4", "w5"]);
  expect(field.batcher.size).toBe(0);
});

test("what waits behind its group counts for the bounds", async () => {
  const field = ordered({ waitingRows: 3 });
  const outcomes = field.submitAll(rows(6, "a"));
  await turn();
  await field.flown(0);
  expect((await outcomes).filter((outcome) => outcome instanceof Error)).toHaveLength(3);
});
