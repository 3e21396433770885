import type { RawDocument } from "../../http/route.ts";

const text = (description: string, example: string) => ({
  description,
  type: "text/plain",
  schema: { type: "string", examples: [example] },
});

/** The handshake in the OpenAPI document. */
export const HANDSHAKE: RawDocument = {
  tag: "Provider",
  description:
    "The provider calls this once, when the callback URL is set in its app, and expects the challenge in the response. The token is `PROVIDER_VERIFY_TOKEN`.",
  query: {
    type: "object",
    required: ["hub.mode", "hub.verify_token", "hub.challenge"],
    properties: {
      "hub.mode": { type: "string", enum: ["subscribe"], examples: ["subscribe"] },
      "hub.verify_token": { type: "string", examples: ["your-verify-token"] },
      "hub.challenge": { type: "string", examples: ["1158201444"] },
    },
  },
  answers: {
    200: text("The challenge, unchanged.", "1158201444"),
    403: text("The token does not match, or `PROVIDER_VERIFY_TOKEN` is not set.", "the verify token is wrong"),
  },
};

/** The callbacks in the OpenAPI document. */
export const CALLBACK: RawDocument = {
  tag: "Provider",
  description:
    "Receives inbound messages, statuses, and changes of templates and accounts. 200 means that the signed bytes are committed. What one connected number reports of messages has been processed by then, all else is processed afterwards. At most 3 MiB.",
  headers: {
    type: "object",
    required: ["X-Hub-Signature-256"],
    properties: {
      "X-Hub-Signature-256": {
        type: "string",
        pattern: "^sha256=[0-9a-f]{64}$",
        description: "HMAC-SHA256 over the bytes of the body, with the app's secret.",
        examples: ["sha256=61c38ca929d8ee1bdc9cd9b9cbd4ba2e54b1a5ac1ba7a6a9d3bb5ae1fd2dbbc4"],
      },
    },
  },
  body: {
    type: "application/json",
    schema: {
      type: "object",
      additionalProperties: true,
      description: "As the provider sends it: `object` and `entry[]` with their `changes[]`.",
      examples: [
        {
          object: "whatsapp_business_account",
          entry: [
            {
              id: "9001",
              changes: [
                {
                  field: "messages",
                  value: {
                    messaging_product: "whatsapp",
                    metadata: { display_phone_number: "15559990000", phone_number_id: "1055" },
                    contacts: [{ profile: { name: "Ana" }, wa_id: "15551230001" }],
                    messages: [
                      {
                        from: "15551230001",
                        id: "wamid.HBgLMTU1NTEyMzAwMDEVAgASGBQzQTRBNjU5OUFFRTAzODEwMTQ0RgA=",
                        timestamp: "1769851800",
                        type: "text",
                        text: { body: "Where is my order?" },
                      },
                    ],
                  },
                },
              ],
            },
          ],
        },
      ],
    },
  },
  answers: {
    200: text("Committed; also what is signed and not understood, which is kept for the operator.", "ok"),
    401: text("The signature is missing or wrong.", "the signature is missing or wrong"),
    503: text("Not stored; the provider sends it again.", "not stored"),
  },
};
