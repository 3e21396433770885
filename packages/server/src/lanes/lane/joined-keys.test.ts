import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { manualClock } from "../../testing/clock.ts";
import type { QueueRow } from "../kind.ts";
import { joiningWorld } from "../testing/joining-world.ts";
import { laneSettings, queueRow } from "../testing/rows.ts";
import type { KeyPace } from "./key-state.ts";
import { Lane } from "./lane.ts";
import { WAITING_A_KEY } from "./next-row.ts";

const clock = manualClock();
const KEYS = ["a", "b", "c", "d"];
const ROOM = 10_000;

const openLane = (pace: KeyPace | null = null): Lane => {
  const lane = new Lane({ number: 1, slot: 1, clock, defers: true });
  lane.configure(laneSettings({ keyPace: pace }));
  return lane;
};
const a = (seq: number, more: Partial<QueueRow> = {}): QueueRow => queueRow(seq, more);
const b = (seq: number, more: Partial<QueueRow> = {}): QueueRow => queueRow(seq, { key: "b", ...more });
const c = (seq: number): QueueRow => queueRow(seq, { key: "c" });
const add = (lane: Lane, ...rows: QueueRow[]): void => {
  for (const row of rows) lane.add(row, clock.now(), ROOM);
};
/** Takes until there is nothing to take. */
function takeAll(lane: Lane): number[] {
  const taken: number[] = [];
  for (let next = lane.take(clock.now()); next && "row" in next; next = lane.take(clock.now()))
    taken.push(next.row.seq);
  return taken;
}
const join = (lane: Lane, row: QueueRow, ...keys: string[]): boolean => lane.join(row, keys, clock.now());
const finish = (lane: Lane, row: QueueRow): void => lane.finish(row, clock.now());

describe("joined keys", () => {
  it("are one group, in whatever order they were joined", () => {
    const [one, other] = [openLane(), openLane()];
    add(one, c(1), b(2));
    add(other, c(1), b(2));
    takeAll(one);
    takeAll(other);
    expect(join(one, c(1), "b")).toBe(true);
    expect(join(one, b(2), "a")).toBe(true);
    expect(join(other, c(1), "c", "a", "b")).toBe(true);
    for (const lane of [one, other])
      for (const key of ["a", "b", "c"]) {
        expect(lane.nameOf(key)).toBe("a");
        expect(lane.joinedWith(queueRow(9, { key }))).toBe(3);
      }
  });

  it("wait for every row that is in flight, and go on in order", () => {
    const lane = openLane();
    add(lane, a(1), b(2), b(3), a(4), c(5));
    expect(takeAll(lane)).toEqual([1, 2, 5]);
    finish(lane, a(1));
    expect(takeAll(lane)).toEqual([4]);
    expect(join(lane, a(4), "a", "b")).toBe(true);
    expect(takeAll(lane)).toEqual([]);
    finish(lane, b(2));
    expect(takeAll(lane)).toEqual([3]);
    finish(lane, b(3));
    expect(takeAll(lane)).toEqual([4]);
  });

  it("put a row back that was let go and not started, behind an earlier one", () => {
    const lane = openLane();
    add(lane, a(1), b(2), a(4), b(3));
    expect(takeAll(lane)).toEqual([1, 2]);
    finish(lane, a(1)); // lets 4 go
    expect(join(lane, b(2), "a")).toBe(true);
    expect(takeAll(lane)).toEqual([2]);
    finish(lane, b(2));
    expect(takeAll(lane)).toEqual([3]);
  });

  it("do not take a row for begun in its turn that started before the join", () => {
    const lane = openLane();
    add(lane, a(1), b(2));
    expect(takeAll(lane)).toEqual([1, 2]);
    expect(join(lane, b(2), "a")).toBe(true);
    expect(lane.joinedWith(a(1))).toBe(1);
    expect(join(lane, a(1), "b")).toBe(true);
    expect(takeAll(lane)).toEqual([1]);
    expect(lane.joinedWith(a(1))).toBe(2);
    expect(join(lane, a(1), "b")).toBe(false); // nothing new: not at once again
    lane.putBack(a(1), clock.now());
    expect(takeAll(lane)).toEqual([1]);
  });

  it("wait for all retries of earlier rows, and for rows that a former owner began", () => {
    const lane = openLane();
    add(lane, a(1), b(2), a(6), b(7), c(3));
    expect(takeAll(lane)).toEqual([1, 2, 3]);
    const due = clock.now() + 1_000;
    lane.backOff(a(1), due, true, clock.now());
    lane.backOff(b(2), due + 1_000, true, clock.now());
    expect(join(lane, c(3), "a", "b")).toBe(true);
    expect(takeAll(lane)).toEqual([]);
    clock.advance(2_500);
    add(lane, b(2, { due: due + 1_000 }));
    expect(takeAll(lane)).toEqual([]);
    add(lane, a(1, { due }));
    expect(takeAll(lane)).toEqual([1]);
    add(lane, c(4)); // committed late
    finish(lane, a(1, { due }));
    expect(takeAll(lane)).toEqual([2]);
    finish(lane, b(2, { due: due + 1_000 }));
    expect(takeAll(lane)).toEqual([3]);
    finish(lane, c(3));
    expect(takeAll(lane)).toEqual([4]);
    // The hold of each key is deleted under its own name.
    finish(lane, c(4));
    expect(lane.resumeKeys(clock.now(), clock.now())).toEqual([]);
    for (const row of [a(6), b(7)]) {
      expect(takeAll(lane)).toEqual([row.seq]);
      finish(lane, row);
    }
    expect(lane.resumeKeys(clock.now(), clock.now()).map(({ key }) => key)).toEqual(["a", "b", "c"]);
  });

  it("take over a hold of any name for all", () => {
    const lane = openLane();
    add(lane, a(1));
    expect(takeAll(lane)).toEqual([1]);
    expect(join(lane, a(1), "b")).toBe(true);
    lane.restoreHold({ key: "b", until: clock.now() + 1_000, backingOff: 0, deferredFrom: null });
    expect(takeAll(lane)).toEqual([1]); // it was let go before
    finish(lane, a(1));
    add(lane, a(2));
    expect(takeAll(lane)).toEqual([]);
    clock.advance(1_000);
    expect(lane.resumeKeys(clock.now(), clock.now(), "a").map(({ key }) => key)).toEqual(["a", "b"]);
    expect(takeAll(lane)).toEqual([2]);
  });

  it("have the pace of one person: what each spent was spent by all", () => {
    const lane = openLane({ everyMs: 1_000, burst: 45 });
    clock.advance(60_000); // 45 tokens each
    const rows = Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? a(n) : b(n)));
    for (const row of rows) {
      add(lane, row);
      expect(takeAll(lane)).toEqual([row.seq]);
      if (row.seq < 59) finish(lane, row);
    }
    expect(join(lane, rows[59] as QueueRow, "a")).toBe(true);
    // 59 starts of 45: the next one after 15 s.
    clock.advance(14_500);
    lane.resumeKeys(clock.now(), clock.now());
    expect(takeAll(lane)).toEqual([]);
    clock.advance(500);
    lane.resumeKeys(clock.now(), clock.now());
    expect(takeAll(lane)).toEqual([59]);
  });

  it("keep no more rows in memory than one key, and write the others to the table with one due", () => {
    const lane = openLane();
    add(lane, ...Array.from({ length: 70 }, (_, n) => (n % 2 === 0 ? a(n) : b(n))));
    expect(takeAll(lane)).toEqual([0, 1]);
    expect(join(lane, b(1), "a")).toBe(true);
    const deferred = lane.deferred.take();
    expect(lane.buffered).toBe(WAITING_A_KEY + 1); // and the row that was put back
    expect(deferred.map(({ row }) => row.seq)).toEqual(Array.from({ length: 18 }, (_, n) => 52 + n));
    expect(new Set(deferred.map(({ due }) => due)).size).toBe(1);
  });

  it("start none of the gathered rows while one of them is not written yet", () => {
    const lane = openLane();
    add(lane, ...Array.from({ length: 70 }, (_, n) => (n % 2 === 0 ? a(n) : b(n))));
    expect(takeAll(lane)).toEqual([0, 1]);
    expect(join(lane, b(1), "a")).toBe(true);
    const slow = lane.deferred.take();
    lane.deferred.written(slow.slice(1)); // 52 is still under way
    for (let seq = 0; seq < 52; seq++) {
      lane.finish(queueRow(seq), clock.now());
      takeAll(lane);
    }
    const due = slow[0]?.due ?? 0;
    clock.advance(due - clock.now());
    add(lane, b(53, { due }), a(54, { due }));
    expect(takeAll(lane)).toEqual([]);
    const again = lane.deferred.take();
    expect(again.map(({ row }) => row.seq)).toEqual([53, 54]);
    const later = again[0]?.due ?? 0;
    expect(later).toBeGreaterThan(due);
    lane.deferred.written([...slow.slice(0, 1), ...again]);
    add(lane, a(52, { due }));
    expect(takeAll(lane)).toEqual([]);
    lane.deferred.written(lane.deferred.take());
    clock.advance(60_000);
    const last = Math.max(later, clock.now());
    add(lane, a(52, { due: last }), b(53, { due: last }));
    expect(takeAll(lane)).toEqual([52]);
  });
});

describe("keys that are joined at any moment", () => {
  const key = fc.constantFrom(...KEYS);
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("add" as const), n: fc.integer({ min: 1, max: 60 }), key }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant("begin" as const), n: fc.integer({ min: 1, max: 6 }) }) },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant("land" as const),
        index: fc.nat(5),
        retry: fc.option(fc.integer({ min: 1, max: 9_000 })),
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("time" as const), ms: fc.integer({ min: 1, max: 4_000 }) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant("write" as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("again" as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant("join" as const), keys: fc.array(key, { minLength: 2, maxLength: 3 }) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("owner" as const) }) },
  );

  it("start one at a time in the order of arrival, at the pace of one, and each once", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 100, size: "max" }),
        fc.boolean(),
        fc.integer({ min: 1, max: 20 }),
        (steps, paced, places) => {
          const world = joiningWorld({ pace: paced ? { everyMs: 300, burst: 12 } : null, places });
          for (const one of steps) {
            if (one.kind === "add") world.add(one.n, one.key);
            else if (one.kind === "begin") for (let n = 0; n < one.n; n++) world.begin();
            else if (one.kind === "land") world.land(one.index, one.retry);
            else if (one.kind === "time") world.time(one.ms);
            else if (one.kind === "write") world.write();
            else if (one.kind === "again") world.again();
            else if (one.kind === "join") world.join(one.keys);
            else world.changeOwner();
          }
          world.finish();
          expect(world.done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: world.added() }, (_, n) => n + 1));
          expect([...world.held]).toEqual([]);
        },
      ),
      {
        endOnFailure: !process.env.SHRINK,
        numRuns: Number(process.env.RUNS ?? 300),
        seed: Number(process.env.SEED ?? 20_260_102),
      },
    );
  });
});
