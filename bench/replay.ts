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
/** The most that an endpoint may ask for. */
const PER_SECOND = 1_000;
const LIVE = { perSecond: 50, seconds: 20 };
const LOOK_MS = 250;

/** Old events are sent again, to an endpoint that gets new ones meanwhile. */
export const replay: Part = {
  name: "replay",
  title: `a replay of ${EVENTS.toLocaleString("en-US")} events at ${PER_SECOND.toLocaleString("en-US")}/s; beside inbound message → signed delivery to the same endpoint, at ${LIVE.perSecond}/s`,
  events: [KINDS],
  rounds: 1,
  onlyNamed: true,
  bounds: { "p99 beside it, of that alone": { atMost: 2 } },
  prepare: (run) => receiveAll(run, { amount: run.known.recipients }),
  work: receiveAll,
  async round(run) {
    const [tenant] = run.tenants as [Tenant];
    const path = await endpointPath(run, tenant);
    const alone = await inboundDelays(run, tenant, LIVE);
    const drained = await beginReplay(run, tenant, path);
    const beside = await inboundDelays(run, tenant, LIVE);
    const isTrue = !drained.hasEnded();
    const perSecond = await drained.perSecond;
    if (!isTrue)
      throw new Error("the replay ended before the live deliveries beside it; it needs more events (BENCH_ROWS)");
    return {
      "p50 ms to the subscriber, alone": quantile(alone, 0.5),
      "p99 ms to the subscriber, alone": quantile(alone, 0.99),
      "p50 ms to the subscriber, beside it": quantile(beside, 0.5),
      "p99 ms to the subscriber, beside it": quantile(beside, 0.99),
      "p99 beside it, of that alone": quantile(beside, 0.99) / quantile(alone, 0.99),
      "replayed/s": perSecond,
    };
  },
};

/** The endpoint that takes all, at the rate of the replay from now on. */
async function endpointPath({ urls: [url = ""] }: Run, { key }: Tenant): Promise<string> {
  const call = callAs(url, key);
  const { body } = await call("GET", "/v1/webhook-endpoints");
  const path = `/v1/webhook-endpoints/${body.data[0].id}`;
  const { status } = await call("PATCH", path, { body: { rate_per_second: PER_SECOND } });
  if (status !== 200) throw new Error("the endpoint was not changed");
  return path;
}

/** Resolves once the first deliveries have succeeded; `perSecond` is their rate from then until the last one. */
async function beginReplay(
  { urls: [url = ""], databaseUrl }: Run,
  { key }: Tenant,
  path: string,
): Promise<{ hasEnded(): boolean; perSecond: Promise<number> }> {
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
  let before = 0;
  while ((before = await succeeded()) === 0) await sleep(LOOK_MS);
  const beganAt = monotonicMs();
  let isOver = false;
  const perSecond = (async () => {
    for (let now = before, movedAt = beganAt; now < EVENTS; await sleep(LOOK_MS)) {
      const next = await succeeded();
      if (next > now) movedAt = monotonicMs();
      else if (monotonicMs() - movedAt > 60_000) throw new Error(`${now} of ${EVENTS} were replayed`);
      now = next;
    }
    isOver = true;
    return ((EVENTS - before) * 1_000) / (monotonicMs() - beganAt);
  })();
  perSecond.catch(() => {}); // it is awaited later
  return { hasEnded: () => isOver, perSecond };
}
