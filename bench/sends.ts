import {
  type Bench,
  type Cpu,
  cpuSince,
  drive,
  nextRecipients,
  ROUNDS,
  SECONDS,
  SENDS,
  settled,
  spent,
  withGateway,
} from "./bench.ts";
import type { BuiltGateway } from "./children.ts";
import { atLeast, atMost, median, micros, ms, per, quantile } from "./figures.ts";
import { makeTenants, subscribe, type Tenant } from "./tenants.ts";

const MANY_WORKSPACES = Number(process.env["BENCH_WORKSPACES"] ?? 1_000);

/** (b) End to end: from the first request until the provider has received the last message. */
export async function sends(bench: Bench): Promise<void> {
  console.log("(b) sends/s end to end, provider answers after 5 ms, distinct recipients");
  for (const { workspaces, numbersEach } of [
    { workspaces: 1, numbersEach: 2 },
    { workspaces: MANY_WORKSPACES, numbersEach: 1 },
  ]) {
    const tenants = await makeTenants(bench.place.url, workspaces, numbersEach);
    await withGateway(bench, async (gateway) => {
      const rounds: Sent[] = [];
      for (let round = 0; round < ROUNDS; round += 1) rounds.push(await sendAll(bench, gateway, tenants, null));
      const rate = median(rounds.map((round) => round.sends));
      console.log(`    ${workspaces} × workspace: ${per(rate)} ${atLeast(rate, 1_000)}`);
      console.log(`    CPU a send: ${micros(rounds)}`);
    });
  }
}

/** (b) Ready → sent: 200 requests a second whatever happens; until the provider has the bytes. */
export async function latency(bench: Bench): Promise<void> {
  const tenants = await makeTenants(bench.place.url, 1, 2);
  console.log("(b) ready → sent at 200/s, open loop");
  await withGateway(bench, async (gateway) => {
    await sendAll(bench, gateway, tenants, null);
    const fromRequest: number[] = [];
    const fromAnswer: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await bench.stub.ask({ kind: "reset", callbackUrl: null, times: true });
      const question = { url: gateway.url, tenants, firstRecipient: nextRecipients(2_000), recipients: 2_000 };
      const { times } = await drive(bench, { kind: "open", ...question, perSecond: 200, seconds: SECONDS });
      const report = await settled(bench, Object.keys(times).length, "sends");
      for (const [to, [left, answered]] of Object.entries(times)) {
        const arrived = report.times[to] ?? Number.POSITIVE_INFINITY;
        fromRequest.push(arrived - left);
        fromAnswer.push(arrived - answered);
      }
    }
    // The commit lies between the two; the first is the stricter figure.
    console.log(
      `    from the request's leaving: p50 ${ms(fromRequest, 0.5)} ${atMost(quantile(fromRequest, 0.5), 10, "ms")}, p99 ${ms(fromRequest, 0.99)}`,
    );
    console.log(`    from the client's 202: p50 ${ms(fromAnswer, 0.5)}, p99 ${ms(fromAnswer, 0.99)}`);
  });
}

/** (c) As (b), with one signed delivery each, then with statuses and everything subscribed. */
export async function statuses(bench: Bench): Promise<void> {
  console.log("(c) sends/s with one endpoint");
  for (const { words, events, reported, each } of [
    { words: "one delivery each, no statuses", events: ["accepted"], reported: false, each: 1 },
    { words: "sent and delivered reported, three deliveries each", events: ["*"], reported: true, each: 3 },
  ]) {
    const tenants = await makeTenants(bench.place.url, 1, 2);
    await withGateway(bench, async (gateway) => {
      await subscribe(gateway.url, tenants, `${bench.stub.url}/subscriber`, events);
      // Announced before the first round: each new contact is one more event.
      const firstRecipient = nextRecipients(SENDS);
      await sendAll(bench, gateway, tenants, null, { firstRecipient, deliveries: events.includes("*") ? 2 : 1 });
      const rounds: Sent[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        rounds.push(
          await sendAll(bench, gateway, tenants, reported ? gateway.url : null, { firstRecipient, deliveries: each }),
        );
      const of = (name: "sends" | "deliveries"): string => per(median(rounds.map((round) => round[name])));
      console.log(`    ${words}: ${of("sends")} sent, ${of("deliveries")} delivered`);
      console.log(`    CPU a send and what follows: ${micros(rounds)}`);
    });
  }
}

type Sent = Cpu & { sends: number; deliveries: number };

async function sendAll(
  bench: Bench,
  gateway: BuiltGateway,
  tenants: Tenant[],
  callbackUrl: string | null,
  { firstRecipient = nextRecipients(SENDS), deliveries = 0 } = {},
): Promise<Sent> {
  await bench.stub.ask({ kind: "reset", callbackUrl, times: false });
  const question = { url: gateway.url, tenants, firstRecipient, recipients: SENDS };
  const before = spent(bench, gateway);
  const { startedAt } = await drive(bench, { kind: "closed", ...question, connections: 64, amount: SENDS });
  const sent = await settled(bench, SENDS, "sends");
  if (sent.doubled > 0) throw new Error(`${sent.doubled} messages were sent twice`);
  const rate = (count: number, last: number): number => (count * 1_000) / (last - startedAt);
  if (deliveries === 0)
    return { sends: rate(SENDS, sent.lastSendAt), deliveries: 0, ...cpuSince(before, bench, gateway, SENDS) };
  const all = await settled(bench, SENDS * deliveries, "deliveries");
  return {
    sends: rate(SENDS, all.lastSendAt),
    deliveries: rate(all.deliveries, all.lastDeliveryAt),
    ...cpuSince(before, bench, gateway, SENDS),
  };
}
