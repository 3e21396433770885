import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The version that an upgrade begins at: the last commit before the indexes of the queues changed. A release moves it. */
const BEFORE = "4840ce390a08c45eaeed0f1f4ebaa29348155d45";

export type Sources = {
  /** Runs `waypost serve` of that version. */
  serve: string;
  remove(): Promise<void>;
};

/** The sources of a version before, with its packages from the registry; the reason why not where history has no such commit. */
export async function sourcesBefore(commit = BEFORE): Promise<Sources | string> {
  try {
    await run("git", ["-C", ROOT, "cat-file", "-e", `${commit}^{commit}`]);
  } catch {
    return `this checkout has no history that reaches ${commit.slice(0, 7)}, the version to upgrade from`;
  }
  const folder = await mkdtemp(join(tmpdir(), "waypost-before-"));
  const archive = join(folder, "before.tar");
  await run("git", [
    "-C",
    ROOT,
    "archive",
    `--output=${archive}`,
    commit,
    "package.json",
    "package-lock.json",
    "packages",
    "tests/process",
  ]);
  await run("tar", ["-xf", archive, "-C", folder]);
  await installed(folder);
  return {
    serve: join(folder, "tests/process/serve.ts"),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Its own packages: ours where its lockfile is the same, else as it names them, but for the database server, which is not started. */
async function installed(folder: string): Promise<void> {
  const [theirs, ours] = await Promise.all([folder, ROOT].map((at) => readFile(join(at, "package-lock.json"), "utf8")));
  if (theirs === ours) return await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  await run("npm", ["ci", "--omit=dev", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
  });
}
