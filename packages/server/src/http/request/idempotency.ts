import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "../problem.ts";
import type { RequestKey } from "../route.ts";
import { canonicalJson } from "./canonical-json.ts";

/** Visible ASCII, 1 to 255 characters. */
const KEY = /^[\x21-\x7e]{1,255}$/;
/** 128 bits: no two keys of a workspace meet by accident, and the key itself, which may say something, is not kept. */
const DIGEST_HEX = 32;

/** The key of a POST's headers; null without. Malformed, or two that differ, is 400. */
export function keyOf(headers: IncomingHttpHeaders): string | null {
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

const malformed = (detail: string): Problem =>
  new Problem("invalid_request", detail, { errors: [{ pointer: "", code: "invalid_idempotency_key", detail }] });

/**
 * Digest of the key and fingerprint of the request: method, path, sorted query and canonical body, each ended by a byte
 * that none of them holds. Two ways to write the same JSON are one request.
 */
export function requestKey(key: string, method: string, url: string, body: unknown): RequestKey {
  const [path = "", query = ""] = url.split("?", 2);
  const sorted = query === "" ? "" : query.split("&").sort().join("&");
  const text = `${method}\n${path}\n${sorted}\n${body === undefined ? "" : canonicalJson(body)}`;
  return { digest: hash("sha256", key, "hex").slice(0, DIGEST_HEX), fingerprint: hash("sha256", text, "hex") };
}
