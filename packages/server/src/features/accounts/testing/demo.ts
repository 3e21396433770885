import { type Simulator, startSimulator } from "@waypost/simulator";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { parseId } from "../../../lib/ids.ts";
import { createWhatsApp } from "../../../provider/whatsapp/adapter.ts";
import type { Reply } from "../../../testing/call.ts";
import { type Gateway, startGateway } from "./gateway.ts";

const APP_SECRET = "secret";
const VERIFY_TOKEN = "verify";

/** The simulator's own account, and how a client asks for it. */
export const TOKEN = "EAASIMDEMO";
export const ACCOUNT = { provider_account_id: "9001", access_token: TOKEN };

export let simulator: Simulator;
export let gateway: Gateway;
/** New for each test. */
export let workspaceId: string;

const startProvider = (port?: number): Promise<Simulator> =>
  startSimulator({ appSecret: APP_SECRET, verifyToken: VERIFY_TOKEN, ...(port === undefined ? {} : { port }) });

/** Starts gateway and simulator for the tests of a file. */
export function useDemo(): void {
  beforeAll(async () => {
    simulator = await startProvider();
    const keys = { appSecrets: [APP_SECRET], verifyToken: VERIFY_TOKEN };
    gateway = await startGateway(createWhatsApp({ baseUrl: simulator.url, apiVersion: "v26.0", ...keys }));
  });
  afterAll(async () => {
    await gateway.house.provider.close();
    await gateway.stop();
    await simulator.close();
  });
  beforeEach(async () => {
    simulator.reset();
    // Nobody else's: each test connects the one demo account anew.
    await disconnectAll();
    workspaceId = await gateway.workspace();
    gateway.connected.length = 0;
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

/** Closes the provider; resolves with what starts it again at the same address. */
export async function providerAway(): Promise<() => Promise<void>> {
  const { port } = simulator;
  await simulator.close();
  return async () => {
    simulator = await startProvider(port);
  };
}

export const accountUuid = (id: string): string => parseId("acc", id)!;

/** The workspace's events, in their order. */
export const events = (id = workspaceId) =>
  gateway.rows<{ kind: string; state: { reason: string } }>(id, "select kind, state from event order by id");
