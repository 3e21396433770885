import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { type FieldError, Problem } from "../problem.ts";

/** Deeper than any content of the provider (its flows reach about ten), shallow enough for every recursive walk. */
const DEEPEST = 32;
/** What PostgreSQL's text and jsonb refuse: NUL, and halves of a surrogate pair. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/**
 * Parses a JSON body and refuses what the database would refuse or change: broken UTF-8, `\u0000` and lone surrogates in
 * strings and keys, numbers that do not survive (beyond ±(2^53 − 1)), nesting over 32, and the key `__proto__`.
 * Throws `invalid_json` or `invalid_request` with the pointer.
 */
export function parseBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Problem("invalid_json", "The body is not UTF-8.");
  const text = bytes.toString("utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Problem("invalid_json", `The body is not valid JSON${positionIn(error)}.`);
  }
  // Raw control characters end in JSON.parse and raw surrogates are no UTF-8, so a bad string needs an escape.
  const fault = inspect(value, text.includes("\\u"), 0);
  if (fault) throw new Problem("invalid_request", fault.detail, { errors: [fault] });
  return value;
}

// The parser's own message quotes the body; only its position may leave.
function positionIn(error: unknown): string {
  const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  return position === undefined ? "" : ` (at character ${position})`;
}

function inspect(value: unknown, escapes: boolean, depth: number): FieldError | null {
  if (typeof value === "string")
    return escapes && UNSTORABLE.test(value) ? fault("invalid_text", UNSTORABLE_TEXT) : null;
  if (typeof value === "number")
    return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? null : fault("number_out_of_range", TOO_LARGE);
  if (typeof value !== "object" || value === null) return null;
  if (depth === DEEPEST) return fault("too_deep", `The body is nested deeper than ${DEEPEST} levels.`);
  return Array.isArray(value) ? inspectItems(value, escapes, depth + 1) : inspectFields(value, escapes, depth + 1);
}

function inspectItems(items: readonly unknown[], escapes: boolean, depth: number): FieldError | null {
  for (let index = 0; index < items.length; index++) {
    const inner = inspect(items[index], escapes, depth);
    if (inner) return { ...inner, pointer: `/${index}${inner.pointer}` };
  }
  return null;
}

function inspectFields(fields: object, escapes: boolean, depth: number): FieldError | null {
  for (const key of Object.keys(fields)) {
    if (key === "__proto__" || (escapes && UNSTORABLE.test(key)))
      return fault("invalid_text", "A field has a name that is not possible.");
    const inner = inspect((fields as Record<string, unknown>)[key], escapes, depth);
    if (inner) return { ...inner, pointer: `/${pointerToken(key)}${inner.pointer}` };
  }
  return null;
}

const UNSTORABLE_TEXT = "The text has a NUL character or half of a surrogate pair.";
const TOO_LARGE = "The number is beyond ±9007199254740991.";
const fault = (code: string, detail: string): FieldError => ({ pointer: "", code, detail });

/** One step of a JSON pointer (RFC 6901). */
export const pointerToken = (name: string): string =>
  /[~/]/.test(name) ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;

/**
 * Refuses a URL whose decoded text cannot be stored. Percent-encoded UTF-8 cannot carry a surrogate past the router's
 * decoder, so NUL is what is left; 400 whether it stands in the path or in the query.
 */
export function checkUrl(url: string): void {
  if (!url.includes("%00")) return;
  const query = url.indexOf("?");
  const inPath = url.indexOf("%00") < query || query < 0;
  const detail = `The ${inPath ? "path" : "query"} has a NUL character.`;
  throw new Problem("invalid_request", detail, {
    errors: [{ pointer: inPath ? "" : "?", code: "invalid_text", detail }],
  });
}

/** `uri-host [":" port]` of RFC 3986: a name, an IPv4 address, or an IPv6 address in brackets. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

/**
 * RFC 9112, 3.2: one Host header and no more, with a possible value; none is possible in HTTP/1.0 alone. A proxy in front
 * may have read the other one of two. Null when it is as it should be.
 */
export function hostFault(request: IncomingMessage): Problem | null {
  const hosts = hostsOf(request.rawHeaders);
  const [host] = hosts;
  if (host === undefined) return request.httpVersion === "1.0" ? null : invalidHost("The Host header is missing.");
  if (hosts.length > 1) return invalidHost("There is more than one Host header.");
  return HOST.test(host) ? null : invalidHost("The Host header names no host.");
}

// Node keeps the first of several in `headers`; only the raw ones tell.
function hostsOf(rawHeaders: readonly string[]): string[] {
  const hosts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts.push(rawHeaders[index + 1] ?? "");
  }
  return hosts;
}

const invalidHost = (detail: string): Problem => new Problem("invalid_request", detail);
