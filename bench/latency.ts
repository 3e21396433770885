import { type Figures, quantile } from "./figures.ts";
import { newRecipients, type Part, type Run, type Work } from "./part.ts";
import type { Tenant } from "./tenants.ts";
import { drive, resetStub, sendAll, settled } from "./work.ts";

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

async function sendSlowly(run: Run, seconds: number): Promise<Work> {
  await resetStub(run.bench, { timed: numbersOf(run.tenants) });
  const delays = await delaysOf(run, run.tenants, PER_SECOND, seconds);
  const figures = (of: number[], words: string): Figures => ({
    [`p50 ms ${words}`]: quantile(of, 0.5),
    [`p99 ms ${words}`]: quantile(of, 0.99),
  });
  // The row is ready when its commit is, shortly before the 202.
  return {
    items: delays.sinceRequest.length,
    figures: { ...figures(delays.sinceAnswer, READY), ...figures(delays.sinceRequest, "from the request") },
  };
}

/** The numbers of tenants, by the provider's ids. */
export const numbersOf = (tenants: readonly Tenant[]): string[] =>
  tenants.flatMap(({ providerNumbers }) => providerNumbers);

/** Milliseconds of each message from its request, or its 202, until the provider has the bytes; the stub times the numbers of `tenants`. */
export type Delays = { sinceRequest: number[]; sinceAnswer: number[] };

export async function delaysOf(
  { bench, urls }: Run,
  tenants: Tenant[],
  perSecond: number,
  seconds: number,
): Promise<Delays> {
  const question = { urls, tenants, ...newRecipients(Math.ceil(perSecond * seconds)) };
  const { times } = await drive(bench, { kind: "open", ...question, perSecond, seconds });
  const report = await settled(bench, Object.keys(times).length, "times");
  const since = (which: 0 | 1): number[] =>
    Object.entries(times).map(([to, moments]) => (report.times[to] ?? Number.POSITIVE_INFINITY) - moments[which]);
  return { sinceRequest: since(0), sinceAnswer: since(1) };
}
