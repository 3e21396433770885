import { request } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { NIL_WORKSPACE } from "../../lib/ids.ts";
import { expectProblem, KEY, useEcho } from "../testing/echo.ts";
import { WITH_FRONT } from "../testing/front.ts";
import { type Answer, type AskOptions, OPERATOR_KEY, WORKSPACE } from "../testing/server.ts";
import { converse } from "../testing/socket.ts";

// A second contract beside the gateway's own is rows of the table of surfaces; nothing else of HTTP knows of it.
const { advance, ask, failWith, later, lines, post, server } = useEcho({
  ...WITH_FRONT,
  bodyLimits: { unverifiedBytes: 500 },
});

const MESSAGES = "/v23.0/1055/messages";
const NAMED = { "x-front-key": KEY };

/** Without a bearer, which says nothing there. */
const askFront = (path: string, { headers = NAMED, ...more }: AskOptions = {}) =>
  ask(path, { key: null, headers, ...more });
const send = (body: string, headers: Record<string, string> = NAMED) =>
  askFront(MESSAGES, { method: "POST", body, headers });

function expectEnvelope(answer: Answer, status: number, kind: string): void {
  expect([answer.status, answer.headers["content-type"]]).toEqual([status, "application/json; charset=utf-8"]);
  const trace = answer.headers["x-request-id"];
  const { missing: _, ...error } = answer.body.error;
  expect(error).toEqual({ kind, message: expect.any(String), trace });
  expect(answer.headers["www-authenticate"]).toBeUndefined();
}

let port: number;
beforeAll(async () => {
  ({ port } = await server.http.listen());
});

describe("who may call", () => {
  test.each([
    ["a header", { "x-front-key": KEY }, MESSAGES],
    ["a cookie of the same origin", { cookie: `a=b; front=${KEY}`, "sec-fetch-site": "same-origin" }, MESSAGES],
    ["the query", {}, `${MESSAGES}?access_token=${KEY}`],
    ["a path that is spelled otherwise", { "x-front-key": KEY }, "/%7623.0/%31055/messages"],
  ])("is named by %s", async (_name, headers, path) => {
    const answer = await askFront(path, { headers });
    expect([answer.status, answer.body]).toEqual([200, { version: "23.0", id: "1055" }]);
    expect(lines).toMatchObject([
      { route: "/v{version}/{id}/messages", workspace_id: expect.any(String), status: 200 },
    ]);
    expect(JSON.stringify(lines)).not.toContain(KEY);
  });

  test.each([
    ["nothing", {}],
    ["a wrong key", { "x-front-key": "wp_live_wrong" }],
    [
      "a wrong key beside a good one",
      { "x-front-key": "wp_live_wrong", cookie: `front=${KEY}`, "sec-fetch-site": "same-origin" },
    ],
    ["a cookie from another site", { cookie: `front=${KEY}`, "sec-fetch-site": "cross-site" }],
    ["a bearer", { authorization: `Bearer ${KEY}` }],
    ["the operator's key", { "x-front-key": OPERATOR_KEY }],
  ])("is not known by %s: the status and the envelope of the surface, and no audit row", async (_name, headers) => {
    for (const method of ["GET", "POST", "PUT"] as const) {
      const answer = await askFront(MESSAGES, { method, headers });
      expectEnvelope(answer, 403, "unauthorized");
      const isMissing = !("x-front-key" in headers);
      expect(answer.body.error).toMatchObject(
        isMissing ? { missing: true, message: "Log in." } : { message: "The key is not valid." },
      );
    }
    expect(later).toEqual([]);
    expect(lines).toMatchObject([{ status: 403, code: "unauthorized" }, {}, {}]);
  });

  test("its ways name no caller elsewhere", async () => {
    for (const path of ["/v1/things", `/v1/things?access_token=${KEY}`, "/admin/v1/things"])
      expectProblem(await askFront(path), 401, "unauthorized");
  });

  test("the scope of the row, the limit of the workspace and that of refusals are as everywhere", async () => {
    expectEnvelope(await askFront(MESSAGES, { method: "DELETE" }), 403, "forbidden");
    expect((await ask("/v1/things")).headers["ratelimit"]).toBe('"default";r=48;t=1');
    expect((await askFront(MESSAGES)).headers["ratelimit"]).toBe('"default";r=47;t=1');
    for (let left = 46; left >= 0; left--) await ask("/v1/things");
    expectEnvelope(await askFront(MESSAGES), 429, "rate_limited");
    for (let index = 0; index < 20; index++) await ask("/v1/things", { key: null, from: "198.51.100.7" });
    const refused = await askFront(MESSAGES, { headers: {}, from: "198.51.100.7" });
    expectEnvelope(refused, 429, "rate_limited");
    expect(refused.headers["retry-after"]).toBe("60");
  });
});

describe("a refusal", () => {
  test.each([
    ["no JSON", "{", {}, 400, "invalid_json"],
    ["an unknown field", '{"to":"a","x":1}', {}, 400, "invalid_request"],
    ["too many bytes", JSON.stringify({ to: "a".repeat(1_000) }), {}, 413, "payload_too_large"],
    ["another type", "to=a", { "content-type": "application/x-www-form-urlencoded" }, 415, "unsupported_media_type"],
    ["a malformed key", '{"to":"a"}', { "x-idempotency-key": "a b" }, 400, "invalid_request"],
    ["a fault of the gateway", '{"to":"fault"}', {}, 500, "internal"],
  ])("for %s is in the envelope", async (_name, body, headers, status, kind) => {
    expectEnvelope(await send(body, { ...NAMED, ...headers }), status, kind);
    expect(later).toEqual([]);
    expect(lines).toMatchObject([{ status, code: kind }]);
  });

  test("is a problem on the gateway's own paths, as ever", async () => {
    expectProblem(await post("{"), 400, "invalid_json");
    failWith(() => new Error("a fault"));
    expectProblem(await post("{}"), 400, "invalid_request");
    expect(later).toHaveLength(2);
  });

  test("the verb gets what it gets everywhere", async () => {
    const answer = await send('{"to":"a"}', { ...NAMED, "x-idempotency-key": "k" });
    expect(answer).toMatchObject({
      status: 200,
      body: { version: "23.0", id: "1055", to: "a", workspace: WORKSPACE, key: true },
    });
  });
});

describe("what is unknown", () => {
  test("a method: 405 to callers of the surface, with what the path takes there", async () => {
    const answer = await askFront(MESSAGES, { method: "PUT" });
    expectEnvelope(answer, 405, "method_not_allowed");
    expect(answer.headers["allow"]).toBe("POST, GET, HEAD, DELETE");
  });

  test("a path: 404 to callers of the surface, 400 if it cannot be decoded", async () => {
    for (const path of ["/front/nothing", "/front/%zz"])
      expectEnvelope(await askFront(path, { headers: {} }), 403, "unauthorized");
    expectEnvelope(await askFront("/front/nothing"), 404, "not_found");
    expectEnvelope(await askFront("/front/%zz"), 400, "invalid_request");
    expectEnvelope(await askFront("/open-front/nothing", { headers: {} }), 404, "not_found");
  });

  // The router takes these for `/v{version}/{id}/messages`.
  test.each(["GET", "POST", "PUT"] as const)(
    "%s of a path of another surface finds nothing of this one",
    async (method) => {
      const body = method === "POST" ? { body: "{}" } : {};
      expectProblem(await ask("/v1/5/messages", { method, key: null, headers: NAMED, ...body }), 401, "unauthorized");
      expectProblem(await ask("/v1/5/messages", { method, ...body }), 404, "not_found");
      expect(later).toMatchObject([
        { workspaceId: NIL_WORKSPACE, action: "unknown" },
        { workspaceId: WORKSPACE, action: "unknown", response: { status: 404 } },
      ]);
      for (const headers of [{}, NAMED])
        expectProblem(await askFront("/vx/me/messages", { method, headers, ...body }), 404, "not_found");
      expect(lines.map(({ route }) => route)).toEqual([null, null, null, null]);
    },
  );

  test("a surface that claims one method of a path says nothing of it for others", async () => {
    expect((await askFront("/messages", { method: "POST", body: '{"to":"a"}' })).status).toBe(200);
    expectEnvelope(await askFront("/messages", { method: "POST", headers: {} }), 403, "unauthorized");
    for (const method of ["GET", "PUT"] as const)
      expectProblem(await askFront("/messages", { method }), 404, "not_found");
  });
});

test("raw routes have a surface too", async () => {
  const raw = (path: string, headers: Record<string, string>) =>
    askFront(path, { method: "POST", body: "abc", headers });
  expect((await raw("/front/bytes", NAMED)).text).toBe("3");
  expectEnvelope(await raw("/front/bytes", {}), 403, "unauthorized");
  expect((await raw("/open-front/bytes", {})).text).toBe("3");
  expectEnvelope(await askFront("/open-front/bytes", { headers: {} }), 405, "method_not_allowed");
});

// Bodies of callers who are known do not compete with those of strangers, for whom this server has little room.
test.each([
  ["/front/bytes", NAMED, 200],
  ["/open-front/bytes", {}, 503],
])("a body that arrives slowly at %s has the room of its callers", async (path, headers, status) => {
  const answer = await new Promise<number | undefined>((resolve, reject) => {
    const asked = request({
      port,
      path,
      method: "POST",
      headers: { ...headers, expect: "100-continue" },
    });
    asked.on("continue", () => asked.end("a".repeat(400)));
    asked.on("response", (response) => resolve(response.resume().statusCode));
    asked.on("error", reject);
    asked.flushHeaders();
  });
  expect(answer).toBe(status);
});

describe("on the socket", () => {
  const talk = (path: string, rest: string) =>
    converse(
      port,
      `POST ${path} HTTP/1.1\r\nHost: a.example\r\nX-Front-Key: ${KEY}\r\nAuthorization: Bearer ${KEY}\r\n${rest}`,
    );
  const chunked = `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

  test.each([
    ["a broken header", "bad header\r\n\r\n", 400, "invalid_request"],
    ["headers that are too large", `X-Large: ${"x".repeat(20_000)}\r\n\r\n`, 431, "invalid_request"],
    ["a second Host header", "Host: b.example\r\nConnection: close\r\n\r\n", 400, "invalid_request"],
    ["a broken body", `${chunked}zz\r\n`, 400, "invalid_request"],
    ["extensions of chunks", `${chunked}1;${"x".repeat(20_000)}\r\n`, 413, "payload_too_large"],
  ])("%s: in the format of the surface", async (_name, rest, status, code) => {
    advance(60_000);
    const front = await talk(MESSAGES, rest);
    expect(front).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(front).toMatch(/\r\nContent-Type: application\/json; charset=utf-8\r\n/i);
    expect(front).toContain(`{"error":{"kind":"${code}",`);
    const own = await talk("/v1/things", rest);
    expect(own).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(own).toMatch(/\r\nContent-Type: application\/problem\+json; charset=utf-8\r\n/i);
    expect(own).toContain(`"code":"${code}"`);
  });
});

test("nothing of another contract is in the document", async () => {
  const { text, body } = await ask("/openapi.json", { key: null });
  expect(text).not.toMatch(/front|keyIn/i);
  expect(body.components.securitySchemes).toEqual({ apiKey: expect.anything(), operatorKey: expect.anything() });
});
