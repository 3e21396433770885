import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatId, newUuid, parseId } from "../../lib/ids.ts";
import { manualClock } from "../../testing/clock.ts";
import { type Gateway, startGateway } from "../../testing/gateway.ts";
import { wholeDocument } from "../../testing/whole-document.ts";

describe("workspaces", () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({}, { clock: manualClock() });
  });
  afterAll(() => gateway.stop());

  it("are created, read and renamed by the operator", async () => {
    const created = await gateway.operator("POST", "/admin/v1/workspaces", { body: { name: "Acme" } });
    expect(created.status).toBe(201);
    expect(created.headers["location"]).toBe(`/admin/v1/workspaces/${created.body["id"]}`);
    const time = new Date(gateway.clock.now()).toISOString();
    expect(created.body).toEqual({
      id: expect.stringMatching(/^ws_/),
      name: "Acme",
      status: "active",
      created_at: time,
      updated_at: time,
    });
    gateway.clock.advance(1_000);
    const path = `/admin/v1/workspaces/${created.body["id"]}`;
    const renamed = await gateway.operator("PATCH", path, { body: { name: "Acme Ltd" } });
    expect(renamed).toMatchObject({ status: 200, body: { name: "Acme Ltd", status: "active", created_at: time } });
    expect(renamed.body["updated_at"]).not.toBe(time);
    expect((await gateway.operator("GET", path)).body).toEqual(renamed.body);
    const same = await gateway.operator("PATCH", path, { body: {} });
    expect(same.body).toEqual(renamed.body);
  });

  it("are listed over all workspaces, page by page, newest first", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      gateway.clock.advance(1);
      const { body } = await gateway.operator("POST", "/admin/v1/workspaces", { body: { name: `page ${i}` } });
      ids.unshift(body["id"]);
    }
    const seen: string[] = [];
    let cursor = "";
    do {
      const { status, body } = await gateway.operator("GET", `/admin/v1/workspaces?limit=2${cursor}`);
      expect(status).toBe(200);
      seen.push(...body["data"].map((row: { id: string }) => row.id));
      cursor = body["next_cursor"] === null ? "" : `&cursor=${body["next_cursor"]}`;
    } while (cursor !== "");
    expect(seen.slice(0, 5)).toEqual(ids);
    expect(new Set(seen).size).toBe(seen.length);
  });

  it("are 404 when unknown, also for their keys", async () => {
    const path = `/admin/v1/workspaces/${formatId("ws", newUuid(1))}`;
    for (const [method, url, body] of [
      ["GET", path, undefined],
      ["PATCH", path, { name: "x" }],
      ["GET", `${path}/api-keys`, undefined],
      ["POST", `${path}/api-keys`, { name: "x", scopes: ["*"] }],
      ["GET", `/admin/v1/workspaces/${formatId("key", newUuid(1))}`, undefined],
    ] as const) {
      const reply = await gateway.operator(method, url, { body });
      expect([url, reply.status, reply.body["code"]]).toEqual([url, 404, "not_found"]);
    }
  });

  it("are for the operator alone", async () => {
    const { key, id } = await gateway.workspace();
    for (const bearer of [null, key, "operator-key-012345678"]) {
      const reply = await gateway.as(bearer)("GET", `/admin/v1/workspaces/${id}`);
      expect([reply.status, reply.body["code"]]).toEqual([401, "unauthorized"]);
    }
  });

  it("refuse invalid input and store nothing", async () => {
    const count = async () => (await gateway.operator("GET", "/admin/v1/workspaces?limit=100")).body["data"].length;
    const before = await count();
    for (const body of [
      {},
      { name: "" },
      { name: " " },
      { name: "x".repeat(101) },
      { name: 1 },
      { name: "x", plan: "y" },
    ]) {
      const reply = await gateway.operator("POST", "/admin/v1/workspaces", { body });
      expect([body, reply.status, reply.body["code"]]).toEqual([body, 400, "invalid_request"]);
    }
    const { id } = await gateway.workspace();
    const odd = await gateway.operator("PATCH", `/admin/v1/workspaces/${id}`, { body: { status: "paused" } });
    expect([odd.status, odd.body["errors"][0].pointer]).toEqual([400, "/status"]);
    expect(await count()).toBe(before + 1);
  });

  it("are created once under one idempotency key, also by concurrent requests", async () => {
    const twice = { body: { name: "Once" }, headers: { "x-idempotency-key": "make-once" } };
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => gateway.operator("POST", "/admin/v1/workspaces", twice)),
    );
    expect(new Set(replies.map((reply) => reply.text)).size).toBe(1);
    const { body } = await gateway.operator("GET", "/admin/v1/workspaces?limit=100");
    expect(body["data"].filter((row: { name: string }) => row.name === "Once")).toHaveLength(1);
  });

  it("return to a caller its own, its key and its limits", async () => {
    const one = await gateway.workspace(["messages:read"]);
    const two = await gateway.workspace();
    const reply = await one.call("GET", "/v1/workspace");
    expect(reply).toMatchObject({
      status: 200,
      body: {
        id: one.id,
        name: "Acme",
        status: "active",
        api_key: { id: one.keyId, scopes: ["messages:read"] },
        limits: { requests_per_second: 1_000 },
      },
    });
    expect(reply.text).not.toContain(one.key);
    expect((await two.call("GET", "/v1/workspace")).body["id"]).toBe(two.id);
  });

  it("answer 403 within 5 s of a suspension, and work again after it", async () => {
    const { id, call, rows, keyId } = await gateway.workspace();
    const neighbour = await gateway.workspace();
    expect((await call("GET", "/v1/workspace")).status).toBe(200);
    const path = `/admin/v1/workspaces/${id}`;
    await gateway.operator("PATCH", path, { body: { status: "suspended" } });
    gateway.clock.advance(4_000);
    const refused = await call("GET", "/v1/workspace");
    expect([refused.status, refused.body["code"]]).toEqual([403, "forbidden"]);
    expect(refused.body["detail"]).toContain("suspended");
    const { paths } = wholeDocument((await call("GET", "/openapi.json")).body);
    expect(paths["/v1/workspace"].get.responses[403].description).toContain("`forbidden`");
    expect((await call("GET", "/v1/workspace")).status).toBe(403);
    expect((await neighbour.call("GET", "/v1/workspace")).status).toBe(200);
    // Refused like any denied call: counted, with rate-limit headers, and in the audit log of the workspace.
    expect(refused.headers).toMatchObject({
      ratelimit: '"default";r=999;t=1',
      "ratelimit-policy": '"default";q=1000;w=1',
    });
    await gateway.audited();
    const log = "select status, code, actor_id from audit where action = 'workspace.read' and status = 403";
    expect(await rows(log)).toEqual(
      [1, 2].map(() => ({ status: 403, code: "forbidden", actor_id: parseId("key", keyId) })),
    );
    await gateway.operator("PATCH", path, { body: { status: "active" } });
    gateway.clock.advance(4_000);
    expect((await call("GET", "/v1/workspace")).status).toBe(200);
  });
});
