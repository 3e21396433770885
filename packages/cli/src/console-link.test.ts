import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { type Gateway, startGateway, type Workspace } from "../../server/src/testing/gateway.ts";
import { run } from "./main.ts";

// `waypost console`, against the gateway of `npm start` and against one of production.
let dev: Gateway;
let production: Gateway;
const out: string[] = [];
const err: string[] = [];

beforeAll(async () => {
  [dev, production] = [await startGateway({}, { isDevelopment: true }), await startGateway()];
});
afterAll(async () => {
  await dev.stop();
  await production.stop();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  out.length = 0;
  err.length = 0;
});

async function link(gateway: Gateway, key: string): Promise<number> {
  vi.stubEnv("WAYPOST_BASE_URL", gateway.url);
  vi.stubEnv("WAYPOST_API_KEY", key);
  vi.spyOn(console, "log").mockImplementation((text) => void out.push(String(text)));
  vi.spyOn(console, "error").mockImplementation((text) => void err.push(String(text)));
  return await run(["node", "waypost", "console"]);
}

const signIn = (code: string) => dev.as(null)("POST", "/console/session", { body: { code } });

test("prints a link whose code signs in once, in the key's workspace", async () => {
  const mine: Workspace = await dev.workspace();
  expect(await link(dev, mine.key)).toBe(0);
  const [, code = ""] = /^http:\/\/127\.0\.0\.1:\d+\/#enter=([\w-]+)$/.exec(out.join()) ?? [];
  expect((await signIn(code)).body).toMatchObject({ kind: "workspace", workspace: { id: mine.id } });
  expect((await signIn(code)).status).toBe(401);
});

test("elsewhere it says where to sign in", async () => {
  const mine = await production.workspace();
  expect(await link(production, mine.key)).toBe(1);
  expect(err.join()).toContain(`sign in at ${production.url}/ with a key`);
  expect(out).toEqual([]);
});

test("a key that is none is refused", async () => {
  expect(await link(dev, "wp_live_wrong")).toBe(1);
  expect(err.join()).toMatch(/^waypost: /);
  expect(err.join()).not.toContain("wp_live_wrong");
});
