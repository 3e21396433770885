/** Runs in Node and browsers: Web Crypto only. No types of it stand in what the package declares, as these differ between both. */

export type Bytes = Uint8Array<ArrayBuffer>;

const PREFIX = "whsec_";

/** What is signed: the prefix, and the body as it is. */
export function signedBytes(prefix: string, body: Uint8Array): Bytes {
  const head = new TextEncoder().encode(prefix);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  return signed;
}

export const hmacKey = (key: Bytes, use: "sign" | "verify") =>
  crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, [use]);

/** Of `X-Service-Signature` the text of the secret is the key. */
export function textKey(secret: string): Bytes {
  if (secret === "") throw new TypeError("the endpoint's secret is missing");
  return new TextEncoder().encode(secret);
}

/** Of Standard Webhooks the key is what stands behind the prefix, decoded. */
export function standardKey(secret: string): Bytes {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw new TypeError("the endpoint's secret is not a whsec_ secret");
  return bytesOfBase64(text);
}

export const bytesOfHex = (hex: string): Bytes =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16));

export const bytesOfBase64 = (text: string): Bytes =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
