import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
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

async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const TABLES = `create table if not exists one (id bigserial primary key, a uuid not null, b text not null);
create table if not exists two (id bigserial primary key, a uuid not null, b text not null)`;
const INSERT = (table: string): string => `insert into ${table} (a, b) values (gen_random_uuid(), repeat('x', 200))`;
const SCRIPT = `begin;\n${INSERT("one")};\n${INSERT("two")};\ncommit;\n`;
const CLIENTS = 16;

/** Transactions a second of two one-row inserts each, by 16 clients: by pgbench where there is one, else the same loop by `pg`. */
export async function insertBound(place: Place, seconds: number): Promise<number> {
  await onServer(place.boundUrl, (client) => client.query(TABLES));
  const pgbench = findPgbench();
  return pgbench ? await byPgbench(pgbench, place.boundUrl, seconds) : await byLoop(place.boundUrl, seconds);
}

export const boundName = (): string => (findPgbench() ? "pgbench -c 16 -j 2" : "the same inserts by pg, 16 clients");

function findPgbench(): string | null {
  const installed = "/usr/lib/postgresql";
  const folders = existsSync(installed) ? readdirSync(installed).map((version) => join(installed, version, "bin")) : [];
  const found = [...(process.env["PATH"] ?? "").split(":"), ...folders].map((folder) => join(folder, "pgbench"));
  return found.find((file) => existsSync(file)) ?? null;
}

async function byPgbench(pgbench: string, url: string, seconds: number): Promise<number> {
  const running = promisify(execFile)(pgbench, [
    "-n",
    "-c",
    String(CLIENTS),
    "-j",
    "2",
    "-T",
    String(seconds),
    "-f",
    "-",
    url,
  ]);
  running.child.stdin?.end(SCRIPT);
  const { stdout } = await running;
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}

async function byLoop(url: string, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      let done = 0;
      while (performance.now() < until) {
        for (const text of ["begin", INSERT("one"), INSERT("two"), "commit"]) await client.query(text);
        done += 1;
      }
      await client.end();
      return done;
    }),
  );
  return clients.reduce((sum, done) => sum + done, 0) / seconds;
}
