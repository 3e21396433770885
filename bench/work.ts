// What the parts let the load generator and the stub do.
import { setTimeout as sleep } from "node:timers/promises";
import type { LoadReport, Question } from "./load.ts";
import type { Bench, Run, Work } from "./part.ts";
import type { StubReport } from "./stub.ts";

const CONNECTIONS = 64;
/** Messages of a warm-up: the engine has then optimized what is called for each of them. */
export const WARM_UP = 5_000;
/** Callbacks that the provider posts at once. */
const CALLBACK_CONNECTIONS = 32;

/** How long the load lasts: so many requests, or so many seconds. */
export type Extent = { amount: number } | { seconds: number };

/** Puts load on a gateway, or on the bound; a request that fails ends the run. */
export async function drive(bench: Bench, question: Question): Promise<LoadReport> {
  const report = await bench.load.ask<LoadReport>(question);
  if (report.failed > 0) throw new Error(`${report.failed} of ${report.failed + report.done} requests failed`);
  return report;
}

/** Waits until the stub has seen so many; gives up after a minute without a new one. */
export async function settled(bench: Bench, count: number, what: "sends" | "deliveries"): Promise<StubReport> {
  let last = { count: -1, at: performance.now() };
  for (;;) {
    const report = await bench.stub.ask<StubReport>({ kind: "report" });
    if (report[what] >= count) return report;
    if (report[what] > last.count) last = { count: report[what], at: performance.now() };
    else if (performance.now() - last.at > 60_000) throw new Error(`${report[what]} of ${count} ${what} arrived`);
    await sleep(20);
  }
}

/** Makes the recipients known, and warms up. */
export async function acceptFirst(run: Run): Promise<void> {
  await acceptAll(run, CONNECTIONS, { amount: Math.max(2 * WARM_UP, run.known.recipients) });
}

/** Messages are accepted; what follows is not waited for. */
export async function acceptAll(run: Run, connections: number, extent: Extent): Promise<Work> {
  const { urls, tenants, known } = run;
  const report = await drive(run.bench, { kind: "closed", urls, tenants, ...known, connections, ...extent });
  return { items: report.done, figures: { "accepted/s": report.perSecond } };
}

export type Following = {
  /** Default: those that are known. */
  recipients?: { firstRecipient: number; recipients: number };
  /** Whether the provider reports `sent` and `delivered`. */
  reported?: boolean;
  /** Signed deliveries of a message. */
  deliveries?: number;
};

/** From the first request until the provider has received the last message, and the receiver the last delivery. */
export async function sendAll(
  run: Run,
  extent: Extent,
  { recipients = run.known, reported = false, deliveries = 0 }: Following = {},
): Promise<Work> {
  const { bench, urls, tenants } = run;
  await bench.stub.ask({ kind: "reset", callbackUrls: reported ? urls : [], times: false });
  const question = { kind: "closed", urls, tenants, ...recipients, connections: CONNECTIONS, ...extent } as const;
  const { startedAt, done } = await drive(bench, question);
  const sent = await settled(bench, done, "sends");
  if (sent.doubled > 0) throw new Error(`${sent.doubled} messages were sent twice`);
  const rate = (last: number): number => (done * 1_000) / (last - startedAt);
  if (deliveries === 0) return { items: done, figures: { "sent/s": rate(sent.lastSendAt) } };
  const all = await settled(bench, done * deliveries, "deliveries");
  return { items: done, figures: { "sent/s": rate(all.lastSendAt), "through/s": rate(all.lastDeliveryAt) } };
}

/** People write; until the last signed delivery of it has arrived. */
export async function receiveAll(run: Run, amount: number): Promise<Work> {
  const { bench, urls, tenants, known } = run;
  await bench.stub.ask({ kind: "reset", callbackUrls: [], times: false });
  const question = { kind: "callbacks", urls, tenants, ...known, connections: CALLBACK_CONNECTIONS, amount } as const;
  const { startedAt, perSecond } = await drive(bench, question);
  const { lastDeliveryAt } = await settled(bench, amount, "deliveries");
  return {
    items: amount,
    figures: { "taken/s": perSecond, "through/s": (amount * 1_000) / (lastDeliveryAt - startedAt) },
  };
}

/** Writes to each known recipient once: a new contact is one more event, which no round may meet. Then warms up. */
export async function announce(run: Run, following: Following, events: readonly string[] = []): Promise<void> {
  const count = run.known.recipients;
  const announced = events.includes("*") ? 2 : events.length > 0 ? 1 : 0;
  await sendAll(run, { amount: count }, { deliveries: announced });
  await sendAll(run, { amount: WARM_UP }, following);
}
