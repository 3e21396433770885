import { type SentEntry, type Simulator, startSimulator } from "@waypost/simulator";
import { Client } from "pg";
import { expect, vi } from "vitest";
import { parseId } from "../../packages/server/src/lib/ids.ts";
import { callAs } from "../../packages/server/src/testing/call.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { type TestDatabase, testDatabase } from "../../packages/server/src/testing/database.ts";
import { addProviderAccount, type ProviderAccountOptions } from "../../packages/server/src/testing/provider-account.ts";
import { connectAccount, createWorkspace } from "../../packages/server/src/testing/workspace.ts";
import { type GatewayProcess, type Launch, startGatewayProcess } from "./gateway.ts";

/** A database, the provider in this process, and as many gateway processes as a test asks for. */
export type Deployment = {
  database: TestDatabase;
  provider: Simulator;
  /** Starts a process, which `stop` ends. `env` takes precedence over the usual variables. */
  serve(env?: Record<string, string>, launch?: Launch): Promise<Worker>;
  /** A workspace with a key, connected to an account with `numbers` phone numbers of 80 messages a second. */
  connect(gateway: GatewayProcess, numbers?: number, more?: ProviderAccountOptions): Promise<Workspace>;
  /** Rows as the role `app` sees them in the workspace. */
  rows<Row extends object>(workspace: Pick<Workspace, "id">, text: string, values?: unknown[]): Promise<Row[]>;
  /** Slots of sending by the worker that owns them. */
  owners(): Promise<Map<string, number[]>>;
  /** Resolves when the live processes own all slots of sending, each its share. */
  shared(among: number): Promise<void>;
  /** The provider's requests by recipient without `+`, in order of arrival, including refused ones. */
  requests(): Map<string, SentEntry[]>;
  stop(): Promise<void>;
};

/** A process, and its id in the table `worker` when it started. */
export type Worker = GatewayProcess & { worker: string };

export type Workspace = {
  id: string;
  key: string;
  numbers: { id: string; phone: string; providerId: string; slot: number }[];
};

export const OPERATOR_KEY = "operator-key-0123456789";
const APP = { PROVIDER_APP_ID: "42", PROVIDER_APP_SECRET: "app-secret", PROVIDER_VERIFY_TOKEN: "verify" };
/** Shorter than in production, for tests whose claim is not its length; long enough not to lapse on a busy machine. */
export const SHORT_LEASE_S = 4;
const SLOTS = 64;
/** Number of the kind `dispatch` in the table `slot`. */
const DISPATCH = 1;

/** `given`: a database that the first process installs. */
export async function startDeployment(given?: TestDatabase): Promise<Deployment> {
  const database = given ?? (await testDatabase());
  const provider = await startSimulator({
    appSecret: APP.PROVIDER_APP_SECRET,
    verifyToken: APP.PROVIDER_VERIFY_TOKEN,
    seed: [],
    // The tests are about sending; a test of statuses switches them on.
    delays: { statuses: false },
    // A killed gateway is started again within seconds and then gets the callbacks that it missed at once.
    callbackRetries: { firstMs: 200, capMs: 1_000 },
  });
  const gateways: GatewayProcess[] = [];
  let starting: Promise<unknown> = Promise.resolve();
  const env = {
    ...APP,
    DATABASE_URL: database.url,
    PROVIDER_BASE_URL: provider.url,
    WAYPOST_OPERATOR_KEY: OPERATOR_KEY,
    WAYPOST_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    WAYPOST_LEASE_SECONDS: String(SHORT_LEASE_S),
    API_RATE_LIMIT: "off",
    PORT: "0",
  };

  // One connection for all that tests look at again and again: a new one costs the machine more than the query.
  const client = new Client({ connectionString: database.url, application_name: "waypost tests" });
  client.on("error", () => {}); // the next query reports it
  await client.connect();
  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await client.query<Row>(text, values)).rows;
  const workers = async (): Promise<string[]> =>
    (await query<{ there: boolean }>("select to_regclass('worker') is not null as there"))[0]?.there
      ? (await query<{ id: string }>("select id from worker")).map(({ id }) => id)
      : [];
  const owners = async (): Promise<Map<string, number[]>> => {
    const rows = await query<{ owner: string; slots: number[] }>(
      "select owner, array_agg(slot) as slots from slot where kind = $1 and owner is not null group by owner",
      [DISPATCH],
    );
    return new Map(rows.map(({ owner, slots }) => [owner, slots]));
  };

  return {
    database,
    provider,
    serve(more = {}, launch = {}) {
      // One after the other, so that the new row belongs to the new process.
      const started = starting.then(async () => {
        const before = await workers();
        const gateway = await startGatewayProcess({ ...env, ...more }, launch);
        gateways.push(gateway);
        const worker = (await workers()).find((id) => !before.includes(id))!;
        return { ...gateway, worker };
      });
      starting = started.catch(() => {});
      return started;
    },
    connect: (gateway, numbers = 1, more = {}) => connect(database.url, provider, gateway, { ...more, numbers }),
    rows: (workspace, text, values) => rowsOf(database.url, workspace, text, values),
    owners,
    shared: (among) =>
      vi.waitFor(
        async () => {
          const slots = [...(await owners()).values()].map((some) => some.length).toSorted((a, b) => a - b);
          expect(slots).toEqual(Array.from({ length: among }, () => SLOTS / among));
        },
        { timeout: 20_000, interval: 50 },
      ),
    requests: () => requestsOf(provider),
    async stop() {
      await Promise.all(gateways.map((gateway) => gateway.end("SIGKILL")));
      await provider.close();
      await client.end();
      await database.drop();
    },
  };
}

async function connect(
  databaseUrl: string,
  provider: Simulator,
  gateway: GatewayProcess,
  options: ProviderAccountOptions,
): Promise<Workspace> {
  const account = addProviderAccount(provider, options);
  const { id, key } = await createWorkspace(callAs(gateway.url, OPERATOR_KEY));
  const connected = await connectAccount(callAs(gateway.url, key), account);
  const workspace: Workspace = { id, key, numbers: [] };
  const lanes = await rowsOf<{ phone: string; lane: number; provider_phone_number_id: string }>(
    databaseUrl,
    workspace,
    "select phone, lane, provider_phone_number_id from phone_number",
  );
  for (const number of connected) {
    const row = lanes.find(({ phone }) => phone === number.phone)!;
    workspace.numbers.push({ ...number, providerId: row.provider_phone_number_id, slot: row.lane % SLOTS });
  }
  return workspace;
}

async function rowsOf<Row extends object>(
  databaseUrl: string,
  workspace: Pick<Workspace, "id">,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  return await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ app_role: string }>("select app_role from installation");
    await client.query(`begin read only; set local role ${rows[0]!.app_role}`);
    await client.query("select set_config('app.workspace_id', $1, true)", [parseId("ws", workspace.id)]);
    return (await client.query<Row>(text, values)).rows;
  });
}

function requestsOf(provider: Simulator): Map<string, SentEntry[]> {
  const found = new Map<string, SentEntry[]>();
  for (const entry of provider.sent({ limit: 100_000 }).data) {
    const to = (entry.to ?? "").replace("+", "");
    const list = found.get(to);
    if (list) list.push(entry);
    else found.set(to, [entry]);
  }
  return found;
}
