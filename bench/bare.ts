// The bound of the accept path: the same route in a bare Fastify, which checks the body, makes an answer of the same shape and
// does nothing else.
import type { AddressInfo } from "node:net";
import fastify from "fastify";
import { Message, type SendMessage, sendingOf } from "../packages/server/src/features/messages/schema.ts";
import { template as templateType } from "../packages/server/src/features/messages/types/template.ts";

// The parts of the schema are named for the document; a validator takes a name for the only schema that has it.
const unnamed = <Schema extends object>(schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema, (key, value: unknown) => (key === "$id" ? undefined : value))) as Schema;

const app = fastify({
  ajv: { customOptions: { removeAdditional: false, coerceTypes: false, discriminator: true, strictTypes: false } },
});
let sequence = 0;
app.post<{ Body: Extract<SendMessage, { type: "template" }> }>(
  "/v1/messages",
  { schema: { body: unnamed(sendingOf(templateType)), response: { 202: unnamed(Message) } } },
  (request, reply) => {
    sequence += 1;
    const { to, type, template } = request.body;
    const id = `msg_${"0".repeat(26)}`;
    void reply.code(202).header("location", `/v1/messages/${id}`);
    return {
      id,
      direction: "outbound",
      status: "queued",
      final: false,
      to,
      from: "+15550000000",
      phone_number_id: `num_${"0".repeat(26)}`,
      contact_id: `con_${"0".repeat(26)}`,
      type,
      template,
      reply_to: null,
      reference: null,
      category: "utility",
      pricing: null,
      error: null,
      provider_message_id: null,
      possible_duplicate: false,
      created_at: new Date().toISOString(),
      estimated_dispatch_at: null,
      send_at: null,
      expires_at: null,
      accepted_at: null,
      sent_at: null,
      delivered_at: null,
      read_at: null,
      failed_at: null,
      sequence,
    };
  },
);
await app.listen({ host: "127.0.0.1", port: 0 });
process.send?.({ url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}` });
process.on("message", () => {});
