import { complain } from "./stderr.ts";

/** Nothing that could not be written is worth another line on the same terminal. */
const ignore = (): void => {};

/** The exit code of the command that runs, or ran last: what was written at its end fails a turn later. */
let exitCodeOf: (() => number | null) | null = null;

/**
 * From now on the process ends quietly with `code()` where the reader of standard output has enough, as `head` has, and with one line where
 * there is no room for the output. Null from `code`: it goes on without output.
 */
export function watchOutput(code: () => number | null): void {
  if (exitCodeOf === null) {
    process.stdout.on("error", end);
    process.stderr.on("error", ignore);
  }
  exitCodeOf = code;
}

function end({ code: reason, message }: NodeJS.ErrnoException): void {
  const exitCode = exitCodeOf?.() ?? null;
  if (exitCode === null) return;
  if (reason === "EPIPE") process.exit(exitCode);
  complain(`standard output cannot be written: ${reason ?? message}`);
  process.exit(1);
}
