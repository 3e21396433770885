// `npm run check`: everything that needs no database, in seconds. One line for each tool; its output only when it fails.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled } from "./install.mjs";
import { ROOT, run, runMain, runTool, secondsSince } from "./run.mjs";

/** Two tools at a time: each of them uses threads of its own. */
const AT_ONCE = 2;

// The linter of the API document would report each run to its maker, and ask for newer versions of itself.
Object.assign(process.env, { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" });

const CHECKS = [
  { name: "types", start: () => runTool("@typescript/native/bin/tsc", ["--noEmit", "-p", "tsconfig.json"]) },
  { name: "lint", start: () => runTool("oxlint/bin/oxlint", ["--type-aware", "--quiet"]) },
  {
    name: "imports",
    start: () =>
      runTool("dependency-cruiser/bin/dependency-cruise.mjs", [
        "packages",
        "tests",
        "bench",
        "faults",
        "--config",
        ".dependency-cruiser.cjs",
        // With the comment of a broken rule, which says what to do instead.
        "--output-type",
        "err-long",
      ]),
  },
  { name: "dead code", start: () => runTool("knip/bin/knip.js", ["--no-progress"]) },
  { name: "format", start: () => runTool("@biomejs/biome/bin/biome", ["check", "--max-diagnostics=50"]) },
  {
    name: "API document",
    start: () =>
      runTool("@redocly/cli/bin/cli.js", [
        "lint",
        "openapi.json",
        "--config",
        "redocly.yaml",
        "--lint-config",
        "error",
      ]),
  },
  {
    name: "words",
    script: "scripts/check-words.mjs",
    start: () => run(process.execPath, ["scripts/check-words.mjs"]),
  },
  { name: "pages", start: () => runTool("vitest/vitest.mjs", ["run", "--root", "tests/newcomer"]) },
  {
    name: "generated files",
    script: "scripts/generate.mjs",
    start: () => run(process.execPath, ["scripts/generate.mjs", "--check"]),
  },
];

await runMain(async () => {
  await ensureInstalled();
  const waiting = CHECKS.filter(({ script }) => script === undefined || existsSync(join(ROOT, script)));
  const failed = [];
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      if (!(await passes(check))) failed.push(check.name);
    }
  });
  await Promise.all(workers);
  if (failed.length > 0) throw new Error(`check failed: ${failed.join(", ")}`);
});

async function passes({ name, start }) {
  const started = performance.now();
  const { code, output } = await start();
  console.log(`${code === 0 ? "✓" : "✗"} ${name.padEnd(16)} ${secondsSince(started)}`);
  if (code !== 0) console.log(output.trimEnd());
  return code === 0;
}
