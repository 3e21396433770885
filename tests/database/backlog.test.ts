import { afterAll, beforeAll, expect, it } from "vitest";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import { urlOf } from "../../packages/server/src/testing/template.ts";
import { emptyTables, fillQueues } from "./bloat.ts";
import { adminUrl } from "./databases.ts";
import { lastNumbers } from "./hot-examples.ts";
import { acceptRow, intentRow } from "./hot-rows.ts";
import { AT, NOW, type Owned, ownedDatabase } from "./owned.ts";
import { openStage, type Stage } from "./plan-states.ts";
import { makeTenant, type Tenant } from "./rows.ts";

// What a message costs when a backlog waits in its number's slot, and retries in its endpoint's. Pages, not time: they are the
// same on any machine.

const MESSAGES = 400;
const BATCH = 20;
/**
 * From accept to the outcomes of its two deliveries. Measured: 146. Where each look-up walked the slot's part of an index it
 * was 4,296.
 */
const MOST_PAGES_A_MESSAGE = 300;

let database: Owned;
let stage: Stage | null = null;
let why = "auto_explain can be loaded by a superuser alone, and the login of DATABASE_URL is none";
let tenant: Tenant;

beforeAll(async () => {
  const url = await adminUrl();
  if (url === null) return;
  database = await ownedDatabase();
  tenant = await makeTenant(database.db, "+15551230001", NOW);
  stage = await openStage(urlOf(url, new URL(database.url).pathname.slice(1)));
  if (!stage) why = "the server has no auto_explain";
}, 120_000);
afterAll(async () => {
  await stage?.close();
  await database?.drop();
});

it("a backlog in a slot makes no message of it dearer, on connections that met the queues empty", {
  timeout: 120_000,
}, async (context) => {
  if (!stage) return context.skip(why);
  const { admin } = stage.session();
  await emptyTables(admin);
  await admin.query("vacuum analyze");
  await stage.reconnect();
  await through(stage, BATCH);
  await fillQueues(stage.session().admin, tenant);
  const pages = await through(stage, MESSAGES);
  expect(pages / MESSAGES).toBeLessThan(MOST_PAGES_A_MESSAGE);
});

/** Messages to strangers, all accepted, sent and delivered; answers the pages that it took. */
async function through(stage: Stage, count: number): Promise<number> {
  let pages = 0;
  const call = async (name: string, rows: readonly object[]) => {
    const { answers } = await stage.session().explainer.explain(name, rows);
    pages += stage.session().explainer.pages();
    return answers;
  };
  for (let done = 0; done < count; done += BATCH) await batch(stage, call, String(done + count));
  return pages;
}

type Call = (name: string, rows: readonly object[]) => Promise<Record<string, unknown>[]>;

async function batch(stage: Stage, call: Call, name: string): Promise<void> {
  const { workspace, numberLane, endpoint, endpointLane } = tenant;
  const seen = await lastNumbers(stage.session().admin);
  await call(
    "accept_messages",
    Array.from({ length: BATCH }, (_, index) =>
      acceptRow(tenant, {
        id: newUuid(NOW),
        key: Buffer.from(`${name}.${index}`).toString("hex"),
        phone: `+1555${name.padStart(4, "0")}${index}`,
      }),
    ),
  );
  const sends = await call("dispatch_tail", [{ slot: numberLane % 64, lo: seen.dispatch, most: 1_000 }]);
  expect(sends).toHaveLength(BATCH);
  const intents = sends.map((row) => intentRow({ slot: row["slot"], seq: row["seq"] }, workspace, row["item_id"]));
  await call(
    "begin_sends",
    intents.map((row) => ({ ...row, attempt: 0, state: 0 })),
  );
  await call(
    "settle_sends",
    intents.map((row) => ({
      ...row,
      attempt: 1,
      outcome: "accepted",
      at: AT,
      provider_message_id: `wamid.${String(row.seq)}`,
    })),
  );
  const deliveries = await call("deliver_tail", [{ slot: endpointLane % 64, lo: seen.deliver, most: 1_000 }]);
  expect(deliveries.length).toBeGreaterThanOrEqual(BATCH);
  const entry = { n: 1, started_at: AT, duration_ms: 1, status_code: 200, outcome: "succeeded" };
  await call(
    "deliver_outcomes",
    deliveries.map((row) => ({
      slot: row["slot"],
      seq: row["seq"],
      workspace_id: workspace,
      delivery_id: row["item_id"],
      event_id: row["event_id"],
      endpoint_id: endpoint,
      kind: "sent",
      created_at: AT,
      result: "succeeded",
      due: null,
      entry,
      record: true,
    })),
  );
}
