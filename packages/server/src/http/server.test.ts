import { createConnection } from "node:net";
import { Type } from "typebox";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "../config.ts";
import type { Actor, House } from "../ctx.ts";
import { CommitUnknown, type Database, DatabaseUnavailable } from "../db/database.ts";
import { formatId, NIL_WORKSPACE } from "../lib/ids.ts";
import { createLog } from "../lib/log.ts";
import { createSecrets } from "../lib/secrets.ts";
import type { ActivityRow } from "./activity.ts";
import { idParams } from "./ids.ts";
import { listQuery } from "./pagination.ts";
import { Problem } from "./problem.ts";
import { type AnyRoute, route } from "./route.ts";
import { createHttp, type Http } from "./server.ts";
import { timestampInput } from "./timestamps.ts";

// Everything that needs no database: the table here has rows that only echo or fail. Transactions are in write.test.ts.
const WORKSPACE = "0193494e-0000-7000-8000-00000000000a";
const KEY = "wp_live_reader";
const OPERATOR_KEY = "operator-key-0123456789";
const THING = formatId("con", WORKSPACE);
const actor: Actor = {
  type: "api_key",
  id: "0193494e-0000-7000-8000-0000000000aa",
  name: "reader",
  scopes: ["contacts:read", "contacts:write"],
};

const lines: Record<string, unknown>[] = [];
const later: ActivityRow[] = [];
let now = 0;
let fail: (() => Error) | null = null;
let http: Http;

const Thing = Type.Object({ id: Type.String(), name: Type.Union([Type.String(), Type.Null()]) }, { $id: "Thing" });
const Note = Type.Object({
  text: Type.String({ maxLength: 20 }),
  inner: Type.Optional(Type.Object({ a: Type.Integer() })),
  free: Type.Optional(Type.Object({}, { additionalProperties: true })),
  at: Type.Optional(timestampInput()),
});
const common = { tag: "things", auth: "workspace" as const, status: 200 };
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
      if (fail) throw fail();
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

beforeAll(async () => {
  http = await createHttp(house(), {
    routes: ROUTES,
    rawRoutes: [
      {
        method: "POST",
        path: "/raw",
        summary: "Bytes",
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
  fail = null;
  now += 3_600_000; // buckets are full again
});

function house(): House {
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
    clock: { now: () => now, monotonic: () => now, after: () => () => undefined },
    secrets: createSecrets([new Uint8Array(32)]),
    db,
    provider: nothing as House["provider"],
    wake: { hint: () => undefined },
  };
}

type Options = {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  headers?: Record<string, string>;
  body?: string | Buffer;
  key?: string | null;
  from?: string;
};
async function ask(url: string, { method = "GET", headers = {}, body, key = KEY, from = "127.0.0.1" }: Options = {}) {
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
const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
  ask("/v1/things", { method: "POST", body, headers });

/** Every refusal has the whole shape, the id, and no word of the body. */
function expectProblem(answer: Awaited<ReturnType<typeof ask>>, status: number, code: string, pointer?: string): void {
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

describe("bad input", () => {
  test.each([
    ["malformed JSON", '{"text":', "invalid_json", undefined],
    ["no body", "", "invalid_request", ""],
    ["an unknown field", '{"text":"a","x/y":1}', "invalid_request", "/x~1y"],
    ["an unknown inner field", '{"text":"a","inner":{"a":1,"b":2}}', "invalid_request", "/inner/b"],
    ["a missing field", "{}", "invalid_request", "/text"],
    ["a number for a text", '{"text":1}', "invalid_request", "/text"],
    ["a text for a number", '{"text":"a","inner":{"a":"1"}}', "invalid_request", "/inner/a"],
    ["a text too long", `{"text":"${"x".repeat(21)}"}`, "invalid_request", "/text"],
    ["a time without offset", '{"text":"a","at":"2026-01-01T00:00:00"}', "invalid_request", "/at"],
    ["a day that is none", '{"text":"a","at":"2026-02-30T00:00:00Z"}', "invalid_request", "/at"],
    ["NUL in free content", '{"text":"a","free":{"b":["\\u0000"]}}', "invalid_request", "/free/b/0"],
    ["an array", "[]", "invalid_request", ""],
    ["null", "null", "invalid_request", ""],
  ])("%s", async (_name, body, code, pointer) => {
    expectProblem(await post(body), 400, code, pointer);
    expect(later).toMatchObject([{ workspaceId: WORKSPACE, action: "thing.make", response: { status: 400, code } }]);
  });

  test("what is free passes through as it came", async () => {
    const sent = { text: "é😀", free: { b: [{ c: null }], toString: 1 } };
    expect((await post(JSON.stringify(sent))).body.seen).toEqual(sent);
  });

  test("300 KiB is 413, before and while it is read", async () => {
    const large = `{"text":"${"x".repeat(300 * 1024)}"}`;
    expectProblem(await post(large), 413, "payload_too_large");
    expectProblem(await ask("/raw", { method: "POST", body: "x".repeat(1_001) }), 413, "payload_too_large");
  });

  test.each([
    "text/plain",
    "application/json; charset=latin1",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonx",
    "nonsense",
  ])("content type %s is 415", async (type) => {
    expectProblem(await post('{"text":"a"}', { "content-type": type }), 415, "unsupported_media_type");
  });

  test("a packed body is 415, a body without a type too", async () => {
    expectProblem(await post('{"text":"a"}', { "content-encoding": "gzip" }), 415, "unsupported_media_type");
    const bare = await http.inject({
      method: "POST",
      url: "/v1/things",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "" },
      payload: "x",
    });
    expect(bare.statusCode).toBe(415);
  });

  test.each(["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"])(
    "content type %s is read",
    async (type) => {
      expect((await post('{"text":"a"}', { "content-type": type })).status).toBe(202);
    },
  );

  test("query: unknown names, wrong kinds and limits out of range", async () => {
    for (const [query, pointer] of [
      ["nope=1", "?nope"],
      ["limit=0", "?limit"],
      ["limit=101", "?limit"],
      ["limit=ten", "?limit"],
      ["limit=1e1", "?limit"],
      ["limit=2.5", "?limit"],
      ["open=1", "?open"],
      ["limit=1&limit=2", "?limit"],
      ["name=%00", "?"],
    ] as const) {
      expectProblem(await ask(`/v1/things?${query}`), 400, "invalid_request", pointer);
    }
    expectProblem(await ask("/v1/things?__proto__=1"), 400, "invalid_request");
    expect((await ask("/v1/things?limit=7&open=true&tag=a&name=5")).body).toEqual({
      limit: 7,
      open: true,
      tag: ["a"],
      name: "5",
    });
    expect((await ask("/v1/things?tag=a&tag=b")).body).toEqual({ limit: 25, tag: ["a", "b"] });
  });

  test("bytes that decode to a lone surrogate never become one", async () => {
    const answer = await ask("/v1/things?name=%ED%A0%80");
    expect(answer.body?.name ?? "").not.toMatch(/\p{Surrogate}/u);
    expect((await ask("/v1/things/%ED%A0%80")).status).toBeGreaterThanOrEqual(400);
  });

  test("paths: wrong prefix and unknown are 404, what cannot be decoded 400", async () => {
    expectProblem(await ask(`/v1/things/${formatId("msg", WORKSPACE)}`), 404, "not_found");
    expectProblem(await ask("/v1/nothing"), 404, "not_found");
    expectProblem(await ask("/v1/things/%zz"), 400, "invalid_request");
    expectProblem(await ask(`/v1/things/${"x".repeat(300)}`), 400, "invalid_request");
    expectProblem(await ask("/v1/things/%00"), 400, "invalid_request");
    expect((await ask(`/v1/things/${THING}`)).body).toEqual({ id: THING, name: null });
  });

  test("a method that the path does not take is 405 with Allow", async () => {
    const answer = await ask("/v1/things", { method: "PATCH", body: "{" });
    expectProblem(answer, 405, "method_not_allowed");
    expect(answer.headers["allow"]).toBe("POST, GET, HEAD");
  });

  test("a path without a body takes an empty one and no other", async () => {
    expect((await ask(`/v1/things/${THING}`, { method: "DELETE", body: "{}" })).status).toBe(204);
    expectProblem(await ask(`/v1/things/${THING}`, { method: "DELETE", body: '{"a":1}' }), 400, "invalid_request");
    const gone = await ask(`/v1/things/${THING}`, { method: "DELETE" });
    expect([gone.status, gone.text, gone.headers["content-type"]]).toEqual([204, "", undefined]);
  });
});

describe("who may call", () => {
  test("no key, a wrong key, another scheme: 401, audited for nobody", async () => {
    for (const key of [null, "wp_live_wrong"]) {
      const answer = await ask("/v1/things", { key, from: "203.0.113.1" });
      expectProblem(answer, 401, "unauthorized");
      expect(answer.headers["www-authenticate"]).toMatch(/^Bearer/);
    }
    expectProblem(
      await ask("/v1/things", { key: null, headers: { authorization: `Basic ${KEY}` }, from: "203.0.113.1" }),
      401,
      "unauthorized",
    );
    expectProblem(await ask("/v1/nothing", { key: null, from: "203.0.113.1" }), 401, "unauthorized");
    expect(later.map((row) => [row.workspaceId, row.actor.type])).toEqual(
      Array.from({ length: 4 }, () => [NIL_WORKSPACE, "anonymous"]),
    );
  });

  test("a missing scope is 403 and audited in the workspace", async () => {
    expectProblem(await ask("/v1/secrets"), 403, "forbidden");
    expect(later).toMatchObject([
      { workspaceId: WORKSPACE, actor, action: "secret.list", response: { status: 403, code: "forbidden" } },
    ]);
  });

  test("the operator's key opens its own door only", async () => {
    expect((await ask("/admin/v1/things", { key: OPERATOR_KEY })).body).toEqual({
      id: NIL_WORKSPACE,
      name: "operator",
    });
    expectProblem(await ask("/admin/v1/things"), 401, "unauthorized");
    expectProblem(await ask("/v1/things", { key: OPERATOR_KEY }), 401, "unauthorized");
  });

  test("20 bad keys a minute and address, then 429 for bad keys only, unaudited", async () => {
    const bad = () => ask("/v1/things", { key: "bad", from: "198.51.100.7" });
    for (let index = 0; index < 20; index++) expect((await bad()).status).toBe(401);
    const refused = await bad();
    expectProblem(refused, 429, "rate_limited");
    expect(refused.headers["retry-after"]).toBe("60");
    expect(later).toHaveLength(20);
    expect((await ask("/v1/things", { from: "198.51.100.7" })).status).toBe(200);
    expect((await ask("/v1/things", { key: "bad", from: "198.51.100.8" })).status).toBe(401);
    now += 60_000;
    expect((await bad()).status).toBe(401);
  });

  test("a whole IPv6 network is one address", async () => {
    for (let index = 0; index < 20; index++)
      await ask("/v1/things", { key: "bad", from: `2001:db8:1:2::${index + 1}` });
    expect((await ask("/v1/things", { key: "bad", from: "2001:db8:1:2:ffff::1" })).status).toBe(429);
    expect((await ask("/v1/things", { key: "bad", from: "2001:db8:1:3::1" })).status).toBe(401);
  });

  test("X-Forwarded-For is believed from a trusted proxy, and only if it is an address", async () => {
    await ask("/v1/things", { headers: { "x-forwarded-for": "192.0.2.9" } });
    await ask("/v1/things", { headers: { "x-forwarded-for": "192.0.2.9" }, from: "192.0.2.1" });
    await ask("/v1/things", { headers: { "x-forwarded-for": "not\u00e9 an address" } });
    expect(later.map((row) => row.request.ip)).toEqual(["192.0.2.9", "192.0.2.1", "127.0.0.1"]);
  });
});

describe("every answer", () => {
  test("carries the request id and the limit, also when refused", async () => {
    const good = await ask("/v1/things", { headers: { "x-request-id": "mine-1" } });
    expect(good.headers).toMatchObject({
      "x-request-id": "mine-1",
      "ratelimit-policy": '"default";q=50;w=1',
      ratelimit: '"default";r=49;t=1',
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
    expect((await post("{")).headers["ratelimit"]).toBe('"default";r=48;t=1');
    expect((await ask("/v1/things", { method: "PATCH" })).headers["ratelimit"]).toBe('"default";r=47;t=1');
    expect((await ask("/v1/things", { headers: { "x-request-id": "x".repeat(129) } })).headers["x-request-id"]).toMatch(
      /^[0-9a-f-]{36}$/,
    );
  });

  test("past the limit is 429 with Retry-After, before the body is read", async () => {
    for (let index = 0; index < 50; index++) await ask("/v1/things");
    const answer = await post("{");
    expectProblem(answer, 429, "rate_limited");
    expect(answer.headers).toMatchObject({ "retry-after": "1", ratelimit: '"default";r=0;t=1' });
    now += 1_000;
    expect((await ask("/v1/things")).status).toBe(200);
  });

  test("writes one line, without the query, the key and the body", async () => {
    await ask("/v1/things?name=%2B15551230001", {
      headers: { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" },
    });
    await post('{"text":"hello"}', { "x-idempotency-key": "order-17" });
    expect(lines).toMatchObject([
      {
        method: "GET",
        route: "/v1/things",
        status: 200,
        workspace: formatId("ws", WORKSPACE),
        actor: actor.id,
        traceparent: expect.any(String),
      },
      { method: "POST", route: "/v1/things", status: 202 },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/1555|hello|order-17|wp_live/);
  });

  test("reads and replays are audited after it; what an own verb did, it audits itself", async () => {
    await ask(`/v1/things/${THING}`, { headers: { "user-agent": "x".repeat(400) } });
    await post('{"text":"new"}');
    const again = await post('{"text":"again"}');
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(later).toMatchObject([
      {
        action: "thing.get",
        at: now,
        request: { method: "GET", path: `/v1/things/${THING}`, ip: "127.0.0.1", user_agent: "x".repeat(300) },
        response: { status: 200, code: null },
      },
      { action: "thing.make", resource: { type: "thing", id: "thing_1" }, response: { status: 202, code: null } },
    ]);
  });

  test("own verbs get key, wait and If-Match parsed", async () => {
    const { body, headers } = await post('{"text":"a"}', { "idempotency-key": '"k"', prefer: "wait=5" });
    expect(body).toMatchObject({
      key: { digest: expect.stringMatching(/^[0-9a-f]{32}$/), fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) },
      wait: 5,
    });
    expect(headers["location"]).toBe("/v1/things/1");
    expectProblem(
      await post('{"text":"a"}', { "idempotency-key": "k", "x-idempotency-key": "l" }),
      400,
      "invalid_request",
    );
  });
});

describe("when something fails", () => {
  const keyed = { "x-idempotency-key": "k" };
  test.each<[string, () => Error, Record<string, string>, number, string]>([
    ["the database away", () => new DatabaseUnavailable("gone"), {}, 503, "unavailable"],
    ["a lost commit with a key", () => new CommitUnknown("lost"), keyed, 503, "unavailable"],
    ["a lost commit without", () => new CommitUnknown("lost"), {}, 500, "internal"],
    ["a lock not had in time", () => Object.assign(new Error("lock"), { code: "55P03" }), {}, 503, "unavailable"],
    ["anything else", () => new Error("boom"), {}, 500, "internal"],
  ])("%s", async (_name, error, headers, status, code) => {
    fail = error;
    const answer = await post('{"text":"a"}', headers);
    expectProblem(answer, status, code);
    expect(answer.headers["retry-after"]).toBe(status === 503 ? "1" : undefined);
    expect(lines).toMatchObject([{ status, code, cause: { name: expect.any(String) } }]);
    expect(later).toMatchObject([{ response: { status, code } }]);
  });

  test("a problem's extras reach the caller; a database's details reach nobody", async () => {
    fail = () =>
      new Problem("internal", "It may have happened.", {
        resourceId: "msg_1",
        cause: Object.assign(new Error("value secret-1"), {
          code: "23505",
          detail: "Key (phone)=(secret-2) exists",
          constraint: "contact_phone",
        }),
      });
    const answer = await post('{"text":"a"}');
    expect(answer.body).toMatchObject({ resource_id: "msg_1", detail: "It may have happened." });
    expect(lines[0]).toMatchObject({ cause: { state: "23505", constraint: "contact_phone" } });
    expect(JSON.stringify([lines, answer])).not.toContain("secret-");
  });
});

describe("the open paths", () => {
  test("probes", async () => {
    expect(await ask("/healthz", { key: null })).toMatchObject({
      status: 200,
      body: { status: "ok", version: "0.1.0" },
    });
    expect(await ask("/readyz", { key: null })).toMatchObject({
      status: 503,
      body: { status: "not_ready", checks: [{ name: "database", ok: false }] },
    });
  });

  test("raw routes get bytes of any type", async () => {
    expect(
      (
        await ask("/raw?a=1&a=2", {
          method: "POST",
          key: null,
          body: Buffer.from([0, 255]),
          headers: { "content-type": "x/y" },
        })
      ).text,
    ).toBe("2 1");
  });

  test("an unknown open path is 404 and not audited", async () => {
    expectProblem(await ask("/wp-admin.php", { key: null }), 404, "not_found");
    expect(later).toEqual([]);
  });

  test("the reference page calls nobody but this server", async () => {
    const page = await ask("/docs", { key: null });
    expect(page.headers["content-security-policy"]).toContain("connect-src 'self'");
    expect(page.text).not.toMatch(/https?:/);
    const script = await ask("/docs/reference.js", { key: null });
    expect([script.status, script.headers["content-encoding"]]).toEqual([200, "gzip"]);
  });

  test("HTTP that is none gets a problem, and the socket closes", async () => {
    const { port } = await http.listen();
    const text = await new Promise<string>((resolve, reject) => {
      const socket = createConnection(port, "127.0.0.1", () => socket.write("GET / HTTP/1.1\r\nbad header\r\n\r\n"));
      let all = "";
      socket.on("data", (bytes) => (all += bytes.toString()));
      socket.on("error", reject);
      socket.on("close", () => resolve(all));
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toContain('"code":"invalid_request"');
  });
});

test("the document says what the table says", () => {
  const document = http.openapi() as {
    openapi: string;
    components: { schemas: Record<string, unknown> };
    paths: Record<string, Record<string, Record<string, unknown>>>;
  };
  expect(document.openapi).toBe("3.1.0");
  expect(Object.keys(document.paths).filter((path) => !path.includes("things"))).toEqual([
    "/v1/secrets",
    "/raw",
    "/healthz",
    "/readyz",
  ]);
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(["Thing", "Problem"]));
  expect(document.components.schemas["Thing"]).toMatchObject({ properties: { name: { type: ["string", "null"] } } });
  const make = document.paths["/v1/things"]?.["post"];
  expect(make).toMatchObject({
    operationId: "thing.make",
    security: [{ apiKey: ["contacts:write"] }],
    responses: { 202: {}, 403: {}, 409: {}, 413: {}, 415: {}, 422: {} },
  });
  expect(make?.["requestBody"]).toMatchObject({
    content: { "application/json": { schema: { additionalProperties: false } } },
  });
  expect(document.paths["/v1/things/{id}"]?.["get"]).toMatchObject({
    responses: {
      200: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } },
      404: {},
    },
  });
  expect(document.paths["/admin/v1/things"]?.["get"]).toMatchObject({ security: [{ operatorKey: [] }] });
});
