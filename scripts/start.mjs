// `npm start`: installs and builds what is missing, then runs the whole gateway until a signal.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ensureBuilt } from "./compile.mjs";
import { ensureInstalled } from "./install.mjs";
import { exitCodeOf, onSignal, ROOT, runMain, signalGroup } from "./run.mjs";

/** The gateway stops its parts in order, each with a limit of its own; with the database's below, all is over within 10 s. */
const STOP_WITHIN_MS = 6_500;
/** PostgreSQL's immediate stop ends transactions in flight; the next start recovers, so waiting longer gains nothing. */
const DATABASE_WITHIN_MS = 1_500;
const LOOK_EVERY_MS = 25;

await runMain(async () => {
  const [option] = process.argv.slice(2);
  if (option === "--help" || option === "-h") {
    process.stdout.write(readFileSync(join(ROOT, "packages/cli/dev-help.txt"), "utf8"));
    return 0;
  }
  if (option !== undefined) throw new Error(`npm start takes --help and nothing else, not ${option}`);
  await ensureInstalled();
  await ensureBuilt();
  return await runGateway();
});

async function runGateway() {
  // In its own process group, so that each signal comes from here alone, and all of it can be killed at once. By the channel
  // it detects the end of this process, for any reason, and reports which database it runs.
  const gateway = spawn(process.execPath, ["--enable-source-maps", join(ROOT, "packages/cli/dist/dev/main.js")], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    detached: true,
  });
  let database = null;
  gateway.on("message", (message) => {
    database = message.database;
  });
  let late;
  let killed = false;
  const kill = () => {
    killed = true;
    signalGroup(gateway.pid, "SIGKILL");
  };
  const stopListening = onSignal((signal, again) => {
    if (again) return kill();
    late = setTimeout(kill, STOP_WITHIN_MS);
    gateway.kill(signal);
  });
  const [code, signal] = await new Promise((resolve, reject) => {
    gateway.once("error", reject);
    gateway.once("exit", (...end) => resolve(end));
  });
  if (signal !== null) {
    // It could stop nothing itself.
    signalGroup(gateway.pid, "SIGKILL");
    if (database !== null) await stopDatabase(database);
    console.error(
      `waypost: ${killed ? "what did not stop was killed" : `it was ended by ${signal}, and so was the rest`}`,
    );
  }
  stopListening();
  clearTimeout(late);
  return code ?? exitCodeOf(signal);
}

/** Its own process group is the database's: Ctrl-C must not reach it before those who use it. */
async function stopDatabase(pid) {
  const deadline = performance.now() + DATABASE_WITHIN_MS;
  signalGroup(pid, "SIGQUIT");
  while (isThere(pid) && performance.now() < deadline) await delay(LOOK_EVERY_MS);
  signalGroup(pid, "SIGKILL");
}

function isThere(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
