import { invalidAt } from "../../../http/problem.ts";
import type { PassedBody, PassedFile, PassedPart } from "../../../provider/passed-calls.ts";

/** What a client gives for a call, as names with values. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * Left out wherever they stand: they would change whose call it is or what it does (token, proof, `method`, `batch`, `ids`), or in what
 * form its answer comes.
 */
const DROPPED: ReadonlySet<string> = new Set([
  "access_token",
  "appsecret_proof",
  "appsecret_time",
  "attached_files",
  "batch",
  "callback",
  "client_secret",
  "debug",
  "fb_exchange_token",
  "ids",
  "include_headers",
  "input_token",
  "metadata",
  "method",
  "redirect",
  "suppress_http_code",
]);

/** Content is some ten levels deep: a template's carousel has the most. */
const DEEPEST = 32;

/** The name as a server may read it: decoded, without the index of a list, in small letters. */
function readName(name: string): string {
  let read = name;
  for (let rounds = 0; rounds < 3 && read.includes("%"); rounds++) read = decoded(read);
  return read
    .replace(/\[.*$/s, "")
    .trim()
    .replace(/[\s.+-]/g, "_")
    .toLowerCase();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}

const isDropped = (name: string): boolean => DROPPED.has(readName(name)) || name === "__proto__";

/** The same without what is left out, at every depth. */
export function withoutDropped(values: Values): Record<string, unknown> {
  return cleaned(values, 0) as Record<string, unknown>; // of an object it is one
}

function cleaned(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > DEEPEST) throw invalidAt("", `A parameter is nested deeper than ${DEEPEST} levels.`, "too_deep");
  if (Array.isArray(value)) return value.map((one) => cleaned(one, depth + 1));
  const kept = Object.entries(value).filter(([name]) => !isDropped(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, cleaned(inner, depth + 1)]));
}

/** Refuses a parameter that the call does not have: the provider would ignore it, and it may be one that is not to be passed on. */
export function requireKnown(values: Values, names: readonly string[]): void {
  const unknown = Object.keys(values).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const named = JSON.stringify(unknown.slice(0, 64));
  throw invalidAt("", `Waypost does not pass on the parameter ${named} of this call. It takes ${names.join(", ")}.`);
}

/** Where the values stand in the call that is made: in the query of a read, in JSON, or in a form with files. */
export function placed(
  method: "GET" | "POST" | "DELETE",
  values: Values,
  files: readonly { name: string; file: PassedFile }[] = [],
): { query: Record<string, string>; body: PassedBody | null } {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  const texts = given.map(([name, value]): [string, string] => [name, asText(value)]);
  if (method === "GET") return { query: Object.fromEntries(texts), body: null };
  if (files.length > 0) {
    const fields = texts.map(([name, value]): PassedPart => ({ name, value }));
    return { query: {}, body: { kind: "form", parts: [...fields, ...files] } };
  }
  const isNested = given.some(([, value]) => typeof value === "object");
  if (method === "DELETE" && !isNested) return { query: Object.fromEntries(texts), body: null };
  return { query: {}, body: given.length === 0 ? null : { kind: "json", value: Object.fromEntries(given) } };
}

const asText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
