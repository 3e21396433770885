import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensurePartitions } from "../../packages/server/src/db/partitions.ts";
import { countUsage } from "../../packages/server/src/features/usage/usage.store.ts";
import { DAY_MS, HOUR_MS } from "../../packages/server/src/lib/duration.ts";
import { urlOf } from "../../packages/server/src/testing/template.ts";
import { adminUrl } from "./databases.ts";
import { NOW, type Owned, ownedDatabase } from "./owned.ts";
import { makeTenant, type Tenant } from "./rows.ts";

// Usage of many messages, inserted as they would be after busy hours: counted in short pieces, read from few rows.

const MESSAGES = 45_000;
/** Far below the eight seconds of a statement, on a busy machine too. */
const LONGEST_CALL_MS = 4_000;

let database: Owned;
let admin: Client | null = null;
let tenants: Tenant[];

beforeAll(async () => {
  const url = await adminUrl();
  if (url === null) return;
  database = await ownedDatabase();
  await ensurePartitions(database.db.sql, NOW - 40 * DAY_MS);
  tenants = [await makeTenant(database.db, "+15551230001", NOW), await makeTenant(database.db, "+15551230002", NOW)];
  admin = new Client({ connectionString: urlOf(url, new URL(database.url).pathname.slice(1)) });
  await admin.connect();
}, 120_000);
afterAll(async () => {
  await admin?.end();
  await database?.drop();
});

/** Messages of a workspace whose ids lie in the hours before `until`. */
async function insert(client: Client, { workspace, number, contact }: Tenant, count: number, until: number) {
  await client.query(
    `with m as (
       insert into message (workspace_id, id, outbound, phone_number_id, contact_id, type, content, category, sequence, created_at)
       select $1, new_uuid($4::timestamptz - i * interval '200 milliseconds'), i % 5 <> 0, $2, $3, 'template', '{}',
         case when i % 5 <> 0 then 'utility' end, i, $4
       from generate_series(1, $5::int) i returning *)
     insert into message_state (workspace_id, id, contact_id, conversation, rank, pricing)
     select workspace_id, id, contact_id, 1, case when outbound then 6 else 0 end, case when outbound then '{"billable":true,"category":"UTILITY"}'::json end from m`,
    [workspace, number, contact, new Date(until), count],
  );
}

/** Counts until nothing is due; the milliseconds of each call. */
async function count(now: number): Promise<number[]> {
  const times: number[] = [];
  for (let more = true; more; ) {
    const begun = performance.now();
    const [answer] = await database.db.call(countUsage, [], now);
    times.push(performance.now() - begun);
    more = answer?.more ?? false;
  }
  return times;
}

const dayOf = async (client: Client, { workspace }: Tenant) =>
  (
    await client.query(
      `select outbound, status, category, sum(count)::int as count, sum(billable)::int as billable from usage_day
       where workspace_id = $1 and count > 0 group by 1, 2, 3 order by 1`,
      [workspace],
    )
  ).rows;
const counted = (messages: number) => [
  { outbound: false, status: "received", category: "", count: messages / 5, billable: 0 },
  { outbound: true, status: "delivered", category: "utility", count: (messages / 5) * 4, billable: (messages / 5) * 4 },
];

it("counts every message of busy hours once, in short calls, and reads a year from few pages", {
  timeout: 120_000,
}, async (context) => {
  if (!admin) return context.skip("filling tables past the walls needs a superuser");
  const [busy, quiet] = tenants as [Tenant, Tenant];
  // Over midnight, and one that was there before usage was counted.
  const midnight = Math.floor(NOW / DAY_MS) * DAY_MS;
  await insert(admin, busy, MESSAGES, midnight + HOUR_MS);
  await insert(admin, quiet, 100, NOW - 36 * DAY_MS);
  const times = await count(NOW);
  expect(Math.max(...times)).toBeLessThan(LONGEST_CALL_MS);
  expect(await dayOf(admin, busy)).toEqual(counted(MESSAGES));
  expect(await dayOf(admin, quiet)).toEqual(counted(100));
  // More of the same hours, committed late, and a status.
  await insert(admin, busy, 500, midnight + HOUR_MS);
  await admin.query("update message_state set rank = 7 where workspace_id = $1 and rank = 6", [busy.workspace]);
  await count(NOW + 2 * DAY_MS);
  const [received, read, ...others] = await dayOf(admin, busy);
  expect([received.count, read.status, read.count, others]).toEqual([
    (MESSAGES + 500) / 5,
    "read",
    ((MESSAGES + 500) / 5) * 4,
    [],
  ]);

  const { rows } = await admin.query<{
    "QUERY PLAN": [{ Plan: { "Shared Hit Blocks": number; "Shared Read Blocks": number } }];
  }>(
    `explain (analyze, buffers, format json) select * from usage_day d
     where d.workspace_id = '${busy.workspace}' and d.day between '2000-01-01' and '2100-01-01' and d.count > 0`,
  );
  const plan = rows[0]!["QUERY PLAN"][0].Plan;
  expect(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]).toBeLessThan(20);
});

it("keeps what was counted when retention removes the messages, and forgets the slices", async (context) => {
  if (!admin) return context.skip("filling tables past the walls needs a superuser");
  const [busy] = tenants as [Tenant];
  const before = await dayOf(admin, busy);
  await admin.query("delete from message where workspace_id = $1 and outbound", [busy.workspace]);
  await count(NOW + 5 * DAY_MS);
  expect(await dayOf(admin, busy)).toEqual(before);
  await count(NOW + 40 * DAY_MS);
  expect((await admin.query("select from usage_slice")).rowCount).toBe(0);
});

it("counts messages of before the upgrade as they were counted, whenever that is done again", async (context) => {
  if (!admin) return context.skip("filling tables past the walls needs a superuser");
  const client = admin;
  const { workspace, number, contact } = await makeTenant(database.db, "+15551230003", NOW);
  const upgraded = NOW - 30 * 60_000;
  const insertOne = async (at: number, pricing: object): Promise<void> => {
    await client.query(
      `with m as (
         insert into message (workspace_id, id, outbound, phone_number_id, contact_id, type, content, category, sequence, created_at)
         values ($1, new_uuid($4), true, $2, $3, 'template', '{}', 'utility', 1, $4) returning *)
       insert into message_state (workspace_id, id, contact_id, conversation, rank, pricing)
       select workspace_id, id, contact_id, 1, 6, $5 from m`,
      [workspace, number, contact, new Date(at), pricing],
    );
  };
  const billable = async (now: number): Promise<number> => {
    await count(now);
    const rows = await dayOf(client, { workspace } as Tenant);
    return rows.reduce((sum, row) => sum + row.billable, 0);
  };
  // As an earlier version counts: all of them by the field.
  await client.query(
    "insert into usage_frontier (workspace_id, next, typed_from) values ($1, uuid_floor('epoch'), '9000-01-01')",
    [workspace],
  );
  const hour = Math.floor(NOW / HOUR_MS) * HOUR_MS;
  for (const at of [hour - DAY_MS, upgraded - 1]) {
    await insertOne(at, { billable: true, type: "free_customer_service" });
    await insertOne(at, { billable: false, type: "regular" });
    // The field has gone by the time at which the price came.
    await insertOne(at, { type: "regular" });
  }
  expect(await billable(NOW)).toBe(4);
  await client.query("update usage_frontier set typed_from = $2 where workspace_id = $1", [
    workspace,
    new Date(upgraded),
  ]);
  expect(await billable(NOW + DAY_MS)).toBe(4);
  // In the slices of before, in part.
  await insertOne(upgraded, { billable: true, type: "free_customer_service" });
  await insertOne(upgraded + 1, { billable: false, type: "regular" });
  expect(await billable(NOW + 4 * DAY_MS)).toBe(5);
});
