import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DatabaseUnavailable } from "../db/database.ts";
import { alteredDatabase } from "../testing/altered-database.ts";
import { LANE_BUFFER } from "./queue.ts";
import { many, type Probe, seqsOf, startProbe } from "./testing/probe.ts";
import { latch, SOON, within } from "./testing/waiting.ts";

let probe: Probe;
beforeEach(async () => {
  probe = await startProbe();
});
afterEach(() => probe.stop());

const slotOwners = () => probe.db.sql.query("select distinct owner from slot where kind = 1 and owner is not null");

describe("giving slots back", () => {
  it("happens although rows there wait to be tried again", async () => {
    let away = true;
    const first = await probe.engine({
      leaseMs: 3_000,
      database: (db) =>
        alteredDatabase(db, {
          callTexts: (fn, rows, now) =>
            fn.name === "probe_begin" && away
              ? Promise.reject(new DatabaseUnavailable("away"))
              : db.callTexts(fn, rows, now),
        }),
    });
    await probe.add(many(64, (lane) => ({ lane })));
    first.notifier.hint(
      "dispatch",
      many(64, (lane) => ({ lane })).map(({ lane }) => lane),
    );
    await expect.poll(() => first.lanes.rows, SOON).toBe(64);
    const second = await probe.engine({ leaseMs: 3_000 });
    await expect.poll(() => new Set(probe.sent.map(({ engine }) => engine)).size, SOON).toBe(1);
    await expect.poll(() => probe.sent.length, SOON).toBe(32);
    away = false;
    await expect.poll(() => probe.sent.length, SOON).toBe(64);
    expect(probe.sent.filter(({ engine }) => engine === 1)).toHaveLength(32);
    expect(second.lanes.membership.live("dispatch")).toBe(2);
  });

  it("does not stop the neighbours of a row that hangs there", async () => {
    const first = await probe.engine({ leaseMs: 3_000, answer: (row) => (row.lane < 64 ? "never" : "done") });
    await probe.add(many(64, (lane) => ({ lane })));
    await expect.poll(() => probe.sent.length, SOON).toBe(64); // one hangs in each slot
    await probe.engine({ leaseMs: 3_000 });
    await expect.poll(async () => (await slotOwners()).length, SOON).toBe(2);
    probe.sent.length = 0;
    await probe.add(many(64, (n) => ({ lane: 64 + n, recipient: 2 })));
    await expect.poll(() => probe.sent.length, SOON).toBe(64);
    expect(new Set(probe.sent.map(({ engine }) => engine)).size).toBe(2);
    expect(first.lanes.unworked).toBe(0);
  });

  it("passes a lane on at once when its owner stops, and rows in flight end as evidence", async () => {
    const gate = latch();
    const first = await probe.engine({ beforeOutcome: () => gate.passed });
    await probe.add(many(10, (n) => ({ lane: 1, recipient: n })));
    first.notifier.hint("dispatch", [1]);
    await expect.poll(() => probe.sent.length, SOON).toBe(10);
    const second = await probe.engine();
    const stopping = first.lanes.stop();
    // The first engine begins nothing from here on: these rows are for its successor.
    await probe.add(many(5, (n) => ({ lane: 1, recipient: 100 + n })));
    await stopping;
    const owners = await probe.db.sql.query("select distinct owner from slot where kind = 1 and owner = $1", [
      first.lanes.membership.worker,
    ]);
    expect(owners).toEqual([]);
    // It has waited neither for its rows in flight nor for its lease to lapse.
    expect((await probe.table()).filter(({ state }) => state === 1)).toHaveLength(10);
    await expect.poll(() => probe.sent.filter(({ engine }) => engine === 1).length, within(4_500)).toBe(5);
    gate.open();
    await expect.poll(probe.table, SOON).toEqual([]);
    expect((await probe.intents()).every(({ n }) => n === 1)).toBe(true);
    expect(second.lanes.membership.valid()).toBe(true);
  });
});

describe("attempts of former owners", () => {
  it("are left alone until their deadline and then settled, while other rows go on", async () => {
    // After the intent, before the write: the first owner hangs there for ever.
    const first = await probe.engine({ beforeWrite: (row) => (row.key === "1" ? new Promise(() => {}) : undefined) });
    await probe.add([{ lane: 1, recipient: 1 }]);
    first.notifier.hint("dispatch", [1]);
    await expect.poll(async () => (await probe.table())[0]?.state, SOON).toBe(1);
    await first.stop();
    await probe.add([
      { lane: 1, recipient: 1 },
      { lane: 1, recipient: 2 },
    ]);
    await probe.engine({ settleAfterMs: 3_000 });
    await expect.poll(() => probe.sent.map(({ key }) => key), SOON).toEqual(["2"]);
    // Its recipient waits until it is settled; a row that is unknown blocks no other.
    await expect.poll(() => probe.sent.map(({ key }) => key), SOON).toEqual(["2", "1"]);
    await expect.poll(async () => (await probe.table()).map(({ state }) => state), SOON).toEqual([2]);
    expect((await probe.intents()).every(({ n }) => n === 1)).toBe(true);
  });

  it.each([
    ["before it is settled", 60_000, 1],
    ["after it was settled as unknown", 100, 2],
  ])("may still be ended by the former owner, %s", async (_, settleAfterMs, state) => {
    const gate = latch();
    const first = await probe.engine({ beforeOutcome: () => gate.passed });
    await probe.add([{ lane: 1 }, { lane: 1 }]);
    first.notifier.hint("dispatch", [1]);
    await expect.poll(async () => (await probe.table())[0]?.state, SOON).toBe(1);
    await first.lanes.stop(); // its send is still in flight
    await probe.engine({ settleAfterMs });
    await expect.poll(async () => (await probe.table())[0]?.state, SOON).toBe(state);
    gate.open();
    await expect.poll(probe.table, SOON).toEqual([]);
    expect(seqsOf(probe.sent)).toEqual(seqsOf(probe.sent).toSorted((a, b) => a - b));
    expect(probe.sent).toHaveLength(2);
    expect((await probe.intents()).every(({ n }) => n === 1)).toBe(true);
  });

  it.each([
    ["before the rows are read", "dispatch_lanes", ""],
    ["after the rows were read", "dispatch_fresh", ""],
    ["while holds are read", "dispatch_held", ""],
    ["later, and its row is read slowly", "dispatch_started", "dispatch_due"],
  ])(
    "keep their recipient when they are to be tried again: stored %s",
    { timeout: 40_000 },
    async (_, during, slow) => {
      const gate = latch();
      // Due before the lane is taken over: an outcome may be offered for long until it is stored.
      const first = await probe.engine({ answer: () => ({ retryMs: -20_000 }), beforeOutcome: () => gate.passed });
      const [retried, next] = await probe.add([{ lane: 1 }, { lane: 1 }]);
      first.notifier.hint("dispatch", [1]);
      await expect.poll(async () => (await probe.table())[0]?.state, SOON).toBe(1);
      await first.lanes.stop(); // its send is still in flight
      probe.sent.length = 0;
      let stored = false;
      await probe.engine({
        database: (db) =>
          alteredDatabase(db, {
            async call(fn, rows, now) {
              const answers = await db.call(fn, rows, now);
              if (fn.name === slow && stored) await sleep(2_000); // longer than between two looks at the keys
              if (fn.name !== during || stored || (during === "dispatch_lanes" && answers.length === 0)) return answers;
              stored = true;
              gate.open();
              await vi.waitUntil(async () => (await probe.table())[0]?.state !== 1, { timeout: 30_000, interval: 5 });
              return during === "dispatch_started" ? await db.call(fn, rows, now) : answers;
            },
          }),
      });
      await expect.poll(probe.table, SOON).toEqual([]);
      expect(seqsOf(probe.sent)).toEqual([retried, next]);
      await expect.poll(probe.held, SOON).toEqual([]);
    },
  );

  it("do not stop a lane when there are more of them than a read returns", async () => {
    const first = await probe.engine({
      settings: () => ({ concurrency: { start: 1_000, most: 1_000 } }),
      answer: () => "never",
    });
    await probe.add(many(LANE_BUFFER, (n) => ({ lane: 1, recipient: n })));
    first.notifier.hint("dispatch", [1]);
    await expect.poll(() => probe.sent.length, SOON).toBe(LANE_BUFFER);
    await first.stop();
    await probe.add(many(10, (n) => ({ lane: 1, recipient: 1_000 + n })));
    await probe.engine();
    await expect.poll(() => probe.sent.length, within(4_500)).toBe(LANE_BUFFER + 10);
  });
});
