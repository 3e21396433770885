import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Database, DatabaseUnavailable, openDatabase } from "../../packages/server/src/db/database.ts";
import { withLongSession } from "../../packages/server/src/db/session.ts";
import { openNotifier } from "../../packages/server/src/lanes/ownership/notifier.ts";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import { createLog } from "../../packages/server/src/lib/log.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { type TestDatabase, testDatabase } from "../../packages/server/src/testing/database.ts";
import { type Network, openNetwork } from "../process/network.ts";

// Connections that swallow what is said on them, seen from the inside: no socket of theirs outlives what waited on it.
const WORKSPACE = newUuid(Date.now());
const log = createLog("silent");

let database: TestDatabase;
let network: Network;
let db: Database;
let close: () => Promise<void>;
beforeEach(async () => {
  database = await testDatabase();
  const [installed] = await withClient(database.url, async (client) => {
    return (await client.query<{ role: string }>("select app_role as role from installation")).rows;
  });
  network = await openNetwork(database.url);
  db = openDatabase({ url: network.url, appRole: installed?.role ?? "", onError: () => undefined });
  let closed: Promise<void> | null = null;
  close = () => (closed ??= db.close());
});
afterEach(async () => {
  await close();
  await network.close();
  // Silent connections too: the server does not learn that their clients are gone until the network ends them.
  await expect.poll(sessions).toBe(0);
  await database.drop();
});

const sessions = (): Promise<number> =>
  withClient(database.url, async (client) => {
    const ours = "datname = current_database() and application_name ^@ 'waypost ' and pid <> pg_backend_pid()";
    return (await client.query(`select from pg_stat_activity where ${ours}`)).rows.length;
  });

/**
 * Until each of these is answered. Connections are given up after times of the real length, which a busy machine may need for one: what a
 * test is about begins when they are there.
 */
async function answered(...calls: (() => Promise<unknown>)[]): Promise<void> {
  const all = (): Promise<boolean> =>
    Promise.all(calls.map((call) => call())).then(
      () => true,
      () => false,
    );
  await expect.poll(all).toBe(true);
}

const read = () => db.read(WORKSPACE, (sql) => sql.query<{ one: number }>("select 1 as one"));

/**
 * Milliseconds. The tests compare them with what the same would take that waited for the silence: 5 s for a connection, 8.5 s for a
 * statement. How much less it is depends on the machine.
 */
async function elapsed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

describe("a silent connection", () => {
  it("of the lease costs 2 s, and those of others are not used again", async () => {
    await answered(read, read, read, () => db.lease.query("select"));
    network.swallow("open");
    const lease = () => expect(db.lease.query("select")).rejects.toBeInstanceOf(DatabaseUnavailable);
    expect(await elapsed(lease)).toBeLessThan(7_000);
    expect(network.lost).toBe(1);
    await answered(read, () => db.lease.query("select"));
    expect(network.lost).toBe(1);
  });

  it("does not keep a verb's own refusal, nor its place", async () => {
    await answered(read);
    db.hurry();
    const refusal = new Error("refused by the verb");
    const took = elapsed(async () => {
      const refused = db.transaction(WORKSPACE, async (sql) => {
        await sql.run("select");
        network.swallow("open");
        throw refusal;
      });
      await expect(refused).rejects.toBe(refusal);
    });
    expect(await took).toBeLessThan(7_000);
    await expect.poll(() => network.open).toBe(0);
    // The silence puts the database in doubt until it has answered again.
    await answered(read);
  });

  it("does not delay closing: connections that are idle, waiting or connecting are destroyed", async () => {
    await answered(read, read, () => db.sql.query("select"));
    network.swallow("all");
    const waiting = [read(), db.sql.query("select")].map((work) => work.catch((error: unknown) => error));
    expect(await elapsed(close)).toBeLessThan(4_000);
    for (const fault of await Promise.all(waiting)) expect(fault).toBeInstanceOf(DatabaseUnavailable);
    await expect.poll(() => network.open).toBe(0);
  });

  it("of a session of its own takes no goodbye and is left", async () => {
    const session = () =>
      withLongSession(network.url, "test", async (sql) => {
        await sql.query("select");
        network.swallow("open");
      });
    await answered(session);
    await expect.poll(() => network.open).toBe(0);
  });

  it("of LISTEN is detected, the connection opened again, and closing is not delayed", async () => {
    const notifier = await openNotifier(network.url, log);
    await expect.poll(() => notifier.listening).toBe(true);
    network.swallow("open");
    notifier.hint("task", [1]);
    await expect.poll(() => notifier.listening).toBe(false);
    await expect.poll(() => notifier.listening).toBe(true);
    network.swallow("all");
    expect(await elapsed(() => notifier.close())).toBeLessThan(4_000);
    await expect.poll(() => network.open).toBe(0);
  });
});
