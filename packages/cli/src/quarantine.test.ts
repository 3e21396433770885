import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { postCallback } from "../../server/src/testing/callback.ts";
import { type Gateway, OPERATOR_KEY, startGateway } from "../../server/src/testing/gateway.ts";
import { jsonOf, linesOf, waypost as run } from "./testing/waypost.ts";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());
beforeEach(() => {
  vi.stubEnv("WAYPOST_OPERATOR_KEY", OPERATOR_KEY);
  vi.stubEnv("WAYPOST_BASE_URL", gateway.url);
});
afterEach(() => vi.unstubAllEnvs());

async function waypost(...args: string[]) {
  const ran = await run("quarantine", ...args, "--json");
  return {
    code: ran.code,
    err: ran.err,
    body: args[0] === "list" ? linesOf(ran) : ran.out === "" ? null : jsonOf(ran),
  };
}

const PATIENCE = { timeout: 30_000, interval: 20 };
const waiting = async (...args: string[]) => (await waypost("list", ...args)).body;
const times = () =>
  gateway.app.db.sql
    .query<{ n: number }>("select count(*)::int as n from quarantine where replayed_at is not null")
    .then(([row]) => row?.n);

describe("quarantine", () => {
  test("lists what waits, by reason and no more than asked for; replays one, and all of a reason", async () => {
    for (const body of ["no JSON", "neither", "nor this", "{"]) await postCallback(gateway, body);
    await expect.poll(async () => (await waiting()).length, PATIENCE).toBe(4);
    expect(await waiting("--reason", "failed")).toEqual([]);
    const [first] = await waiting("--reason", "not_json", "--limit", "1");
    expect(first).toMatchObject({ id: expect.stringMatching(/^qrn_/), reason: "not_json", replayed_at: null });

    const one = await waypost("replay", first.id);
    expect(one).toMatchObject({ code: 0, err: "", body: { id: first.id, replayed_at: expect.any(String) } });
    // It is still no JSON, so it is quarantined again.
    await expect.poll(async () => (await waiting()).length, PATIENCE).toBe(4);
    expect(await times()).toBe(1);

    expect(await waypost("replay", "--reason", "not_json")).toMatchObject({ code: 0, body: { replayed: 4 } });
    await expect.poll(async () => (await waiting()).length, PATIENCE).toBe(4);
    expect(await times()).toBe(5);
    expect(await waypost("replay", "--reason", "unowned")).toMatchObject({ code: 0, body: { replayed: 0 } });
  });

  test.each([
    ["neither id nor reason", ["replay"]],
    ["both", ["replay", "qrn_1", "--reason", "failed"]],
    ["no number", ["list", "--limit", "some"]],
  ])("%s: one line, exit code 2", async (_name, args) => {
    const { code, err } = await waypost(...args);
    expect(code).toBe(2);
    expect(err).toMatch(/^waypost: [^\n]+\n$/);
  });

  test("an unknown id: one line, exit code 1", async () => {
    const { code, err } = await waypost("replay", "qrn_01jd0000000000000000000000");
    expect(code).toBe(1);
    expect(err).toMatch(/^waypost: not_found: [^\n]+\n$/);
  });
});
