import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DatabaseUnavailable } from "../db/database.ts";
import { withClient } from "../testing/client.ts";
import { LANE_BUFFER } from "./queue.ts";
import { turn } from "./testing/hand-clock.ts";
import { addRows, beginRows, probeQueue } from "./testing/probe.sql.ts";
import { type Probe, rowText, type Sent, startProbe } from "./testing/probe.ts";

let probe: Probe;
beforeEach(async () => {
  probe = await startProbe();
});
afterEach(async () => {
  await probe.stop();
});

const within = (timeout: number) => ({ timeout, interval: 20 });
// Bounds below the slow sweep (5 s) tell that something quicker found the row; wide, for machines under load.
const SOON = within(20_000);
const seqsOf = (sent: readonly Sent[]): number[] => sent.map(({ seq }) => seq);
const many = (count: number, of: (n: number) => Parameters<Probe["add"]>[0][number]) =>
  Array.from({ length: count }, (_, n) => of(n));

describe("reading", () => {
  it("finds rows by a hint, and without any hint by polling", async () => {
    const engine = await probe.engine();
    await probe.add([{ lane: 1 }]);
    engine.notifier.hint("dispatch", [1]);
    await expect.poll(() => probe.sent.length, SOON).toBe(1);
    // Killed between commit and wake: nobody hints.
    await probe.add([{ lane: 2 }]);
    await expect.poll(() => probe.sent.length, within(4_500)).toBe(2);
    await expect.poll(probe.table, SOON).toEqual([]);
  });

  it("finds unhinted rows while hints for another slot never end", async () => {
    const engine = await probe.engine();
    const hints = setInterval(() => engine.notifier.hint("dispatch", [1]), 5);
    try {
      await probe.add([{ lane: 2 }]);
      await expect.poll(() => probe.sent.length, within(4_500)).toBe(1);
    } finally {
      clearInterval(hints);
    }
  });

  it("passes a full lane by, refills it, loses nothing and keeps a quiet lane of the same slot going", async () => {
    const count = LANE_BUFFER * 12;
    await probe.add(many(count, (n) => ({ lane: 3, recipient: n })));
    const quiet = await probe.add([{ lane: 67 }]);
    const engine = await probe.engine();
    await expect.poll(() => probe.sent.length, SOON).toBe(count + 1);
    expect(seqsOf(probe.sent).indexOf(quiet[0] as number)).toBeLessThan(count / 2);
    expect(new Set(seqsOf(probe.sent)).size).toBe(count + 1);
    await expect.poll(probe.table, SOON).toEqual([]);
    await expect.poll(() => engine.lanes.inAir, SOON).toBe(0);
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

  it("waits at take-over for those who are just writing, so that their later rows do not go before their first", async () => {
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
      let marks = 0;
      await probe.engine({
        database: (db) => ({
          ...db,
          sql: {
            ...db.sql,
            query: async <Row extends object>(...query: Parameters<typeof db.sql.query>) => {
              const rows = await db.sql.query<Row>(...query);
              if (query[0].includes("pg_sequence_last_value") && ++marks === 64) marked.open();
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

  it("finds by the slow sweep what everything else lost", async () => {
    let deaf = false;
    await probe.engine({
      database: (db) => ({
        ...db,
        // As if the tail had never returned it.
        call: async (fn, rows, now) => {
          const answer = await db.call(fn, rows, now);
          return (fn.name === "dispatch_tail" && deaf ? [] : answer) as never;
        },
      }),
    });
    await probe.warm();
    deaf = true;
    await probe.add([{ lane: 9 }, { lane: 9, due: Date.now() - 1_000, recipient: 2 }]);
    await expect.poll(() => probe.sent.length, within(20_000)).toBe(2);
  });

  it("does not bring a finished row back by a read that began before", async () => {
    const gate = latch();
    const late = latch();
    const begun: number[] = [];
    let stale = 0;
    let watching = false;
    const engine = await probe.engine({
      database: (db) => ({
        ...db,
        call: async (fn, rows, now) => {
          if (fn.name === "probe_begin") begun.push(...rows.map((row) => JSON.parse(row).seq as number));
          const answer = await db.call<{ seq: number }>(fn, rows, now);
          // Its snapshot has the row; it arrives when the row has gone.
          if (watching && fn.name === "dispatch_tail" && answer.some(({ seq }) => begun.includes(seq))) {
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
    await expect.poll(() => engine.lanes.inAir, SOON).toBe(0);
    late.open();
    await turn();
    expect(engine.lanes.rows).toBe(0); // neither as a row to start nor as one that somebody began
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
    await expect.poll(() => engine.lanes.rows, SOON).toBe(300);
    const watch = setInterval(() => expect(engine.lanes.rows).toBeLessThanOrEqual(300), 1);
    gate.open();
    await expect.poll(() => probe.sent.length, SOON).toBe(2_000);
    clearInterval(watch);
    await expect.poll(probe.table, SOON).toEqual([]);
    expect(new Set(seqsOf(probe.sent)).size).toBe(2_000);
  });

  it("leaves a closed lane's rows in the table and works them when it opens", async () => {
    let closed = true;
    const engine = await probe.engine({ settings: (lane) => ({ closed: closed && lane === 13 }) });
    await probe.add(many(500, (n) => ({ lane: 13, recipient: n })));
    await probe.add([{ lane: 77 }]);
    engine.notifier.hint("dispatch", [13]);
    await expect.poll(() => probe.sent.length, SOON).toBe(1);
    closed = false;
    engine.lanes.refresh("dispatch", [13]);
    await expect.poll(() => probe.sent.length, SOON).toBe(501);
    await expect.poll(probe.table, SOON).toEqual([]);
  });
});

describe("starting work", () => {
  it("makes exactly one intent for each (message, attempt) when three owners fight over the same rows", async () => {
    await probe.add(many(600, (n) => ({ lane: n % 7, recipient: n })));
    const rows = await probe.db.call<{ slot: number; seq: number; workspace_id: string; item_id: string }>(
      probeQueue.tail,
      many(7, (lane) => ({ lane })).map(({ lane }) => JSON.stringify({ slot: lane, lo: 0 })),
      Date.now(),
    );
    expect(rows).toHaveLength(600);
    // Each believes that the slots are its own: neither lease nor epoch is asked.
    const owners = ["a", "b", "c"].map((name) => `00000000-0000-7000-8000-00000000000${name}`);
    const won = await Promise.all(
      owners.flatMap((worker, order) =>
        [0, 1, 2].map(async (third) => {
          const part = rows.filter((_, n) => (n + order) % 3 === third);
          const texts = part.map((row) =>
            JSON.stringify({ ...row, message_id: row.item_id, attempt: 0, worker, epoch: 0, fenced: false }),
          );
          for (;;) {
            const answers = await probe.db
              .call<{ verdict: boolean }>(beginRows, texts, Date.now())
              .catch((error: unknown) => {
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

  it("reads an intent back whose answer was lost, and sends it once", async () => {
    let lose = 1;
    const engine = await probe.engine({
      database: (db) => ({
        ...db,
        call: async (fn, rows, now) => {
          if (fn.name === "probe_begin" && lose-- > 0) {
            // Committed; its connection broke before the answer came, and the fence says so.
            await db.call(fn, rows, now);
            const answers = await withClient(probe.database.url, (client) =>
              client.query(`select * from ${fn.installed}($1, now(), gen_random_uuid(), true)`, [
                `[${rows.join(",")}]`,
              ]),
            );
            return answers.rows as never;
          }
          return await db.call(fn, rows, now);
        },
      }),
    });
    await probe.add([{ lane: 1 }]);
    engine.notifier.hint("dispatch", [1]);
    await expect.poll(probe.table, SOON).toEqual([]);
    expect(probe.sent).toHaveLength(1);
    expect(await probe.intents()).toMatchObject([{ attempt: 1, n: 1 }]);
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
      database: (db) => ({
        ...db,
        call: (fn, rows, now) =>
          fn.name === "probe_begin" && away-- > 0
            ? Promise.reject(new DatabaseUnavailable("away"))
            : db.call(fn, rows, now),
      }),
    });
    await probe.add([{ lane: 1 }, { lane: 1 }]);
    engine.notifier.hint("dispatch", [1]);
    await expect.poll(() => probe.sent.length, SOON).toBe(2);
    expect(seqsOf(probe.sent)).toEqual(seqsOf(probe.sent).toSorted((a, b) => a - b));
    await expect.poll(probe.table, SOON).toEqual([]);
  });
});

describe("giving slots back", () => {
  it("happens although rows there wait to be tried again", async () => {
    let away = true;
    const first = await probe.engine({
      leaseMs: 3_000,
      database: (db) => ({
        ...db,
        call: (fn, rows, now) =>
          fn.name === "probe_begin" && away ? Promise.reject(new DatabaseUnavailable("away")) : db.call(fn, rows, now),
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

  it("hands a lane over at once when its owner stops, and what is in the air ends as evidence", async () => {
    const gate = latch();
    const first = await probe.engine({ beforeOutcome: () => gate.passed });
    await probe.add(many(10, (n) => ({ lane: 1, recipient: n })));
    first.notifier.hint("dispatch", [1]);
    await expect.poll(() => probe.sent.length, SOON).toBe(10);
    const second = await probe.engine();
    await probe.add(many(5, (n) => ({ lane: 1, recipient: 100 + n })));
    const before = performance.now();
    await first.lanes.stop();
    const owners = await probe.db.sql.query("select distinct owner from slot where kind = 1 and owner = $1", [
      first.lanes.membership.worker,
    ]);
    expect(owners).toEqual([]);
    expect(performance.now() - before).toBeLessThan(2_500);
    await expect.poll(() => probe.sent.filter(({ engine }) => engine === 1).length, within(4_500)).toBe(5);
    gate.open();
    await expect.poll(probe.table, SOON).toEqual([]);
    expect((await probe.intents()).every(({ n }) => n === 1)).toBe(true);
    expect(second.lanes.membership.valid()).toBe(true);
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

  it("holds over a change of owner: retries, rows put aside, rows in memory and new ones", async () => {
    // The first row backs off while 50 wait in memory and the rest were put into the table.
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

  it("lets go of a hold that has no rows any more", async () => {
    await probe.hold({ lane: 1, recipient: 1, seq: 1, until: Date.now() + 300 });
    await probe.engine();
    await expect.poll(probe.held, SOON).toEqual([]);
    await probe.add([{ lane: 1, recipient: 1 }]);
    await expect.poll(() => probe.sent.length, SOON).toBe(1);
  });
});

describe("what former owners began", () => {
  it("is left alone until its deadline and then settled, while everything else goes on", async () => {
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
    // Its recipient waits for it; unknown blocks nobody.
    await expect.poll(() => probe.sent.map(({ key }) => key), SOON).toEqual(["2", "1"]);
    await expect.poll(async () => (await probe.table()).map(({ state }) => state), SOON).toEqual([2]);
    expect((await probe.intents()).every(({ n }) => n === 1)).toBe(true);
  });

  it.each([
    ["before it is settled", 60_000, 1],
    ["after it was settled as unknown", 100, 2],
  ])("may still be answered by the former owner, %s", async (_, settleAfterMs, state) => {
    const gate = latch();
    const first = await probe.engine({ beforeOutcome: () => gate.passed });
    await probe.add([{ lane: 1 }, { lane: 1 }]);
    first.notifier.hint("dispatch", [1]);
    await expect.poll(async () => (await probe.table())[0]?.state, SOON).toBe(1);
    await first.lanes.stop(); // its send is still in the air
    await probe.engine({ settleAfterMs });
    await expect.poll(async () => (await probe.table())[0]?.state, SOON).toBe(state);
    gate.open();
    await expect.poll(probe.table, SOON).toEqual([]);
    expect(seqsOf(probe.sent)).toEqual(seqsOf(probe.sent).toSorted((a, b) => a - b));
    expect(probe.sent).toHaveLength(2);
    expect((await probe.intents()).every(({ n }) => n === 1)).toBe(true);
  });

  it("does not keep a lane waiting when more of it was begun than a read returns", async () => {
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

/** A gate that a test opens. */
function latch() {
  let pass = (): void => {};
  const self = {
    passed: Promise.resolve(),
    open: () => pass(),
    close() {
      self.passed = new Promise<void>((resolve) => {
        pass = resolve;
      });
    },
  };
  self.close();
  return self;
}

// Each recipient's first sends come in the order of arrival, and no row after one that was to be tried again.
function expectOrder(sent: readonly Sent[]): void {
  const last = new Map<string, number>();
  for (const { key, seq } of sent) {
    expect(seq).toBeGreaterThanOrEqual(last.get(key) ?? 0);
    last.set(key, seq);
  }
}
