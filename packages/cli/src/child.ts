import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** A running part. `stop` asks it to end, waits, and insists; `onExit` tells how it ended without being asked to. */
export type Child = { stop(): Promise<void>; onExit(listener: (reason: string) => void): void };

export type ChildOptions = {
  script: URL;
  args: readonly string[];
  env: Record<string, string | undefined>;
  /** Its standard output; what it writes to standard error is kept until it is ready and passed on afterwards. */
  output: "inherit" | "ignore";
  /** Answers 200 when the part can be used. */
  readyUrl: string;
  stopAsked: AbortSignal;
};

/** A first start migrates the database; on a slow disk that is the longest part. */
const READY_WITHIN_MS = 120_000;
const ASK_EVERY_MS = 50;
const ANSWER_WITHIN_MS = 5_000;
/** What is in the air gets its moment; then the part is killed, which loses nothing either. The database needs the rest of what `npm start` allows. */
const STOP_WITHIN_MS = 3_000;
/** The last words of a part that failed: the reason is in its last lines. */
const MOST_WORDS = 2_000;

/**
 * Ends the part when the process that started it is gone, by kill -9 too: nobody could stop it any more. Its standard input is
 * a pipe of ours that nobody writes to, and the kernel closes it with us.
 */
const LEASH = `data:text/javascript,process.stdin.once("close",()=>process.kill(process.pid,"SIGTERM")).resume().unref()`;

/** Starts a script and waits until it is ready; rejects with its own words when it ends before that. */
export async function spawnChild(options: ChildOptions): Promise<Child> {
  const { script, args, env, output, readyUrl, stopAsked } = options;
  const command = ["--enable-source-maps", "--import", LEASH, fileURLToPath(script), ...args];
  const child = spawn(process.execPath, command, { env, stdio: ["pipe", output, "pipe"] });
  const end = endOf(child);
  const words = wordsOf(child);
  try {
    await untilReady(readyUrl, end, stopAsked);
  } catch (error) {
    await stopChild(child, end);
    throw end.failure === null ? error : new Error(words.said() || `a part ended before it was ready (${end.failure})`);
  }
  words.passOn();
  let stopping = false;
  return {
    async stop() {
      stopping = true;
      await stopChild(child, end);
    },
    onExit(listener) {
      void end.gone.then((reason) => stopping || listener(reason));
    },
  };
}

/** `failure` is set once it is gone by itself. */
type End = { gone: Promise<string>; failure: string | null };

function endOf(child: ChildProcess): End {
  const end: End = { gone: Promise.resolve(""), failure: null };
  end.gone = new Promise((resolve) => {
    const tell = (reason: string): void => {
      end.failure ??= reason;
      resolve(reason);
    };
    child.once("error", (error) => tell(error.message));
    // `close`, not `exit`: by then its last words have arrived.
    child.once("close", (code, signal) => tell(signal ?? `exit code ${code}`));
  });
  return end;
}

function wordsOf(child: ChildProcess): { said(): string; passOn(): void } {
  let kept = "";
  let ready = false;
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    if (ready) process.stderr.write(text);
    else kept = (kept + text).slice(-MOST_WORDS);
  });
  return {
    said: () => kept.trim().replaceAll(/^(waypost|simulator): /gm, ""),
    passOn() {
      ready = true;
      if (kept !== "") process.stderr.write(kept);
      kept = "";
    },
  };
}

async function untilReady(url: string, end: End, stopAsked: AbortSignal): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await answers(url, stopAsked))) {
    stopAsked.throwIfAborted();
    if (end.failure !== null) throw new Error(end.failure);
    if (performance.now() > deadline) throw new Error(`${url} did not answer within ${READY_WITHIN_MS / 1_000} s`);
    await delay(ASK_EVERY_MS);
  }
  // Somebody else may answer there while ours could not have the port.
  if (end.failure !== null) throw new Error(end.failure);
}

async function answers(url: string, stopAsked: AbortSignal): Promise<boolean> {
  return await fetch(url, { signal: AbortSignal.any([stopAsked, AbortSignal.timeout(ANSWER_WITHIN_MS)]) }).then(
    (response) => response.ok,
    () => false,
  );
}

async function stopChild(child: ChildProcess, end: End): Promise<void> {
  if (end.failure !== null) return;
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
  await end.gone;
  clearTimeout(late);
}
