// What the parts let the load generator and the stub do.
import { setTimeout as sleep } from "node:timers/promises";
import type { LoadReport, Question } from "./load.ts";
import type { Bench, Extent, Recipients, Run, Work } from "./part.ts";
import type { Reset, StubReport } from "./stub.ts";

const CONNECTIONS = 64;
/** Callbacks that the provider posts at once. */
export const CALLBACK_CONNECTIONS = 32;

/** Puts load on a gateway, or on the bound; a request that fails ends the run. */
export async function drive(bench: Bench, question: Question): Promise<LoadReport> {
  const report = await bench.load.ask<LoadReport>(question);
  if (report.failed > 0) throw new Error(`${report.failed} of ${report.failed + report.done} requests failed`);
  return report;
}

/** The stub counts from nothing. */
export const resetStub = (bench: Bench, asked: Partial<Omit<Reset, "kind">> = {}): Promise<object> =>
  bench.stub.ask({ kind: "reset", callbackUrls: [], timed: [], ...asked });

const COUNTS = {
  sends: ({ sends }: StubReport) => sends,
  deliveries: ({ deliveries }: StubReport) => deliveries,
  times: ({ times }: StubReport) => Object.keys(times).length,
};

/** Waits until the stub has seen so many; gives up after a minute without a new one. */
export async function settled(bench: Bench, count: number, what: keyof typeof COUNTS): Promise<StubReport> {
  let last = { count: -1, at: performance.now() };
  for (;;) {
    const report = await bench.stub.ask<StubReport>({ kind: "report" });
    const seen = COUNTS[what](report);
    if (seen >= count) return report;
    if (seen > last.count) last = { count: seen, at: performance.now() };
    else if (performance.now() - last.at > 60_000) throw new Error(`${seen} of ${count} ${what} arrived`);
    await sleep(20);
  }
}

/** Messages are accepted; what follows is not waited for. */
export async function acceptAll(run: Run, connections: number, extent: Extent): Promise<Work> {
  const { urls, tenants, known } = run;
  const report = await drive(run.bench, { kind: "closed", urls, tenants, ...known, connections, ...extent });
  return { items: report.done, figures: { "accepted/s": report.perSecond } };
}

export type Following = {
  /** Default: those that are known. */
  recipients?: Recipients;
  /** Whether the provider reports `sent` and `delivered`. */
  reported?: boolean;
  /** Signed deliveries of a message. */
  deliveries?: number;
  /** Messages of all kinds, not templates alone. */
  mixed?: boolean;
  /** By the provider's own API. */
  front?: boolean;
  /** The stub keeps them, to report them as delivered. */
  keeps?: boolean;
};

/** From the first request until the provider has received the last message, and the receiver the last delivery. */
export async function sendAll(
  run: Run,
  extent: Extent,
  {
    recipients = run.known,
    reported = false,
    deliveries = 0,
    mixed = false,
    front = false,
    keeps = false,
  }: Following = {},
): Promise<Work> {
  const { bench, urls, tenants } = run;
  await resetStub(bench, { callbackUrls: reported ? urls : [], keeps });
  const question = {
    kind: "closed",
    urls,
    tenants,
    ...recipients,
    mixed,
    front,
    connections: CONNECTIONS,
    ...extent,
  } as const;
  const { startedAt, done } = await drive(bench, question);
  const sent = await settled(bench, done, "sends");
  if (sent.doubled > 0) throw new Error(`${sent.doubled} messages were sent twice`);
  const rate = (last: number): number => (done * 1_000) / (last - startedAt);
  if (deliveries === 0) return { items: done, figures: { "sent/s": rate(sent.lastSendAt) } };
  const all = await settled(bench, done * deliveries, "deliveries");
  return { items: done, figures: { "sent/s": rate(all.lastSendAt), "through/s": rate(all.lastDeliveryAt) } };
}

/** The known recipients write; no endpoint is notified. */
export async function takeAll(run: Run, extent: Extent): Promise<LoadReport> {
  const { bench, urls, tenants, known } = run;
  await resetStub(bench);
  return await drive(bench, {
    kind: "callbacks",
    urls,
    tenants,
    ...known,
    connections: CALLBACK_CONNECTIONS,
    ...extent,
  });
}

/** The known recipients write; until the last signed delivery of it has arrived. */
export async function receiveAll(run: Run, extent: Extent): Promise<Work> {
  const { bench } = run;
  const { startedAt, perSecond, done } = await takeAll(run, extent);
  const { lastDeliveryAt } = await settled(bench, done, "deliveries");
  return {
    items: done,
    figures: { "taken/s": perSecond, "through/s": (done * 1_000) / (lastDeliveryAt - startedAt) },
  };
}
