// `npm run build`: installs what is missing and compiles what changed.
import { ensureBuilt } from "./compile.mjs";
import { ensureInstalled } from "./install.mjs";
import { runMain } from "./run.mjs";

await runMain(async () => {
  await ensureInstalled();
  await ensureBuilt();
});
