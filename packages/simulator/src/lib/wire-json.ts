import { createHmac } from "node:crypto";

const ESCAPED = /[/\u0080-\uffff]/g;
const RAW_INTEGER = /"\\u0000(\d+)"/g;

/**
 * Serialises a callback as the provider does: non-ASCII as `\uXXXX` and `/` as `\/`. A receiver that parses and
 * serialises again before checking the signature gets other bytes and is caught. A `bigint` becomes a bare integer:
 * template ids are integers in callbacks and may pass 2^53.
 */
export function wireJson(value: unknown): string {
  return escapeForWire(JSON.stringify(value));
}

/** The bytes of a callback, as {@link wireJson} or in plain UTF-8. `integers`: the rare payload may carry a `bigint`. */
export function wireBytes(value: unknown, { escapes, integers }: { escapes: boolean; integers: boolean }): Buffer {
  const json = integers ? jsonWithIntegers(value) : JSON.stringify(value);
  // The escapes leave nothing but ASCII, which latin1 writes without looking.
  return escapes ? Buffer.from(escapeForWire(json), "latin1") : Buffer.from(json, "utf8");
}

// Slower than usual, as every value passes a replacer.
function jsonWithIntegers(value: unknown): string {
  const json = JSON.stringify(value, (_key, inner: unknown) => (typeof inner === "bigint" ? `\u0000${inner}` : inner));
  return json.replace(RAW_INTEGER, "$1");
}

/** The value of `X-Hub-Signature-256`: HMAC-SHA256 over the raw bytes, lower-case hex. */
export function hubSignature(appSecret: string, bytes: Buffer): string {
  return `sha256=${createHmac("sha256", appSecret).update(bytes).digest("hex")}`;
}

// JSON itself has no slash outside strings, and a backslash in a string is already doubled: a plain replacement is safe.
function escapeForWire(json: string): string {
  return json.replace(ESCAPED, (char) =>
    char === "/" ? "\\/" : `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
