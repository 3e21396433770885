import { hmacKey, signedBytes, standardKey, textKey } from "./signing.ts";

/** Values of the delivery that a test simulates; all have a default. */
export type TestDelivery = {
  /** The event's id; default an invented one. */
  eventId?: string;
  kind?: string;
  deliveryId?: string;
  /** Default 1. */
  attempt?: number;
  /** Time of the attempt; default: now. */
  atSeconds?: number;
};

const NO_ID = "00000000000000000000000000";

/**
 * The headers of a delivery of `body` as the gateway sends them, both signatures, for tests of a receiver: post the body
 * with them. `secret`: several while they are being rotated. Names are in lower case.
 */
export async function webhookTestHeaders(
  body: string | Uint8Array,
  secret: string | readonly string[],
  delivery: TestDelivery = {},
): Promise<Record<string, string>> {
  const at = delivery.atSeconds ?? Math.floor(Date.now() / 1_000);
  const id = delivery.eventId ?? `evt_${NO_ID}`;
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const secrets = typeof secret === "string" ? [secret] : secret;
  const own = await Promise.all(secrets.map((one) => signature(textKey(one), `${at}.`, bytes)));
  const standard = await Promise.all(secrets.map((one) => signature(standardKey(one), `${id}.${at}.`, bytes)));
  return {
    "content-type": "application/json",
    "x-service-signature": [`t=${at}`, ...own.map((value) => `v1=${hexOf(value)}`)].join(","),
    "webhook-id": id,
    "webhook-timestamp": String(at),
    "webhook-signature": standard.map((value) => `v1,${base64Of(value)}`).join(" "),
    "x-service-event": delivery.kind ?? "delivered",
    "x-service-delivery": delivery.deliveryId ?? `dlv_${NO_ID}`,
    "x-service-attempt": String(delivery.attempt ?? 1),
  };
}

async function signature(key: Uint8Array<ArrayBuffer>, prefix: string, body: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign("HMAC", await hmacKey(key, "sign"), signedBytes(prefix, body)));
}

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
