import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { withClient } from "../../testing/client.ts";
import { runEmbeddedChild } from "../../testing/embedded-process.ts";
import { findPackage, findServer } from "./binaries.ts";
import { findPlace } from "./data-dir.ts";
import { type EmbeddedDatabase, startEmbedded } from "./embedded.ts";
import { inspectProcess } from "./process.ts";
import { canEnter } from "./user.ts";

const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
const cleanups: Array<() => Promise<unknown>> = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

describe("an embedded database", () => {
  it("starts, keeps its data over a restart and gives the gateway a plain login", async () => {
    const dataDir = await makeDirectory();
    const steps: string[] = [];
    const first = await startEmbedded({ dataDir, onProgress: (line) => steps.push(line) });
    cleanups.push(first.stop);
    expect(steps.slice(-2)).toEqual([
      expect.stringContaining("creating the database files"),
      "starting PostgreSQL 18.4",
    ]);
    const [role] = await query(
      first.url,
      `select rolsuper, rolcreaterole, rolbypassrls, current_setting('fsync') as fsync,
              (select datdba = r.oid from pg_database where datname = current_database()) as owner
         from pg_roles r where rolname = current_user`,
    );
    expect(role).toEqual({ rolsuper: false, rolcreaterole: true, rolbypassrls: false, fsync: "on", owner: true });
    await query(first.url, "create table kept as select 'Ünï' as word");
    await Promise.all([first.stop(), first.stop()]);
    expect(await isAlive(first.pid)).toBe(false);

    const second = await start(dataDir);
    expect(second.url).toBe(first.url);
    expect(await query(second.url, "select upper(word) as word from kept")).toEqual([{ word: "ÜNÏ" }]);
  });

  it("listens on a socket that only its user can reach, and keeps its secret from others", async () => {
    const dataDir = await makeDirectory();
    const database = await start(dataDir);
    const home = join(await realpath(dataDir), "postgres");
    for (const [path, mode] of [
      ["socket", 0o700],
      ["cluster", 0o700],
      ["cluster/waypost.secret", 0o600],
      ["postgres.log", 0o600],
    ] as const) {
      expect([path, (await stat(join(home, path))).mode & 0o777]).toEqual([path, mode]);
    }
    expect(await query(database.url, "show listen_addresses")).toEqual([{ listen_addresses: "" }]);
    const wrong = new URL(database.url);
    wrong.password = "wrong";
    await expect(query(wrong.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
  });

  it("writes no statement and no value of a client into its log", async () => {
    const dataDir = await makeDirectory();
    const database = await start(dataDir);
    await query(database.url, "create table person (phone text primary key)");
    await query(database.url, "insert into person values ('+15550001111')");
    await expect(query(database.url, "insert into person values ('+15550001111')")).rejects.toThrow(/duplicate key/);
    await expect(query(database.url, "select '+15550001111'::int")).rejects.toThrow(/out of range/);
    expect(await readFile(join(dataDir, "postgres/postgres.log"), "utf8")).not.toContain("15550001111");
  });

  it("refuses a second supervisor while the first one lives", async () => {
    const dataDir = await makeDirectory();
    const first = await start(dataDir);
    await expect(startEmbedded({ dataDir, durable: false })).rejects.toThrow(/in use by another running Waypost/);
    expect(await query(first.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  it("ends with one server when two first starts race", async () => {
    const dataDir = await makeDirectory();
    const starts = [runChild(dataDir), runChild(dataDir)];
    const results = await Promise.allSettled(starts.map(async (child) => await (await child).ready));
    expect(results.map((result) => result.status).sort()).toEqual(["fulfilled", "rejected"]);
    const loser = results.find((result) => result.status === "rejected");
    expect(String(loser?.reason)).toMatch(/in use by another running Waypost/);
  });
});

describe("after a crash", () => {
  it("starts at once after kill -9 of the server, and informs its owner", async () => {
    const dataDir = await makeDirectory();
    const database = await start(dataDir);
    await query(database.url, "create table kept as select 1 as n");
    const reason = new Promise<string>((resolve) => database.onUnexpectedExit(resolve));
    process.kill(database.pid, "SIGKILL");
    expect(await reason).toMatch(/ended unexpectedly/);
    const next = await start(dataDir);
    expect(next.url).toBe(database.url);
    expect(next.pid).not.toBe(database.pid);
    expect(await query(next.url, "select n from kept")).toEqual([{ n: 1 }]);
    await database.stop();
    expect(await isAlive(next.pid)).toBe(true);
  });

  it("reconnects when one backend is killed and the server recovers", async () => {
    const database = await start(await makeDirectory());
    let reported = false;
    database.onUnexpectedExit(() => (reported = true));
    const [backend] = await query(
      database.adminUrl,
      "select pid from pg_stat_activity where application_name = 'waypost supervisor'",
    );
    process.kill(Number(backend?.pid), "SIGKILL");
    await expect.poll(() => supervisorLocks(database)).toBe(1);
    expect(reported).toBe(false);
  });

  it("adopts the server when only its parent was killed", async () => {
    const dataDir = await makeDirectory();
    const child = await runChild(dataDir);
    const before = await child.ready;
    await query(before.url, "create table kept as select 1 as n");
    await child.kill();
    const after = await start(dataDir);
    expect(after).toMatchObject({ origin: "adopted", pid: before.pid, url: before.url });
    expect(await query(after.url, "select n from kept")).toEqual([{ n: 1 }]);
    await after.stop();
    expect(await isAlive(before.pid)).toBe(false);
  });

  it("keeps every acknowledged row when parent and server are killed together", async () => {
    const dataDir = await makeDirectory();
    const child = await runChild(dataDir);
    const before = await child.ready;
    await query(before.url, "create table kept (n int primary key)");
    const acknowledged = await insertUntil(before.url, 200, async () => {
      process.kill(before.pid, "SIGKILL");
      await child.kill();
    });
    const after = await start(dataDir);
    const rows = await query(after.url, "select count(*)::int as n from kept");
    expect(after.origin).toBe("started");
    expect(rows[0]?.n).toBeGreaterThanOrEqual(acknowledged);
  });

  it("replaces a leftover server that runs with other settings", async () => {
    const dataDir = await makeDirectory();
    const child = await runChild(dataDir);
    const before = await child.ready;
    await child.kill();
    const after = await startEmbedded({ dataDir });
    cleanups.push(after.stop);
    expect(after.origin).toBe("started");
    expect(await isAlive(before.pid)).toBe(false);
    expect(await query(after.url, "show fsync")).toEqual([{ fsync: "on" }]);
  });

  it("ignores a process id that belongs to another process now, and an interrupted creation", async () => {
    const dataDir = await makeDirectory();
    const home = join(dataDir, "postgres");
    await mkdir(join(home, "draft-999999999"), { recursive: true });
    const first = await start(dataDir);
    expect((await readdir(home)).filter((name) => name.startsWith("draft"))).toEqual([]);
    await first.stop();
    await writeFile(join(home, "cluster/postmaster.pid"), `${process.pid}\n${home}/cluster\n`);
    const second = await start(dataDir);
    expect(second.origin).toBe("started");
  });
});

describe("an unusual place", () => {
  it("refuses the files of another major version and leaves them alone", async () => {
    const dataDir = await makeDirectory();
    await (await start(dataDir)).stop();
    await writeFile(join(dataDir, "postgres/cluster/PG_VERSION"), "17\n");
    await expect(startEmbedded({ dataDir, durable: false })).rejects.toThrow(/created by PostgreSQL 17 .* contains 18/);
  });

  it("says in one line that a file is in the way", async () => {
    const dataDir = join(await makeDirectory(), "data");
    await writeFile(dataDir, "");
    await expect(startEmbedded({ dataDir })).rejects.toThrow(
      /^The data directory .*\/data cannot be used: a file is in the way.*\.$/,
    );
  });

  it("creates the package's library links and copies the files that its user cannot reach", async () => {
    const found = await findPackage();
    const root = await mkdtemp(join(tmpdir(), "waypost-package-"));
    cleanups.push(() => rm(root, { recursive: true }));
    const links = JSON.parse(await readFile(join(found.root, "native/pg-symlinks.json"), "utf8")) as Array<{
      target: string;
    }>;
    const targets = new Set(links.map(({ target }) => join(found.root, target)));
    const filter = (path: string) => !targets.has(path);
    await cp(join(found.root, "native"), join(root, "native"), { recursive: true, verbatimSymlinks: true, filter });
    const place = await findPlace(await makeDirectory(), root);
    const server = await findServer(place, () => {}, { ...found, root });
    const expected = isRoot ? join(place.home, `server-${found.packageVersion}`) : root;
    expect(server).toMatchObject({ postgres: join(expected, "native/bin/postgres"), version: "18.4", major: 18 });
    expect(await findServer(place, () => {}, { ...found, root })).toEqual(server);
  });

  it.runIf(isRoot)("moves in elsewhere, behind a pointer, when its user cannot reach the data directory", async () => {
    const closed = await makeDirectory();
    await chmod(closed, 0o700);
    const fallbackRoot = join(await makeDirectory(), "waypost");
    const dataDir = join(closed, "data");
    const first = await startEmbedded({ dataDir, fallbackRoot, durable: false });
    cleanups.push(first.stop);
    await query(first.url, "create table kept as select 1 as n");
    await first.stop();
    const home = (await readFile(join(dataDir, "postgres.location"), "utf8")).trim();
    expect(home.startsWith(`${await realpath(fallbackRoot)}/`)).toBe(true);
    expect(await readdir(dataDir)).toEqual(["postgres.location"]);

    const second = await startEmbedded({ dataDir, fallbackRoot, durable: false });
    cleanups.push(second.stop);
    expect(await query(second.url, "select n from kept")).toEqual([{ n: 1 }]);
    await second.stop();
    await rm(home, { recursive: true });
    await expect(startEmbedded({ dataDir, fallbackRoot })).rejects.toThrow(/which is gone/);
  });

  it("works where the socket's path would be too long", async () => {
    const dataDir = join(await makeDirectory(), "long".repeat(25), "it's, odd");
    const database = await start(dataDir);
    expect(new URL(database.url).searchParams.get("host")).toMatch(/^\/tmp\/waypost-[0-9a-f]{16}$/);
    cleanups.push(() => rm(new URL(database.url).searchParams.get("host")!, { recursive: true }), database.stop);
    expect(await query(database.url, "select 1 as one")).toEqual([{ one: 1 }]);
  });
});

/** Otherwise the tests above have proved it, or that user cannot read the sources. */
const canBeNobody = isRoot && (await canEnter({ uid: NOBODY, gid: NOBODY, name: "nobody" }, import.meta.dirname));

describe.runIf(canBeNobody)("as an ordinary user", () => {
  it("runs as that user, and says in one line that a directory is read-only", async () => {
    const dataDir = await makeDirectory();
    await chown(dataDir, NOBODY, NOBODY);
    const child = await runChild(dataDir, NOBODY);
    const { url, pid } = await child.ready;
    expect((await stat(`/proc/${pid}`)).uid).toBe(NOBODY);
    expect(await query(url, "select 1 as one")).toEqual([{ one: 1 }]);
    await child.stop();
    expect(await isAlive(pid)).toBe(false);

    const closed = await makeDirectory();
    await chmod(closed, 0o555);
    const refused = await runChild(closed, NOBODY);
    await expect(refused.ready).rejects.toThrow(
      /^The data directory .* cannot be used at .*: permission denied\. [^\n]*\n$/,
    );
  });
});

/** Passable for the database's user, which `mkdtemp` alone is not. */
async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "waypost-embedded-"));
  await chmod(directory, 0o755);
  cleanups.push(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

async function start(dataDir: string): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDir, durable: false });
  cleanups.push(database.stop);
  return database;
}

async function runChild(dataDir: string, uid?: number) {
  const child = await runEmbeddedChild(dataDir, uid);
  cleanups.push(child.stop);
  return child;
}

async function query(url: string, text: string): Promise<Array<Record<string, unknown>>> {
  return await withClient(url, async (client) => (await client.query<Record<string, unknown>>(text)).rows);
}

/** Inserts one committed row after the other, calls `act` after `count` of them, and goes on to the first failure. */
async function insertUntil(url: string, count: number, act: () => Promise<void>): Promise<number> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  let acting: Promise<void> | undefined;
  for (let n = 0; ; n++) {
    if (n === count) acting = act();
    const inserted = await client.query("insert into kept values ($1)", [n]).then(
      () => true,
      () => false,
    );
    if (inserted) continue;
    await acting;
    return n;
  }
}

async function supervisorLocks(database: EmbeddedDatabase): Promise<number> {
  const text = "select count(*)::int as n from pg_locks where locktype = 'advisory' and granted";
  const rows = await query(database.adminUrl, text).catch(() => []);
  return Number(rows[0]?.n);
}

/** A killed orphan is a zombie until its new parent collects it. */
async function isAlive(pid: number): Promise<boolean> {
  return (await inspectProcess(pid)).state === "live";
}
