import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { QueueRow } from "../kind.ts";
import { queueRow } from "../testing/rows.ts";
import { Advances } from "./advances.ts";
import type { DeferredRow } from "./deferred-rows.ts";
import { KeyOrder, WAITING_A_LANE } from "./key-order.ts";
import type { DueProgress, KeyOrderOptions } from "./key-order-options.ts";
import { type Advance, FRESH, type KeyPace } from "./key-state.ts";
import { WAITING_A_KEY } from "./next-row.ts";
import type { Unoffered } from "./unoffered.ts";

const NOTHING: Unoffered = {
  fresh: { readTo: Number.POSITIVE_INFINITY, rows: [] },
  due: [],
  deferred: { rows: () => [] },
};
const order = (pace: KeyPace | null = null, more: Partial<KeyOrderOptions> = {}): KeyOrder =>
  new KeyOrder({ pace, since: 0, defers: true, unoffered: NOTHING, advances: null, ...more });
const readTo = (time: number): DueProgress => ({ readTo: time, unoffered: () => false });
const UNREAD = readTo(Number.NEGATIVE_INFINITY);
const seqs = (rows: readonly QueueRow[]): number[] => rows.map((row) => row.seq);

describe("the order of one recipient", () => {
  it("has one row in flight, and starts the next when it is done", () => {
    const keys = order();
    expect(keys.offer(queueRow(1), 0).kind).toBe("go");
    expect(keys.offer(queueRow(3), 0).kind).toBe("wait");
    expect(keys.offer(queueRow(2), 0).kind).toBe("wait");
    expect(keys.offer(queueRow(9, { key: "b" }), 0).kind).toBe("go");
    expect(seqs(keys.finish(queueRow(1), 0))).toEqual([2]);
    expect(seqs(keys.finish(queueRow(2), 0))).toEqual([3]);
  });

  it("waits for its own row that backs off, and for no other recipient's", () => {
    const keys = order();
    keys.offer(queueRow(1), 0);
    keys.offer(queueRow(2), 0);
    keys.backOff(queueRow(1), 1_000, 0);
    expect(keys.offer(queueRow(3, { key: "b" }), 500).kind).toBe("go");
    expect(seqs(keys.resume(1_500, readTo(900)).rows)).toEqual([]);
    expect(keys.offer(queueRow(1, { due: 1_000 }), 1_500).kind).toBe("go");
    expect(seqs(keys.finish(queueRow(1, { due: 1_000 }), 1_600))).toEqual([2]);
  });

  it("goes on when the row that backed off is gone from the table, but not while that row was read and not offered yet", () => {
    const keys = order();
    keys.offer(queueRow(1), 0);
    keys.offer(queueRow(2), 0);
    keys.backOff(queueRow(1), 1_000, 0);
    expect(keys.resume(1_001, { readTo: 1_000, unoffered: (key) => key === "a" })).toEqual({ rows: [], ended: [] });
    const resumed = keys.resume(1_001, readTo(1_000));
    expect(seqs(resumed.rows)).toEqual([2]);
    expect(resumed.ended).toEqual([{ key: "a", until: 1_000 }]);
  });

  it("defers rows above 50 with dues in their order, and sends all of them in order", () => {
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
    // While some are in the table, later rows are deferred behind them, also when there is room here.
    for (const row of keys.finish(queueRow(1), 0)) sent.push(row.seq);
    for (const row of keys.finish(queueRow(2), 0)) sent.push(row.seq);
    const after = keys.offer(queueRow(61), 0);
    expect(after).toEqual({ kind: "defer", due: 61 * 6_000 - 6_000 });
    if (after.kind === "defer") table.push(queueRow(61, { due: after.due }));
    for (let now = 0; now <= 600_000; now += 1_000) {
      for (const row of table.filter(({ due }) => due === now))
        if (keys.offer(row, now).kind === "go") sent.push(row.seq);
      let rows = keys.resume(now, readTo(now)).rows;
      while (rows[0]) {
        sent.push(rows[0].seq);
        rows = keys.finish(rows[0], now);
      }
      const last = sent.at(-1);
      if (last !== undefined) for (const row of keys.finish(queueRow(last), now)) sent.push(row.seq);
    }
    expect(sent).toEqual(Array.from({ length: 61 }, (_, n) => n + 1));
  });

  it("spaces deferred rows of a key without a pace by the time of an answer, not by the provider's six seconds", () => {
    const keys = order();
    for (let seq = 1; seq <= 51; seq++) keys.offer(queueRow(seq), 0);
    expect(keys.offer(queueRow(52), 0)).toEqual({ kind: "defer", due: 5_100 });
    expect(keys.offer(queueRow(53), 0)).toEqual({ kind: "defer", due: 5_200 });
  });

  it("bounds the waiting rows of all keys of the lane", () => {
    const keys = order();
    for (let key = 0; key < WAITING_A_LANE; key++)
      for (const seq of [key * 3, key * 3 + 1]) keys.offer(queueRow(seq, { key: `k${key}` }), 0);
    expect(keys.waiting).toBe(WAITING_A_LANE);
    expect(keys.offer(queueRow(2, { key: "k0" }), 0).kind).toBe("defer");
  });

  it("keeps every row where none can be written back to the table", () => {
    const keys = order(null, { defers: false });
    for (let seq = 1; seq <= 100; seq++) expect(keys.offer(queueRow(seq), 0).kind).not.toBe("defer");
    expect(keys.waiting).toBe(99);
  });

  it("restores the order a former owner left: the retry, the fresh rows before the deferred ones, those, the rest", () => {
    const keys = order();
    keys.restoreHold({ key: "a", until: 9_000, backingOff: 5, deferredFrom: 52 }, 0);
    for (const seq of [6, 7]) expect(keys.offer(queueRow(seq), 0).kind).toBe("wait");
    expect(keys.offer(queueRow(61), 8_000)).toEqual({ kind: "defer", due: 13_100 });
    expect(keys.resume(1_000, readTo(1_000)).rows).toEqual([]);
    const sent: number[] = [];
    const run = (rows: QueueRow[], now: number): void => {
      for (let next = rows; next[0]; next = keys.finish(next[0], now)) sent.push(next[0].seq);
    };
    run(keys.offer(queueRow(5, { due: 2_000 }), 2_000).kind === "go" ? [queueRow(5)] : [], 2_000);
    run(keys.offer(queueRow(52, { due: 8_900 }), 8_900).kind === "go" ? [queueRow(52)] : [], 8_900);
    run(keys.offer(queueRow(53, { due: 9_000 }), 9_000).kind === "go" ? [queueRow(53)] : [], 9_000);
    expect(keys.resume(9_001, readTo(9_001)).ended).toEqual([]);
    run(keys.offer(queueRow(61, { due: 13_100 }), 13_100).kind === "go" ? [queueRow(61)] : [], 13_100);
    expect(sent).toEqual([5, 6, 7, 52, 53, 61]);
    expect(keys.resume(13_100, readTo(13_100)).ended).toEqual([{ key: "a", until: 13_100 }]);
  });

  it("keeps a deferred row behind fresh ones that are still unread", () => {
    const fresh = { readTo: 10, rows: [] };
    const keys = order(null, { unoffered: { ...NOTHING, fresh } });
    keys.restoreHold({ key: "a", until: 1_000, backingOff: null, deferredFrom: 52 }, 0);
    expect(keys.offer(queueRow(52, { due: 900 }), 900).kind).toBe("wait");
    fresh.readTo = 60;
    expect(seqs(keys.resume(1_000, UNREAD).rows)).toEqual([52]);
  });

  it("waits for a row that a former owner began", () => {
    const keys = order();
    keys.addOrphan(queueRow(1));
    keys.addOrphan(queueRow(2));
    expect(keys.offer(queueRow(3), 0).kind).toBe("wait");
    expect(keys.removeOrphan(queueRow(1), 0)).toEqual([]);
    expect(seqs(keys.removeOrphan(queueRow(2), 0))).toEqual([3]);
  });

  it("keeps a hold while a row that a former owner began is left", () => {
    const keys = order();
    keys.addOrphan(queueRow(1));
    keys.restoreHold({ key: "a", until: 1_000, backingOff: 1, deferredFrom: null }, 0);
    expect(keys.offer(queueRow(2), 0).kind).toBe("wait");
    // The hold stands for that row: its outcome was stored after it was read as started.
    expect(keys.resume(2_000, readTo(2_000))).toEqual({ rows: [], ended: [] });
    expect(keys.removeOrphan(queueRow(1), 2_000)).toEqual([]);
    expect(keys.offer(queueRow(1, { due: 1_000 }), 2_000).kind).toBe("go");
  });

  it("is not shortened by a hold that was read before what is known, and ends with the row that it stands for", () => {
    const keys = order();
    expect(keys.offer(queueRow(1), 0).kind).toBe("go");
    keys.backOff(queueRow(1), 5_000, 0);
    keys.restoreHold({ key: "a", until: 1_000, backingOff: 1, deferredFrom: null }, 0);
    expect(keys.offer(queueRow(2), 1_000).kind).toBe("wait");
    expect(keys.resume(2_000, readTo(2_000)).rows).toEqual([]);
    expect(keys.offer(queueRow(1, { due: 5_000 }), 5_000).kind).toBe("go");
    // Read while the row was in flight, with the end of another hold.
    keys.restoreHold({ key: "a", until: 300_000, backingOff: 1, deferredFrom: null }, 0);
    expect(seqs(keys.finish(queueRow(1), 6_000))).toEqual([2]);
  });

  it("spends a burst, then one each interval; a new owner starts with few tokens", () => {
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
    for (let now = 0; now < 60_000; now += 1_000) for (const _ of keys.resume(now, UNREAD).rows) send(now);
    expect(sent).toBeLessThanOrEqual(20);
  });

  it("forgets idle keys", () => {
    const keys = order({ everyMs: 6_000, burst: 45 });
    for (let n = 0; n < 1_000; n++) {
      keys.offer(queueRow(n, { key: `k${n}` }), 0);
      keys.finish(queueRow(n, { key: `k${n}` }), 0);
    }
    expect(keys.size).toBe(1_000);
    keys.resume(20_000, UNREAD);
    expect(keys.size).toBe(0);
  });

  it("defers later rows behind now when a row that backs off was given an earlier due, and moves those that it deferred meanwhile", () => {
    const advances = new Advances();
    const keys = order(null, { advances });
    keys.offer(queueRow(1), 0);
    keys.backOff(queueRow(1), 600_000, 0);
    for (let seq = 2; seq <= 51; seq++) keys.offer(queueRow(seq), 0);
    for (const seq of [52, 53])
      expect(keys.offer(queueRow(seq), 0)).toEqual({ kind: "defer", due: 600_000 + 100 * (seq - 51) });
    // 52 was given the same due, 53 was deferred after that.
    expect(keys.offer(queueRow(1, { due: 1_000, attempt: 1 }), 1_500).kind).toBe("go");
    expect(keys.offer(queueRow(52, { due: 1_000 }), 1_500).kind).toBe("wait");
    expect(keys.offer(queueRow(54), 1_500)).toEqual({ kind: "defer", due: 6_600 });
    expect(keys.finish(queueRow(1), 1_600)).toEqual([]);
    expect(advances.take({ rows: () => [queueRow(53)] })).toEqual([]);
    const [advance] = advances.take({ rows: () => [queueRow(54), queueRow(53, { key: "b" })] });
    expect(advance).toEqual({ keys: ["a"], first: 1, from: 1, to: 53, since: 1_000 });
    expect(keys.resume(1_700, readTo(1_700)).rows).toEqual([]);
    keys.endAdvance(advance as Advance, 1_800);
    expect(keys.offer(queueRow(53, { due: 1_000 }), 1_800).kind).toBe("wait");
    const sent: number[] = [];
    for (let next = keys.resume(1_800, readTo(1_800)).rows; next[0]; next = keys.finish(next[0], 1_800))
      sent.push(next[0].seq);
    expect(sent).toEqual(Array.from({ length: 52 }, (_, n) => n + 2));
    expect(keys.offer(queueRow(54, { due: 6_600 }), 6_600).kind).toBe("go");
    expect(keys.finish(queueRow(54), 6_700)).toEqual([]);
    // The table's hold ends at the time that it was given.
    expect(keys.resume(6_800, readTo(6_800)).ended).toEqual([{ key: "a", until: 600_200 }]);
    expect(keys.offer(queueRow(55), 6_900).kind).toBe("go");
  });

  it("takes no retry for another one that is read a little before its time, and none where others change no due", () => {
    const advances = new Advances();
    for (const [due, options] of [
      [599_999, { advances }],
      [1_000, {}],
    ] as const) {
      const keys = order(null, options);
      keys.offer(queueRow(1), 0);
      keys.backOff(queueRow(1), 600_000, 0);
      for (let seq = 2; seq <= 52; seq++) keys.offer(queueRow(seq), 0);
      keys.offer(queueRow(1, { due }), 600_000);
      expect(keys.offer(queueRow(53), 1_000)).toEqual({ kind: "defer", due: 600_200 });
    }
    expect(advances.waiting).toBe(0);
  });

  it("holds for any mixture of retries, overflow and time", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("add" as const), n: fc.integer({ min: 1, max: 40 }) }),
      fc.record({ kind: fc.constant("land" as const), retry: fc.option(fc.integer({ min: 1, max: 600_000 })) }),
      fc.record({ kind: fc.constant("time" as const), ms: fc.integer({ min: 1, max: 8_000 }) }),
      fc.record({ kind: fc.constant("ask" as const) }),
      fc.record({ kind: fc.constant("move" as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), fc.boolean(), (steps, paced) => {
        const world = simulate(paced ? { everyMs: 6_000, burst: 45 } : null);
        for (const one of steps) {
          if (one.kind === "add") world.add(one.n);
          else if (one.kind === "land") world.land(one.retry);
          else if (one.kind === "ask") world.ask();
          else if (one.kind === "move") world.move();
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
  const advances = new Advances();
  const keys = order(pace, { advances });
  const table = new Map<number, QueueRow>();
  const done: number[] = [];
  let inFlight: QueueRow | null = null;
  let now = 0;
  let seq = 0;
  const put = (rows: QueueRow[]): void => {
    for (const row of rows) {
      if (inFlight) throw new Error(`two rows in flight: ${inFlight.seq} and ${row.seq}`);
      inFlight = row;
    }
  };
  const offer = (row: QueueRow): void => {
    const offer = keys.offer(row, now);
    if (offer.kind === "go") put([row]);
    else if (offer.kind === "defer") table.set(row.seq, { ...row, due: offer.due });
    else if (offer.kind === "return") write(offer.rows);
  };
  const write = (rows: readonly DeferredRow[]): void => {
    for (const { row, due } of rows) table.set(row.seq, { ...row, due: Math.max(due, row.due) });
  };
  const land = (retry: number | null): void => {
    const row = inFlight;
    if (!row) return;
    inFlight = null;
    if (retry === null) {
      done.push(row.seq);
      put(keys.finish(row, now));
    } else {
      table.set(row.seq, { ...row, due: now + retry, attempt: row.attempt + 1 });
      const { rows, deferred } = keys.backOff(row, now + retry, now);
      write(deferred);
      put(rows);
    }
    const isBehind = ({ due }: QueueRow): boolean =>
      due > FRESH && [...table.values()].some(({ attempt }) => attempt > 0);
    expect(keys.rows().filter(isBehind)).toEqual([]);
  };
  const time = (ms: number): void => {
    now += ms;
    const due = [...table.values()].filter((row) => row.due <= now).toSorted((a, b) => a.due - b.due || a.seq - b.seq);
    for (const row of due) table.delete(row.seq);
    for (const row of due.toSorted((a, b) => a.seq - b.seq)) offer(row);
    put(keys.resume(now, readTo(now)).rows);
  };
  /** A row that backs off is asked for now, and the later ones come with it. */
  const ask = (): void => {
    const first = [...table.values()].find(({ attempt, due }) => attempt > 0 && due > now + 2_000);
    if (first) for (const row of table.values()) if (row.seq >= first.seq && row.due > now + 2_000) row.due = now;
  };
  const move = (): void => {
    for (const advance of advances.take({ rows: () => [] })) {
      const { from, to, since } = advance;
      for (const row of table.values())
        if (row.seq >= from && row.seq <= to && row.attempt === 0 && row.due > now) row.due = since;
      keys.endAdvance(advance, now);
    }
    time(0);
  };
  return {
    done,
    added: () => seq,
    land,
    time,
    ask,
    move,
    add(n: number) {
      for (let one = 0; one < n; one++) {
        seq += 1;
        offer(queueRow(seq));
      }
    },
    finish() {
      for (let round = 0; done.length < seq && round < 20_000; round++) {
        land(null);
        move();
        time(1_000);
      }
    },
  };
}
