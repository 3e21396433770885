import { setTimeout as elapsed, setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DatabaseUnavailable } from "../db/database.ts";
import { alteredDatabase } from "../testing/altered-database.ts";
import { withClient } from "../testing/client.ts";
import { jumpClock } from "../testing/clock.ts";
import type { QueueRow } from "./kind.ts";
import { SLOTS } from "./lane-kinds.ts";
import { LANE_BUFFER } from "./queue.ts";
import { addRows } from "./testing/probe.sql.ts";
import { type Answer, many, type Probe, type ProbeOptions, rowText, seqsOf, startProbe } from "./testing/probe.ts";
import { latch, SOON, within } from "./testing/waiting.ts";

let probe: Probe;
beforeEach(async () => {
  probe = await startProbe();
});
afterEach(() => probe.stop());

describe("reading", () => {
  it("finds rows by a hint, and without any hint by polling", async () => {
    const engine = await probe.engine();
    await probe.add([{ lane: 1 }]);
    engine.notifier.hint("dispatch", [1]);
    await expect.poll(() => probe.sent.length, SOON).toBe(1);
    // As after a kill between commit and hint.
    await probe.add([{ lane: 2 }]);
    await expect.poll(() => probe.sent.length, within(4_500)).toBe(2);
    await expect.poll(probe.table, SOON).toEqual([]);
  });

  it("finds rows without a hint while hints for another slot never end", async () => {
    const engine = await probe.engine();
    const hints = setInterval(() => engine.notifier.hint("dispatch", [1]), 5);
    try {
      await probe.add([{ lane: 2 }]);
      await expect.poll(() => probe.sent.length, within(4_500)).toBe(1);
    } finally {
      clearInterval(hints);
    }
  });

  it("asks only for the last number drawn, while none has been drawn for long, and finds what is committed then", async () => {
    const clock = jumpClock();
    let [reads, asks] = [0, 0];
    await probe.engine({
      clock,
      database: (db) =>
        alteredDatabase(db, {
          call: (fn, rows, now) => {
            if (fn.name === "dispatch_tail") reads += 1;
            return db.call(fn, rows, now);
          },
          sql: {
            ...db.sql,
            query: (...query) => {
              if (query[0].includes("pg_sequence_last_value")) asks += 1;
              return db.sql.query(...query);
            },
          },
        }),
    });
    await probe.warm();
    /** Polls follow each other until so many more have asked. */
    const polled = (more: number) => {
      const enough = asks + more;
      return expect
        .poll(() => {
          clock.advance(200);
          return asks;
        }, SOON)
        .toBeGreaterThan(enough);
    };
    clock.advance(20_000);
    // The reads after that are the last that are needed.
    await expect
      .poll(async () => {
        const before = reads;
        await polled(5);
        return reads - before;
      }, SOON)
      .toBe(0);
    const before = reads;
    await polled(20);
    expect(reads).toBe(before);
    // By another process, and its hint was lost.
    await probe.add([{ lane: 2 }]);
    await polled(1);
    await expect.poll(() => probe.sent.length, SOON).toBe(1);
  });

  it("passes a full lane by, refills it, loses nothing, and goes on working a quiet lane of the same slot", async () => {
    const count = LANE_BUFFER * 12;
    await probe.add(many(count, (n) => ({ lane: 3, recipient: n })));
    const quiet = await probe.add([{ lane: 67 }]);
    const engine = await probe.engine();
    await expect.poll(() => probe.sent.length, SOON).toBe(count + 1);
    expect(seqsOf(probe.sent).indexOf(quiet[0] as number)).toBeLessThan(count / 2);
    expect(new Set(seqsOf(probe.sent)).size).toBe(count + 1);
    await expect.poll(probe.table, SOON).toEqual([]);
    await expect.poll(() => engine.lanes.inFlight, SOON).toBe(0);
  });

  it("reads a row that was committed late, below the watermark", async () => {
    const engine = await probe.engine();
    await probe.warm();
    await withClient(probe.database.url, async (client) => {
      await client.query("begin");
      const late = await client.query<{ seq: string }>(
        `select * from ${addRows.installed}($1, now(), gen_random_uuid(), false)`,
        [`[${rowText({ lane: 5, recipient: 1 })}]`],
      );
      const rest = await probe.add(many(50, (n) => ({ lane: 5, recipient: 100 + n })));
      engine.notifier.hint("dispatch", [5]);
      await expect.poll(() => probe.sent.length, SOON).toBe(50);
      const seq = Number(late.rows[0]?.seq);
      expect(seq).toBeLessThan(rest[0] as number);
      await client.query("commit");
      await expect.poll(() => seqsOf(probe.sent).includes(seq), within(4_500)).toBe(true);
    });
  });

  it("walks the dead rows of a rollback once, and still finds a row that committed late among them", async () => {
    const lows: number[] = [];
    const engine = await probe.engine({
      database: (db) =>
        alteredDatabase(db, {
          call: async (fn, rows, now) => {
            if (fn.name === "dispatch_tail") for (const row of rows as readonly { lo: number }[]) lows.push(row.lo);
            return (await db.call(fn, rows, now)) as never;
          },
        }),
    });
    await probe.warm();
    const add = (recipients: readonly number[]): [text: string, values: string[]] => [
      `select * from ${addRows.installed}($1, now(), gen_random_uuid(), false)`,
      [`[${recipients.map((recipient) => rowText({ lane: 5, recipient })).join()}]`],
    ];
    await withClient(probe.database.url, async (late) => {
      await late.query("begin");
      const { rows } = await late.query<{ seq: string }>(...add([1]));
      const seq = Number(rows[0]?.seq);
      await withClient(probe.database.url, async (failing) => {
        await failing.query("begin");
        await failing.query(...add(Array.from({ length: 1_500 }, (_, n) => 2 + n)));
        await failing.query("rollback");
      });
      await expect.poll(() => lows.at(-1), within(4_500)).toBeGreaterThan(seq + 1_000);
      await late.query("commit");
      await expect.poll(() => seqsOf(probe.sent).includes(seq), within(4_500)).toBe(true);
    });
    await expect.poll(() => engine.lanes.inFlight, SOON).toBe(0);
  });

  it("waits at a take-over for open writers, so that their later rows do not start before their first", async () => {
    await withClient(probe.database.url, async (client) => {
      const write = async (): Promise<number> => {
        const { rows } = await client.query<{ seq: string }>(
          `select * from ${addRows.installed}($1, now(), gen_random_uuid(), false)`,
          [`[${rowText({ lane: 5, recipient: 1 })}]`],
        );
        return Number(rows[0]?.seq);
      };
      await client.query("begin");
      const first = await write();
      const marked = latch();
      await probe.engine({
        database: (db) =>
          alteredDatabase(db, {
            sql: {
              ...db.sql,
              query: async <Row extends object>(...query: Parameters<typeof db.sql.query>) => {
                const rows = await db.sql.query<Row>(...query);
                if (query[0].includes("pg_sequence_last_value")) marked.open();
                return rows;
              },
            },
          }),
      });
      await marked.passed;
      const second = await write();
      await client.query("commit");
      await expect.poll(() => seqsOf(probe.sent), within(4_000)).toEqual([first, second]);
    });
  });

  it("reads all of a thousand rows that are due in the same microsecond", async () => {
    const due = Date.now() + 1_500;
    await probe.add(many(1_000, (n) => ({ lane: 7, recipient: n, due })));
    // Not on a millisecond: a cursor cut to milliseconds would read the first page for ever.
    await withClient(probe.database.url, async (client) => {
      const engine = (await client.query<{ engine_role: string }>("select engine_role from installation")).rows[0];
      await client.query(
        `begin; grant "${engine?.engine_role}" to current_user; set local role "${engine?.engine_role}"`,
      );
      await client.query("update dispatch set due = due + interval '123 microseconds'; reset role");
      await client.query(`revoke "${engine?.engine_role}" from current_user; commit`);
    });
    // None is answered, so each page must come from behind the one before it.
    const gate = latch();
    const engine = await probe.engine({ answer: () => gate.passed.then(() => "done" as const) });
    await expect.poll(() => engine.lanes.rows, SOON).toBe(1_000);
    expect(Date.now()).toBeGreaterThanOrEqual(due);
    gate.open();
    await expect.poll(probe.table, SOON).toEqual([]);
    expect(new Set(seqsOf(probe.sent)).size).toBe(1_000);
    expect(probe.sent).toHaveLength(1_000);
  });

  it("finds by the slow sweep rows that every other reader lost, soon after a round that was not answered too", async () => {
    let deaf = false;
    let silences = 1;
    await probe.engine({
      database: (db) =>
        alteredDatabase(db, {
          // As if the tail had never returned it.
          call: async (fn, rows, now) => {
            const answer = await db.call(fn, rows, now);
            if (fn.name === "dispatch_lanes" && deaf) {
              // Nor the sweeps that follow a take-over, each of some slots.
              if (rows.length < SLOTS) return [];
              if (silences-- > 0) {
                await elapsed(500);
                throw new DatabaseUnavailable("the database does not answer");
              }
            }
            return (fn.name === "dispatch_tail" && deaf ? [] : answer) as never;
          },
        }),
    });
    await probe.warm();
    deaf = true;
    await probe.add([{ lane: 9 }, { lane: 9, due: Date.now() - 1_000, recipient: 2 }]);
    await expect.poll(() => probe.sent.length, within(20_000)).toBe(2);
    expect(silences).toBeLessThan(0);
  });

  it("does not work a finished row again because of a read that began before", async () => {
    const gate = latch();
    const late = latch();
    const begun: number[] = [];
    let stale = 0;
    let watching = false;
    const engine = await probe.engine({
      database: (db) =>
        alteredDatabase(db, {
          callTexts: (fn, rows, now) => {
            if (fn.name === "probe_begin") begun.push(...rows.map((row) => JSON.parse(row).seq as number));
            return db.callTexts(fn, rows, now);
          },
          call: async (fn, rows, now) => {
            const answer = await db.call(fn, rows, now);
            // Its snapshot has the row; it arrives when the row has gone.
            const seqs = (answer as { seq?: number }[]).map(({ seq }) => seq ?? 0);
            if (watching && fn.name === "dispatch_tail" && seqs.some((seq) => begun.includes(seq))) {
              stale += 1;
              await late.passed;
            }
            return answer as never;
          },
        }),
      beforeOutcome: () => gate.passed,
    });
    gate.open();
    await probe.warm();
    gate.close();
    begun.length = 0;
    watching = true;
    const [seq] = await probe.add([{ lane: 11 }]);
    engine.notifier.hint("dispatch", [11]);
    await expect.poll(() => stale, SOON).toBeGreaterThan(0);
    gate.open();
    await expect.poll(probe.table, SOON).toEqual([]);
    await expect.poll(() => engine.lanes.inFlight, SOON).toBe(0);
    late.open();
    await turn();
    expect(engine.lanes.rows).toBe(0); // neither as a row to start nor as a former owner's attempt
    const [next] = await probe.add([{ lane: 11 }]);
    await expect.poll(() => seqsOf(probe.sent), SOON).toEqual([seq, next]);
    await expect.poll(() => engine.lanes.rows, SOON).toBe(0);
    expect(begun).toEqual([seq, next]);
  });

  it("keeps its memory bounded, and loses nothing by it", async () => {
    const gate = latch();
    const engine = await probe.engine({ buffer: 300, answer: () => gate.passed.then(() => "done" as const) });
    await probe.add(
      many(2_000, (n) => ({ lane: n % 20, recipient: n, ...(n % 5 === 0 ? { due: Date.now() + 200 } : {}) })),
    );
    await expect.poll(() => engine.lanes.rows, SOON).toBeGreaterThan(200);
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, engine.lanes.rows)), 1);
    try {
      gate.open();
      await expect.poll(() => probe.sent.length, SOON).toBe(2_000);
    } finally {
      clearInterval(watch);
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(300);
    await expect.poll(probe.table, SOON).toEqual([]);
    expect(new Set(seqsOf(probe.sent)).size).toBe(2_000);
  });

  it("has room for a lane that gets work, however long the backlogs of the others are", async () => {
    // A lane's own bound is 200, so two of them would fill the memory, of fresh rows as of due ones.
    const engine = await probe.engine({ buffer: 300, answer: () => new Promise(() => {}) });
    await probe.add(many(1_000, (n) => ({ lane: n % 2, recipient: n })));
    await probe.add(many(1_000, (n) => ({ lane: 2 + (n % 2), recipient: n, due: Date.now() + 100 })));
    await expect.poll(() => engine.lanes.rows, SOON).toBeGreaterThan(80);
    const quiet = await probe.add(many(5, (n) => ({ lane: 9, recipient: n })));
    engine.notifier.hint("dispatch", [9]);
    await expect.poll(() => seqsOf(probe.sent).filter((seq) => quiet.includes(seq)), SOON).toEqual(quiet);
  });

  /** Twenty recipients of sixty due messages each, of which each first one is throttled five times; then one of a further recipient. */
  async function throttled(retryMs: number): Promise<{ due: number; answer: NonNullable<ProbeOptions["answer"]> }> {
    const due = Date.now() - 60_000;
    const tries = new Map<number, number>();
    const firsts = new Set(await probe.add(many(20, (n) => ({ lane: 1, recipient: n, due }))));
    await probe.add(many(20 * 59, (n) => ({ lane: 1, recipient: n % 20, due })));
    const answer = ({ seq }: QueueRow): Answer => {
      const times = (tries.get(seq) ?? 0) + 1;
      tries.set(seq, times);
      return firsts.has(seq) && times <= 5 ? { retryMs } : "done";
    };
    return { due, answer };
  }

  it("reads what is due behind more than a thousand rows that wait for recipients which back off", async () => {
    const { due, answer } = await throttled(30_000);
    const [further] = await probe.add([{ lane: 1, recipient: 999, due: due + 1 }]);
    const engine = await probe.engine({ answer });
    await expect.poll(() => seqsOf(probe.sent).includes(further as number), SOON).toBe(true);
    expect(probe.sent.length).toBe(21);
    await expect.poll(() => engine.lanes.rows, SOON).toBe(0);
  });

  it("sends what it had let go in order, over a change of owner", async () => {
    const { answer } = await throttled(300);
    const first = await probe.engine({ answer });
    await expect.poll(() => probe.sent.length, SOON).toBeGreaterThan(150);
    await first.stop();
    await probe.engine({ answer });
    await probe.add(many(40, (n) => ({ lane: 1, recipient: n % 20 })));
    await expect.poll(probe.table, within(60_000)).toEqual([]);
    const last = new Map<string, number>();
    for (const { key, seq } of probe.sent) {
      expect(seq).toBeGreaterThanOrEqual(last.get(key) ?? 0);
      last.set(key, seq);
    }
    expect(new Set(seqsOf(probe.sent)).size).toBe(20 * 62);
    await expect.poll(probe.held, SOON).toEqual([]);
  });

  it("leaves a closed lane's rows in the table and works them when it opens", async () => {
    let closed = true;
    const engine = await probe.engine({ settings: (lane) => ({ closed: closed && lane === 13 }) });
    await probe.add(many(500, (n) => ({ lane: 13, recipient: n })));
    await probe.add(many(20, (n) => ({ lane: 13, recipient: 1_000 + n, due: Date.now() - 1_000 })));
    await probe.add([{ lane: 77 }]);
    engine.notifier.hint("dispatch", [13]);
    await expect.poll(() => probe.sent.length, SOON).toBe(1);
    closed = false;
    engine.lanes.refresh("dispatch", [13]);
    await expect.poll(() => probe.sent.length, SOON).toBe(521);
    await expect.poll(probe.table, SOON).toEqual([]);
  });
});
