/** Long enough to come back to the browser. */
const WARN_MS = 120_000;

/**
 * What is to be done about the end of a session; times in milliseconds. `far`: nothing yet. `stale`: it was used since its end was read, or
 * its end has come: read it again. `near`: it ends for want of use, and any use extends it. `last`: it ends whatever is done.
 */
export type SessionEnding = "far" | "stale" | "near" | "last";

export function sessionEnding({
  expiresAt,
  readAt,
  usedAt,
  now,
}: {
  expiresAt: number;
  /** When `expiresAt` was asked for. */
  readAt: number;
  /** The last request that counts as use. */
  usedAt: number;
  now: number;
}): SessionEnding {
  if (now < expiresAt - WARN_MS) return "far";
  if (now >= expiresAt) return "stale";
  // Reading is use: of a session that use extends, the end that was read would be hours away.
  if (expiresAt - readAt <= WARN_MS) return "last";
  return usedAt > readAt ? "stale" : "near";
}
