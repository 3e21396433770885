import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase, type Sql } from "../db/database.ts";
import { createLog } from "../lib/log.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { joinWorkers, type Membership } from "./membership.ts";

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
  const membership = await joinWorkers({
    sql: wrap(gated),
    roles: ["dispatch"],
    version: "0.0.0",
    leaseMs: LEASE_MS,
    log: createLog("silent"),
    owners: [
      {
        kind: "dispatch",
        role: "dispatch",
        gained(slot, epoch) {
          for (const other of workers)
            if (other.slots.has(slot) && other.membership.valid()) throw new Error(`two believe in slot ${slot}`);
          slots.set(slot, epoch);
        },
        lost() {
          slots.clear();
          worker.losses += 1;
        },
        surplus(count) {
          for (const slot of [...slots.keys()].slice(0, count)) {
            slots.delete(slot);
            void membership.release("dispatch", slot);
          }
        },
      },
    ],
    announceRelease() {
      for (const other of workers) if (other.slots !== slots) other.membership.takeNow();
    },
  });
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
  it("are all taken at once by the only one, and shared fairly with those who join", async () => {
    const first = await join();
    await expect.poll(() => first.slots.size, { ...SOON, timeout: LEASE_MS / 12 }).toBe(64); // it waits for no beat
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

  it("go to others when a lease lapses, and never before its owner has stopped to believe in it", async () => {
    const first = await join();
    const second = await join();
    await expect.poll(() => second.slots.size, SOON).toBe(32);
    const id = first.membership.worker;
    first.block();
    // `gained` throws when the former owner still believes.
    await expect.poll(() => second.slots.size, SOON).toBe(64);
    expect(first.membership.valid()).toBe(false);
    expect(first.losses).toBe(0); // it does not know yet
    first.unblock();
    await expect.poll(() => first.losses, SOON).toBe(1);
    await expect.poll(() => [first.slots.size, second.slots.size], SOON).toEqual([32, 32]);
    expect(first.membership.worker).not.toBe(id);
    expect((await owners()).has(id)).toBe(false);
  });

  it("are dropped and taken anew by a worker whose renewal finds its lease lapsed", async () => {
    const only = await join();
    const id = only.membership.worker;
    await expect.poll(() => only.slots.size, SOON).toBe(64);
    await db.sql.run("update worker set expires_at = clock_timestamp() - interval '1 second'");
    await expect.poll(() => only.losses, SOON).toBe(1);
    // Its old row is dead for good: nobody comes back from there.
    await expect.poll(() => only.slots.size, SOON).toBe(64);
    expect(only.membership.worker).not.toBe(id);
    expect(only.membership.valid()).toBe(true);
    expect([...only.slots.values()]).toEqual(Array.from({ length: 64 }, () => 2));
  });

  it("are let go at once by one that leaves, which believes in nothing from then on", async () => {
    const first = await join();
    const second = await join();
    await expect.poll(() => second.slots.size, SOON).toBe(32);
    const before = performance.now();
    await first.membership.leave();
    expect(first.membership.valid()).toBe(false);
    first.slots.clear();
    await expect.poll(() => second.slots.size, SOON).toBe(64);
    expect(performance.now() - before).toBeLessThan(2_500);
    const rows = await db.sql.query("select id from worker");
    expect(rows).toEqual([{ id: second.membership.worker }]);
    // A word of free slots that comes too late does not bring it back.
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
});
