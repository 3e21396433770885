import { readConfig } from "../config.ts";
import type { House } from "../ctx.ts";
import { openDatabase } from "../db/database.ts";
import { migrate } from "../db/migrate.ts";
import { auditFeature } from "../features/audit/feature.ts";
import { createRecorder, type Recorder } from "../features/audit/recorder.ts";
import { AUDIT_FUNCTIONS } from "../features/audit/store.ts";
import { type Authenticator, createAuthenticator } from "../features/keys/authenticate.ts";
import { keysFeature } from "../features/keys/feature.ts";
import { KEY_FUNCTIONS } from "../features/keys/store.ts";
import { workspacesFeature } from "../features/workspaces/feature.ts";
import { WORKSPACE_FUNCTIONS } from "../features/workspaces/store.ts";
import { createHttp, type Http } from "../http/server.ts";
import { SLOTS } from "../lanes/wake.ts";
import { createLog } from "../lib/log.ts";
import { createSecrets } from "../lib/secrets.ts";
import { type TestDatabase, testDatabase } from "./database.ts";

const OPERATOR_KEY = "operator-key-0123456789";

export type Reply = {
  status: number;
  /** Of many routes, asserted field by field. */
  body: ReturnType<typeof JSON.parse>;
  text: string;
  headers: Record<string, unknown>;
};
type Method = "GET" | "POST" | "PATCH" | "DELETE";
type Call = (
  method: Method,
  path: string,
  options?: { body?: unknown; headers?: Record<string, string> },
) => Promise<Reply>;

/** Time that a test moves: wall clock, monotonic reading and timers together. */
export function handClock() {
  let now = Date.now();
  let timers: { at: number; fn: () => void }[] = [];
  return {
    now: () => now,
    monotonic: () => now,
    after(ms: number, fn: () => void) {
      const timer = { at: now + ms, fn };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    advance(ms: number) {
      now += ms;
      const due = timers.filter((timer) => timer.at <= now);
      timers = timers.filter((timer) => timer.at > now);
      for (const timer of due) timer.fn();
    },
  };
}

export type Gateway = {
  house: House;
  database: TestDatabase;
  clock: ReturnType<typeof handClock>;
  http: Http;
  authenticator: Authenticator;
  recorder: Recorder;
  as(bearer: string | null): Call;
  operator: Call;
  /** A workspace with a key. */
  workspace(scopes?: string[]): Promise<{ id: string; key: string; keyId: string; call: Call }>;
  stop(): Promise<void>;
};

/** The three features on a database of their own, behind the real HTTP layer. */
export async function startGateway(env: Record<string, string> = {}): Promise<Gateway> {
  const database = await testDatabase();
  const functions = [...WORKSPACE_FUNCTIONS, ...KEY_FUNCTIONS, ...AUDIT_FUNCTIONS];
  const { appRole } = await migrate(database.url, { functions, slots: SLOTS, now: Date.now() });
  const clock = handClock();
  const house: House = {
    config: readConfig({ WAYPOST_OPERATOR_KEY: OPERATOR_KEY, PORT: "0", ...env }),
    log: createLog("silent"),
    clock,
    secrets: createSecrets([new Uint8Array(32)]),
    db: openDatabase({ url: database.url, appRole, onError: () => undefined }),
    provider: {} as House["provider"], // none of these features reaches it
    wake: { hint: () => undefined },
  };
  const authenticator = createAuthenticator(house);
  const recorder = createRecorder(house);
  const features = [workspacesFeature(), keysFeature(authenticator), auditFeature(recorder)];
  const http = await createHttp(house, {
    routes: features.flatMap((feature) => feature.routes ?? []),
    rawRoutes: [],
    authenticate: (bearer) => authenticator.authenticate(bearer),
    activity: recorder,
    ready: () => Promise.resolve({ ready: true, checks: [] }),
    version: "0.0.0",
  });

  const as =
    (bearer: string | null): Call =>
    async (method, path, { body, headers = {} } = {}) => {
      const reply = await http.inject({
        method,
        url: path,
        headers: { ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }), ...headers },
        ...(body === undefined ? {} : { payload: body as object }),
      });
      return {
        status: reply.statusCode,
        body: reply.payload === "" ? {} : reply.json(),
        text: reply.payload,
        headers: reply.headers,
      };
    };
  const operator = as(OPERATOR_KEY);

  return {
    house,
    database,
    clock,
    http,
    authenticator,
    recorder,
    as,
    operator,
    async workspace(scopes = ["*"]) {
      const { body } = await operator("POST", "/admin/v1/workspaces", { body: { name: "Acme" } });
      const made = await operator("POST", `/admin/v1/workspaces/${body["id"]}/api-keys`, {
        body: { name: "first", scopes },
      });
      const key = made.body["key"] as string;
      return { id: body["id"], key, keyId: made.body["id"], call: as(key) };
    },
    async stop() {
      await http.close();
      for (const feature of features.toReversed()) await feature.stop?.();
      await house.db.close();
      await database.drop();
    },
  };
}
