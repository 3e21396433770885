import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { QueueRow } from "../kind.ts";
import { queueRow } from "../testing/rows.ts";
import {
  createKeyOrder,
  type KeyOrder,
  type KeyPace,
  type Reading,
  WAITING_A_KEY,
  WAITING_A_LANE,
} from "./key-order.ts";

const order = (pace: KeyPace | null = null, more: { defers?: boolean; freshReadTo?: () => number } = {}): KeyOrder =>
  createKeyOrder({ pace, since: 0, defers: true, freshReadTo: () => Number.POSITIVE_INFINITY, ...more });
const readTo = (dueTo: number): Reading => ({ dueTo, unoffered: () => false });
const UNREAD = readTo(Number.NEGATIVE_INFINITY);
const seqs = (rows: readonly QueueRow[]): number[] => rows.map((row) => row.seq);

describe("the order of one recipient", () => {
  it("has one row in the air, and the next when it has gone", () => {
    const keys = order();
    expect(keys.offer(queueRow(1), 0).kind).toBe("go");
    expect(keys.offer(queueRow(3), 0).kind).toBe("wait");
    expect(keys.offer(queueRow(2), 0).kind).toBe("wait");
    expect(keys.offer(queueRow(9, { key: "b" }), 0).kind).toBe("go");
    expect(seqs(keys.finish(queueRow(1), 0))).toEqual([2]);
    expect(seqs(keys.finish(queueRow(2), 0))).toEqual([3]);
  });

  it("waits for a row that backs off, and for nobody else's", () => {
    const keys = order();
    keys.offer(queueRow(1), 0);
    keys.offer(queueRow(2), 0);
    keys.backOff(queueRow(1), 1_000, 0);
    expect(keys.offer(queueRow(3, { key: "b" }), 500).kind).toBe("go");
    expect(seqs(keys.ring(1_500, readTo(900)).rows)).toEqual([]);
    expect(keys.offer(queueRow(1, { due: 1_000 }), 1_500).kind).toBe("go");
    expect(seqs(keys.finish(queueRow(1, { due: 1_000 }), 1_600))).toEqual([2]);
  });

  it("goes on when the row that backed off is gone from the table, and not while it was only not offered yet", () => {
    const keys = order();
    keys.offer(queueRow(1), 0);
    keys.offer(queueRow(2), 0);
    keys.backOff(queueRow(1), 1_000, 0);
    expect(keys.ring(1_001, { dueTo: 1_000, unoffered: (key) => key === "a" })).toEqual({ rows: [], released: [] });
    const rung = keys.ring(1_001, readTo(1_000));
    expect(seqs(rung.rows)).toEqual([2]);
    expect(rung.released).toEqual([{ key: "a", until: 1_000 }]);
  });

  it("puts what is above 50 into the table, with dues in their order, and sends all of them in order", () => {
    const keys = order({ everyMs: 6_000, burst: 45 });
    const table: QueueRow[] = [];
    const sent: number[] = [];
    for (let seq = 1; seq <= 60; seq++) {
      const offer = keys.offer(queueRow(seq), 0);
      if (offer.kind === "go") sent.push(seq);
      if (offer.kind === "defer") table.push(queueRow(seq, { due: offer.due }));
    }
    expect(table.map((row) => row.seq)).toEqual([52, 53, 54, 55, 56, 57, 58, 59, 60]);
    expect(table.map((row) => row.due)).toEqual(table.map((_, n) => (WAITING_A_KEY + 1 + n) * 6_000));
    // While some are in the table, what comes later goes there behind them, also when there is room here.
    for (const row of keys.finish(queueRow(1), 0)) sent.push(row.seq);
    for (const row of keys.finish(queueRow(2), 0)) sent.push(row.seq);
    const after = keys.offer(queueRow(61), 0);
    expect(after).toEqual({ kind: "defer", due: 61 * 6_000 - 6_000 });
    if (after.kind === "defer") table.push(queueRow(61, { due: after.due }));
    for (let now = 0; now <= 600_000; now += 1_000) {
      for (const row of table.filter(({ due }) => due === now))
        if (keys.offer(row, now).kind === "go") sent.push(row.seq);
      let rows = keys.ring(now, readTo(now)).rows;
      while (rows[0]) {
        sent.push(rows[0].seq);
        rows = keys.finish(rows[0], now);
      }
      const last = sent.at(-1);
      if (last !== undefined) for (const row of keys.finish(queueRow(last), now)) sent.push(row.seq);
    }
    expect(sent).toEqual(Array.from({ length: 61 }, (_, n) => n + 1));
  });

  it("spaces rows of a key without a pace by what an answer takes, not by the provider's six seconds", () => {
    const keys = order();
    for (let seq = 1; seq <= 51; seq++) keys.offer(queueRow(seq), 0);
    expect(keys.offer(queueRow(52), 0)).toEqual({ kind: "defer", due: 5_100 });
    expect(keys.offer(queueRow(53), 0)).toEqual({ kind: "defer", due: 5_200 });
  });

  it("keeps a bound over all keys of the lane", () => {
    const keys = order();
    for (let key = 0; key < WAITING_A_LANE; key++)
      for (const seq of [key * 3, key * 3 + 1]) keys.offer(queueRow(seq, { key: `k${key}` }), 0);
    expect(keys.waiting).toBe(WAITING_A_LANE);
    expect(keys.offer(queueRow(2, { key: "k0" }), 0).kind).toBe("defer");
  });

  it("keeps everything here where there is no way back into the table", () => {
    const keys = order(null, { defers: false });
    for (let seq = 1; seq <= 100; seq++) expect(keys.offer(queueRow(seq), 0).kind).not.toBe("defer");
    expect(keys.waiting).toBe(99);
  });

  it("takes up the order a former owner left: the retry, the fresh ones before those put aside, those, the rest", () => {
    const keys = order();
    keys.hold({ key: "a", until: 9_000, retry: 5, from: 52 });
    for (const seq of [6, 7]) expect(keys.offer(queueRow(seq), 0).kind).toBe("wait");
    expect(keys.offer(queueRow(61), 8_000)).toEqual({ kind: "defer", due: 13_100 });
    expect(keys.ring(1_000, readTo(1_000)).rows).toEqual([]);
    const sent: number[] = [];
    const run = (rows: QueueRow[], now: number): void => {
      for (let next = rows; next[0]; next = keys.finish(next[0], now)) sent.push(next[0].seq);
    };
    run(keys.offer(queueRow(5, { due: 2_000 }), 2_000).kind === "go" ? [queueRow(5)] : [], 2_000);
    run(keys.offer(queueRow(52, { due: 8_900 }), 8_900).kind === "go" ? [queueRow(52)] : [], 8_900);
    run(keys.offer(queueRow(53, { due: 9_000 }), 9_000).kind === "go" ? [queueRow(53)] : [], 9_000);
    expect(keys.ring(9_001, readTo(9_001)).released).toEqual([]);
    run(keys.offer(queueRow(61, { due: 13_100 }), 13_100).kind === "go" ? [queueRow(61)] : [], 13_100);
    expect(sent).toEqual([5, 6, 7, 52, 53, 61]);
    expect(keys.ring(13_100, readTo(13_100)).released).toEqual([{ key: "a", until: 13_100 }]);
  });

  it("keeps a row that was put aside behind fresh ones that are still unread", () => {
    let readFresh = 10;
    const keys = order(null, { freshReadTo: () => readFresh });
    keys.hold({ key: "a", until: 1_000, retry: null, from: 52 });
    expect(keys.offer(queueRow(52, { due: 900 }), 900).kind).toBe("wait");
    readFresh = 60;
    expect(seqs(keys.ring(1_000, UNREAD).rows)).toEqual([52]);
  });

  it("waits for a row that a former owner began", () => {
    const keys = order();
    keys.block(queueRow(1));
    keys.block(queueRow(2));
    expect(keys.offer(queueRow(3), 0).kind).toBe("wait");
    expect(keys.unblock(queueRow(1), 0)).toEqual([]);
    expect(seqs(keys.unblock(queueRow(2), 0))).toEqual([3]);
  });

  it("spends a burst, then one each interval; an owner starts with little saved up", () => {
    const keys = order({ everyMs: 6_000, burst: 45 });
    let sent = 0;
    const send = (now: number): void => {
      sent += 1;
      keys.finish(queueRow(0), now);
    };
    for (let seq = 1; seq <= 40; seq++) {
      if (keys.offer(queueRow(seq), 0).kind !== "go") break;
      keys.finish(queueRow(seq), 0);
      sent += 1;
    }
    expect(sent).toBe(10);
    for (let now = 0; now < 60_000; now += 1_000) for (const _ of keys.ring(now, UNREAD).rows) send(now);
    expect(sent).toBeLessThanOrEqual(20);
  });

  it("forgets idle keys", () => {
    const keys = order({ everyMs: 6_000, burst: 45 });
    for (let n = 0; n < 1_000; n++) {
      keys.offer(queueRow(n, { key: `k${n}` }), 0);
      keys.finish(queueRow(n, { key: `k${n}` }), 0);
    }
    expect(keys.size).toBe(1_000);
    keys.ring(20_000, UNREAD);
    expect(keys.size).toBe(0);
  });

  it("holds for any mixture of retries, overflow and time", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("add" as const), n: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ kind: fc.constant("land" as const), retry: fc.option(fc.integer({ min: 1, max: 20_000 })) }),
      fc.record({ kind: fc.constant("time" as const), ms: fc.integer({ min: 1, max: 8_000 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.boolean(), (steps, paced) => {
        const world = simulate(paced ? { everyMs: 6_000, burst: 45 } : null);
        for (const one of steps) {
          if (one.kind === "add") world.add(one.n);
          else if (one.kind === "land") world.land(one.retry);
          else world.time(one.ms);
        }
        world.finish();
        expect(world.done).toEqual(Array.from({ length: world.added() }, (_, n) => n + 1));
      }),
      { numRuns: 300, seed: 20_260_101 },
    );
  });
});

// One recipient, its table and its owner.
function simulate(pace: KeyPace | null) {
  const keys = order(pace);
  const table = new Map<number, QueueRow>();
  const done: number[] = [];
  let air: QueueRow | null = null;
  let now = 0;
  let seq = 0;
  const put = (rows: QueueRow[]): void => {
    for (const row of rows) {
      if (air) throw new Error(`two rows in the air: ${air.seq} and ${row.seq}`);
      air = row;
    }
  };
  const offer = (row: QueueRow): void => {
    const fate = keys.offer(row, now);
    if (fate.kind === "go") put([row]);
    else if (fate.kind === "defer") table.set(row.seq, { ...row, due: fate.due });
  };
  const land = (retry: number | null): void => {
    const row = air;
    if (!row) return;
    air = null;
    if (retry === null) {
      done.push(row.seq);
      put(keys.finish(row, now));
    } else {
      table.set(row.seq, { ...row, due: now + retry });
      keys.backOff(row, now + retry, now);
    }
  };
  const time = (ms: number): void => {
    now += ms;
    const due = [...table.values()].filter((row) => row.due <= now).toSorted((a, b) => a.due - b.due || a.seq - b.seq);
    for (const row of due) table.delete(row.seq);
    for (const row of due.toSorted((a, b) => a.seq - b.seq)) offer(row);
    put(keys.ring(now, readTo(now)).rows);
  };
  return {
    done,
    added: () => seq,
    land,
    time,
    add(n: number) {
      for (let one = 0; one < n; one++) {
        seq += 1;
        offer(queueRow(seq));
      }
    },
    finish() {
      for (let round = 0; done.length < seq && round < 20_000; round++) {
        land(null);
        time(1_000);
      }
    },
  };
}
