import type { WebhookEvent } from "./webhook-event.ts";

/** Runs in Node and browsers: Web Crypto only. */

/** The headers do not prove that Waypost sent this body now; do not trust it. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

/** Older or newer deliveries are refused, so that a recorded one cannot be replayed. */
const TOLERANCE_SECONDS = 300;
/** An endpoint has two valid secrets during a rotation; the bound limits the work for forged headers. */
const MOST_SIGNATURES = 10;

/** The header's text, or the headers that contain it: `Headers`, or an object with lower-case names as in Node. */
export type SignatureSource =
  | string
  | null
  | undefined
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Checks `X-Service-Signature: t=<unix seconds>,v1=<hex>[,v1=<hex>]` over the raw body with the endpoint's whole secret
 * (`whsec_…`; several while a receiver has an old and a new one) and returns the parsed event. `body` must be exactly the bytes
 * received, before any parser. Throws `WebhookVerificationError`.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  signature: SignatureSource,
  secret: string | readonly string[],
  nowSeconds = Date.now() / 1_000,
): Promise<WebhookEvent> {
  const given = signaturesOf(headerText(signature));
  if (!given) throw new WebhookVerificationError("X-Service-Signature is missing or malformed");
  if (Math.abs(nowSeconds - given.timestamp) > TOLERANCE_SECONDS)
    throw new WebhookVerificationError("the signature is too old or too new");
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = signedBytes(given.timestamp, bytes);
  for (const one of typeof secret === "string" ? [secret] : secret) {
    const key = await hmacKey(one, "verify");
    for (const value of given.signatures) {
      // `verify` compares in constant time.
      if (await crypto.subtle.verify("HMAC", key, value, signed)) return eventOf(bytes);
    }
  }
  throw new WebhookVerificationError("no signature fits the body and the secret");
}

/** The parts of the header, or null when it is malformed. */
export function signaturesOf(header: string): { timestamp: number; signatures: Uint8Array<ArrayBuffer>[] } | null {
  const parts = header.split(",", MOST_SIGNATURES + 1).map((part) => part.trim().split("="));
  const timestamp = parts.find(([name]) => name === "t")?.[1] ?? "";
  const signatures = parts.flatMap(([name, value]) =>
    name === "v1" && value !== undefined && /^[0-9a-f]{64}$/.test(value) ? [bytesOf(value)] : [],
  );
  if (!/^\d{1,12}$/.test(timestamp) || signatures.length === 0) return null;
  return { timestamp: Number(timestamp), signatures };
}

/** `t + "." + raw body`. */
export function signedBytes(timestamp: number, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const prefix = new TextEncoder().encode(`${timestamp}.`);
  const signed = new Uint8Array(prefix.length + body.length);
  signed.set(prefix);
  signed.set(body, prefix.length);
  return signed;
}

/** The text of the secret is the key. */
export function hmacKey(secret: string, use: "sign" | "verify") {
  if (secret === "") throw new TypeError("the endpoint's secret is missing");
  return crypto.subtle.importKey("raw", new TextEncoder().encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    use,
  ]);
}

function headerText(source: SignatureSource): string {
  if (typeof source === "string") return source;
  if (source === null || source === undefined) return "";
  if (isHeaders(source)) return source.get("x-service-signature") ?? "";
  const value = source["x-service-signature"] ?? source["X-Service-Signature"];
  return (typeof value === "string" ? value : value?.[0]) ?? "";
}

const isHeaders = (source: object): source is { get(name: string): string | null } =>
  "get" in source && typeof source.get === "function";

function eventOf(bytes: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent; // signed by Waypost, so it has the documented shape
  } catch {
    throw new WebhookVerificationError("the body is signed and is not JSON");
  }
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16));
