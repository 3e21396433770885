// `npm test [-- vitest arguments]`: installs and builds what is missing, then runs every check and every test. Tests run after a
// failed check too, so that one run reports everything. Without checks and build: `npm run test:fast`, the tests that take
// little time, `npm run test:sql`, the tests of the database functions, and `npm run test:changed [-- commit]`, those that the changes
// since that commit touch, by default since the main branch of the origin. `npm run test:full` runs those that have a
// larger size at that, which takes many minutes. `npm run test:console [-- --all]` runs those that drive a browser; with `--all` in
// every form of every page, with a picture of each in dist/console-pictures. `npm run pictures` makes those of the README.
import { tmpdir } from "node:os";
import { changedTests, sizedTests } from "./changed-tests.mjs";
import { ensureBuilt } from "./compile.mjs";
import { ensureInstalled } from "./install.mjs";
import { memoryDisk } from "./memory-disk.mjs";
import { run, runMain, runTool, secondsSince } from "./run.mjs";

/** These start several processes each. */
const PROCESSES = "tests/process";
/** Of those, this one starts four clusters and their gateways at once: enough for the machine. */
const LABS = `${PROCESSES}/faults.test.ts`;
/** These drive a browser. */
const CONSOLE = "tests/console";
const BESIDE = ["--maxWorkers", "2"];
/** These have bounds of a second, or measure a rate: one at a time, as another that starts beside it may take that second. */
const TIMED = ["hand-over", "rate-limit", "pace"].map((name) => `${PROCESSES}/${name}.test.ts`);

/**
 * Not in the fast run: tests of installations, processes and clusters, tests that fill databases, and files that take more than
 * about 8 s because they wait for timeouts of the real length; these are named `*.slow.test.ts`.
 */
const SLOW = [
  "**/*.slow.test.ts",
  "tests/console/**",
  "tests/database/**",
  "tests/newcomer/**",
  "tests/package/**",
  "tests/process/**",
  "tests/upgrade/**",
  "packages/server/src/db/embedded/**",
];

/** What every database function must hold, and what some of them do. */
const SQL = ["functions", "hot-functions", "plans", "walls", "backlog"].map((name) => `tests/database/${name}.test.ts`);

await runMain(async () => {
  const given = process.argv.slice(2);
  await ensureInstalled();
  process.env.TMPDIR ??= (await memoryDisk()) ?? tmpdir();
  if (given[0] === "--fast") return await fast(given.slice(1));
  if (given[0] === "--changed") return await changed(given[1]);
  if (given[0] === "--sql") return await vitest([...SQL, ...given.slice(1)]);
  if (given[0] === "--pictures") return await pictures();
  if (given[0] === "--console") return await pages(given.slice(1));
  if (given[0] === "--full") return await full(given.slice(1));
  await ensureBuilt();
  const checks = await run(process.execPath, ["scripts/check.mjs"], { inherit: true });
  const tests = await runTests(given);
  return checks.code || tests;
});

async function fast(given = []) {
  const started = performance.now();
  const code = await vitest([...excluding(SLOW), ...given]);
  console.log(`The quick tests took ${secondsSince(started)}.`);
  return code;
}

async function pages(given) {
  await ensureBuilt();
  const isWhole = given[0] === "--all";
  if (isWhole) process.env.WAYPOST_CONSOLE_FORMS = "all";
  const wanted = isWhole ? given.slice(1) : given;
  const started = performance.now();
  const code = await vitest([...(wanted.length > 0 ? wanted : [CONSOLE]), ...BESIDE]);
  if (isWhole)
    console.log(
      `The pages in all their forms took ${secondsSince(started)}; their pictures are in dist/console-pictures.`,
    );
  return code;
}

/** Those of the README. */
async function pictures() {
  await ensureBuilt();
  process.env.WAYPOST_PICTURES = "1";
  return await vitest([`${CONSOLE}/pictures.test.ts`]);
}

/** One file after the other: those of processes have bounds of time, and want the machine for themselves. */
async function full(given) {
  process.env.WAYPOST_TEST_SIZE = "full";
  return await vitest([...(given.length > 0 ? given : sizedTests()), "--maxWorkers", "1"]);
}

/** The quick tests, where the change is beneath all of them, come last: what is beside it says sooner what is wrong. */
async function changed(base) {
  const { tests, all } = changedTests(base);
  if (tests.length === 0 && !all) console.log("The changes touch no test.");
  const code = tests.length === 0 ? 0 : await vitest(tests);
  return code || (all ? await fast() : 0);
}

async function runTests(given) {
  if (given.length > 0) return await vitest(given);
  const most = await vitest(excluding([`${PROCESSES}/**`, `${CONSOLE}/**`]));
  const pages = await vitest([CONSOLE, ...BESIDE]);
  const processes = await vitest([PROCESSES, ...excluding([...TIMED, LABS])]);
  const labs = await vitest([LABS]);
  const timed = await vitest([...TIMED, "--maxWorkers", "1"]);
  return most || pages || processes || labs || timed;
}

function excluding(patterns) {
  return patterns.flatMap((pattern) => ["--exclude", pattern]);
}

async function vitest(args) {
  const { code } = await runTool("vitest/vitest.mjs", ["run", ...args], { inherit: true });
  return code;
}
