import { METHODS } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import { NIL_WORKSPACE } from "../../lib/ids.ts";
import { expectProblem, KEY, useEcho } from "../testing/echo.ts";
import { OPERATOR_KEY, WORKSPACE } from "../testing/server.ts";
import { converse } from "../testing/socket.ts";

// Refusals before any route matches: under /v1 they too need a key and carry the limit.
const { advance, ask, later, server } = useEcho();

let port: number;
beforeAll(async () => {
  ({ port } = await server.http.listen());
});

describe("a path that cannot be decoded", () => {
  const BAD = ["/v1/things/%zz", `/v1/things/${"x".repeat(300)}`, "/v1/%"];

  test.each(BAD)("%s is 400 and carries the limit", async (path) => {
    const answer = await ask(path);
    expectProblem(answer, 400, "invalid_request");
    expect(answer.headers["ratelimit"]).toMatch(/^"default";r=\d+;t=1$/);
    expect(answer.headers["ratelimit-policy"]).toBe('"default";q=50;w=1');
    expect(later).toMatchObject([{ workspaceId: WORKSPACE, action: "unknown", response: { status: 400 } }]);
  });

  test.each(BAD)("%s costs one request of the limit, and is 429 when there is none left", async (path) => {
    for (let left = 49; left >= 0; left--)
      expect((await ask(path)).headers["ratelimit"]).toBe(`"default";r=${left};t=1`);
    expectProblem(await ask(path), 429, "rate_limited");
  });

  test.each(BAD)("%s is 401 without a key", async (path) => {
    const answer = await ask(path, { key: null });
    expectProblem(answer, 401, "unauthorized");
    expect(answer.headers["ratelimit"]).toMatch(/^"refused";r=19;/);
  });

  test("elsewhere it is 400 without a key too", async () => {
    const answer = await ask("/%zz", { key: null });
    expectProblem(answer, 400, "invalid_request");
    expect(answer.headers["ratelimit"]).toBeUndefined();
    expect(later).toEqual([]);
  });
});

describe("a path that is spelled otherwise", () => {
  const SPELLED = ["/%76%31/things", "/%761/things", "/v%31/things", "/%61dmin/v1/things", "/admin/%76%31/things"];
  const ABSOLUTE = [
    "http://a.example/v1/things",
    "HTTP://a.example/admin/v1/things",
    "https://a.example/%76%31/things",
  ];

  test.each(SPELLED)("%s asks for the key of the path that it means", async (path) => {
    expectProblem(await ask(path, { key: null }), 401, "unauthorized");
    expectProblem(await ask(path.replace("things", "nothing"), { key: null }), 401, "unauthorized");
    expectProblem(await ask(path, { key: "wp_live_wrong", method: "DELETE" }), 401, "unauthorized");
    expect(later).toMatchObject(
      Array.from({ length: 3 }, () => ({ workspaceId: NIL_WORKSPACE, actor: { type: "anonymous" } })),
    );
    const operators = path.includes("dmin");
    expect((await ask(path, { key: operators ? OPERATOR_KEY : KEY })).status).toBe(200);
    expectProblem(await ask(path, { key: operators ? KEY : OPERATOR_KEY }), 401, "unauthorized");
  });

  test.each(ABSOLUTE)("%s as the target of a request too", async (target) => {
    const send = (header: string) =>
      converse(port, `GET ${target} HTTP/1.1\r\nHost: a.example\r\n${header}Connection: close\r\n\r\n`);
    expect(await send("")).toMatch(/^HTTP\/1\.1 401 /);
    const key = target.includes("admin") ? OPERATOR_KEY : KEY;
    expect(await send(`Authorization: Bearer ${key}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("a method that a path does not take", () => {
  // CONNECT asks for a tunnel and never gets as far as a path.
  const others = METHODS.filter((method) => !["GET", "HEAD", "POST", "CONNECT"].includes(method));
  const askBy = (method: string, path: string, key: string | null) =>
    server.http.inject({
      method: method as "GET",
      url: path,
      headers: key === null ? {} : { authorization: `Bearer ${key}` },
    });

  test.each(others)("%s is 405 with Allow", async (method) => {
    const answer = await askBy(method, "/v1/things", KEY);
    expect([answer.statusCode, answer.json().code]).toEqual([405, "method_not_allowed"]);
    expect(answer.headers["allow"]).toBe("POST, GET, HEAD");
    expect(answer.headers["ratelimit"]).toMatch(/^"default";/);
    const open = await askBy(method, "/healthz", null);
    expect([open.statusCode, open.headers["allow"]]).toEqual([405, "GET, HEAD"]);
    advance(60_000);
    expect((await askBy(method, "/v1/things", null)).statusCode).toBe(401);
    expect((await askBy(method, "/v1/nothing", KEY)).statusCode).toBe(404);
  });

  test("TRACE on a real connection gives nothing of the request back", async () => {
    const secret = `Authorization: Bearer ${KEY}`;
    const text = await converse(port, `TRACE /v1/things HTTP/1.1\r\nHost: a\r\n${secret}\r\nConnection: close\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 405 /);
    expect(text).toMatch(/\r\nallow: POST, GET, HEAD\r\n/i);
    expect(text).not.toContain(KEY);
  });
});

describe("the Host header (RFC 9112, 3.2)", () => {
  const send = (path: string, hosts: string[], version = "1.1") =>
    converse(
      port,
      `${[`GET ${path} HTTP/${version}`, ...hosts, `Authorization: Bearer ${KEY}`, "Connection: close"].join("\r\n")}\r\n\r\n`,
    );

  test.each([
    ["two that differ", ["Host: a.example", "Host: b.example"]],
    ["two that are the same", ["Host: a.example", "hOST: a.example"]],
    ["none", []],
    ["one with a path", ["Host: a.example/b"]],
    ["one with a user", ["Host: a@b.example"]],
    ["one with a blank", ["Host: a.example b.example"]],
  ])("%s: 400 invalid_request", async (_name, hosts) => {
    for (const path of ["/v1/things", "/v1/nothing", "/v1/%zz", "/healthz"]) {
      const text = await send(path, hosts);
      expect(text).toMatch(/^HTTP\/1\.1 400 /);
      expect(text).toContain('"code":"invalid_request"');
      expect(text).toContain("Host header");
      expect(text.includes('ratelimit: "default";')).toBe(path.startsWith("/v1/"));
    }
  });

  test.each([
    ["a name", ["Host: a.example"], "1.1"],
    ["a name with a port", ["Host: a.example:8080"], "1.1"],
    ["an IPv6 address", ["Host: [::1]:8080"], "1.1"],
    ["an empty one", ["Host:"], "1.1"],
    ["none in HTTP/1.0", [], "1.0"],
  ])("%s is taken", async (_name, hosts, version) => {
    expect(await send("/v1/things", hosts, version)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
