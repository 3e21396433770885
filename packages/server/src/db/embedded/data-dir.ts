import { createHash } from "node:crypto";
import { chmod, readFile, realpath, rename, rmdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeDirectories } from "./directory.ts";
import { EmbeddedDatabaseError, errorCode } from "./error.ts";
import { canEnter, chooseUser, type DatabaseUser } from "./user.ts";

/** In the data directory: the path of the home, when that is elsewhere. */
const POINTER = "postgres.location";

/**
 * The home contains all files of the embedded server: `cluster/` (its data), `socket/`, settings, log. It belongs to this
 * process's user and only `cluster` and `socket` to the database's user, so that root never writes where another user could
 * create a link.
 */
export type Place = { home: string; clusterDir: string; user: DatabaseUser };

/** Finds or creates the home of `dataDir`'s database, and chooses the user that runs it. */
export async function findPlace(dataDir: string, fallbackRoot: string): Promise<Place> {
  await makeDirectories(dataDir);
  const root = await realpath(dataDir);
  const pointed = await readPointer(root);
  if (pointed !== null) return await placeAt(pointed);

  const home = join(root, "postgres");
  const made = await makeDirectory(home);
  const place = await placeAt(home);
  if (await canEnter(place.user, home)) return place;
  if (await exists(place.clusterDir)) {
    // An empty cluster elsewhere would look like lost data.
    throw new EmbeddedDatabaseError(
      `The database in ${home} cannot be reached by its user ${place.user?.name}: let that user enter each directory above it.`,
    );
  }
  if (made) await rmdir(home);
  return await placeElsewhere(root, fallbackRoot);
}

async function placeAt(home: string): Promise<Place> {
  const clusterDir = join(home, "cluster");
  const owner = await stat(clusterDir).then(
    (found) => found.uid,
    (error: unknown) => {
      if (errorCode(error) === "ENOENT") return null;
      throw error;
    },
  );
  return { home, clusterDir, user: await chooseUser(owner) };
}

async function placeElsewhere(root: string, fallbackRoot: string): Promise<Place> {
  await makeDirectory(fallbackRoot);
  const hash = createHash("sha256").update(root).digest("hex").slice(0, 16);
  const home = join(await realpath(fallbackRoot), hash);
  await makeDirectory(home);
  const place = await placeAt(home);
  if (!(await canEnter(place.user, home))) {
    throw new EmbeddedDatabaseError(
      `User ${place.user?.name}, who would run PostgreSQL, can enter neither ${root} nor ${home}: start as another user, name another directory in WAYPOST_DATA_DIR, or set DATABASE_URL.`,
    );
  }
  // The home is created before the pointer: a pointer without a home means that the data were removed.
  const draft = join(root, `${POINTER}.${process.pid}`);
  await writeFile(draft, `${home}\n`);
  await rename(draft, join(root, POINTER));
  return place;
}

async function readPointer(root: string): Promise<string | null> {
  const pointer = join(root, POINTER);
  const home = await readFile(pointer, "utf8").then(
    (text) => text.trim(),
    (error: unknown) => {
      if (errorCode(error) === "ENOENT") return null;
      throw error;
    },
  );
  if (home !== null && !(await exists(home))) {
    throw new EmbeddedDatabaseError(
      `${pointer} says that the database is in ${home}, which is gone: bring it back, or delete ${pointer} to begin with an empty one.`,
    );
  }
  return home;
}

/** True when it was created now. Whatever the umask, the database's user must be able to enter it. */
async function makeDirectory(path: string): Promise<boolean> {
  const made = await makeDirectories(path);
  if (made) await chmod(path, 0o755);
  return made;
}

export async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    (error: unknown) => {
      if (errorCode(error) === "ENOENT") return false;
      throw error;
    },
  );
}
