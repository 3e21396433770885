import { spawn } from "node:child_process";
import { constants } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Runs a command in the repository's root; resolves to `{code, output}` when it ended (`output` is empty with `inherit`).
 * A command that cannot be started ends with code 127, as in a shell. A signal goes to the command, and when that has ended
 * this process ends too: nothing is left running.
 */
export async function run(command, args, { inherit = false } = {}) {
  const stdio = inherit ? "inherit" : ["ignore", "pipe", "pipe"];
  return await new Promise((resolve) => {
    let output = "";
    const child = spawn(command, args, { cwd: ROOT, stdio });
    const collect = (chunk) => (output += chunk);
    child.stdout?.setEncoding("utf8").on("data", collect);
    child.stderr?.setEncoding("utf8").on("data", collect);
    let asked = null;
    const stopListening = onSignal((signal) => {
      asked ??= signal;
      child.kill(signal);
    });
    child.once("error", (error) => {
      stopListening();
      resolve({ code: 127, output: error.message });
    });
    child.once("close", (code, signal) => {
      stopListening();
      if (asked !== null) process.exit(exitCodeOf(asked));
      resolve({ code: code ?? exitCodeOf(signal), output });
    });
  });
}

/** A program of node_modules by its file, so that it runs with this very Node and no shell is needed. */
export async function runTool(file, args, options) {
  return await run(process.execPath, [`${ROOT}/node_modules/${file}`, ...args], options);
}

/** Calls the listener with each signal that asks this process to end; gives the function that stops listening. */
export function onSignal(listener) {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}

/** The exit code by which a shell reports a death by that signal. */
export function exitCodeOf(signal) {
  return 128 + (constants.signals[signal] ?? 0);
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
