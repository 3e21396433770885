import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { manualBatcher, rows } from "../testing/manual-batcher.ts";

const CROWD = 8;

describe("a batcher that rests", () => {
  test("waits after a flush of a crowd as long as that took, and gathers what comes meanwhile", async () => {
    const { clock, flushes, submitAll } = await afterFlush(CROWD, 5);
    void submitAll(rows(2, "a"));
    await turn();
    clock.advance(4);
    void submitAll(rows(1, "b"));
    await turn();
    expect(flushes).toHaveLength(1);
    clock.advance(1);
    expect(flushes[1]?.rows).toEqual(["a0", "b0", "a1"]);
  });

  test("sends what comes later at once", async () => {
    const { clock, flushes, submitAll } = await afterFlush(CROWD, 5);
    clock.advance(5);
    void submitAll(rows(1));
    await turn();
    expect(flushes).toHaveLength(2);
  });

  test("waits no longer than 20 ms", async () => {
    const { clock, flushes, submitAll } = await afterFlush(CROWD, 3_000);
    void submitAll(rows(1));
    await turn();
    clock.advance(19);
    expect(flushes).toHaveLength(1);
    clock.advance(1);
    expect(flushes).toHaveLength(2);
  });

  test("does not wait once a hundred rows are there", async () => {
    const { flushes, submitAll } = await afterFlush(CROWD, 5);
    void submitAll(rows(99, "a"));
    await turn();
    expect(flushes).toHaveLength(1);
    void submitAll(rows(1, "b"));
    await turn();
    expect(flushes[1]?.rows).toHaveLength(100);
  });

  test.each([
    ["of rows", { rows: CROWD, inFlight: 1 }],
    ["of weight", { weight: CROWD, inFlight: 1 }],
  ])("does not wait after a batch that was full %s", async (_, limits) => {
    const { clock, flushes, submitAll } = manualBatcher(limits, { rests: true });
    void submitAll(rows(2 * CROWD + 1));
    await turn();
    clock.advance(5);
    await flushes[0]!.answer();
    expect(flushes.map((flush) => flush.rows.length)).toEqual([CROWD, CROWD]);
  });

  test("counts the rest from the last of two flushes", async () => {
    const { clock, flushes, submitAll } = manualBatcher({ minSecondBatch: CROWD }, { rests: true });
    void submitAll(rows(CROWD, "a"));
    await turn();
    void submitAll(rows(CROWD, "b"));
    await turn();
    clock.advance(10);
    await flushes[0]!.answer();
    clock.advance(5);
    await flushes[1]!.answer();
    void submitAll(rows(1, "c"));
    await turn();
    clock.advance(14);
    expect(flushes).toHaveLength(2);
    clock.advance(1);
    expect(flushes[2]?.rows).toEqual(["c0"]);
  });

  test.each([
    ["a few rows", CROWD - 1, true],
    ["rows of callers that wait in lockstep", CROWD, false],
  ])("does not wait after %s", async (_, many, rests) => {
    const { flushes, submitAll } = await afterFlush(many, 5, rests);
    void submitAll(rows(1));
    await turn();
    expect(flushes).toHaveLength(2);
  });
});

/** A batcher after a flush of so many rows that took `ms`. */
async function afterFlush(many: number, ms: number, rests = true) {
  const rig = manualBatcher({}, { rests });
  void rig.submitAll(rows(many, "first"));
  await turn();
  rig.clock.advance(ms);
  await rig.flushes[0]!.answer();
  return rig;
}
