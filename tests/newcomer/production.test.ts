import { execFile, execFileSync } from "node:child_process";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "../../packages/server/src/testing/database.ts";
import { makeDataDir, type NpmStart, npmStart, ROOT, removeDataDir } from "./npm-start.ts";

// What `waypost serve` says of settings that are missing: in its log what it can do without, in its last line what it cannot.

const WAYPOST = "node_modules/.bin/waypost";
const ENCRYPTION_KEY = Buffer.alloc(32, 1).toString("base64");
const CALLBACKS = { PROVIDER_APP_SECRET: "app-secret", PROVIDER_VERIFY_TOKEN: "verify-token" };
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(() => {
  execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: ROOT });
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe("waypost serve", () => {
  it("logs which settings callbacks lack, with the text of the doctor", async () => {
    const env = await required();
    const missing = warnings(await up(env));
    expect(missing.map(({ setting }) => setting)).toEqual(Object.keys(CALLBACKS));
    const doctor = await run(["doctor"], env);
    for (const { msg } of missing) expect(doctor.output).toContain(`warning settings   ${msg}\n`);
    expect(missing[0]?.msg).toMatch(
      /^PROVIDER_APP_SECRET is missing: without it every callback of the provider is refused/,
    );
  });

  it.each([
    ["nothing is missing", [], CALLBACKS],
    ["others take the callbacks", ["--roles", "api,dispatch"], {}],
  ])(
    "is silent when %s",
    async (_name, options, more) => {
      expect(warnings(await up({ ...(await required()), ...more }, options))).toEqual([]);
    },
    60_000,
  );

  it.each(["DATABASE_URL", "WAYPOST_ENCRYPTION_KEY"])(
    "without %s ends with one line that says what it needs",
    async (name) => {
      const env: Record<string, string> = {
        DATABASE_URL: "postgresql://a@127.0.0.1:1/x",
        WAYPOST_ENCRYPTION_KEY: ENCRYPTION_KEY,
      };
      const { code, complaint } = await run(["serve"], { ...env, [name]: "" });
      expect(code).toBe(1);
      expect(complaint).toMatch(new RegExp(`^waypost: ${name} is missing: it needs [^\\n]+\\n$`));
    },
  );
});

async function required(): Promise<Record<string, string>> {
  const database = await testDatabase();
  cleanups.push(() => database.drop());
  return { DATABASE_URL: database.url, WAYPOST_ENCRYPTION_KEY: ENCRYPTION_KEY };
}

async function up(env: Record<string, string>, options: readonly string[] = []): Promise<NpmStart> {
  const dataDir = await makeDataDir();
  cleanups.push(() => removeDataDir(dataDir));
  const started = npmStart({ dataDir, env, command: [WAYPOST, "serve", ...options] });
  cleanups.push(started.end);
  await started.said("waypost is up");
  return started;
}

type Line = { level: number; msg: string; setting?: string };
const WARN = 40;

/** Of all that it said once it was up; what it writes next is of other things. */
function warnings(started: NpmStart): Line[] {
  const lines = started.output().trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Line).filter(({ level }) => level >= WARN);
}

async function run(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; output: string; complaint: string }> {
  const options = { cwd: ROOT, env: { PATH: process.env["PATH"], ...env } };
  return await new Promise((resolve) => {
    execFile(WAYPOST, args, options, (error, output, complaint) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, output, complaint }),
    );
  });
}
