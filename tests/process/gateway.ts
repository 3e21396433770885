import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export type Reply = {
  status: number;
  /** Of many routes, asserted field by field. */
  body: ReturnType<typeof JSON.parse>;
  text: string;
  headers: Headers;
};

export type Ask = { body?: object; key?: string; headers?: Record<string, string>; signal?: AbortSignal };

/** One process of `waypost serve`, called over HTTP. */
export type GatewayProcess = {
  url: string;
  pid: number;
  /** Rejects when no answer came. */
  call(bearer: string, method: "GET" | "POST", path: string, ask?: Ask): Promise<Reply>;
  ready(): Promise<boolean>;
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal and waits for the end; resolves at once when the process has ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Sends a message to the preloaded modules. */
  send(message: object): void;
  /** Receives their messages. */
  hear(listener: (message: unknown) => void): void;
  /** Bytes of warnings and errors in its log so far, without the line of each request. */
  complaintBytes(): number;
};

export type Launch = {
  /** Modules that the process loads before its own. */
  preload?: readonly string[];
  /** The `serve.ts` of another version, which is not built. */
  sources?: string;
};

/** Lines of the log in the error of a failed start. */
const LAST_LINES = 20;

const BUILD = fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url));
const BUILT = fileURLToPath(new URL("../../packages/cli/bin/waypost.js", import.meta.url));

let isBuilt = false;
/** What runs is always built from the sources of now. Built, a process starts in half the CPU time of one from its sources. */
function ensureBuilt(): void {
  if (!isBuilt) execFileSync(process.execPath, [BUILD]);
  isBuilt = true;
}

/** Starts a process and waits until it listens; rejects with the end of its log when it ends before that. */
export async function startGatewayProcess(
  env: Record<string, string>,
  { preload = [], sources }: Launch = {},
): Promise<GatewayProcess> {
  if (sources === undefined) ensureBuilt();
  const imports = [...(sources === undefined ? [] : [import.meta.resolve("tsx")]), LEASH, ...preload];
  const program = [...imports.flatMap((module) => ["--import", module]), sources ?? BUILT, "serve"];
  const child = spawn(process.execPath, program, {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const exit = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const log = hear(child);
  const url = await log.listening;
  return {
    url,
    pid: child.pid ?? 0,
    send: (message) => void child.send(message),
    hear: (listener) => void child.on("message", listener),
    complaintBytes: () => log.complaintBytes,
    async call(bearer, method, path, { body, key, headers = {}, signal } = {}) {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${bearer}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(key === undefined ? {} : { "x-idempotency-key": key }),
          ...headers,
        },
        ...(signal === undefined ? {} : { signal }),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: JSON.parse(text), text, headers: response.headers };
    },
    ready: () =>
      fetch(`${url}/readyz`).then(
        (response) => response.ok,
        () => false,
      ),
    signal: (signal) => void child.kill(signal),
    async end(signal) {
      child.kill(signal);
      const [code, by] = await exit;
      return { code, signal: by };
    },
  };
}

/** Ends the process with the one that started it. */
const LEASH = new URL("leash.mjs", import.meta.url).href;

type Heard = {
  /** Its address; rejects with the end of its log when it ends before that. */
  listening: Promise<string>;
  readonly complaintBytes: number;
};

function hear(child: ChildProcess): Heard {
  const lastLines: string[] = [];
  let complaintBytes = 0;
  const listen = (line: string): void => {
    lastLines.push(line);
    if (lastLines.length > LAST_LINES) lastLines.shift();
    if (!/"level":[123]0|"msg":"request"/.test(line)) complaintBytes += line.length + 1;
  };
  const listening = new Promise<string>((resolve, reject) => {
    if (child.stdout && child.stderr) {
      createInterface(child.stderr).on("line", listen);
      createInterface(child.stdout).on("line", (line) => {
        listen(line);
        if (!line.includes('"waypost is up"')) return;
        const { url } = JSON.parse(line) as { url: string }; // our own log line
        resolve(url);
      });
    }
    child.once("exit", () => reject(new Error(`the gateway ended before it listened:\n${lastLines.join("\n")}`)));
  });
  return {
    listening,
    get complaintBytes() {
      return complaintBytes;
    },
  };
}
