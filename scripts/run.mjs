import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Runs a command in the repository's root; resolves to `{code, output}` when it ended (`output` is empty with `inherit`).
 * A command that cannot be started ends with code 127, as in a shell.
 */
export async function run(command, args, { inherit = false } = {}) {
  const stdio = inherit ? "inherit" : ["ignore", "pipe", "pipe"];
  return await new Promise((resolve) => {
    let output = "";
    const child = spawn(command, args, { cwd: ROOT, stdio });
    const collect = (chunk) => (output += chunk);
    child.stdout?.setEncoding("utf8").on("data", collect);
    child.stderr?.setEncoding("utf8").on("data", collect);
    child.once("error", (error) => resolve({ code: 127, output: error.message }));
    child.once("close", (code, signal) => resolve({ code: code ?? exitCodeOf(signal), output }));
  });
}

/** A program of node_modules by its file, so that it runs with this very Node and no shell is needed. */
export async function runTool(file, args, options) {
  return await run(process.execPath, [`${ROOT}/node_modules/${file}`, ...args], options);
}

const SIGNAL_NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGQUIT: 3, SIGKILL: 9, SIGTERM: 15 };

/** The exit code by which a shell reports a death by that signal. */
export function exitCodeOf(signal) {
  return 128 + (SIGNAL_NUMBERS[signal] ?? 0);
}

/** Ends the process with one line when `main` throws. */
export async function runMain(main) {
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    console.error(`waypost: ${error.message}`);
    process.exitCode = 1;
  }
}

/** Seconds since `start` (of performance.now), for people. */
export function secondsSince(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
