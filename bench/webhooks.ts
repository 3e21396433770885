import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { callAs } from "../packages/server/src/testing/call.ts";
import { withClient } from "../packages/server/src/testing/client.ts";
import { monotonicMs } from "./monotonic.ts";
import { metered, type Part, type Run } from "./part.ts";
import { HANGING, SUBSCRIBER } from "./settings.ts";
import type { StubReport } from "./stub.ts";
import type { Tenant } from "./tenants.ts";
import { receiveAll, resetStub } from "./work.ts";

const ONE = 20_000;
const EACH = 100;
/** Of each workspace, beside the one endpoint that all parts have. */
const ENDPOINTS = 99;
const HANGING_EACH = 25;
/** Enough for the places of each endpoint to have grown when a quarter of it has arrived. */
const GROWN_EACH = 400;
const ORDERED = { few: 4_000, many: 100_000, conversations: 200 };
const OUTAGE = { rows: 2_000, ms: 20_000 };
/** Events that are written again and again: so few that writing takes no time beside delivering. */
const SOURCES = 50;
/** The events of known messages, so that a body is rendered from what bodies are rendered from. */
export const KINDS = "messages";

/** What is delivered from a backlog that is there at once, so that nothing but delivering is measured. */
export const webhooks: Part = {
  name: "webhooks",
  title: `signed deliveries of a backlog: to one endpoint, to ${2 * (ENDPOINTS + 1)} of two workspaces, with ${2 * HANGING_EACH} of them hanging, after an outage, and in order`,
  events: [KINDS],
  workspaces: 2,
  rounds: 1,
  onlyNamed: true,
  bounds: {
    "one endpoint, deliveries/s": { atLeast: 1_500 },
    "healthy beside hanging, of their rate": { atLeast: 0.9 },
    "healthy once others hang, of their rate": { atLeast: 0.9 },
    "ordered, CPU with many waiting": { atMost: 1.2 },
  },
  async prepare(run) {
    const work = await receiveAll(run, { amount: run.known.recipients });
    for (const tenant of run.tenants) await addEndpoints(run, tenant);
    await changeFirst(run, { description: "first" });
    return work;
  },
  work: receiveAll,
  async round(run) {
    const figures = {
      ...(await toOne(run)),
      ...(await toMany(run)),
      ...(await afterGrowing(run)),
      ...(await afterOutage(run)),
      ...(await afterRestart(run)),
      ...(await inOrder(run)),
    };
    return figures;
  },
};

/** Endpoints that subscribe to nothing that happens here: what they get is written for them. */
async function addEndpoints({ urls: [url = ""], bench: { stub } }: Run, { key }: Tenant): Promise<void> {
  const call = callAs(url, key);
  for (let n = 0; n < ENDPOINTS; n += 1) {
    const path = n < HANGING_EACH ? HANGING : SUBSCRIBER;
    const body = {
      url: stub.url + path,
      events: ["endpoint_disabled"],
      description: n < HANGING_EACH ? "hanging" : "healthy",
    };
    const answer = await call("POST", "/v1/webhook-endpoints", { body });
    if (answer.status !== 201) throw new Error(`the endpoint was refused: ${JSON.stringify(answer.body)}`);
  }
}

/** Changes the endpoint of the first workspace that all parts have. */
async function changeFirst({ urls: [url = ""], tenants }: Run, change: object): Promise<void> {
  const call = callAs(url, tenants[0]?.key ?? "");
  const { body } = await call("GET", "/v1/webhook-endpoints?limit=100");
  const first = (body.data as { id: string; events: string[] }[]).find(({ events }) => events.includes(KINDS));
  const { status } = await call("PATCH", `/v1/webhook-endpoints/${first?.id}`, { body: change });
  if (status !== 200) throw new Error("the endpoint was not changed");
}

/** As the engine, which may read and write all workspaces' rows. */
export const asEngine = <T>(databaseUrl: string, run: (client: pg.Client) => Promise<T>): Promise<T> =>
  withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ engine_role: string }>("select engine_role from installation");
    await client.query(`grant "${rows[0]?.engine_role}" to current_user`);
    await client.query(`set role "${rows[0]?.engine_role}"`);
    await client.query("set statement_timeout = 0");
    return await run(client);
  });

/** As parts of a `with`: of each workspace, so many ($1) `events` more about its messages. Each is in `copies`, with its number. */
export const COPIED_EVENTS = ` sources as (
         select w.workspace_id, e.*, row_number() over (partition by w.workspace_id) as n, count(*) over (partition by w.workspace_id) as of
         from (select distinct workspace_id from webhook_endpoint) w cross join lateral (
           select e.kind, e.message_id, e.contact_id, e.state from event e
           where e.workspace_id = w.workspace_id and e.kind = '${KINDS}' and e.message_id is not null order by e.id limit ${SOURCES}) e),
       copies as (
         select s.*, new_uuid(clock_timestamp()) as id, c.n as copy from generate_series(1, $1::int) c (n)
         join sources s on s.n = 1 + c.n % s.of),
       events as (
         insert into event (workspace_id, id, era, kind, sequence, message_id, contact_id, occurred_at, state, created_at)
         select c.workspace_id, c.id, i.era, c.kind, nextval('conversation_sequence'), c.message_id, c.contact_id, now(), c.state, now()
         from copies c cross join installation i order by c.copy)`;

type Backlog = { each: number; where: string; conversations?: number };

/** Events of the newest messages again, and a delivery of each to the endpoints `e` of a condition, all committed at once. */
const write = ({ databaseUrl }: Run, { each, where, conversations = each }: Backlog): Promise<number> =>
  asEngine(databaseUrl, async (client) => {
    const { rowCount } = await client.query(
      `with${COPIED_EVENTS}
       insert into deliver (slot, lane, workspace_id, delivery_id, event_id, conversation)
       select e.lane % 64, e.lane, e.workspace_id, delivery_id(c.id, e.id), c.id, hashtextextended((c.copy % $2::int)::text, 0)
       from copies c join webhook_endpoint e on e.workspace_id = c.workspace_id and ${where}
       order by c.copy`,
      [each, conversations],
    );
    return rowCount ?? 0;
  });

const report = ({ bench }: Run): Promise<StubReport> => bench.stub.ask<StubReport>({ kind: "report" });

/** Waits until so many have arrived; their rate from the first one on. */
async function arrived(run: Run, count: number): Promise<{ perSecond: number; firstAt: number; lastAt: number }> {
  for (let seen = -1, quietSince = monotonicMs(); ; await sleep(50)) {
    const { deliveries, firstDeliveryAt: firstAt, lastDeliveryAt: lastAt } = await report(run);
    if (deliveries >= count) return { perSecond: ((deliveries - 1) * 1_000) / (lastAt - firstAt), firstAt, lastAt };
    if (deliveries > seen) [seen, quietSince] = [deliveries, monotonicMs()];
    else if (monotonicMs() - quietSince > 180_000) throw new Error(`${seen} of ${count} deliveries arrived`);
  }
}

const FIRST = "e.description = 'first'";

async function toOne(run: Run) {
  await resetStub(run.bench);
  const count = (await write(run, { each: ONE, where: FIRST })) as number;
  return { "one endpoint, deliveries/s": (await arrived(run, count)).perSecond };
}

async function toMany(run: Run) {
  await resetStub(run.bench);
  const all = (await arrived(run, await write(run, { each: EACH, where: "true" }))).perSecond;
  await resetStub(run.bench);
  const alone = (
    await arrived(run, await write(run, { each: EACH, where: "e.description is distinct from 'hanging'" }))
  ).perSecond;
  await resetStub(run.bench, { hangs: true });
  await write(run, { each: EACH, where: "e.description = 'hanging'" });
  await sleep(1_000);
  const beside = (
    await arrived(run, await write(run, { each: EACH, where: "e.description is distinct from 'hanging'" }))
  ).perSecond;
  await forget(run);
  return {
    [`${2 * (ENDPOINTS + 1)} endpoints, deliveries/s`]: all,
    "healthy alone, deliveries/s": alone,
    "healthy beside hanging, deliveries/s": beside,
    "healthy beside hanging, of their rate": beside / alone,
  };
}

/** The hanging ones have answered quickly so far, and have as many places as they can come to. */
async function afterGrowing(run: Run) {
  await resetStub(run.bench);
  const count = await write(run, { each: GROWN_EACH, where: "true" });
  const before = await healthyUntil(run, count / 4);
  await run.bench.stub.ask({ kind: "hang" });
  const healthy = Math.floor((count * (1 - HANGING_EACH / (ENDPOINTS + 1))) / 2);
  const after = await healthyUntil(run, healthy);
  await forget(run);
  return {
    "healthy before others hang, deliveries/s": before,
    "healthy once others hang, deliveries/s": after,
    "healthy once others hang, of their rate": after / before,
  };
}

/** Deliveries to the healthy ones in a second, until all together are so many. */
async function healthyUntil(run: Run, deliveries: number): Promise<number> {
  const from = await report(run);
  const startedAt = monotonicMs();
  for (;;) {
    const now = await report(run);
    if (now.deliveries >= deliveries) return ((now.healthy - from.healthy) * 1_000) / (monotonicMs() - startedAt);
    if (monotonicMs() - startedAt > 180_000) throw new Error(`${now.deliveries} of ${deliveries} deliveries arrived`);
    await sleep(50);
  }
}

/** What waits for the hanging endpoints is not waited for. */
async function forget({ databaseUrl, bench, restart }: Run): Promise<void> {
  await resetStub(bench);
  await asEngine(databaseUrl, (client) => client.query("delete from deliver"));
  await restart();
}

/** A receiver that is unavailable for a while: from its first answer until it has all. */
async function afterOutage(run: Run) {
  await resetStub(run.bench, { unavailable: true });
  const count = await write(run, { each: OUTAGE.rows, where: FIRST });
  await sleep(OUTAGE.ms);
  await resetStub(run.bench);
  const backAt = monotonicMs();
  const { firstAt, lastAt } = await arrived(run, count);
  return {
    "after an outage, seconds to the first": (firstAt - backAt) / 1_000,
    "after an outage, seconds to the last": (lastAt - backAt) / 1_000,
  };
}

async function afterRestart(run: Run) {
  await resetStub(run.bench);
  for (const gateway of run.gateways) await gateway.stop();
  const count = await write(run, { each: ONE, where: FIRST });
  await run.restart();
  return { "after a restart, deliveries/s": (await arrived(run, count)).perSecond };
}

/** The CPU of a delivery of one endpoint in order, with few rows waiting in its lane and with many. */
async function inOrder(run: Run) {
  const {
    urls: [url = ""],
    tenants,
  } = run;
  const call = callAs(url, tenants[0]?.key ?? "");
  const { body } = await call("GET", "/v1/webhook-endpoints?limit=100");
  const endpoint = (body.data as { id: string; description: string | null }[]).find(
    ({ description }) => description === null,
  );
  await call("PATCH", `/v1/webhook-endpoints/${endpoint?.id}`, { body: { ordered: true } });
  const cpu: number[] = [];
  const rates: number[] = [];
  for (const each of [ORDERED.few, ORDERED.few, ORDERED.many]) {
    await resetStub(run.bench);
    const count = await write(run, { each, where: FIRST, conversations: ORDERED.conversations });
    const spent = await metered(run, async () => {
      rates.push((await arrived(run, count)).perSecond);
      return { items: count, figures: {} };
    });
    cpu.push((spent["gateway µs"] ?? 0) + (spent["PostgreSQL µs"] ?? 0));
  }
  const [, few = 0, many = 0] = cpu;
  return {
    "ordered, deliveries/s": rates[2] ?? 0,
    "ordered, µs with few waiting": few,
    "ordered, µs with many waiting": many,
    "ordered, CPU with many waiting": many / few,
  };
}
