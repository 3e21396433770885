/** SQLSTATE of a database error; null for network errors and everything else. */
export function sqlState(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("code" in error)) return null;
  return typeof error.code === "string" && /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null;
}

/** Table and constraint that a database error names; of a partition, the name of its table. */
export function refusedBy(error: unknown): { table: string | null; constraint: string | null } {
  const field = (name: "table" | "constraint"): string | null => {
    const value = typeof error === "object" && error !== null ? (error as Record<string, unknown>)[name] : null;
    return typeof value === "string" ? value.replace(/_\d{6,8}$/, "") : null;
  };
  return { table: field("table"), constraint: field("constraint") };
}

/**
 * The fields of an error that may be logged. Never `detail` or `where` of a database error, which quote rows; nor its message
 * ("invalid input syntax for type json: …") or that of a parser, which quote values: state and place are enough.
 */
export function causeFields(cause: unknown): object {
  if (!(cause instanceof Error)) return { name: typeof cause };
  const state = sqlState(cause);
  const inner: object = cause.cause === undefined ? {} : { cause: causeFields(cause.cause) };
  const message: object = state === null && !(cause instanceof SyntaxError) ? { message: cause.message } : {};
  return {
    name: cause.name,
    ...(state === null ? {} : { state }),
    ...(state !== null && "constraint" in cause ? { constraint: cause.constraint } : {}),
    ...message,
    at: placeOf(cause),
    ...inner,
  };
}

/** Frames of the stack kept: the place and how it was reached. */
const FRAMES = 12;

const placeOf = (error: Error): string[] =>
  (error.stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .slice(0, FRAMES)
    .map((line) => line.trim());
