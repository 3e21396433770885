import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { DAY_MS } from "../packages/server/src/lib/duration.ts";
import { withClient } from "../packages/server/src/testing/client.ts";
import { quantile } from "./figures.ts";
import { fillDatabase } from "./filled-database.ts";
import { EVENT_DAYS, EVENTS_EACH, fillEvents } from "./filled-events.ts";
import type { Part, Run } from "./part.ts";
import { memoryOf } from "./processes.ts";

/** Five million events unless BENCH_ROWS says otherwise. */
const EVENTS = Number(process.env["BENCH_ROWS"] ?? 5_000_000);
/** Questions of each kind in a round, for each second that a timed one lasts. */
const A_SECOND = 20;
const MOST_WARM_UP = 200;

/** Pages of the feed of 30 days, from anywhere in it. */
export const feed: Part = {
  name: "feed",
  title: `pages of a feed of ${EVENTS.toLocaleString("en-US")} events of ${EVENT_DAYS} days`,
  bounds: { "page p99 ms": { atMost: 20 }, "next page p99 ms": { atMost: 20 }, "rare kind p99 ms": { atMost: 20 } },
  timed: true,
  onlyNamed: true,
  async prepare(run) {
    await fillDatabase(run.databaseUrl, EVENTS / EVENTS_EACH, run.known);
    await fillEvents(run.databaseUrl, EVENTS);
    return { items: 0, figures: {} };
  },
  async work(run, extent) {
    // A warm-up is a number of items that are far smaller elsewhere.
    const asks = "seconds" in extent ? extent.seconds * A_SECOND : Math.min(extent.amount, MOST_WARM_UP);
    const times = { page: [] as number[], next: [] as number[], rare: [] as number[] };
    for (let asked = 0; asked < asks; asked += 1) {
      const after = new Date(Date.now() - Math.random() * EVENT_DAYS * DAY_MS).toISOString();
      const path = `/v1/events?limit=100&created_after=${encodeURIComponent(after)}`;
      const { next_cursor: cursor } = await pageOf(run, path, times.page);
      await pageOf(run, `${path}&cursor=${cursor}`, times.next);
      await pageOf(run, `${path}&kind=failed`, times.rare);
    }
    return {
      items: 3 * asks,
      figures: {
        "page p50 ms": quantile(times.page, 0.5),
        "page p99 ms": quantile(times.page, 0.99),
        "next page p99 ms": quantile(times.next, 0.99),
        "rare kind p99 ms": quantile(times.rare, 0.99),
      },
    };
  },
};

async function pageOf({ urls, tenants }: Run, path: string, times: number[]): Promise<{ next_cursor: string }> {
  const begun = performance.now();
  const reply = await fetch(`${urls[0]}${path}`, { headers: { authorization: `Bearer ${tenants[0]?.key}` } });
  const text = await reply.text();
  times.push(performance.now() - begun);
  if (!reply.ok) throw new Error(`the feed was answered with ${reply.status}: ${text}`);
  return JSON.parse(text) as { next_cursor: string };
}

const STREAMS = 500;
/** As a key may have. */
const OF_A_KEY = 20;
const QUIET_MS = 5_000;
/** A connection that has come to rest counts its transactions within ten seconds: those by which the streams began are not theirs at rest. */
const COUNTED_MS = 11_000;

/** What open streams cost while nothing happens, and while all get an event. */
export const streams: Part = {
  name: "streams",
  title: `${STREAMS} open streams of events, in ten workspaces`,
  workspaces: 10,
  rounds: 1,
  bounds: { "MiB for all": { atMost: 100 }, "database calls/s more": { atMost: 15 } },
  onlyNamed: true,
  async prepare(run) {
    idleMiB.set(run, residentMiB(run));
    return { items: 0, figures: {} };
  },
  async work(run) {
    await sleep(COUNTED_MS);
    const alone = await callsIn(run, QUIET_MS);
    const keys = await keysOf(run);
    let received = 0;
    const open: IncomingMessage[] = [];
    for (let n = 0; n < STREAMS; n += 1)
      open.push(await streamOf(run, keys[Math.floor(n / OF_A_KEY)] ?? "", (events) => void (received += events)));
    await sleep(COUNTED_MS);
    const beside = await callsIn(run, QUIET_MS);
    const begun = performance.now();
    people += 1;
    for (const { key } of run.tenants) await ask(run, key, "/v1/contacts", { phone: `+1555700${1_000 + people}` });
    while (received < STREAMS) await sleep(5);
    const allMs = performance.now() - begun;
    const memory = residentMiB(run) - (idleMiB.get(run) ?? 0);
    for (const response of open) response.destroy();
    return {
      items: STREAMS,
      figures: { "MiB for all": memory, "database calls/s more": beside - alone, "until all have it ms": allMs },
    };
  },
};

/** Of the process before it had any stream: it keeps what a round before has given back. */
const idleMiB = new WeakMap<Run, number>();
const residentMiB = ({ gateways }: Run): number => memoryOf(gateways.map(({ pid }) => pid)).now;

/** People created so far in each workspace. */
let people = 0;

/** As many keys as the streams need, of the workspaces in turn. */
async function keysOf(run: Run): Promise<string[]> {
  const keys: string[] = [];
  for (let n = 0; n < STREAMS / OF_A_KEY; n += 1) {
    const { key } = run.tenants[n % run.tenants.length] ?? { key: "" };
    keys.push((await ask(run, key, "/v1/api-keys", { name: `s${n}`, scopes: ["webhooks:read", "contacts:read"] })).key);
  }
  return keys;
}

async function ask({ urls }: Run, key: string, path: string, body: object): Promise<{ key: string }> {
  const reply = await fetch(`${urls[0]}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!reply.ok) throw new Error(`${path} was answered with ${reply.status}: ${await reply.text()}`);
  return (await reply.json()) as { key: string };
}

/** Resolves once the stream has begun; `take` is called with the number of events that arrived. */
const streamOf = ({ urls }: Run, key: string, take: (events: number) => void): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request = get(
      `${urls[0]}/v1/events/stream?kind=contact_created`,
      { headers: { authorization: `Bearer ${key}` }, agent: false },
      (response) => {
        if (response.statusCode !== 200) return reject(new Error(`a stream was answered with ${response.statusCode}`));
        response.setEncoding("utf8").on("data", (text: string) => take(text.split("\ndata: ").length - 1));
        response.on("error", () => {}); // ended by us
        response.once("data", () => resolve(response));
      },
    );
    request.on("error", reject);
  });

/** Transactions a second of the database of this build. */
async function callsIn({ databaseUrl }: Run, ms: number): Promise<number> {
  const count = (): Promise<number> =>
    withClient(databaseUrl, async (client) => {
      await client.query("select pg_stat_clear_snapshot()");
      const { rows } = await client.query<{ n: number }>(
        "select (xact_commit + xact_rollback)::float8 as n from pg_stat_database where datname = current_database()",
      );
      return rows[0]?.n ?? 0;
    });
  const before = await count();
  await sleep(ms);
  return ((await count()) - before) / (ms / 1_000);
}
