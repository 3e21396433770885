import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { handClock } from "../../testing/clock.ts";
import type { LaneSettings, QueueRow } from "../kind.ts";
import { Lane } from "../lane/lane.ts";
import { laneSettings, queueRow } from "../testing/rows.ts";
import { Scheduler } from "./scheduler.ts";

/** A scheduler whose starts are only noted; `land` ends the oldest. */
function stage(inFlight: number) {
  const clock = handClock();
  const starts: { workspace: string; lane: number; seq: number; at: number }[] = [];
  const working: { lane: Lane; row: QueueRow; share: string }[] = [];
  const deferred: Lane[] = [];
  let seq = 0;
  const scheduler = new Scheduler({ inFlight, clock, yielding: null, lanes: { mayStart: () => true } });
  scheduler.connect(
    {
      start(lane, row, share) {
        starts.push({ workspace: row.workspaceId, lane: row.lane, seq: row.seq, at: clock.now() });
        working.push({ lane, row, share });
        return true;
      },
    },
    { write: (lane) => void deferred.push(lane) },
  );
  return {
    clock,
    starts,
    working,
    deferred,
    scheduler,
    lane(number: number, workspaceId: string, rows: number, more: Partial<LaneSettings> = {}): Lane {
      const lane = new Lane({ number, slot: number % 64, clock, defers: true });
      lane.configure(laneSettings({ fairShareKey: workspaceId, ordered: false, ...more }));
      for (let n = 0; n < rows; n++) {
        seq += 1;
        lane.add(queueRow(seq, { lane: number, workspaceId, key: `k${seq}` }), clock.now(), 1_000);
      }
      return lane;
    },
    async land(count: number, of: (workspace: string) => boolean = () => true) {
      const landing = working.filter(({ row }) => of(row.workspaceId)).slice(0, count);
      for (const one of landing) {
        working.splice(working.indexOf(one), 1);
        one.lane.finish(one.row, clock.now());
        scheduler.landed(one.lane, one.share);
      }
      await turn();
    },
  };
}

describe("which row starts next", () => {
  it("goes round workspaces, then round their lanes: a flood only gets its turn", async () => {
    const { scheduler, lane, starts, land, clock } = stage(40);
    await clock.pass(5_000); // past the slow start
    // One workspace with ten full lanes against three with one lane and few rows.
    for (let n = 0; n < 10; n++) scheduler.schedule(lane(n, "flood", 200));
    for (const [n, name] of ["x", "y", "z"].entries()) scheduler.schedule(lane(100 + n, name, 20));
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
    expect(scheduler.inFlight).toBe(32);
  });

  it("leaves places for newcomers, however long others hold theirs", async () => {
    const { scheduler, lane, working, land, clock } = stage(500);
    await clock.pass(5_000);
    const inFlight = (name: string): number => working.filter(({ row }) => row.workspaceId === name).length;
    // Each of its sends hangs, and it has numbers and messages without end.
    const hang = async (name: string, at: number) => {
      for (let n = 0; n < 10; n++) scheduler.schedule(lane(at + n, name, 200));
      await turn();
    };
    await hang("hanging", 0);
    expect(inFlight("hanging")).toBe(400);
    await hang("hanging too", 100);
    expect(inFlight("hanging too")).toBe(80);
    // Two hundred rows whose answers arrive at once: not one of them waits for those that hang.
    scheduler.schedule(lane(1_000, "quick", 200));
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
    const { scheduler, lane, starts, clock } = stage(40);
    await clock.pass(5_000);
    for (let n = 0; n < 5; n++) scheduler.schedule(lane(n, "flood", 200));
    await turn();
    scheduler.schedule(lane(9, "quiet", 1));
    await turn();
    expect(starts.at(-1)?.workspace).toBe("quiet");
  });

  it("starts slowly: four fifths of 32 in flight at first, of all after two seconds", async () => {
    const { scheduler, lane, clock } = stage(500);
    for (let n = 0; n < 10; n++) scheduler.schedule(lane(n, "w", 200));
    await turn();
    expect(scheduler.inFlight).toBe(26);
    await clock.pass(1_000);
    expect(scheduler.inFlight).toBeGreaterThan(160);
    expect(scheduler.inFlight).toBeLessThanOrEqual(Math.ceil(0.8 * (32 + 234)));
    await clock.pass(1_100);
    expect(scheduler.inFlight).toBe(400);
  });

  it("keeps a lane's rate within a twentieth in every second, and wastes little of it", async () => {
    const { scheduler, lane, starts, land, clock, working } = stage(500);
    scheduler.schedule(lane(1, "w", 200, { ratePerSecond: 80, concurrency: { start: 500, most: 500 } }));
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

  it("forgets a dropped lane, and starts nothing after a stop", async () => {
    const { scheduler, lane, starts, clock } = stage(10);
    const dropped = lane(1, "w", 5);
    scheduler.schedule(dropped);
    scheduler.forget(dropped);
    await turn();
    expect(starts).toEqual([]);
    scheduler.stop();
    scheduler.schedule(lane(2, "w", 5));
    await clock.pass(5_000);
    expect(starts).toEqual([]);
  });

  it("has the rows of a crowded key written to the table", async () => {
    const { scheduler, lane, deferred, starts, clock } = stage(10);
    const crowded = lane(1, "w", 0, { ordered: true });
    for (let seq = 1; seq <= 60; seq++) crowded.add(queueRow(seq, { key: "one" }), clock.now(), 1_000);
    scheduler.schedule(crowded);
    await turn();
    expect(starts.map(({ seq }) => seq)).toEqual([1]);
    expect(deferred).toContain(crowded);
    expect(crowded.takeDeferred().map(({ row }) => row.seq)).toEqual([52, 53, 54, 55, 56, 57, 58, 59, 60]);
  });
});
