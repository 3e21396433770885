// whatsapp-api-js: verifies a delivery, and calls a handler for its first message, status or call.
import { WhatsAppAPI } from "whatsapp-api-js";
import { SECRET, serveReceiver, TOKEN } from "./receivers.mjs";

const api = new WhatsAppAPI({ token: "none", appSecret: SECRET, webhookVerifyToken: TOKEN, v: "v24.0" });
let heard = null;
api.on.message = ({ message }) => (heard = ["message", message.id]);
api.on.status = ({ id }) => (heard = ["status", id]);
for (const event of ["connect", "terminate"]) api.on.call[event] = ({ call }) => (heard = [`call.${event}`, call.id]);
api.on.call.status = ({ id }) => (heard = ["call.status", id]);

await serveReceiver({
  handlers: ["message", "status", "call.connect", "call.terminate", "call.status"],
  challenge: async (query) => await api.get(query),
  async receive(text, signature) {
    const { field, value } = JSON.parse(text).entry[0].changes[0];
    if (!(await api.verifyRequestSignature(text, signature))) throw new Error("refused");
    const [first] = value.messages ?? value.statuses ?? value.calls ?? [];
    if ((field !== "messages" && field !== "calls") || first === undefined) return null;
    heard = null;
    await api.post(JSON.parse(text), text, signature);
    if (heard?.[1] !== first.id) throw new Error(`${JSON.stringify(heard)} was heard instead of ${first.id}`);
    return [heard[0]];
  },
});
