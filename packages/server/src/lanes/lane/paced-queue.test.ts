import { setImmediate as turn } from "node:timers/promises";
import { expect, it } from "vitest";
import { manualClock } from "../../testing/clock.ts";
import { PacedQueue } from "./paced-queue.ts";

const STARVED_MS = 5_000;

it("keeps the rate after the process was starved, and the order", async () => {
  const clock = manualClock();
  const queue = new PacedQueue(clock);
  queue.setRate(80);
  const left: { n: number; at: number }[] = [];
  for (let n = 0; n < 200; n++) void queue.pass().then(() => left.push({ n, at: clock.monotonic() }));
  await clock.pass(100);
  clock.stall(STARVED_MS);
  await clock.pass(3_000);
  expect(left.map(({ n }) => n)).toEqual(left.map((_, index) => index));
  expect(left).toHaveLength(200);
  for (const first of left) {
    const within = left.filter(({ at }) => at >= first.at && at < first.at + 1_000);
    expect(within.length).toBeLessThanOrEqual(84);
  }
});

it("lets every caller through at once when there is no rate", async () => {
  const queue = new PacedQueue(manualClock());
  let through = 0;
  for (let n = 0; n < 10; n++) void queue.pass().then(() => (through += 1));
  await turn();
  expect(through).toBe(10);
});
