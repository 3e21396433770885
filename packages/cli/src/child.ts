import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export type Child = {
  stop(): Promise<void> /** Told when it ends without being asked to. */;
  onExit(listener: (words: string) => void): void;
};

const READY_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 100;
const STOP_WITHIN_MS = 10_000;
/** The last words of a child that failed: the reason is in its last lines. */
const MOST_WORDS = 2_000;

/** Starts a script and waits until `readyUrl` answers 200; rejects with the child's own words when it ends before. */
export async function spawnChild(
  script: URL,
  args: readonly string[],
  env: Record<string, string | undefined>,
  readyUrl: string,
): Promise<Child> {
  // Somebody who answers here already would be taken for our own.
  if (await answers(readyUrl)) throw new Error(`the port of ${new URL(readyUrl).origin} is taken by another program`);
  const child = spawn(process.execPath, ["--enable-source-maps", fileURLToPath(script), ...args], {
    env,
    stdio: ["ignore", "inherit", "pipe"],
  });
  let words = "";
  child.stderr?.on("data", (bytes: Buffer) => {
    words = (words + bytes.toString()).slice(-MOST_WORDS);
  });
  let ended = false;
  let stopping = false;
  const listeners: ((words: string) => void)[] = [];
  child.once("exit", (code, signal) => {
    ended = true;
    if (!stopping) for (const listener of listeners) listener(words.trim() || `exit ${code ?? signal}`);
  });
  const stop = async (): Promise<void> => {
    stopping = true;
    if (!ended) await end(child);
  };

  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await answers(readyUrl))) {
    if (ended) throw new Error(words.trim().replace(/^waypost: /, "") || "a part ended before it was ready");
    if (performance.now() > deadline) {
      await stop();
      throw new Error(`${readyUrl} did not answer within ${READY_WITHIN_MS / 1_000} s`);
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  if (ended) throw new Error(words.trim() || "another program answers at this port");
  return { stop, onExit: (listener) => void listeners.push(listener) };
}

async function answers(url: string): Promise<boolean> {
  return await fetch(url).then(
    (response) => response.ok,
    () => false,
  );
}

async function end(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
  await gone;
  clearTimeout(late);
}
