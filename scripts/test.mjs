// `npm test [-- vitest arguments]`: installs and builds what is missing, then every check and every test. Tests run after a
// failed check too, so that one run tells everything.
import { ensureBuilt } from "./compile.mjs";
import { ensureInstalled } from "./install.mjs";
import { run, runMain, runTool } from "./run.mjs";

await runMain(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const checks = await run(process.execPath, ["scripts/check.mjs"], { inherit: true });
  const tests = await runTool("vitest/vitest.mjs", ["run", ...process.argv.slice(2)], { inherit: true });
  return checks.code || tests.code;
});
