import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
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
  running.add(child);
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

/** A build of the gateway: `root` is the folder of its repository. */
export type Build = { name: string; root: string };

export const THIS_BUILD: Build = { name: "now", root: fileURLToPath(new URL("..", import.meta.url)) };

/** Starts the built `waypost serve`, as operators do; resolves when /readyz answers 200. */
export async function startBuiltGateway(
  env: Record<string, string>,
  roles?: string,
  build = THIS_BUILD,
): Promise<BuiltGateway> {
  const port = await freePort();
  const bin = join(build.root, "packages/cli/bin/waypost.js");
  const profiles = process.env["BENCH_CPU_PROF"];
  const profile = profiles ? ["--cpu-prof", `--cpu-prof-dir=${join(profiles, build.name)}`] : [];
  const child = spawn(process.execPath, [...profile, bin, "serve", ...(roles ? ["--roles", roles] : [])], {
    env: { ...process.env, ...env, PORT: String(port) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  running.add(child);
  const url = `http://127.0.0.1:${port}`;
  while (
    !(await fetch(`${url}/readyz`).then(
      (answer) => answer.ok,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error("the gateway ended before it was ready");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { url, pid: pidOf(child), stop: () => end(child, "SIGTERM") };
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error("a process could not be started");
  return child.pid;
}

const running = new Set<ChildProcess>();

/** Ends at once what is left of all of them. */
export async function endChildren(): Promise<void> {
  await Promise.all([...running].map((child) => end(child, "SIGKILL")));
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  running.delete(child);
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
