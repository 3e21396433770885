import { createHash, createHmac, timingSafeEqual } from "node:crypto";

const HEADER_PATTERN = /^sha256=([0-9a-fA-F]{64})$/;

/** Whether a value of the X-Hub-Signature-256 header has the form of a signature. */
export const isSignature = (header: string | undefined): boolean => header !== undefined && HEADER_PATTERN.test(header);

/**
 * True when the X-Hub-Signature-256 header fits the raw bytes under any of the secrets (Cloud API documentation, webhooks: verification and signature).
 * Every secret is tried, also after one has matched, so that the time shows neither which secret matched nor how far.
 */
export function verifySignature(secrets: readonly string[], body: Uint8Array, header: string | undefined): boolean {
  const hex = header === undefined ? undefined : HEADER_PATTERN.exec(header)?.[1];
  if (hex === undefined) return false;
  const claimed = Buffer.from(hex, "hex");
  let fits = false;
  for (const secret of secrets) {
    const expected = createHmac("sha256", secret).update(body).digest();
    fits = timingSafeEqual(expected, claimed) || fits;
  }
  return fits;
}

/** `appsecret_proof`: lower-case hex HMAC-SHA256 of the token under the app secret (Cloud API documentation, versions and authentication). */
export function appSecretProof(secret: string, accessToken: string): string {
  return createHmac("sha256", secret).update(accessToken).digest("hex");
}

/** Constant-time equality of two texts of any length. */
export function sameText(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
