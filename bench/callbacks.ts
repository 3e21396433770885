import {
  type Bench,
  type Cpu,
  cpuSince,
  drive,
  KNOWN_RECIPIENTS,
  ROUNDS,
  SENDS,
  settled,
  spent,
  withGateway,
} from "./bench.ts";
import { median, micros, per } from "./figures.ts";
import { makeTenants, subscribe } from "./tenants.ts";

/** (d) Callbacks: inbound messages, until the last signed delivery has arrived. */
export async function callbacks(bench: Bench): Promise<void> {
  const tenants = await makeTenants(bench.place.url, 1, 2);
  console.log("(d) callbacks/s: inbound messages with one endpoint");
  await withGateway(bench, async (gateway) => {
    await subscribe(gateway.url, tenants, `${bench.stub.url}/subscriber`, ["messages"]);
    const rounds: (Cpu & { taken: number; delivered: number })[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await bench.stub.ask({ kind: "reset", callbackUrl: null, times: false });
      const question = { url: gateway.url, tenants, firstRecipient: 3_000_000, recipients: KNOWN_RECIPIENTS };
      const before = spent(bench, gateway);
      const report = await drive(bench, { kind: "callbacks", ...question, connections: 32, amount: SENDS });
      const { lastDeliveryAt, deliveries } = await settled(bench, SENDS, "deliveries");
      rounds.push({
        taken: report.perSecond,
        delivered: (deliveries * 1_000) / (lastDeliveryAt - report.startedAt),
        ...cpuSince(before, bench, gateway, SENDS),
      });
    }
    const of = (name: "taken" | "delivered"): string => per(median(rounds.map((round) => round[name])));
    console.log(`    ${of("taken")} committed, ${of("delivered")} through to signed deliveries received`);
    console.log(`    CPU a callback and its delivery: ${micros(rounds)}`);
  });
}
