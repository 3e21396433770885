import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { type BatchLimits, createBatcher } from "./batch.ts";

const MINUTE_MS = 60_000;
const full = new Error("too much waits");

class Away extends Error {}

type Row = { name: string; of: string; bytes: number; weight: number };

/** A flush in the air: the test lands it. Both return after everyone who waited for it has gone on. */
type Flight = { rows: string[]; land(answers?: string[]): Promise<void>; crash(error: Error): Promise<void> };

/** One turn for the answers to be given out, which may take a turn of its own after the next flush left. */
async function settled(): Promise<void> {
  await turn();
  await turn();
}

function row(name: string, size: Partial<Omit<Row, "name">> = {}): Row {
  return { name, of: "w", bytes: 1, weight: 1, ...size };
}

function rows(many: number, of = "w"): Row[] {
  return Array.from({ length: many }, (_, index) => row(`${of}${index}`, { of }));
}

function names(list: readonly Row[]): string[] {
  return list.map(({ name }) => name);
}

function airfield(limits: Partial<BatchLimits> = {}) {
  const flights: Flight[] = [];
  const solos: string[] = [];
  /** What happens, in order. */
  const log: string[] = [];
  /** Rows that fail alone too. */
  const faults = new Map<string, Error>();
  const state = { now: 0 };
  let gate = Promise.resolve();

  const batcher = createBatcher<Row, string>({
    flush: (batch) =>
      new Promise((resolve, reject) => {
        log.push(`flush ${names(batch).join(" ")}`);
        flights.push({
          rows: names(batch),
          land: (answers = batch.map(({ name }) => `${name}!`)) => {
            resolve(answers);
            return settled();
          },
          crash: (error) => {
            reject(error);
            return settled();
          },
        });
      }),
    async solo({ name }) {
      solos.push(name);
      await gate;
      const fault = faults.get(name);
      if (fault) throw fault;
      return `${name} alone`;
    },
    group: ({ of }) => of,
    bytes: ({ bytes }) => bytes,
    weight: ({ weight }) => weight,
    hopeless: (error) => error instanceof Away,
    overloaded: () => full,
    monotonic: () => state.now,
    limits,
  });

  /** Hands a row in; what came of it is logged and returned, an error as itself. */
  function submit(next: Row): Promise<unknown> {
    return batcher.submit(next).then(
      (answer) => {
        log.push(answer);
        return answer;
      },
      (error: unknown) => error,
    );
  }

  return {
    batcher,
    flights,
    solos,
    log,
    faults,
    state,
    submit,
    submitAll: (list: readonly Row[]) => Promise.all(list.map(submit)),
    /** Rows that go one by one wait until the returned function is called. */
    holdSolos(): () => void {
      let open = (): void => {};
      gate = new Promise((resolve) => {
        open = resolve;
      });
      return open;
    },
    /** Keeps one flush in the air, so that what follows is collected until it lands. */
    async busy(): Promise<Flight> {
      void submit(row("ahead", { of: "ahead" }));
      await turn();
      return flights.at(-1)!;
    },
    /** Rows of every flush from the nth on, landing each as it leaves. */
    async flown(from: number): Promise<string[][]> {
      for (let index = from; index < flights.length; index += 1) await flights[index]!.land();
      return flights.slice(from).map((flight) => flight.rows);
    },
    /** Lets one row of `of` fail its batch and then itself. */
    async culprit(of: string): Promise<void> {
      const name = `bad ${of}`;
      faults.set(name, new Error(name));
      const outcome = submit(row(name, { of }));
      await turn();
      await flights.at(-1)!.crash(new Error("batch"));
      expect(await outcome).toBe(faults.get(name));
    },
  };
}

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

test.each([[[]], [["1"]], [["1", "2", "3"]]])("%j is no answer to two rows: they go one by one", async (answers) => {
  const { flights, solos, submitAll } = airfield();
  const outcomes = submitAll([row("a"), row("b")]);
  await turn();
  await flights[0]!.land(answers);
  expect(await outcomes).toEqual(["a alone", "b alone"]);
  expect(solos).toEqual(["a", "b"]);
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

test("a group with three culprits within a minute is batched alone, and after the minute no more", async () => {
  const field = airfield();
  await field.culprit("bad");
  await field.culprit("bad");
  expect(await mixed(field)).toEqual(TOGETHER);
  field.state.now = MINUTE_MS - 1;
  await field.culprit("bad");
  expect(await mixed(field)).toEqual(APART);
  field.state.now = MINUTE_MS;
  expect(await mixed(field)).toEqual(TOGETHER);
});

test("a culprit a minute after the first counts anew", async () => {
  const field = airfield();
  await field.culprit("bad");
  await field.culprit("bad");
  field.state.now = MINUTE_MS;
  await field.culprit("bad");
  expect(await mixed(field)).toEqual(TOGETHER);
  await field.culprit("bad");
  await field.culprit("bad");
  expect(await mixed(field)).toEqual(APART);
});

test("a batch that left within the minute and failed after it counts anew", async () => {
  const field = airfield();
  await field.culprit("bad");
  await field.culprit("bad");
  field.state.now = MINUTE_MS - 1;
  const late = field.culprit("bad");
  // By the next microtask it is in the air; it fails a turn later.
  await Promise.resolve();
  field.state.now = MINUTE_MS;
  await late;
  expect(await mixed(field)).toEqual(TOGETHER);
  await field.culprit("bad");
  await field.culprit("bad");
  expect(await mixed(field)).toEqual(APART);
});

test("culprits are counted for their own group; two such groups are each alone", async () => {
  const field = airfield();
  for (const of of ["bad", "c", "bad", "c", "bad"]) await field.culprit(of);
  expect(await mixed(field)).toEqual(APART);
  await field.culprit("c");
  expect(await mixed(field)).toEqual([
    ["a0", "a1"],
    ["bad0", "bad1"],
    ["c0", "c1"],
  ]);
});

test("neighbours of a culprit are none: rows that fare well alone are not counted", async () => {
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
  for (let time = 0; time < 3; time += 1) await field.culprit("bad");
  const first = await field.busy();
  const from = field.flights.length;
  void field.submitAll([...rows(5, "bad"), ...rows(4, "c")]);
  await first.land();
  expect(await field.flown(from)).toEqual([["bad0", "bad1"], ["c0", "c1"], ["bad2", "bad3"], ["c2", "c3"], ["bad4"]]);
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
