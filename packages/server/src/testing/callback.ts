import { createHmac } from "node:crypto";
import type { Gateway } from "./gateway.ts";
import { APP_SECRET, type ProviderAccount } from "./provider-account.ts";

/** The value of the provider's X-Hub-Signature-256 header. */
export const signatureOf = (bytes: string | Uint8Array, secret: string = APP_SECRET): string =>
  `sha256=${createHmac("sha256", secret).update(bytes).digest("hex")}`;

/** Posts a callback as the provider does; an object is sent as JSON. `signature`: null sends none. */
export async function postCallback(
  gateway: Gateway,
  payload: object | string | Uint8Array,
  signature?: string | null,
): Promise<{ status: number; text: string }> {
  const bytes = typeof payload === "string" || payload instanceof Uint8Array ? payload : JSON.stringify(payload);
  const header = signature === undefined ? signatureOf(bytes) : signature;
  const { status, text } = await gateway.as(null)("POST", "/webhooks/receive", {
    body: bytes,
    headers: header === null ? {} : { "x-hub-signature-256": header },
  });
  return { status, text };
}

/** One callback of an account with these changes of its number. */
export const callbackOf = (account: ProviderAccount, ...values: object[]): object => ({
  object: "whatsapp_business_account",
  entry: [
    {
      id: account.wabaId,
      changes: values.map((value) => ({
        field: "messages",
        value: {
          messaging_product: "whatsapp",
          metadata: { display_phone_number: account.phone.slice(1), phone_number_id: account.providerPhoneNumberId },
          ...value,
        },
      })),
    },
  ],
});

/** The value of an inbound text message. `atMs` is the provider's time. */
export const textFrom = (digits: string, id: string, text: string, atMs: number): object => ({
  contacts: [{ profile: { name: "Ana" }, wa_id: digits }],
  messages: [{ from: digits, id, timestamp: seconds(atMs), type: "text", text: { body: text } }],
});

/** The value of a status; `more` adds the opaque value, errors and so on. */
export const statusOf = (id: string, status: string, atMs: number, more: object = {}): object => ({
  statuses: [{ id, status, timestamp: seconds(atMs), recipient_id: "15550001111", ...more }],
});

/** One callback with people's settings for marketing; times are seconds. */
export const preferencesOf = (account: ProviderAccount, ...preferences: object[]): object => ({
  object: "whatsapp_business_account",
  entry: [
    {
      id: account.wabaId,
      changes: [
        {
          field: "user_preferences",
          value: {
            messaging_product: "whatsapp",
            metadata: { display_phone_number: account.phone.slice(1), phone_number_id: account.providerPhoneNumberId },
            user_preferences: preferences.map((one) => ({ category: "marketing_messages", ...one })),
          },
        },
      ],
    },
  ],
});

const seconds = (ms: number): string => String(Math.floor(ms / 1_000));
