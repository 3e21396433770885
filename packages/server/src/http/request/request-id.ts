import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

/** Visible ASCII, at most 128 characters: safe in a header, a log line and a text column. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;
/** W3C Trace Context, version 00; other versions are not understood and not carried. */
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The caller's X-Request-Id when it is usable, else a new one: a bad one is no reason to refuse the request. */
export function requestIdOf(request: { headers: IncomingHttpHeaders }): string {
  const given = request.headers["x-request-id"];
  return typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
}

/** The caller's trace context, null when there is none or it is malformed. */
export function traceparentOf(request: { headers: IncomingHttpHeaders }): string | null {
  const given = request.headers["traceparent"];
  return typeof given === "string" && TRACEPARENT.test(given) ? given : null;
}
