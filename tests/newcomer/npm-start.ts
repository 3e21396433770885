import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, chown, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The last line of the welcome. */
const UP = "Ctrl-C stops everything";
const BETWEEN_LOOKS_MS = 50;
/** A stop, with PostgreSQL's checkpoint, on a busy machine. */
const GONE_WITHIN_MS = 20_000;

/** One run of `npm start`, without npm unless `command` names it. */
export type NpmStart = {
  pid: number;
  /** Its output until it was up; rejects with its output when it ends before that. */
  up: Promise<string>;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals>;
  output(): string;
  errors(): string;
  /** Resolves when its output contains this text. */
  said(text: string): Promise<void>;
  /** Process ids of itself and of all processes that it started, itself first. */
  processes(): Promise<number[]>;
  /** Kills all processes that it runs or was seen to run: after a failed test some may have lost their parent. */
  end(): Promise<void>;
  /** Process id of the part whose command line has this. */
  part(program: RegExp): Promise<number>;
};

export type Start = {
  dataDir: string;
  env?: Record<string, string>;
  /** Default: the user who runs the tests. */
  uid?: number;
  command?: readonly [string, ...string[]];
  /** Default: the repository. */
  directory?: string;
};

const OWN_SCRIPT = [process.execPath, "scripts/start.mjs"] as const;
/** Arguments are separated by zero bytes in /proc and by blanks in the output of `ps`. */
export const GATEWAY = /waypost\.js[\0 ]serve/;

/** Variables that would change what is tested. */
const LEFT_OUT = /^(DATABASE_|WAYPOST_|PROVIDER_|EGRESS_|npm_)|^(PORT|HOST|SIMULATOR_PORT|NODE_OPTIONS|VITEST.*)$/;

/** Starts with free ports unless `env` names some. */
export function npmStart({ dataDir, env = {}, uid, command = OWN_SCRIPT, directory = ROOT }: Start): NpmStart {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !LEFT_OUT.test(name)));
  const [program, ...args] = command;
  const child = spawn(program, args, {
    cwd: directory,
    env: { ...inherited, PORT: "0", SIMULATOR_PORT: "0", WAYPOST_DATA_DIR: dataDir, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // In a process group of its own, so that a test can signal it as a terminal does at Ctrl-C.
    detached: true,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let output = "";
  let errors = "";
  const listeners = new Set<() => void>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    for (const listener of listeners) listener();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    child.once("close", (code, signal) => resolve(code ?? signal ?? 0));
  });
  const said = async (text: string): Promise<void> =>
    await new Promise((resolve, reject) => {
      const look = (): void => {
        if (!output.includes(text)) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      look();
      void ended.then((code) => reject(new Error(`ended with ${code}:\n${output}${errors}`)));
    });
  const up = said(UP).then(() => output);
  up.catch(() => undefined); // a test of a failing start does not await it
  const pid = child.pid ?? 0;
  const seen = new Map<number, string>();
  const look = async (): Promise<Process[]> => {
    const tree = await treeOf(pid);
    for (const one of tree) seen.set(one.pid, one.command);
    return tree;
  };
  return {
    pid,
    up,
    ended,
    output: () => output,
    errors: () => errors,
    said,
    processes: async () => (await look()).map((one) => one.pid),
    async end() {
      await look();
      const left = (await allProcesses()).filter((one) => seen.get(one.pid) === one.command).map((one) => one.pid);
      for (const one of left) kill(one);
      await gone(left);
    },
    async part(program) {
      const found = (await treeOf(pid)).find(({ command }) => program.test(command));
      if (found === undefined) throw new Error(`nothing like ${program} runs`);
      return found.pid;
    },
  };
}

/** The contents of `dev.json`. */
export type DevFile = Record<
  | "base_url"
  | "operator_key"
  | "workspace_id"
  | "api_key"
  | "phone_number_id"
  | "phone_number"
  | "simulator_url"
  | "console_url"
  | "control_url",
  string
>;

export const readDevFile = async (dataDir: string): Promise<DevFile> =>
  JSON.parse(await readFile(join(dataDir, "dev.json"), "utf8")) as DevFile;

/** Creates an empty data directory, owned by the given user if any. */
export async function makeDataDir(uid?: number): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "waypost-newcomer-"));
  await chmod(path, 0o755);
  if (uid !== undefined) await chown(path, uid, uid);
  return path;
}

/** Starts and stops once, so that copies of the directory need no new cluster and no migration. */
export async function startOnce(dataDir: string): Promise<void> {
  const first = npmStart({ dataDir });
  await first.up;
  kill(first.pid, "SIGINT");
  await first.ended;
}

/** Copies a directory that `startOnce` has filled. Left empty where the cluster is elsewhere, which a copy would share. */
export async function copyDataDir(from: string, to: string): Promise<void> {
  // With its owners: the cluster's may be another user.
  if (existsSync(join(from, "postgres"))) await run("cp", ["-a", `${from}/.`, to]);
}

/** Removes it, after killing all processes that use it, so that a failed test leaves nothing behind. */
export async function removeDataDir(dataDir: string): Promise<void> {
  for (const pid of await runningOn(dataDir)) kill(pid);
  await gone(await runningOn(dataDir));
  await rm(dataDir, { recursive: true, force: true });
}

/** The command under a heading of the welcome. */
export function commandUnder(heading: string, welcome: string): string {
  const lines = welcome.slice(welcome.indexOf(heading)).split("\n");
  const command = lines.find((line) => line.trim().startsWith("curl "));
  if (command === undefined) throw new Error(`no curl under "${heading}" in:\n${welcome}`);
  return command.trim();
}

/** Runs a printed command; without curl on the machine, the same request is made by fetch. */
export async function runCurl(command: string): Promise<Record<string, unknown>> {
  const text = (await hasCurl()) ? (await run("sh", ["-c", `${command} -sS`])).stdout : await fetchCurl(command);
  return JSON.parse(text) as Record<string, unknown>;
}

const hasCurl = async (): Promise<boolean> =>
  await run("curl", ["--version"]).then(
    () => true,
    () => false,
  );

async function fetchCurl(command: string): Promise<string> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  const after = (flag: string): string[] =>
    words.flatMap((word, index) => (word === flag ? (words[index + 1] ?? []) : []));
  const url = words.find((word) => word.startsWith("http")) ?? "";
  const [body] = after("-d");
  const headers = after("-H").map((header) => header.split(": ") as [string, string]);
  const response = await fetch(url, { headers, ...(body === undefined ? {} : { method: "POST", body }) });
  return await response.text();
}

/** Every process whose command line names the directory: PostgreSQL's, which may outlive the rest. */
async function runningOn(dataDir: string): Promise<number[]> {
  return (await allProcesses()).filter(({ command }) => command.includes(dataDir)).map(({ pid }) => pid);
}

async function treeOf(root: number): Promise<Process[]> {
  const all = await allProcesses();
  const found = all.filter(({ pid }) => pid === root);
  // Grows while it is iterated, so that children of children are included.
  for (const { pid } of found) found.push(...all.filter(({ parent }) => parent === pid));
  return found;
}

type Process = { pid: number; parent: number; command: string };

/** From /proc where there is one: slim containers have no `ps`. Zombies have ended. */
async function allProcesses(): Promise<Process[]> {
  if (!existsSync("/proc/self/stat")) return await processesByPs();
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(pids.map((pid) => readProcess(Number(pid)).catch(() => null)));
  return found.filter((one) => one !== null);
}

async function readProcess(pid: number): Promise<Process | null> {
  const stat = await readFile(`/proc/${pid}/stat`, "latin1");
  const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (state === "Z" || state === "X") return null;
  return { pid, parent: Number(parent), command: await readFile(`/proc/${pid}/cmdline`, "utf8") };
}

async function processesByPs(): Promise<Process[]> {
  const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid=,stat=,args="]);
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, stat = "", command = ""] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined || stat.startsWith("Z") ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

export function kill(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** Waits until none of these runs any more; returns those that still do when the time is over. */
export async function gone(pids: readonly number[], withinMs = GONE_WITHIN_MS): Promise<number[]> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const left = await living(pids);
    if (left.length === 0 || performance.now() > deadline) return left;
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS));
  }
}

/** Looks at these alone: reading all processes of the machine twenty times a second would slow down what is waited for. */
async function living(pids: readonly number[]): Promise<number[]> {
  const found = existsSync("/proc/self/stat")
    ? await Promise.all(pids.map((pid) => readProcess(pid).catch(() => null)))
    : await processesByPs();
  return pids.filter((pid) => found.some((one) => one?.pid === pid));
}
