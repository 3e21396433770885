import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DAY_MS } from "../../lib/duration.ts";
import { manualClock } from "../../testing/clock.ts";
import { dumpRows } from "../../testing/dump-tables.ts";
import { type Gateway, startGateway } from "../../testing/gateway.ts";

describe("API keys", () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({}, { clock: manualClock() });
  });
  afterAll(() => gateway.stop());

  const status = async (bearer: string): Promise<number> => (await gateway.as(bearer)("GET", "/v1/workspace")).status;

  it("are returned once and work at once", async () => {
    const { call } = await gateway.workspace();
    const body = { name: "shop", scopes: ["messages:write", "messages:read"] };
    const created = await call("POST", "/v1/api-keys", { body });
    expect(created.status).toBe(201);
    expect(created.headers["location"]).toBe(`/v1/api-keys/${created.body.id}`);
    const { key, ...shown } = created.body;
    expect(shown).toEqual({
      id: expect.stringMatching(/^key_/),
      ...body,
      hint: key.slice(8, 20),
      expires_at: null,
      revoked_at: null,
      phone_number_ids: null,
      dedupe_by: null,
      replaced_by: null,
      last_used_at: null,
      created_at: new Date(gateway.clock.now()).toISOString(),
    });
    expect(await status(key)).toBe(200);
    expect((await call("GET", `/v1/api-keys/${shown.id}`)).body).toEqual(shown);
    const list = await call("GET", "/v1/api-keys");
    expect(list.body.data[0]).toEqual(shown);
    expect(list.text).not.toContain(key);
  });

  it("are answered again byte for byte to the same idempotency key", async () => {
    const { call } = await gateway.workspace();
    const once = { body: { name: "once", scopes: ["*"] }, headers: { "x-idempotency-key": "k-1" } };
    const [first, second] = [await call("POST", "/v1/api-keys", once), await call("POST", "/v1/api-keys", once)];
    expect(second.text).toBe(first.text);
    expect(second.headers["idempotent-replayed"]).toBe("true");
    expect((await call("GET", "/v1/api-keys")).body.data).toHaveLength(2);
  });

  it("cannot give scopes that they lack, also by rotating a wider key", async () => {
    const { call, keyId } = await gateway.workspace();
    const created = await call("POST", "/v1/api-keys", {
      body: { name: "n", scopes: ["keys:write", "messages:read"] },
    });
    const narrow = gateway.as(created.body.key);
    for (const scopes of [["*"], ["messages:write"], ["messages:read", "audit:read"]]) {
      const refused = await narrow("POST", "/v1/api-keys", { body: { name: "wider", scopes } });
      expect([scopes, refused.status, refused.body.code]).toEqual([scopes, 403, "forbidden"]);
    }
    expect((await narrow("POST", `/v1/api-keys/${keyId}/rotate`, { body: {} })).status).toBe(403);
    expect((await narrow("POST", "/v1/api-keys", { body: { name: "same", scopes: ["messages:read"] } })).status).toBe(
      201,
    );
  });

  it("need keys:write to be seen or created", async () => {
    const { call, keyId } = await gateway.workspace(["messages:read", "audit:read"]);
    const replies = await Promise.all([
      call("GET", "/v1/api-keys"),
      call("GET", `/v1/api-keys/${keyId}`),
      call("POST", "/v1/api-keys", { body: { name: "x", scopes: ["messages:read"] } }),
      call("POST", `/v1/api-keys/${keyId}/rotate`, { body: {} }),
      call("DELETE", `/v1/api-keys/${keyId}`),
    ]);
    expect(replies.map((reply) => reply.status)).toEqual([403, 403, 403, 403, 403]);
  });

  it("refuse what does not fit", async () => {
    const { call, keyId } = await gateway.workspace();
    const past = new Date(gateway.clock.now()).toISOString();
    const create: [object, string][] = [
      [{ scopes: ["*"] }, "/name"],
      [{ name: "x", scopes: [] }, "/scopes"],
      [{ name: "x", scopes: ["everything"] }, "/scopes/0"],
      [{ name: "x", scopes: ["*", "*"] }, "/scopes"],
      [{ name: "x", scopes: "*" }, "/scopes"],
      [{ name: "x", scopes: ["*"], expires_at: past }, "/expires_at"],
      [{ name: "x", scopes: ["*"], expires_at: "2030-01-01T00:00:00" }, "/expires_at"],
      [{ name: "x", scopes: ["*"], expires_at: "2030-02-31T00:00:00Z" }, "/expires_at"],
      [{ name: "x", scopes: ["*"], phone_number_ids: [] }, "/phone_number_ids"],
      [{ name: "x\u0000", scopes: ["*"] }, "/name"],
    ];
    for (const [body, pointer] of create) {
      const reply = await call("POST", "/v1/api-keys", { body });
      expect([body, reply.status, reply.body.errors?.[0].pointer]).toEqual([body, 400, pointer]);
    }
    for (const overlap_seconds of [-1, 604_801, 1.5, "60"]) {
      const reply = await call("POST", `/v1/api-keys/${keyId}/rotate`, { body: { overlap_seconds } });
      expect([overlap_seconds, reply.status]).toEqual([overlap_seconds, 400]);
    }
  });

  it("end at expires_at, to the millisecond, although remembered", async () => {
    const { call } = await gateway.workspace();
    const expires_at = new Date(gateway.clock.now() + 2_000).toISOString();
    const created = await call("POST", "/v1/api-keys", { body: { name: "short", scopes: ["*"], expires_at } });
    expect(created.body.expires_at).toBe(expires_at);
    gateway.clock.advance(1_999);
    expect(await status(created.body.key)).toBe(200);
    gateway.clock.advance(1);
    expect(await status(created.body.key)).toBe(401);
    gateway.clock.advance(60_000);
    expect(await status(created.body.key)).toBe(401);
  });

  it("when revoked are refused within 5 s; twice is the same as once", async () => {
    const { call } = await gateway.workspace();
    const created = await call("POST", "/v1/api-keys", { body: { name: "gone", scopes: ["*"] } });
    expect(await status(created.body.key)).toBe(200);
    const path = `/v1/api-keys/${created.body.id}`;
    const gone = await call("DELETE", path);
    expect([gone.status, gone.text]).toEqual([204, ""]);
    const revokedAt = (await call("GET", path)).body.revoked_at;
    gateway.clock.advance(4_000);
    expect(await status(created.body.key)).toBe(401);
    expect((await call("DELETE", path)).status).toBe(204);
    expect((await call("GET", path)).body.revoked_at).toBe(revokedAt);
  });

  it("that were revoked create no more keys, although another process still remembers them", async () => {
    const { call, key, keyId } = await gateway.workspace();
    const second = await call("POST", "/v1/api-keys", { body: { name: "second", scopes: ["*"] } });
    expect(await status(key)).toBe(200);
    await gateway.as(second.body.key)("DELETE", `/v1/api-keys/${keyId}`);
    // The entry is still believed: reads pass, what would outlive the revocation does not.
    expect(await status(key)).toBe(200);
    const replies = await Promise.all([
      call("POST", "/v1/api-keys", { body: { name: "heir", scopes: ["*"] } }),
      call("POST", `/v1/api-keys/${second.body.id}/rotate`, { body: {} }),
      call("DELETE", `/v1/api-keys/${second.body.id}`),
    ]);
    expect(replies.map((reply) => reply.status)).toEqual([401, 401, 401]);
    expect(await status(second.body.key)).toBe(200);
  });

  it("may revoke themselves", async () => {
    const { call, key, keyId } = await gateway.workspace();
    expect((await call("DELETE", `/v1/api-keys/${keyId}`)).status).toBe(204);
    gateway.clock.advance(4_000);
    expect(await status(key)).toBe(401);
  });

  describe("when rotated", () => {
    it("go on for the overlap and no longer", async () => {
      const { call, key, keyId } = await gateway.workspace(["keys:write", "messages:read"]);
      const rotated = await call("POST", `/v1/api-keys/${keyId}/rotate`, { body: { overlap_seconds: 60 } });
      expect(rotated).toMatchObject({ status: 201, body: { name: "first", scopes: ["keys:write", "messages:read"] } });
      expect(await status(rotated.body.key)).toBe(200);
      gateway.clock.advance(59_999);
      expect(await status(key)).toBe(200);
      gateway.clock.advance(1);
      expect(await status(key)).toBe(401);
      expect(await status(rotated.body.key)).toBe(200);
      const old = await gateway.as(rotated.body.key)("GET", `/v1/api-keys/${keyId}`);
      expect(old.body.replaced_by).toBe(rotated.body.id);
    });

    it("go on for a day by default, and never past their own end", async () => {
      const { call, keyId } = await gateway.workspace();
      const now = gateway.clock.now();
      await call("POST", `/v1/api-keys/${keyId}/rotate`, { body: {} });
      expect((await call("GET", `/v1/api-keys/${keyId}`)).body.expires_at).toBe(new Date(now + DAY_MS).toISOString());
      const expires_at = new Date(now + 60_000).toISOString();
      const short = await call("POST", "/v1/api-keys", { body: { name: "short", scopes: ["*"], expires_at } });
      const heir = await call("POST", `/v1/api-keys/${short.body.id}/rotate`, { body: {} });
      expect(heir.body.expires_at).toBe(expires_at);
      expect((await call("GET", `/v1/api-keys/${short.body.id}`)).body.expires_at).toBe(expires_at);
    });

    it("end at once without overlap", async () => {
      const { call, key, keyId } = await gateway.workspace();
      await call("POST", `/v1/api-keys/${keyId}/rotate`, { body: { overlap_seconds: 0 } });
      gateway.clock.advance(4_000);
      expect(await status(key)).toBe(401);
    });

    it("leave two alive at most", async () => {
      const { call, key, keyId } = await gateway.workspace();
      const second = await call("POST", `/v1/api-keys/${keyId}/rotate`, { body: {} });
      const third = await gateway.as(second.body.key)("POST", `/v1/api-keys/${second.body.id}/rotate`, { body: {} });
      gateway.clock.advance(4_000);
      expect([await status(key), await status(second.body.key), await status(third.body.key)]).toEqual([401, 200, 200]);
    });

    it("are replaced once, however many ask at once", async () => {
      const { call, keyId } = await gateway.workspace();
      const replies = await Promise.all(
        Array.from({ length: 8 }, () => call("POST", `/v1/api-keys/${keyId}/rotate`, { body: {} })),
      );
      expect(replies.map((reply) => reply.status).toSorted((a, b) => a - b)).toEqual([201, ...Array(7).fill(409)]);
      expect((await call("GET", "/v1/api-keys")).body.data).toHaveLength(2);
    });

    it("cannot be rotated when ended", async () => {
      const { call } = await gateway.workspace();
      const created = await call("POST", "/v1/api-keys", { body: { name: "x", scopes: ["*"] } });
      await call("DELETE", `/v1/api-keys/${created.body.id}`);
      const reply = await call("POST", `/v1/api-keys/${created.body.id}/rotate`, { body: {} });
      expect([reply.status, reply.body.code]).toEqual([409, "conflict"]);
    });

    it("wait for each other in no circle: two keys that rotate one another", async () => {
      const { call, keyId } = await gateway.workspace();
      const second = await call("POST", "/v1/api-keys", { body: { name: "second", scopes: ["*"] } });
      const other = gateway.as(second.body.key);
      const replies = await Promise.all([
        call("POST", `/v1/api-keys/${second.body.id}/rotate`, { body: {} }),
        other("POST", `/v1/api-keys/${keyId}/rotate`, { body: {} }),
        other("DELETE", `/v1/api-keys/${keyId}`),
        call("POST", `/v1/api-keys/${keyId}/rotate`, { body: {} }),
      ]);
      for (const reply of replies) expect([201, 204, 401, 409]).toContain(reply.status);
    });
  });

  it("of another workspace are 404, like unknown ones", async () => {
    const mine = await gateway.workspace();
    const theirs = await gateway.workspace();
    for (const [method, path, body] of [
      ["GET", `/v1/api-keys/${theirs.keyId}`, undefined],
      ["POST", `/v1/api-keys/${theirs.keyId}/rotate`, {}],
      ["DELETE", `/v1/api-keys/${theirs.keyId}`, undefined],
      ["GET", `/v1/api-keys/${mine.id}`, undefined],
    ] as const) {
      const reply = await mine.call(method, path, { body });
      expect([path, reply.status, reply.body.code]).toEqual([path, 404, "not_found"]);
    }
    expect((await mine.call("GET", "/v1/api-keys")).body.data).toHaveLength(1);
    expect(await status(theirs.key)).toBe(200);
  });

  it("are listed for the operator by workspace", async () => {
    const { id, keyId } = await gateway.workspace();
    const { body } = await gateway.operator("GET", `/admin/v1/workspaces/${id}/api-keys`);
    expect(body.data.map((row: { id: string }) => row.id)).toEqual([keyId]);
  });

  it("stand nowhere in the database as text", async () => {
    const { call, key, keyId } = await gateway.workspace();
    const once = { body: { name: "kept", scopes: ["*"] }, headers: { "x-idempotency-key": "canary" } };
    const created = await call("POST", "/v1/api-keys", once);
    const rotated = await call("POST", `/v1/api-keys/${keyId}/rotate`, {
      body: {},
      headers: { "x-idempotency-key": "c2" },
    });
    await call("GET", `/v1/api-keys/${key}`, { headers: { "user-agent": `curl ${key}`, "x-request-id": key } });
    await gateway.audited();
    const dump = await dumpRows(gateway.database.url);
    expect(dump).toContain("/v1/api-keys/{id}");
    expect(dump).toContain("curl wp_live_[hidden]");
    for (const secret of [key, created.body.key, rotated.body.key] as string[]) {
      expect(dump).not.toContain(secret.slice(20));
      // bytea is printed as hex
      expect(dump).not.toContain(Buffer.from(secret.slice(21)).toString("hex"));
    }
  });
});
