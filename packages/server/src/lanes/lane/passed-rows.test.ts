import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { manualClock } from "../../testing/clock.ts";
import type { QueueRow } from "../kind.ts";
import { joiningWorld } from "../testing/joining-world.ts";
import { laneSettings, queueRow } from "../testing/rows.ts";
import { Lane } from "./lane.ts";

const ROOM = 10_000;
const clock = manualClock();

function openLane(): Lane {
  const lane = new Lane({ number: 1, slot: 1, clock, defers: true, passes: true });
  lane.configure(laneSettings());
  return lane;
}

function takeAll(lane: Lane): number[] {
  const seqs: number[] = [];
  for (let next = lane.take(clock.now()); next && "row" in next; next = lane.take(clock.now())) seqs.push(next.row.seq);
  return seqs;
}

const released = (lane: Lane): number[] => (lane.passed?.takeReleased() ?? []).map(({ seq }) => seq);

describe("due rows of a key", () => {
  it("that are behind one that backs off leave room for those of others, and are read again when it is done", () => {
    const lane = openLane();
    const due = clock.now() - 1;
    const rowsOf = (key: number): QueueRow[] =>
      Array.from({ length: 60 }, (_, n) => queueRow(1 + key * 60 + n, { key: `k${key}`, due }));
    const firsts = Array.from({ length: 20 }, (_, key) => rowsOf(key)[0] as QueueRow);
    for (let key = 0; key < 20; key++) {
      for (const row of rowsOf(key)) expect(lane.add(row, clock.now(), ROOM)).toBe("kept");
      expect(takeAll(lane)).toEqual([firsts[key]?.seq]);
    }
    expect(released(lane)).toHaveLength(20 * 49);
    for (const row of firsts) lane.backOff(row, due + 60_000, true, clock.now());
    expect(released(lane)).toHaveLength(20 * 10);
    expect([lane.buffered, lane.hasRoomForDue(ROOM), lane.passed?.toRead()]).toEqual([0, true, []]);
    lane.add(queueRow(5_000, { key: "other", due }), clock.now(), ROOM);
    lane.add(queueRow(5_001, { key: "k3" }), clock.now(), ROOM); // a fresh one behind them
    expect(takeAll(lane)).toEqual([5_000]);

    const [first] = [firsts[3] as QueueRow];
    lane.add({ ...first, due: due + 60_000 }, clock.now() + 60_000, ROOM);
    clock.advance(60_000);
    expect(takeAll(lane)).toEqual([first.seq]);
    lane.finish(first, clock.now());
    expect(takeAll(lane)).toEqual([]);
    const done: number[] = [];
    for (let seqs = lane.passed?.toRead("k3") ?? []; seqs.length > 0; seqs = lane.passed?.toRead("k3") ?? []) {
      expect(lane.passed?.toRead("k3")).toEqual([]); // they are being read
      // The table has the second no more.
      const here = seqs.filter((seq) => seq !== first.seq + 1);
      for (const seq of here) lane.add(queueRow(seq, { key: "k3", due }), clock.now(), 1, true);
      lane.passed?.read(
        seqs,
        seqs.filter((seq) => !here.includes(seq)),
      );
      for (let now = takeAll(lane); now.length > 0; now = takeAll(lane)) {
        expect(now).toHaveLength(1);
        done.push(...now);
        lane.finish(queueRow(now[0] as number, { key: "k3", due }), clock.now());
      }
    }
    expect(done).toEqual([...Array.from({ length: 58 }, (_, n) => first.seq + 2 + n), 5_001]);
  });

  it("that were let go are forgotten by a lane that closes, and read again from the first when it opens", () => {
    const lane = openLane();
    const due = clock.now() - 1;
    const rows = Array.from({ length: 30 }, (_, n) => queueRow(1 + n, { due }));
    for (const row of rows) lane.add(row, clock.now(), ROOM);
    expect(takeAll(lane)).toEqual([1]);
    expect(released(lane)).toHaveLength(19);
    lane.configure(laneSettings({ closed: true }));
    expect(lane.passed?.toRead()).toEqual([]);
    lane.configure(laneSettings());
    lane.finish(rows[0] as QueueRow, clock.now());
    for (const row of rows.slice(1)) expect(lane.add(row, clock.now(), ROOM)).toBe("kept");
    expect(takeAll(lane)).toEqual([2]);
  });

  const step = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("add" as const),
        n: fc.integer({ min: 1, max: 60 }),
        key: fc.constantFrom("a", "b", "c"),
      }),
    },
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
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("again" as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("owner" as const) }) },
  );

  it("start one at a time in their order and each once, over retries and changes of owner", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 100, size: "max" }),
        fc.boolean(),
        fc.integer({ min: 1, max: 20 }),
        (steps, paced, places) => {
          const world = joiningWorld({ pace: paced ? { everyMs: 300, burst: 12 } : null, places });
          for (const one of steps) {
            if (one.kind === "add") world.add(one.n, one.key, true);
            else if (one.kind === "begin") for (let n = 0; n < one.n; n++) world.begin();
            else if (one.kind === "land") world.land(one.index, one.retry);
            else if (one.kind === "time") world.time(one.ms);
            else if (one.kind === "again") world.again();
            else world.changeOwner();
          }
          world.finish();
          expect(world.done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: world.added() }, (_, n) => n + 1));
          expect([...world.held]).toEqual([]);
        },
      ),
      { endOnFailure: true, numRuns: Number(process.env.RUNS ?? 100), seed: Number(process.env.SEED ?? 20_260_103) },
    );
  });
});
