import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { alteredDatabase } from "../testing/altered-database.ts";
import { withClient } from "../testing/client.ts";
import { LANE_BUFFER } from "./queue.ts";
import { addRows } from "./testing/probe.sql.ts";
import { type Engine, many, type NewRow, type Probe, type ProbeOptions, seqsOf, startProbe } from "./testing/probe.ts";
import { SOON } from "./testing/waiting.ts";

let probe: Probe;
let reads: { isBlind: boolean };
beforeEach(async () => {
  probe = await startProbe();
  reads = { isBlind: false };
});
afterEach(() => probe.stop());

/** An engine whose reads of the tail find nothing while they are blind. */
async function engine(options: ProbeOptions = {}): Promise<Engine> {
  const started = await probe.engine({
    ...options,
    database: (db) =>
      alteredDatabase(db, {
        call: (fn, rows, now) =>
          fn.name === "dispatch_tail" && reads.isBlind ? Promise.resolve([]) : db.call(fn, rows, now),
      }),
  });
  await probe.warm();
  return started;
}

/** Adds rows in one call, which hands over what it has committed. */
async function addAndGive({ notifier }: Engine, rows: readonly NewRow[]): Promise<number[]> {
  const handOver = notifier.handOver("dispatch");
  try {
    const added = await probe.addToHand(rows);
    handOver.give("dispatch", added);
    return added.map(({ seq }) => seq);
  } finally {
    handOver.end();
  }
}

/** Waits until two processes have slots, and work them. */
async function bothOwn(): Promise<void> {
  const owners = () => probe.db.sql.query("select distinct owner from slot where kind = 1 and owner is not null");
  await expect.poll(async () => (await owners()).length, SOON).toBe(2);
  await probe.warm();
}

/** Draws numbers, or adds rows, in a transaction that ends later. */
async function open(statement: (client: Parameters<Parameters<typeof withClient>[1]>[0]) => Promise<void>) {
  let end = (_how: "commit" | "rollback"): void => {};
  const how = new Promise<"commit" | "rollback">((resolve) => (end = resolve));
  let begun = (): void => {};
  const isOpen = new Promise<void>((resolve) => (begun = resolve));
  const done = withClient(probe.database.url, async (client) => {
    await client.query("begin");
    await statement(client);
    begun();
    await client.query(await how);
  });
  await isOpen;
  return async (which: "commit" | "rollback") => {
    end(which);
    await done;
  };
}

describe("a row that is handed over", () => {
  it("starts without a read", async () => {
    const one = await engine();
    reads.isBlind = true;
    for (const n of [1, 2, 3])
      await addAndGive(one, [
        { lane: 5, recipient: n },
        { lane: 6, recipient: n },
      ]);
    await expect.poll(() => probe.sent.length, SOON).toBe(6);
    await expect.poll(probe.table, SOON).toEqual([]);
  });

  it("keeps the order of its key behind rows that were handed over before", async () => {
    const one = await engine({ answer: () => new Promise((resolve) => setTimeout(resolve, 5, "done")) });
    reads.isBlind = true;
    const seqs: number[] = [];
    for (let n = 0; n < 20; n++) seqs.push(...(await addAndGive(one, [{ lane: 5, recipient: 1 }])));
    await expect.poll(() => seqsOf(probe.sent), SOON).toEqual(seqs);
  });

  it("waits for a read while a number before it may be an unread row of its key", async () => {
    const one = await engine();
    reads.isBlind = true;
    // Another process has committed, and its hint is on the way.
    const before = await probe.add([{ lane: 5, recipient: 1 }]);
    const after = await addAndGive(one, [{ lane: 5, recipient: 1 }]);
    const others = await addAndGive(one, [{ lane: 6, recipient: 9 }]);
    reads.isBlind = false;
    one.notifier.hint("dispatch", [5, 6]);
    await expect.poll(() => probe.sent.length, SOON).toBe(3);
    const sent = seqsOf(probe.sent);
    expect(sent.indexOf(before[0] as number)).toBeLessThan(sent.indexOf(after[0] as number));
    expect(sent).toEqual(expect.arrayContaining(others));
    await expect.poll(probe.table, SOON).toEqual([]);
  });

  it("is taken again without a read once a number before it is too old to matter, whose transaction was rolled back", async () => {
    const one = await engine();
    const end = await open(async (client) => void (await client.query("select nextval('dispatch_seq_seq')")));
    await end("rollback");
    // Each of these is read, until the reads go back to a moment after the lost number was drawn.
    await expect
      .poll(async () => {
        reads.isBlind = false;
        await addAndGive(one, [{ lane: 5, recipient: 1 }]);
        await expect.poll(probe.table, SOON).toEqual([]);
        reads.isBlind = true;
        await addAndGive(one, [{ lane: 5, recipient: 1 }]);
        return one.lanes.rows > 0;
      }, SOON)
      .toBe(true);
  });

  it("is not held back by a lower number whose row is committed later, and that row is found", async () => {
    const one = await engine();
    const text = JSON.stringify([
      {
        lane: 5,
        due: null,
        workspace_id: "00000000-0000-4000-8000-000000000001",
        message_id: crypto.randomUUID(),
        recipient: 1,
      },
    ]);
    const end = await open(
      async (client) =>
        void (await client.query(`select * from ${addRows.installed}($1, now(), gen_random_uuid(), false)`, [text])),
    );
    const after = await addAndGive(one, [{ lane: 5, recipient: 1 }]);
    await end("commit");
    await expect.poll(() => probe.sent.length, SOON).toBe(2);
    expect(seqsOf(probe.sent)).toContain(after[0]);
    await expect.poll(probe.table, SOON).toEqual([]);
  });

  it("is not worked again when it was read and finished before the answer of its call was here", async () => {
    const one = await engine();
    const handOver = one.notifier.handOver("dispatch");
    const rows = await probe.addToHand([{ lane: 5, recipient: 1 }]);
    one.notifier.hint("dispatch", [5]);
    await expect.poll(probe.table, SOON).toEqual([]);
    handOver.give("dispatch", rows);
    handOver.end();
    await addAndGive(one, [{ lane: 5, recipient: 1 }]);
    await expect.poll(() => probe.sent.length, SOON).toBe(2);
    expect((await probe.intents()).every(({ n }) => n === 1)).toBe(true);
    expect(await probe.intents()).toHaveLength(64 + 2);
  });

  it("is left to the table where its lane has no room, and is read in its turn", async () => {
    const one = await engine();
    const count = LANE_BUFFER * 4;
    const seqs = await addAndGive(
      one,
      many(count, (n) => ({ lane: 5, recipient: n })),
    );
    await expect.poll(() => probe.sent.length, SOON).toBe(count);
    expect(new Set(seqsOf(probe.sent))).toEqual(new Set(seqs));
    await expect.poll(probe.table, SOON).toEqual([]);
  });

  it("is for its owner where that is another process, or where its slot was taken since the call began", async () => {
    const one = await engine({ leaseMs: 3_000 });
    const early = one.notifier.handOver("dispatch");
    const two = await probe.engine({ leaseMs: 3_000 });
    await bothOwn();
    const seqs = await addAndGive(
      one,
      many(64, (lane) => ({ lane, recipient: lane })),
    );
    await expect.poll(() => probe.sent.length, SOON).toBe(64);
    expect(new Set(seqsOf(probe.sent))).toEqual(new Set(seqs));
    expect(new Set(probe.sent.map(({ engine: which }) => which))).toEqual(new Set([0, 1]));
    await two.stop();
    await probe.warm();
    const late = await probe.addToHand([
      { lane: 5, recipient: 1 },
      { lane: 6, recipient: 1 },
    ]);
    early.give("dispatch", late);
    early.end();
    await expect.poll(() => probe.sent.length, SOON).toBe(2);
    await expect.poll(probe.table, SOON).toEqual([]);
    expect((await probe.intents()).every(({ n }) => n === 1)).toBe(true);
  });
});

describe("two processes that accept for the same lanes", () => {
  it("send each recipient's messages in the order in which they were accepted, each once, though one is gone in the midst", async () => {
    const engines = [await engine({ leaseMs: 3_000 }), await probe.engine({ leaseMs: 3_000 })];
    await bothOwn();
    const accepted = new Map<number, number[]>();
    /** One after the other, as a client sends to a person: the next one when the answer is here. */
    const client = async (recipient: number): Promise<void> => {
      const seqs: number[] = [];
      accepted.set(recipient, seqs);
      for (let n = 0; n < 15; n++) {
        const by = engines[(n + recipient) % engines.length] as Engine;
        seqs.push(...(await addAndGive(by, [{ lane: recipient % 3, recipient }])));
        if (recipient === 4 && n === 7) await engines[1]?.stop();
      }
    };
    await Promise.all([1, 2, 3, 4, 5, 6].map(client));
    await expect.poll(probe.table, SOON).toEqual([]);
    for (const [recipient, seqs] of accepted)
      expect(seqsOf(probe.sent.filter(({ key }) => key === String(recipient)))).toEqual(seqs);
    expect((await probe.intents()).every(({ n }) => n === 1)).toBe(true);
  });
});
