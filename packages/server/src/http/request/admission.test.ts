import { describe, expect, test } from "vitest";
import { NIL_WORKSPACE } from "../../lib/ids.ts";
import { ACTOR, expectProblem, KEY, useEcho } from "../testing/echo.ts";
import { OPERATOR_KEY, WORKSPACE } from "../testing/server.ts";

const { advance, ask, later } = useEcho();

describe("who may call", () => {
  test("no key, a wrong key, another scheme: 401, audited without a workspace", async () => {
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
      { workspaceId: WORKSPACE, actor: ACTOR, action: "secret.list", response: { status: 403, code: "forbidden" } },
    ]);
  });

  test("the operator's key is valid for its own paths only", async () => {
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
    advance(60_000);
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
