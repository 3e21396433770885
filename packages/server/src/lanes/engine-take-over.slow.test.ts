import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newUuid } from "../lib/ids.ts";
import { alteredDatabase } from "../testing/altered-database.ts";
import { withClient } from "../testing/client.ts";
import { waitForLocks } from "../testing/patience.ts";
import { beginRows, endRows, probeQueue } from "./testing/probe.sql.ts";
import { many, type Probe, seqsOf, startProbe, WORKSPACE } from "./testing/probe.ts";
import { latch, SOON } from "./testing/waiting.ts";

let probe: Probe;
beforeEach(async () => {
  probe = await startProbe();
});
afterEach(() => probe.stop());

describe("attempts of former owners", () => {
  /** Sixty attempts of other recipients, and one of "999" that ends with a retry once the gate is open; their owner has left. */
  async function leaveAttempts(gate: { passed: Promise<void> }, due?: number): Promise<number> {
    const first = await probe.engine({
      settings: () => ({ concurrency: { start: 1_000, most: 1_000 } }),
      answer: (row) => (row.key === "999" ? { retryMs: 2_000 } : "never"),
      beforeOutcome: () => gate.passed,
    });
    const times = due === undefined ? {} : { due };
    const seqs = await probe.add(many(61, (n) => ({ lane: 1, recipient: n < 60 ? n : 999, ...times })));
    first.notifier.hint("dispatch", [1]);
    await expect.poll(() => probe.sent.length, SOON).toBe(61);
    await first.lanes.stop();
    probe.sent.length = 0;
    return seqs[60] as number;
  }

  it("keep their recipient also when they lie behind the first page of a lane and are moved before that is read", async () => {
    const [gate, stored] = [latch(), latch()];
    const retried = await leaveAttempts(gate);
    const [next] = await probe.add([{ lane: 1, recipient: 999 }]);
    let holdsRead = false;
    await probe.engine({
      database: (db) =>
        alteredDatabase(db, {
          async call(fn, rows, now) {
            // The rows behind the first page.
            if (fn.name === "dispatch_fresh" && (rows[0] as { lo: number }).lo >= 0) await stored.passed;
            const answers = await db.call(fn, rows, now);
            if (fn.name !== "dispatch_held" || holdsRead || !(rows as readonly { slot: number }[]).some(ofLane1))
              return answers;
            holdsRead = true;
            gate.open();
            await vi.waitUntil(async () => (await probe.table()).some(({ due }) => due > 0), { timeout: 30_000 });
            stored.open();
            return answers;
          },
        }),
    });
    await expect.poll(() => probe.sent.length, SOON).toBe(2);
    expect(seqsOf(probe.sent)).toEqual([retried, next]);
    await expect.poll(probe.held, SOON).toEqual([]);
  });

  it("keep their recipient also when they lie behind the first page of a lane's due rows", async () => {
    const gate = latch();
    const retried = await leaveAttempts(gate, Date.now() - 60_000);
    const [next, other] = await probe.add([
      { lane: 1, recipient: 999 },
      { lane: 1, recipient: 1_000 },
    ]);
    await probe.engine();
    await expect.poll(() => seqsOf(probe.sent).includes(other as number), SOON).toBe(true);
    gate.open();
    await expect.poll(() => probe.sent.length, SOON).toBe(3);
    expect(seqsOf(probe.sent)).toEqual([other, retried, next]);
  });

  it("keep their recipient when a retry is stored in the moment in which they are settled", async () => {
    const gate = latch();
    const first = await probe.engine({ answer: () => ({ retryMs: 2_000 }), beforeOutcome: () => gate.passed });
    const [retried, next] = await probe.add([{ lane: 1 }, { lane: 1 }]);
    first.notifier.hint("dispatch", [1]);
    await expect.poll(() => probe.sent.length, SOON).toBe(1);
    await first.lanes.stop();
    probe.sent.length = 0;
    let settles = false;
    await probe.engine({
      settleAfterMs: 100,
      database: (db) =>
        alteredDatabase(db, {
          async callTexts(fn, rows, now) {
            if (fn.name === "probe_end" && !settles) {
              settles = true;
              gate.open();
              await vi.waitUntil(async () => (await probe.table())[0]?.state === 0, { timeout: 30_000 });
            }
            return await db.callTexts(fn, rows, now);
          },
        }),
    });
    await expect.poll(probe.table, SOON).toEqual([]);
    expect(seqsOf(probe.sent)).toEqual([retried, next]);
  });

  it("are not begun any more once the next owner has read their rows", async () => {
    const asks = latch();
    const first = await probe.engine({
      database: (db) =>
        alteredDatabase(db, {
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
      database: (db) =>
        alteredDatabase(db, {
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

const ofLane1 = ({ slot }: { slot: number }): boolean => slot === 1;

/** Calls that wait until they may change rows of the queue. */
async function waitingForQueue(): Promise<number> {
  const [row] = await probe.db.sql.query<{ n: number }>(
    "select count(*)::int as n from pg_locks where relation = 'dispatch'::regclass and not granted",
  );
  return row?.n ?? 0;
}
