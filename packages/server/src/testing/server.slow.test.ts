import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const START = `
  const { startTestServer } = await import(${JSON.stringify(new URL("server.ts", import.meta.url).href)});
  await startTestServer();
  console.log("started");
  setInterval(() => {}, 60_000);
`;

it.each(["SIGINT", "SIGKILL"] as const)(
  "the server of a run that %s ends stops too, and leaves no files",
  async (signal) => {
    const folder = await mkdtemp(join(tmpdir(), "waypost-leash-"));
    await chmod(folder, 0o755); // for the server's user
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const { DATABASE_URL: _, ...env } = process.env;
    const run = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "--eval", START], {
      cwd: fileURLToPath(new URL(".", import.meta.url)), // where the loader is found
      env: { ...env, TMPDIR: folder },
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void run.kill("SIGKILL"));
    await once(run.stdout, "data");
    const servers = async (): Promise<string[]> =>
      (await readdir(folder)).filter((name) => name.startsWith("waypost-tests-"));
    expect(await servers()).toHaveLength(1);
    run.kill(signal);
    await expect.poll(servers).toEqual([]);
  },
);
