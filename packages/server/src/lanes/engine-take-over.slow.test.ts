import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { newUuid } from "../lib/ids.ts";
import { withClient } from "../testing/client.ts";
import { waitForLocks } from "../testing/patience.ts";
import { beginRows, endRows, probeQueue } from "./testing/probe.sql.ts";
import { type Probe, seqsOf, startProbe, WORKSPACE } from "./testing/probe.ts";
import { latch, SOON } from "./testing/waiting.ts";

let probe: Probe;
beforeEach(async () => {
  probe = await startProbe();
});
afterEach(() => probe.stop());

describe("attempts of former owners", () => {
  it("are not begun any more once the next owner has read their rows", async () => {
    const asks = latch();
    const first = await probe.engine({
      database: (db) => ({
        ...db,
        async callTexts(fn, rows, now) {
          if (fn.name === "probe_begin") await asks.passed;
          return await db.callTexts(fn, rows, now);
        },
      }),
    });
    const [one, next] = await probe.add([{ lane: 1 }, { lane: 1 }]);
    first.notifier.hint("dispatch", [1]);
    await expect.poll(() => first.lanes.inFlight, SOON).toBe(1);
    await waitForLocks(probe.database.url, beginRows.installed);
    await withClient(probe.database.url, async (client) => {
      // Nothing can be begun while this is held; everything can be read.
      await client.query("begin; lock table dispatch in share mode");
      asks.open();
      await expect.poll(waitingForQueue, SOON).toBe(1);
      await first.lanes.stop();
      await probe.engine();
      await expect.poll(waitingForQueue, SOON).toBe(2);
      await client.query("commit");
    });
    await expect.poll(probe.table, SOON).toEqual([]);
    expect(seqsOf(probe.sent)).toEqual([one, next]);
    expect(probe.sent.map(({ engine }) => engine)).toEqual([1, 1]);
  });
});

describe("a read that is under way while a slot belongs to another process", () => {
  it("brings no row back that was moved meanwhile", async () => {
    const [late, between] = [latch(), latch()];
    let armed = false;
    let stale = 0;
    const { lanes, notifier } = await probe.engine({
      leaseMs: 3_000,
      database: (db) => ({
        ...db,
        async call(fn, rows, now) {
          // A sweep would find what the reads that are held up do not bring.
          if (armed && fn.name === "dispatch_lanes") await between.passed;
          const answers = await db.call(fn, rows, now);
          if (armed && fn.name === "dispatch_tail" && answers.length > 0) {
            stale += 1;
            await late.passed;
          }
          return answers;
        },
      }),
    });
    await probe.warm();
    await expect.poll(() => lanes.rows, SOON).toBe(0);
    armed = true;
    const [moved] = await probe.add([{ lane: 1, recipient: 1 }]);
    notifier.hint("dispatch", [1]);
    await expect.poll(() => stale, SOON).toBeGreaterThan(0);
    await retryElsewhere(moved as number, Date.now() + 6_000);
    const [next] = await probe.add([{ lane: 1, recipient: 1 }]);
    const [slot] = await probe.db.sql.query<{ epoch: number }>(
      "update slot set owner = null, epoch = epoch + 1 where kind = 1 and slot = 1 returning epoch",
    );
    between.open();
    const takenAgain = () =>
      probe.db.sql.query("select from slot where kind = 1 and slot = 1 and epoch > $1", [slot?.epoch ?? 0]);
    await expect.poll(takenAgain, SOON).toHaveLength(1);
    await expect.poll(() => lanes.rows, SOON).toBe(1); // the next one waits
    late.open();
    await expect.poll(probe.table, SOON).toEqual([]);
    expect(seqsOf(probe.sent)).toEqual([moved, next]);
  });
});

/** Another process begins the row of lane 1, and its receiver wants it again at `due`. */
async function retryElsewhere(seq: number, due: number): Promise<void> {
  const [row] = await probe.db.call(probeQueue.tail, [{ slot: 1, lo: seq - 1, most: 1, seen: null }], Date.now());
  const place = { slot: 1, seq, workspace_id: WORKSPACE };
  const worker = newUuid(Date.now());
  const intent = { ...place, message_id: row?.item_id ?? "", attempt: 0, worker, epoch: 0, fenced: false };
  await probe.db.call(beginRows, [intent], Date.now());
  const retry = { ...place, lane: 1, recipient: 1, attempt: 1, outcome: "retry", due: new Date(due).toISOString() };
  await probe.db.call(endRows, [retry], Date.now());
}

/** Calls that wait until they may change rows of the queue. */
async function waitingForQueue(): Promise<number> {
  const [row] = await probe.db.sql.query<{ n: number }>(
    "select count(*)::int as n from pg_locks where relation = 'dispatch'::regclass and not granted",
  );
  return row?.n ?? 0;
}
