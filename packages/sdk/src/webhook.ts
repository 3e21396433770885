/** Runs in Node and browsers: Web Crypto only. */

/** The headers do not prove that Waypost sent this body now; treat it as a stranger's. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

/** Older or newer than this is refused: a recorded delivery must not be played again. */
const TOLERANCE_SECONDS = 300;

/**
 * Checks `X-Service-Signature: t=<unix seconds>,v1=<hex>[,v1=<hex>]` over the raw body with the endpoint's whole secret
 * (`whsec_…`) and gives the parsed event. Throws `WebhookVerificationError`.
 */
export async function verifyWebhook(
  body: string,
  header: string | null | undefined,
  secret: string,
  nowSeconds = Date.now() / 1_000,
): Promise<unknown> {
  const given = signaturesOf(header ?? "");
  if (!given) throw new WebhookVerificationError("X-Service-Signature is missing or malformed");
  if (Math.abs(nowSeconds - given.timestamp) > TOLERANCE_SECONDS)
    throw new WebhookVerificationError("the signature is too old or too new");
  const encoder = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
  const signed = encoder.encode(`${given.timestamp}.${body}`);
  for (const signature of given.signatures) {
    // `verify` compares in constant time.
    if (await crypto.subtle.verify("HMAC", key, signature, signed)) return JSON.parse(body) as unknown;
  }
  throw new WebhookVerificationError("no signature fits the body and the secret");
}

/** The parts of the header, null when it is none. */
export function signaturesOf(header: string): { timestamp: number; signatures: Uint8Array<ArrayBuffer>[] } | null {
  const parts = header.split(",").map((part) => part.trim().split("="));
  const timestamp = parts.find(([name]) => name === "t")?.[1] ?? "";
  const signatures = parts.flatMap(([name, value]) =>
    name === "v1" && value !== undefined && /^[0-9a-f]{64}$/.test(value) ? [bytesOf(value)] : [],
  );
  if (!/^\d{1,12}$/.test(timestamp) || signatures.length === 0) return null;
  return { timestamp: Number(timestamp), signatures };
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) => Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16));
