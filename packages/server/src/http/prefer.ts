/** Longest `Prefer: wait`: below the 60 s after which common proxies give up. */
const LONGEST_WAIT_SECONDS = 30;

/**
 * Seconds of `Prefer: wait=N` (RFC 7240), 1 to 30; null without. More than 30 is 30, what cannot be read is ignored: a
 * preference is never a reason to refuse.
 */
export function waitSecondsOf(header: string | string[] | undefined): number | null {
  if (header === undefined) return null;
  const text = typeof header === "string" ? header : header.join(",");
  const seconds = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:$|[,;])/i.exec(text)?.[1];
  if (seconds === undefined || Number(seconds) < 1) return null;
  return Math.min(Number(seconds), LONGEST_WAIT_SECONDS);
}

/** The header of an answer that waited, for verbs that honour the preference. */
export const waitApplied = (seconds: number): Record<string, string> => ({ "preference-applied": `wait=${seconds}` });
