import { setTimeout as sleep } from "node:timers/promises";
import { callAs } from "../packages/server/src/testing/call.ts";
import { quantile } from "./figures.ts";
import { inboundDelays } from "./inbound.ts";
import { monotonicMs } from "./monotonic.ts";
import type { Part, Run } from "./part.ts";
import type { Tenant } from "./tenants.ts";
import { asEngine, COPIED_EVENTS, KINDS } from "./webhooks.ts";
import { receiveAll } from "./work.ts";

/** A hundred thousand events unless BENCH_ROWS says otherwise. */
const EVENTS = Number(process.env["BENCH_ROWS"] ?? 100_000);
/** What an endpoint without a rate of its own gets, where live deliveries have none; one between; and the most that it may ask for. */
const RATES = [50, 250, 1_000];
const WITHOUT_ONE = 50;
const LIVE = { perSecond: 50, seconds: 20 };
const LOOK_MS = 250;

/** Old events are sent again, to an endpoint that gets new ones meanwhile. */
export const replay: Part = {
  name: "replay",
  title: `a replay of ${EVENTS.toLocaleString("en-US")} events at ${RATES.join(", then ")}/s; beside inbound message → signed delivery to the same endpoint, at ${LIVE.perSecond}/s`,
  events: [KINDS],
  rounds: 1,
  onlyNamed: true,
  bounds: Object.fromEntries(RATES.map((rate) => [`p99 beside ${rate}/s, of that alone`, { atMost: 2 }])),
  prepare: (run) => receiveAll(run, { amount: run.known.recipients }),
  work: receiveAll,
  async round(run) {
    const [tenant] = run.tenants as [Tenant];
    const endpoint = await endpointOf(run, tenant);
    const alone = await inboundDelays(run, tenant, LIVE);
    const before = quantile(alone, 0.99);
    const figures: Record<string, number> = {
      "p50 ms to the subscriber, alone": quantile(alone, 0.5),
      "p99 ms to the subscriber, alone": before,
    };
    const replayed = await beginReplay(run, tenant, endpoint.path);
    for (const rate of RATES) {
      await endpoint.setRate(rate);
      const beside = await inboundDelays(run, tenant, LIVE);
      if (replayed.hasEnded())
        throw new Error("the replay ended before what it was beside; it needs more events (BENCH_ROWS)");
      figures[`p50 ms beside ${rate}/s`] = quantile(beside, 0.5);
      figures[`p99 ms beside ${rate}/s`] = quantile(beside, 0.99);
      figures[`p99 beside ${rate}/s, of that alone`] = quantile(beside, 0.99) / before;
    }
    return { ...figures, "replayed/s at the end": await replayed.perSecondAtEnd };
  },
};

type Endpoint = { path: string; setRate(perSecond: number): Promise<void> };

/** The endpoint that takes all. */
async function endpointOf({ urls: [url = ""] }: Run, { key }: Tenant): Promise<Endpoint> {
  const call = callAs(url, key);
  const { body } = await call("GET", "/v1/webhook-endpoints");
  const path = `/v1/webhook-endpoints/${body.data[0].id}`;
  return {
    path,
    async setRate(perSecond) {
      const { status } = await call("PATCH", path, {
        body: { rate_per_second: perSecond === WITHOUT_ONE ? null : perSecond },
      });
      if (status !== 200) throw new Error("the endpoint was not changed");
    },
  };
}

type Replayed = { hasEnded(): boolean; perSecondAtEnd: Promise<number> };

/** Resolves once the first deliveries have succeeded; `perSecondAtEnd` is the rate of the last fifth of them. */
async function beginReplay({ urls: [url = ""], databaseUrl }: Run, { key }: Tenant, path: string): Promise<Replayed> {
  const call = callAs(url, key);
  const created_after = new Date().toISOString();
  await sleep(2); // the range is without its bounds, of a millisecond each
  await asEngine(databaseUrl, (client) => client.query(`with${COPIED_EVENTS} select count(*) from copies`, [EVENTS]));
  await sleep(2);
  const { status, body } = await call("POST", `${path}/replays`, { body: { created_after, only: "missing" } });
  if (status !== 202) throw new Error(`the replay was refused: ${JSON.stringify(body)}`);
  const succeeded = async (): Promise<number> => {
    const { progress, error } = (await call("GET", `${path}/replays/${body.id}`)).body;
    if (error !== null || progress.failed > 0) throw new Error("deliveries of the replay failed");
    return progress.succeeded;
  };
  while ((await succeeded()) === 0) await sleep(LOOK_MS);
  let isOver = false;
  const perSecondAtEnd = (async () => {
    const last = { from: 0, at: 0 };
    let now = 0;
    for (let movedAt = monotonicMs(); now < EVENTS; await sleep(LOOK_MS)) {
      const next = await succeeded();
      if (next > now) movedAt = monotonicMs();
      else if (monotonicMs() - movedAt > 60_000) throw new Error(`${now} of ${EVENTS} were replayed`);
      now = next;
      if (last.at === 0 && now > EVENTS * 0.8) Object.assign(last, { from: now, at: monotonicMs() });
    }
    isOver = true;
    return ((EVENTS - last.from) * 1_000) / (monotonicMs() - last.at);
  })();
  perSecondAtEnd.catch(() => {}); // it is awaited later
  return { hasEnded: () => isOver, perSecondAtEnd };
}
