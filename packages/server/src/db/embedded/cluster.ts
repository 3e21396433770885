import { execFile } from "node:child_process";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { chmod, chown, lstat, mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Server } from "./binaries.ts";
import { exists, type Place } from "./data-dir.ts";
import { EmbeddedDatabaseError, errorCode } from "./error.ts";
import { inspectProcess } from "./process.ts";
import { HOST_BASED_ACCESS, PORT, renderSettings } from "./settings.ts";
import { asUser, CLEAN_ENVIRONMENT, type DatabaseUser } from "./user.ts";

const run = promisify(execFile);

export const SUPERUSER = "postgres";
/** Inside the cluster's directory, so that a cluster and its password are created, moved and deleted together. */
const SECRET_FILE = "waypost.secret";
/** Longest socket path that both Linux (107 bytes) and macOS (103) allow. */
const SOCKET_PATH_BYTES = 103;

export type Cluster = Place & {
  socketDir: string;
  settingsFile: string;
  accessFile: string;
  logFile: string;
  /** True when a running server was started with other settings than those on disk now. */
  settingsChanged: boolean;
  password(login: string): string;
};

type OpenOptions = { place: Place; server: Server; durable: boolean; onProgress: (line: string) => void };

/** Creates the cluster on the first start, refuses one of another major version, and writes this version's settings. */
export async function openCluster({ place, server, durable, onProgress }: OpenOptions): Promise<Cluster> {
  if (!(await exists(place.clusterDir))) {
    onProgress(`creating the database files in ${place.clusterDir}`);
    await createCluster(place, server, durable);
  }
  await refuseOtherMajor(place, server);
  const socketDir = await createSocketDirectory(place);
  const settingsFile = join(place.home, "postgresql.conf");
  const accessFile = join(place.home, "pg_hba.conf");
  const changed = [
    await replaceFile(settingsFile, renderSettings({ socketDir, durable })),
    await replaceFile(accessFile, HOST_BASED_ACCESS),
  ];
  const secret = (await readFile(join(place.clusterDir, SECRET_FILE), "utf8")).trim();
  return {
    ...place,
    socketDir,
    settingsFile,
    accessFile,
    logFile: join(place.home, "postgres.log"),
    settingsChanged: changed.includes(true),
    password: (login) => (login === SUPERUSER ? secret : derivePassword(secret, login)),
  };
}

/** There is one stored secret; the superuser's password cannot be computed from a login's. */
function derivePassword(secret: string, login: string): string {
  return createHmac("sha256", secret).update(`login ${login}`).digest("base64url");
}

/** The password is passed neither as an argument nor in the environment, which other users can read. */
export function connectionUrl(cluster: Cluster, login: string, database: string): string {
  const query = new URLSearchParams({ host: cluster.socketDir, port: String(PORT) });
  return `postgresql://${login}:${cluster.password(login)}@localhost/${database}?${query.toString()}`;
}

/** Built under another name and renamed: after a kill at any moment the next start finds a complete cluster or none. */
async function createCluster(place: Place, server: Server, durable: boolean): Promise<void> {
  await removeLeftDrafts(place.home);
  const draft = join(place.home, `draft-${process.pid}`);
  const secretFile = `${draft}.secret`;
  await mkdir(draft, { mode: 0o700 });
  await writeFile(secretFile, randomBytes(32).toString("base64url"), { mode: 0o600 });
  await giveTo(place.user, draft);
  await giveTo(place.user, secretFile);
  try {
    await runInitdb(place, server, { draft, secretFile, durable });
    await rename(secretFile, join(draft, SECRET_FILE));
    await rename(draft, place.clusterDir);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    await rm(secretFile, { force: true });
    // Two first starts at once: the other one's cluster is used, and the supervisor's lock decides between the two.
    if (!["ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) throw error;
  }
  if (durable) await syncDirectory(place.home);
}

async function runInitdb(
  place: Place,
  server: Server,
  input: { draft: string; secretFile: string; durable: boolean },
): Promise<void> {
  const args = [
    "-D",
    input.draft,
    "-U",
    SUPERUSER,
    `--pwfile=${input.secretFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
  ];
  args.push("--no-instructions", ...(input.durable ? [] : ["--no-sync"]));
  // The server's own Unicode tables: the same order and case rules on every machine, so data can be moved between machines.
  args.push("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C");
  const options = { ...asUser(place.user), cwd: "/", env: CLEAN_ENVIRONMENT };
  try {
    // Trigrams still use the C library's definition of a letter, and in the plain C locale only ASCII has letters.
    await run(server.initdb, [...args, "--lc-ctype=C.UTF-8"], options).catch(async (error: unknown) => {
      if (!/locale/.test(stderrOf(error))) throw error;
      for (const name of await readdir(input.draft)) await rm(join(input.draft, name), { recursive: true });
      await run(server.initdb, args, options);
    });
  } catch (error) {
    const reason =
      stderrOf(error)
        .split("\n")
        .find((line) => /(error|FATAL|PANIC):/.test(line)) ?? "initdb failed";
    throw new EmbeddedDatabaseError(`The database could not be created in ${place.home}: ${reason.trim()}`, {
      cause: error,
    });
  }
}

function stderrOf(error: unknown): string {
  return error instanceof Error && "stderr" in error ? String(error.stderr) : "";
}

async function removeLeftDrafts(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const pid = Number(/^draft-(\d+)/.exec(name)?.[1]);
    if (!pid || (pid !== process.pid && (await inspectProcess(pid)).state === "live")) continue;
    await rm(join(home, name), { recursive: true, force: true });
  }
}

async function refuseOtherMajor(place: Place, server: Server): Promise<void> {
  const recorded = (await readFile(join(place.clusterDir, "PG_VERSION"), "utf8")).trim();
  if (recorded === String(server.major)) return;
  throw new EmbeddedDatabaseError(
    `The database in ${place.clusterDir} was created by PostgreSQL ${recorded} and this version of Waypost contains ${server.major}: dump it with PostgreSQL ${recorded} and load it into a new data directory.`,
  );
}

/** In the home; or under /tmp by a hash of the home, when the path is too long or contains a separator of the setting. */
async function createSocketDirectory({ home, user }: Place): Promise<string> {
  const near = join(home, "socket");
  const usable = Buffer.byteLength(`${near}/.s.PGSQL.${PORT}`) <= SOCKET_PATH_BYTES && !/[,"]/.test(near);
  const directory = usable
    ? near
    : join("/tmp", `waypost-${createHash("sha256").update(home).digest("hex").slice(0, 16)}`);
  await mkdir(directory, { mode: 0o700 }).then(
    () => giveTo(user, directory),
    (error: unknown) => {
      if (errorCode(error) !== "EEXIST") throw error;
    },
  );
  const found = await lstat(directory);
  const owners = [process.getuid?.(), user?.uid];
  // In /tmp another user may have created this name first.
  if (!found.isDirectory() || !owners.includes(found.uid)) {
    throw new EmbeddedDatabaseError(
      `${directory}, the place of the database's socket, belongs to another user: remove it.`,
    );
  }
  await giveTo(user, directory);
  await chmod(directory, 0o700);
  return directory;
}

async function giveTo(user: DatabaseUser, path: string): Promise<void> {
  if (user !== null) await chown(path, user.uid, user.gid);
}

/** True when a different text was there before. */
async function replaceFile(path: string, text: string): Promise<boolean> {
  const before = (await exists(path)) ? await readFile(path, "utf8") : null;
  if (before === text) return false;
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, text, { mode: 0o644 });
  // The database's user must be able to read it, whatever our umask.
  await chmod(draft, 0o644);
  await rename(draft, path);
  return before !== null;
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
