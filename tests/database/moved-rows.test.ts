import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { waitForLocks } from "../../packages/server/src/testing/patience.ts";
import { urlOf } from "../../packages/server/src/testing/template.ts";
import { adminUrl } from "./databases.ts";
import { callHot, exampleOf, installedName, openWorld } from "./hot-examples.ts";
import { NOW, type Owned, ownedDatabase } from "./owned.ts";
import { makeTenant, type Tenant } from "./rows.ts";

// Finished queue rows are deleted by their places. Here each of them gets another place while the call that ends it runs, as when
// another owner, who had the slot before, writes to it.

const WHY = "the login of DATABASE_URL is no superuser";
let database: Owned;
let admin: string | null;
let tenant: Tenant;
let mover: Client;
let caller: Client;
/** Not in a transaction: there `pg_stat_activity` would not change. */
let watcher: Client;

beforeAll(async () => {
  database = await ownedDatabase();
  const url = await adminUrl();
  admin = url === null ? null : urlOf(url, new URL(database.url).pathname.slice(1));
});
beforeEach(async () => {
  tenant = await makeTenant(database.db, "+15551230000", NOW);
  if (admin === null) return;
  const connect = async (): Promise<Client> => {
    const client = new Client({ connectionString: admin ?? "" });
    await client.connect();
    return client;
  };
  [mover, caller, watcher] = [await connect(), await connect(), await connect()];
});
afterEach(async () => {
  for (const client of [mover, caller, watcher]) await client?.end();
});
afterAll(() => database.drop());

/** Calls the function for these rows while the mover writes to all rows of the queue; how many the tenant has left afterwards. */
async function callWhileMoved(
  name: string,
  queue: "dispatch" | "deliver" | "redeliver",
  rows: readonly object[],
): Promise<number> {
  await waitForLocks(database.url, installedName(name));
  await mover.query("begin");
  await mover.query(`update ${queue} set due = due`);
  expect(await left(queue)).toBeGreaterThanOrEqual(rows.length);
  const call = callHot(caller, name, rows);
  const waiting = `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%${installedName(name)}%'`;
  await expect.poll(() => count(waiting)).toBe(1);
  await mover.query("commit");
  await call;
  return await left(queue);
}

const left = (queue: string): Promise<number> => count(`${queue} where workspace_id = '${tenant.workspace}'`);

const count = async (rows: string): Promise<number> =>
  (await watcher.query<{ count: number }>(`select count(*)::int as count from ${rows}`)).rows[0]?.count ?? -1;

it("a send that is settled leaves the queue, wherever its row is by then", async (context) => {
  if (admin === null) return context.skip(WHY);
  const rows = await exampleOf("settle_sends").rows(await openWorld(mover), tenant);
  expect(
    await callWhileMoved(
      "settle_sends",
      "dispatch",
      rows.map((row) => ({ ...row, outcome: "accepted" })),
    ),
  ).toBe(0);
});

it("a message that is canceled leaves the queue too", async (context) => {
  if (admin === null) return context.skip(WHY);
  const rows = await exampleOf("cancel_messages").rows(await openWorld(mover), tenant);
  expect(await callWhileMoved("cancel_messages", "dispatch", rows)).toBe(0);
});

it("a delivery is recorded once, and its row may stay until the other owner has stored its own attempt", async (context) => {
  if (admin === null) return context.skip(WHY);
  const found = await exampleOf("deliver_outcomes").rows(await openWorld(mover), tenant);
  const rows = found.map((row) => ({ ...row, result: "succeeded", due: null }));
  const recorded = async (): Promise<object[]> =>
    (await mover.query("select status, attempt, json_array_length(attempts) as attempts from delivery")).rows;
  const once = rows.map(() => ({ status: "succeeded", attempt: 1, attempts: 1 }));
  await callWhileMoved("deliver_outcomes", "deliver", rows);
  expect(await recorded()).toEqual(once);
  await callHot(caller, "deliver_outcomes", rows);
  expect([await left("deliver"), await recorded()]).toEqual([0, once]);
});

it("one that was asked for is recorded once too, and counts for its replay as its row goes", async (context) => {
  if (admin === null) return context.skip(WHY);
  const found = await exampleOf("redeliver_outcomes").rows(await openWorld(mover), tenant);
  const rows = found.map((row) => ({ ...row, result: "succeeded", due: null }));
  const counted = async (): Promise<object[]> =>
    (
      await mover.query("select succeeded::int, failed::int from replay_count where workspace_id = $1", [
        tenant.workspace,
      ])
    ).rows;
  const recorded = async (): Promise<object[]> =>
    (
      await mover.query(
        "select status, attempt, json_array_length(attempts) as n from delivery where workspace_id = $1",
        [tenant.workspace],
      )
    ).rows;
  const once = rows.map(() => ({ status: "succeeded", attempt: 14, n: 1 }));
  await callWhileMoved("redeliver_outcomes", "redeliver", rows);
  expect([await recorded(), await counted()]).toEqual([once, []]);
  await callHot(caller, "redeliver_outcomes", rows);
  const ended = [{ succeeded: rows.length, failed: 0 }];
  expect([await left("redeliver"), await recorded(), await counted()]).toEqual([0, once, ended]);
});

it("a delivery is asked for as it is when those that write it have ended", async (context) => {
  if (admin === null) return context.skip(WHY);
  const rows = await exampleOf("ask_redeliveries").rows(await openWorld(mover), tenant);
  const again = rows.slice(0, 1).map((row) => ({ ...row, reopens: ["succeeded"], creates: false }));
  await mover.query("begin");
  await mover.query("update delivery set status = 'succeeded' where workspace_id = $1", [tenant.workspace]);
  const call = callHot(caller, "ask_redeliveries", again);
  const waiting = `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%${installedName("ask_redeliveries")}%'`;
  await expect.poll(() => count(waiting)).toBe(1);
  await mover.query("commit");
  expect(await call).toMatchObject([{ outcome: "asked" }]);
});
