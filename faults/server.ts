import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startEmbedded } from "@waypost/server";
import { install } from "../packages/server/src/process/install.ts";
import { withClient } from "../packages/server/src/testing/client.ts";

/** A PostgreSQL of our own that may be stopped, killed and slowed down. */
export type Server = {
  /** As the login that owns the database, which is what a gateway gets. */
  url: string;
  /** The same database as a superuser, who sees all rows. */
  adminUrl: string;
  /** Fast stop: connections are ended, a checkpoint is written. */
  stop(): Promise<void>;
  /** kill -9 of the postmaster; its children see it and end too. */
  kill(): void;
  start(): Promise<void>;
  /** So many milliseconds more for each commit that must reach the disk. */
  delayCommits(ms: number): Promise<void>;
  close(): Promise<void>;
};

/** A directory with a stopped cluster in which this version is installed, for servers to begin as copies of it. */
export async function installedCluster(): Promise<{ dataDir: string; remove(): void }> {
  const dataDir = makeDataDir();
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true });
  try {
    const running = await startEmbedded({ dataDir });
    try {
      await install(running.url);
    } finally {
      await running.stop();
    }
    return { dataDir, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Empty, unless it begins as a copy. Where the copied directory names a cluster elsewhere it is empty too: it would be shared. */
export async function openServer(copyOf?: string): Promise<Server> {
  const dataDir = makeDataDir();
  // With its owners: as root the server is another user.
  if (copyOf !== undefined && existsSync(join(copyOf, "postgres")))
    await promisify(execFile)("cp", ["-a", `${copyOf}/.`, dataDir]);
  // Durable: without fsync a commit waits for nothing, and delays nothing.
  let running = await startEmbedded({ dataDir });
  const { url } = running;
  const adminUrl = Object.assign(new URL(running.adminUrl), { pathname: new URL(url).pathname }).href;
  return {
    url,
    adminUrl,
    stop: () => running.stop(),
    kill: () => void process.kill(running.pid, "SIGKILL"),
    async start() {
      running = await startEmbedded({ dataDir });
    },
    async delayCommits(ms) {
      await withClient(adminUrl, async (client) => {
        await client.query(`alter system set commit_delay = ${Math.round(ms) * 1_000}`); // in microseconds
        await client.query("alter system set commit_siblings = 0");
        await client.query("select pg_reload_conf()");
      });
    },
    async close() {
      await running.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

function makeDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), "waypost-faults-"));
  chmodSync(dataDir, 0o755); // as root the server is another user, who must pass through
  return dataDir;
}
