import { Client } from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Sql, SqlValue } from "../../packages/server/src/db/database.ts";
import { readRoles } from "../../packages/server/src/db/migrate.ts";
import { selectSeenRow } from "../../packages/server/src/features/accounts/numbers/health.store.ts";
import { type ActivityFilter, selectActivityRows } from "../../packages/server/src/features/audit/store.ts";
import {
  selectActiveConversations,
  selectConversationRows,
  selectConversationsOfPeople,
  selectFittingIds,
  selectLatestRows,
  selectMessageConversations,
} from "../../packages/server/src/features/conversations/store.ts";
import { selectMediaRows } from "../../packages/server/src/features/media/media.store.ts";
import { selectIdBelow, selectMessageRows } from "../../packages/server/src/features/messages/list.store.ts";
import { selectLogRows } from "../../packages/server/src/features/messages/log/message-log.store.ts";
import { EVERYTHING } from "../../packages/server/src/features/messages/testing/message-filter.ts";
import { selectStoredRows } from "../../packages/server/src/features/webhooks/deliveries/delivery.store.ts";
import { emptyTables } from "./bloat.ts";
import { type Node, pagesOf } from "./judge.ts";
import type { Owned } from "./owned.ts";
import { openPastTheWalls, type PastTheWalls } from "./past-the-walls.ts";
import type { Tenant } from "./rows.ts";

// Lists of one workspace among 1,000 that use the same references, as its role sees them.

const WORKSPACES = 1_000;
/** Of each workspace: messages to 10 people with 2 references, and deliveries to 2 endpoints. */
const ROWS_EACH = 40;
/** Ten rows of three tables, by their keys, over partitions of which most are empty. */
const MOST_PAGES = 400;

let opened: PastTheWalls | null;
let database: Owned;
let admin: Client | null = null;
let tenant: Tenant;
beforeAll(async () => {
  opened = await openPastTheWalls();
  if (opened !== null) ({ database, admin, tenant } = opened);
}, 120_000);
afterAll(() => opened?.drop());

const LIMIT = 10;

it.for([
  { what: "never analysed", before: "select", after: "select" },
  { what: "analysed while empty", before: "vacuum analyze", after: "select" },
  { what: "analysed when full", before: "select", after: "analyze" },
])(
  "lists of one workspace walk no rows of others, on tables $what",
  {
    timeout: 120_000,
  },
  async ({ before, after }, context) => {
    if (!admin) return context.skip("filling tables past the walls needs a superuser");
    await emptyTables(admin);
    await admin.query(before);
    await fill(admin);
    await admin.query(after);
    const mine = await explaining();
    const { workspace, endpoint } = tenant;
    const page = (await idOf(admin, workspace)) ?? "";
    await selectMessageRows(mine.sql, workspace, { ...EVERYTHING, contactIds: [person(workspace)] }, LIMIT);
    await selectMessageRows(
      mine.sql,
      workspace,
      { ...EVERYTHING, contactIds: [person(workspace)], before: page },
      LIMIT,
    );
    await selectMessageRows(mine.sql, workspace, { ...EVERYTHING, reference: "order 1" }, LIMIT);
    await selectMessageRows(mine.sql, workspace, { ...EVERYTHING, reference: "order 1", before: page }, LIMIT);
    await selectMessageRows(mine.sql, workspace, { ...EVERYTHING, template: "order_late", fromId: page }, LIMIT);
    await selectMessageRows(mine.sql, workspace, { ...EVERYTHING, reported: "failed" }, LIMIT);
    await selectMessageRows(mine.sql, workspace, { ...EVERYTHING, reported: "failed", before: page }, LIMIT);
    await selectMessageRows(
      mine.sql,
      workspace,
      { ...EVERYTHING, unreported: { status: "queued", at: new Date() } },
      LIMIT,
    );
    await selectMessageRows(mine.sql, workspace, { ...EVERYTHING, errorCode: "expired" }, LIMIT);
    await selectMessageRows(mine.sql, workspace, { ...EVERYTHING, errorCode: "expired", before: page }, LIMIT);
    await selectMessageRows(
      mine.sql,
      workspace,
      { ...EVERYTHING, errorCode: "recipient_unreachable", reported: "failed" },
      LIMIT,
    );
    await selectMessageRows(mine.sql, workspace, { ...EVERYTHING, providerMessageId: "wamid.20" }, LIMIT);
    await selectIdBelow(mine.sql, workspace, page, LIMIT);
    const walk = { numbers: null, limit: LIMIT };
    await selectMessageConversations(mine.sql, workspace, { ...walk, before: null });
    await selectMessageConversations(mine.sql, workspace, { ...walk, before: page });
    const active = { below: new Date(Date.now() + 60_000), numbers: null, limit: LIMIT };
    await selectActiveConversations(mine.sql, workspace, active);
    const last = { contact_id: person(workspace), phone_number_id: tenant.number, last_message_at: active.below };
    await selectActiveConversations(mine.sql, workspace, { ...active, below: last, limit: LIMIT / 2 });
    await selectConversationsOfPeople(mine.sql, workspace, [person(workspace)], null);
    const conversation = { contact_id: person(workspace), phone_number_id: tenant.number };
    await selectLatestRows(mine.sql, workspace, [conversation]);
    await selectConversationRows(mine.sql, workspace, [{ ...conversation, id: page }]);
    const fit = { isOpen: false, isUnread: false, now: new Date() };
    await selectFittingIds(mine.sql, workspace, [{ ...conversation, id: page }], fit);
    // Only its plan comes back, and no row.
    await selectSeenRow(mine.sql, workspace, tenant.number, new Date()).catch(() => undefined);
    const ids = { lowest: LOWEST, below: HIGHEST };
    const all = { ...ids, endpointId: null, kind: null, statuses: null, endpoints: null };
    await selectStoredRows(mine.sql, workspace, { ...all, endpointId: endpoint }, LIMIT);
    await selectStoredRows(mine.sql, workspace, all, LIMIT);
    await selectStoredRows(mine.sql, workspace, { ...all, statuses: ["failed"] }, LIMIT);
    await selectStoredRows(mine.sql, workspace, { ...all, statuses: ["failed"], endpointId: endpoint }, LIMIT);
    const log = { messageId: null, recipients: null, from: null, to: null };
    const newest = { before: null, limit: LIMIT };
    await selectLogRows(mine.sql, workspace, log, newest);
    await selectLogRows(mine.sql, workspace, { ...log, to: Date.now() + 120_000 }, newest);
    await selectLogRows(mine.sql, workspace, { ...log, messageId: page }, newest);
    await selectLogRows(mine.sql, workspace, { ...log, recipients: [person(workspace)] }, newest);
    const ofMessage: ActivityFilter = { ...ALL_CALLS, resourceId: "order 1" };
    await selectActivityRows(mine.sql, workspace, ALL_CALLS, { before: null, limit: LIMIT });
    await selectActivityRows(mine.sql, workspace, ofMessage, { before: null, limit: LIMIT });
    await selectActivityRows(
      mine.sql,
      workspace,
      { ...ALL_CALLS, action: "message.create" },
      { before: page, limit: LIMIT },
    );
    await selectActivityRows(mine.sql, workspace, { ...ofMessage, to: Date.now() }, { before: page, limit: LIMIT });
    const ofMedia = { source: undefined, status: undefined, messageId: undefined };
    const first = { before: null, limit: LIMIT, fetch: LIMIT };
    await selectMediaRows(mine.sql, workspace, first, ofMedia);
    await selectMediaRows(mine.sql, workspace, first, { ...ofMedia, source: "upload" });
    await selectMediaRows(mine.sql, workspace, first, { ...ofMedia, source: "upload", status: "available" });
    await selectMediaRows(mine.sql, workspace, first, { ...ofMedia, status: "failed" });
    await selectMediaRows(mine.sql, workspace, first, { ...ofMedia, source: "inbound", status: "pending" });
    await selectMediaRows(mine.sql, workspace, first, { ...ofMedia, messageId: person(workspace) });
    await mine.end();
    expect(mine.plans.map((plan) => plan["Actual Rows"])).toEqual([
      4,
      2,
      LIMIT,
      LIMIT,
      LIMIT,
      2,
      1,
      4,
      1,
      1,
      1,
      1,
      1,
      LIMIT,
      LIMIT,
      LIMIT,
      LIMIT / 2,
      1,
      1,
      1,
      1,
      1,
      LIMIT,
      LIMIT,
      LIMIT,
      LIMIT,
      LIMIT,
      LIMIT,
      2,
      // The messages of the person are fewer than a page has entries.
      0,
      8,
      LIMIT + 1,
      4,
      LIMIT + 1,
      // The walk over all that was looked at ends at the last call.
      0,
      2,
      LIMIT,
      LIMIT,
      LIMIT,
      4,
      4,
      4,
    ]);
    expect(mine.plans.map(pagesOf).filter((pages) => pages > MOST_PAGES)).toEqual([]);
    expect(mine.plans.flatMap(walked)).toEqual([]);
  },
);

/** Scans of messages, deliveries, reports, attempts, calls and media that looked at more rows than they gave. */
function walked(plan: Node): string[] {
  const below = (plan.Plans ?? []).flatMap(walked);
  const relation = plan["Relation Name"] ?? "";
  // A message has few attempts.
  const isOfMessage = relation.startsWith("attempt") && plan["Index Cond"]?.includes("(message_id = ");
  const removed = isOfMessage ? 0 : (plan["Rows Removed by Filter"] ?? 0);
  return /^(message|delivery|history|audit|attempt)_\d|^conversation$|^media$/.test(relation) && removed > 0
    ? [`${plan["Node Type"]} of ${relation} leaves out ${removed} rows: ${plan["Index Cond"]}`, ...below]
    : below;
}

const ALL_CALLS: ActivityFilter = {
  actorType: null,
  actorId: null,
  action: null,
  resourceType: null,
  resourceId: null,
  status: null,
  from: null,
  to: null,
};

type Explaining = { sql: Sql; plans: Node[]; end(): Promise<void> };

/** Statements of the workspace's own role, of which only the plans are kept. */
async function explaining(): Promise<Explaining> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  await client.query(`begin; set local role "${(await readRoles(database.url))?.appRole}"`);
  await client.query("select set_config('app.workspace_id', $1, true)", [tenant.workspace]);
  const plans: Node[] = [];
  return {
    plans,
    end: () => client.end(),
    sql: {
      async query(text: string, values: readonly SqlValue[] = []) {
        const { rows } = await client.query<{ "QUERY PLAN": [{ Plan: Node }] }>(
          `explain (analyze, buffers, format json) ${text}`,
          [...values],
        );
        plans.push(rows[0]!["QUERY PLAN"][0].Plan);
        return [];
      },
      run: () => Promise.reject(new Error("a list writes nothing")),
    },
  };
}

const LOWEST = "00000000-0000-0000-0000-000000000000";
const HIGHEST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** One of the ten people of a workspace. */
const person = (workspace: string): string => `${workspace.slice(0, -1)}1`;

/** In the middle of the workspace's messages. */
async function idOf(client: Client, workspace: string): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>(
    "select id from message where workspace_id = $1 order by id offset 20 limit 1",
    [workspace],
  );
  return rows[0]?.id;
}

async function fill(client: Client): Promise<void> {
  const { workspace, number, endpoint, endpointLane } = tenant;
  const workspaces = `(select case w when 1 then '${workspace}'::uuid else md5('workspace' || w)::uuid end as ws, w from generate_series(1, ${WORKSPACES}) w) w`;
  // In turn, so that the rows of a workspace lie apart.
  await client.query(
    `insert into message (workspace_id, id, outbound, phone_number_id, contact_id, type, content, reference, fallback, sequence, created_at)
     select ws, new_uuid(now() - (${ROWS_EACH} - i) * interval '1 second'), true, '${number}', (left(ws::text, 35) || i % 10)::uuid, 'text', '{}', 'order ' || i % 2, '{"name": "order_late"}', i, now()
     from generate_series(1, ${ROWS_EACH}) i, ${workspaces} order by i, w`,
  );
  await client.query(
    `insert into contact (workspace_id, id, created_at, updated_at)
     select ws, (left(ws::text, 35) || i % 10)::uuid, now(), now() from generate_series(1, 10) i, ${workspaces} on conflict do nothing`,
  );
  await client.query(
    "insert into message_state (workspace_id, id, contact_id, conversation, fallback_used) select workspace_id, id, contact_id, 1, true from message",
  );
  await client.query(
    `insert into conversation (workspace_id, contact_id, phone_number_id, last_message_at)
     select ws, (left(ws::text, 35) || i % 10)::uuid, '${number}', now() from generate_series(1, 10) i, ${workspaces} order by i, w`,
  );
  await client.query(
    "insert into history (workspace_id, message_id, bit, at, received_at) select workspace_id, id, bit, created_at, uuid_time(id) from message, unnest(array[4, 8]) bit where bit = 4 or sequence % 20 = 0",
  );
  await client.query(
    "update message_state s set rank = 5 from history h where h.bit = 8 and h.workspace_id = s.workspace_id and h.message_id = s.id",
  );
  // Messages that failed have one of two errors.
  await client.query(
    `update message_state s set error = json_build_object('code', case m.sequence when 40 then 'recipient_unreachable' else 'expired' end)
     from message m where m.workspace_id = s.workspace_id and m.id = s.id and m.sequence % 20 = 0`,
  );
  await client.query(
    "insert into provider_message (workspace_id, provider_message_id, message_id, created_at) select workspace_id, 'wamid.' || sequence, id, created_at from message",
  );
  await client.query(
    `insert into attempt (workspace_id, message_id, attempt, completed_at, outcome, error)
     select workspace_id, id, 1, uuid_time(id), case when sequence % 20 = 0 then 'retry' else 'accepted' end, '{}' from message`,
  );
  await client.query(
    `insert into dispatch (slot, lane, workspace_id, message_id, recipient)
     select n.lane % 64, n.lane, m.workspace_id, m.id, 1 from phone_number n join message m on m.workspace_id = n.workspace_id
     where n.id = '${number}' and m.sequence % 10 = 5`,
  );
  await client.query(
    `insert into delivery (workspace_id, id, event_id, webhook_endpoint_id, kind, status, attempt, created_at, attempts)
     select ws, new_uuid(now() - (${ROWS_EACH} - i) * interval '1 second'), gen_random_uuid(), case i % 2 when 0 then '${endpoint}'::uuid else md5(ws::text)::uuid end, 'sent', case when i % 4 < 2 then 'failed' else 'succeeded' end, 1, now(), '[]'
     from generate_series(1, ${ROWS_EACH}) i, ${workspaces} order by i, w`,
  );
  await client.query(
    `insert into deliver (slot, lane, due, workspace_id, delivery_id, event_id, conversation)
     select ${endpointLane} % 64, ${endpointLane} + 64 * w, now(), ws, gen_random_uuid(), gen_random_uuid(), i from generate_series(1, ${ROWS_EACH}) i, ${workspaces}`,
  );
  await client.query(
    `insert into audit (workspace_id, id, at, actor_type, action, resource_id)
     select workspace_id, id, created_at, 'api_key', 'message.create', 'order ' || sequence % 10 from message`,
  );
  await client.query(
    `insert into workspace (workspace_id, name, created_at, updated_at) select ws, 'w', now(), now() from ${workspaces}
     on conflict do nothing`,
  );
  await client.query(
    `insert into media_file (workspace_id, id, sha256, size, state) select ws, ws, '', 1, 'stored' from ${workspaces}`,
  );
  await client.query(
    `insert into media (workspace_id, id, source, status, type, file_id, message_id, created_at, used_at)
     select ws, new_uuid(now() - (${ROWS_EACH} - i) * interval '1 second'), case i % 4 when 0 then 'upload' else 'inbound' end,
       case i % 10 when 1 then 'failed' when 3 then 'pending' else 'available' end, 'image',
       case when i % 10 in (1, 3) then null else ws end, case when i % 4 <> 0 then (left(ws::text, 35) || i % 10)::uuid end, now(), now()
     from generate_series(1, ${ROWS_EACH}) i, ${workspaces} order by i, w`,
  );
}
