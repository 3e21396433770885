/** Why the embedded database cannot run: one line that says what to do. */
export class EmbeddedDatabaseError extends Error {
  override name = "EmbeddedDatabaseError";
}

const NO_ROOM = ["ENOSPC", "EDQUOT"];
const FILE_PROBLEMS: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "not permitted",
  EROFS: "read-only file system",
  ENOSPC: "no space left",
  EDQUOT: "disk quota exceeded",
  ENOTDIR: "a file is in the way of a directory",
  EEXIST: "a file is in the way of a directory",
  ELOOP: "its symbolic links lead nowhere",
  ENAMETOOLONG: "its name is too long",
};

/** Turns a refused file operation into one line that names the data directory; returns other errors as they are. */
export function inOneLine(error: unknown, dataDir: string): unknown {
  const code = errorCode(error) ?? "";
  const problem = isRefusedDirectory(error) ? "no directory can be created there" : FILE_PROBLEMS[code];
  if (problem === undefined || error instanceof EmbeddedDatabaseError) return error;
  const path = error instanceof Error && "path" in error ? String(error.path) : undefined;
  const at = path === undefined || path === dataDir ? "" : ` at ${path}`;
  return new EmbeddedDatabaseError(
    `The data directory ${dataDir} cannot be used${at}: ${problem}. ${NO_ROOM.includes(code) ? "Make room" : "Make it writable"}, or name another in WAYPOST_DATA_DIR.`,
    { cause: error },
  );
}

/** The parent exists and no directory can be created in it, as in `/proc`. Other missing files are other faults. */
const isRefusedDirectory = (error: unknown): boolean =>
  errorCode(error) === "ENOENT" && error instanceof Error && "syscall" in error && error.syscall === "mkdir";

/** `code` of a Node or PostgreSQL error, if it has one. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
