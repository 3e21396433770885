import { readFileSync } from "node:fs";

/** Rare enough to cost nothing, often enough for a stop within a second. */
const LOOK_EVERY_MS = 250;

/**
 * Ends this process, as SIGTERM would, when npm or npx started it and is gone. npm passes SIGINT and SIGTERM to the shell that
 * it puts in between, which dies of them and passes none on, and reports no other death of its own: without this, the
 * process would keep running beside the one that npm starts next.
 */
export function endWithNpm() {
  if (process.env["npm_lifecycle_event"] === undefined) return;
  const parent = process.ppid;
  const beforeShell = isShell(parent) ? parentOf(parent) : null;
  const timer = setInterval(() => {
    if (process.ppid === parent && (beforeShell === null || parentOf(parent) === beforeShell)) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, LOOK_EVERY_MS);
  timer.unref();
}

/** `sh -c …`. Shells that give way to the one command that they run, as on macOS, are not there to be seen. */
const isShell = (pid) => read(`/proc/${pid}/cmdline`)?.split("\0")[1] === "-c";

/** Null where there is no /proc. The second field is a name in brackets, which may hold anything. */
const parentOf = (pid) =>
  read(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, "")
    .split(" ")[1] ?? null;

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
