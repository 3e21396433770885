import { Problem } from "./problem.ts";

/** A strong ETag of a row's version, such as its last change in milliseconds. */
export const etagOf = (version: string | number): string => `"${version}"`;

/** 412 when the caller's If-Match names other versions than the row has now. Call it inside the transaction, on the locked row. */
export function requireMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined || ifMatch.trim() === "*") return;
  // Commas stand in no tag of ours, so a list can be split by them; weak tags never match a write (RFC 9110, 13.1.1).
  if (ifMatch.split(",").some((tag) => tag.trim() === etag)) return;
  throw new Problem("precondition_failed", "The resource has changed since this If-Match; read it again.");
}
