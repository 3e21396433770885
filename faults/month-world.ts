import { type Simulator, startSimulator } from "@waypost/simulator";
import { APP_SECRET, SETTINGS, VERIFY_TOKEN } from "../bench/settings.ts";
import { callAs } from "../packages/server/src/testing/call.ts";
import { connectAccount, createWorkspace } from "../packages/server/src/testing/workspace.ts";
import type { Lab, Process } from "./lab.ts";
import { type BilledNumber, monthIn } from "./month-bill.ts";

/** Half a day apart, so that there is a time at which the month has begun in one of them alone. */
const ZONES = [
  { timezone_id: "71", timeZone: "Asia/Kolkata" },
  { timezone_id: "1", timeZone: "America/Los_Angeles" },
];

/** Messages a second of each number. */
const SPEED = 1_000;

/** A provider whose statuses are doubled, late and out of order, a process, and two numbers that are billed in different time zones. */
export async function openMonth(
  lab: Lab,
): Promise<{ simulator: Simulator; process: Process; numbers: BilledNumber[] }> {
  const simulator = await startSimulator({
    appSecret: APP_SECRET,
    verifyToken: VERIFY_TOKEN,
    seed: [],
    delays: { sentMs: [0, 20], deliveredMs: [0, 40], readMs: [0, 200] },
    callbackRetries: { firstMs: 200, capMs: 1_000 },
    settings: {
      callbackCopies: 2,
      copyDelayMs: [0, 400],
      callbackDelayMs: [0, 600],
      shuffleSeed: lab.random.between(1, 1_000_000),
    },
  });
  try {
    const process = await lab.serve({ PROVIDER_BASE_URL: simulator.url });
    simulator.setCallbackUrl(`${process.url}/webhooks/receive`);
    const numbers: BilledNumber[] = [];
    for (const [index, { timezone_id, timeZone }] of ZONES.entries()) {
      const [wabaId, providerId] = [`3000${index}`, `3100${index}`];
      simulator.addAccount({
        waba_id: wabaId,
        name: `Month ${index}`,
        business_id: `3200${index}`,
        token: `token-${wabaId}`,
        timezone_id,
        phone_numbers: [{ id: providerId, display_phone_number: `+1555990300${index}` }],
        templates: [
          { name: "order_ready", category: "UTILITY" },
          { name: "promo_spring", category: "MARKETING" },
        ].map((one) => ({ ...one, language: "en_US", components: [{ type: "BODY", text: "Your order is ready." }] })),
      });
      simulator.setNumber(providerId, { throughput: SPEED });
      const { key } = await createWorkspace(callAs(process.url, SETTINGS.WAYPOST_OPERATOR_KEY));
      const [number] = await connectAccount(callAs(process.url, key), { wabaId, token: `token-${wabaId}` });
      if (number === undefined) throw new Error("the account has no number");
      numbers.push({ key, id: number.id, providerId, wabaId, timeZone, month: () => monthIn(timeZone, Date.now()) });
    }
    return { simulator, process, numbers };
  } catch (error) {
    await simulator.close();
    throw error;
  }
}
