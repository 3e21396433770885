import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export type EmbeddedChild = {
  /** The database of the child; rejects with what the child wrote to stderr. */
  ready: Promise<{ url: string; pid: number; origin: string }>;
  /** SIGTERM: the database stops first. Does nothing when the process has ended. */
  stop: () => Promise<void>;
  /** SIGKILL: the database keeps running. */
  kill: () => Promise<void>;
};

/** Runs `embedded-child.ts`, as user `uid` when one is given. */
export async function runEmbeddedChild(dataDir: string, uid?: number): Promise<EmbeddedChild> {
  const script = fileURLToPath(new URL("embedded-child.ts", import.meta.url));
  const user = uid === undefined ? {} : { uid, gid: uid };
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), script, dataDir], {
    ...user,
    cwd: "/",
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ready = readFirstLine(child).then((line) => JSON.parse(line) as { url: string; pid: number; origin: string });
  // A test that only stops the child does not await this.
  ready.catch(() => {});
  return { ready, stop: () => end(child, "SIGTERM"), kill: () => end(child, "SIGKILL") };
}

async function readFirstLine(child: ChildProcess): Promise<string> {
  return await new Promise((resolve, reject) => {
    let output = "";
    let complaint = "";
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      if (output.includes("\n")) resolve(output);
    });
    child.stderr?.on("data", (chunk) => {
      complaint += chunk;
    });
    child.once("error", reject);
    child.once("close", () => reject(new Error(complaint)));
  });
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "close");
  child.kill(signal);
  await ended;
}
