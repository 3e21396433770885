import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HotFunction } from "../db/hot-function.ts";
import { withClient } from "../testing/client.ts";
import { NOTHING_READ } from "./reading/due-schedule.ts";
import { bloatRows, probeQueue } from "./testing/probe.sql.ts";
import { type Probe, startProbe } from "./testing/probe.ts";

let probe: Probe;
beforeAll(async () => {
  probe = await startProbe();
});
afterAll(async () => {
  await probe.stop();
});

const DEAD = 200_000;
const LANES = [1, 2, 65];

describe("the cost of a read", () => {
  // Buffers, not time: what a read touches is the same on any machine. The dead rows alone lie on more than 2,000 pages.
  it("depends on new rows, not on dead ones that an old snapshot keeps from being removed", async () => {
    await withClient(probe.database.url, async (pin) => {
      await pin.query("begin isolation level repeatable read");
      await pin.query("select count(*) from worker");
      const emptyTail = await buffers(probeQueue.tail, allSlots(0));
      for (const lane of LANES)
        await probe.db.call(bloatRows, [{ lane, count: Math.ceil(DEAD / LANES.length) }], Date.now());
      const [{ last } = { last: 0 }] = await probe.db.sql.query<{ last: number }>(
        "select pg_sequence_last_value(pg_get_serial_sequence('dispatch', 'seq')::regclass) as last",
      );
      expect(last).toBeGreaterThanOrEqual(DEAD);
      const size = await probe.db.sql.query<{ pages: number }>(
        "select (pg_relation_size('dispatch') / 8192)::int as pages",
      );
      expect(size[0]?.pages).toBeGreaterThan(2_000);
      const due = Date.now() + 60_000;
      await probe.add(Array.from({ length: 10 }, (_, n) => ({ lane: 1, recipient: n })));
      await probe.add(Array.from({ length: 10 }, (_, n) => ({ lane: 1, recipient: n, due })));

      expect((await buffers(probeQueue.tail, allSlots(last))).rows).toBe(20);
      const tail = await buffers(probeQueue.tail, allSlots(last));
      // Four pages down the index for each slot, and the rows.
      expect(tail.pages).toBeLessThan(emptyTail.pages + 64 * 4 + 60);
      const fresh = await buffers(probeQueue.fresh, [{ slot: 1, lane: 1, lo: last, most: 200 }]);
      expect(fresh).toMatchObject({ rows: 10 });
      expect(fresh.pages).toBeLessThan(60);
      const dueRows = await buffers(probeQueue.due, [{ slot: 1, lane: 1, due: "-infinity", seq: NOTHING_READ.seq }]);
      expect(dueRows).toMatchObject({ rows: 10 });
      expect(dueRows.pages).toBeLessThan(60);
    });
  });

  it("takes a page at a time of a lane's backlog, whatever its length", async () => {
    for (let n = 0; n < 5; n++)
      await probe.add(Array.from({ length: 1_000 }, (_, one) => ({ lane: 5, recipient: one })));
    const { rows, pages } = await buffers(probeQueue.fresh, [{ slot: 5, lane: 5, lo: -1, most: 200 }]);
    expect(rows).toBe(200);
    expect(pages).toBeLessThan(300);
  });
});

const allSlots = (lo: number): object[] => Array.from({ length: 64 }, (_, slot) => ({ slot, lo, most: 1_000 }));

/** Rows and pages of one read, called as the engine does; the second call, so that the plan is there. */
async function buffers(fn: HotFunction, asks: readonly object[]): Promise<{ rows: number; pages: number }> {
  return await withClient(probe.database.url, async (client) => {
    const text = `explain (analyze, buffers, format json) select * from ${fn.installed}($1, now(), null, false)`;
    const values = [JSON.stringify(asks)];
    await client.query(text, values);
    const answer = await client.query<{ "QUERY PLAN": { Plan: Record<string, number> }[] }>(text, values);
    const plan = answer.rows[0]?.["QUERY PLAN"][0]?.Plan ?? {};
    return {
      rows: plan["Actual Rows"] ?? 0,
      pages: (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0),
    };
  });
}
