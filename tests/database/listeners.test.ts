import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { withInner } from "../../packages/server/src/db/inner-function.ts";
import { FEATURES, HOT_FUNCTIONS } from "../../packages/server/src/features.ts";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { callHot, exampleOf, openWorld } from "./hot-examples.ts";
import { NOW, type Owned, ownedDatabase } from "./owned.ts";
import { makeTenant, type Tenant } from "./rows.ts";

// What an event costs in a workspace with many endpoints that do not listen to it. Rows of the table, not time: they are the
// same on any machine.

/** As many as a workspace may have. */
const OTHERS = 99;
const WORKSPACES = 20;
/** The endpoints that a call names itself: those of its deliveries. */
const MOST_FETCHED = 20;
/** Their examples change all endpoints first; until a vacuum they are looked up. */
const CHANGE_ENDPOINTS = ["deliver_outcomes", "redeliver_outcomes", "warn_endpoints"];
const ASKS = HOT_FUNCTIONS.filter(
  (fn) =>
    withInner([fn]).some(({ text }) => /\bfrom webhook_endpoint e\b/.test(text)) && !CHANGE_ENDPOINTS.includes(fn.name),
);

let database: Owned;
let client: Client;
let tenant: Tenant;

beforeAll(async () => {
  database = await ownedDatabase();
  for (let n = 0; n < WORKSPACES; n++) {
    tenant = await makeTenant(database.db, "+15551230000", NOW);
    const { workspace } = tenant;
    await database.db.transaction(workspace, (sql) =>
      sql.run(
        `insert into webhook_endpoint (workspace_id, id, url, events, secret, created_at, updated_at)
         select $1, id, 'https://example.com/' || repeat('hook', 20), array['endpoint_disabled'], '\\x00', now(), now()
         from unnest($2::uuid[]) id`,
        [workspace, Array.from({ length: OTHERS }, () => newUuid(NOW))],
      ),
    );
  }
  // As autovacuum does: what is marked as visible to all need not be looked up.
  await withClient(database.url, (owner) => owner.query("vacuum analyze webhook_endpoint"));
  client = new Client({ connectionString: database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

beforeEach(async () => {
  const { rows } = await client.query<{ role: string }>("select engine_role as role from installation");
  const role = rows[0]?.role ?? "";
  await client.query(`begin; grant ${role} to current_user; grant all on all tables in schema public to ${role}`);
  await client.query(`set local role ${role}`);
});
afterEach(() => client.query("rollback"));

it.each(ASKS.map(({ name }) => name))("%s reads which endpoints listen without reading them", async (name) => {
  const rows = await exampleOf(name).rows(await openWorld(client), tenant);
  const before = await fetched();
  await callHot(client, name, rows);
  expect((await fetched()) - before).toBeLessThan(MOST_FETCHED);
});

it("an endpoint may list every kind there is, and as many to come: an index holds no row of any length", async () => {
  const kinds = FEATURES.flatMap(({ events = [] }) => events.flatMap((group) => group.kinds));
  const { rows } = await client.query<{ listed: number }>(
    "update webhook_endpoint set events = $1 where id = $2 returning cardinality(events) as listed",
    [[...kinds, ...kinds.map((kind) => `another_${kind}`)], tenant.endpoint],
  );
  expect(rows).toEqual([{ listed: kinds.length * 2 }]);
});

/** Rows of endpoints that this transaction has read from their table. */
async function fetched(): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    "select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as count from pg_stat_xact_user_tables where relname = 'webhook_endpoint'",
  );
  return Number(rows[0]?.count);
}
