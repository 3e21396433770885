import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { manualClock } from "../../testing/clock.ts";
import { Yielding } from "./yielding.ts";

/** Starts every row that may start; the database's answer takes `answerMs`. */
function stage() {
  const clock = manualClock();
  const state = { answerMs: 1, others: 0, starts: 0, asked: 0, backlog: true, fails: false };
  const yielding = new Yielding({
    clock,
    ask: async () => {
      state.asked += 1;
      await new Promise<void>((resolve) => void clock.after(state.answerMs, resolve));
      if (state.fails) throw new Error("away");
    },
  });
  const others = {
    get starts() {
      return state.others;
    },
  };
  yielding.attach({ startMore: start }, [others]);
  function start(): void {
    if (!state.backlog) return;
    const rows = yielding.granted;
    state.starts += rows;
    yielding.started(rows, true);
  }
  return {
    state,
    yielding,
    start,
    /** Starts in so many milliseconds; `othersEach` rows of other work a millisecond. */
    async pass(ms: number, othersEach = 0): Promise<number> {
      const before = state.starts;
      for (let passed = 0; passed < ms; passed += 1) {
        state.others += othersEach;
        await clock.pass(1);
        await turn();
      }
      return state.starts - before;
    },
  };
}

/** As above, where the database was quick for a moment and is busy from now on. */
async function busyStage(answerMs: number) {
  const busy = stage();
  busy.start();
  await busy.pass(500);
  busy.state.answerMs = answerMs;
  return busy;
}

describe("work that yields", () => {
  it("starts ever more rows while the database answers at once", async () => {
    const { start, pass } = stage();
    start();
    const first = await pass(500);
    expect(first).toBeGreaterThan(500);
    expect(await pass(500)).toBeGreaterThan(first * 1.5);
  });

  it("asks the database nothing while few rows start, and again as soon as many do", async () => {
    const { pass, state, yielding } = stage();
    state.backlog = false;
    for (let n = 0; n < 50; n += 1) {
      yielding.started(4, false); // 200 a second
      await pass(20);
    }
    expect(state.asked).toBe(0);
    yielding.started(30, false);
    await pass(20);
    expect(state.asked).toBe(1);
  });

  it("slows down to a least rate while answers take long, and recovers soon after", async () => {
    const { start, pass, state } = stage();
    start();
    await pass(1_000);
    state.answerMs = 15;
    await pass(1_500);
    const least = await pass(1_000);
    expect(least).toBeGreaterThan(200);
    expect(least).toBeLessThan(300);
    state.answerMs = 1;
    await pass(1_000);
    expect(await pass(500)).toBeGreaterThan(500);
  });

  it("says that it holds a flood back, and for a moment after", async () => {
    const { start, pass, state, yielding } = stage();
    expect(yielding.holdsBack).toBe(false);
    start();
    await pass(200);
    expect(yielding.holdsBack).toBe(true);
    state.backlog = false;
    await pass(50);
    expect(yielding.holdsBack).toBe(true);
    await pass(100);
    expect(yielding.holdsBack).toBe(false);
  });

  it("does not say so of rows that the traffic of others brings, however many wait", async () => {
    const { pass, state, yielding } = await busyStage(15);
    await pass(2_000, 1);
    expect(yielding.granted).toBe(0);
    expect(yielding.holdsBack).toBe(false);
    state.answerMs = 1;
    await pass(2_000);
    expect(yielding.holdsBack).toBe(true);
  });

  it("lets a burst of the others go first, and starts three rows for each of theirs when it lasts", async () => {
    const { pass } = await busyStage(15);
    await pass(2_000, 2);
    const inBurst = await pass(1_000, 2);
    expect(inBurst).toBeGreaterThan(600);
    expect(inBurst).toBeLessThan(750);
    await pass(12_500, 2);
    const lasting = await pass(1_000, 2);
    expect(lasting).toBeGreaterThan(5_400);
    expect(lasting).toBeLessThan(6_600);
  });

  it("begins a new burst when nothing has waited meanwhile", async () => {
    const { start, pass, state } = await busyStage(15);
    await pass(18_000, 2);
    state.backlog = false;
    await pass(1_000);
    state.backlog = true;
    start();
    await pass(1_000, 2);
    const inBurst = await pass(1_000, 2);
    expect(inBurst).toBeLessThan(750);
  });

  it("speeds up after a burst for the rows that it has left behind, and not for a flood", async () => {
    const { pass } = await busyStage(5);
    await pass(4_000, 1);
    const beside = await pass(250, 1);
    expect(beside).toBeLessThan(120);
    const after = await pass(250);
    expect(after).toBeGreaterThan(4 * beside);
    await pass(10_000);
    expect(await pass(500)).toBeLessThan(200);
  });

  it("does not take a distant database for a busy one", async () => {
    const { start, pass, state } = stage();
    state.answerMs = 10;
    start();
    await pass(1_000);
    expect(await pass(500)).toBeGreaterThan(800);
  });

  it("keeps its rate without answers, and asks nothing without work", async () => {
    const { start, pass, state } = stage();
    start();
    await pass(100);
    state.fails = true;
    expect(await pass(500)).toBeGreaterThan(300);
    state.backlog = false;
    await pass(1_000);
    const { asked } = state;
    await pass(1_000);
    expect(state.asked).toBe(asked);
    state.backlog = true;
    start();
    expect(await pass(100)).toBeGreaterThan(50);
  });
});
