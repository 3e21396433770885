import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

/** A program in a process of its own, asked and answered by messages. */
export type Helper = {
  pid: number;
  /** Where it listens, if it does. */
  url: string;
  ask<Answer>(question: object): Promise<Answer>;
  stop(): Promise<void>;
};

/** Starts `<name>.ts` of this folder, or of the one beside `from`; ready when it sends its first message, which may name its url. */
export async function startHelper(name: string, from = import.meta.url): Promise<Helper> {
  const file = fileURLToPath(new URL(`${name}.ts`, from));
  const child = fork(file, { execArgv: ["--import", "tsx"] });
  const [{ url = "" }] = (await once(child, "message")) as [{ url?: string }];
  return {
    pid: pidOf(child),
    url,
    async ask<Answer>(question: object) {
      child.send(question);
      const [answer] = (await once(child, "message")) as [Answer];
      return answer;
    },
    stop: () => end(child, "SIGKILL"),
  };
}

/** A process of the built gateway. */
export type BuiltGateway = { url: string; pid: number; stop(): Promise<void> };

/** Starts the built `waypost serve`, as operators do; resolves when /readyz answers 200. */
export async function startBuiltGateway(env: Record<string, string>, roles?: string): Promise<BuiltGateway> {
  const port = await freePort();
  const bin = fileURLToPath(new URL("../packages/cli/bin/waypost.js", import.meta.url));
  const profile = process.env["BENCH_CPU_PROF"]
    ? ["--cpu-prof", `--cpu-prof-dir=${process.env["BENCH_CPU_PROF"]}`]
    : [];
  const child = spawn(process.execPath, [...profile, bin, "serve", ...(roles ? ["--roles", roles] : [])], {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error("the gateway ended before it was ready");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return { url, pid: pidOf(child), stop: () => end(child, "SIGTERM") };
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error("a process could not be started");
  return child.pid;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill(signal);
  await gone;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

/** Resident memory now, in MiB (proc(5)). */
export function memoryMib(pid: number): number {
  const line = /VmRSS:\s+(\d+)/.exec(processFile(pid, "status"));
  return Math.round(Number(line?.[1] ?? 0) / 1024);
}

/** Processor time spent so far by a process and the children it has waited for, in milliseconds (proc(5): ticks of 10 ms). */
export function cpuMs(pid: number): number {
  const stat = processFile(pid, "stat");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * 10;
}

/** Processes whose parent is `pid`. */
export const childrenOf = (pid: number): number[] =>
  processFile(pid, `task/${pid}/children`).trim().split(" ").filter(Boolean).map(Number);

// Empty for a process that has ended: PostgreSQL's workers come and go.
function processFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return "";
    throw error;
  }
}
