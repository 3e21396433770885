import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { EmbeddedDatabaseError } from "./error.ts";

/** The operating-system user that PostgreSQL runs as; null for this process's user. PostgreSQL refuses to run as root. */
export type DatabaseUser = { uid: number; gid: number; name: string } | null;

/** Tried in this order. Only existing users: the gateway does not create users on the operator's machine. */
const CANDIDATES = ["postgres", "node", "nobody"];

/** `owner` is the uid that owns the cluster's files, or null when there is no cluster yet. */
export async function chooseUser(owner: number | null): Promise<DatabaseUser> {
  const self = process.getuid?.() ?? 0;
  if (self !== 0) {
    if (owner === null || owner === self) return null;
    throw new EmbeddedDatabaseError(
      `The database files belong to user id ${owner} and this is user id ${self}: start as that user, or name another directory in WAYPOST_DATA_DIR.`,
    );
  }
  const users = await readUsers();
  if (owner !== null && owner !== 0) {
    return users.find((user) => user.uid === owner) ?? { uid: owner, gid: owner, name: `uid ${owner}` };
  }
  for (const name of CANDIDATES) {
    const user = users.find((candidate) => candidate.name === name);
    if (user !== undefined) return user;
  }
  throw new EmbeddedDatabaseError(
    `PostgreSQL does not run as root and there is no user ${CANDIDATES.join(", ")} to run it as: start as another user, or set DATABASE_URL.`,
  );
}

async function readUsers(): Promise<Array<{ uid: number; gid: number; name: string }>> {
  const lines = (await readFile("/etc/passwd", "utf8")).split("\n");
  return lines.flatMap((line) => {
    const [name, , uid, gid] = line.split(":");
    return name && uid && gid ? [{ name, uid: Number(uid), gid: Number(gid) }] : [];
  });
}

/** Options of `spawn` to run as that user. */
export function asUser(user: DatabaseUser): { uid?: number; gid?: number } {
  return user === null ? {} : { uid: user.uid, gid: user.gid };
}

/**
 * PostgreSQL inherits no environment variable: PGDATA, PGPORT and the like would change what it does, and its messages must be
 * in English because two of them are parsed.
 */
export const CLEAN_ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/** True when that user can enter the directory. Tried by a process, because mode bits do not show ACLs. */
export async function canEnter(user: DatabaseUser, directory: string): Promise<boolean> {
  if (user === null) return true;
  const options = { ...asUser(user), cwd: "/", env: CLEAN_ENVIRONMENT };
  return await new Promise((resolve) => {
    execFile("/bin/sh", ["-c", 'cd -- "$1"', "sh", directory], options, (error) => resolve(error === null));
  });
}
