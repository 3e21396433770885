import { Problem } from "./problem.ts";
import type { Deprecation } from "./route.ts";

/** A strong ETag of a row's version, such as its last change in milliseconds. */
export const etagOf = (version: string | number): string => `"${version}"`;

/**
 * Throws 412 when the request's `If-Match` names only other versions than the row has now. Call it inside the transaction, on
 * the locked row.
 */
export function requireMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined || ifMatch.trim() === "*") return;
  // Our tags contain no commas, so a list can be split at them; weak tags never match a write (RFC 9110, 13.1.1).
  if (ifMatch.split(",").some((tag) => tag.trim() === etag)) return;
  throw new Problem("precondition_failed", "The resource has changed since this If-Match; read it again.");
}

/** Longest `Prefer: wait`: below the 60 s after which common proxies give up. */
const LONGEST_WAIT_SECONDS = 30;

/**
 * Seconds of `Prefer: wait=N` (RFC 7240), 1 to 30; null without it. More than 30 counts as 30 and an unreadable value is
 * ignored: a preference is never a reason to refuse a request.
 */
export function waitSecondsOf(header: string | string[] | undefined): number | null {
  if (header === undefined) return null;
  const text = typeof header === "string" ? header : header.join(",");
  const seconds = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:$|[,;])/i.exec(text)?.[1];
  if (seconds === undefined || Number(seconds) < 1) return null;
  return Math.min(Number(seconds), LONGEST_WAIT_SECONDS);
}

/** The response header that confirms a wait, for verbs that honour the preference. */
export const waitApplied = (seconds: number): Record<string, string> => ({ "preference-applied": `wait=${seconds}` });

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and the link to the successor (RFC 5829), for all answers of an operation. */
export const deprecationHeaders = ({ since, sunset, successor }: Deprecation): Record<string, string> => ({
  deprecation: `@${Date.parse(since) / 1_000}`,
  ...(sunset === undefined ? {} : { sunset: new Date(sunset).toUTCString() }),
  ...(successor === undefined ? {} : { link: `<${successor}>; rel="successor-version"` }),
});
