import { type Figures, quantile } from "./figures.ts";
import { metered, nextRecipients, type Part, type Run, type Work } from "./part.ts";
import { drive, sendAll, settled, WARM_UP } from "./work.ts";

const PER_SECOND = 200;

/** 200 requests a second whatever happens; until the provider has the bytes. */
export const latency: Part = {
  name: "latency",
  title: `ready → sent at ${PER_SECOND}/s, open loop`,
  bounds: { "p50 ms": { atMost: 3 }, "p99 ms": { atMost: 15 } },
  prepare: async (run) => void (await sendAll(run, { amount: WARM_UP })),
  slice: (run) => metered(run, () => sendSlowly(run)),
};

async function sendSlowly({ bench, urls, tenants }: Run): Promise<Work> {
  await bench.stub.ask({ kind: "reset", callbackUrls: [], times: true });
  const { seconds } = bench.options;
  const recipients = PER_SECOND * Math.ceil(seconds);
  const question = { urls, tenants, firstRecipient: nextRecipients(recipients), recipients };
  const { times } = await drive(bench, { kind: "open", ...question, perSecond: PER_SECOND, seconds });
  const items = Object.keys(times).length;
  const report = await settled(bench, items, "sends");
  const since = (which: 0 | 1): number[] =>
    Object.entries(times).map(([to, moments]) => (report.times[to] ?? Number.POSITIVE_INFINITY) - moments[which]);
  const figures = (delays: number[], words: string): Figures => ({
    [`p50 ms${words}`]: quantile(delays, 0.5),
    [`p99 ms${words}`]: quantile(delays, 0.99),
  });
  // The commit lies between the two; the first is the stricter figure.
  return { items, figures: { ...figures(since(0), ""), ...figures(since(1), " after the 202") } };
}
