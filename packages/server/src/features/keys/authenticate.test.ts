import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { App } from "../../ctx.ts";
import { DatabaseUnavailable } from "../../db/database.ts";
import { handClock } from "../../testing/clock.ts";
import { type Gateway, startGateway } from "../../testing/gateway.ts";
import { type Authenticator, createAuthenticator } from "./authenticate.ts";
import { newKeyText } from "./key-format.ts";

describe("authentication", () => {
  let gateway: Gateway;
  /** Another process on the same database, whose calls are counted and can be cut off. */
  let other: Authenticator;
  let calls: number;
  let digests: number;
  let away: boolean;

  beforeEach(async () => {
    gateway = await startGateway({}, { clock: handClock() });
    calls = 0;
    digests = 0;
    away = false;
    const { db } = gateway.app;
    const counted = async <T>(rows: readonly unknown[], call: () => Promise<T>): Promise<T> => {
      calls += 1;
      digests += rows.length;
      if (away) throw new DatabaseUnavailable("away");
      return await call();
    };
    const call: App["db"]["call"] = (fn, rows, now) => counted(rows, () => db.call(fn, rows, now));
    const callTexts: App["db"]["callTexts"] = (fn, rows, now) => counted(rows, () => db.callTexts(fn, rows, now));
    other = createAuthenticator({ ...gateway.app, db: { ...db, call, callTexts } });
  });
  afterEach(async () => {
    away = false;
    await other.stop();
    await gateway.stop();
  });

  it("asks the database once for a crowd, and not again while it believes", async () => {
    const { key, keyId, id } = await gateway.workspace(["messages:read"]);
    const crowd = await Promise.all(Array.from({ length: 100 }, () => other.authenticate(key)));
    expect(new Set(crowd).size).toBe(1);
    const first = await gateway.as(key)("GET", "/v1/workspace");
    expect(first.body).toMatchObject({ id, api_key: { id: keyId } });
    expect(crowd[0]?.actor).toMatchObject({ type: "api_key", name: "first", scopes: ["messages:read"] });
    gateway.clock.advance(2_499);
    await other.authenticate(key);
    expect([calls, digests]).toEqual([1, 1]);
  });

  it("looks keys of many workspaces up together and never mixes them up", async () => {
    const workspaces = await Promise.all(Array.from({ length: 6 }, () => gateway.workspace()));
    const keys = workspaces.flatMap(({ key }) => [key, newKeyText().text]);
    const known = await Promise.all(keys.map((key) => other.authenticate(key)));
    const direct = await Promise.all(keys.map((key) => gateway.features.authenticator.authenticate(key)));
    expect(known).toEqual(direct);
    expect(known.filter((one) => one === null)).toHaveLength(6);
    expect(new Set(known.map((one) => one?.workspaceId)).size).toBe(7);
    expect(calls).toBe(1);
  });

  it("refuses a revoked key within 5 s in a process that knows nothing of it", async () => {
    const { key, keyId, call } = await gateway.workspace();
    expect(await other.authenticate(key)).not.toBeNull();
    gateway.clock.advance(10);
    expect((await call("DELETE", `/v1/api-keys/${keyId}`)).status).toBe(204);
    gateway.clock.advance(3_990);
    expect(await other.authenticate(key)).toBeNull();
  });

  it("reads a key in use again before its entry ends, so that nobody waits", async () => {
    const { key, keyId, call } = await gateway.workspace();
    await other.authenticate(key);
    await call("DELETE", `/v1/api-keys/${keyId}`);
    gateway.clock.advance(2_500);
    // Answered from what is remembered; the reading that it set off finds the revocation, sooner than it must.
    const remembered = await other.authenticate(key);
    expect(remembered).not.toBeNull();
    await expect.poll(() => other.authenticate(key)).toBeNull();
    expect(calls).toBe(2);
  });

  it("stays with a key for a while when the database is away, then says so, then recovers", async () => {
    const { key } = await gateway.workspace();
    await other.authenticate(key);
    away = true;
    gateway.clock.advance(3_999);
    expect(await other.authenticate(key)).not.toBeNull();
    gateway.clock.advance(1);
    await expect(other.authenticate(key)).rejects.toBeInstanceOf(DatabaseUnavailable);
    await expect(other.authenticate(newKeyText().text)).rejects.toBeInstanceOf(DatabaseUnavailable);
    away = false;
    expect(await other.authenticate(key)).not.toBeNull();
  });

  it("tells a typo without the database, and a stranger's key by one look", async () => {
    const { key } = await gateway.workspace();
    const typo = `${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`;
    for (const bearer of ["", "x", typo, "x".repeat(10_000), "sk_live_1", `${key}\u00e9`])
      expect(await other.authenticate(bearer)).toBeNull();
    expect(calls).toBe(0);
    const stranger = newKeyText().text;
    for (let i = 0; i < 5; i++) expect(await other.authenticate(stranger)).toBeNull();
    expect(calls).toBe(1);
    gateway.clock.advance(4_000);
    expect(await other.authenticate(stranger)).toBeNull();
    expect(calls).toBe(2);
  });

  it("keeps the keys it knows through a flood of strangers", async () => {
    const { key } = await gateway.workspace();
    await other.authenticate(key);
    const flood = Array.from({ length: 6_000 }, () => newKeyText().text);
    const answers = await Promise.allSettled(flood.map((text) => other.authenticate(text)));
    // Beyond the bound it is 503, never a wait without end.
    const odd = answers.filter((answer) =>
      answer.status === "fulfilled" ? answer.value !== null : !(answer.reason instanceof DatabaseUnavailable),
    );
    expect(odd).toEqual([]);
    const before = calls;
    expect(await other.authenticate(key)).not.toBeNull();
    expect(calls).toBe(before);
  });

  it("knows a suspended workspace and turns it away, remembered or not", async () => {
    const { key, id } = await gateway.workspace();
    await gateway.operator("PATCH", `/admin/v1/workspaces/${id}`, { body: { status: "suspended" } });
    for (let i = 0; i < 2; i++) expect(await other.authenticate(key)).toMatchObject({ refusal: { code: "forbidden" } });
    expect(calls).toBe(1);
  });

  it("writes the last use once a minute, never back in time", async () => {
    const { key, keyId, call } = await gateway.workspace(["keys:write"]);
    const lastUse = async () => (await call("GET", `/v1/api-keys/${keyId}`)).body.last_used_at;
    expect(await lastUse()).toBeNull();
    const usedAt = gateway.clock.now();
    await gateway.features.authenticator.recordUses();
    const first = new Date(usedAt).toISOString();
    gateway.clock.advance(1_000);
    await other.authenticate(key);
    const later = new Date(gateway.clock.now()).toISOString();
    calls = 0;
    await other.recordUses();
    await other.recordUses();
    expect(calls).toBe(1);
    expect([first < later, await lastUse()]).toEqual([true, later]);
  });

  it("keeps a last use that could not be written for the next minute", async () => {
    const { key, keyId } = await gateway.workspace();
    await other.authenticate(key);
    const usedAt = new Date(gateway.clock.now()).toISOString();
    away = true;
    await other.recordUses();
    away = false;
    gateway.clock.advance(60_000);
    await other.recordUses();
    const reply = await gateway.as(key)("GET", `/v1/api-keys/${keyId}`);
    expect(reply.body.last_used_at).toBe(usedAt);
  });
});
