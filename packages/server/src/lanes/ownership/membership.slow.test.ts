import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openDatabase, type Sql } from "../../db/database.ts";
import { createLog } from "../../lib/log.ts";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { Membership } from "./membership.ts";

const LEASE_MS = 3_000;

let database: TestDatabase;
let db: ReturnType<typeof openDatabase>;
let workers: Worker[];

beforeEach(async () => {
  database = await testDatabase();
  db = openDatabase({ url: database.url, appRole: "", onError: () => undefined });
  workers = [];
});
afterEach(async () => {
  for (const worker of workers) worker.unblock();
  await Promise.all(workers.map((worker) => worker.membership.leave()));
  await db.close();
  await database.drop();
});

type Worker = {
  membership: Membership;
  slots: Map<number, number>;
  losses: number;
  /** From now on the database does not answer it, until `unblock`. */
  block(): void;
  unblock(): void;
};

/** A process with nothing but a membership; it gives a surplus back at once. */
async function join(wrap: (sql: Sql) => Sql = (sql) => sql): Promise<Worker> {
  let gate: Promise<void> = Promise.resolve();
  let open = (): void => {};
  const slots = new Map<number, number>();
  const gated: Sql = {
    query: async (text, values) => {
      await gate;
      return await db.sql.query(text, values);
    },
    run: async (text, values) => {
      await gate;
      return await db.sql.run(text, values);
    },
  };
  const worker: Omit<Worker, "membership"> = {
    slots,
    losses: 0,
    block() {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    unblock: () => open(),
  };
  const membership = new Membership({
    sql: wrap(gated),
    roles: ["dispatch"],
    version: "0.0.0",
    leaseMs: LEASE_MS,
    log: createLog("silent"),
    announceRelease() {
      for (const other of workers) if (other.slots !== slots) other.membership.takeNow();
    },
  });
  await membership.join([
    {
      kind: "dispatch",
      role: "dispatch",
      gained(taken) {
        for (const [slot, epoch] of taken) {
          for (const other of workers)
            if (other.slots.has(slot) && other.membership.valid()) throw new Error(`two workers hold slot ${slot}`);
          slots.set(slot, epoch);
        }
      },
      gone(taken) {
        for (const slot of taken) slots.delete(slot);
      },
      lost() {
        slots.clear();
        worker.losses += 1;
      },
      surplus(count) {
        for (const slot of [...slots.keys()].slice(0, count)) {
          slots.delete(slot);
          membership.release("dispatch", slot);
        }
      },
    },
  ]);
  const joined = Object.assign(worker, { membership });
  workers.push(joined);
  return joined;
}

const SOON = { timeout: 15_000, interval: 10 };

async function owners(): Promise<Map<string | null, number>> {
  const rows = await db.sql.query<{ owner: string | null; n: number }>(
    "select owner, count(*)::int as n from slot where kind = 1 group by owner",
  );
  return new Map(rows.map(({ owner, n }) => [owner, n]));
}

describe("the slots of workers", () => {
  it("are all taken by the only worker without waiting for a beat", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }); // so that no beat comes by itself
    try {
      const only = await join();
      await expect.poll(() => only.slots.size, SOON).toBe(64);
      await only.membership.leave();
    } finally {
      vi.useRealTimers();
    }
  });

  it("are shared fairly with workers that join", async () => {
    const first = await join();
    await expect.poll(() => first.slots.size, SOON).toBe(64);
    const second = await join();
    expect(second.slots.size).toBe(0); // not before its first beat
    await expect.poll(() => [first.slots.size, second.slots.size], SOON).toEqual([32, 32]);
    const third = await join();
    await expect
      .poll(() => workers.map(({ slots }) => slots.size).toSorted((a, b) => a - b), SOON)
      .toEqual([20, 22, 22]);
    expect(third.membership.live("dispatch")).toBe(3);
    expect(first.losses + second.losses + third.losses).toBe(0);
  });

  it("go to others when a lease lapses, and never while its owner still takes it for valid", async () => {
    const first = await join();
    const second = await join();
    await expect.poll(() => second.slots.size, SOON).toBe(32);
    const id = first.membership.worker;
    first.block();
    // `gained` throws when the former owner still holds them.
    await expect.poll(() => second.slots.size, SOON).toBe(64);
    expect(first.membership.valid()).toBe(false);
    expect(first.losses).toBe(0); // it does not know yet
    first.unblock();
    await expect.poll(() => first.losses, SOON).toBe(1);
    await expect.poll(() => [first.slots.size, second.slots.size], SOON).toEqual([32, 32]);
    expect(first.membership.worker).not.toBe(id);
    expect((await owners()).has(id)).toBe(false);
  });

  it("are dropped and taken again by a worker whose renewal finds its lease lapsed", async () => {
    const only = await join();
    const id = only.membership.worker;
    await expect.poll(() => only.slots.size, SOON).toBe(64);
    await db.sql.run("update worker set expires_at = clock_timestamp() - interval '1 second'");
    await expect.poll(() => only.losses, SOON).toBe(1);
    // The lapsed row is never renewed: the worker registers again.
    await expect.poll(() => only.slots.size, SOON).toBe(64);
    expect(only.membership.worker).not.toBe(id);
    expect(only.membership.valid()).toBe(true);
    expect([...only.slots.values()]).toEqual(Array.from({ length: 64 }, () => 2));
  });

  it("are released at once by a worker that leaves, whose lease is not valid from then on", async () => {
    const first = await join();
    const second = await join();
    await expect.poll(() => second.slots.size, SOON).toBe(32);
    await first.membership.leave();
    // They are free before the lease could have lapsed.
    expect((await owners()).has(first.membership.worker)).toBe(false);
    expect(first.membership.valid()).toBe(false);
    first.slots.clear();
    await expect.poll(() => second.slots.size, SOON).toBe(64);
    const rows = await db.sql.query("select id from worker");
    expect(rows).toEqual([{ id: second.membership.worker }]);
    // An announcement of free slots that arrives too late does not bring it back.
    first.membership.takeNow();
    await second.membership.leave();
    expect(await db.sql.query("select id from worker")).toEqual([]);
  });

  it("are found again when the answer of their taking was lost", async () => {
    const first = await join();
    let lost = 0;
    const second = await join((sql) => ({
      ...sql,
      query: async (text, values) => {
        const rows = await sql.query(text, values);
        if (text.includes("update slot") && rows.length > 0 && lost === 0) {
          lost = rows.length;
          throw new Error("the connection was lost");
        }
        return rows as never;
      },
    }));
    await expect.poll(() => [first.slots.size, second.slots.size], SOON).toEqual([32, 32]);
    expect(lost).toBeGreaterThan(0);
    expect(await owners()).toEqual(new Map([first, second].map(({ membership }) => [membership.worker, 32])));
  });

  it("are given back by the next beat when giving them back failed", async () => {
    let fails = 0;
    const first = await join((sql) => ({
      ...sql,
      run: async (text, values) => {
        if (!text.includes("update slot") || fails > 0) return await sql.run(text, values);
        fails += 1;
        throw new Error("the database was restarted");
      },
    }));
    await expect.poll(() => first.slots.size, SOON).toBe(64);
    const second = await join();
    await expect.poll(() => fails, SOON).toBe(1);
    await expect.poll(() => [first.slots.size, second.slots.size], SOON).toEqual([32, 32]);
    expect(await owners()).toEqual(new Map([first, second].map(({ membership }) => [membership.worker, 32])));
    expect(workers.map(({ membership }) => membership.unworked)).toEqual([0, 0]);
  });

  it("are reported as not worked while giving them back goes on failing", async () => {
    let away = true;
    const first = await join((sql) => ({
      ...sql,
      run: async (text, values) => {
        if (text.includes("update slot") && away) throw new Error("the database was restarted");
        return await sql.run(text, values);
      },
    }));
    await expect.poll(() => first.slots.size, SOON).toBe(64);
    const second = await join();
    await expect.poll(() => first.membership.unworked, SOON).toBe(32);
    away = false;
    await expect.poll(() => first.membership.unworked, SOON).toBe(0);
    await expect.poll(() => second.slots.size, SOON).toBe(32);
  });

  it("are given back by a worker that has its full share already, and dropped where the table takes them away", async () => {
    const first = await join();
    const second = await join();
    await expect.poll(() => [first.slots.size, second.slots.size], SOON).toEqual([32, 32]);
    // As by a statement that ran late, after its connection was given up.
    await db.sql.run(
      "update slot set owner = $1, epoch = epoch + 1 where kind = 1 and slot in (select slot from slot where kind = 1 and owner = $2 limit 5)",
      [first.membership.worker, second.membership.worker],
    );
    const asTheTableSays = async () => {
      const rows = await db.sql.query<{ slot: number; epoch: number; owner: string }>(
        "select slot, epoch, owner from slot where kind = 1",
      );
      const of = ({ membership }: Worker) => rows.filter(({ owner }) => owner === membership.worker);
      return workers.every((worker) => {
        const table = of(worker);
        return table.length === worker.slots.size && table.every(({ slot, epoch }) => worker.slots.get(slot) === epoch);
      });
    };
    expect(await asTheTableSays()).toBe(false);
    await expect.poll(asTheTableSays, SOON).toBe(true);
    await expect.poll(() => [first.slots.size, second.slots.size], SOON).toEqual([32, 32]);
    expect(await owners()).toEqual(new Map([first, second].map(({ membership }) => [membership.worker, 32])));
  });

  it("stay with a worker when one of its connections goes silent", async () => {
    let silent = false;
    const first = await join((sql) => ({
      ...sql,
      query: async (text, values) => {
        if (!silent) return await sql.query(text, values);
        silent = false;
        return await new Promise(() => {});
      },
    }));
    await expect.poll(() => first.slots.size, SOON).toBe(64);
    const id = first.membership.worker;
    silent = true;
    await expect.poll(() => silent, SOON).toBe(false);
    // Longer than what was left of the lease then.
    const renewed = async () =>
      (
        await db.sql.query<{ far: boolean }>(
          "select expires_at > clock_timestamp() + $2::interval as far from worker where id = $1",
          [id, `${LEASE_MS - 700} milliseconds`],
        )
      )[0]?.far;
    await expect.poll(renewed, SOON).toBe(true);
    expect(first.losses).toBe(0);
  });
});
