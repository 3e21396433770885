import { Type } from "typebox";
import { beforeEach, expect } from "vitest";
import type { Actor } from "../../ctx.ts";
import type { Database } from "../../db/database.ts";
import { formatId } from "../../lib/ids.ts";
import { idParams } from "../ids.ts";
import { listQuery } from "../pagination.ts";
import type { BodyLimits } from "../request/bodies/receive-body.ts";
import { type AnyRoute, type RawRoute, route } from "../route.ts";
import { SURFACES, type Surface } from "../surface.ts";
import { timestampInput } from "../timestamps.ts";
import { type Answer, testApp, useServer, WORKSPACE } from "./server.ts";

// Everything that needs no database: the verbs of this table only echo or fail. Transactions are in keyed.ts.
export const KEY = "wp_live_reader";
export const THING = formatId("con", WORKSPACE);
export const ACTOR: Actor = {
  type: "api_key",
  id: "0193494e-0000-7000-8000-0000000000aa",
  name: "reader",
  scopes: ["contacts:read", "contacts:write"],
  phoneNumberIds: null,
};

const Thing = Type.Object({ id: Type.String(), name: Type.Union([Type.String(), Type.Null()]) }, { $id: "Thing" });
const Note = Type.Object({
  text: Type.String({ maxLength: 20 }),
  inner: Type.Optional(Type.Object({ a: Type.Integer() })),
  free: Type.Optional(Type.Object({}, { additionalProperties: true })),
  at: Type.Optional(timestampInput()),
});
const common = { tag: "Workspace" as const, description: "For tests.", auth: "workspace" as const, status: 200 };
/** `fault`: what the verb of `POST /v1/things` throws, if anything. */
const routesOf = (fault: () => Error | null): AnyRoute[] => [
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
      const error = fault();
      if (error) throw error;
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
      since: Type.Optional(timestampInput()),
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
    deprecated: { since: "2026-01-31", sunset: "2027-01-31", successor: "/v2/secrets" },
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

const RAW: RawRoute = {
  method: "POST",
  path: "/raw",
  summary: "Bytes",
  document: {
    tag: "Health",
    description: "For tests.",
    answers: { 200: { description: "What came.", type: "text/plain", schema: { type: "string" } } },
  },
  maxBytes: 1_000,
  handle: (request) => Promise.resolve({ status: 200, body: `${request.body.length} ${request.query["a"] ?? ""}` }),
};

/** A database whose reads run the verb; everything else of it rejects. */
function echoDatabase(): Database {
  const nothing = new Proxy({}, { get: () => () => Promise.reject(new Error("not in this test")) });
  const read = (_workspace: string, fn: (sql: never) => Promise<unknown>): Promise<unknown> => fn(nothing as never);
  return { ...nothing, read } as unknown as Database;
}

/**
 * Runs the echo server for the tests of a file, perhaps with more routes and surfaces; each test begins with full buckets, an empty log
 * and no fault.
 */
export function useEcho(
  more: {
    routes?: readonly AnyRoute[];
    rawRoutes?: readonly RawRoute[];
    surfaces?: readonly Surface[];
    bodyLimits?: BodyLimits;
  } = {},
) {
  let time = 0;
  let fault: (() => Error) | null = null;
  const now = (): number => time;
  const env = { API_RATE_LIMIT: "50", TRUST_PROXY: "127.0.0.1" };
  const server = useServer(KEY, ({ log }) => ({
    app: testApp({ now, env, db: echoDatabase(), log }),
    routes: [...routesOf(() => fault?.() ?? null), ...(more.routes ?? [])],
    rawRoutes: [RAW, ...(more.rawRoutes ?? [])],
    surfaces: [...(more.surfaces ?? []), ...SURFACES],
    bodyLimits: more.bodyLimits ?? {},
    authenticate: (bearer) => Promise.resolve(bearer === KEY ? { workspaceId: WORKSPACE, actor: ACTOR } : null),
    ready: () => Promise.resolve({ ready: false, checks: [{ name: "database", ok: false, detail: "away" }] }),
  }));
  beforeEach(() => {
    fault = null;
    time += 3_600_000; // buckets are full again
  });
  const ask: typeof server.ask = (...request) => server.ask(...request);
  return {
    server,
    ask,
    /** `POST /v1/things`. */
    post: (body: string | Buffer, headers: Record<string, string> = {}) =>
      ask("/v1/things", { method: "POST", body, headers }),
    later: server.later,
    lines: server.lines,
    /** The one clock of the server, in milliseconds. */
    now,
    advance: (ms: number): void => void (time += ms),
    /** What the verb of `POST /v1/things` throws from now on, in this test. */
    failWith: (make: () => Error): void => void (fault = make),
  };
}

/** Asserts a refusal: status, code, the whole shape and the request's id. */
export function expectProblem(answer: Answer, status: number, code: string, pointer?: string): void {
  expect({ status: answer.status, code: answer.body?.code }).toEqual({ status, code });
  expect(answer.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
  expect(answer.body).toMatchObject({
    type: `/docs/errors/${code}`,
    title: expect.any(String),
    status,
    detail: expect.any(String),
    request_id: answer.headers["x-request-id"],
    retryable: expect.any(Boolean),
  });
  const pointers = (answer.body.errors ?? []).map((error: { pointer: string }) => error.pointer);
  expect(pointers).toEqual(pointer === undefined ? pointers : [pointer]);
}
