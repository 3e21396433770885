import { withClient } from "../packages/server/src/testing/client.ts";
import { quantile } from "./figures.ts";
import { fillHouse } from "./filled-house.ts";
import type { Part, Run } from "./part.ts";

/** Of each message the log has when it was created, accepted, sent and delivered: five million rows. */
const MESSAGES = 1_250_000;
/** Rounds of the three questions, for each second that a timed one lasts. */
const A_SECOND = 20;

/** A page of the log by time, of a message and of a person in turns, while nothing else happens. */
export const auditMessages: Part = {
  name: "audit-messages",
  title: `GET /v1/audit/messages, at ${(4 * MESSAGES).toLocaleString("en-US")} rows`,
  bounds: {
    "by time p99 ms": { atMost: 50 },
    "by message p99 ms": { atMost: 50 },
    "by recipient p99 ms": { atMost: 50 },
  },
  timed: true,
  onlyNamed: true,
  async prepare(run) {
    await fillHouse(run.databaseUrl, MESSAGES, run.known);
    await withClient(run.databaseUrl, async (client) => {
      const { rows } = await client.query<{ engine_role: string }>("select engine_role from installation");
      await client.query(`set role "${rows[0]?.engine_role ?? ""}"`);
      await client.query("set statement_timeout = 0");
      await client.query(HISTORY);
      await client.query("reset role");
      await client.query("vacuum analyze history");
    });
    return { items: 0, figures: {} };
  },
  async work(run, extent) {
    const asks = "seconds" in extent ? extent.seconds * A_SECOND : extent.amount;
    const messages = await messagesOf(run, asks);
    const times: Record<string, number[]> = { time: [], message: [], recipient: [] };
    for (const { id, to, created_at } of messages) {
      const questions = {
        time: `at_before=${created_at}`,
        message: `message_id=${id}`,
        recipient: `to=${encodeURIComponent(to)}`,
      };
      for (const [name, query] of Object.entries(questions)) {
        const begun = performance.now();
        const { length } = await ask(run, `/v1/audit/messages?limit=100&${query}`);
        times[name]?.push(performance.now() - begun);
        if (length === 0) throw new Error(`nothing was found with ${query}`);
      }
    }
    const figures = Object.entries(times).flatMap(([name, all]) => [
      [`by ${name} p50 ms`, quantile(all, 0.5)],
      [`by ${name} p99 ms`, quantile(all, 0.99)],
    ]);
    return { items: 3 * messages.length, figures: Object.fromEntries(figures) };
  },
};

/** As of messages that were delivered within seconds: accepted, sent, delivered. */
const HISTORY = `insert into history (workspace_id, message_id, bit, at, received_at)
  select m.workspace_id, m.id, b.bit, m.created_at, m.created_at + b.n * interval '2 seconds'
  from message m cross join unnest(array[2, 4, 16]) with ordinality b(bit, n)`;

type Asked = { id: string; to: string; created_at: string };

/** Messages from all over the month. */
async function messagesOf(run: Run, count: number): Promise<Asked[]> {
  const found: Asked[] = [];
  const begun = new Date();
  begun.setUTCDate(1);
  for (let n = 1; found.length < count; n += 1) {
    const share = ((n * 0.618_034) % 1) * (Date.now() - begun.getTime());
    const before = new Date(begun.getTime() + share).toISOString();
    const page = (await ask(run, `/v1/messages?limit=10&created_before=${before}`)) as Asked[];
    if (n > 10 * count && found.length === 0) throw new Error("there are no messages");
    found.push(...page.slice(0, count - found.length));
  }
  return found;
}

async function ask({ urls, tenants: [tenant] }: Run, path: string): Promise<unknown[]> {
  const reply = await fetch(`${urls[0]}${path}`, { headers: { authorization: `Bearer ${tenant?.key}` } });
  if (!reply.ok) throw new Error(`${path} was answered with ${reply.status}`);
  return ((await reply.json()) as { data: unknown[] }).data;
}
