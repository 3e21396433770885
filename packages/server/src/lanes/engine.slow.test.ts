import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DatabaseUnavailable } from "../db/database.ts";
import { alteredDatabase } from "../testing/altered-database.ts";
import { withClient } from "../testing/client.ts";
import { beginRows, probeQueue } from "./testing/probe.sql.ts";
import { many, type Probe, type Sent, seqsOf, startProbe } from "./testing/probe.ts";
import { latch, SOON, within } from "./testing/waiting.ts";

let probe: Probe;
beforeEach(async () => {
  probe = await startProbe();
});
afterEach(() => probe.stop());

describe("starting work", () => {
  it("makes exactly one intent for each (message, attempt) when three owners fight over the same rows", async () => {
    await probe.add(many(600, (n) => ({ lane: n % 7, recipient: n })));
    const rows = await probe.db.call(
      probeQueue.tail,
      many(7, (lane) => ({ lane })).map(({ lane }) => ({ slot: lane, lo: 0, most: 1_000, seen: null })),
      Date.now(),
    );
    expect(rows).toHaveLength(600);
    // Each takes the slots for its own: neither lease nor epoch is checked.
    const owners = ["a", "b", "c"].map((name) => `00000000-0000-7000-8000-00000000000${name}`);
    const won = await Promise.all(
      owners.flatMap((worker, order) =>
        [0, 1, 2].map(async (third) => {
          const part = rows.filter((_, n) => (n + order) % 3 === third);
          const intents = part.map((row) => ({
            slot: row.slot,
            seq: row.seq,
            workspace_id: row.workspace_id ?? "",
            message_id: row.item_id,
            attempt: 0,
            worker,
            epoch: 0,
            fenced: false,
          }));
          for (;;) {
            const answers = await probe.db.call(beginRows, intents, Date.now()).catch((error: unknown) => {
              if ((error as { code?: string }).code === "55P03" || (error as { code?: string }).code === "40P01")
                return null;
              throw error;
            });
            if (answers) return answers.filter(({ verdict }) => verdict).length;
          }
        }),
      ),
    );
    expect(won.reduce((sum, n) => sum + n, 0)).toBe(600);
    const intents = await probe.intents();
    expect(intents).toHaveLength(600);
    expect(intents.every(({ n }) => n === 1)).toBe(true);
  });

  it("reads back an intent whose answer was lost, and sends it once", async () => {
    let lose = 1;
    const engine = await probe.engine({
      database: (db) =>
        alteredDatabase(db, {
          callTexts: async (fn, rows, now) => {
            if (fn.name === "probe_begin" && lose-- > 0) {
              // Committed; its connection broke before the answer came, and the fence says so.
              await db.callTexts(fn, rows, now);
              const answers = await withClient(probe.database.url, (client) =>
                client.query(`select * from ${fn.installed}($1, now(), gen_random_uuid(), true)`, [
                  `[${rows.join(",")}]`,
                ]),
              );
              return answers.rows as never;
            }
            return await db.callTexts(fn, rows, now);
          },
        }),
    });
    await probe.add([{ lane: 1 }]);
    engine.notifier.hint("dispatch", [1]);
    await expect.poll(probe.table, SOON).toEqual([]);
    expect(probe.sent).toHaveLength(1);
    expect(await probe.intents()).toMatchObject([{ attempt: 1, n: 1 }]);
  });

  it("begins nothing behind rows that wait for their departure: in a kill they would end as unknown", async () => {
    const bunch = 10;
    const bunched = latch();
    let begun = 0;
    await probe.add(many(3 * bunch, (n) => ({ lane: 1, recipient: n })));
    const begunAtWrite: number[] = [];
    const { stop } = await probe.engine({
      settings: () => ({ ratePerSecond: 40 }),
      // One slow commit, and they all come to the socket at once.
      beforeWrite: () => {
        begun += 1;
        if (begun === bunch) bunched.open();
        return bunched.passed;
      },
      answer: () => {
        begunAtWrite.push(begun);
        return "done";
      },
    });
    await expect.poll(() => probe.sent.length, SOON).toBe(3 * bunch);
    await stop();
    expect(begunAtWrite[bunch - 1]).toBeLessThanOrEqual(bunch + 1);
  });

  it("changes rows of its own slots only, with two engines", async () => {
    const [one, two] = [await probe.engine({ leaseMs: 3_000 }), await probe.engine({ leaseMs: 3_000 })];
    const owners = async () => {
      const rows = await probe.db.sql.query<{ owner: string | null; n: number }>(
        "select owner, count(*)::int as n from slot where kind = 1 group by owner",
      );
      return rows.map(({ n }) => n).toSorted((a, b) => a - b);
    };
    await expect.poll(owners, SOON).toEqual([32, 32]);
    await probe.add(many(300, (n) => ({ lane: n % 64, recipient: n })));
    await expect.poll(() => probe.sent.length, SOON).toBe(300);
    const owned = new Map(
      (await probe.db.sql.query<{ slot: number; owner: string }>("select slot, owner from slot where kind = 1")).map(
        ({ slot, owner }) => [slot, owner === one.lanes.membership.worker ? 0 : 1],
      ),
    );
    expect(probe.sent.filter(({ lane, engine }) => owned.get(lane % 64) !== engine)).toEqual([]);
    expect(two.lanes.membership.valid()).toBe(true);
    await expect.poll(probe.table, SOON).toEqual([]);
    expect((await probe.intents()).every(({ n }) => n === 1)).toBe(true);
  });

  it("starts a row again after the database was away, and never twice at once", async () => {
    let away = 2;
    const engine = await probe.engine({
      database: (db) =>
        alteredDatabase(db, {
          callTexts: (fn, rows, now) =>
            fn.name === "probe_begin" && away-- > 0
              ? Promise.reject(new DatabaseUnavailable("away"))
              : db.callTexts(fn, rows, now),
        }),
    });
    await probe.add([{ lane: 1 }, { lane: 1 }]);
    engine.notifier.hint("dispatch", [1]);
    await expect.poll(() => probe.sent.length, SOON).toBe(2);
    expect(seqsOf(probe.sent)).toEqual(seqsOf(probe.sent).toSorted((a, b) => a - b));
    await expect.poll(probe.table, SOON).toEqual([]);
  });
});

describe("the order of one recipient", () => {
  it("holds over retries, in one owner", async () => {
    const tries = new Map<number, number>();
    const engine = await probe.engine({
      answer: (row) => {
        const n = (tries.get(row.seq) ?? 0) + 1;
        tries.set(row.seq, n);
        return row.seq % 3 === 0 && n === 1 ? { retryMs: 150 } : "done";
      },
    });
    await probe.add(many(60, (n) => ({ lane: 1, recipient: n % 4 })));
    engine.notifier.hint("dispatch", [1]);
    await expect.poll(probe.table, SOON).toEqual([]);
    expectOrder(probe.sent);
    await expect.poll(probe.held, SOON).toEqual([]);
  });

  it("holds over a change of owner: retries, deferred rows, rows in memory and new ones", async () => {
    // The first row backs off while 50 wait in memory and the others were deferred.
    const first = await probe.engine({ answer: () => ({ retryMs: 300 }) });
    await probe.add(many(60, () => ({ lane: 1, recipient: 1 })));
    first.notifier.hint("dispatch", [1]);
    await expect
      .poll(async () => (await probe.table()).filter(({ due }) => due > 0).length, SOON)
      .toBeGreaterThanOrEqual(10);
    await first.stop();
    const before = probe.sent.length;
    await probe.engine();
    await probe.add(many(5, () => ({ lane: 1, recipient: 1 })));
    await expect.poll(probe.table, within(25_000)).toEqual([]);
    const after = probe.sent.slice(before);
    expect(seqsOf(after)).toEqual(seqsOf(after).toSorted((a, b) => a - b));
    expect(after).toHaveLength(65);
    await expect.poll(probe.held, SOON).toEqual([]);
  });

  it("deletes a hold that has no rows any more", async () => {
    await probe.hold({ lane: 1, recipient: 1, seq: 1, until: Date.now() + 300 });
    await probe.engine();
    await expect.poll(probe.held, SOON).toEqual([]);
    await probe.add([{ lane: 1, recipient: 1 }]);
    await expect.poll(() => probe.sent.length, SOON).toBe(1);
  });
});

// Each recipient's rows are first sent in the order of arrival, and none before a retry of an earlier one.
function expectOrder(sent: readonly Sent[]): void {
  const last = new Map<string, number>();
  for (const { key, seq } of sent) {
    expect(seq).toBeGreaterThanOrEqual(last.get(key) ?? 0);
    last.set(key, seq);
  }
}
