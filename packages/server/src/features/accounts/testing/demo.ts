import { type Simulator, startSimulator } from "@waypost/simulator";
import { afterAll, beforeEach } from "vitest";
import { newUuid, parseId } from "../../../lib/ids.ts";
import { createWhatsApp } from "../../../provider/whatsapp/adapter.ts";
import type { Reply } from "../../../testing/call.ts";
import { type AccountsApp, startAccounts } from "./app.ts";
import { openTestProvider, type TestProvider } from "./test-provider.ts";

const APP_SECRET = "secret";
const VERIFY_TOKEN = "verify";

/** The token of the simulator's own account, and the body that connects it. */
export const TOKEN = "EAASIMDEMO";
export const ACCOUNT = { provider_account_id: "9001", access_token: TOKEN };

type Event = { kind: string; state: { reason: string } };

/** A gateway with the simulator and its one account behind it. */
export type Demo = {
  simulator: Simulator;
  /** The server that the gateway calls as its provider. */
  provider: TestProvider;
  gateway: AccountsApp;
  /** A new workspace for each test. */
  readonly workspaceId: string;
  /** Connects the account to a workspace, the test's own when none is given. */
  connect(workspaceId?: string, body?: object): Promise<Reply>;
  /** Called for each workspace that connects by other ways: its accounts are disconnected before the next test. */
  connects(workspaceId: string): void;
  /** How many of two callbacks are worked that came before the test, one for the account and one for its number. */
  replayed(): Promise<number>;
  /** The workspace's events, in their order. */
  events(): Promise<Event[]>;
};

/** Starts gateway and simulator for the tests of a file, stops them after the tests, and frees the account before each test. */
export async function startDemo(): Promise<Demo> {
  const simulator = await startSimulator({ appSecret: APP_SECRET, verifyToken: VERIFY_TOKEN });
  const provider = await openTestProvider(() => simulator.url);
  const keys = { appSecrets: [APP_SECRET], verifyToken: VERIFY_TOKEN };
  const gateway = await startAccounts(createWhatsApp({ baseUrl: provider.url, apiVersion: "v26.0", ...keys }));
  afterAll(async () => {
    provider.become("well");
    await gateway.app.provider.close();
    await gateway.stop();
    await provider.close();
    await simulator.close();
  });

  let workspaceId = "";
  const connected: string[] = [];
  const disconnectAll = async (): Promise<void> => {
    for (const id of connected.splice(0)) {
      const { body } = await gateway.as(id)("GET", "/v1/business-accounts");
      for (const account of body.data) await gateway.as(id)("DELETE", `/v1/business-accounts/${account.id}`);
    }
  };
  beforeEach(async () => {
    simulator.reset();
    provider.become("well");
    await disconnectAll();
    workspaceId = await gateway.workspace();
    await quarantineEarlier(gateway);
    provider.asked.length = 0;
  });
  return {
    simulator,
    provider,
    gateway,
    get workspaceId() {
      return workspaceId;
    },
    connect(id = workspaceId, body = ACCOUNT) {
      connected.push(id);
      return gateway.connect(id, body);
    },
    async replayed() {
      const rows = await gateway.app.db.sql.query("select 1 from quarantine where replayed_at is not null");
      return rows.length;
    },
    connects: (id) => void connected.push(id),
    events: () => gateway.rows<Event>(workspaceId, "select kind, state from event order by id"),
  };
}

async function quarantineEarlier({ app }: AccountsApp): Promise<void> {
  await app.db.sql.run("delete from quarantine");
  await app.db.sql.run(
    `insert into quarantine (id, callback_id, lane, provider_account_id, provider_phone_number_id, reason, created_at)
     values ($1, $1, 1, $3, null, 'unowned', now()), ($2, $2, 1, null, $4, 'unowned', now())`,
    [newUuid(app.clock.now()), newUuid(app.clock.now()), ACCOUNT.provider_account_id, "1055"],
  );
}

/** The simulator's own account with another token. */
export const demoWith = (token: string) => ({
  waba_id: "9001",
  name: "Demo Shop",
  business_id: "7001",
  token,
  messaging_limit: "TIER_250",
  phone_numbers: [{ id: "1055", display_phone_number: "+1 555-999-0000", verified_name: "Demo Shop" }],
});

export const accountUuid = (id: string): string => parseId("acc", id)!;
