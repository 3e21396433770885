import { hash } from "node:crypto";
import type { Actor } from "../ctx.ts";
import { type RequestKey, VALUE_KEPT_MS } from "./idempotency.ts";
import { invalidAt } from "./problem.ts";

/** 128 bits: no two keys of a workspace collide by accident. The key itself is not kept, because it may hold information. */
const DIGEST_HEX = 32;

/**
 * Digest of the key, and fingerprint of the request: method, path, sorted query and canonical body, separated by a byte that
 * none of them contains. Two ways to write the same JSON have one fingerprint. The same request with a key that is limited to other phone
 * numbers is another one: it may mean another sender, and its answer may be of what the key may not see.
 */
export function requestKey(
  key: string,
  method: string,
  url: string,
  body: unknown,
  phoneNumberIds: Actor["phoneNumberIds"] = null,
): RequestKey {
  const [path = "", query = ""] = url.split("?", 2);
  const sorted = query === "" ? "" : query.split("&").sort().join("&");
  const limit = phoneNumberIds === null ? "" : `\n${phoneNumberIds.toSorted().join()}`;
  const text = `${method}\n${path}\n${sorted}\n${body === undefined ? "" : canonicalJson(body)}${limit}`;
  return { digest: hash("sha256", key, "hex").slice(0, DIGEST_HEX), fingerprint: hash("sha256", text, "hex") };
}

/** Shorter values are likely to be counters, and those of two programs would be one key. */
const SHORTEST_VALUE = 16;

/**
 * The key of a request that has none in its headers and comes with an API key whose `dedupe_by` names a field: the value of that field, where
 * there is one. A line break stands in no other key, so it is none of these. Throws 400 for a value that is too short to be a key.
 */
export function valueKey(
  { dedupeBy, phoneNumberIds }: Pick<Actor, "dedupeBy" | "phoneNumberIds">,
  value: string | undefined,
  [method, url, body]: readonly [method: string, url: string, body: unknown],
): RequestKey | null {
  if (dedupeBy === undefined || value === undefined) return null;
  if (value.length < SHORTEST_VALUE)
    throw invalidAt(
      `/${dedupeBy}`,
      `must have at least ${SHORTEST_VALUE} characters: the API key takes it as the idempotency key`,
      "length",
    );
  return { ...requestKey(`\n${dedupeBy}:${value}`, method, url, body, phoneNumberIds), keptMs: VALUE_KEPT_MS };
}

/**
 * The same with the key in the fingerprint too, of which no more than a digest is kept: six digits of a body could be found from its
 * plain fingerprint by trying them all.
 */
export const saltedKey = (key: string, { digest, fingerprint }: RequestKey): RequestKey => ({
  digest,
  fingerprint: hash("sha256", `${key}\n${fingerprint}`, "hex"),
});

/**
 * JSON with sorted keys, in the manner of RFC 8785: equal for two texts of the same value, whatever their order of keys,
 * spaces and escapes. Takes what `JSON.parse` returns; `request/bodies/parse-body.ts` has bounded its depth. 1.1 µs for a template message.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value); // -0 becomes 0
  return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value as Record<string, unknown>);
}

function canonicalArray(items: readonly unknown[]): string {
  let text = "[";
  for (let index = 0; index < items.length; index++) text += (index > 0 ? "," : "") + canonicalJson(items[index]);
  return `${text}]`;
}

function canonicalObject(fields: Record<string, unknown>): string {
  const keys = sortKeys(Object.keys(fields));
  let text = "{";
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string; // below its length
    text += `${(index > 0 ? "," : "") + quote(key)}:${canonicalJson(fields[key])}`;
  }
  return `${text}}`;
}

/** Most texts need no escape, and JSON.stringify is a call into the engine for each. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;
const quote = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

/** Insertion sort is faster than the general sort on the few and nearly sorted keys of a message; a hostile body has thousands. */
const FEW = 16;

function sortKeys(keys: string[]): string[] {
  if (keys.length > FEW) return keys.sort();
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index] as string; // below its length
    let place = index - 1;
    for (; place >= 0 && (keys[place] as string) > key; place--) keys[place + 1] = keys[place] as string;
    keys[place + 1] = key;
  }
  return keys;
}
