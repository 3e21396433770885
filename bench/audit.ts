import { withClient } from "../packages/server/src/testing/client.ts";
import { type Figures, quantile } from "./figures.ts";
import { fillDatabase, PUBLIC_ID } from "./filled-database.ts";
import { delaysOf, numbersOf } from "./latency.ts";
import type { Part, Run } from "./part.ts";
import { memoryOf } from "./processes.ts";
import { resetStub, sendAll } from "./work.ts";

/** Of each message the log has when it was created, accepted, sent and delivered, and four calls: five million rows of both. */
const MESSAGES = 1_250_000;
const ROWS = 4 * MESSAGES;
const ASKS = 200;
const SENDS = { perSecond: 20, seconds: 20 };

/** Pages of both logs by time, of a message and of a person; then a whole month is streamed beside sends. */
export const audit: Part = {
  name: "audit",
  title: `GET /v1/audit/messages and /v1/audit/activity, at ${ROWS.toLocaleString("en-US")} rows each`,
  bounds: {
    ...pagesBelow("messages", 50),
    ...pagesBelow("activity", 50),
    "gateway peak MiB, streaming": { atMost: 300 },
    "send p99, beside ÷ alone": { atMost: 2 },
  },
  rounds: 1,
  onlyNamed: true,
  async prepare(run) {
    await fillDatabase(run.databaseUrl, MESSAGES, run.known);
    await withClient(run.databaseUrl, async (client) => {
      const { rows } = await client.query<{ engine_role: string }>("select engine_role from installation");
      await client.query(`set role "${rows[0]?.engine_role ?? ""}"`);
      await client.query("set statement_timeout = 0");
      await client.query(PUBLIC_ID);
      await client.query(HISTORY);
      await client.query(READS);
      await client.query("reset role");
      await client.query("vacuum analyze history, audit");
    });
    return { items: 0, figures: {} };
  },
  work: sendAll,
  async round(run) {
    const asked = await messagesOf(run, ASKS);
    return {
      ...(await pages(run, "messages", asked, ({ id, to }) => ({
        message: `message_id=${id}`,
        recipient: `to=${encodeURIComponent(to)}`,
      }))),
      ...(await pages(run, "activity", asked, ({ id, contact_id }) => ({
        message: `resource=${id}`,
        recipient: `resource=${contact_id}`,
      }))),
      ...(await streamed(run)),
    };
  },
};

function pagesBelow(log: string, ms: number): NonNullable<Part["bounds"]> {
  const bound = { atMost: ms };
  return {
    [`${log} by time p99 ms`]: bound,
    [`${log} by message p99 ms`]: bound,
    [`${log} by recipient p99 ms`]: bound,
  };
}

/** As of messages that were delivered within seconds: accepted, sent, delivered. */
const HISTORY = `insert into history (workspace_id, message_id, bit, at, received_at)
  select m.workspace_id, m.id, b.bit, m.created_at, m.created_at + b.n * interval '2 seconds'
  from message m cross join unnest(array[2, 4, 16]) with ordinality b(bit, n)`;

/** Behind each message three reads: of it, of its contact, and of the list. */
const READS = `insert into audit
    (workspace_id, id, at, actor_type, action, resource_type, resource_id, method, path, status)
  select m.workspace_id, new_uuid(r.at), r.at, 'api_key', r.action, r.type,
    case r.type when 'message' then pg_temp.public_id('msg', m.id) when 'contact' then pg_temp.public_id('con', m.contact_id) end,
    'GET', '/v1/' || r.action, 200
  from message m cross join lateral (values
    (m.created_at + interval '2 seconds', 'message.read', 'message'),
    (m.created_at + interval '4 seconds', 'contact.read', 'contact'),
    (m.created_at + interval '6 seconds', 'message.list', null)) r(at, action, type)`;

type Asked = { id: string; to: string; contact_id: string; created_at: string };

async function pages(
  run: Run,
  log: string,
  asked: readonly Asked[],
  filters: (of: Asked) => Record<string, string>,
): Promise<Figures> {
  const times: Record<string, number[]> = {};
  for (const of of asked)
    for (const [name, query] of Object.entries({ time: `at_before=${of.created_at}`, ...filters(of) })) {
      const begun = performance.now();
      const { length } = await ask(run, `/v1/audit/${log}?limit=100&${query}`);
      times[name] = [...(times[name] ?? []), performance.now() - begun];
      if (length === 0) throw new Error(`nothing was found in ${log} with ${query}`);
    }
  return Object.fromEntries(
    Object.entries(times).flatMap(([name, all]) => [
      [`${log} by ${name} p50 ms`, quantile(all, 0.5)],
      [`${log} by ${name} p99 ms`, quantile(all, 0.99)],
    ]),
  );
}

/** Both logs of the whole month at once, each to a reader as fast as it can be, beside sends. */
async function streamed(run: Run): Promise<Figures> {
  const alone = await sendP99(run);
  const begun = performance.now();
  const streams = ["messages", "activity"].map((log) =>
    rowsOf(run, `/v1/audit/${log}?at_after=${monthBegan().toISOString()}`),
  );
  const beside = await sendP99(run);
  const rows = (await Promise.all(streams)).reduce((sum, one) => sum + one, 0);
  if (rows < 2 * ROWS) throw new Error(`${rows} rows were streamed`);
  return {
    "rows streamed/s": (rows / (performance.now() - begun)) * 1_000,
    "gateway peak MiB, streaming": memoryOf(run.gateways.map(({ pid }) => pid)).peak,
    "send p99 ms, alone": alone,
    "send p99 ms, beside": beside,
    "send p99, beside ÷ alone": beside / alone,
  };
}

async function sendP99(run: Run): Promise<number> {
  await resetStub(run.bench, { timed: numbersOf(run.tenants) });
  const { sinceRequest } = await delaysOf(run, run.tenants, SENDS.perSecond, SENDS.seconds);
  return quantile(sinceRequest, 0.99);
}

const LINE_END = "\n".charCodeAt(0);

/** How many rows a stream has. */
async function rowsOf(run: Run, path: string): Promise<number> {
  const reply = await get(run, path, "application/x-ndjson");
  let rows = 0;
  for await (const chunk of reply.body ?? []) for (const byte of chunk) if (byte === LINE_END) rows += 1;
  return rows;
}

function monthBegan(): Date {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));
}

/** Messages from all over the month. */
async function messagesOf(run: Run, count: number): Promise<Asked[]> {
  const found: Asked[] = [];
  const begun = monthBegan();
  for (let n = 1; found.length < count; n += 1) {
    const share = ((n * 0.618_034) % 1) * (Date.now() - begun.getTime());
    const before = new Date(begun.getTime() + share).toISOString();
    const page = (await ask(run, `/v1/messages?limit=10&created_before=${before}`)) as Asked[];
    if (n > 10 * count && found.length === 0) throw new Error("there are no messages");
    found.push(...page.slice(0, count - found.length));
  }
  return found;
}

async function ask(run: Run, path: string): Promise<unknown[]> {
  return ((await (await get(run, path, "application/json")).json()) as { data: unknown[] }).data;
}

async function get({ urls, tenants: [tenant] }: Run, path: string, accept: string): Promise<Response> {
  const reply = await fetch(`${urls[0]}${path}`, { headers: { authorization: `Bearer ${tenant?.key}`, accept } });
  if (!reply.ok) throw new Error(`${path} was answered with ${reply.status}`);
  return reply;
}
