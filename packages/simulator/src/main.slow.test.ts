import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const SECRETS = { PROVIDER_APP_SECRET: "demo-app-secret", PROVIDER_VERIFY_TOKEN: "demo-verify-token" };
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function start(env: Record<string, string>, args: string[] = []) {
  const path = process.env["PATH"] ?? "";
  // The loader is found from here, wherever the tests are started.
  const options = { cwd: dirname(MAIN), env: { PATH: path, ...env } };
  const child = spawn(process.execPath, ["--import", "tsx", MAIN, ...args], options);
  children.push(child);
  const output = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output.err += chunk.toString()));
  return { child, output };
}

test.each(["SIGINT", "SIGTERM"] as const)("listens, says so in one line, and %s ends it with 0", async (signal) => {
  const { child, output } = start({ ...SECRETS, SIMULATOR_PORT: "0" });
  await once(child.stdout, "data");
  expect(output.out).toMatch(/^simulator listening on http:\/\/127\.0\.0\.1:\d+ \(virtual phone: .*\/sim\)\n$/);
  const url = output.out.split(" ")[3]!;
  expect((await fetch(`${url}/sim`)).status).toBe(200);
  child.kill(signal);
  expect(await once(child, "close")).toEqual([0, null]);
  expect(output.err).toBe("");
});

test("a taken port, a missing secret and a bad value are one line and exit code 1", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const address = taken.address();
  const port = typeof address === "object" ? String(address?.port) : "";
  for (const [env, args, expected] of [
    [{ ...SECRETS, SIMULATOR_PORT: port }, [], "port is taken"],
    [{ SIMULATOR_PORT: "0" }, [], "PROVIDER_APP_SECRET is missing: it needs the secret that signs callbacks"],
    [{ ...SECRETS, SIMULATOR_PORT: "http" }, [], "SIMULATOR_PORT must be"],
    [{ ...SECRETS, CALLBACK_URL: "nowhere" }, [], "CALLBACK_URL must be"],
    [{ ...SECRETS, CALLBACK_URL: "ftp://nowhere" }, [], "CALLBACK_URL must be"],
    [SECRETS, ["--verbose"], "usage"],
  ] as const) {
    const { child, output } = start(env, [...args]);
    expect(await once(child, "close")).toEqual([1, null]);
    expect(output.out).toBe("");
    expect(output.err).toMatch(new RegExp(`^simulator: .*${expected}`));
    expect(output.err.trimEnd().split("\n")).toHaveLength(1);
  }
  taken.close();
});
