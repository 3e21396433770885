import { hmacKey, signedBytes } from "./webhook.ts";

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

const PREFIX = "whsec_";
const NO_ID = "00000000000000000000000000";

/**
 * The headers of a delivery of `body` as the gateway sends them, both signatures, for tests of a receiver: post the body
 * with them. Names are in lower case.
 */
export async function webhookTestHeaders(
  body: string,
  secret: string,
  delivery: TestDelivery = {},
): Promise<Record<string, string>> {
  const at = delivery.atSeconds ?? Math.floor(Date.now() / 1_000);
  const id = delivery.eventId ?? `evt_${NO_ID}`;
  const encoder = new TextEncoder();
  const own = await crypto.subtle.sign("HMAC", await hmacKey(secret, "sign"), signedBytes(at, encoder.encode(body)));
  const standard = await crypto.subtle.sign("HMAC", await standardKey(secret), encoder.encode(`${id}.${at}.${body}`));
  return {
    "content-type": "application/json",
    "x-service-signature": `t=${at},v1=${hexOf(own)}`,
    "webhook-id": id,
    "webhook-timestamp": String(at),
    "webhook-signature": `v1,${base64Of(new Uint8Array(standard))}`,
    "x-service-event": delivery.kind ?? "delivered",
    "x-service-delivery": delivery.deliveryId ?? `dlv_${NO_ID}`,
    "x-service-attempt": String(delivery.attempt ?? 1),
  };
}

// Standard Webhooks uses the bytes after the prefix as the key.
function standardKey(secret: string) {
  const text = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

const hexOf = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
