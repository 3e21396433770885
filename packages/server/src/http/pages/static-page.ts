import { createHash } from "node:crypto";
import type { RawAnswer, RawRequest } from "../route.ts";

/** 27 characters of base64url: 160 bits. */
const TAG_LENGTH = 27;

/** A strong ETag of these bytes. */
export const tagOf = (body: string | Buffer): string =>
  `"${createHash("sha256").update(body).digest("base64url").slice(0, TAG_LENGTH)}"`;

/**
 * A page of the gateway's own: kept by browsers, asked for each time and answered 304 while it is the same, so that nobody
 * sees the pages of an earlier release. `headers` has the type; they may say how long it need not be asked for.
 */
export function pageAnswer(
  request: RawRequest,
  body: string | Buffer,
  tag: string,
  headers: Record<string, string>,
): RawAnswer {
  const all = { "cache-control": "no-cache", "referrer-policy": "no-referrer", etag: tag, ...headers };
  return hasIt(request, tag) ? { status: 304, headers: all, body: "" } : { status: 200, headers: all, body };
}

// Proxies that pack an answer weaken its tag; for reading that is the same page (RFC 9110, 13.1.2).
const hasIt = (request: RawRequest, tag: string): boolean =>
  String(request.headers["if-none-match"] ?? "")
    .split(",")
    .some((one) => one.trim().replace(/^W\//, "") === tag);
