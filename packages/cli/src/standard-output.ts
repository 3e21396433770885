import { complain } from "./stderr.ts";

/** Nothing that could not be written is worth another line on the same terminal. */
const ignore = (): void => {};

/**
 * While a command runs: where the reader of standard output has enough, as `head` has, the process ends quietly with `code()`, and where there
 * is no room for the output, with one line. Null from `code`: it goes on without output. Returns what ends this.
 */
export function watchOutput(code: () => number | null): () => void {
  const end = ({ code: reason, message }: NodeJS.ErrnoException): void => {
    const exitCode = code();
    if (exitCode === null) return;
    if (reason === "EPIPE") process.exit(exitCode);
    complain(`standard output cannot be written: ${reason ?? message}`);
    process.exit(1);
  };
  process.stdout.on("error", end);
  process.stderr.on("error", ignore);
  // What was written last fails a turn later.
  return () =>
    void setImmediate(() => {
      process.stdout.off("error", end);
      process.stderr.off("error", ignore);
    });
}
