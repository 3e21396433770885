import { type Figures, quantile } from "./figures.ts";
import { newRecipients, type Part, type Run, type Work } from "./part.ts";
import { drive, sendAll, settled } from "./work.ts";

const PER_SECOND = 200;
const READY = "from the 202";

/** 200 requests a second whatever happens; until the provider has the bytes. */
export const latency: Part = {
  name: "latency",
  title: `ready → sent at ${PER_SECOND}/s, open loop`,
  bounds: { [`p50 ms ${READY}`]: { atMost: 3 }, [`p99 ms ${READY}`]: { atMost: 15 } },
  timed: true,
  work: (run, extent) =>
    "seconds" in extent
      ? sendSlowly(run, extent.seconds)
      : sendAll(run, extent, { recipients: newRecipients(extent.amount) }),
};

async function sendSlowly({ bench, urls, tenants }: Run, seconds: number): Promise<Work> {
  await bench.stub.ask({ kind: "reset", callbackUrls: [], times: true });
  const question = { urls, tenants, ...newRecipients(Math.ceil(PER_SECOND * seconds)) };
  const { times } = await drive(bench, { kind: "open", ...question, perSecond: PER_SECOND, seconds });
  const items = Object.keys(times).length;
  const report = await settled(bench, items, "sends");
  const since = (which: 0 | 1): number[] =>
    Object.entries(times).map(([to, moments]) => (report.times[to] ?? Number.POSITIVE_INFINITY) - moments[which]);
  const figures = (delays: number[], words: string): Figures => ({
    [`p50 ms ${words}`]: quantile(delays, 0.5),
    [`p99 ms ${words}`]: quantile(delays, 0.99),
  });
  // The row is ready when its commit is, shortly before the 202.
  return { items, figures: { ...figures(since(1), READY), ...figures(since(0), "from the request") } };
}
