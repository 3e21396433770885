/**
 * Whether `If-None-Match` names the tag: the reader has these bytes already. Proxies that compress an answer weaken its tag, which is the
 * same for reading (RFC 9110, 13.1.2).
 */
export function isKnownTag(ifNoneMatch: string | string[] | undefined, etag: string): boolean {
  const tags = String(ifNoneMatch ?? "").split(",");
  return tags.some((one) => one.trim() === "*" || one.trim().replace(/^W\//, "") === etag);
}
