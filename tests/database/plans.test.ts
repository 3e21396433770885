import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Database, openDatabase } from "../../packages/server/src/db/database.ts";
import { readRoles } from "../../packages/server/src/db/migrate.ts";
import { ensurePartitions } from "../../packages/server/src/db/partitions.ts";
import { HOT_FUNCTIONS } from "../../packages/server/src/features.ts";
import { newUuid } from "../../packages/server/src/lib/ids.ts";
import { type TestDatabase, testDatabase } from "../../packages/server/src/testing/database.ts";
import { urlOf } from "../../packages/server/src/testing/template.ts";
import { adminUrl } from "./databases.ts";
import { makeTenant, type Tenant } from "./rows.ts";

// Each hot function on tables as they are after a busy day: drained, bloated with dead rows, their statistics taken while they
// were empty, split into 60 days. What it does is read from the server itself, by auto_explain with every nested statement.

/** Tables that grow with traffic: none may be read through, by its pages or by the whole of an index. */
const GROWING =
  /^(dispatch|held|deliver|ingest|task|job|message|message_state|history|attempt|provider_message|parked_status|event|delivery|callback|audit|idempotency_key|contact|conversation|quarantine|flight|api_key|key_digest)(_\d{6,8})?$/;
/** Maintenance and rare operators' reads, which walk a table by design, in bounded pieces. */
const WALKERS = /^(prune_|queue_needs|join_parked|list_workspaces)/;
/**
 * Pages a statement may touch. A skip-scan of a slot, which has no watermark, meets the slot's dead rows (469 here) until
 * the next vacuum; everything else needs a few dozen.
 */
const MOST_PAGES = 1_200;
const DEAD_ROWS = 30_000;
const DAY_MS = 86_400_000;
const NOW = Date.now();
const AT = new Date(NOW).toISOString();
const WORKER = newUuid(NOW);

type Node = {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Index Cond"?: string;
  "Actual Loops"?: number;
  "Shared Hit Blocks"?: number;
  "Shared Read Blocks"?: number;
  Plans?: Node[];
};
type Explained = { "Query Text": string; Plan: Node };

let database: TestDatabase;
let db: Database;
let admin: Client | null = null;
let why = "";
let tenant: Tenant;
let plans: Explained[] = [];

beforeAll(async () => {
  const url = await adminUrl();
  if (url === null) {
    why = "auto_explain can be loaded by a superuser alone, and the login of DATABASE_URL is none";
    return;
  }
  database = await testDatabase();
  const roles = await readRoles(database.url);
  db = openDatabase({ url: database.url, appRole: roles?.appRole ?? "", onError: () => {} });
  for (const days of [44, 28, 13]) await ensurePartitions(db.sql, NOW - days * DAY_MS);
  tenant = await makeTenant(db, "+15551230001", NOW);
  const client = new Client({ connectionString: urlOf(url, new URL(database.url).pathname.slice(1)) });
  await client.connect();
  await bloat(client, tenant.workspace);
  await client.query(
    "insert into worker (id, roles, version, expires_at) values ($1, '{dispatch}', 'test', now() + interval '1 hour')",
    [WORKER],
  );
  await client.query("update slot set owner = $1, epoch = 1", [WORKER]);
  try {
    await client.query("load 'auto_explain'");
  } catch {
    why = "the server has no auto_explain";
    await client.end();
    return;
  }
  await client.query(
    "set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on; set auto_explain.log_analyze = on; set auto_explain.log_timing = off; set auto_explain.log_buffers = on; set auto_explain.log_format = json; set auto_explain.log_level = notice",
  );
  client.on("notice", ({ message = "" }) => {
    const at = message.indexOf("{");
    if (message.includes("plan:") && at > 0) plans.push(JSON.parse(message.slice(at)) as Explained);
  });
  admin = client;
}, 120_000);
afterAll(async () => {
  await admin?.end();
  await db?.close();
  await database?.drop();
});

/** Rows come and go in every queue and key table, spread over lanes and times; statistics are taken when they are gone. */
async function bloat(client: Client, workspace: string): Promise<void> {
  const growing = await client.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
  );
  for (const { name } of growing.rows)
    if (GROWING.test(name)) await client.query(`alter table ${name} set (autovacuum_enabled = off)`);
  const fill = (into: string, values: string): Promise<unknown> =>
    client.query(`insert into ${into} select ${values} from generate_series(1, ${DEAD_ROWS}) i`);
  const ws = `'${workspace}'::uuid`;
  const uuid = "new_uuid(now() - i % 40 * interval '1 day')";
  await fill(
    "dispatch (slot, lane, due, workspace_id, message_id, recipient)",
    `i % 64, i % 640, case when i % 3 = 0 then now() - interval '1 hour' else '-infinity' end, ${ws}, ${uuid}, i`,
  );
  await fill("held", `i % 64, i % 640, ${ws}, i, i, now()`);
  await fill(
    "deliver (slot, lane, due, workspace_id, delivery_id, event_id, conversation)",
    `i % 64, i % 640, '-infinity', ${ws}, ${uuid}, ${uuid}, i`,
  );
  await fill("ingest (slot, lane, callback_id)", `i % 64, i % 640, ${uuid}`);
  await fill("task (slot, lane, workspace_id, job_id)", `i % 64, i % 640, ${ws}, ${uuid}`);
  await fill("idempotency_key (workspace_id, digest, fingerprint, created_at)", `${ws}, int4send(i), '\\x00', now()`);
  await fill("provider_message", `${ws}, 'wamid.' || i, ${uuid}, now()`);
  await fill(
    "parked_status (workspace_id, provider_message_id, bit, at, received_at)",
    `${ws}, 'parked.' || i, 4, now(), now()`,
  );
  await fill(
    "event (workspace_id, id, era, kind, sequence, occurred_at, created_at)",
    `${ws}, ${uuid}, 1, 'sent', i, now(), now()`,
  );
  await fill("callback", `${uuid}, now(), '\\x00'`);
  await fill("flight (id)", "gen_random_uuid()");
  for (const table of [
    "dispatch",
    "held",
    "deliver",
    "ingest",
    "task",
    "idempotency_key",
    "provider_message",
    "parked_status",
    "event",
    "callback",
    "flight",
  ])
    await client.query(`delete from ${table}`);
  await client.query("analyze");
}

type Answers = Record<string, unknown>[];

/** Calls a function and checks every statement in it. */
async function explain(name: string, rows: readonly object[]): Promise<Answers> {
  const fn = HOT_FUNCTIONS.find((each) => each.name === name);
  if (!admin || !fn) throw new Error(`no function ${name}`);
  plans = [];
  const { rows: answers } = await admin.query<Record<string, unknown>>(
    `select * from ${fn.installed}($1, $2, $3, false)`,
    [JSON.stringify(rows), new Date(NOW), randomUUID()],
  );
  // The outermost plan is the call itself.
  expect({ name, explained: plans.length > 1 }).toEqual({ name, explained: true });
  // And its pages are the planner's too, which looks at 60 partitions once a session.
  const faults = plans
    .slice(0, -1)
    .flatMap(({ "Query Text": query, Plan }) =>
      faultsOf(Plan).map((fault) => `${name}: ${fault} in ${query.trim().slice(0, 120)}`),
    );
  if (faults.length > 0) found.set(name, faults);
  called.add(name);
  return answers;
}

const called = new Set<string>();
const found = new Map<string, string[]>();

function faultsOf(plan: Node): string[] {
  const nodes = flatten(plan).filter((node) => (node["Actual Loops"] ?? 0) > 0);
  const partitions = new Map<string, Set<string>>();
  const faults: string[] = [];
  for (const node of nodes) {
    const relation = node["Relation Name"];
    if (relation === undefined || !GROWING.test(relation)) continue;
    if (node["Node Type"] === "Seq Scan") faults.push(`reads ${relation} from end to end`);
    if (/^Index (Only )?Scan$/.test(node["Node Type"]) && node["Index Cond"] === undefined)
      faults.push(`reads all of ${node["Index Name"]}`);
    const parent = /^(.+)_\d{6,8}$/.exec(relation)?.[1];
    // Rows to change are named once more by the node that changes them.
    if (parent !== undefined) partitions.set(parent, (partitions.get(parent) ?? new Set()).add(relation));
  }
  for (const [parent, names] of partitions)
    if (names.size > 1) faults.push(`touches ${names.size} partitions of ${parent}`);
  const pages = (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
  if (pages > MOST_PAGES) faults.push(`touches ${pages} pages`);
  return faults;
}

const flatten = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

describe("plans on drained, bloated tables of 60 partitions", () => {
  it("of all hot functions go by an index to the rows they need, in the partition that has them", {
    timeout: 60_000,
  }, async (context) => {
    if (!admin) return context.skip(why);
    const { rows: days } = await admin.query("select from pg_inherits where inhparent = 'event'::regclass");
    expect(days).toHaveLength(60);
    const three = [0, 1, 2];
    const { workspace, account, number, numberLane, template, endpoint, endpointLane } = tenant;
    const uuids = three.map(() => newUuid(NOW));

    // A send, from accept to its report.
    const accept = (reply: string | null) =>
      three.map((index) => ({
        workspace_id: workspace,
        id: reply === null ? uuids[index] : newUuid(NOW),
        public_id: `msg_${index}`,
        key: `${reply === null ? "a" : "b"}${index}`,
        fingerprint: "00",
        phone: `+1555123000${index}`,
        contact_id: null,
        user_id: null,
        new_contact_id: newUuid(NOW),
        phone_number_id: number,
        sender: "+15550000000",
        type: "template",
        content: {},
        template_id: template,
        template_revision: 1,
        category: "utility",
        reply_to: reply,
        reference: null,
        send_at: null,
        expires_at: null,
        resend_once: false,
        now: AT,
        activity: { action: "message.create", actor_type: "system" },
      }));
    await explain("accept_messages", accept(null));
    const answers = await explain("accept_messages", accept(uuids[0] ?? ""));
    expect(answers.map((answer) => answer["outcome"])).toEqual(["accepted", "accepted", "accepted"]);
    await explain(
      "read_settled",
      uuids.map((id) => ({ workspace_id: workspace, id })),
    );

    const sends = await explain("dispatch_tail", [{ slot: numberLane % 64, lo: DEAD_ROWS }]);
    expect(sends).toHaveLength(6);
    const intent = (row: Record<string, unknown>) => ({
      slot: row["slot"],
      seq: row["seq"],
      workspace_id: workspace,
      message_id: row["item_id"],
      worker: WORKER,
      epoch: 1,
    });
    const begun = await explain(
      "begin_sends",
      sends.map((row) => ({ ...intent(row), attempt: 0, state: 0 })),
    );
    expect(new Set(begun.map((row) => row["outcome"]))).toEqual(new Set(["go"]));
    const started = await explain(
      "dispatch_started",
      sends.map((row) => ({ slot: row["slot"], seq: row["seq"] })),
    );
    expect(started).toHaveLength(6);
    const outcomes = ["accepted", "failed", "unknown", "retry", "accepted", "accepted"];
    await explain(
      "settle_sends",
      sends.map((row, index) => ({
        ...intent(row),
        attempt: 1,
        outcome: outcomes[index],
        at: AT,
        provider_message_id: outcomes[index] === "accepted" ? `wamid.out.${index}` : null,
        error: null,
        due: outcomes[index] === "retry" || outcomes[index] === "unknown" ? AT : null,
        lane: numberLane,
        recipient: "1",
      })),
    );
    await explain("dispatch_held", [{ slot: numberLane % 64 }]);
    await explain("dispatch_defer", [
      { slot: numberLane % 64, lane: numberLane, seq: sends[3]?.["seq"], workspace_id: workspace, key: "1", due: AT },
    ]);
    await explain("dispatch_unhold", [
      { slot: numberLane % 64, lane: numberLane, workspace_id: workspace, key: "1", until: AT },
    ]);
    await explain(
      "report_statuses",
      [0, 4, 5].map((index) => ({
        workspace_id: workspace,
        message_id: null,
        provider_message_id: `wamid.out.${index}`,
        bit: 16,
        at: AT,
        error: null,
        pricing: null,
      })),
    );
    await explain("senders_of_lanes", [{ lane: numberLane }]);

    // Inbound, from the callback to the message.
    await explain(
      "store_callbacks",
      uuids.map((id) => ({ id, lane: 5, body: "e30=" })),
    );
    await explain(
      "load_callbacks",
      uuids.map((id) => ({ id })),
    );
    const callbacks = await explain("ingest_tail", [{ slot: 5, lo: DEAD_ROWS }]);
    await explain(
      "finish_ingest",
      callbacks.map((row) => ({
        slot: 5,
        seq: row["seq"],
        callback_id: row["item_id"],
        due: null,
        quarantine: [
          {
            id: newUuid(NOW),
            reason: "unowned",
            provider_phone_number_id: "1",
            provider_account_id: null,
            change: null,
          },
        ],
      })),
    );
    await explain("find_routes", [{ provider_phone_number_id: "1", provider_account_id: null }]);
    await explain("replay_quarantine", [{ provider_phone_number_id: "1", provider_account_id: null }]);
    await explain(
      "receive_messages",
      three.map((index) => ({
        workspace_id: workspace,
        id: newUuid(NOW),
        phone_number_id: number,
        provider_message_id: `wamid.in.${index}`,
        new_contact_id: newUuid(NOW),
        phone: `+1555123000${index}`,
        wa_id: `1555123000${index}`,
        user_id: null,
        name: "A",
        type: "text",
        content: {},
        reply_to_provider_id: "wamid.out.0",
        opens_window: true,
        at: AT,
      })),
    );

    // Deliveries.
    const deliveries = (await explain("deliver_tail", [{ slot: endpointLane % 64, lo: DEAD_ROWS }])).slice(0, 3);
    expect(deliveries).toHaveLength(3);
    const place = (row: Record<string, unknown>) => ({
      slot: row["slot"],
      lane: endpointLane,
      seq: row["seq"],
      workspace_id: workspace,
      event_id: row["event_id"],
    });
    await explain("endpoint_lanes", [{ lane: endpointLane }]);
    await admin.query("update webhook_endpoint set ordered = true");
    await explain(
      "load_deliveries",
      deliveries.map((row) => ({ ...place(row), conversation: row["key"], body: true })),
    );
    await explain("deliver_defer", [{ ...place(deliveries[2] ?? {}), due: AT }]);
    await explain(
      "deliver_outcomes",
      deliveries.map((row, index) => ({
        ...place(row),
        delivery_id: row["item_id"],
        endpoint_id: endpoint,
        kind: "sent",
        created_at: AT,
        result: ["succeeded", "retry", "gone"][index],
        due: index === 1 ? AT : null,
        entry: {
          n: 1,
          started_at: AT,
          duration_ms: 1,
          status_code: 200,
          outcome: "succeeded",
          error: null,
          response: null,
        },
        record: true,
      })),
    );

    // The rest of the lanes' reads.
    for (const queue of ["dispatch", "deliver", "ingest", "task"]) {
      await explain(`${queue}_lanes`, [{ slot: 5 }]);
      await explain(`${queue}_fresh`, [{ slot: 5, lane: 5, lo: 0 }]);
      await explain(`${queue}_due`, [{ slot: 5, lane: 5, due: "-infinity", seq: 0 }]);
    }
    await explain("task_tail", [{ slot: 5, lo: 0 }]);
    await explain("begin_tasks", [{ slot: 5, seq: 1, workspace_id: workspace, job_id: newUuid(NOW) }]);
    await explain("end_tasks", [
      {
        slot: 5,
        seq: 1,
        workspace_id: workspace,
        job_id: newUuid(NOW),
        outcome: "done",
        error: null,
        due: null,
        attempt: 0,
        crashed: false,
      },
    ]);

    // Keys, audit, accounts, and events of verbs.
    await explain("emit_events", [
      { workspace_id: workspace, kind: "account_changed", resource_id: account, state: {}, conversation: account },
    ]);
    await explain("authenticate_keys", [{ digest: "00" }]);
    await explain("touch_keys", [{ workspace_id: workspace, key_id: newUuid(NOW), at: AT }]);
    await explain("record_activities", [
      { workspace_id: workspace, id: newUuid(NOW), at: AT, actor_type: "system", action: "a.b" },
    ]);
    await explain("claim_routes", [{ kind: "number", provider_id: "x", workspace_id: workspace, id: number }]);
    await explain("disconnect_accounts", [
      { workspace_id: workspace, id: account, reason: "x", provider_event: null, tell: true },
    ]);
    await explain("upsert_templates", [
      {
        workspace_id: workspace,
        business_account_id: account,
        id: newUuid(NOW),
        provider_template_id: "1",
        name: "hello",
        language: "en",
        category: "utility",
        status: "paused",
        quality: "red",
        parameter_format: "positional",
        components: [],
        rejection_reason: null,
        first: false,
        read_at: AT,
      },
    ]);

    const left = HOT_FUNCTIONS.map(({ name }) => name).filter((name) => !called.has(name) && !WALKERS.test(name));
    expect(left).toEqual([]);
    expect([...found.values()].flat()).toEqual([]);
  });
});
