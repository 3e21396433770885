import { execFileSync } from "node:child_process";
import { rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  commandUnder,
  type DevFile,
  GATEWAY,
  gone,
  kill,
  makeDataDir,
  type NpmStart,
  npmStart,
  ROOT,
  readDevFile,
  removeDataDir,
  runCurl,
  type Start,
} from "./npm-start.ts";

const NOBODY = 65534;
const asRoot = process.getuid?.() === 0;
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(() => {
  // What is being tested must be built by us: an ordinary user could not write it.
  execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: ROOT });
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe("npm start", () => {
  it("says with --help what it starts and reads, and starts nothing", () => {
    const help = execFileSync("npm", ["start", "--silent", "--", "--help"], { cwd: ROOT, encoding: "utf8" });
    expect(help).toMatch(/^Usage: npm start\n/);
    for (const name of ["PORT", "SIMULATOR_PORT", "WAYPOST_DATA_DIR", "DATABASE_URL"])
      expect(help).toContain(`  ${name} `);
  });

  it("brings a newcomer from nothing to a message that was read, and keeps it over stops and crashes", async () => {
    const dataDir = await dataDirectory();
    const first = await start({ dataDir });
    await first.said("Starting the gateway on");
    const gatewayUrl = /Starting the gateway on (\S+)/.exec(first.output())?.[1];
    const isReady = () =>
      fetch(`${gatewayUrl}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(isReady, { timeout: 60_000 }).toBe(true);
    // Who waited for that can use it.
    expect(Object.keys(await readDevFile(dataDir))).toEqual(DEV_FIELDS);
    const welcome = await first.up;
    const dev = await readDevFile(dataDir);
    expectWelcome(welcome, dev);
    expect(Object.keys(dev)).toEqual(DEV_FIELDS);
    expect((await stat(join(dataDir, "dev.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(join(dataDir, "secrets.json"))).mode & 0o777).toBe(0o600);
    const sent = await runCurl(commandUnder("Send a message:", welcome));
    expect(sent).toMatchObject({ type: "template", to: "+15551230001" });
    await expect.poll(() => statusOf(dev, sent)).toBe("read");
    const listed = await runCurl(commandUnder("Look at it;", welcome));
    expect(listed).toMatchObject({ data: [{ id: sent["id"], status: "read" }] });
    const headers = { authorization: `Bearer ${dev.api_key}` };
    const number = await (await fetch(`${dev.base_url}/v1/phone-numbers/${dev.phone_number_id}`, { headers })).json();
    expect(number).toMatchObject({
      messaging_limit: { limit: 250, used: expect.any(Number), remaining: expect.any(Number) },
    });

    // Ctrl-C: the terminal signals the whole group, npm once more.
    const all = await first.processes();
    expect(all.length).toBeGreaterThan(4);
    process.kill(-first.pid, "SIGINT");
    process.kill(first.pid, "SIGINT");
    expect(await first.ended).toBe(0);
    expect(await gone(all)).toEqual([]);
    expect(first.output()).toContain("Everything has stopped.");
    expect(first.errors()).toBe("");

    // Everything dies at once, and what was sent is still there.
    const second = await start({ dataDir });
    await second.up;
    const again = await readDevFile(dataDir);
    expect(again).toEqual({ ...dev, ...portsOf(again) });
    expect(await statusOf(again, sent)).toBe("read");
    const later = await runCurl(commandUnder("Send a message:", second.output()));
    const victims = await second.processes();
    for (const pid of victims) kill(pid);
    expect(await gone(victims)).toEqual([]);

    // As if the first start had been killed before it wrote the file: the workspace is found again, with another key.
    await rm(join(dataDir, "dev.json"));
    const third = await start({ dataDir });
    await third.up;
    const survivor = await readDevFile(dataDir);
    expect(survivor).toEqual({ ...dev, ...portsOf(survivor), api_key: expect.not.stringContaining(dev.api_key) });
    expect(await statusOf(survivor, sent)).toBe("read");
    expect(await statusOf(survivor, later)).toEqual(expect.any(String));

    // Who started it dies alone: nothing could stop the rest, so it stops by itself.
    const orphans = await third.processes();
    kill(third.pid);
    expect(await gone(orphans)).toEqual([]);
  }, 120_000);

  it("ends with one line, and stops the rest, when a part dies", async () => {
    const dataDir = await dataDirectory();
    const started = await start({ dataDir });
    await started.up;
    const all = await started.processes();
    kill(await started.part(GATEWAY));
    expect(await started.ended).toBe(1);
    expect(started.errors()).toBe("waypost: the gateway ended unexpectedly (SIGKILL)\n");
    expect(await gone(all)).toEqual([]);
  });

  it("can be interrupted while it starts", async () => {
    const dataDir = await dataDirectory();
    const started = await start({ dataDir });
    await started.said("Starting the gateway");
    const all = await started.processes();
    process.kill(-started.pid, "SIGINT");
    expect(await started.ended).toBe(130);
    expect(await gone(all)).toEqual([]);
    expect(started.errors()).toBe("");
  });

  it.runIf(asRoot)(
    "serves an ordinary user as well",
    async () => {
      const dataDir = await dataDirectory(NOBODY);
      const started = await start({ dataDir, uid: NOBODY });
      const welcome = await started.up;
      const dev = await readDevFile(dataDir);
      const sent = await runCurl(commandUnder("Send a message:", welcome));
      await expect.poll(() => statusOf(dev, sent)).toBe("read");
      expect(await stat(join(dataDir, "dev.json"))).toMatchObject({ uid: NOBODY });
      const all = await started.processes();
      kill(started.pid, "SIGTERM");
      expect(await started.ended).toBe(0);
      expect(await gone(all)).toEqual([]);
    },
    60_000,
  );
});

describe("a start that cannot be", () => {
  it.each(["PORT", "SIMULATOR_PORT"])("names %s when its port is taken", async (name) => {
    const { port, server } = await occupy();
    cleanups.push(async () => server.close());
    expect(await failure({ [name]: String(port) })).toBe(
      `waypost: port ${port} is taken, perhaps by an earlier start: stop that program, or set ${name} to another port (0 takes a free one)\n`,
    );
  });

  it.each([
    [{ PORT: "eighty" }, /^PORT needs a whole number from 0 to 65535/],
    [
      { PORT: "7080", SIMULATOR_PORT: "7080" },
      /^PORT and SIMULATOR_PORT are both 7080: give one of them another number$/,
    ],
    [{ HOST: "203.0.113.1" }, /^HOST needs an address of this machine, and 203.0.113.1 is none$/],
    [{ DATABASE_URL: "postgres://none:x@127.0.0.1:1/none" }, /^the database cannot be used \(DATABASE_URL\)/],
  ])("names what is wrong with %o, in one line", async (env, reason) => {
    const [line = "", ...rest] = (await failure(env)).split("\n");
    expect(rest).toEqual([""]);
    expect(line).toMatch(/^waypost: /);
    expect(line.slice("waypost: ".length)).toMatch(reason);
  });

  it("names each variable that is wrong, a line for each", async () => {
    const said = await failure({ SIMULATOR_PORT: "-1", LOG_LEVEL: "loud", WAYPOST_ENCRYPTION_KEY: "short" });
    const named = said.split("\n").map((line) => /^waypost: ([A-Z_]+) needs /.exec(line)?.[1]);
    expect(named).toEqual(["SIMULATOR_PORT", "WAYPOST_ENCRYPTION_KEY", "LOG_LEVEL", undefined]);
    expect(said).not.toContain("short");
  });

  it("names a data directory that it cannot write", async () => {
    const readOnly = await makeDataDir();
    cleanups.push(() => removeDataDir(readOnly));
    const user = asRoot ? { uid: NOBODY } : {};
    if (!asRoot) execFileSync("chmod", ["555", readOnly]);
    const dataDir = join(readOnly, "inside");
    expect(await failure({}, { dataDir, ...user })).toBe(
      `waypost: The data directory ${dataDir} cannot be used: permission denied. Make it writable, or name another in WAYPOST_DATA_DIR.\n`,
    );
    const file = join(await dataDirectory(), "file");
    await writeFile(file, "");
    expect(await failure({}, { dataDir: file })).toContain(`The data directory ${file} cannot be used`);
  });

  it.runIf(process.platform === "linux")("names a data directory that cannot be created, at once", async () => {
    for (const dataDir of ["/proc/nope", "/proc/self/nope/deeper"])
      expect(await failure({}, { dataDir })).toMatch(
        /^waypost: The data directory \/proc\S+ cannot be used.*: no directory can be created there\. Make it writable, or name another in WAYPOST_DATA_DIR\.\n$/,
      );
  });

  it("does not start again beside a database whose keys are gone", async () => {
    const dataDir = await dataDirectory();
    await writeFile(join(dataDir, "postgres.location"), "/nowhere\n");
    expect(await failure({}, { dataDir })).toMatch(/^waypost: \S+secrets\.json is gone, and the database in .*\n$/);
  });

  /** What it said on standard error; it must have ended with 1 and left nothing running. */
  async function failure(env: Record<string, string>, input: Partial<Start> = {}): Promise<string> {
    const started = npmStart({ dataDir: input.dataDir ?? (await dataDirectory()), env, ...input });
    cleanups.push(started.end);
    const all = await started.processes();
    expect(await started.ended).toBe(1);
    expect(await gone(all)).toEqual([]);
    return started.errors();
  }
});

const DEV_FIELDS = [
  "base_url",
  "operator_key",
  "workspace_id",
  "api_key",
  "phone_number_id",
  "phone_number",
  "simulator_url",
  "console_url",
  "control_url",
];

function expectWelcome(welcome: string, dev: DevFile): void {
  const shown = [dev.base_url, dev.console_url, dev.simulator_url, dev.api_key, `${dev.base_url}/docs`, "dev.json"];
  for (const text of shown) expect(welcome).toContain(text);
  expect(welcome).toMatch(/ Console +http:\/\/127\.0\.0\.1:\d+\/#enter=[\w-]{32} /);
  expect(dev).toMatchObject({
    base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    console_url: `${dev.base_url}/`,
    workspace_id: expect.stringMatching(/^ws_/),
    api_key: expect.stringMatching(/^wp_live_/),
    phone_number_id: expect.stringMatching(/^num_/),
    phone_number: expect.stringMatching(/^\+\d+$/),
  });
  expect(welcome).not.toContain(dev.operator_key);
}

/** Other ports each time; everything else is kept. */
const portsOf = ({ base_url, simulator_url, console_url, control_url }: DevFile): Partial<DevFile> => ({
  base_url,
  simulator_url,
  console_url,
  control_url,
});

async function statusOf(dev: DevFile, message: Record<string, unknown>): Promise<unknown> {
  const response = await fetch(`${dev.base_url}/v1/messages/${String(message["id"])}`, {
    headers: { authorization: `Bearer ${dev.api_key}` },
  });
  const body = (await response.json()) as Record<string, unknown>;
  return body["status"];
}

async function start(input: Start): Promise<NpmStart> {
  const started = npmStart(input);
  cleanups.push(started.end);
  return started;
}

async function dataDirectory(uid?: number): Promise<string> {
  const dataDir = await makeDataDir(uid);
  cleanups.push(() => removeDataDir(dataDir));
  return dataDir;
}

/** A program that takes connections and never answers. */
async function occupy(): Promise<{ port: number; server: Server }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("not listening");
  return { port: address.port, server };
}
