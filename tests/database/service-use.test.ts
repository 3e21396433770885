import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensurePartitions } from "../../packages/server/src/db/partitions.ts";
import { countService, selectServiceUse } from "../../packages/server/src/features/usage/service.store.ts";
import { DAY_MS, HOUR_MS } from "../../packages/server/src/lib/duration.ts";
import { urlOf } from "../../packages/server/src/testing/template.ts";
import { adminUrl } from "./databases.ts";
import { NOW, type Owned, ownedDatabase } from "./owned.ts";
import { makeTenant, type Tenant } from "./rows.ts";

// Service messages of busy hours, inserted with their events as they would be: counted in short pieces, read from few rows.

const MESSAGES = 12_000;
/** Far below the eight seconds of a statement, on a busy machine too. */
const LONGEST_CALL_MS = 4_000;

let database: Owned;
let admin: Client | null = null;
let tenant: Tenant;

beforeAll(async () => {
  const url = await adminUrl();
  if (url === null) return;
  database = await ownedDatabase();
  for (const days of [40, 13]) await ensurePartitions(database.db.sql, NOW - days * DAY_MS);
  tenant = await makeTenant(database.db, "+15551230001", NOW);
  admin = new Client({ connectionString: urlOf(url, new URL(database.url).pathname.slice(1)) });
  await admin.connect();
}, 120_000);
afterAll(async () => {
  await admin?.end();
  await database?.drop();
});

/** Messages of which `accepted`, `delivered` and `read` were reported: half of them templates, a few of the rest exempt. */
async function insert(client: Client, count: number, until: number): Promise<void> {
  await client.query(
    `with m as (
       insert into message (workspace_id, id, outbound, phone_number_id, contact_id, type, content, sequence, created_at)
       select $1, new_uuid($4::timestamptz - i * interval '200 milliseconds'), true, $2, $3,
         case i % 2 when 0 then 'text' else 'template' end, '{}', i, $4
       from generate_series(1, $5::int) i returning *),
     s as (
       insert into message_state (workspace_id, id, contact_id, conversation, rank, seen, delivered_at, read_at, pricing)
       select workspace_id, id, contact_id, 1, 7, 50, uuid_time(id), uuid_time(id),
         case when type = 'template' then '{"type":"regular","category":"utility"}'
           when sequence % 10 = 0 then '{"type":"regular","category":"service","subtype":"paid_exempt"}'
           when sequence % 4 = 0 then '{"type":"free_customer_service","category":"service"}' end::json from m)
     insert into event (workspace_id, id, era, kind, sequence, message_id, occurred_at, state, created_at)
     select workspace_id, new_uuid(uuid_time(id)), 1, k.kind, sequence, id, created_at, json_build_object('seen', k.seen), created_at
     from m, (values ('accepted', 2), ('delivered', 18), ('read', 50)) k(kind, seen)`,
    [tenant.workspace, tenant.number, tenant.contact, new Date(until), count],
  );
}

async function count(now: number): Promise<number> {
  let longest = 0;
  for (let more = true; more; ) {
    const begun = performance.now();
    const [answer] = await database.db.call(countService, [], now);
    longest = Math.max(longest, performance.now() - begun);
    more = answer?.more ?? false;
  }
  return longest;
}

const used = async (client: Client): Promise<number> => {
  const { rows } = await client.query(
    "select coalesce(sum(count), 0)::int as count from service_use where workspace_id = $1",
    [tenant.workspace],
  );
  return rows[0].count;
};

it("counts each delivered message once, in short calls, and again what is committed late", async (context) => {
  if (!admin) return context.skip("filling tables past the walls needs a superuser");
  await insert(admin, MESSAGES, NOW);
  expect(await count(NOW)).toBeLessThan(LONGEST_CALL_MS);
  // Half are no templates, a fifth of those are exempt.
  expect(await used(admin)).toBe((MESSAGES / 2) * 0.8);
  await insert(admin, 500, NOW - HOUR_MS);
  await count(NOW + 3 * HOUR_MS);
  expect(await used(admin)).toBe(((MESSAGES + 500) / 2) * 0.8);
});

it("keeps what was counted when retention removes the events, and forgets slices and old months", async (context) => {
  if (!admin) return context.skip("filling tables past the walls needs a superuser");
  const before = await used(admin);
  await admin.query("delete from event where workspace_id = $1", [tenant.workspace]);
  await count(NOW + 5 * DAY_MS);
  expect(await used(admin)).toBe(before);
  await insert(admin, 10, NOW);
  await admin.query("delete from service_frontier");
  await count(NOW);
  await admin.query("update service_use set at = at - interval '80 days'");
  await count(NOW + 40 * DAY_MS);
  expect([await used(admin), (await admin.query("select from service_slice")).rowCount]).toEqual([0, 0]);
});

it("reads a month of a hundred numbers from few pages", async (context) => {
  if (!admin) return context.skip("filling tables past the walls needs a superuser");
  // What a busy number has in a year, were nothing forgotten.
  await admin.query(
    `insert into service_use (workspace_id, phone_number_id, at, count)
     select $1, md5(n::text)::uuid, timestamptz '2026-01-01' + i * interval '3 hours', 1
     from generate_series(1, 200) n, generate_series(0, 2919) i`,
    [tenant.workspace],
  );
  await admin.query("analyze service_use");
  const ids = (await admin.query("select md5(n::text)::uuid as id from generate_series(1, 100) n")).rows.map(
    ({ id }) => id,
  );
  const spans = ids.map((phone_number_id) => ({
    phone_number_id,
    first: new Date("2026-11-01T08:00:00Z"),
    last: new Date("2026-12-01T08:00:00Z"),
  }));
  const begun = performance.now();
  const rows = await database.db.read(tenant.workspace, (sql) => selectServiceUse(sql, tenant.workspace, spans));
  expect(performance.now() - begun).toBeLessThan(1_000);
  expect(rows.length).toBe(100);
  expect(new Set(rows.map((row) => row.count))).toEqual(new Set([240]));
});
