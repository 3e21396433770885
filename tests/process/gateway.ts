import { type ChildProcess, spawn } from "node:child_process";
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

/** One process of `waypost serve`, reached as a client reaches it. */
export type Gateway = {
  url: string;
  pid: number;
  /** Rejects when no answer came. */
  call(bearer: string, method: "GET" | "POST", path: string, ask?: Ask): Promise<Reply>;
  ready(): Promise<boolean>;
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal and waits for the end; at once when it has ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
};

/** Lines of the log that a failed start is explained with. */
const LAST_LINES = 20;

const SERVE = fileURLToPath(new URL("serve.ts", import.meta.url));

/** Starts a process and waits until it listens; rejects with its last words when it ends before. `script` may be another version's. */
export async function startGateway(env: Record<string, string>, script = SERVE): Promise<Gateway> {
  const child = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), script], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const exit = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  const url = await listening(child);
  return {
    url,
    pid: child.pid ?? 0,
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

async function listening(child: ChildProcess): Promise<string> {
  const words: string[] = [];
  const hear = (line: string): void => {
    words.push(line);
    if (words.length > LAST_LINES) words.shift();
  };
  return await new Promise((resolve, reject) => {
    if (child.stdout && child.stderr) {
      createInterface(child.stderr).on("line", hear);
      createInterface(child.stdout).on("line", (line) => {
        hear(line);
        if (!line.includes('"waypost is up"')) return;
        const { url } = JSON.parse(line) as { url: string }; // our own log line
        resolve(url);
      });
    }
    child.once("exit", () => reject(new Error(`the gateway ended before it listened:\n${words.join("\n")}`)));
  });
}
