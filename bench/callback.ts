import { createHmac } from "node:crypto";
import { APP_SECRET } from "./settings.ts";

/** A text that the database can be made to refuse. */
export const POISON = "POISON";

/** Where the provider posts its callbacks. */
export const CALLBACK_PATH = "/webhooks/receive";

/** The headers of a callback with this body, signed as the provider signs. */
export const callbackHeaders = (body: string): Record<string, string> => ({
  "content-type": "application/json",
  "x-hub-signature-256": `sha256=${createHmac("sha256", APP_SECRET).update(body).digest("hex")}`,
});

/** A callback about one number, by its id at the provider: its statuses, or its messages with their contacts. */
export function callbackBody(number: string, value: object): string {
  const metadata = { display_phone_number: "1", phone_number_id: number };
  return JSON.stringify({
    object: "whatsapp_business_account",
    entry: [
      {
        id: number,
        changes: [{ field: "messages", value: { messaging_product: "whatsapp", metadata, ...value } }],
      },
    ],
  });
}

/** What a person writes to a number; `person` in digits, as the provider names people. */
export const textFrom = (person: string, id: string, text: string): object => ({
  contacts: [{ profile: { name: "Ana" }, wa_id: person }],
  messages: [{ from: person, id, timestamp: nowSeconds(), type: "text", text: { body: text } }],
});

/** One entry of `statuses`. */
export const statusOf = (id: string, status: string, person: string, opaque: string): object => ({
  id,
  status,
  timestamp: nowSeconds(),
  recipient_id: person,
  biz_opaque_callback_data: opaque,
});

const nowSeconds = (): string => String(Math.floor(Date.now() / 1_000));
