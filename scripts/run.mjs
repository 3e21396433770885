import { spawn } from "node:child_process";
import { constants } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { endWithNpm } from "../packages/cli/bin/end-with-npm.js";

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** A compiler ends at once; npm ci cleans up first, and waits for ever for a registry that does not answer. */
const STOP_WITHIN_MS = 6_000;
/** Ctrl-C arrives twice, from the terminal and from npm; so does a process manager's signal to a whole tree. */
const SAME_REQUEST_MS = 500;

/** This process was asked to end, and its command has ended. */
class Stopped extends Error {
  constructor(signal) {
    super(`ended by ${signal}`);
    this.signal = signal;
  }
}

/**
 * Runs a command in the repository's root; resolves to `{code, output}` when it ended (`output` is empty with `inherit`).
 * A command that cannot be started ends with code 127, as in a shell. A signal goes to the command and to all that it
 * started; a second one, or the end of the time, kills them; then the promise rejects and `runMain` ends this process.
 */
export async function run(command, args, { inherit = false, env = process.env } = {}) {
  const stdio = inherit ? "inherit" : ["ignore", "pipe", "pipe"];
  return await new Promise((resolve, reject) => {
    let output = "";
    // A process group of its own: the compiler is a grandchild, which a signal to the child alone would leave running.
    const child = spawn(command, args, { cwd: ROOT, env, stdio, detached: true });
    const collect = (chunk) => (output += chunk);
    child.stdout?.setEncoding("utf8").on("data", collect);
    child.stderr?.setEncoding("utf8").on("data", collect);
    let asked = null;
    let late;
    const stopListening = onSignal((signal, again) => {
      asked ??= signal;
      signalGroup(child.pid, again ? "SIGKILL" : signal);
      late ??= setTimeout(() => signalGroup(child.pid, "SIGKILL"), STOP_WITHIN_MS);
    });
    child.once("error", (error) => {
      stopListening();
      resolve({ code: 127, output: error.message });
    });
    child.once("close", (code, signal) => {
      stopListening();
      clearTimeout(late);
      if (asked === null) return resolve({ code: code ?? exitCodeOf(signal), output });
      // The child has ended, and perhaps not all that it started.
      signalGroup(child.pid, "SIGKILL");
      reject(new Stopped(asked));
    });
  });
}

/** A program of node_modules by its file, so that it runs with this very Node and no shell is needed. */
export async function runTool(file, args, options) {
  return await run(process.execPath, [`${ROOT}/node_modules/${file}`, ...args], options);
}

/**
 * Calls the listener with each signal that asks this process to end, and with `true` from the second one on; returns the
 * function that stops listening.
 */
export function onSignal(listener) {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  let last = null;
  const hear = (signal) => {
    const now = performance.now();
    if (last !== null && now - last < SAME_REQUEST_MS) return;
    const again = last !== null;
    last = now;
    listener(signal, again);
  };
  for (const signal of signals) process.on(signal, hear);
  return () => {
    for (const signal of signals) process.off(signal, hear);
  };
}

/** Signals a child that leads a process group, and all of the group; nothing when they have ended. */
export function signalGroup(leader, signal) {
  if (leader === undefined) return;
  try {
    process.kill(-leader, signal);
  } catch (error) {
    // Gone, or a zombie, which some systems do not allow to be signalled.
    if (error.code !== "ESRCH" && error.code !== "EPERM") throw error;
  }
}

/** The exit code that a shell reports for a program ended by that signal. */
export function exitCodeOf(signal) {
  return 128 + (constants.signals[signal] ?? 0);
}

/** Ends the process with one line when `main` throws, and with the npm that started it. */
export async function runMain(main) {
  endWithNpm();
  try {
    process.exitCode = (await main()) ?? 0;
  } catch (error) {
    if (error instanceof Stopped) {
      process.exitCode = exitCodeOf(error.signal);
      return;
    }
    console.error(`waypost: ${error.message}`);
    process.exitCode = 1;
  }
}

/** Seconds since `start` (of performance.now), for people. */
export function secondsSince(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
