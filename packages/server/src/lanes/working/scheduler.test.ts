import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Database } from "../../db/database.ts";
import { createLog } from "../../lib/log.ts";
import { manualClock } from "../../testing/clock.ts";
import type { Disposition, LaneKind, LaneSettings, QueueRow } from "../kind.ts";
import type { Lane } from "../lane/lane.ts";
import type { Membership } from "../ownership/membership.ts";
import { Slot } from "../ownership/slot.ts";
import { Slots } from "../ownership/slots.ts";
import { defineQueue } from "../queue.ts";
import { DueSchedule } from "../reading/due-schedule.ts";
import { NumberedRows } from "../reading/numbered-rows.ts";
import { Refill } from "../reading/refill.ts";
import { RowReader } from "../reading/row-reader.ts";
import { RunnerState } from "../runner-state.ts";
import { laneSettings, queueRow } from "../testing/rows.ts";
import { Defer } from "./defer.ts";
import { Scheduler } from "./scheduler.ts";
import { Work } from "./work.ts";

type Working = { row: QueueRow; land(disposition: Disposition): void };

/** A scheduler without a database, whose rows the test lands. Slot 0 is ready, and slot 1 is being taken over. */
function stage(inFlight: number) {
  const clock = manualClock();
  const starts: { workspace: string; lane: number; seq: number; at: number }[] = [];
  const working: Working[] = [];
  /** Numbers of rows that were to be written back to the table. */
  const deferred: number[] = [];
  const kind: LaneKind = {
    name: "dispatch",
    role: "dispatch",
    queue: defineQueue({
      kind: "dispatch",
      table: "dispatch",
      item: "id",
      key: "key",
      workspace: true,
      event: false,
      intents: true,
    }),
    inFlight,
    settings: () => Promise.resolve(new Map()),
    work(row) {
      starts.push({ workspace: row.workspaceId, lane: row.lane, seq: row.seq, at: clock.now() });
      return new Promise((land) => working.push({ row, land }));
    },
  };
  const call = (_: unknown, rows: { seq: number }[]): Promise<never[]> => {
    deferred.push(...rows.map(({ seq }) => seq));
    return Promise.resolve([]);
  };
  const state = new RunnerState({
    kind,
    db: { call } as unknown as Database,
    clock,
    log: createLog("silent"),
    membership: { worker: "own", valid: () => true } as unknown as Membership,
    random: () => 0.5,
    buffer: 1_000_000,
  });
  for (const number of [0, 1]) state.slots.set(number, new Slot(number, 1, 0));
  state.slots.get(0)?.open();
  const dues = new DueSchedule(clock);
  const slots = new Slots(state);
  const defer = new Defer(state, dues, slots);
  const reader = new RowReader(state, dues);
  const [refill, numbered] = [new Refill(state, reader, defer), new NumberedRows(state, reader, defer)];
  const work = new Work(state, { dues, refill, numbered, defer, slots });
  const scheduler = new Scheduler(state, work);
  void scheduler.run();
  let seq = 0;
  return {
    clock,
    starts,
    working,
    deferred,
    state,
    work,
    /** Adds a lane with rows, and has it scheduled. */
    schedule(number: number, workspaceId: string, rows: number, more: Partial<LaneSettings> = {}, slot = 0): Lane {
      const lane = state.laneOf(slot, number);
      if (!lane) throw new Error("the slot is not held");
      lane.configure(laneSettings({ fairShareKey: workspaceId, ordered: false, ...more }));
      for (let n = 0; n < rows; n++) {
        seq += 1;
        const key = more.ordered ? "one" : `k${seq}`;
        lane.add(queueRow(seq, { slot, lane: number, workspaceId, key }), clock.now(), 1_000);
      }
      state.startable.add(lane);
      return lane;
    },
    async land(count: number, of: (workspace: string) => boolean = () => true) {
      const landing = working.filter(({ row }) => of(row.workspaceId)).slice(0, count);
      for (const one of landing) {
        working.splice(working.indexOf(one), 1);
        one.land({ kind: "done" });
      }
      await turn();
    },
  };
}

describe("which row starts next", () => {
  it("goes round workspaces, then round their lanes: a flood only gets its turn", async () => {
    const { schedule, work, starts, land, clock } = stage(40);
    await clock.pass(5_000); // past the slow start
    // One workspace with ten full lanes against three with one lane and few rows.
    for (let n = 0; n < 10; n++) schedule(n, "flood", 200);
    for (const [n, name] of ["x", "y", "z"].entries()) schedule(100 + n, name, 20);
    await turn();
    const count = (name: string): number => starts.filter(({ workspace }) => workspace === name).length;
    const evenly = (each: number) =>
      expect(["x", "y", "z", "flood"].every((name) => Math.abs(count(name) - each) <= 1)).toBe(true);
    evenly(10);
    // The flood's own lanes share its part.
    expect(new Set(starts.filter(({ workspace }) => workspace === "flood").map((start) => start.lane)).size).toBe(10);
    await land(40);
    evenly(20);
    // Alone, it has four fifths: a newcomer finds places.
    await land(40);
    await land(40, (workspace) => workspace !== "flood");
    expect(work.inFlight).toBe(32);
  });

  it("leaves places for newcomers, however long others hold theirs", async () => {
    const { schedule, working, land, clock } = stage(500);
    await clock.pass(5_000);
    const inFlight = (name: string): number => working.filter(({ row }) => row.workspaceId === name).length;
    // Each of its sends hangs, and it has numbers and messages without end.
    const hang = async (name: string, at: number) => {
      for (let n = 0; n < 10; n++) schedule(at + n, name, 200);
      await turn();
    };
    await hang("hanging", 0);
    expect(inFlight("hanging")).toBe(399);
    await hang("hanging too", 100);
    expect(inFlight("hanging too")).toBe(81);
    // Two hundred rows whose answers arrive at once: not one of them waits for those that hang.
    schedule(1_000, "quick", 200);
    await turn();
    let landed = 0;
    while (inFlight("quick") > 0) {
      landed += inFlight("quick");
      await land(500, (name) => name === "quick");
    }
    expect(landed).toBe(200);
    // As their rows land, the two come to hold equally many.
    for (let n = 0; n < 1_000; n++) await land(1, (name) => name !== "quick");
    expect(Math.abs(inFlight("hanging") - inFlight("hanging too"))).toBeLessThanOrEqual(4);
  });

  it("lets a newcomer start at once", async () => {
    const { schedule, starts, clock } = stage(40);
    await clock.pass(5_000);
    for (let n = 0; n < 5; n++) schedule(n, "flood", 200);
    await turn();
    schedule(9, "quiet", 1);
    await turn();
    expect(starts.at(-1)?.workspace).toBe("quiet");
  });

  it("starts slowly: four fifths of 32 in flight at first, of all after two seconds", async () => {
    const { schedule, work, clock } = stage(500);
    for (let n = 0; n < 10; n++) schedule(n, "w", 200);
    await turn();
    expect(work.inFlight).toBe(26);
    await clock.pass(1_000);
    expect(work.inFlight).toBeGreaterThan(160);
    expect(work.inFlight).toBeLessThanOrEqual(Math.ceil(0.8 * (32 + 234)));
    await clock.pass(1_100);
    expect(work.inFlight).toBeGreaterThan(390);
    expect(work.inFlight).toBeLessThanOrEqual(400);
  });

  it("leaves places for the other lanes of the same workspace, however long some hold theirs", async () => {
    const { schedule, working, land, clock } = stage(500);
    await clock.pass(5_000);
    const wide = { concurrency: { start: 128, most: 128 } };
    const inFlight = (lane: number): number => working.filter(({ row }) => row.lane === lane).length;
    // Each wants 128, and together they could fill what their workspace may hold three times.
    for (let lane = 0; lane < 10; lane++) schedule(lane, "w", 200, wide);
    await turn();
    for (let lane = 0; lane < 10; lane++) expect(inFlight(lane)).toBeGreaterThan(30);
    schedule(99, "w", 200, wide);
    let landed = 0;
    for (await turn(); inFlight(99) > 0; await turn()) {
      const [one] = working.filter(({ row }) => row.lane === 99);
      if (!one) break;
      working.splice(working.indexOf(one), 1);
      one.land({ kind: "done" });
      landed += 1;
    }
    expect(landed).toBe(200);
    // One of those that had their part lands a row, and starts the next.
    const before = inFlight(0);
    await land(1, () => true);
    expect(inFlight(0)).toBe(before);
  });

  it("keeps a lane's rate within a twentieth in every second, and wastes little of it", async () => {
    const { schedule, starts, land, clock, working } = stage(500);
    schedule(1, "w", 200, { ratePerSecond: 80, concurrency: { start: 500, most: 500 } });
    for (let ms = 0; ms < 2_000; ms += 5) {
      await clock.pass(5);
      await land(working.length);
    }
    for (const { at } of starts) {
      const window = starts.filter((other) => other.at >= at && other.at < at + 1_000).length;
      expect(window).toBeLessThanOrEqual(84);
    }
    expect(starts.length).toBeGreaterThanOrEqual(150);
  });

  it("starts nothing of a lane that was dropped, of a slot that is being taken over, or after a stop", async () => {
    const { schedule, starts, state, clock } = stage(10);
    state.forget(schedule(1, "w", 5));
    const early = schedule(2, "w", 5, {}, 1);
    await turn();
    expect(starts).toEqual([]);
    state.slots.get(1)?.open();
    state.startable.add(early);
    await turn();
    expect(starts.map(({ lane }) => lane)).toEqual([2, 2, 2, 2, 2]);
    state.stop();
    schedule(3, "w", 5);
    await clock.pass(5_000);
    expect(starts).toHaveLength(5);
  });

  it("has the rows of a crowded key written to the table", async () => {
    const { schedule, deferred, starts } = stage(10);
    schedule(1, "w", 60, { ordered: true });
    await turn();
    expect(starts.map(({ seq }) => seq)).toEqual([1]);
    expect(deferred).toEqual([52, 53, 54, 55, 56, 57, 58, 59, 60]);
  });
});
