import { startSimulator } from "@waypost/simulator";
import { callAs } from "../packages/server/src/testing/call.ts";
import { connectAccount, createWorkspace } from "../packages/server/src/testing/workspace.ts";
import { type BuiltGateway, startBuiltGateway } from "./children.ts";
import { APP_SECRET, SETTINGS, VERIFY_TOKEN } from "./settings.ts";

/** A workspace that can send: its key, and its numbers by our ids and by the provider's. */
export type Tenant = { key: string; numbers: string[]; providerNumbers: string[] };

export type TenantOptions = {
  /** Messages a second of a number: 1,000, or the provider's usual 80. */
  throughput?: 80 | 1_000;
  /** What the template says. */
  text?: string;
  /** Starts the process that connects the accounts. */
  start?: (env: Record<string, string>) => Promise<Pick<BuiltGateway, "url" | "stop">>;
};

const TEMPLATE = "order_ready";
const AT_ONCE = 16;
/** Created so far: accounts of one database must differ. */
let accounts = 0;

/** Creates workspaces with numbers, connected to the simulator like any account. */
export async function makeTenants(
  databaseUrl: string,
  count: number,
  numbersEach: number,
  { throughput = 1_000, text = "Your order is ready to be picked up.", start = startBuiltGateway }: TenantOptions = {},
): Promise<Tenant[]> {
  const simulator = await startSimulator({ appSecret: APP_SECRET, verifyToken: VERIFY_TOKEN, seed: [] });
  const gateway = await start({ ...SETTINGS, DATABASE_URL: databaseUrl, PROVIDER_BASE_URL: simulator.url });
  const operator = callAs(gateway.url, SETTINGS.WAYPOST_OPERATOR_KEY);
  const one = async (n: number): Promise<Tenant> => {
    accounts += 1;
    const account = String(1_000_000 + accounts);
    const providerNumbers = Array.from({ length: numbersEach }, (_, index) => `${account}${index}`);
    simulator.addAccount({
      waba_id: account,
      name: `Bench ${n}`,
      business_id: account,
      token: `token-${account}`,
      phone_numbers: providerNumbers.map((id, index) => ({
        id,
        display_phone_number: `+1 5${index}5-${account.slice(0, 3)}-${account.slice(3)}`,
        throughput,
      })),
      templates: [
        {
          name: TEMPLATE,
          language: "en_US",
          category: "UTILITY",
          components: [{ type: "BODY", text }],
        },
      ],
    });
    const { key } = await createWorkspace(operator);
    const connected = await connectAccount(callAs(gateway.url, key), { wabaId: account, token: `token-${account}` });
    if (connected.length !== numbersEach) throw new Error(`the account has ${connected.length} numbers`);
    return { key, numbers: connected.map(({ id }) => id), providerNumbers };
  };
  const tenants = await inGroups(count, one);
  await gateway.stop();
  await simulator.close();
  return tenants;
}

/** Subscribes the receiver to these kinds in each workspace, or to nothing. */
export async function subscribe(
  gatewayUrl: string,
  tenants: readonly Tenant[],
  url: string,
  events: readonly string[],
): Promise<void> {
  await inGroups(tenants.length, async (n) => {
    const { key } = tenants[n] as Tenant;
    const answer = await fetch(`${gatewayUrl}/v1/webhook-endpoints`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ url, events }),
    });
    if (!answer.ok) throw new Error(`the endpoint was refused: ${await answer.text()}`);
  });
}

/** So many calls, some of them at a time; their results in order. */
async function inGroups<T>(count: number, call: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let n = 0; n < count; n += AT_ONCE)
    results.push(...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - n) }, (_, k) => call(n + k)))));
  return results;
}

export const templateTo = (to: string, from: string): object => ({
  to,
  from,
  type: "template",
  template: { name: TEMPLATE, language: { code: "en_US" } },
});
