import { type Bytes, bytesOfBase64, bytesOfHex, hmacKey, signedBytes, standardKey, textKey } from "./signing.ts";
import type { WebhookEvent } from "./webhook-event.ts";

/** Why a delivery is not to be trusted. */
export type VerificationFault =
  | "missing_signature"
  | "malformed_signature"
  | "outside_tolerance"
  | "wrong_signature"
  | "malformed_body";

/** The headers do not prove that Waypost sent this body now; do not trust it. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly fault: VerificationFault;

  constructor(fault: VerificationFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** Older or newer deliveries are refused, so that a recorded one cannot be sent again. */
const TOLERANCE_SECONDS = 300;
/** An endpoint has at most 10 secrets at a time; the bound limits the work for forged headers. */
const MOST_SIGNATURES = 10;

/** The text of `X-Service-Signature`, or the headers of the request: `Headers`, or an object with names in lower case as in Node. */
export type SignatureSource =
  | string
  | null
  | undefined
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** How far the time of the attempt may be from now, both ways. Default 300. */
  toleranceSeconds?: number;
  /** Unix seconds; default: the clock. */
  now?: number;
};

/**
 * Checks the signature of a delivery over its raw body and returns the event. `body` must be exactly the bytes received, before any
 * parser; `secret` is the endpoint's whole secret (`whsec_…`), or several while a receiver has an old and a new one. Of the two
 * signatures that each delivery has, `X-Service-Signature` is checked, or `webhook-signature` (Standard Webhooks) where a proxy
 * leaves out the first. Throws `WebhookVerificationError`, or `TypeError` for a secret that is none.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: SignatureSource,
  secret: string | readonly string[],
  options: VerifyOptions | number = {},
): Promise<WebhookEvent> {
  const { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now() / 1_000 } =
    typeof options === "number" ? { now: options } : options;
  const given = signatureOf(headers);
  // Written so that what is no number refuses.
  if (!(Math.abs(now - given.timestamp) <= toleranceSeconds))
    throw new WebhookVerificationError("outside_tolerance", "the signature is too old or too new");
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const signed = signedBytes(given.prefix, bytes);
  for (const one of typeof secret === "string" ? [secret] : secret) {
    const key = await hmacKey(given.scheme === "service" ? textKey(one) : standardKey(one), "verify");
    for (const value of given.signatures) {
      // `verify` compares in constant time.
      if (await crypto.subtle.verify("HMAC", key, value, signed)) return eventOf(bytes);
    }
  }
  throw new WebhookVerificationError("wrong_signature", "no signature fits the body and the secret");
}

/** `prefix`: what is signed ahead of the body. */
type Given = { scheme: "service" | "standard"; timestamp: number; prefix: string; signatures: Bytes[] };

function signatureOf(source: SignatureSource): Given {
  const own = typeof source === "string" ? source : headerOf(source, "x-service-signature");
  if (own !== "") return serviceSignature(own);
  const [id, time, standard] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    typeof source === "string" ? "" : headerOf(source, name),
  );
  if (!standard) throw new WebhookVerificationError("missing_signature", "X-Service-Signature is missing");
  return standardSignature(id ?? "", time ?? "", standard);
}

/** `t=<unix seconds>,v1=<hex>[,v1=<hex>]`; other parts are passed over. */
function serviceSignature(header: string): Given {
  const parts = header.split(",", MOST_SIGNATURES + 1).map((part) => part.trim());
  const times = parts.filter((part) => part.startsWith("t=")).map((part) => part.slice(2));
  const hexes = parts.filter((part) => /^v1=[0-9a-f]{64}$/.test(part)).map((part) => part.slice(3));
  const [time = ""] = times;
  if (times.length !== 1 || !isSeconds(time) || hexes.length === 0)
    throw new WebhookVerificationError("malformed_signature", "X-Service-Signature is malformed");
  return { scheme: "service", timestamp: Number(time), prefix: `${time}.`, signatures: hexes.map(bytesOfHex) };
}

/** `v1,<base64>[ v1,<base64>]`; other versions are passed over. */
function standardSignature(id: string, time: string, header: string): Given {
  const values = header
    .split(" ", MOST_SIGNATURES)
    .filter((part) => /^v1,[A-Za-z0-9+/]{43}=$/.test(part))
    .map((part) => part.slice(3));
  if (id === "" || !isSeconds(time) || values.length === 0)
    throw new WebhookVerificationError("malformed_signature", "webhook-id, -timestamp or -signature is malformed");
  const prefix = `${id}.${time}.`;
  return { scheme: "standard", timestamp: Number(time), prefix, signatures: values.map(bytesOfBase64) };
}

const isSeconds = (text: string): boolean => /^\d{1,12}$/.test(text);

/** The value of a header; empty without one. `name` in lower case. */
export function headerOf(source: Exclude<SignatureSource, string>, name: string): string {
  if (source === null || source === undefined) return "";
  if (isHeaders(source)) return source.get(name) ?? "";
  const value = source[name] ?? Object.entries(source).find(([key]) => key.toLowerCase() === name)?.[1];
  return (typeof value === "string" ? value : value?.[0]) ?? "";
}

const isHeaders = (source: object): source is { get(name: string): string | null } =>
  "get" in source && typeof source.get === "function";

function eventOf(bytes: Uint8Array): WebhookEvent {
  try {
    // Signed by Waypost, so it has the documented shape.
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as WebhookEvent;
  } catch {
    throw new WebhookVerificationError("malformed_body", "the body is signed and is not JSON");
  }
}
