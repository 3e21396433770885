// `npm run check`: everything that needs no database, in seconds. One line for each tool; its output only when it fails.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled } from "./install.mjs";
import { ROOT, run, runMain, runTool, secondsSince } from "./run.mjs";

/** Two of them use all cores, the others one each: a third fills what those leave. */
const AT_ONCE = 3;

/** What tools keep of their last run, by the contents of files: they look again at what has changed since, and at all that it touches. */
const CACHE = "node_modules/.cache/check";

// The linter of the API document would report each run to its maker, and ask for newer versions of itself.
Object.assign(process.env, { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" });

const words = (line) => line.split(" ");

/** The longest first, so that none is left alone at the end. */
const CHECKS = [
  { name: "lint", start: () => runTool("oxlint/bin/oxlint", ["--type-aware", "--quiet"]) },
  {
    name: "types",
    start: () =>
      runTool(
        "@typescript/native/bin/tsc",
        words(`--noEmit -p tsconfig.json --incremental --tsBuildInfoFile ${CACHE}/types.tsbuildinfo`),
      ),
  },
  {
    name: "console's types",
    start: () =>
      runTool(
        "@typescript/native/bin/tsc",
        words(`--noEmit -p packages/console --incremental --tsBuildInfoFile ${CACHE}/console.tsbuildinfo`),
      ),
  },
  {
    name: "simulator's pages' types",
    start: () =>
      runTool(
        "@typescript/native/bin/tsc",
        words(`--noEmit -p packages/simulator/web --incremental --tsBuildInfoFile ${CACHE}/pages.tsbuildinfo`),
      ),
  },
  {
    name: "generated files",
    script: "scripts/generate.mjs",
    start: () => run(process.execPath, ["scripts/generate.mjs", "--check"]),
  },
  {
    name: "imports",
    start: () =>
      runTool("dependency-cruiser/bin/dependency-cruise.mjs", [
        ...words("packages tests bench faults --config .dependency-cruiser.cjs"),
        ...words(`--cache ${CACHE}/imports --cache-strategy content`),
        // With the comment of a broken rule, which says what to do instead.
        ...words("--output-type err-long"),
      ]),
  },
  { name: "dead code", start: () => runTool("knip/bin/knip.js", ["--no-progress"]) },
  { name: "format", start: () => runTool("@biomejs/biome/bin/biome", ["check", "--max-diagnostics=50"]) },
  {
    name: "API document",
    start: () =>
      runTool("@redocly/cli/bin/cli.js", words("lint openapi.json --config redocly.yaml --lint-config error")),
  },
  {
    name: "words",
    script: "scripts/check-words.mjs",
    start: () => run(process.execPath, ["scripts/check-words.mjs"]),
  },
  { name: "pages", start: () => runTool("vitest/vitest.mjs", ["run", "--root", "tests/newcomer"]) },
];

await runMain(async () => {
  const started = performance.now();
  await ensureInstalled();
  const waiting = CHECKS.filter(({ script }) => script === undefined || existsSync(join(ROOT, script)));
  const failed = [];
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      if (!(await passes(check))) failed.push(check.name);
    }
  });
  await Promise.all(workers);
  console.log(`all in ${secondsSince(started)}`);
  if (failed.length > 0) throw new Error(`check failed: ${failed.join(", ")}`);
});

async function passes({ name, start }) {
  const started = performance.now();
  const { code, output } = await start();
  console.log(`${code === 0 ? "✓" : "✗"} ${name.padEnd(16)} ${secondsSince(started)}`);
  if (code !== 0) console.log(output.trimEnd());
  return code === 0;
}
