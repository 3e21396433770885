// What accepting is measured against besides the bare route: one client after the other inserting by itself.
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { withClient } from "../packages/server/src/testing/client.ts";
import { startBuiltGateway } from "./children.ts";
import type { Place } from "./place.ts";
import { SETTINGS } from "./settings.ts";

/** Transactions a second by 16 clients, of two one-row inserts each by the simple protocol. */
export type Inserts = {
  name: string;
  /** The same two as accepting makes: a message and its queue row, into our own tables. */
  same(seconds: number): Promise<number>;
  /** Into two tables without anything: an id, a uuid and 200 bytes. */
  plain(seconds: number): Promise<number>;
};

const CLIENTS = 16;
const transaction = (...inserts: string[]): string[] => ["begin", ...inserts, "commit"];

/** Runs pgbench where there is one, else the same loop by `pg`. Its tables are in a database of their own. */
export async function openInserts(place: Place): Promise<Inserts> {
  const url = await place.createDatabase("waypost_bound");
  const gateway = await startBuiltGateway(
    { ...SETTINGS, DATABASE_URL: url, PROVIDER_BASE_URL: "http://127.0.0.1:9" },
    "api",
  );
  await gateway.stop();
  const role = await withClient(url, async (client) => {
    await client.query(PLAIN_TABLES);
    const { rows } = await client.query<{ engine_role: string }>("select engine_role from installation");
    const engine = rows[0]?.engine_role ?? "";
    await client.query(`grant "${engine}" to current_user`);
    return engine;
  });
  const pgbench = findPgbench();
  const run = async (statements: readonly string[], seconds: number): Promise<number> =>
    pgbench ? await byPgbench(pgbench, url, role, statements, seconds) : await byLoop(url, role, statements, seconds);
  return {
    name: pgbench ? "pgbench -c 16 -j 2" : "the same inserts by pg, 16 clients",
    same: (seconds) => run(transaction(MESSAGE, QUEUE_ROW), seconds),
    plain: (seconds) => run(transaction(PLAIN("plain_one"), PLAIN("plain_two")), seconds),
  };
}

const PLAIN_TABLES = `create table if not exists plain_one (id bigserial primary key, a uuid not null, b text not null);
create table if not exists plain_two (id bigserial primary key, a uuid not null, b text not null);
grant insert on plain_one, plain_two to public;
grant usage on plain_one_id_seq, plain_two_id_seq to public`;
const PLAIN = (table: string): string => `insert into ${table} (a, b) values (gen_random_uuid(), repeat('x', 200))`;

const WORKSPACE = "'01980000-0000-7000-8000-000000000001'";
const MESSAGE = `insert into message (workspace_id, id, outbound, phone_number_id, contact_id, recipient, sender, type, content, category, template_id, sequence, created_at)
values (${WORKSPACE}, new_uuid(now()), true, gen_random_uuid(), md5((random() * 2000)::int::text)::uuid, '+14152000000', '+15550000000', 'template', '{"name":"order_ready","language":{"code":"en_US"}}', 'utility', gen_random_uuid(), nextval('conversation_sequence'), now())`;
const QUEUE_ROW = `insert into dispatch (slot, lane, workspace_id, message_id, recipient)
values ((random() * 63)::int, (random() * 63)::int, ${WORKSPACE}, gen_random_uuid(), (random() * 2000)::int)`;

function findPgbench(): string | null {
  const installed = "/usr/lib/postgresql";
  const folders = existsSync(installed) ? readdirSync(installed).map((version) => join(installed, version, "bin")) : [];
  const found = [...(process.env["PATH"] ?? "").split(":"), ...folders].map((folder) => join(folder, "pgbench"));
  return found.find((file) => existsSync(file)) ?? null;
}

async function byPgbench(
  pgbench: string,
  url: string,
  role: string,
  statements: readonly string[],
  seconds: number,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "waypost-bench-script-"));
  const script = join(folder, "script.sql");
  // A statement a line: pgbench ends them at semicolons.
  writeFileSync(script, statements.map((statement) => `${statement.replaceAll("\n", " ")};\n`).join(""));
  try {
    const arguments_ = ["-n", "-c", String(CLIENTS), "-j", "2", "-T", String(seconds), "-f", script, url];
    const { stdout } = await promisify(execFile)(pgbench, arguments_, {
      env: { ...process.env, PGOPTIONS: `-c role=${role}` },
    });
    return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function byLoop(url: string, role: string, statements: readonly string[], seconds: number): Promise<number> {
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const client = new pg.Client({ connectionString: url, options: `-c role=${role}` });
      await client.connect();
      return client;
    }),
  );
  const until = performance.now() + seconds * 1_000;
  const done = await Promise.all(
    clients.map(async (client) => {
      let count = 0;
      for (; performance.now() < until; count += 1) for (const text of statements) await client.query(text);
      await client.end();
      return count;
    }),
  );
  return done.reduce((sum, count) => sum + count, 0) / seconds;
}
