import { errors } from "undici";
import { NameUnresolved } from "./connect.ts";
import { NotReached, ProxyFault } from "./proxy.ts";
import { TargetRefused } from "./target.ts";

/**
 * - `refused`: the egress policy forbids the target; `name`: it does not resolve; `connect`, `tls`: no connection
 * - `timeout`: the deadline passed; `reset`: the connection broke; `protocol`: the answer was not valid HTTP
 * - `proxy`: the operator's proxy failed, which says nothing of the receiver
 * - `aborted`: the gateway stopped waiting; the request may have arrived
 */
export type SafeFault = "refused" | "name" | "connect" | "tls" | "timeout" | "reset" | "protocol" | "proxy" | "aborted";

/** The kind of an error, and a public text for it. */
export function faultOf(error: unknown): { fault: SafeFault; detail: string } {
  if (error instanceof TargetRefused) return { fault: "refused", detail: error.message };
  if (error instanceof NameUnresolved) return { fault: "name", detail: error.message };
  if (error instanceof ProxyFault) return { fault: "proxy", detail: error.message };
  if (error instanceof NotReached) return { fault: error.isForbidden ? "refused" : "connect", detail: error.message };
  if (error instanceof DOMException && error.name === "TimeoutError")
    return { fault: "timeout", detail: "No connection in time." };
  const code = codeOf(error);
  const known = FAULTS.find(([pattern]) => pattern.test(code));
  return known ? { fault: known[1], detail: known[2](code) } : { fault: "reset", detail: "The connection broke." };
}

// Happy eyeballs wraps the failures of the single addresses; the first one is enough.
function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  // The parser's errors carry no code when llhttp gives its reason as text.
  if (error instanceof errors.HTTPParserError) return error.code ?? "HPE_INVALID";
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

// Codes of Node (errors, OpenSSL's verification) and of undici; our own texts, because theirs name addresses.
const FAULTS: [RegExp, SafeFault, (code: string) => string][] = [
  [/^UND_ERR_CONNECT_TIMEOUT$/, "timeout", () => "No connection in time."],
  [
    /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|EADDRNOTAVAIL|ETIMEDOUT)$/,
    "connect",
    (code) => `The connection could not be made (${code}).`,
  ],
  [/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/, "name", () => "The host name does not resolve."],
  [
    /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH)/,
    "tls",
    (code) => `The TLS handshake failed (${code}).`,
  ],
  [
    /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_|UND_ERR_RESPONSE|UND_ERR_INVALID)/,
    "protocol",
    (code) => `The answer was not understood (${code}).`,
  ],
];
