import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { manualClock } from "../../testing/clock.ts";
import { Lane } from "../lane/lane.ts";
import { DueSchedule, NOTHING_READ } from "./due-schedule.ts";

function setup() {
  const clock = manualClock();
  const dues = new DueSchedule(clock);
  const rung: number[][] = [];
  const listen = async (): Promise<void> => {
    for (;;) rung.push((await dues.next()).map(({ number }) => number));
  };
  void listen();
  const lane = (number: number): Lane => new Lane({ number, slot: number, clock, defers: true });
  return { clock, dues, rung, lane, start: clock.now() };
}

describe("when due rows are read", () => {
  it("is at the soonest due of each lane, once for lanes that fall due together", async () => {
    const { clock, dues, rung, lane, start } = setup();
    const [one, two, three] = [lane(1), lane(2), lane(3)];
    dues.expect(one, start + 500);
    dues.expect(two, start + 100);
    dues.expect(one, start + 100);
    dues.expect(three, start + 900);
    dues.expect(two, start + 300);
    await clock.pass(99);
    expect(rung).toEqual([]);
    await clock.pass(1);
    expect(rung.map((lanes) => lanes.toSorted())).toEqual([[1, 2]]);
    expect(dues.expects(three)).toBe(true);
    dues.beginRead(three, start + 100);
    expect(dues.expects(three)).toBe(false);
  });

  it("goes back before the cursor for a row that is due earlier than what was read", () => {
    const { dues, lane } = setup();
    const one = lane(1);
    expect(dues.cursorOf(one)).toEqual(NOTHING_READ);
    dues.advance(one, dues.beginRead(one, 6_000), { due: 5_000, seq: 77 });
    dues.expect(one, 9_000);
    expect(dues.cursorOf(one)).toEqual({ due: 5_000, seq: 77 });
    dues.expect(one, 4_000);
    expect(dues.cursorOf(one).due).toBeLessThan(4_000);
  });

  it("stays at the cursor for another look at a page that was cut short", () => {
    const { dues, lane } = setup();
    const one = lane(1);
    dues.advance(one, dues.beginRead(one, 6_000), { due: 5_000, seq: 77 });
    dues.lookAt(one, 5_000);
    expect(dues.cursorOf(one)).toEqual({ due: 5_000, seq: 77 });
  });

  it("has not got to a row that is expected, also when a read is under way that may have begun before it", () => {
    const { dues, lane } = setup();
    const one = lane(1);
    dues.endRead(one, dues.beginRead(one, 6_000), true);
    expect(dues.readTo(one)).toBe(6_000);
    const before = dues.beginRead(one, 7_000);
    dues.expect(one, 5_000);
    expect(dues.readTo(one)).toBeLessThan(5_000);
    const after = dues.beginRead(one, 8_000);
    dues.endRead(one, before, true);
    expect(dues.readTo(one)).toBeLessThan(5_000);
    dues.endRead(one, after, true);
    expect(dues.readTo(one)).toBe(8_000);
    // A row that lies ahead takes nothing back, and a read that was cut short adds nothing.
    dues.expect(one, 9_000);
    dues.endRead(one, dues.beginRead(one, 8_500), false);
    expect(dues.readTo(one)).toBe(8_000);
  });

  it("does not go past a row that is expected, when a read that began before comes to it", () => {
    const { dues, lane } = setup();
    const one = lane(1);
    const read = dues.beginRead(one, 6_000);
    // The row was written back while it was in flight here: the read found it in the table, and left it out.
    dues.expect(one, 5_000);
    dues.advance(one, read, { due: 4_000, seq: 70 });
    dues.advance(one, read, { due: 5_000, seq: 77 });
    expect(dues.cursorOf(one)).toEqual({ due: 4_000, seq: 70 });
    dues.advance(one, dues.beginRead(one, 6_000), { due: 5_000, seq: 77 });
    expect(dues.cursorOf(one)).toEqual({ due: 5_000, seq: 77 });
  });

  it("starts again for a lane that was emptied", () => {
    const { dues, lane, start } = setup();
    const one = lane(1);
    dues.advance(one, dues.beginRead(one, 6_000), { due: 5_000, seq: 77 });
    dues.endRead(one, dues.beginRead(one, 6_000), true);
    const underWay = dues.beginRead(one, start);
    dues.expect(one, start + 1_000);
    dues.forget(one);
    dues.advance(one, underWay, { due: 5_500, seq: 78 });
    dues.endRead(one, underWay, true); // its rows were not kept
    expect(dues.cursorOf(one)).toEqual(NOTHING_READ);
    expect(dues.readTo(one)).toBe(Number.NEGATIVE_INFINITY);
    expect(dues.expects(one)).toBe(false);
  });

  it("does not change when the heap is rebuilt without its outdated entries", async () => {
    const { clock, dues, rung, lane, start } = setup();
    const [one, two] = [lane(1), lane(2)];
    for (let ms = 3_000; ms > 1_000; ms--) dues.expect(one, start + ms);
    dues.expect(two, start + 2_000);
    dues.tidy(
      new Map([
        [1, one],
        [2, two],
      ]),
    );
    await clock.pass(1_001);
    expect(rung).toEqual([[1]]);
    await clock.pass(1_000);
    await turn();
    expect(rung).toEqual([[1], [2]]);
  });
});
