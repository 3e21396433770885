import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formatId, newUuid } from "../../lib/ids.ts";
import { manualClock } from "../../testing/clock.ts";
import { type Gateway, startGateway } from "../../testing/gateway.ts";
import { changesOf } from "./fields.ts";

type Row = {
  id: string;
  actor: { type: string; id: string | null };
  action: string;
  resource: { type: string | null; id: string | null };
  request: { path: string; request_id: string; user_agent: string | null };
  response: { status: number; code: string | null };
  changes: Record<string, unknown> | null;
};

describe("the audit log", () => {
  let gateway: Gateway;
  let mine: Awaited<ReturnType<Gateway["workspace"]>>;
  beforeAll(async () => {
    gateway = await startGateway({}, { clock: manualClock() });
  });
  afterAll(() => gateway.stop());
  beforeEach(async () => {
    gateway.clock.advance(60_001); // another minute of refusals
    mine = await gateway.workspace();
  });

  /** The rows of the log once none wait to be written. */
  async function activity(query = "", call = mine.call, path = "/v1/audit/activity"): Promise<Row[]> {
    await gateway.audited();
    const reply = await call("GET", `${path}?limit=100${query}`);
    expect(reply.status).toBe(200);
    return reply.body.data.filter((row: Row) => row.action !== "audit.list");
  }

  it("has of a change the caller, the action, the request and the outcome", async () => {
    const headers = { "x-request-id": "req-1", "user-agent": "shop/1.0" };
    const created = await mine.call("POST", "/v1/api-keys", { body: { name: "shop", scopes: ["*"] }, headers });
    const reply = await mine.call("GET", "/v1/audit/activity"); // at once: the row is in the change's transaction
    expect(reply.body.data[0]).toEqual({
      id: expect.stringMatching(/^aud_/),
      at: new Date(gateway.clock.now()).toISOString(),
      actor: { type: "api_key", id: mine.keyId, name: "first" },
      action: "api_key.create",
      resource: { type: "api_key", id: created.body.id },
      request: {
        method: "POST",
        path: "/v1/api-keys",
        request_id: "req-1",
        session: null,
        ip: "127.0.0.1",
        user_agent: "shop/1.0",
      },
      response: { status: 201, code: null },
      changes: { name: "shop", scopes: ["*"], expires_at: null },
    });
    expect(reply.text).not.toContain(created.body.key);
  });

  it("has every denied call, with its reason", async () => {
    const narrow = await mine.call("POST", "/v1/api-keys", { body: { name: "n", scopes: ["messages:read"] } });
    const call = gateway.as(narrow.body.key);
    await call("GET", "/v1/api-keys");
    await mine.call("GET", `/v1/api-keys/${formatId("key", newUuid(1))}`);
    await mine.call("POST", "/v1/api-keys", { body: { name: 1 } });
    await mine.call("PATCH", "/v1/api-keys");
    await mine.call("GET", "/v1/nothing");
    const rows = await activity("&action=api_key.list");
    expect(rows).toMatchObject([
      {
        actor: { id: narrow.body.id },
        action: "api_key.list",
        response: { status: 403, code: "forbidden" },
        changes: null,
      },
    ]);
    const codes = (await activity()).map((row) => row.response.code);
    for (const code of ["forbidden", "not_found", "invalid_request", "method_not_allowed"])
      expect(codes).toContain(code);
  });

  it("has reads, within a second of the answer", async () => {
    await mine.call("GET", "/v1/workspace");
    gateway.clock.advance(500);
    await expect
      .poll(async () => (await mine.call("GET", "/v1/audit/activity?action=workspace.read")).body.data.length)
      .toBe(1);
  });

  it("belongs to each workspace; calls of the operator and calls without a key are the operator's", async () => {
    const theirs = await gateway.workspace();
    await theirs.call("GET", "/v1/workspace");
    await gateway.as(null)("GET", "/v1/workspace");
    await gateway.as("wp_live_nonsense")("POST", "/v1/api-keys", { body: {} });
    expect(await activity()).toEqual([]);
    expect(await activity("", theirs.call)).toMatchObject([{ action: "workspace.read" }]);
    const operators = await activity("", gateway.operator, "/admin/v1/audit");
    expect(operators.slice(0, 2)).toMatchObject([
      { actor: { type: "anonymous", id: null }, response: { status: 401, code: "unauthorized" } },
      { actor: { type: "anonymous", id: null }, response: { status: 401, code: "unauthorized" } },
    ]);
    expect(operators[2]).toMatchObject({
      actor: { type: "operator", id: null },
      action: "api_key.create",
      resource: { type: "api_key", id: theirs.keyId },
      request: { path: `/admin/v1/workspaces/${theirs.id}/api-keys` },
    });
    expect(operators[3]).toMatchObject({ action: "workspace.create", resource: { id: theirs.id } });
  });

  it("shows what an operator changed, before and after", async () => {
    await gateway.operator("PATCH", `/admin/v1/workspaces/${mine.id}`, { body: { name: "New", status: "active" } });
    const [row] = await activity("&action=workspace.update", gateway.operator, "/admin/v1/audit");
    expect(row?.changes).toEqual({ name: { before: "Acme", after: "New" } });
  });

  it("has what a synchronization of templates did with each account", async () => {
    const { call, uuid } = await gateway.sender();
    const { body } = await call("POST", "/v1/templates/sync", { body: {} });
    const counts = { created: 0, updated: 0, deleted: 0, error: null };
    const { business_account_id } = body.data[0];
    const expected = { accounts: [{ business_account_id, status: "completed", ...counts }] };
    const stored = async () => (await activity("&action=template.sync", call)).map(({ changes }) => changes);
    expect(await stored()).toEqual([expected]);
    // As earlier versions wrote it.
    await gateway.app.db.transaction(uuid, (sql) =>
      sql.run(
        `insert into audit (workspace_id, id, at, actor_type, action, status, changes)
         select workspace_id, new_uuid(at), at, actor_type, action, status, changes->'accounts'
         from audit where action = 'template.sync'`,
        [],
      ),
    );
    expect(await stored()).toEqual([expected, expected]);
  });

  it("records 20 refused calls a minute and address without a valid key, and no more", async () => {
    const stranger = gateway.as("stranger");
    for (let i = 0; i < 25; i++) await stranger("GET", "/v1/workspace", { headers: { "x-request-id": "flood" } });
    const rows = await activity("&actor=anonymous", gateway.operator, "/admin/v1/audit");
    expect(rows.filter((row) => row.request.request_id === "flood")).toHaveLength(20);
  });

  it("needs audit:read", async () => {
    const { call } = await gateway.workspace(["keys:write"]);
    expect((await call("GET", "/v1/audit/activity")).status).toBe(403);
  });

  it("keeps no key that a caller put into a path, a user agent or a request id", async () => {
    const headers = { "user-agent": `curl ${mine.key}`, "x-request-id": mine.key };
    const reply = await mine.call("GET", `/v1/api-keys/${mine.key}`, { headers });
    expect(reply.text + reply.headers["x-request-id"]).not.toContain("wp_live_");
    const [row] = await activity("&status=404");
    expect(row?.request).toMatchObject({
      path: "/v1/api-keys/{id}",
      user_agent: "curl wp_live_[hidden]",
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  describe("filters", () => {
    it("by actor, action, resource and status, alone and together", async () => {
      const created = await mine.call("POST", "/v1/api-keys", { body: { name: "a", scopes: ["*"] } });
      await gateway.as(created.body.key)("GET", `/v1/api-keys/${mine.keyId}`);
      await mine.call("GET", "/v1/workspace");
      const count = async (query: string) => (await activity(query)).length;
      expect(await count(`&actor=${created.body.id}`)).toBe(1);
      expect(await count("&actor=api_key")).toBe(3);
      expect(await count("&actor=operator")).toBe(0);
      expect(await count("&action=workspace.read")).toBe(1);
      expect(await count(`&resource=${created.body.id}`)).toBe(1);
      expect(await count("&resource=api_key")).toBe(2);
      expect(await count("&status=201")).toBe(1);
      expect(await count(`&resource=api_key&actor=${created.body.id}&status=200`)).toBe(1);
      expect(await count("&status=201&action=workspace.read")).toBe(0);
      for (const foreign of [formatId("key", newUuid(1)), "msg_x", "key_x"])
        expect(await count(`&actor=${foreign}`)).toBe(0);
    });

    it("by time: from at_after on, before at_before", async () => {
      const times: string[] = [];
      for (let i = 0; i < 3; i++) {
        gateway.clock.advance(10_000);
        times.push(new Date(gateway.clock.now()).toISOString());
        await mine.call("GET", "/v1/workspace");
      }
      const reads = async (query: string) => (await activity(`&action=workspace.read${query}`)).length;
      expect(await reads(`&at_after=${times[1]}`)).toBe(2);
      expect(await reads(`&at_before=${times[1]}`)).toBe(1);
      expect(await reads(`&at_after=${times[0]}&at_before=${times[2]}`)).toBe(2);
      expect(await reads(`&at_after=${times[2]}&at_before=${times[0]}`)).toBe(0);
      const offset = encodeURIComponent(times[1]!.replace("Z", "+00:00"));
      expect(await reads(`&at_after=${offset}`)).toBe(2);
    });

    it("that few of very many calls fit: every page is short work, and the cursor leads to all of them", async () => {
      await mine.call("POST", "/v1/api-keys", { body: { name: "first", scopes: ["*"] } });
      gateway.clock.advance(60_000);
      const at = new Date(gateway.clock.now()).toISOString();
      // In pieces: a statement may take eight seconds, which all of them at once need on a busy machine.
      for (let from = 1; from < 250_000; from += 25_000)
        await gateway.app.db.transaction(mine.uuid, (sql) =>
          sql.run(
            `insert into audit (workspace_id, id, at, actor_type, action, status)
             select $1, new_uuid($2::timestamptz - n * interval '0.1 milliseconds'), $2, 'api_key', 'workspace.read', 200
               from generate_series($3::int, $3::int + 24999) n`,
            [mine.uuid, at, from],
          ),
        );
      gateway.clock.advance(60_000);
      await mine.call("POST", "/v1/api-keys", { body: { name: "second", scopes: ["*"] } });
      const pages: number[] = [];
      for (let cursor = ""; ; ) {
        const { body } = await mine.call("GET", `/v1/audit/activity?action=api_key.create${cursor}`);
        pages.push(body.data.length);
        if (body.next_cursor === null) break;
        cursor = `&cursor=${body.next_cursor}`;
      }
      expect(pages).toEqual([1, 0, 1]);
      const streamed = await fetch(`${gateway.url}/v1/audit/activity?action=api_key.create`, {
        headers: { authorization: `Bearer ${mine.key}`, accept: "application/x-ndjson" },
      });
      expect((await streamed.text()).trim().split("\n")).toHaveLength(2);
    });

    it("that are not valid are 400", async () => {
      const far = encodeURIComponent("2026-02-31T00:00:00Z");
      for (const query of [
        "status=x",
        "status=20",
        "at_after=yesterday",
        `at_before=${far}`,
        "actor=",
        "kind=x",
        "limit=0",
        "cursor=x",
      ]) {
        const reply = await mine.call("GET", `/v1/audit/activity?${query}`);
        expect([query, reply.status, reply.body.code]).toEqual([query, 400, "invalid_request"]);
      }
    });
  });

  it("is paged newest first, stable while rows arrive", async () => {
    for (let i = 0; i < 7; i++) {
      gateway.clock.advance(1);
      await mine.call("GET", "/v1/workspace");
    }
    const all = (await activity("&action=workspace.read")).map((row) => row.id);
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await mine.call("GET", `/v1/audit/activity?limit=3&action=workspace.read${cursor}`);
      seen.push(...body.data.map((row: Row) => row.id));
      await mine.call("GET", "/v1/workspace");
      await gateway.audited();
      cursor = body.next_cursor === null ? "" : `&cursor=${body.next_cursor}`;
    } while (cursor !== "");
    expect(seen).toEqual(all);
    expect([...seen].toSorted().toReversed()).toEqual(seen);
  });
});

describe("changes", () => {
  it("are the fields that differ, before and after", () => {
    expect(changesOf({ a: 1, b: [1] }, { a: 2, b: [1] })).toEqual({ a: { before: 1, after: 2 } });
    expect(changesOf({ a: null }, { a: [] })).toEqual({ a: { before: null, after: [] } });
    expect(changesOf({ a: 1 }, { a: 1 })).toBeNull();
  });
});
