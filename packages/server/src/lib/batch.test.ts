import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createBatcher } from "./batch.ts";
import { Away, airfield, full, names, row, rows } from "./testing/airfield.ts";

test("a lone row leaves within its turn and gets its own answer", async () => {
  const { batcher, flights, submit } = airfield();
  const outcome = submit(row("a"));
  await Promise.resolve();
  expect(flights.map((flight) => flight.rows)).toEqual([["a"]]);
  expect(batcher.size).toBe(1);
  await flights[0]!.land();
  expect(await outcome).toBe("a!");
  expect(batcher.size).toBe(0);
});

test("rows of one turn share a flush, one answer a row in order", async () => {
  const { flights, submitAll } = airfield();
  const outcomes = submitAll([row("a"), row("b"), row("c")]);
  await turn();
  expect(flights.map((flight) => flight.rows)).toEqual([["a", "b", "c"]]);
  await flights[0]!.land(["1", "2", "3"]);
  expect(await outcomes).toEqual(["1", "2", "3"]);
});

test("rows of a group leave in order of arrival over several batches", async () => {
  const field = airfield({ rows: 3, flights: 1 });
  void field.submitAll(rows(8));
  await turn();
  expect((await field.flown(0)).flat()).toEqual(names(rows(8)));
});

test("flushes that return out of order give each its own answers", async () => {
  const { flights, submitAll } = airfield({ rows: 2, worthwhile: 2 });
  const outcomes = submitAll([row("a"), row("b"), row("c"), row("d")]);
  await turn();
  expect(flights.map((flight) => flight.rows)).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
  await flights[1]!.land();
  await flights[0]!.land();
  expect(await outcomes).toEqual(["a!", "b!", "c!", "d!"]);
});

test("a second flush leaves beside one in the air only from `worthwhile` rows on", async () => {
  const { flights, submitAll, busy } = airfield({ worthwhile: 3 });
  await busy();
  void submitAll([row("a"), row("b")]);
  await turn();
  expect(flights).toHaveLength(1);
  void submitAll([row("c")]);
  await turn();
  expect(flights[1]?.rows).toEqual(["a", "b", "c"]);
});

test("tighter limits hold while they are asked for, and no longer", async () => {
  const state = { tight: true };
  const tighter = { when: () => state.tight, limits: { rows: 2, flights: 1 } };
  const { flights, submitAll } = airfield({ rows: 4, worthwhile: 1, flights: 2 }, { tighter });
  void submitAll(rows(11));
  await turn();
  expect(flights.map((flight) => flight.rows.length)).toEqual([2]);
  state.tight = false;
  await flights[0]!.land();
  expect(flights.map((flight) => flight.rows.length)).toEqual([2, 4, 4]);
  state.tight = true;
  await flights[1]!.land();
  expect(flights).toHaveLength(3);
  await flights[2]!.land();
  expect(flights.map((flight) => flight.rows.length)).toEqual([2, 4, 4, 1]);
});

test("no more than `flights` are in the air, however many rows wait", async () => {
  const { batcher, flights, submitAll } = airfield({ rows: 2, worthwhile: 1, flights: 2 });
  void submitAll(rows(9));
  await turn();
  expect(flights).toHaveLength(2);
  expect(batcher.size).toBe(9);
  await flights[0]!.land();
  expect(flights).toHaveLength(3);
  expect(batcher.size).toBe(7);
});

test("fewer than `worthwhile` leave when the last flush in the air returns", async () => {
  const field = airfield({ rows: 2, worthwhile: 2, flights: 2 });
  void field.submitAll(rows(5));
  await turn();
  await field.flights[0]!.land();
  expect(field.flights).toHaveLength(2);
  await field.flights[1]!.land();
  expect(field.flights[2]?.rows).toEqual(["w4"]);
});

test("the next flush leaves before the callers of the last one go on", async () => {
  const { batcher, log, submit, submitAll, busy } = airfield();
  const first = await busy();
  void submitAll([row("a"), row("b")]);
  const landed = first.land();
  await turn();
  expect(log).toEqual(["flush ahead", "flush a b"]);
  await landed;
  expect(log).toEqual(["flush ahead", "flush a b", "ahead!"]);
  expect(batcher.size).toBe(2);
  void submit(row("c"));
  expect(batcher.size).toBe(3);
});

test("with nothing waiting the callers go on at once", async () => {
  const { flights, submit } = airfield();
  const outcome = submit(row("a"));
  await turn();
  let later = false;
  setImmediate(() => {
    later = true;
  });
  void flights[0]!.land();
  expect(await outcome).toBe("a!");
  expect(later).toBe(false);
});

test("a row handed in by a caller that just went on leaves too", async () => {
  const { flights, submit } = airfield();
  const chain = submit(row("a")).then(() => submit(row("b")));
  await turn();
  await flights[0]!.land();
  await flights[1]!.land();
  expect(await chain).toBe("b!");
});

test("rows past the bound are refused; what waits is kept, and room comes back when a batch leaves", async () => {
  const { batcher, flights, submit, busy } = airfield({ waitingRows: 2 });
  const first = await busy();
  const kept = [submit(row("a")), submit(row("b"))];
  await expect(batcher.submit(row("c"))).rejects.toBe(full);
  expect(batcher.size).toBe(3);
  await first.land();
  const late = submit(row("d"));
  await flights[1]!.land();
  await flights[2]!.land();
  expect(await Promise.all([...kept, late])).toEqual(["a!", "b!", "d!"]);
});

test("rows that go one by one wait under the same bound", async () => {
  const { batcher, flights, submit, submitAll, holdSolos } = airfield({ waitingRows: 2 });
  const open = holdSolos();
  const alone = submitAll([row("a"), row("b")]);
  await turn();
  await flights[0]!.crash(new Error("batch"));
  await expect(batcher.submit(row("c"))).rejects.toBe(full);
  open();
  expect(await alone).toEqual(["a alone", "b alone"]);
  const late = submit(row("d"));
  await turn();
  await flights[1]!.land();
  expect(await late).toBe("d!");
});

test("bytes past the bound are refused; exactly the bound is not, nor is a smaller row later", async () => {
  const { batcher, flights, submit, submitAll, busy } = airfield({ waitingBytes: 10 });
  const first = await busy();
  const kept = submitAll([row("a", { bytes: 7 })]);
  await expect(batcher.submit(row("b", { bytes: 4 }))).rejects.toBe(full);
  const exact = submit(row("c", { bytes: 3 }));
  await expect(batcher.submit(row("d", { bytes: 1 }))).rejects.toBe(full);
  await first.land();
  const late = submit(row("e", { bytes: 10 }));
  await flights[1]!.land();
  await flights[2]!.land();
  expect(await Promise.all([kept, exact, late])).toEqual([["a!"], "c!", "e!"]);
});

test.each(["bytes", "weight"] as const)(
  "a batch ends before its limit of %s; a row past it goes alone",
  async (what) => {
    const field = airfield({ [what]: 10, flights: 1 });
    void field.submitAll([4, 6, 1, 30, 2, 9].map((size, index) => row(`r${index}`, { [what]: size })));
    await turn();
    expect(await field.flown(0)).toEqual([["r0", "r1"], ["r2"], ["r3"], ["r4"], ["r5"]]);
  },
);

test("a row without a weight weighs one", async () => {
  const batches: string[][] = [];
  const batcher = createBatcher<string, string>({
    flush: (batch) => {
      batches.push(batch);
      return Promise.resolve(batch);
    },
    solo: (name) => Promise.resolve(name),
    group: () => "w",
    bytes: () => 1,
    hopeless: () => false,
    overloaded: () => full,
    monotonic: () => 0,
    limits: { weight: 2, flights: 1 },
  });
  await Promise.all(["a", "b", "c"].map((name) => batcher.submit(name)));
  expect(batches).toEqual([["a", "b"], ["c"]]);
});

test("drained resolves at once when nothing is collected or in the air", async () => {
  const { batcher } = airfield();
  await batcher.drained();
  expect(batcher.size).toBe(0);
});

test("drained resolves, for everyone who asked, when the last row has its answer", async () => {
  const field = airfield({ rows: 2, flights: 1 });
  const outcomes = field.submitAll(rows(3));
  const drained = [1, 2].map((asker) => field.batcher.drained().then(() => field.log.push(`drained ${asker}`)));
  await turn();
  await field.flights[0]!.land();
  expect(field.batcher.size).toBe(1);
  await field.flights[1]!.land();
  await Promise.all([...drained, outcomes]);
  expect(field.log).toEqual(["flush w0 w1", "flush w2", "w0!", "w1!", "w2!", "drained 1", "drained 2"]);
});

test.each([
  ["a failed batch", new Error("batch")],
  ["a hopeless one", new Away()],
])("drained resolves after %s", async (_, error) => {
  const field = airfield();
  field.faults.set("b", new Error("b"));
  void field.submitAll([row("a"), row("b")]);
  await turn();
  const drained = field.batcher.drained();
  await field.flights[0]!.crash(error);
  await drained;
  expect(field.batcher.size).toBe(0);
});

test("drained waits for the rows collected behind a hopeless batch", async () => {
  const field = airfield();
  const first = await field.busy();
  void field.submit(row("a"));
  const drained = field.batcher.drained().then(() => field.log.push("drained"));
  await first.crash(new Away());
  await field.flights[1]!.land();
  await drained;
  expect(field.log).toEqual(["flush ahead", "flush a", "a!", "drained"]);
});

test("drained waits for the rows that go one by one", async () => {
  const field = airfield();
  const open = field.holdSolos();
  void field.submitAll([row("a"), row("b")]);
  await turn();
  const drained = field.batcher.drained().then(() => field.log.push("drained"));
  await field.flights[0]!.crash(new Error("batch"));
  expect(field.log).not.toContain("drained");
  open();
  await drained;
  expect(field.log.slice(-3)).toEqual(["a alone", "b alone", "drained"]);
});
