import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** A running part. `stop` asks it to end, waits, then kills it; `onExit` reports how it ended unexpectedly. */
export type Child = {
  /** Sends a message to the part, which has a channel for it; resolves when it answers as ready. */
  setUp(): Promise<void>;
  /** Sends a message to the part and resolves with its next one; one at a time. */
  ask(message: object): Promise<unknown>;
  stop(): Promise<void>;
  onExit(listener: (reason: string) => void): void;
};

export type ChildOptions = {
  script: URL;
  args: readonly string[];
  env: Record<string, string | undefined>;
  /** For its standard output; its standard error is buffered until it is ready and passed on from then on. */
  output: "inherit" | "ignore";
  /** Answers 200 when the part can be used. */
  readyUrl: string;
  /** Whether another answer will do until `setUp` was called. */
  readyEnough?: ((answer: Response) => Promise<boolean>) | undefined;
  stopAsked: AbortSignal;
};

/** A first start migrates the database; on a slow disk that is the longest part. */
const READY_WITHIN_MS = 120_000;
const POLL_EVERY_MS = 50;
const ANSWER_WITHIN_MS = 5_000;
/** Time to finish work in flight; then the part is killed, which loses nothing either. The database needs the rest of the time that `npm start` allows. */
const STOP_WITHIN_MS = 3_000;
/** Characters kept of the standard error of a part that fails: the reason is in its last lines. */
const KEPT_ERROR_CHARACTERS = 2_000;

/**
 * Ends the part when the process that started it is gone, also by kill -9. Its standard input is a pipe from this process that
 * is never written to, and the kernel closes it when this process ends.
 */
const LEASH = `data:text/javascript,process.stdin.once("close",()=>process.kill(process.pid,"SIGTERM")).resume().unref()`;

/** Starts a script and waits until it is ready; rejects with its standard error when it ends before that. */
export async function spawnChild(options: ChildOptions): Promise<Child> {
  const { script, args, env, output, readyUrl, readyEnough, stopAsked } = options;
  const command = ["--enable-source-maps", "--import", LEASH, fileURLToPath(script), ...args];
  const child = spawn(process.execPath, command, {
    env,
    stdio: ["pipe", output, "pipe", ...(readyEnough === undefined ? [] : ["ipc" as const])],
  });
  const end = endOf(child);
  const errors = bufferErrors(child);
  try {
    await untilReady({ url: readyUrl, readyEnough, end, stopAsked });
  } catch (error) {
    await stopChild(child, end);
    throw end.failure === null
      ? error
      : new Error(errors.text() || `a part ended before it was ready (${end.failure})`);
  }
  errors.passOn();
  let stopping = false;
  return {
    async setUp() {
      child.send("set up", () => undefined); // when it has ended, that is noticed elsewhere
      await untilReady({ url: readyUrl, end, stopAsked });
    },
    ask: (message) => askChild(child, end, message),
    async stop() {
      stopping = true;
      await stopChild(child, end);
    },
    onExit(listener) {
      void end.gone.then((reason) => stopping || listener(reason));
    },
  };
}

async function askChild(child: ChildProcess, end: End, message: object): Promise<unknown> {
  const late = new AbortController();
  try {
    return await Promise.race([
      new Promise((resolve) => {
        child.once("message", resolve);
        child.send(message, () => undefined); // when it has ended, that is noticed below
      }),
      end.gone.then((reason) => Promise.reject(new Error(`it has ended (${reason})`))),
      delay(ANSWER_WITHIN_MS, undefined, { signal: late.signal }).then(() => Promise.reject(new Error("no answer"))),
    ]);
  } finally {
    late.abort();
    child.removeAllListeners("message");
  }
}

/** `failure` is set as soon as the process has ended. */
type End = { gone: Promise<string>; failure: string | null };

function endOf(child: ChildProcess): End {
  const end: End = { gone: Promise.resolve(""), failure: null };
  end.gone = new Promise((resolve) => {
    const ended = (reason: string): void => {
      end.failure ??= reason;
      resolve(reason);
    };
    child.once("error", (error) => ended(error.message));
    // `close`, not `exit`: by then all of its output has arrived.
    child.once("close", (code, signal) => ended(signal ?? `exit code ${code}`));
  });
  return end;
}

function bufferErrors(child: ChildProcess): { text(): string; passOn(): void } {
  let kept = "";
  let ready = false;
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    if (ready) process.stderr.write(text);
    else kept = (kept + text).slice(-KEPT_ERROR_CHARACTERS);
  });
  return {
    text: () => kept.trim().replaceAll(/^(waypost|simulator): /gm, ""),
    passOn() {
      ready = true;
      if (kept !== "") process.stderr.write(kept);
      kept = "";
    },
  };
}

type Waiting = Pick<ChildOptions, "readyEnough" | "stopAsked"> & { url: string; end: End };

async function untilReady({ url, readyEnough, end, stopAsked }: Waiting): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await answers(url, stopAsked, readyEnough))) {
    stopAsked.throwIfAborted();
    if (end.failure !== null) throw new Error(end.failure);
    if (performance.now() > deadline) throw new Error(`${url} did not answer within ${READY_WITHIN_MS / 1_000} s`);
    await delay(POLL_EVERY_MS);
  }
  // Another program may answer there while the part could not get the port.
  if (end.failure !== null) throw new Error(end.failure);
}

async function answers(
  url: string,
  stopAsked: AbortSignal,
  isEnough: ChildOptions["readyEnough"] = () => Promise.resolve(false),
): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.any([stopAsked, AbortSignal.timeout(ANSWER_WITHIN_MS)]) });
    return answer.ok || (await isEnough(answer));
  } catch {
    return false;
  }
}

async function stopChild(child: ChildProcess, end: End): Promise<void> {
  if (end.failure !== null) return;
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_WITHIN_MS);
  await end.gone;
  clearTimeout(late);
}
