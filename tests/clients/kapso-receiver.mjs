// @kapso/whatsapp-cloud-api: verifies a delivery and sorts what is in it into messages, statuses, calls and all else.
import { normalizeWebhook, verifySignature } from "@kapso/whatsapp-cloud-api/server";
import { SECRET, serveReceiver, TOKEN } from "./receivers.mjs";

await serveReceiver({
  handlers: ["messages", "statuses", "calls"],
  // It leaves the handshake to its users.
  async challenge(query) {
    return query["hub.verify_token"] === TOKEN ? query["hub.challenge"] : null;
  },
  async receive(text, signature) {
    if (!verifySignature({ appSecret: SECRET, rawBody: text, signatureHeader: signature })) throw new Error("refused");
    const payload = JSON.parse(text);
    const [{ field, value }] = payload.entry[0].changes;
    const { messages, statuses, calls } = normalizeWebhook(payload);
    const found = { messages: value.messages ?? value.message_echoes, statuses: value.statuses, calls: value.calls };
    if (field !== "messages" && field !== "calls" && messages.length === 0) return null;
    const [name, list] = Object.entries(found).find(([, items]) => Array.isArray(items)) ?? [];
    if (name === undefined) return null;
    const read = { messages, statuses, calls }[name].map(({ id }) => id);
    if (JSON.stringify(read) !== JSON.stringify(list.map(({ id }) => id)))
      throw new Error(`${name}: ${JSON.stringify(read)} instead of ${JSON.stringify(list)}`);
    return [name];
  },
});
