import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { App } from "../../packages/server/src/ctx.ts";
import { openDatabase } from "../../packages/server/src/db/database.ts";
import { INDEXES } from "../../packages/server/src/db/indexes.ts";
import { MIGRATION_LOCK } from "../../packages/server/src/db/locks.ts";
import { readRoles } from "../../packages/server/src/db/migrate.ts";
import { retain } from "../../packages/server/src/features/retention/retention.ts";
import { uuidFloor } from "../../packages/server/src/lib/ids.ts";
import { createLog } from "../../packages/server/src/lib/log.ts";
import { readConfig } from "../../packages/server/src/process/config/config.ts";
import { install } from "../../packages/server/src/process/install.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import type { TestDatabase } from "../../packages/server/src/testing/database.ts";
import { PATIENCE } from "../../packages/server/src/testing/patience.ts";
import { GROWING } from "./bloat.ts";
import { installedDatabase, runChild } from "./databases.ts";
import { indexesOf, makeOld } from "./old-indexes.ts";

let installed: Awaited<ReturnType<typeof installedDatabase>>;
let open: TestDatabase[] = [];
beforeAll(async () => {
  installed = await installedDatabase();
});
afterEach(async () => {
  for (const database of open.splice(0)) await database.drop();
});
afterAll(() => installed.drop());

/** Installed, and then as an earlier version left it, with partitions of its own. */
async function oldDatabase(): Promise<TestDatabase> {
  const database = await newDatabase();
  await withClient(database.url, makeOld);
  return database;
}

async function newDatabase(): Promise<TestDatabase> {
  const database = await installed.copy();
  open = [...open, database];
  return database;
}

describe("the second indexes of growing tables", () => {
  it("share no column with the key, or are partial: none can serve a look-up by it", async () => {
    const { url } = await newDatabase();
    const rows = await query<{ table: string; name: string; shared: string[] }>(
      url,
      `select i.indrelid::regclass::text as table, i.indexrelid::regclass::text as name,
         array(select a.attname::text from pg_attribute a
               where a.attrelid = i.indrelid and a.attnum = any(i.indkey::int2[]) and a.attnum = any(k.indkey::int2[])) as shared
       from pg_index i join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace
       join pg_index k on k.indrelid = i.indrelid and k.indisprimary
       where not i.indisprimary and i.indpred is null`,
    );
    const growing = rows.filter(({ table }) => GROWING.test(table));
    expect(growing.map(({ name }) => name)).toEqual(expect.arrayContaining(["dispatch_by_lane", "task_by_lane"]));
    expect(growing.filter(({ shared }) => shared.length > 0)).toEqual([]);
  });
});

describe("an upgrade", { timeout: 300_000 }, () => {
  it("leaves the indexes that a new installation has, and the old ones while an old process runs", async () => {
    const { url } = await oldDatabase();
    const other = await newDatabase();
    await query(url, "insert into function_use (name) values ('dispatch_lanes_0123456789')");
    await install(url);
    const wanted = await query<{ definition: string }>(other.url, indexesOf);
    const both = await query<{ definition: string }>(url, indexesOf);
    expect(both).toEqual(expect.arrayContaining(wanted));
    const names = (await query<{ name: string }>(url, "select indexname as name from pg_indexes")).map(
      (row) => row.name,
    );
    expect(names).toEqual(expect.arrayContaining(INDEXES.flatMap(({ instead }) => instead ?? [])));

    await query(url, "update function_use set last_used = now() - interval '4 hours' where name like '%0123456789'");
    await maintain(url);
    expect(await query(url, indexesOf)).toEqual(wanted);
  });

  it("that was killed in the midst of an index drops what it left and builds it again", async () => {
    const { url } = await oldDatabase();
    await withClient(url, async (writer) => {
      // Indexes are built beside it, and wait for it.
      await writer.query(
        "begin; insert into flight (id) values (gen_random_uuid()); lock table task in row exclusive mode",
      );
      const child = await runChild("migrate-child.ts", [url]);
      await waiting(url, "task_by_lane");
      child.kill("SIGKILL");
      await child.ended;
      await endBuilding(url);
    });
    const states = "select indexrelid::regclass::text as name, indisvalid as valid from pg_index where not indisvalid";
    expect(await query(url, states)).toEqual([{ name: "task_by_lane", valid: false }]);
    await install(url);
    expect(await query(url, states)).toEqual([]);
    expect(await query(url, "select to_regclass('task_by_lane') is not null as there")).toEqual([{ there: true }]);
  });

  it("that was killed between the parts of a partitioned index goes on with the rest", async () => {
    const { url } = await oldDatabase();
    await withClient(url, olderMonths);
    await withClient(url, async (writer) => {
      const [last] = await query<{ name: string }>(
        url,
        "select max(inhrelid::regclass::text) as name from pg_inherits where inhparent = 'message'::regclass",
      );
      await writer.query(`begin; lock table ${last?.name} in row exclusive mode`);
      const child = await runChild("migrate-child.ts", [url]);
      await waiting(url, `${last?.name}_by_contact`);
      child.kill("SIGKILL");
      await child.ended;
      await endBuilding(url);
    });
    expect(await query(url, "select to_regclass('message_by_contact') as there")).toEqual([{ there: null }]);
    await install(url);
    const other = await newDatabase();
    await withClient(other.url, olderMonths);
    expect(await query(url, indexesOf)).toEqual(await query(other.url, indexesOf));
  });

  it("lets an older process pass, which waits for its turn with a snapshot that is waited for", async () => {
    const { url } = await oldDatabase();
    const [writer, older] = await Promise.all([connected(url), connected(url)]);
    await writer.query("begin; lock table task in row exclusive mode");
    const installed = install(url);
    await waiting(url, "task_by_lane");
    // As versions before this one begin; the index waits for the writer, and would for this statement.
    await older.query("set lock_timeout = '5s'");
    await older.query("select pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await writer.query("commit");
    await Promise.all([older.end(), writer.end()]);
    await installed;
    expect(await query(url, "select from pg_index where not indisvalid")).toEqual([]);
  });

  it("is made by one of many that start at once", async () => {
    const { url } = await oldDatabase();
    const ends = await Promise.all([1, 2, 3, 4].map(async () => (await runChild("migrate-child.ts", [url])).ended));
    expect(ends.map(({ code, complaint }) => ({ code, complaint }))).toEqual(
      ends.map(() => ({ code: 0, complaint: "" })),
    );
    expect(await query(url, indexesOf)).toEqual(await query((await newDatabase()).url, indexesOf));
  });
});

/** Five years of messages, with those that an installation makes. */
async function olderMonths(client: Client): Promise<void> {
  for (let month = 0; month < 55; month++) {
    const [from, to] = [month, month + 1].map((each) => uuidFloor(Date.UTC(2020, each, 1)));
    await client.query(
      `create table message_${2020_01 + Math.floor(month / 12) * 100 + (month % 12)} partition of message for values from ('${from}') to ('${to}')`,
    );
  }
}

/** An hourly round of the role `maintenance`. */
async function maintain(url: string): Promise<void> {
  const roles = await readRoles(url);
  const db = openDatabase({ url, appRole: roles?.appRole ?? "", onError: () => {} });
  const clock = { now: () => Date.now(), monotonic: () => performance.now(), after: () => () => {} };
  const config = readConfig({ DATABASE_URL: url });
  await retain({ config, clock, db, log: createLog("silent") } as unknown as App); // no other part is used
  await db.close();
}

const BUILDING =
  "select pid, wait_event, substring(query from 'index concurrently (\\w+)') as name from pg_stat_activity where datname = current_database() and query like 'create index concurrently %' and state = 'active'";

/** Until this index alone is being built, is in the catalogue, and waits for other transactions. A process that starts and builds fifty before it takes a while. */
const waiting = (url: string, name: string): Promise<void> =>
  vi.waitFor(
    async () => {
      expect(await query(url, `select name, wait_event from (${BUILDING}) b`)).toEqual([
        { name, wait_event: "virtualxid" },
      ]);
    },
    { timeout: 120_000, interval: 50 },
  );

/** Ends what a killed process had the server do, which does not learn of the kill while it builds. */
async function endBuilding(url: string): Promise<void> {
  await query(url, `select pg_terminate_backend(pid) from (${BUILDING}) b`);
  await vi.waitFor(async () => expect(await query(url, BUILDING)).toEqual([]), PATIENCE);
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  return await withClient(url, async (client) => (await client.query<Row>(text)).rows);
}
