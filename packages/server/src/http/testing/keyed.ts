import { Type } from "typebox";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { readConfig } from "../../config.ts";
import type { Actor, App } from "../../ctx.ts";
import { openDatabase, type Sql } from "../../db/database.ts";
import { formatId, newUuid } from "../../lib/ids.ts";
import { createLog } from "../../lib/log.ts";
import { createSecrets } from "../../lib/secrets.ts";
import { withClient } from "../../testing/client.ts";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import type { ActivityRow } from "../activity.ts";
import { requireMatch } from "../headers.ts";
import { Problem } from "../problem.ts";
import { route } from "../route.ts";
import { type HttpServer, openServer } from "../server.ts";

// Writes with keys, on a real PostgreSQL: each verb inserts one row, so that effects can be counted.
export const WORKSPACE = newUuid(1_000);
export const OTHER = newUuid(2_000);
export const OPERATOR_KEY = "operator-key-0123456789";
const actor: Actor = { type: "api_key", id: newUuid(3_000), name: "k", scopes: ["*"] };

/** Audit rows that follow an answer. */
export const later: ActivityRow[] = [];
let database: TestDatabase;
export let app: App;
let http: HttpServer;
/** What the tests of a file turn, and what they count. Reset before each, but for the clock. */
export const dial = {
  now: Date.UTC(2026, 0, 1),
  /** Verbs begun. */
  calls: 0,
  /** What verbs throw. */
  refuse: null as Error | null,
  /** What verbs wait for. */
  hold: null as Promise<void> | null,
  entered: (): void => undefined,
  auditFails: false,
  /** What `after` of the slow route throws, if anything. */
  afterwards: null as (() => Error | null) | null,
};

const Thing = Type.Object({ id: Type.String(), name: Type.String(), secret: Type.String() });
const row = {
  auth: "workspace" as const,
  scope: null,
  tag: "Workspace" as const,
  description: "For tests.",
  body: Type.Object({ name: Type.String(), more: Type.Optional(Type.Unknown()) }),
  status: 201,
  response: Thing,
};

/** The effect: one row of a table that any workspace may write. */
async function make(ctx: { sql: Sql; workspaceId: string; now: number }, name: string) {
  dial.calls += 1;
  dial.entered();
  await dial.hold;
  if (dial.refuse) throw dial.refuse;
  const digest = Buffer.from(newUuid(dial.now).replaceAll("-", ""), "hex");
  await ctx.sql.run(
    "insert into idempotency_key (workspace_id, digest, fingerprint, resource_id, created_at) values ($1, $2, '\\x00', $3, $4)",
    [ctx.workspaceId, digest, `effect:${name}`, new Date(ctx.now)],
  );
  if (name === "late") throw new Problem("conflict", "Refused after the effect.");
  const id = formatId("con", newUuid(dial.now));
  return {
    body: { id, name, secret: `whsec_${dial.calls}` },
    headers: { location: `/v1/things/${id}`, etag: `"${dial.calls}"` },
    resource: { type: "thing", id },
    changes: { name },
  };
}

/** Starts the server for the tests of a file. */
export function useKeyed(): void {
  beforeAll(async () => {
    database = await testDatabase();
    const rows = await outside<{ app_role: string }>("select app_role from installation");
    app = {
      config: readConfig({ WAYPOST_OPERATOR_KEY: OPERATOR_KEY, PORT: "0", API_RATE_LIMIT: "off" }),
      log: createLog("silent"),
      clock: { now: () => dial.now, monotonic: () => dial.now, after: () => () => undefined },
      secrets: createSecrets([new Uint8Array(32)]),
      db: openDatabase({ url: database.url, appRole: rows[0]!.app_role, onError: () => undefined }),
      provider: {} as App["provider"], // not reached
      notifier: { hint: () => undefined },
    };
    http = await openServer(app, {
      routes: [
        route({
          ...row,
          kind: "write",
          method: "POST",
          path: "/v1/things",
          summary: "Make",
          action: "thing.make",
          verb: (ctx, { body, ifMatch }) => {
            requireMatch(ifMatch, '"1"');
            return make(ctx, body.name);
          },
        }),
        route({
          ...row,
          kind: "write",
          method: "POST",
          path: "/v1/others",
          summary: "Make",
          action: "other.make",
          verb: (ctx, { body }) => make(ctx, body.name),
        }),
        route({
          ...row,
          kind: "write",
          method: "POST",
          path: "/v1/slow",
          summary: "Make and wait",
          action: "slow.make",
          verb: (ctx, { body }) => make(ctx, body.name),
          after: (_ctx, answer) => {
            const error = dial.afterwards?.();
            return error
              ? Promise.reject(error)
              : Promise.resolve({ ...answer, body: { ...answer.body, name: "settled" } });
          },
        }),
        route({
          ...row,
          kind: "write",
          method: "PATCH",
          path: "/v1/things",
          summary: "Change",
          action: "thing.change",
          status: 200,
          verb: (ctx, { body }) => make(ctx, body.name),
        }),
        route({
          ...row,
          kind: "write",
          method: "POST",
          path: "/v1/gone",
          summary: "Remove",
          action: "thing.remove",
          status: 204,
          response: Type.Null(),
          verb: async (ctx, { body }) => ({ ...(await make(ctx, body.name)), body: null }),
        }),
        route({
          ...row,
          kind: "write",
          method: "POST",
          path: "/admin/v1/things",
          summary: "Make",
          action: "operator.make",
          auth: "operator",
          verb: (ctx, { body }) => make(ctx, body.name),
        }),
      ],
      rawRoutes: [],
      authenticate: (bearer) => Promise.resolve({ workspaceId: bearer === "other" ? OTHER : WORKSPACE, actor }),
      activity: {
        record: async (sql, entry) => {
          if (dial.auditFails) throw new Error("audit cannot be written");
          const digest = Buffer.from(newUuid(dial.now).replaceAll("-", ""), "hex");
          await sql.run(
            "insert into idempotency_key (workspace_id, digest, fingerprint, resource_id, created_at) values ($1, $2, '\\x01', $3, $4)",
            [entry.workspaceId, digest, `audit:${entry.action}:${entry.response.status}`, new Date(entry.at)],
          );
        },
        later: (entry) => void later.push(entry),
      },
      ready: () => Promise.resolve({ ready: true, checks: [] }),
      version: "0.1.0",
    });
  });
  afterAll(async () => {
    await http?.close();
    await app?.db.close();
    await database?.drop();
  });
  beforeEach(() => {
    dial.calls = 0;
    dial.refuse = null;
    dial.hold = null;
    dial.entered = () => undefined;
    dial.auditFails = false;
    dial.afterwards = null;
    later.length = 0;
  });
}

let keys = 0;
export const newKey = (): string => `key-${(keys += 1)}`;
/** One write: with a key, or null. */
export const post = (
  url: string,
  key: string | null,
  body: unknown,
  {
    bearer = "one",
    headers = {},
    method = "POST",
  }: { bearer?: string; headers?: Record<string, string>; method?: "POST" | "PATCH" } = {},
) =>
  http.inject({
    method,
    url,
    headers: {
      authorization: `Bearer ${bearer}`,
      "content-type": "application/json",
      ...(key === null ? {} : { "x-idempotency-key": key }),
      ...headers,
    },
    payload: JSON.stringify(body),
  });

/** Rows that the effect and the audit left for a name, as seen inside the workspace. */
export const count = (like: string, workspace = WORKSPACE): Promise<number> =>
  app.db.read(
    workspace,
    async (sql) =>
      (
        await sql.query<{ n: number }>("select count(*)::int as n from idempotency_key where resource_id like $1", [
          like,
        ])
      )[0]!.n,
  );

/** Holds verbs until opened; `entered` resolves when the first one is inside. */
export function openGate(): { entered: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  dial.hold = new Promise((resolve) => (open = resolve));
  return { entered: new Promise((resolve) => (dial.entered = resolve)), open: () => open() };
}

/** Until some session of this database waits for another's lock. */
export async function waitsForLock(): Promise<void> {
  for (;;) {
    const rows = await outside(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    if (rows.length > 0) return;
  }
}

/** A statement on a connection of its own, past the pools. */
export const outside = <Row extends object>(text: string): Promise<Row[]> =>
  withClient(database.url, async (client) => (await client.query<Row>(text)).rows);
