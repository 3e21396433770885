import { describe, expect, test } from "vitest";
import { CommitUnknown, DatabaseUnavailable } from "../../db/database.ts";
import { formatId } from "../../lib/ids.ts";
import { Problem } from "../problem.ts";
import { ACTOR, expectProblem, THING, useEcho } from "../testing/echo.ts";
import { WORKSPACE } from "../testing/server.ts";

const { advance, ask, failWith, later, lines, now, post, server } = useEcho();

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

  test("of JSON is one line that ends, and as long as it says", async () => {
    for (const answer of [
      await ask("/v1/things"),
      await post('{"text":"hello"}'),
      await post("{"),
      await ask("/v1/nothing"),
      await ask("/healthz", { key: null }),
    ]) {
      expect(answer.text).toMatch(/^\{.*\}\n$/);
      expect(answer.headers["content-length"]).toBe(String(Buffer.byteLength(answer.text)));
    }
  });

  test("past the limit is 429 with Retry-After, before the body is read", async () => {
    for (let index = 0; index < 50; index++) await ask("/v1/things");
    const answer = await post("{");
    expectProblem(answer, 429, "rate_limited");
    expect(answer.headers).toMatchObject({ "retry-after": "1", ratelimit: '"default";r=0;t=1' });
    advance(1_000);
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
        workspace_id: formatId("ws", WORKSPACE),
        actor: formatId("key", ACTOR.id ?? ""),
        traceparent: expect.any(String),
      },
      { method: "POST", route: "/v1/things", status: 202, resource_id: "thing_1" },
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
        at: now(),
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
    failWith(error);
    const answer = await post('{"text":"a"}', headers);
    expectProblem(answer, status, code);
    expect(answer.headers["retry-after"]).toBe(status === 503 ? "1" : undefined);
    expect(lines).toMatchObject([{ status, code, cause: { name: expect.any(String) } }]);
    expect(later).toMatchObject([{ response: { status, code } }]);
  });

  test("a problem's extras reach the caller; the details of a database error reach neither caller nor log", async () => {
    failWith(
      () =>
        new Problem("internal", "It may have happened.", {
          resourceId: "msg_1",
          cause: Object.assign(new Error("value secret-1"), {
            code: "23505",
            detail: "Key (phone)=(secret-2) exists",
            constraint: "contact_phone",
          }),
        }),
    );
    const answer = await post('{"text":"a"}');
    expect(answer.body).toMatchObject({ resource_id: "msg_1", detail: "It may have happened." });
    expect(lines[0]).toMatchObject({ cause: { state: "23505", constraint: "contact_phone" } });
    expect(JSON.stringify([lines, answer])).not.toContain("secret-");
  });
});

describe("a deprecated operation", () => {
  test("says since when, until when and what to use instead, in refusals too", async () => {
    const reply = await ask("/v1/secrets");
    expect(reply.status).toBe(403);
    expect(reply.headers).toMatchObject({
      deprecation: "@1769817600", // 2026-01-31
      sunset: "Sun, 31 Jan 2027 00:00:00 GMT",
      link: '</v2/secrets>; rel="successor-version"',
    });
    expect((await ask("/v1/things")).headers).not.toHaveProperty("deprecation");
  });

  test("is marked in the document", () => {
    const { paths } = server.http.openapi() as { paths: Record<string, { get: Record<string, unknown> }> };
    expect(paths["/v1/secrets"]?.get).toMatchObject({
      deprecated: true,
      responses: { 200: { headers: { Deprecation: expect.anything(), Sunset: expect.anything() } } },
    });
    expect(paths["/v1/things"]?.get).not.toHaveProperty("deprecated");
  });
});
