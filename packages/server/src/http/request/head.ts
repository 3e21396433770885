import type { IncomingMessage } from "node:http";
import { Problem } from "../problem.ts";

/** `uri-host [":" port]` of RFC 3986: a name, an IPv4 address, or an IPv6 address in brackets. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * Checks RFC 9112, 3.2: exactly one Host header, with a possible value; only HTTP/1.0 may have none. Of two, a proxy in front
 * may have read the other one. Null when the header is valid.
 */
export function hostFault(request: IncomingMessage): Problem | null {
  const hosts = hostsOf(request.rawHeaders);
  const [host] = hosts;
  if (host === undefined) return request.httpVersion === "1.0" ? null : invalidHost("The Host header is missing.");
  if (hosts.length > 1) return invalidHost("There is more than one Host header.");
  return HOST.test(host) ? null : invalidHost("The Host header names no host.");
}

// Node keeps the first of several in `headers`; only the raw headers hold all of them.
function hostsOf(rawHeaders: readonly string[]): string[] {
  const hosts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts.push(rawHeaders[index + 1] ?? "");
  }
  return hosts;
}

const invalidHost = (detail: string): Problem => new Problem("invalid_request", detail);
