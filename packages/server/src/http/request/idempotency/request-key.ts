import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";
import type { RequestKey } from "../../idempotency.ts";
import { requestKey, saltedKey } from "../../idempotency-key.ts";
import { invalidAt, type Problem } from "../../problem.ts";

/**
 * Reads the request's idempotency key; null for other methods than POST and without a key. A malformed one is 400. `body`: what stands
 * for the body in the fingerprint, where that is not JSON. `shortSecret`: as the route's.
 */
export function readKey(
  request: FastifyRequest,
  { body = request.body, shortSecret }: { body?: unknown; shortSecret?: true | undefined } = {},
): RequestKey | null {
  const { state } = request;
  if (state.method !== "POST") return null;
  const text = keyTextOf(request.headers);
  if (text === null) return null;
  state.keyed();
  const key = requestKey(text, state.method, request.raw.url ?? "", body, state.actor.phoneNumberIds);
  return shortSecret ? saltedKey(text, key) : key;
}

/** Visible ASCII, 1 to 255 characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** The key in a request's headers; null without one. A malformed key, or two keys that differ, is 400. */
export function keyTextOf(headers: IncomingHttpHeaders): string | null {
  const own = headers["x-idempotency-key"];
  const alias = headers["idempotency-key"];
  if (own === undefined && alias === undefined) return null;
  const first = own === undefined ? null : keyText(own);
  const second = alias === undefined ? null : keyText(alias);
  if (first !== null && second !== null && first !== second) {
    throw malformed("X-Idempotency-Key and Idempotency-Key are both given and differ.");
  }
  return first ?? second;
}

function keyText(header: string | string[]): string {
  const given = typeof header === "string" ? header : header.join(", ");
  // RFC 8941: a string in quotes, with \" and \\ inside.
  const quoted = /^"((?:[^"\\]|\\["\\])*)"$/.exec(given)?.[1];
  const text = quoted === undefined ? given : quoted.replace(/\\(["\\])/g, "$1");
  if (!KEY.test(text)) throw malformed("An idempotency key is 1 to 255 visible ASCII characters.");
  return text;
}

const malformed = (detail: string): Problem => invalidAt("", detail, "invalid_idempotency_key");
