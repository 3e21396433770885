/** The command line lacks something or is wrong: reported in one line, with exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What was asked for could not be done: reported in one line, with exit code 1. */
export class FailedError extends Error {
  override readonly name = "FailedError";
}
