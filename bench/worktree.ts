import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Build, THIS_BUILD } from "./children.ts";

const run = promisify(execFile);
const git = async (...args: string[]): Promise<string> =>
  (await run("git", ["-C", THIS_BUILD.root, ...args])).stdout.trim();

/** A folder for the build of another commit; `remove` may be called at any time. */
export type Worktree = { commit: string; build(): Promise<Build>; remove(): Promise<void> };

export async function worktreeOf(revision: string): Promise<Worktree> {
  const commit = await git("rev-parse", "--short", `${revision}^{commit}`);
  const parent = mkdtempSync(join(tmpdir(), "waypost-before-"));
  const root = join(parent, "waypost");
  return {
    commit,
    async build() {
      await git("worktree", "add", "--detach", root, commit);
      // Where the packages differ, the build finds none and installs its own.
      if (lockOf(root) === lockOf(THIS_BUILD.root)) linkPackages(root);
      await run(process.execPath, ["scripts/build.mjs"], { cwd: root });
      return { name: "before", root };
    },
    async remove() {
      rmSync(parent, { recursive: true, force: true });
      await git("worktree", "prune");
    },
  };
}

const lockOf = (root: string): string => readFileSync(join(root, "package-lock.json"), "utf8");

/** All but our own packages, which must be those of the worktree. */
function linkPackages(root: string): void {
  const installed = join(THIS_BUILD.root, "node_modules");
  const own = join(root, "node_modules", OWN);
  mkdirSync(own, { recursive: true });
  for (const name of readdirSync(installed))
    if (name !== OWN) symlinkSync(join(installed, name), join(root, "node_modules", name));
  for (const name of readdirSync(join(root, "packages"))) {
    symlinkSync(join("../../packages", name), join(own, name));
    const nested = join(THIS_BUILD.root, "packages", name, "node_modules");
    if (existsSync(nested)) symlinkSync(nested, join(root, "packages", name, "node_modules"));
  }
}

const OWN = "@waypost";
