import { spawn } from "node:child_process";
import { open, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "pg";
import type { Server } from "./binaries.ts";
import type { Cluster } from "./cluster.ts";
import { EmbeddedDatabaseError, errorCode } from "./error.ts";
import { inspectProcess } from "./process.ts";
import { connect, lockSupervisor } from "./session.ts";
import { asUser, CLEAN_ENVIRONMENT } from "./user.ts";

const POLL_MS = 25;
/** A killed postmaster may stay a zombie for a second or more, and its children hold its shared memory until they notice. */
const PREDECESSOR_MS = 10_000;
/** Replaying 1 GB of WAL on a slow disk. */
const RECOVERY_MS = 300_000;
const PROGRESS_MS = 5_000;
/** A fast stop writes a checkpoint; after this long an immediate stop is better than hanging, and the next start recovers. */
const FAST_STOP_MS = 30_000;
const IMMEDIATE_STOP_MS = 10_000;
const LOG_FILE_BYTES = 16 * 1024 * 1024;
/** SQLSTATE of "the database system is starting up", "is shutting down", "is in recovery mode". */
const CANNOT_CONNECT_NOW = "57P03";

/** A running server; `session` holds the supervisor's lock. */
export type Postmaster = { pid: number; origin: "started" | "adopted"; session: Client; stop: () => Promise<void> };

/** The caller's part in a start: it is informed of each step and of the server's process, and may give up. */
export type Waiting = {
  onProgress: (line: string) => void;
  /** Called before the server is ready, so that it can be ended even if this process dies. */
  onServer: (pid: number) => void;
  stopAsked: AbortSignal;
};

export async function startPostmaster(cluster: Cluster, server: Server, waiting: Waiting): Promise<Postmaster> {
  const deadline = performance.now() + PREDECESSOR_MS;
  for (;;) {
    const adopted = await adopt(cluster, server, waiting);
    if (adopted !== null) return adopted;
    waiting.stopAsked.throwIfAborted();
    waiting.onProgress(`starting PostgreSQL ${server.version}`);
    const started = await launch(cluster, server, waiting);
    if ("pid" in started) return started;
    if (!started.predecessor || performance.now() > deadline) {
      throw new EmbeddedDatabaseError(`PostgreSQL did not start: ${started.reason} (see ${cluster.logFile})`);
    }
    await delay(POLL_MS * 4);
  }
}

/** The running server of this cluster, if there is one in good order; any other is stopped. */
async function adopt(cluster: Cluster, server: Server, waiting: Waiting): Promise<Postmaster | null> {
  const { onProgress, onServer } = waiting;
  const pid = await findRunning(cluster);
  if (pid === null) return null;
  const session = await untilReady(cluster, pid, waiting, PREDECESSOR_MS);
  if (session !== null) {
    await lockSupervisor(cluster, session);
    onServer(pid);
    const { rows } = await session.query<{ server_version: string }>("show server_version");
    if (rows[0]?.server_version === server.version && !cluster.settingsChanged) {
      onProgress(`found PostgreSQL ${server.version} running`);
      return { pid, origin: "adopted", session, stop: () => stopPostmaster(cluster, pid, session) };
    }
  }
  onProgress("stopping the PostgreSQL that an earlier start left behind");
  await stopPostmaster(cluster, pid, session);
  return null;
}

async function findRunning(cluster: Cluster): Promise<number | null> {
  const pidFile = join(cluster.clusterDir, "postmaster.pid");
  const pid = await readPid(pidFile);
  if (pid === null) return null;
  const found = await inspectProcess(pid);
  if (found.state !== "live") return null;
  if (isOurs(cluster, found.command)) return pid;
  // After a restart of a container or machine the id may belong to any process; PostgreSQL would refuse to start.
  if (!basename(found.command[0] ?? "").startsWith("postgres")) await rm(pidFile, { force: true });
  return null;
}

async function readPid(pidFile: string): Promise<number | null> {
  try {
    const pid = Number((await readFile(pidFile, "utf8")).split("\n")[0]);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

function isOurs(cluster: Cluster, command: string[]): boolean {
  // Joined, because `ps` splits a path with spaces.
  return basename(command[0] ?? "") === "postgres" && command.join(" ").includes(`-D ${cluster.clusterDir} `);
}

type FailedStart = { reason: string; predecessor: boolean };

async function launch(cluster: Cluster, server: Server, waiting: Waiting): Promise<Postmaster | FailedStart> {
  const log = await openLog(cluster.logFile);
  const logStart = (await log.stat()).size;
  const files = ["-c", `config_file=${cluster.settingsFile}`, "-c", `hba_file=${cluster.accessFile}`];
  const child = spawn(server.postgres, ["-D", cluster.clusterDir, ...files], {
    ...asUser(cluster.user),
    cwd: "/",
    env: CLEAN_ENVIRONMENT,
    // In a process group of its own: Ctrl-C in the terminal must reach only this process, which stops the database last.
    detached: true,
    // A file, not a pipe: the server may outlive this process.
    stdio: ["ignore", log.fd, log.fd],
  });
  const failed = new Promise<Error>((resolve) => child.once("error", resolve));
  await log.close();
  const pid = child.pid;
  if (pid === undefined) return { reason: (await failed).message, predecessor: false };
  waiting.onServer(pid);
  try {
    const session = await untilReady(cluster, pid, waiting, RECOVERY_MS);
    if (session !== null) {
      await lockSupervisor(cluster, session);
      return { pid, origin: "started", session, stop: () => stopPostmaster(cluster, pid, session) };
    }
  } catch (error) {
    // Nothing may be left running behind a start that failed, or that was given up.
    await stopPostmaster(cluster, pid, null);
    throw error;
  }
  await stopPostmaster(cluster, pid, null);
  return await readFailure(cluster.logFile, logStart);
}

async function openLog(path: string): ReturnType<typeof open> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_FILE_BYTES) await rename(path, `${path}.1`);
  return await open(path, "a", 0o600);
}

/** A session as soon as the server accepts one; null when the process ends first or the time is over. Throws when the caller gives up. */
async function untilReady(
  cluster: Cluster,
  pid: number,
  { onProgress, stopAsked }: Waiting,
  timeoutMs: number,
): Promise<Client | null> {
  let reportedAt = performance.now();
  let deadline = reportedAt + timeoutMs;
  while (performance.now() < deadline) {
    stopAsked.throwIfAborted();
    if ((await inspectProcess(pid)).state !== "live") return null;
    try {
      if ((await readPid(join(cluster.clusterDir, "postmaster.pid"))) === pid) return await connect(cluster);
    } catch (error) {
      if (!isTransient(error)) throw error;
      // It answers that it is starting or stopping: killing it now would only restart the same recovery.
      if (errorCode(error) === CANNOT_CONNECT_NOW) deadline = reportedAt + RECOVERY_MS;
    }
    if (performance.now() - reportedAt > PROGRESS_MS) {
      reportedAt = performance.now();
      onProgress("PostgreSQL is recovering after an unclean stop");
    }
    await delay(POLL_MS);
  }
  return null;
}

/** There is no socket yet, no server listens on it, there are too many clients (53300), or it is starting or stopping. */
function isTransient(error: unknown): boolean {
  const code = errorCode(error);
  if (code !== undefined)
    return ["ENOENT", "ECONNREFUSED", "ECONNRESET", "EPIPE", "53300", CANNOT_CONNECT_NOW].includes(code);
  return error instanceof Error && /timeout|terminated/i.test(error.message);
}

async function readFailure(logFile: string, from: number): Promise<FailedStart> {
  const text = (await readFile(logFile)).subarray(from).toString("utf8");
  const fatal = text.split("\n").find((line) => /FATAL:|PANIC:|postgres: |error while loading/.test(line));
  const reason = fatal?.replace(/^.*?(FATAL|PANIC):\s*/, "").trim() ?? "it ended without a reason in its log";
  const predecessor = /lock file ".*" already exists|pre-existing shared memory block/.test(text);
  return { reason, predecessor };
}

/** Fast stop, then immediate, then kill: all are safe for the data; after the later ones the next start recovers. */
async function stopPostmaster(cluster: Cluster, pid: number, session: Client | null): Promise<void> {
  await session?.end().catch(() => {});
  const steps = [
    { signal: "SIGINT", waitMs: FAST_STOP_MS },
    { signal: "SIGQUIT", waitMs: IMMEDIATE_STOP_MS },
    { signal: "SIGKILL", waitMs: IMMEDIATE_STOP_MS },
  ] as const;
  for (const { signal, waitMs } of steps) {
    const deadline = performance.now() + waitMs;
    if (await isRunning(cluster, pid)) signalProcess(pid, signal);
    while (await isRunning(cluster, pid)) {
      if (performance.now() > deadline) break;
      await delay(POLL_MS);
    }
    if (!(await isRunning(cluster, pid))) return;
  }
  throw new EmbeddedDatabaseError(`PostgreSQL (process ${pid}) in ${cluster.home} does not stop.`);
}

/** Checked before each signal: the id may belong to another process by now. */
export async function isRunning(cluster: Cluster, pid: number): Promise<boolean> {
  const found = await inspectProcess(pid);
  return found.state === "live" && isOurs(cluster, found.command);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error;
  }
}
