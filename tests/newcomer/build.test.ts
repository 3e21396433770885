import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

// What building leaves behind, in a copy of what the server is built from.

const ROOT = join(import.meta.dirname, "../..");
const COPIED = ["scripts", "packages/cli/bin", "tsconfig.base.json", "package.json", "package-lock.json"];
const OF_SERVER = ["src", "tsconfig.json", "package.json"];
const run = promisify(execFile);

let copy: string;

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "waypost-build-"));
  await mkdir(join(copy, "packages/server"), { recursive: true });
  const paths = [...COPIED, ...OF_SERVER.map((name) => join("packages/server", name))];
  for (const path of paths) await cp(join(ROOT, path), join(copy, path), { recursive: true });
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
});

afterAll(() => rm(copy, { recursive: true, force: true }));

/** Builds, and gives what the processes are called that the build's own process still has then. */
async function childrenAfterBuild(): Promise<string[]> {
  const text = `
    import { execFileSync } from "node:child_process";
    const { ensureBuilt } = await import("./scripts/compile.mjs");
    await ensureBuilt();
    const all = execFileSync("ps", ["-A", "-o", "ppid=,args="], { encoding: "utf8" }).split("\\n");
    console.log(JSON.stringify(all.filter((line) => Number.parseInt(line, 10) === process.pid)));`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "--eval", text], { cwd: copy });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as string[];
}

test("a build leaves no process beside what runs after it", async () => {
  const left = await childrenAfterBuild();
  // One that ends, or has ended, may still be listed: its name stands in brackets, for it has no arguments any more.
  expect(left.filter((line) => !/ps -A|<defunct>|^\s*\d+ \[.*\]$/.test(line))).toEqual([]);
});
