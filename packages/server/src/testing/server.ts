import { spawn } from "node:child_process";
import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startEmbedded } from "../db/embedded/embedded.ts";
import { inspectProcess } from "../db/embedded/process.ts";

const PREFIX = "waypost-tests-";

/** `ours`: it ends with the run, and what is on it too. */
export type TestServer = { url: string; ours: boolean; stop: () => Promise<void> };

/** The server of DATABASE_URL, whose login needs CREATEDB and CREATEROLE or is a superuser; else a temporary embedded one. */
export async function startTestServer(): Promise<TestServer> {
  const given = process.env["DATABASE_URL"];
  if (given) return { url: given, ours: false, stop: async () => {} };

  await removeLeftovers();
  leash();
  const dataDir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // The server's user must be able to enter it, and is another one when this process runs as root.
  await chmod(dataDir, 0o755);
  const database = await startEmbedded({ dataDir, durable: false });
  const stop = async (): Promise<void> => {
    await database.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url: database.adminUrl, ours: true, stop };
}

/** Lets the server and its files end with this process, whichever signal ends it. */
function leash(): void {
  const script = fileURLToPath(new URL("server-leash.mjs", import.meta.url));
  // A group of its own, so that what ends all processes of the run does not end this one.
  const child = spawn(process.execPath, [script], { stdio: ["pipe", "ignore", "ignore"], detached: true });
  child.stdin.on("error", () => {}); // it may be ended before this process
  child.unref();
}

/** Stops the servers and removes the files of runs that were killed; the directory's name contains the process id. */
export async function removeLeftovers(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]);
    if (!pid || (await inspectProcess(pid)).state === "live") continue;
    const dataDir = join(tmpdir(), name);
    // It may belong to another user, or another run may be removing it: then it is left alone.
    await startEmbedded({ dataDir, durable: false })
      .then((left) => left.stop())
      .then(() => rm(dataDir, { recursive: true, force: true }))
      .catch(() => {});
  }
}
