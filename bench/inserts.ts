// What accepting is measured against besides the bare route: one client after the other inserting by itself.
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { withClient } from "../packages/server/src/testing/client.ts";
import { startBuiltGateway } from "./children.ts";
import type { Place } from "./place.ts";
import { SETTINGS } from "./settings.ts";

/**
 * Transactions a second by 16 clients, of the same two rows as accepting writes: a message and its queue row, by the simple
 * protocol, into our own tables.
 */
export type Inserts = {
  name: string;
  rate(seconds: number): Promise<number>;
  /** One client, so many a second; resolves to how many there were. */
  quietly(perSecond: number, seconds: number): Promise<number>;
};

const CLIENTS = 16;

/** Runs pgbench where there is one, else the same loop by `pg`. Its tables are in a database of their own. */
export async function openInserts(place: Place): Promise<Inserts> {
  const url = await place.createDatabase("waypost_bound");
  const gateway = await startBuiltGateway(
    { ...SETTINGS, DATABASE_URL: url, PROVIDER_BASE_URL: "http://127.0.0.1:9" },
    "api",
  );
  await gateway.stop();
  const role = await withClient(url, async (client) => {
    const { rows } = await client.query<{ engine_role: string }>("select engine_role from installation");
    const engine = rows[0]?.engine_role ?? "";
    await client.query(`grant "${engine}" to current_user`);
    return engine;
  });
  const pgbench = findPgbench();
  return {
    name: pgbench ? "pgbench -c 16 -j 2" : "by pg, 16 clients",
    rate: (seconds) => (pgbench ? byPgbench(pgbench, url, role, seconds) : byLoop(url, role, seconds)),
    quietly: (perSecond, seconds) => byTimer(url, role, perSecond, seconds),
  };
}

const WORKSPACE = "'01980000-0000-7000-8000-000000000001'";
const MESSAGE = `insert into message (workspace_id, id, outbound, phone_number_id, contact_id, recipient, sender, type, content, category, template_id, sequence, created_at)
values (${WORKSPACE}, new_uuid(now()), true, gen_random_uuid(), md5((random() * 2000)::int::text)::uuid, '+14152000000', '+15550000000', 'template', '{"name":"order_ready","language":{"code":"en_US"}}', 'utility', gen_random_uuid(), nextval('conversation_sequence'), now())`;
const QUEUE_ROW = `insert into dispatch (slot, lane, workspace_id, message_id, recipient)
values ((random() * 63)::int, (random() * 63)::int, ${WORKSPACE}, gen_random_uuid(), (random() * 2000)::int)`;

const TRANSACTION = ["begin", MESSAGE, QUEUE_ROW, "commit"];

function findPgbench(): string | null {
  const installed = "/usr/lib/postgresql";
  const folders = existsSync(installed) ? readdirSync(installed).map((version) => join(installed, version, "bin")) : [];
  const found = [...(process.env["PATH"] ?? "").split(":"), ...folders].map((folder) => join(folder, "pgbench"));
  return found.find((file) => existsSync(file)) ?? null;
}

async function byPgbench(pgbench: string, url: string, role: string, seconds: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "waypost-bench-script-"));
  const script = join(folder, "script.sql");
  // A statement a line: pgbench ends them at semicolons.
  writeFileSync(script, TRANSACTION.map((statement) => `${statement.replaceAll("\n", " ")};\n`).join(""));
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

async function byLoop(url: string, role: string, seconds: number): Promise<number> {
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
      for (; performance.now() < until; count += 1) for (const text of TRANSACTION) await client.query(text);
      await client.end();
      return count;
    }),
  );
  return done.reduce((sum, count) => sum + count, 0) / seconds;
}

async function byTimer(url: string, role: string, perSecond: number, seconds: number): Promise<number> {
  const client = new pg.Client({ connectionString: url, options: `-c role=${role}` });
  await client.connect();
  const startedAt = performance.now();
  for (let n = 0; n < perSecond * seconds; n += 1) {
    await sleep(Math.max(0, startedAt + (n * 1_000) / perSecond - performance.now()));
    for (const text of TRANSACTION) await client.query(text);
  }
  await client.end();
  return perSecond * seconds;
}
