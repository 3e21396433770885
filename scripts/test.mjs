// `npm run test:sql`: the tests of the database functions alone, without the checks.
// `npm test [-- vitest arguments]`: installs and builds what is missing, then every check and every test. Tests run after a
// failed check too, so that one run tells everything.
import { ensureBuilt } from "./compile.mjs";
import { ensureInstalled } from "./install.mjs";
import { run, runMain, runTool } from "./run.mjs";

/** Those that count what several processes send in a second come last and one by one: tests beside them would be in the count. */
const ALONE = "tests/process";

/** What every database function must hold, and what some of them do. */
const SQL = ["functions", "hot-functions", "plans", "walls", "backlog"].map((name) => `tests/database/${name}.test.ts`);

await runMain(async () => {
  await ensureInstalled();
  if (process.argv[2] === "--sql") return await vitest([...SQL, ...process.argv.slice(3)]);
  await ensureBuilt();
  const checks = await run(process.execPath, ["scripts/check.mjs"], { inherit: true });
  const tests = await runTests(process.argv.slice(2));
  return checks.code || tests;
});

async function runTests(given) {
  if (given.length > 0) return await vitest(given);
  const most = await vitest(["--exclude", `${ALONE}/**`]);
  const alone = await vitest([ALONE, "--maxWorkers", "1"]);
  return most || alone;
}

async function vitest(args) {
  const { code } = await runTool("vitest/vitest.mjs", ["run", ...args], { inherit: true });
  return code;
}
