import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { App } from "../../packages/server/src/ctx.ts";
import { openDatabase } from "../../packages/server/src/db/database.ts";
import { columns, hotFunction, of, recordset } from "../../packages/server/src/db/hot-function.ts";
import { migrate } from "../../packages/server/src/db/migrate.ts";
import { ensurePartitions } from "../../packages/server/src/db/partitions.ts";
import { retain } from "../../packages/server/src/features/retention/retention.ts";
import { HOT_FUNCTIONS } from "../../packages/server/src/features.ts";
import { SLOTS } from "../../packages/server/src/lanes/lane-kinds.ts";
import { DAY_MS } from "../../packages/server/src/lib/duration.ts";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import { createLog } from "../../packages/server/src/lib/log.ts";
import { readConfig } from "../../packages/server/src/process/config/config.ts";
import { install } from "../../packages/server/src/process/install.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { type TestDatabase, testDatabase } from "../../packages/server/src/testing/database.ts";
import { makeTenant, type Tenant } from "./rows.ts";

const NOW = Date.now();
const daysAgo = (days: number): number => NOW - days * DAY_MS;
const date = (days: number): string => new Date(daysAgo(days)).toISOString();
const id = (days: number): string => newUuid(daysAgo(days));

const SEED = columns({ t: "text", fields: "json" });
const LOOK = columns({ sql: "text" });

/** Rows of any table, written as the engine writes them. */
const seed = hotFunction({
  name: "seed_test",
  input: SEED,
  answers: columns({ seeded: "int" }),
  declare: "r record;",
  body: `
for r in select * from ${recordset(SEED)} loop
  execute format('insert into %I (%s) select %s from json_populate_record(null::%I, $1)', r.t,
    (select string_agg(quote_ident(k), ', ') from json_object_keys(r.fields) k), (select string_agg(quote_ident(k), ', ') from json_object_keys(r.fields) k), r.t) using r.fields;
end loop;
return query select 1;`,
});
/** What tests look at, over all workspaces. */
const look = hotFunction({
  name: "look_test",
  writes: false,
  input: LOOK,
  answers: columns({ value: of<object[]>("json") }),
  declare: "r record;",
  body: `
for r in select * from ${recordset(LOOK)} loop
  return query execute 'select coalesce(json_agg(x), ''[]'') from (' || r.sql || ') x';
end loop;`,
});

let database: TestDatabase;
let app: App;
let tenant: Tenant;

beforeEach(async () => {
  database = await testDatabase();
  const { appRole } = await migrate(database.url, { functions: [...HOT_FUNCTIONS, seed, look], slots: SLOTS });
  const db = openDatabase({ url: database.url, appRole, onError: () => {} });
  const config = readConfig({ DATABASE_URL: database.url, RETENTION_DAYS: "messages=60,events=10" });
  const clock = { now: () => NOW, monotonic: () => performance.now(), after: () => () => {} };
  app = { config, clock, db, log: createLog("silent") } as unknown as App; // no other part is used here
  tenant = await makeTenant(db, "+15551230001");
});
afterEach(async () => {
  await app.db.close();
  await database.drop();
});

it("partitions of the past may be asked for by many at once", async () => {
  const ago = Array.from({ length: 24 }, (_, n) => daysAgo(200 + 31 * (n % 3)));
  await Promise.all(ago.map((now) => ensurePartitions(app.db.sql, now)));
  expect((await partitions())["message"]).toBe(`message_${monthBefore(daysAgo(262))}`);
});

describe("retention of partitions", () => {
  it("drops what is older than its class allows, and nothing younger", async () => {
    for (const days of [150, 90, 60, 31, 20]) await ensurePartitions(app.db.sql, daysAgo(days));
    await retain(app);
    const oldest = await partitions();
    for (const table of ["message", "message_state", "history", "attempt"])
      expect(oldest[table]).toBe(`${table}_${month(daysAgo(60))}`);
    // Kept for a year: what was made is still there.
    expect(oldest["audit"] ?? "").toBe(`audit_${monthBefore(daysAgo(150))}`);
    expect(oldest["event"]).toBe(`event_${day(daysAgo(10))}`);
    expect(oldest["callback"]).toBe(`callback_${day(daysAgo(30))}`);
  });

  it("keeps a partition whose queue still has rows", async () => {
    for (const days of [150, 120, 90]) await ensurePartitions(app.db.sql, daysAgo(days));
    const waiting = id(120);
    await sow("dispatch", {
      slot: 1,
      lane: 1,
      workspace_id: tenant.workspace,
      message_id: waiting,
      recipient: 1,
      attempt: 0,
      state: 0,
      due: date(-1),
    });
    await sow("ingest", { slot: 1, lane: 1, callback_id: id(90), due: date(-1), attempt: 0 });
    await sow("deliver", {
      slot: 1,
      lane: 1,
      workspace_id: tenant.workspace,
      delivery_id: id(20),
      event_id: id(20),
      conversation: 1,
      attempt: 0,
      due: date(-1),
    });
    await ensurePartitions(app.db.sql, daysAgo(20));
    await retain(app);
    const oldest = await partitions();
    expect(oldest["message"]).toBe(`message_${month(daysAgo(120))}`);
    expect(oldest["history"]).toBe(oldest["message"]?.replace("message", "history"));
    expect(oldest["callback"]).toBe(`callback_${day(daysAgo(90))}`);
    // A switched-off endpoint's events wait 30 days, though events are kept for 10.
    expect(oldest["event"]).toBe(`event_${day(daysAgo(20))}`);
  });

  it("tries again for a partition that is being read, and completes one that is half detached", async () => {
    await ensurePartitions(app.db.sql, daysAgo(20));
    await withClient(database.url, async (reader) => {
      await reader.query("begin");
      await reader.query("select from event limit 1");
      await retain(app);
      const pending = await app.db.sql.query("select from pg_inherits where inhdetachpending");
      expect(pending).toHaveLength(1);
      await reader.query("commit");
    });
    // A start ends it too; what is out of its table by then is dropped by the next round.
    await install(database.url);
    expect(await app.db.sql.query("select from pg_inherits where inhdetachpending")).toEqual([]);
    const loose = (): Promise<object[]> =>
      app.db.sql.query(
        "select relname from pg_class where relkind = 'r' and relname ~ '^event_\\d{8}$' and not relispartition",
      );
    expect(await loose()).toHaveLength(1);
    await retain(app);
    expect(await loose()).toEqual([]);
    expect((await partitions())["event"]).toBe(`event_${day(daysAgo(10))}`);
  });

  it("is done by one process at a time", async () => {
    await ensurePartitions(app.db.sql, daysAgo(20));
    await Promise.all([retain(app), retain(app), retain(app)]);
    expect((await partitions())["event"]).toBe(`event_${day(daysAgo(10))}`);
  });
});

describe("pruning", () => {
  it("forgets idempotency keys after 30 days", async () => {
    const key = (name: string, days: number) =>
      sow("idempotency_key", {
        workspace_id: tenant.workspace,
        digest: name,
        fingerprint: "\\x00",
        resource_id: "r",
        created_at: date(days),
      });
    await key("\\x01", 30.01);
    await key("\\x02", 29.99);
    await retain(app);
    expect(await see("select digest from idempotency_key")).toEqual([{ digest: "\\x02" }]);
  });

  it("forgets what the provider said of accounts and templates with the callbacks that said it", async () => {
    const notice = (digest: string, days: number) =>
      sow("provider_notice", {
        workspace_id: tenant.workspace,
        digest,
        created_at: date(days),
        found: false,
        matched: false,
      });
    await notice("\\x01", 30.01);
    await notice("\\x02", 29.99);
    await retain(app);
    expect(await see("select digest from provider_notice")).toEqual([{ digest: "\\x02" }]);
  });

  it("forgets sessions of the console 30 days after their end", async () => {
    const session = (digest: string, expired: number, ended: number | null) =>
      app.db.transaction(tenant.workspace, (sql) =>
        sql.run(
          `insert into console_session (workspace_id, id, digest, created_at, seen_at, expires_at, ended_at)
           values ($1, $2, $3::bytea, $4, $4, $5, $6)`,
          [tenant.workspace, newUuid(NOW), digest, date(40), date(expired), ended === null ? null : date(ended)],
        ),
      );
    await session("\\x01", 30.01, null);
    await session("\\x02", 29.99, null);
    await session("\\x03", 29.99, 30.01);
    await retain(app);
    expect(await see("select digest from console_session")).toEqual([{ digest: "\\x02" }]);
  });

  it("forgets setup links 60 days after they were created", async () => {
    for (const [digest, days] of [
      ["\\x01", 60.01],
      ["\\x02", 59.99],
    ] as const)
      await app.db.transaction(tenant.workspace, (sql) =>
        sql.run(
          `insert into setup_link (workspace_id, id, digest, expires_at, created_at) values ($1, $2, $3::bytea, $4, $4)`,
          [tenant.workspace, newUuid(NOW), digest, date(days)],
        ),
      );
    await retain(app);
    expect(await see("select digest from setup_link")).toEqual([{ digest: "\\x02" }]);
  });

  it("forgets whom a messaging limit counted after 25 hours", async () => {
    const people = [26, 24, 1].map((hours) => ({ hours, at: NOW - hours * 3_600_000, recipient: newUuid(NOW) }));
    for (const { at, recipient } of people) {
      const row = { portfolio_id: "7001", recipient };
      await sow("portfolio_recipient", { ...row, minute: Math.floor(at / 60_000) });
      await sow("portfolio_return", { ...row, message_id: recipient, at: new Date(at).toISOString() });
    }
    await retain(app);
    const left = people.slice(1).map(({ recipient }) => ({ recipient }));
    for (const table of ["portfolio_recipient", "portfolio_return"])
      expect(await see(`select recipient from ${table} order by recipient`)).toEqual(
        left.toSorted((a, b) => a.recipient.localeCompare(b.recipient)),
      );
  });

  it("goes through a table of many statements", async () => {
    await app.db.transaction(tenant.workspace, (sql) =>
      sql.run(
        `insert into idempotency_key (workspace_id, digest, fingerprint, resource_id, created_at)
         select $1, int4send(i), '\\x00', repeat('x', 150), case when i % 3 = 0 then now() - interval '31 days' else now() end from generate_series(1, 30000) i`,
        [tenant.workspace],
      ),
    );
    const [size] = await app.db.sql.query<{ blocks: number }>(
      "select pg_relation_size('idempotency_key') / 8192 as blocks",
    );
    expect(size?.blocks).toBeGreaterThan(2 * 256);
    await retain(app);
    expect(await see("select count(*) from idempotency_key")).toEqual([{ count: 20_000 }]);
  });

  it("forgets a provider's ids with their messages, not before", async () => {
    await ensurePartitions(app.db.sql, daysAgo(150));
    const provider = (name: string, days: number) =>
      sow("provider_message", {
        workspace_id: tenant.workspace,
        provider_message_id: name,
        message_id: id(days),
        created_at: date(days),
      });
    await provider("gone", 130);
    await provider("kept", 59);
    await sow("dispatch", {
      slot: 1,
      lane: 1,
      workspace_id: tenant.workspace,
      message_id: id(150),
      recipient: 1,
      attempt: 0,
      state: 0,
      due: date(-1),
    });
    await retain(app);
    expect(await see("select provider_message_id from provider_message order by 1")).toEqual([
      { provider_message_id: "gone" },
      { provider_message_id: "kept" },
    ]);
    await cut("dispatch"); // its message waits no longer
    await retain(app); // drops the partitions
    await retain(app); // and now their keys
    expect(await see("select provider_message_id from provider_message")).toEqual([{ provider_message_id: "kept" }]);
  });

  it("ends deliveries that were parked for 30 days, and forgets statuses that never found their message", async () => {
    for (const days of [31, 29]) {
      await ensurePartitions(app.db.sql, daysAgo(days));
      const [delivery, event] = [id(days), id(days)];
      await sow("deliver", {
        slot: 1,
        lane: 1,
        workspace_id: tenant.workspace,
        delivery_id: delivery,
        event_id: event,
        conversation: days,
        attempt: 1,
        due: date(-1),
      });
      await sow("delivery", {
        workspace_id: tenant.workspace,
        id: delivery,
        event_id: event,
        webhook_endpoint_id: tenant.endpoint,
        kind: "sent",
        status: "parked",
        attempt: 1,
        created_at: date(days),
        attempts: [],
      });
    }
    for (const days of [8, 6])
      await sow("parked_status", {
        workspace_id: tenant.workspace,
        provider_message_id: `p${days}`,
        bit: 4,
        at: date(days),
        received_at: date(days),
      });
    await retain(app);
    expect(await see("select conversation from deliver")).toEqual([{ conversation: 29 }]);
    expect(await see("select provider_message_id from parked_status")).toEqual([{ provider_message_id: "p6" }]);
  });

  it("forgets marks of calls after a quarter of an hour, and quarantine with its callbacks", async () => {
    await app.db.sql.run("insert into flight (id, at) values ($1, $2), ($3, $4)", [
      id(0),
      new Date(NOW - 16 * 60_000),
      id(0),
      new Date(NOW - 14 * 60_000),
    ]);
    const old = await app.db.sql.query<{ n: number }>("select count(*) as n from flight where at < $1", [
      new Date(NOW - 15 * 60_000),
    ]);
    expect(old[0]?.n).toBe(1);
    for (const days of [31, 29]) await sow("quarantine", { id: id(days), reason: "unowned", created_at: date(days) });
    await retain(app);
    const [left] = await app.db.sql.query<{ old: number; young: number }>(
      "select count(*) filter (where at < $1) as old, count(*) filter (where at < $2) as young from flight",
      [new Date(NOW - 15 * 60_000), new Date(NOW - 13 * 60_000)],
    );
    expect(left).toEqual({ old: 0, young: 1 });
    expect(await see("select reason from quarantine")).toHaveLength(1);
  });
});

const sow = (table: string, fields: object): Promise<object[]> => app.db.call(seed, [{ t: table, fields }], NOW);

async function see(sql: string): Promise<object[]> {
  const [answer] = await app.db.call(look, [{ sql }], NOW);
  return answer?.value ?? [];
}

/** Empties a queue; the login owns the table, though it sees no row. */
const cut = (table: string): Promise<unknown> =>
  withClient(database.url, (client) => client.query(`truncate ${table}`));

async function partitions(): Promise<Record<string, string>> {
  const rows = await app.db.sql.query<{ parent: string; name: string }>(
    "select inhparent::regclass::text as parent, min(inhrelid::regclass::text) as name from pg_inherits where inhparent in (select partrelid from pg_partitioned_table) group by 1",
  );
  return Object.fromEntries(rows.map(({ parent, name }) => [parent, name]));
}

const month = (ms: number): string => new Date(ms).toISOString().slice(0, 7).replace("-", "");
const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10).replaceAll("-", "");
function monthBefore(ms: number): string {
  const at = new Date(ms);
  return month(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - 1, 1));
}
