// `npm run faults [-- name … --seed N --short]`: installs and builds what is missing, then breaks what runs and looks what is left.
import { ensureBuilt } from "./compile.mjs";
import { ensureInstalled } from "./install.mjs";
import { runMain, runTool } from "./run.mjs";

await runMain(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const { code } = await runTool("tsx/dist/cli.mjs", ["faults/main.ts", ...process.argv.slice(2)], { inherit: true });
  return code;
});
