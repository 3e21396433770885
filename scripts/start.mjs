// `npm start`: installs and builds what is missing, then runs the whole house until a signal.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt } from "./compile.mjs";
import { ensureInstalled } from "./install.mjs";
import { exitCodeOf, onSignal, ROOT, runMain } from "./run.mjs";

/** Ctrl-C reaches this process twice, from the terminal and from npm; the house must see one. */
const SAME_SIGNAL_MS = 500;

await runMain(async () => {
  await ensureInstalled();
  await ensureBuilt();
  return await runHouse();
});

async function runHouse() {
  // In its own process group, so that each signal comes from here alone and a second Ctrl-C is really a second one. By the
  // channel it sees the end of this process, however that comes about.
  const child = spawn(
    process.execPath,
    ["--enable-source-maps", join(ROOT, "packages/cli/dist/dev.js"), ...process.argv.slice(2)],
    { stdio: ["inherit", "inherit", "inherit", "ipc"], detached: true },
  );
  let last = Number.NEGATIVE_INFINITY;
  const stopListening = onSignal((signal) => {
    if (performance.now() - last < SAME_SIGNAL_MS) return;
    last = performance.now();
    child.kill(signal);
  });
  return await new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      stopListening();
      resolve(code ?? exitCodeOf(signal));
    });
  });
}
