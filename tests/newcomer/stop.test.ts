import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { testDatabase } from "../../packages/server/src/testing/database.ts";
import {
  copyDataDir,
  GATEWAY,
  gone,
  kill,
  makeDataDir,
  type NpmStart,
  npmStart,
  ROOT,
  removeDataDir,
  type Start,
  startOnce,
} from "./npm-start.ts";

// Who starts and stops a program signals npm, or whatever it started: nothing may be left behind, for it would go on beside
// what is started next.

/** What a process manager waits before it kills. */
const STOPPED_WITHIN_MS = 10_000;
/** Less than any part is given to stop by itself. */
const KILLED_WITHIN_MS = 2_500;
const SUPERVISOR = /cli\/dist\/dev\/main\.js/;
const ENCRYPTION_KEY = Buffer.alloc(32, 1).toString("base64");
const cleanups: (() => Promise<unknown>)[] = [];

/** A data directory that was started once: what is tested is the end. */
let begun: string;
beforeAll(async () => {
  execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: ROOT });
  begun = await makeDataDir();
  await startOnce(begun);
}, 120_000);
afterAll(() => removeDataDir(begun));

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe("npm start", () => {
  it.each([
    ["SIGTERM", 0],
    ["SIGINT", 0],
    ["SIGHUP", "SIGHUP"],
    ["SIGKILL", "SIGKILL"],
  ] as const)(
    "leaves nothing behind after %s to npm",
    async (signal, end) => {
      const started = await npm();
      await started.up;
      const all = await started.processes();
      expect(all.length).toBeGreaterThan(4);
      process.kill(started.pid, signal);
      expect(await gone(all, STOPPED_WITHIN_MS)).toEqual([]);
      expect(started.output()).toContain("Everything has stopped.");
      expect(await started.ended).toBe(end);
    },
    120_000,
  );

  it("stops in order when a manager signals all that it finds, and without a standard input", async () => {
    const started = await npm({ command: ["sh", "-c", "exec npm start <&-"] });
    await started.up;
    const all = await started.processes();
    for (const pid of all) kill(pid, "SIGTERM");
    expect(await started.ended).toBe(0);
    expect(await gone(all, STOPPED_WITHIN_MS)).toEqual([]);
    expect(started.output()).toContain("Everything has stopped.");
  }, 120_000);

  it("can be stopped while it starts", async () => {
    const started = await npm({ dataDir: await emptyDirectory() });
    await started.said("Starting the database");
    process.kill(started.pid, "SIGTERM");
    const all = await started.processes();
    expect(await gone(all, STOPPED_WITHIN_MS)).toEqual([]);
    expect(started.output()).not.toContain("Waypost is up");
  }, 120_000);

  it.each([
    ["its gateway", GATEWAY],
    ["what watches over its parts", SUPERVISOR],
  ])(
    "is over in time when %s hangs",
    async (_name, part) => {
      const started = await npm();
      await started.up;
      const all = await started.processes();
      process.kill(await started.part(part), "SIGSTOP");
      process.kill(started.pid, "SIGTERM");
      expect(await gone(all, STOPPED_WITHIN_MS)).toEqual([]);
    },
    120_000,
  );

  it.each([
    ["its gateway", GATEWAY],
    ["what watches over its parts", SUPERVISOR],
  ])(
    "does not wait after a second signal while %s hangs, and keeps its data",
    async (_name, part) => {
      const dataDir = await dataDirectory();
      const started = await npm({ dataDir });
      await started.up;
      const all = await started.processes();
      process.kill(await started.part(part), "SIGSTOP");
      process.kill(started.pid, "SIGINT");
      await insist(started, all);
      expect(await gone(all, KILLED_WITHIN_MS)).toEqual([]);
      expect(started.errors()).toContain("waypost: what did not stop was killed");

      const next = await npm({ dataDir });
      await next.up;
    },
    120_000,
  );

  it("stops the installation that it had begun", async () => {
    // A registry that takes requests and never answers.
    const registry = createServer(() => undefined);
    const asked = once(registry, "request");
    await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
    cleanups.push(async () => registry.close());
    const address = registry.address();
    const port = typeof address === "object" ? address?.port : 0;
    const directory = await bareClone();
    const lock = await readFile(join(ROOT, "package-lock.json"), "utf8");
    const here = lock.replaceAll(/"resolved": "https?:\/\/[^/]+\//g, `"resolved": "http://127.0.0.1:${port}/`);
    await writeFile(join(directory, "package-lock.json"), here);
    const env = { npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: join(directory, "cache") };
    const started = await npm({ directory, env });
    await asked;
    const all = await started.processes();
    expect(all.length).toBeGreaterThan(2);
    process.kill(started.pid, "SIGTERM");
    expect(await gone(all, STOPPED_WITHIN_MS)).toEqual([]);
    registry.closeAllConnections();
  }, 120_000);

  it("stops the compiler that it had begun, and all that this started", async () => {
    const directory = await bareClone();
    await mkdir(join(directory, "node_modules/@typescript/native/bin"), { recursive: true });
    await cp(join(ROOT, "node_modules/.package-lock.json"), join(directory, "node_modules/.package-lock.json"));
    // As the real one does, it leaves the work to a program of another language.
    const compiler = `console.error("compiling"); require("node:child_process").execFileSync("sleep", ["1000"]);`;
    await writeFile(join(directory, "node_modules/@typescript/native/bin/tsc"), compiler);
    await mkdir(join(directory, "packages/sdk/src"), { recursive: true });
    for (const name of ["package.json", "tsconfig.json"])
      await cp(join(ROOT, "packages/sdk", name), join(directory, "packages/sdk", name));
    await writeFile(join(directory, "packages/sdk/src/index.ts"), "");
    const started = await npm({ directory });
    await expect.poll(() => started.part(/^sleep[\0 ]1000/).catch(() => null)).not.toBeNull();
    const all = await started.processes();
    process.kill(started.pid, "SIGTERM");
    expect(await gone(all, STOPPED_WITHIN_MS)).toEqual([]);
    expect(await readdir(join(directory, "packages/sdk"))).not.toContainEqual(expect.stringMatching(/^dist/));
  }, 120_000);
});

describe("waypost serve", () => {
  it.each([
    ["npx", "SIGTERM", "SIGTERM"],
    ["npx", "SIGHUP", "SIGHUP"],
    ["npx", "SIGKILL", "SIGKILL"],
    ["node_modules/.bin/waypost", "SIGTERM", 0],
    ["node_modules/.bin/waypost", "SIGHUP", 0],
  ] as const)(
    "started by %s leaves nothing behind after %s",
    async (program, signal, end) => {
      const started = await serve(program);
      const all = await started.processes();
      process.kill(started.pid, signal);
      expect(await gone(all, STOPPED_WITHIN_MS)).toEqual([]);
      expect(await started.ended).toBe(end);
    },
    120_000,
  );

  it("does not wait after a second signal while the database hangs", async () => {
    const url = await freshDatabase();
    const started = await serve("node_modules/.bin/waypost", url);
    const all = await started.processes();
    await withClient(url, async (other) => {
      await other.query("begin");
      await other.query("lock table worker in access exclusive mode");
      process.kill(started.pid, "SIGTERM");
      await insist(started, all);
      expect(await gone(all, KILLED_WITHIN_MS)).toEqual([]);
    });
    expect(await started.ended).toBe(1);
  }, 120_000);

  it("stops in order when one request comes twice", async () => {
    const started = await serve("node_modules/.bin/waypost");
    process.kill(started.pid, "SIGINT");
    process.kill(started.pid, "SIGTERM");
    process.kill(started.pid, "SIGHUP");
    expect(await started.ended).toBe(0);
  }, 120_000);
});

/** Until the next one counts as a second one, which all that is left then dies of. */
async function insist(started: NpmStart, left: readonly number[]): Promise<void> {
  const asked = performance.now();
  while ((await gone(left, 100)).length > 0 && performance.now() - asked < KILLED_WITHIN_MS)
    kill(started.pid, "SIGINT");
}

async function npm(input: Partial<Start> = {}): Promise<NpmStart> {
  return keep(npmStart({ dataDir: await dataDirectory(), command: ["npm", "start"], ...input }));
}

async function serve(program: "npx" | "node_modules/.bin/waypost", databaseUrl?: string): Promise<NpmStart> {
  const url = databaseUrl ?? (await freshDatabase());
  const env = { DATABASE_URL: url, WAYPOST_ENCRYPTION_KEY: ENCRYPTION_KEY };
  const command = program === "npx" ? (["npx", "waypost", "serve"] as const) : ([program, "serve"] as const);
  const started = keep(npmStart({ dataDir: await emptyDirectory(), env, command }));
  await started.said("waypost is up");
  return started;
}

async function freshDatabase(): Promise<string> {
  const database = await testDatabase();
  cleanups.push(() => database.drop());
  return database.url;
}

/** What a start needs before anything is installed or built. */
async function bareClone(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "waypost-clone-"));
  cleanups.push(() => rm(directory, { recursive: true, force: true }));
  for (const name of ["package.json", "package-lock.json", "tsconfig.base.json", "scripts", "packages/cli/bin"])
    await cp(join(ROOT, name), join(directory, name), { recursive: true });
  return directory;
}

function keep(started: NpmStart): NpmStart {
  cleanups.push(started.end);
  return started;
}

async function dataDirectory(): Promise<string> {
  const dataDir = await emptyDirectory();
  await copyDataDir(begun, dataDir);
  return dataDir;
}

async function emptyDirectory(): Promise<string> {
  const dataDir = await makeDataDir();
  cleanups.push(() => removeDataDir(dataDir));
  return dataDir;
}
