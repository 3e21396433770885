import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { install } from "../../packages/server/src/process/install.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { urlOf } from "../../packages/server/src/testing/template.ts";
import { adminUrl, emptyDatabase, type Fresh } from "../database/databases.ts";
import { indexesOf } from "../database/old-indexes.ts";
import { type Deployment, startDeployment, type Worker, type Workspace } from "../process/deployment.ts";
import type { Reply } from "../process/gateway.ts";
import { inParallel, strangers } from "../process/posting.ts";
import { type Sources, sourcesBefore } from "./before.ts";
import { type LockWaits, watchLocks } from "./lock-waits.ts";

// A database left by the version before, with messages in every state that waits, opened by this one beside a process of the
// other. WAYPOST_UPGRADE_ROWS fills it before that, to see what the locks are like in a large one (200,000 take minutes).

const FILLED_ROWS = Number(process.env["WAYPOST_UPGRADE_ROWS"] ?? 2_000);
/** What no request may feel. */
const LONGEST_LOCK_MS = 1_000;
/** Long enough to be still ahead when the new process begins, also on a busy machine. */
const SCHEDULED_AHEAD_MS = 15_000;
const SETTLED_WITHIN_MS = 90_000 + FILLED_ROWS;

type Order = { to: string; from: string; sendAt?: string };
type Posted = { order: Order; reply: Reply };

let sources: Sources | string;
let databases: Fresh[] = [];
let deployment: Deployment;
let old: Worker;
let workspace: Workspace;

beforeAll(async () => {
  sources = await sourcesBefore();
  if (typeof sources === "string") return;
  deployment = await startDeployment(await database());
  old = await deployment.serve({}, { sources: sources.serve });
  workspace = await deployment.connect(old, 2);
}, 120_000);
afterAll(async () => {
  if (typeof sources === "string") return;
  await deployment?.stop();
  await sources?.remove();
  for (const { drop } of databases) await drop();
});

async function database(): Promise<Fresh> {
  const fresh = await emptyDatabase();
  databases = [...databases, fresh];
  // Dropped at the end, with its roles, and not by who uses it.
  return { ...fresh, drop: async () => {} };
}

test("an upgrade beside a running process loses nothing, doubles nothing, and locks no process out", {
  timeout: SETTLED_WITHIN_MS + 120_000,
}, async (context) => {
  if (typeof sources === "string") return context.skip(sources);
  await fill();
  const plain = await send(old, orders(30));
  const lost = await send(old, refused({ kind: "reset" }, 10));
  const retried = await send(old, refused({ kind: "refuse", code: 131016, count: 2 }, 10));
  const sendAt = new Date(Date.now() + SCHEDULED_AHEAD_MS).toISOString();
  const scheduled = await send(
    old,
    orders(20).map((order) => ({ ...order, sendAt })),
  );
  await vi.waitFor(async () => expect(await waiting()).toMatchObject({ unknown: 10, retrying: 10, scheduled: 20 }), {
    timeout: 30_000,
  });
  // Five seconds of one number's rate, and again where a busy machine accepts them no faster than they are sent.
  const queued: Posted[] = [];
  await vi.waitFor(
    async () => {
      queued.push(...(await send(old, orders(400, 1))));
      expect((await waiting()).queued).toBeGreaterThan(50);
    },
    { timeout: 60_000 },
  );

  const locks = await watchLocks(deployment.database.url);
  let up = false;
  const meanwhile = inParallel(orders(10_000), 2, async (order) => (up ? [] : await send(old, [order])));
  const next = await deployment.serve();
  up = true;
  const during = (await meanwhile).flat();
  await expectFree(locks);

  const fromBoth = [...(await send(old, orders(20))), ...(await send(next, orders(20)))];
  const all = [...plain, ...lost, ...retried, ...scheduled, ...queued, ...during, ...fromBoth];
  for (const gateway of [next, old]) {
    const again = await send(
      gateway,
      all.map(({ order }) => order),
    );
    // Versions may differ in the space around a value.
    expect(again.map(({ reply }) => reply.text.trim())).toEqual(all.map(({ reply }) => reply.text.trim()));
    expect(again.filter(({ reply }) => reply.headers.get("idempotent-replayed") !== "true")).toEqual([]);
  }

  await vi.waitFor(async () => expect(await waiting()).toMatchObject({ queued: 0, retrying: 0, scheduled: 0 }), {
    timeout: SETTLED_WITHIN_MS,
    interval: 200,
  });
  expect(await deployment.rows(workspace, "select from dispatch where due > now() + interval '1 hour'")).toHaveLength(
    (await adminUrl()) === null ? 0 : FILLED_ROWS,
  );
  const requests = deployment.requests();
  const reached = ({ order }: Posted): number =>
    requests.get(order.to.slice(1))?.filter((request) => request.accepted).length ?? 0;
  const certain = all.filter((posted) => !lost.includes(posted));
  expect(certain.filter((posted) => reached(posted) !== 1)).toEqual([]);
  expect(lost.map(({ order }) => requests.get(order.to.slice(1))?.length)).toEqual(lost.map(() => 1));
  const statuses = await deployment.rows<{ rank: number; count: number }>(
    workspace,
    "select s.rank, count(*)::int as count from message_state s join message m using (workspace_id, id) where m.reference is null group by 1 order by 1",
  );
  expect(statuses.map(({ count }) => count)).toEqual([lost.length, certain.length]);
});

test("when the old process has gone, the indexes are those of a new installation", async (context) => {
  if (typeof sources === "string") return context.skip(sources);
  expect((await old.end("SIGTERM")).code).toBe(0);
  const { url } = deployment.database;
  // As if it were hours ago that it last said that it runs.
  await withClient(url, (client) => client.query("update function_use set last_used = now() - interval '4 hours'"));
  const locks = await watchLocks(url);
  await install(url);
  await expectFree(locks);
  const fresh = await database();
  await install(fresh.url);
  const [ours, theirs] = await Promise.all(
    [url, fresh.url].map((each) => withClient(each, async (client) => (await client.query(indexesOf)).rows)),
  );
  expect(ours).toEqual(theirs);
});

async function expectFree(locks: LockWaits): Promise<void> {
  const { longest, rounds } = await locks.stop();
  expect(rounds).toBeGreaterThan(0);
  if (process.env["WAYPOST_UPGRADE_ROWS"]) console.log({ rounds, longest });
  expect(Object.entries(longest).filter(([, ms]) => ms >= LONGEST_LOCK_MS)).toEqual([]);
}

/** To strangers, from the numbers in turn or from one. */
const orders = (count: number, number?: number): Order[] =>
  strangers(count).map((to, index) => ({ to, from: workspace.numbers[number ?? index % 2]!.phone }));

function refused(fault: Parameters<Deployment["provider"]["addFault"]>[0], count: number): Order[] {
  const some = orders(count);
  for (const { to } of some) deployment.provider.addFault({ ...fault, recipient: to });
  return some;
}

/** Posts each with a key of its own; every one must be taken. */
async function send(gateway: Worker, some: readonly Order[]): Promise<Posted[]> {
  const posted = await inParallel(some, 20, async (order) => ({
    order,
    reply: await gateway.call(workspace.key, "POST", "/v1/messages", {
      key: `key-${order.to}`,
      body: {
        to: order.to,
        from: order.from,
        type: "template",
        template: { name: "order_ready", language: { code: "en_US" } },
        ...(order.sendAt === undefined ? {} : { send_at: order.sendAt }),
      },
    }),
  }));
  expect(posted.filter(({ reply }) => reply.status !== 202).map(({ reply }) => reply.text)).toEqual([]);
  return posted;
}

type Waiting = Record<"queued" | "retrying" | "scheduled" | "unknown", number>;

/** Rows of the queue by what they wait for, but for those that were filled in. */
async function waiting(): Promise<Waiting> {
  const [counts] = await deployment.rows<Waiting>(
    workspace,
    `select count(*) filter (where state < 2 and due = '-infinity')::int as queued, count(*) filter (where state < 2 and attempt > 0 and isfinite(due))::int as retrying,
       count(*) filter (where state < 2 and attempt = 0 and isfinite(due))::int as scheduled, count(*) filter (where state = 2)::int as unknown
     from dispatch where due < now() + interval '1 hour'`,
  );
  return counts!;
}

/** Messages of this month, and as many that are scheduled for tomorrow. */
async function fill(): Promise<void> {
  const server = await adminUrl();
  if (server === null) return; // no other login can bypass row-level security
  const url = urlOf(server, new URL(deployment.database.url).pathname.slice(1));
  await withClient(url, async (admin) => {
    await admin.query("set statement_timeout = 0");
    await admin.query(
      `insert into message (workspace_id, id, outbound, phone_number_id, contact_id, type, content, reference, sequence, created_at)
       select n.workspace_id, new_uuid(now()), true, n.id, gen_random_uuid(), 'text', '{}', 'filled', i, now()
       from (select * from phone_number limit 1) n, generate_series(1, ${FILLED_ROWS}) i`,
    );
    await admin.query(
      `insert into message_state (workspace_id, id, contact_id, conversation) select workspace_id, id, contact_id, 1 from message`,
    );
    await admin.query(
      `insert into dispatch (slot, lane, due, workspace_id, message_id, recipient)
       select n.lane % 64, n.lane, now() + interval '1 day', m.workspace_id, m.id, 1 from message m join phone_number n on n.id = m.phone_number_id`,
    );
    await admin.query(
      `insert into delivery (workspace_id, id, event_id, webhook_endpoint_id, kind, status, attempt, created_at, attempts)
       select workspace_id, id, id, contact_id, 'sent', 'succeeded', 1, now(), '[]' from message`,
    );
  });
}
