import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Simulator, startSimulator } from "@waypost/simulator";
import { vi } from "vitest";
import type { App } from "../ctx.ts";
import type { SqlValue } from "../db/database.ts";
import { ensurePartitions } from "../db/partitions.ts";
import type { Feature } from "../feature.ts";
import type { BuiltFeatures } from "../features.ts";
import { realS3 } from "../files/testing/real-s3.ts";
import { newUuid } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import { ROLES, type Role, readConfig } from "../process/config/config.ts";
import { start } from "../process/runtime.ts";
import { type Call, callAs } from "./call.ts";
import { jumpClock, type ManualClock } from "./clock.ts";
import { type TestDatabase, testDatabase } from "./database.ts";
import { type DatabaseProxy, openDatabaseProxy } from "./database-proxy.ts";
import {
  APP_SECRET,
  addProviderAccount,
  type ProviderAccount,
  type ProviderAccountOptions,
  VERIFY_TOKEN,
} from "./provider-account.ts";
import { connectAccount, createWorkspace, type NewWorkspace } from "./workspace.ts";

export type { Call } from "./call.ts";

export const OPERATOR_KEY = "operator-key-0123456789";

/** The whole gateway in this process. */
export type Gateway = {
  url: string;
  /** Null without METRICS_PORT. */
  metricsUrl: string | null;
  clock: ManualClock;
  simulator: Simulator;
  /** For state that no route shows: `app.db.read(workspaceUuid, sql => …)`. */
  app: App;
  features: BuiltFeatures;
  database: TestDatabase;
  /** The proxy between gateway and database: after `cut` the database seems to have stopped. */
  databaseProxy: DatabaseProxy;
  as(bearer: string | null): Call;
  operator: Call;
  /** A workspace with one key. */
  workspace(scopes?: readonly string[]): Promise<Workspace>;
  /** A workspace with a connected account of its own: one number, templates approved, pending and paused. */
  sender(account?: ProviderAccountOptions): Promise<Sender>;
  /** One more account for a workspace that may have some already. */
  connect(workspace: Workspace, account?: ProviderAccountOptions): Promise<Sender>;
  /** Creates the partitions of the present, as each process does hourly: needed after the clock has jumped by weeks. */
  partitionsAhead(): Promise<void>;
  /** Resolves when every audit row of reads and refusals so far is written. */
  audited(): Promise<void>;
  stop(): Promise<void>;
};

export type Workspace = NewWorkspace & {
  /** Calls with its key. */
  call: Call;
  /** Rows that a statement returns in the workspace, as the role `app`. */
  rows<Row extends object = Record<string, unknown>>(text: string, values?: readonly SqlValue[]): Promise<Row[]>;
};

export type Sender = Workspace & {
  account: ProviderAccount;
  /** `num_…` */
  phoneNumberId: string;
  /** An approved template without parameters to this person; `more` goes into the body. */
  send(to: string, more?: object, headers?: Record<string, string>): ReturnType<Call>;
  /** A person writes; resolves with the inbound message once the gateway has it, so that the window is open. */
  inbound(from: string, text?: string): Promise<{ id: string; contact_id: string }>;
  /** Resolves with the message once it has this status. */
  becomes(messageId: string, status: string): Promise<ReturnType<typeof JSON.parse>>;
};

export type GatewayOptions = {
  clock?: ManualClock;
  roles?: readonly Role[];
  log?: Log;
  /** Default: all of the product. */
  features?: readonly Feature[];
  /** For tests of a provider that never answers. */
  providerTimeoutMs?: number;
  /** As `npm start` starts it: true. */
  isDevelopment?: boolean;
  /** Called with the database before the server starts. */
  prepare?(url: string): Promise<void>;
};

/**
 * Starts the server as `waypost serve` does, all roles in this process, on a database of its own, with the simulator as
 * the provider and a clock that the test moves ahead. This is how a feature is tested: through HTTP, with two workspaces,
 * asserting the reply, the row, the audit and the event.
 *
 * ```ts
 * let gateway: Gateway;
 * let mine: Sender;
 * let theirs: Sender;
 * beforeAll(async () => {
 *   gateway = await startGateway();
 *   [mine, theirs] = [await gateway.sender(), await gateway.sender()];
 * });
 * afterAll(() => gateway.stop());
 *
 * it("belongs to its workspace", async () => {
 *   const { body } = await mine.send("+15551230001");
 *   expect((await theirs.call("GET", `/v1/messages/${body.id}`)).status).toBe(404);
 *   gateway.clock.advance(60_000);
 * });
 * ```
 *
 * `env` are variables of the environment (`API_RATE_LIMIT: "off"`); `clock: manualClock()` stands still, for tests that need
 * no lanes and exact times. The provider reports no status by itself: a test that needs them calls `simulator.setDelays`.
 * Tests wait with `expect.poll` or `becomes`, never with a sleep.
 */
export async function startGateway(env: Record<string, string> = {}, options: GatewayOptions = {}): Promise<Gateway> {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0).reverse()) await one();
  };
  try {
    return await build(env, options, stops, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function build(
  env: Record<string, string>,
  {
    clock = jumpClock(),
    roles = ROLES,
    log,
    features: list,
    providerTimeoutMs,
    isDevelopment,
    prepare,
  }: GatewayOptions,
  stops: (() => Promise<void>)[],
  stop: () => Promise<void>,
): Promise<Gateway> {
  // The files of a worker share the generator: after a clock that ran some seconds ahead, ids of this one would be ahead too.
  newUuid(1);
  const database = await testDatabase();
  stops.push(() => database.drop());
  await prepare?.(database.url);
  const databaseProxy = await openDatabaseProxy(database.url);
  stops.push(() => databaseProxy.close());
  const simulator = await startSimulator({
    appSecret: APP_SECRET,
    verifyToken: VERIFY_TOKEN,
    seed: [],
    delays: { statuses: false },
    clock: { nowMs: clock.now },
  });
  stops.push(() => simulator.close());
  const dataDir = await mkdtemp(join(tmpdir(), "waypost-data-"));
  stops.push(() => rm(dataDir, { recursive: true, force: true }));
  const config = readConfig({
    DATABASE_URL: databaseProxy.url,
    WAYPOST_DATA_DIR: dataDir,
    PORT: "0",
    LOG_LEVEL: "silent",
    WAYPOST_OPERATOR_KEY: OPERATOR_KEY,
    WAYPOST_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString("base64"),
    PROVIDER_BASE_URL: simulator.url,
    PROVIDER_APP_ID: "42",
    PROVIDER_APP_SECRET: APP_SECRET,
    PROVIDER_SIGNUP_CONFIG_ID: "84",
    PROVIDER_VERIFY_TOKEN: VERIFY_TOKEN,
    EGRESS_ALLOW_CIDRS: "127.0.0.0/8", // receivers of tests
    ...realS3()?.(),
    ...env,
  });
  const runtime = await start({
    config,
    roles,
    migrate: false,
    clock,
    ...(log ? { log } : {}),
    ...(list ? { features: list } : {}),
    ...(providerTimeoutMs === undefined ? {} : { providerTimeoutMs }),
    ...(isDevelopment ? { setUp: Promise.resolve() } : {}),
  });
  stops.push(() => {
    databaseProxy.mend(); // a test that failed may have left it cut
    return runtime.stop();
  });
  // Ahead of the gateway, which waits for answers that a test lets hang.
  stops.push(() => simulator.close());
  const { url, metricsUrl, app, features } = runtime;
  simulator.setCallbackUrl(`${url}/webhooks/receive`);

  const as = (bearer: string | null): Call => callAs(url, bearer);
  const operator = as(OPERATOR_KEY);
  const workspace = async (scopes?: readonly string[]): Promise<Workspace> => {
    const created = await createWorkspace(operator, scopes);
    const rows: Workspace["rows"] = (text, values = []) => app.db.read(created.uuid, (sql) => sql.query(text, values));
    return { ...created, call: as(created.key), rows };
  };
  return {
    url,
    metricsUrl,
    clock,
    simulator,
    app,
    features,
    database,
    databaseProxy,
    as,
    operator,
    workspace,
    sender: async (account) => await connect(simulator, await workspace(), account),
    connect: (of, account) => connect(simulator, of, account),
    partitionsAhead: () => ensurePartitions(app.db.sql, clock.now()),
    audited: () => features.services.recorder.stop(),
    stop,
  };
}

async function connect(
  simulator: Simulator,
  workspace: Workspace,
  options: ProviderAccountOptions = {},
): Promise<Sender> {
  const account = addProviderAccount(simulator, options);
  const { call } = workspace;
  const [number] = await connectAccount(call, account);
  // Tests that count rows start when the task of the connection is done.
  await vi.waitFor(async () => {
    if ((await workspace.rows("select 1 from task")).length > 0)
      throw new Error("the task of the connection is not done");
  }, PATIENCE);
  return {
    ...workspace,
    account,
    phoneNumberId: number?.id ?? "",
    send: (to, more = {}, headers = {}) =>
      call("POST", "/v1/messages", { headers, body: { to, type: "template", template: ORDER_READY, ...more } }),
    async inbound(from, text = "Hello") {
      const { id } = simulator.inbound({ phone_number_id: account.providerPhoneNumberId, from, text });
      return await vi.waitFor(async () => {
        const { body } = await call("GET", "/v1/messages?direction=inbound&limit=100");
        const found = body.data.find((message: { provider_message_id: string }) => message.provider_message_id === id);
        if (!found) throw new Error("the inbound message has not arrived");
        return found;
      }, PATIENCE);
    },
    becomes: (messageId, status) =>
      vi.waitFor(async () => {
        const { body } = await call("GET", `/v1/messages/${messageId}`);
        if (body.status !== status) throw new Error(`${messageId} is ${body.status}, not ${status}`);
        return body;
      }, PATIENCE),
  };
}

/** An approved template without parameters, as a message refers to it. */
export const ORDER_READY = { name: "order_ready", language: { code: "en_US" } };

/** Far longer than any of these takes on a busy machine: it only bounds a failing test. */
const PATIENCE = { timeout: 30_000, interval: 15 };
