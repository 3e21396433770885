import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "@waypost/server";
import pg from "pg";
import { dropDatabase, withClient } from "../packages/server/src/testing/client.ts";
import type { Figures } from "./figures.ts";
import { childrenOf, cpuMs, type Memory, memoryOf, parentOf, titleOf } from "./processes.ts";

/** Where everything is measured: one PostgreSQL server. */
export type Place = {
  name: string;
  /** Makes an empty database, instead of one that is there, and returns its url. It goes with the place. */
  createDatabase(name: string): Promise<string>;
  /** Of the whole server, or without the sessions of other databases made here; null for one that is not on this machine. */
  cpuMs(database?: string): number | null;
  memory(): Memory | null;
  /** Written by the whole server so far. */
  walBytes(): Promise<number>;
  stop(): Promise<void>;
};

/** The server of DATABASE_URL (its login needs CREATEDB), else an embedded one to throw away, as durable as a real one. */
export async function openPlace(): Promise<Place> {
  const given = process.env["DATABASE_URL"];
  const dataDir = mkdtempSync(join(tmpdir(), "waypost-bench-"));
  chmodSync(dataDir, 0o755); // as root the server is another user, who must pass through
  const embedded = given ? null : await startEmbedded({ dataDir });
  const owner = new URL(given ?? embedded?.url ?? "");
  const client = new pg.Client({ connectionString: given ?? embedded?.adminUrl ?? "" });
  client.on("error", () => {}); // the next statement reports it
  await client.connect();
  const { rows } = await client.query<{ version: string; pid: number }>(
    "select current_setting('server_version') as version, pg_backend_pid() as pid",
  );
  const { version, pid } = rows[0] ?? { version: "?", pid: 0 };
  // The parent of the session's own process is the postmaster, if this number is one of PostgreSQL's on this machine.
  const postmaster = titleOf(pid).startsWith("postgres") ? parentOf(pid) : null;
  const pids = (main: number): number[] => [main, ...childrenOf(main)];
  const created = new Set<string>();
  return {
    name: `PostgreSQL ${version.split(" ")[0]}${embedded ? " (embedded)" : ""}`,
    async createDatabase(name) {
      created.add(name);
      await dropDatabase(client, name);
      await client.query(`create database ${name} owner "${decodeURIComponent(owner.username)}"`);
      return Object.assign(new URL(owner), { pathname: `/${name}` }).href;
    },
    cpuMs(database) {
      if (postmaster === null) return null;
      const others = database === undefined ? [] : [...created].filter((name) => name !== database);
      return cpuMs(pids(postmaster).filter((child) => !others.some((name) => titleOf(child).includes(` ${name} `))));
    },
    memory: () => (postmaster === null ? null : memoryOf(pids(postmaster))),
    async walBytes() {
      const { rows: read } = await client.query<{ bytes: string }>(
        "select pg_current_wal_insert_lsn() - '0/0' as bytes",
      );
      return Number(read[0]?.bytes);
    },
    async stop() {
      if (given) for (const name of created) await dropDatabase(client, name);
      await client.end();
      await embedded?.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const ROWS_WRITTEN = `select sum(n_tup_ins)::float8 as "rows inserted", sum(n_tup_upd)::float8 as "rows updated",
  sum(n_tup_del)::float8 as "rows deleted" from pg_stat_user_tables`;

/** Written so far in a database. Sessions hand in their counts when they end, or have been idle for 10 s. */
export const rowsWritten = async (databaseUrl: string): Promise<Figures> =>
  await withClient(databaseUrl, async (client) => (await client.query<Figures>(ROWS_WRITTEN)).rows[0] ?? {});
