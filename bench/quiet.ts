import { setTimeout as sleep } from "node:timers/promises";
import { withClient } from "../packages/server/src/testing/client.ts";
import { type Bound, type Figures, quantile } from "./figures.ts";
import { openInserts } from "./inserts.ts";
import type { LoadReport } from "./load.ts";
import type { Bench, Part, Run } from "./part.ts";
import { cpuMs } from "./processes.ts";
import { drive, receiveAll, resetStub, sendAll, settled } from "./work.ts";

const SECONDS = 10;
/** Rates of lives, and of inbound messages with a delivery each. 80 is a number's own speed. */
const LIVES = [10, 50, 80, 160];
const INBOUND = [50, 200];
/** A person's phone is reached some time after the answer, when that has long been stored. */
const REPORTS_AFTER_MS = 250;
/** PostgreSQL's sessions hand in their counts once a second while they work, and when they have been idle for 10 s. */
const STATISTICS_IDLE_MS = 10_500;

const life = (perSecond: number): string => `life at ${perSecond}/s`;
const inbound = (perSecond: number): string => `inbound at ${perSecond}/s`;

/** What one message costs while hardly anything happens, as in most installations nearly all the time. */
export const quiet: Part = {
  name: "quiet",
  title:
    "what one message costs far below what the machine could do: CPU of gateway and PostgreSQL, and calls of the database",
  events: ["*"],
  rounds: 2,
  onlyNamed: true,
  bounds: {
    [`${life(80)}, both ms`]: { atMost: 7 },
    [`${life(10)}, both ms`]: { atMost: 12 },
    [`${life(80)}, calls`]: { atMost: 7 },
    [`${inbound(200)}, both ms`]: { atMost: 3.2 },
    [`${inbound(200)}, p50 ms`]: { atMost: 4 },
    [`${inbound(200)}, p99 ms`]: { atMost: 15 },
    "idle, both ms/second": { atMost: 10 },
  } satisfies Record<string, Bound>,
  async prepare(run) {
    const extent = { amount: run.known.recipients };
    await sendAll(run, extent, { deliveries: 2 });
    return await receiveAll(run, extent);
  },
  work: (run, extent) => sendAll(run, extent, { reported: true, deliveries: 3 }),
  async round(run) {
    const figures: Figures[] = [await idle(run)];
    for (const perSecond of LIVES) figures.push(await metered(run, life(perSecond), () => lives(run, perSecond)));
    for (const perSecond of INBOUND) figures.push(await metered(run, inbound(perSecond), () => writes(run, perSecond)));
    return Object.assign({}, ...figures) as Figures;
  },
  async beside(bench) {
    const inserts = await openInserts(bench.place);
    return async () => await plain(bench, (perSecond) => inserts.quietly(perSecond, SECONDS));
  },
};

type Work = { items: number; delays: number[] };

/** Delays: from the request until the provider has the message. */
async function lives(run: Run, perSecond: number): Promise<Work> {
  const { bench, urls, tenants, known } = run;
  await resetStub(bench, {
    callbackUrls: urls,
    timed: tenants.flatMap(({ providerNumbers }) => providerNumbers),
    reportsAfterMs: REPORTS_AFTER_MS,
  });
  const { times, done } = await drive(bench, { kind: "open", urls, tenants, ...known, perSecond, seconds: SECONDS });
  return { items: done, delays: delays(times, (await settled(bench, done * 3, "deliveries")).times) };
}

/** Delays: from the callback's request until the subscriber has the delivery. */
async function writes(run: Run, perSecond: number): Promise<Work> {
  const { bench, urls, tenants, known } = run;
  await resetStub(bench, { timesDeliveries: true });
  const question = { kind: "open callbacks", urls, tenants, ...known, perSecond, seconds: SECONDS } as const;
  const { times, done } = await drive(bench, question);
  return { items: done, delays: delays(times, (await settled(bench, done, "deliveries")).times) };
}

const delays = (times: LoadReport["times"], arrived: Record<string, number>): number[] =>
  Object.entries(times).map(([person, [left]]) => (arrived[person] ?? Number.POSITIVE_INFINITY) - left);

/** CPU without the database sessions of another build, which idles beside this one. */
function spent({ bench: { place }, gateways, databaseUrl }: Run): { gateway: number; database: number } {
  const name = new URL(databaseUrl).pathname.slice(1);
  return { gateway: cpuMs(gateways.map(({ pid }) => pid)), database: place.cpuMs(name) ?? Number.NaN };
}

async function metered(run: Run, name: string, work: () => Promise<Work>): Promise<Figures> {
  await sleep(STATISTICS_IDLE_MS);
  const [callsBefore, before] = [await calls(run), spent(run)];
  const { items, delays: of } = await work();
  const after = spent(run);
  await sleep(1_000);
  const made = (await calls(run)) - callsBefore;
  run.items += items;
  const each = (which: "gateway" | "database"): number => (after[which] - before[which]) / items;
  return {
    [`${name}, gateway ms`]: each("gateway"),
    [`${name}, PostgreSQL ms`]: each("database"),
    [`${name}, both ms`]: each("gateway") + each("database"),
    [`${name}, calls`]: made / items,
    [`${name}, p50 ms`]: quantile(of, 0.5),
    [`${name}, p99 ms`]: quantile(of, 0.99),
  };
}

async function idle(run: Run): Promise<Figures> {
  // What the items of the warm-up have left to vacuum is no cost of an idle process, and would be done at any time.
  await withClient(run.databaseUrl, (client) => client.query("vacuum analyze"));
  await sleep(STATISTICS_IDLE_MS);
  const before = spent(run);
  await sleep(SECONDS * 1_000);
  const after = spent(run);
  const each = (which: "gateway" | "database"): number => (after[which] - before[which]) / SECONDS;
  return {
    "idle, gateway ms/second": each("gateway"),
    "idle, PostgreSQL ms/second": each("database"),
    "idle, both ms/second": each("gateway") + each("database"),
  };
}

/** Transactions of the build's database so far: each call is one. */
const calls = async ({ databaseUrl }: Run): Promise<number> =>
  await withClient(databaseUrl, async (client) => {
    const asked = "select xact_commit::float8 as calls from pg_stat_database where datname = current_database()";
    return (await client.query<{ calls: number }>(asked)).rows[0]?.calls ?? Number.NaN;
  });

/** What PostgreSQL needs for the two inserts of a message and its queue row, by itself, at a number's own speed. */
async function plain({ place }: Bench, insert: (perSecond: number) => Promise<number>): Promise<Figures> {
  const perSecond = 80;
  const before = place.cpuMs("waypost_bound") ?? Number.NaN;
  const done = await insert(perSecond);
  return {
    [`two inserts at ${perSecond}/s, PostgreSQL ms`]: ((place.cpuMs("waypost_bound") ?? Number.NaN) - before) / done,
  };
}
