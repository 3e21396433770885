import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../../server/src/testing/gateway.ts";
import { jsonOf, linesOf, waypost } from "../testing/waypost.ts";
import { KINDS } from "./kinds.ts";

// Every kind, from the command to the event in the workspace's feed.
let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  gateway = await startGateway();
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());
beforeEach(() => {
  vi.stubEnv("WAYPOST_BASE_URL", gateway.url);
  vi.stubEnv("WAYPOST_API_KEY", mine.key);
  vi.stubEnv("WAYPOST_SIMULATOR_URL", gateway.simulator.url);
  vi.stubEnv("WAYPOST_DATA_DIR", "/nowhere");
});
afterEach(() => vi.unstubAllEnvs());

const PATIENCE = { timeout: 30_000, interval: 25 };
const eventsOf = async (of: Sender, kind: string): Promise<unknown[]> =>
  (await of.call("GET", `/v1/events?kind=${kind}&limit=100`)).body.data;
/** The account is gone after this one. */
const LAST = "signup_revoked";
/** These find a state that their first time has left; seconds later, as the provider's times are whole seconds. */
const AGAIN = /^thread_|^template_|^opted_|_changed$|^(approved|rejected|paused|disabled|in_appeal|flagged)$/;
const names = KINDS.map(({ name }) => name).filter((name) => name !== LAST);
const inOrder = [...names, ...names.filter((name) => AGAIN.test(name)).map((name) => `${name} again`), LAST];

test.each(inOrder)("%s", async (title) => {
  const [name = ""] = title.split(" ");
  const before = (await eventsOf(mine, name)).length;
  const triggered = await waypost("trigger", name, "--json");
  expect(triggered).toMatchObject({ code: 0, err: expect.stringContaining(`--kind ${name}`) });
  expect(jsonOf(triggered)).toMatchObject({ kind: name });
  await expect.poll(async () => (await eventsOf(mine, name)).length, PATIENCE).toBeGreaterThan(before);
  expect(await eventsOf(theirs, name)).toEqual([]);
});

test("the list has all kinds, with a sentence", async () => {
  const rows = linesOf(await waypost("trigger", "--list", "--json"));
  expect(rows.map(({ kind }) => kind)).toEqual(KINDS.map(({ name }) => name));
  expect((await waypost("trigger", "--list")).out).toMatch(/^KIND +DOES\nmessages +a person writes/);
});

test("what is wrong is one line: the kind, the simulator, and what that refuses", async () => {
  for (const [args, code, line] of [
    [["trigger"], 2, /^waypost: the kind is missing: waypost trigger --list prints all\n$/],
    [["trigger", "nonsense"], 2, /^waypost: nonsense is no kind [^\n]+\n$/],
    [
      ["trigger", "messages", "--simulator-url", "http://127.0.0.1:1"],
      1,
      /could not be reached \(http:\/\/127\.0\.0\.1:1 from --simulator-url\)\n$/,
    ],
    [
      ["trigger", "messages", "--sample", "nonsense"],
      1,
      /^waypost: the simulator refuses it: [^\n]+from WAYPOST_SIMULATOR_URL\)\n$/,
    ],
    [["trigger", "approved", "--template", "no_such"], 2, /^waypost: the account has no template no_such\n$/],
  ] as const)
    expect(await waypost(...args)).toMatchObject({ code, out: "", err: expect.stringMatching(line) });
  vi.stubEnv("WAYPOST_SIMULATOR_URL", undefined);
  expect((await waypost("trigger", "messages")).err).toMatch(/^waypost: where is the simulator\? [^\n]+\n$/);
});
