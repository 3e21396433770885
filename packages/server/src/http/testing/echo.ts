import { Type } from "typebox";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { readConfig } from "../../config.ts";
import type { Actor, App } from "../../ctx.ts";
import type { Database } from "../../db/database.ts";
import { formatId } from "../../lib/ids.ts";
import { createLog } from "../../lib/log.ts";
import { createSecrets } from "../../lib/secrets.ts";
import type { ActivityRow } from "../activity.ts";
import { idParams } from "../ids.ts";
import { listQuery } from "../pagination.ts";
import { type AnyRoute, route } from "../route.ts";
import { type HttpServer, openServer } from "../server.ts";
import { timestampInput } from "../timestamps.ts";

// Everything that needs no database: the table here has rows that only echo or fail. Transactions are in keyed.ts.
export const WORKSPACE = "0193494e-0000-7000-8000-00000000000a";
export const KEY = "wp_live_reader";
export const OPERATOR_KEY = "operator-key-0123456789";
export const THING = formatId("con", WORKSPACE);
export const actor: Actor = {
  type: "api_key",
  id: "0193494e-0000-7000-8000-0000000000aa",
  name: "reader",
  scopes: ["contacts:read", "contacts:write"],
};

/** Lines of the log since the test began. */
export const lines: Record<string, unknown>[] = [];
/** Audit rows that follow an answer, since the test began. */
export const later: ActivityRow[] = [];
let time = 0;
let fault: (() => Error) | null = null;
let http: HttpServer;

const Thing = Type.Object({ id: Type.String(), name: Type.Union([Type.String(), Type.Null()]) }, { $id: "Thing" });
const Note = Type.Object({
  text: Type.String({ maxLength: 20 }),
  inner: Type.Optional(Type.Object({ a: Type.Integer() })),
  free: Type.Optional(Type.Object({}, { additionalProperties: true })),
  at: Type.Optional(timestampInput()),
});
const common = { tag: "Workspace" as const, description: "For tests.", auth: "workspace" as const, status: 200 };
const ROUTES: AnyRoute[] = [
  route({
    ...common,
    kind: "own",
    method: "POST",
    path: "/v1/things",
    summary: "Make",
    action: "thing.make",
    scope: "contacts:write",
    status: 202,
    body: Note,
    response: Type.Object({ seen: Type.Unknown(), key: Type.Unknown(), wait: Type.Unknown() }),
    verb: (ctx, { body }) => {
      if (fault) throw fault();
      return Promise.resolve({
        body: { seen: body, key: ctx.key, wait: ctx.waitSeconds },
        headers: { location: "/v1/things/1" },
        resource: { type: "thing", id: "thing_1" },
        ...(body.text === "again" ? { replayed: true as const } : {}),
      });
    },
  }),
  route({
    ...common,
    kind: "read",
    method: "GET",
    path: "/v1/things",
    summary: "List",
    action: "thing.list",
    scope: "contacts:read",
    query: Type.Object({
      ...listQuery,
      name: Type.Optional(Type.String()),
      open: Type.Optional(Type.Boolean()),
      tag: Type.Optional(Type.Array(Type.String())),
    }),
    response: Type.Unknown(),
    verb: (_ctx, { query }) => Promise.resolve({ body: query }),
  }),
  route({
    ...common,
    kind: "read",
    method: "GET",
    path: "/v1/things/{id}",
    summary: "One",
    action: "thing.get",
    scope: "contacts:read",
    params: idParams("con"),
    response: Thing,
    verb: (_ctx, { params }) => Promise.resolve({ body: { id: params.id, name: null } }),
  }),
  route({
    ...common,
    kind: "own",
    method: "DELETE",
    path: "/v1/things/{id}",
    summary: "Remove",
    action: "thing.remove",
    scope: "contacts:write",
    params: idParams("con"),
    status: 204,
    response: Type.Null(),
    verb: () => Promise.resolve({ body: null }),
  }),
  route({
    ...common,
    kind: "read",
    method: "GET",
    path: "/v1/secrets",
    summary: "Secrets",
    action: "secret.list",
    scope: "audit:read",
    response: Thing,
    verb: () => Promise.resolve({ body: { id: "x", name: null } }),
  }),
  route({
    ...common,
    kind: "read",
    method: "GET",
    path: "/admin/v1/things",
    summary: "All",
    action: "operator.list",
    auth: "operator",
    response: Thing,
    verb: (ctx) => Promise.resolve({ body: { id: ctx.workspaceId, name: ctx.actor.type } }),
  }),
];

/** Starts the server for the tests of a file; each test begins with full buckets, an empty log and no fault. */
export function useEcho(): void {
  beforeAll(async () => {
    http = await openServer(app(), {
      routes: ROUTES,
      rawRoutes: [
        {
          method: "POST",
          path: "/raw",
          summary: "Bytes",
          document: {
            tag: "Health",
            description: "For tests.",
            answers: { 200: { description: "What came.", type: "text/plain", schema: { type: "string" } } },
          },
          maxBytes: 1_000,
          handle: (request) =>
            Promise.resolve({ status: 200, body: `${request.body.length} ${request.query["a"] ?? ""}` }),
        },
      ],
      authenticate: (bearer) => Promise.resolve(bearer === KEY ? { workspaceId: WORKSPACE, actor } : null),
      activity: { record: () => Promise.reject(new Error("not here")), later: (row) => void later.push(row) },
      ready: () => Promise.resolve({ ready: false, checks: [{ name: "database", ok: false, detail: "away" }] }),
      version: "0.1.0",
    });
  });
  afterAll(() => http.close());
  beforeEach(() => {
    lines.length = 0;
    later.length = 0;
    fault = null;
    time += 3_600_000; // buckets are full again
  });
}

/** The one clock of the server, in milliseconds. */
export const now = (): number => time;
export const advance = (ms: number): void => {
  time += ms;
};
/** What the verb of `POST /v1/things` throws from now on, in this test. */
export const failWith = (make: () => Error): void => {
  fault = make;
};
export const server = (): HttpServer => http;

function app(): App {
  const nothing = new Proxy({}, { get: () => () => Promise.reject(new Error("not in this test")) });
  const db = {
    ...nothing,
    read: (_workspace: string, fn: (sql: never) => Promise<unknown>) => fn(nothing as never),
  } as unknown as Database;
  const write = (fields: object): void => void lines.push(fields as Record<string, unknown>);
  return {
    config: readConfig({
      WAYPOST_OPERATOR_KEY: OPERATOR_KEY,
      PORT: "0",
      API_RATE_LIMIT: "50",
      TRUST_PROXY: "127.0.0.1",
    }),
    log: { ...createLog("silent"), info: write, warn: write, error: write },
    clock: { now, monotonic: now, after: () => () => undefined },
    secrets: createSecrets([new Uint8Array(32)]),
    db,
    provider: nothing as App["provider"],
    notifier: { hint: () => undefined },
  };
}

type Options = {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  headers?: Record<string, string>;
  body?: string | Buffer;
  key?: string | null;
  from?: string;
};
/** One request and its answer. */
export async function ask(
  url: string,
  { method = "GET", headers = {}, body, key = KEY, from = "127.0.0.1" }: Options = {},
) {
  const answer = await http.inject({
    method,
    url,
    remoteAddress: from,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: body }),
  });
  const type = String(answer.headers["content-type"] ?? "");
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.payload,
    body: type.includes("json") ? answer.json() : null,
  };
}
export const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  ask("/v1/things", { method: "POST", body, headers });

/** Every refusal has the whole shape, the id, and no word of the body. */
export function expectProblem(
  answer: Awaited<ReturnType<typeof ask>>,
  status: number,
  code: string,
  pointer?: string,
): void {
  expect({ status: answer.status, code: answer.body?.code }).toEqual({ status, code });
  expect(answer.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
  expect(answer.body).toMatchObject({
    type: `urn:waypost:error:${code}`,
    title: expect.any(String),
    status,
    detail: expect.any(String),
    request_id: answer.headers["x-request-id"],
    retryable: expect.any(Boolean),
  });
  const pointers = (answer.body.errors ?? []).map((error: { pointer: string }) => error.pointer);
  expect(pointers).toEqual(pointer === undefined ? pointers : [pointer]);
}
