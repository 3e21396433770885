// `npm run differential -- --against <commit>`: installs and builds what is missing, then compares two versions' answers.
import { ensureBuilt } from "./compile.mjs";
import { ensureInstalled } from "./install.mjs";
import { runMain, runTool } from "./run.mjs";

await runMain(async () => {
  await ensureInstalled();
  await ensureBuilt();
  const { code } = await runTool("tsx/dist/cli.mjs", ["tests/differential/main.ts", ...process.argv.slice(2)], {
    inherit: true,
  });
  return code;
});
