import { type Simulator, startSimulator } from "@waypost/simulator";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { parseId } from "../../../lib/ids.ts";
import { createWhatsApp } from "../../../provider/whatsapp/adapter.ts";
import type { Reply } from "../../../testing/call.ts";
import { type Gateway, startGateway } from "./gateway.ts";
import { openTestProvider, type TestProvider } from "./test-provider.ts";

const APP_SECRET = "secret";
const VERIFY_TOKEN = "verify";

/** The simulator's own account, and how a client asks for it. */
export const TOKEN = "EAASIMDEMO";
export const ACCOUNT = { provider_account_id: "9001", access_token: TOKEN };

export let simulator: Simulator;
/** What the gateway takes for the provider. */
export let provider: TestProvider;
export let gateway: Gateway;
/** New for each test. */
export let workspaceId: string;

/** Starts gateway and simulator for the tests of a file. */
export function useDemo(): void {
  beforeAll(async () => {
    simulator = await startSimulator({ appSecret: APP_SECRET, verifyToken: VERIFY_TOKEN });
    provider = await openTestProvider(() => simulator.url);
    const keys = { appSecrets: [APP_SECRET], verifyToken: VERIFY_TOKEN };
    gateway = await startGateway(createWhatsApp({ baseUrl: provider.url, apiVersion: "v26.0", ...keys }));
  });
  afterAll(async () => {
    provider.become("well");
    await gateway.app.provider.close();
    await gateway.stop();
    await provider.close();
    await simulator.close();
  });
  beforeEach(async () => {
    simulator.reset();
    provider.become("well");
    // Nobody else's: each test connects the one demo account anew.
    await disconnectAll();
    workspaceId = await gateway.workspace();
    gateway.connected.length = 0;
    provider.asked.length = 0;
  });
}

const everybody: string[] = [];

/** To be said of each workspace that connects: the next test finds the account free. */
export function connects(id: string): void {
  everybody.push(id);
}

async function disconnectAll(): Promise<void> {
  for (const id of everybody.splice(0)) {
    const { body } = await gateway.as(id)("GET", "/v1/business-accounts");
    for (const account of body.data) await gateway.as(id)("DELETE", `/v1/business-accounts/${account.id}`);
  }
}

export function connect(id = workspaceId, body: object = ACCOUNT): Promise<Reply> {
  connects(id);
  return gateway.connect(id, body);
}

/** As the simulator's own account, to be given another token. */
export const demoWith = (token: string) => ({
  waba_id: "9001",
  name: "Demo Shop",
  business_id: "7001",
  token,
  phone_numbers: [{ id: "1055", display_phone_number: "+1 555-999-0000", verified_name: "Demo Shop" }],
});

export const accountUuid = (id: string): string => parseId("acc", id)!;

/** The workspace's events, in their order. */
export const events = (id = workspaceId) =>
  gateway.rows<{ kind: string; state: { reason: string } }>(id, "select kind, state from event order by id");
