import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "@waypost/server";
import pg from "pg";
import { childrenOf, cpuMs, memoryMib } from "./children.ts";

/** Where everything is measured: one PostgreSQL server, with a database for the gateway and one for its bound. */
export type Place = {
  name: string;
  url: string;
  boundUrl: string;
  /** Of the whole server, null for one that is not on this machine. */
  cpuMs(): number | null;
  memoryMib(): number | null;
  stop(): Promise<void>;
};

/** The server of DATABASE_URL (its login needs CREATEDB), else an embedded one to throw away, as durable as a real one. */
export async function openPlace(): Promise<Place> {
  const given = process.env["DATABASE_URL"];
  const dataDir = mkdtempSync(join(tmpdir(), "waypost-bench-"));
  chmodSync(dataDir, 0o755);
  const embedded = given ? null : await startEmbedded({ dataDir });
  const server = given ?? embedded?.adminUrl ?? "";
  const owner = new URL(given ?? embedded?.url ?? "");
  const names = ["waypost_bench", "waypost_bound"];
  const version = await onServer(server, async (client) => {
    for (const name of names) {
      await client.query(`drop database if exists ${name} with (force)`);
      await client.query(`create database ${name} owner "${decodeURIComponent(owner.username)}"`);
    }
    const { rows } = await client.query<{ server_version: string }>("show server_version");
    return rows[0]?.server_version ?? "?";
  });
  const urlOf = (name: string): string => Object.assign(new URL(owner), { pathname: `/${name}` }).href;
  const pids = (): number[] => (embedded ? [embedded.pid, ...childrenOf(embedded.pid)] : []);
  return {
    name: `PostgreSQL ${version.split(" ")[0]}${embedded ? " (embedded)" : ""}`,
    url: urlOf("waypost_bench"),
    boundUrl: urlOf("waypost_bound"),
    cpuMs: () => (embedded ? pids().reduce((sum, pid) => sum + cpuMs(pid), 0) : null),
    memoryMib: () => (embedded ? pids().reduce((sum, pid) => sum + memoryMib(pid), 0) : null),
    async stop() {
      if (given)
        for (const name of names)
          await onServer(server, (client) => client.query(`drop database if exists ${name} with (force)`));
      await embedded?.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
