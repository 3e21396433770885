import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ROOT } from "./packed.ts";

const execute = promisify(execFile);

test("all that is published is made, and works without the repository", { timeout: 180_000 }, async () => {
  const { stdout } = await execute(process.execPath, ["scripts/release.mjs", "--dry-run"], { cwd: ROOT });
  expect(stdout).toMatch(/^Version \d+\.\d+\.\d+ is whole\.$/m);
  expect(existsSync(join(ROOT, "release"))).toBe(false);
});
