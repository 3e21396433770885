import { describe, expect, it } from "vitest";
import { manualClock } from "../../testing/clock.ts";
import { STARTED } from "../lane-kinds.ts";
import { LANE_BUFFER } from "../queue.ts";
import { laneSettings, queueRow } from "../testing/rows.ts";
import { Lane } from "./lane.ts";
import { WAITING_A_KEY } from "./next-row.ts";
import { DUE_BUFFER } from "./sources.ts";

const clock = manualClock();
/** More than any lane holds. */
const ROOM = 10_000;
const newLane = (): Lane => new Lane({ number: 1, slot: 1, clock, defers: true });
const openLane = (more: Parameters<typeof laneSettings>[0] = {}): Lane => {
  const lane = newLane();
  lane.configure(laneSettings(more));
  return lane;
};
/** Takes until there is nothing to take. */
function takeAll(lane: Lane): number[] {
  const taken: number[] = [];
  for (let next = lane.take(clock.now()); next && "row" in next; next = lane.take(clock.now()))
    taken.push(next.row.seq);
  return taken;
}

describe("a lane in memory", () => {
  it("starts nothing before its settings are known", () => {
    const lane = newLane();
    lane.add(queueRow(1), clock.now(), ROOM);
    expect(lane.take(clock.now())).toBeNull();
    lane.configure(laneSettings());
    expect(takeAll(lane)).toEqual([1]);
  });

  it("starts what was scheduled and is due before a later row of its key, whoever's turn it is", () => {
    const lane = openLane();
    const due = clock.now() - 1;
    for (const [seq, key] of [
      [1, "b"],
      [2, "c"],
      [3, "a"],
    ] as const)
      lane.add(queueRow(seq, { due, key }), clock.now(), ROOM);
    lane.add(queueRow(4), clock.now(), ROOM); // accepted within milliseconds after it
    lane.add(queueRow(5, { key: "d" }), clock.now(), ROOM);
    expect(takeAll(lane)).toEqual([3, 1, 2, 5]);
    lane.finish(queueRow(3, { due }), clock.now());
    expect(takeAll(lane)).toEqual([4]);
  });

  it("gives the place of a row that was answered to the next one, and remembers the row until it is finished", () => {
    const lane = openLane({ ordered: false, concurrency: { start: 1, most: 1 } });
    const [first, second] = [queueRow(1), queueRow(2)];
    for (const row of [first, second]) lane.add(row, clock.now(), ROOM);
    expect(takeAll(lane)).toEqual([1]);
    lane.inFlight.answer(first);
    expect(takeAll(lane)).toEqual([2]);
    lane.finish(second, clock.now());
    expect([lane.busy, lane.idle, lane.rows()]).toEqual([true, false, [first]]);
    lane.finish(first, clock.now());
    expect([lane.busy, lane.idle, lane.rows()]).toEqual([false, true, []]);
  });

  it("starts a row again whose outcome was not stored", () => {
    const lane = openLane({ ordered: false, concurrency: { start: 1, most: 1 } });
    const row = queueRow(1);
    lane.add(row, clock.now(), ROOM);
    takeAll(lane);
    lane.inFlight.answer(row);
    lane.putBack(row, clock.now());
    expect([takeAll(lane), lane.rows()]).toEqual([[1], [row]]);
  });

  it("that is told to keep an order keeps later rows behind those that had started without one", () => {
    const lane = openLane({ ordered: false, concurrency: { start: 9, most: 9 } });
    const rows = [1, 2, 3].map((seq) => queueRow(seq));
    for (const row of rows.slice(0, 2)) lane.add(row, clock.now(), ROOM);
    expect(takeAll(lane)).toEqual([1, 2]);
    lane.configure(laneSettings({ concurrency: { start: 9, most: 9 } }));
    lane.add(rows[2]!, clock.now(), ROOM);
    expect(rows.map((row) => lane.joinedWith(row))).toEqual([0, 0, 1]);
    expect(takeAll(lane)).toEqual([]);
    // Both had not begun: they start again, the later one first put back, in their order.
    lane.putBack(rows[1]!, clock.now());
    expect(takeAll(lane)).toEqual([]);
    lane.putBack(rows[0]!, clock.now());
    for (const row of rows) {
      expect(takeAll(lane)).toEqual([row.seq]);
      expect(lane.joinedWith(row)).toBe(1);
      lane.finish(row, clock.now());
    }
    expect(lane.buffered).toBe(0);
  });

  it("is passed by when it is full, and refilled from the last row kept until its end", () => {
    const lane = openLane({ ordered: false });
    for (let seq = 1; seq <= LANE_BUFFER; seq++) expect(lane.add(queueRow(seq), clock.now(), ROOM)).toBe("kept");
    expect(lane.add(queueRow(900), clock.now(), ROOM)).toBe("passed");
    expect(lane.beginRefill(ROOM)).toBeNull(); // still full
    const first = takeAll(lane);
    expect(first).toHaveLength(100); // as many as may be in flight
    for (const seq of first) lane.finish(queueRow(seq), clock.now());
    expect(takeAll(lane)).toHaveLength(100);
    // No row above one that was passed by is kept before it.
    expect(lane.add(queueRow(901), clock.now(), ROOM)).toBe("passed");
    expect(lane.beginRefill(ROOM)).toEqual({ lo: LANE_BUFFER, most: LANE_BUFFER });
    expect(lane.beginRefill(ROOM)).toBeNull(); // one refill at a time
    // Rows that the tail reads meanwhile are younger than those that the refill will bring.
    expect(lane.add(queueRow(902), clock.now(), ROOM)).toBe("passed");
    expect(lane.add(queueRow(LANE_BUFFER + 1), clock.now(), ROOM, true)).toBe("kept");
    expect(lane.idle).toBe(false);
    lane.endRefill({ foundEnd: true, readTo: LANE_BUFFER + 1 });
    expect(lane.beginRefill(ROOM)).toEqual({ lo: LANE_BUFFER + 1, most: LANE_BUFFER - 1 });
    for (const seq of [900, 901, 902]) expect(lane.add(queueRow(seq), clock.now(), ROOM, true)).toBe("kept");
    lane.endRefill({ foundEnd: true, readTo: 902 });
    expect(lane.beginRefill(ROOM)).toBeNull();
  });

  it("is read again when rows were passed by during the refill", () => {
    const lane = openLane();
    lane.markPassedBy();
    expect(lane.beginRefill(ROOM)).toMatchObject({ lo: -1 });
    lane.markPassedBy();
    lane.endRefill({ foundEnd: true, readTo: -1 });
    expect(lane.beginRefill(ROOM)).toMatchObject({ lo: -1 });
  });

  it("is refilled from the first row that was passed by, also when a former owner began one behind it", () => {
    const lane = openLane({ ordered: false });
    expect(lane.add(queueRow(1), clock.now(), 1)).toBe("kept");
    expect(lane.add(queueRow(2), clock.now(), 1)).toBe("passed");
    expect(lane.add(queueRow(3, { state: STARTED }), clock.now(), 1)).toBe("kept");
    expect(takeAll(lane)).toEqual([1]);
    expect(lane.beginRefill(ROOM)).toMatchObject({ lo: 1 });
    expect(lane.add(queueRow(2), clock.now(), ROOM, true)).toBe("kept");
    // The third is here already and was not added once more; the table has others behind it.
    lane.endRefill({ foundEnd: false, readTo: 3 });
    expect(takeAll(lane)).toEqual([2]);
    expect(lane.beginRefill(ROOM)).toMatchObject({ lo: 3 });
  });

  it("keeps nothing of a refill behind a row that the refill passed by", () => {
    const lane = openLane({ ordered: false });
    lane.markPassedBy();
    expect(lane.beginRefill(2)).toEqual({ lo: -1, most: 2 });
    expect(lane.add(queueRow(1), clock.now(), 2, true)).toBe("kept");
    expect(lane.add(queueRow(2), clock.now(), 1, true)).toBe("passed"); // there is less room than before
    lane.endRefill({ foundEnd: true, readTo: 2 });
    expect(takeAll(lane)).toEqual([1]);
    expect(lane.beginRefill(ROOM)).toMatchObject({ lo: 1 });
  });

  it("keeps nothing of a refill during which it was closed, and is read again from the first row", () => {
    const lane = openLane({ ordered: false });
    for (let seq = 1; seq <= LANE_BUFFER + 1; seq++) lane.add(queueRow(seq), clock.now(), ROOM);
    expect(takeAll(lane)).toHaveLength(100);
    for (let seq = 1; seq <= 100; seq++) lane.finish(queueRow(seq), clock.now());
    expect(takeAll(lane)).toHaveLength(100);
    for (let seq = 101; seq <= 190; seq++) lane.finish(queueRow(seq), clock.now());
    expect(lane.beginRefill(ROOM)).toMatchObject({ lo: LANE_BUFFER });
    lane.configure(laneSettings({ closed: true, ordered: false }));
    lane.configure(laneSettings({ ordered: false }));
    expect(lane.add(queueRow(LANE_BUFFER + 1), clock.now(), ROOM, true)).toBe("passed");
    lane.endRefill({ foundEnd: true, readTo: LANE_BUFFER + 1 });
    expect(lane.beginRefill(ROOM)).toMatchObject({ lo: -1 });
  });

  it("takes a row that committed late, at its place, also when it is full", () => {
    const lane = openLane({ ordered: false, concurrency: { start: 1_000, most: 1_000 } });
    for (let seq = 2; seq <= LANE_BUFFER * 2; seq += 2) lane.add(queueRow(seq), clock.now(), ROOM);
    expect(lane.add(queueRow(7), clock.now(), ROOM)).toBe("kept");
    expect(takeAll(lane).slice(0, 5)).toEqual([2, 4, 6, 7, 8]);
  });

  it("takes fresh and due rows in turn", () => {
    const lane = openLane({ ordered: false });
    for (const seq of [1, 2, 3]) lane.add(queueRow(seq, { due: clock.now() - 10 }), clock.now(), ROOM);
    for (const seq of [11, 12, 13]) lane.add(queueRow(seq), clock.now(), ROOM);
    expect(takeAll(lane)).toEqual([11, 1, 12, 2, 13, 3]);
  });

  it("lets a retry go first although it waits for the lane's pace", async () => {
    const lane = openLane({ ratePerSecond: 10 });
    lane.add(queueRow(1), clock.now(), ROOM);
    expect(takeAll(lane)).toEqual([1]);
    const due = clock.now() + 50;
    lane.backOff(queueRow(1), due, true, clock.now());
    lane.add(queueRow(2), clock.now(), ROOM);
    await clock.pass(50);
    lane.add(queueRow(1, { due }), clock.now(), ROOM);
    expect(lane.resumeKeys(clock.now(), clock.now())).toEqual([]); // it was read, and only the pace keeps it
    await clock.pass(60);
    expect(takeAll(lane)).toEqual([1]);
    lane.finish(queueRow(1, { due }), clock.now());
    await clock.pass(100);
    expect(takeAll(lane)).toEqual([2]);
  });

  it("has room for due rows however many fresh ones wait for retries", () => {
    const lane = new Lane({ number: 1, slot: 1, clock, defers: true, advances: true });
    lane.configure(laneSettings());
    const due = clock.now() + 600_000;
    for (let key = 0; key < 21; key++) {
      const first = queueRow(100 * key, { key: `k${key}` });
      lane.add(first, clock.now(), ROOM);
      expect(takeAll(lane)).toEqual([first.seq]);
      lane.backOff(first, due, true, clock.now());
      for (let n = 1; n <= WAITING_A_KEY; n++) lane.add({ ...first, seq: first.seq + n }, clock.now(), ROOM);
      expect(takeAll(lane)).toEqual([]);
    }
    expect([lane.buffered, lane.startable, lane.hasRoomForDue(ROOM)]).toEqual([21 * WAITING_A_KEY, 0, true]);
  });

  it("keeps so many due rows behind one in flight, and returns them to the table with it where it backs off", () => {
    const lane = new Lane({ number: 1, slot: 1, clock, defers: true, advances: true });
    lane.configure(laneSettings());
    const due = clock.now() - 1;
    for (let seq = 1; seq <= 2_000; seq++) lane.add(queueRow(seq, { due }), clock.now(), ROOM);
    expect(takeAll(lane)).toEqual([1]);
    expect([lane.buffered, lane.hasRoomForDue(ROOM)]).toEqual([DUE_BUFFER - 1, true]);
    lane.add(queueRow(2_000, { due }), clock.now(), ROOM);
    expect([takeAll(lane), lane.hasRoomForDue(ROOM)]).toEqual([[], false]);
    lane.backOff(queueRow(1, { due }), due + 5_000, true, clock.now());
    expect([lane.buffered, lane.hasRoomForDue(ROOM)]).toEqual([0, false]); // until they are written
    const rows = lane.deferred.take();
    expect(rows.map(({ row }) => row.seq)).toEqual([...rows.keys()].map((n) => (n === DUE_BUFFER - 1 ? 2_000 : n + 2)));
    expect(new Set(rows.map((one) => one.due))).toEqual(new Set([due + 5_000]));
    lane.deferred.written(rows);
    expect(lane.hasRoomForDue(ROOM)).toBe(true);
    // A later one that is read meanwhile goes there too, and fresh ones behind it.
    lane.add(queueRow(1_500, { due }), clock.now(), ROOM);
    lane.add(queueRow(2_001), clock.now(), ROOM);
    expect(takeAll(lane)).toEqual([]);
    const more = lane.deferred.take().map(({ row, due: at }) => [row.seq, at - due]);
    expect(more.toSorted()).toEqual([
      [1_500, 5_000],
      [2_001, 5_101],
    ]);
  });

  it("grows with success and halves on trouble", () => {
    const lane = openLane({ ordered: false, concurrency: { start: 8, most: 10 } });
    for (let seq = 1; seq <= 100; seq++) lane.add(queueRow(seq), clock.now(), ROOM);
    expect(takeAll(lane)).toHaveLength(8);
    for (let n = 0; n < 5; n++) lane.places.landed(true);
    expect(takeAll(lane)).toHaveLength(2);
    lane.places.landed(false);
    lane.finish(queueRow(1), clock.now());
    expect(takeAll(lane)).toEqual([]);
  });

  it("does not grow where it has places that it did not need", () => {
    const lane = openLane({ ordered: false, concurrency: { start: 8, most: 10 } });
    for (let seq = 1; seq <= 7; seq++) lane.add(queueRow(seq), clock.now(), ROOM);
    expect(takeAll(lane)).toHaveLength(7);
    for (let n = 0; n < 5; n++) lane.places.landed(true);
    for (let seq = 11; seq <= 30; seq++) lane.add(queueRow(seq), clock.now(), ROOM);
    expect(takeAll(lane)).toHaveLength(1);
  });

  it("lets go of its rows when it closes, and is read again from the first when it opens", () => {
    const lane = openLane();
    for (const seq of [1, 2, 3]) lane.add(queueRow(seq), clock.now(), ROOM);
    lane.add(queueRow(4, { key: "b", state: STARTED, startedAt: 0 }), clock.now(), ROOM);
    expect(takeAll(lane)).toEqual([1]);
    const closed = laneSettings({ closed: true });
    expect(lane.configure(closed).map((row) => row.seq)).toEqual([2, 3]);
    expect(lane.buffered).toBe(0);
    expect([...lane.orphans.keys()]).toEqual([4]);
    expect(lane.add(queueRow(5), clock.now(), ROOM)).toBe("passed");
    expect(lane.beginRefill(ROOM)).toBeNull();
    expect(lane.configure(closed)).toEqual([]);
    lane.finish(queueRow(1), clock.now());
    lane.configure(laneSettings());
    expect(lane.beginRefill(ROOM)).toMatchObject({ lo: -1 });
    for (const seq of [2, 3]) lane.add(queueRow(seq), clock.now(), ROOM, true);
    expect(takeAll(lane)).toEqual([2]);
  });

  it("is idle only when no row of it is here and no read or write under way", () => {
    const lane = openLane({ ordered: false });
    expect(lane.idle).toBe(true);
    lane.pin();
    expect(lane.idle).toBe(false);
    lane.unpin();
    lane.add(queueRow(2), clock.now(), ROOM);
    expect(takeAll(lane)).toEqual([2]);
    expect(lane.idle).toBe(false);
    lane.finish(queueRow(2), clock.now());
    expect(lane.idle).toBe(true);
  });
});
