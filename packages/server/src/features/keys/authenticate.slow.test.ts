import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { App } from "../../ctx.ts";
import { DatabaseUnavailable } from "../../db/database.ts";
import { alteredDatabase } from "../../testing/altered-database.ts";
import { manualClock } from "../../testing/clock.ts";
import { type Gateway, startGateway } from "../../testing/gateway.ts";
import { Authenticator } from "./authenticate.ts";
import { newKeyText } from "./key-format.ts";

describe("authentication", () => {
  let gateway: Gateway;
  /** The authenticator of another process on the same database; its calls are counted and can be made to fail. */
  let other: Authenticator;
  let calls: number;
  let digests: number;
  let away: boolean;

  beforeEach(async () => {
    gateway = await startGateway({}, { clock: manualClock() });
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
    other = new Authenticator({ ...gateway.app, db: alteredDatabase(db, { call, callTexts }) });
  });
  afterEach(async () => {
    away = false;
    await other.stop();
    await gateway.stop();
  });

  it("reads a key once for many requests at once, and not again while the entry is trusted", async () => {
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

  it("looks up keys of many workspaces in one call and never mixes them up", async () => {
    const workspaces = await Promise.all(Array.from({ length: 6 }, () => gateway.workspace()));
    const keys = workspaces.flatMap(({ key }) => [key, newKeyText().text]);
    const known = await Promise.all(keys.map((key) => other.authenticate(key)));
    const direct = await Promise.all(keys.map((key) => gateway.features.services.authenticator.authenticate(key)));
    expect(known).toEqual(direct);
    expect(known.filter((one) => one === null)).toHaveLength(6);
    expect(new Set(known.map((one) => one?.workspaceId)).size).toBe(7);
    expect(calls).toBe(1);
  });

  it("refuses a revoked key within 5 s in a process that did not revoke it", async () => {
    const { key, keyId, call } = await gateway.workspace();
    expect(await other.authenticate(key)).not.toBeNull();
    gateway.clock.advance(10);
    expect((await call("DELETE", `/v1/api-keys/${keyId}`)).status).toBe(204);
    gateway.clock.advance(3_990);
    expect(await other.authenticate(key)).toBeNull();
  });

  it("reads a key in use again before its entry expires, so that no request waits", async () => {
    const { key, keyId, call } = await gateway.workspace();
    await other.authenticate(key);
    await call("DELETE", `/v1/api-keys/${keyId}`);
    gateway.clock.advance(2_500);
    // Answered from memory; the background read that it starts finds the revocation, sooner than required.
    const remembered = await other.authenticate(key);
    expect(remembered).not.toBeNull();
    await expect.poll(() => other.authenticate(key)).toBeNull();
    expect(calls).toBe(2);
  });

  it("trusts an entry to its end while the database is away, then rejects, then recovers", async () => {
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

  it("detects a typo without the database, and an unknown key by one look-up", async () => {
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

  it("keeps live keys in memory through a flood of unknown ones", async () => {
    const { key } = await gateway.workspace();
    await other.authenticate(key);
    const flood = Array.from({ length: 6_000 }, () => newKeyText().text);
    const answers = await Promise.allSettled(flood.map((text) => other.authenticate(text)));
    // Beyond the bound it rejects (503) rather than wait.
    const odd = answers.filter((answer) =>
      answer.status === "fulfilled" ? answer.value !== null : !(answer.reason instanceof DatabaseUnavailable),
    );
    expect(odd).toEqual([]);
    const before = calls;
    expect(await other.authenticate(key)).not.toBeNull();
    expect(calls).toBe(before);
  });

  it("refuses the keys of a suspended workspace, remembered or not", async () => {
    const { key, id } = await gateway.workspace();
    await gateway.operator("PATCH", `/admin/v1/workspaces/${id}`, { body: { status: "suspended" } });
    for (let i = 0; i < 2; i++) expect(await other.authenticate(key)).toMatchObject({ refusal: { code: "forbidden" } });
    expect(calls).toBe(1);
  });

  it("writes the last use when it changed, never back in time", async () => {
    const { key, keyId, call } = await gateway.workspace(["keys:write"]);
    const lastUse = async () => (await call("GET", `/v1/api-keys/${keyId}`)).body.last_used_at;
    expect(await lastUse()).toBeNull();
    const usedAt = gateway.clock.now();
    await gateway.features.services.authenticator.recordUses();
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

  it("keeps a last use that could not be written for the next call", async () => {
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
