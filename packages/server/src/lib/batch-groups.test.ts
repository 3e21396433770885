import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Away, airfield, row, rows } from "./testing/airfield.ts";

const MINUTE_MS = 60_000;

test("batches are filled round robin over groups; who was first is last the next time", async () => {
  const field = airfield({ rows: 4, flights: 1 });
  void field.submitAll([...rows(6, "flood"), ...rows(2, "b"), ...rows(1, "c")]);
  await turn();
  expect(await field.flown(0)).toEqual([
    ["flood0", "b0", "c0", "flood1"],
    ["b1", "flood2", "flood3", "flood4"],
    ["flood5"],
  ]);
});

test("with more groups than rows in a batch everyone is served before anyone is served twice", async () => {
  const field = airfield({ rows: 2, flights: 1 });
  void field.submitAll(["a", "b", "c", "d", "e"].flatMap((of) => rows(2, of)));
  await turn();
  expect((await field.flown(0)).flat().slice(0, 5)).toEqual(["a0", "b0", "c0", "d0", "e0"]);
});

test("a group that ran dry starts again at the end", async () => {
  const field = airfield({ rows: 2, flights: 1 });
  void field.submitAll([...rows(1, "a"), ...rows(3, "b")]);
  await turn();
  void field.submit(row("a1", { of: "a" }));
  expect(await field.flown(0)).toEqual([["a0", "b0"], ["b1", "a1"], ["b2"]]);
});

/** What the next batches are made of, with a batch of each of three groups waiting. */
async function mixed(field: ReturnType<typeof airfield>): Promise<string[][]> {
  const first = await field.busy();
  const from = field.flights.length;
  void field.submitAll([...rows(2, "a"), ...rows(2, "bad"), ...rows(2, "c")]);
  await first.land();
  return field.flown(from);
}

const TOGETHER = [["a0", "bad0", "c0", "a1", "bad1", "c1"]];
const APART = [
  ["a0", "c0", "a1", "c1"],
  ["bad0", "bad1"],
];

test("a group with three suspects within a minute is batched alone, and after the minute no more", async () => {
  const field = airfield();
  await field.suspect("bad");
  await field.suspect("bad");
  expect(await mixed(field)).toEqual(TOGETHER);
  field.state.now = MINUTE_MS - 1;
  await field.suspect("bad");
  expect(await mixed(field)).toEqual(APART);
  field.state.now = MINUTE_MS;
  expect(await mixed(field)).toEqual(TOGETHER);
});

test("a suspect a minute after the first counts anew", async () => {
  const field = airfield();
  await field.suspect("bad");
  await field.suspect("bad");
  field.state.now = MINUTE_MS;
  await field.suspect("bad");
  expect(await mixed(field)).toEqual(TOGETHER);
  await field.suspect("bad");
  await field.suspect("bad");
  expect(await mixed(field)).toEqual(APART);
});

test("a batch that left within the minute and failed after it counts anew", async () => {
  const field = airfield();
  await field.suspect("bad");
  await field.suspect("bad");
  field.state.now = MINUTE_MS - 1;
  const late = field.suspect("bad");
  // By the next microtask it is in the air; it fails a turn later.
  await Promise.resolve();
  field.state.now = MINUTE_MS;
  await late;
  expect(await mixed(field)).toEqual(TOGETHER);
  await field.suspect("bad");
  await field.suspect("bad");
  expect(await mixed(field)).toEqual(APART);
});

test("suspects are counted for their own group; two such groups are each alone", async () => {
  const field = airfield();
  for (const of of ["bad", "c", "bad", "c", "bad"]) await field.suspect(of);
  expect(await mixed(field)).toEqual(APART);
  await field.suspect("c");
  expect(await mixed(field)).toEqual([
    ["a0", "a1"],
    ["bad0", "bad1"],
    ["c0", "c1"],
  ]);
});

test("neighbours of a suspect are none: rows that fare well alone are not counted", async () => {
  const field = airfield();
  for (let time = 0; time < 3; time += 1) {
    const outcomes = field.submitAll([row("fine", { of: "bad" }), row("fine too", { of: "c" })]);
    await turn();
    await field.flights.at(-1)!.crash(new Error("batch"));
    await outcomes;
  }
  expect(await mixed(field)).toEqual(TOGETHER);
});

test("a group batched alone and the others take turns, neither starves", async () => {
  const field = airfield({ rows: 2, flights: 1 });
  for (let time = 0; time < 3; time += 1) await field.suspect("bad");
  const first = await field.busy();
  const from = field.flights.length;
  void field.submitAll([...rows(5, "bad"), ...rows(4, "c")]);
  await first.land();
  expect(await field.flown(from)).toEqual([["bad0", "bad1"], ["c0", "c1"], ["bad2", "bad3"], ["c2", "c3"], ["bad4"]]);
});

test("a failure that is nobody's fault makes no suspect", async () => {
  const field = airfield();
  field.faults.set("held", new Away());
  for (let time = 0; time < 3; time += 1) {
    const outcome = field.submit(row("held", { of: "bad" }));
    await turn();
    await field.flights.at(-1)!.crash(new Error("batch"));
    expect(await outcome).toBeInstanceOf(Away);
  }
  const flight = await field.busy();
  void field.submitAll([row("x", { of: "bad" }), row("y", { of: "good" })]);
  await flight.land();
  expect(field.flights.at(-1)!.rows).toEqual(["x", "y"]);
});
