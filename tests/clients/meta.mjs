// whatsapp, the provider's own SDK for Node.js: messages. It speaks to port 443 alone, by TLS, so there is a proxy in front of what it uses.
import { once } from "node:events";
import { request } from "node:http";
import { createServer } from "node:https";
import { generate } from "selfsigned";
import { MESSAGES } from "./bodies.mjs";
import { OPERATIONS } from "./operations.mjs";
import {
  APP_SECRET,
  attempt,
  callbacks,
  expectEqual,
  inbound,
  notOffered,
  number,
  othersNotOffered,
  person,
  SIMULATOR,
  token,
} from "./report.mjs";

/** It has no method for these, or takes a kind of message for another. */
const METHODS = [
  "text",
  "image",
  "video",
  "audio",
  "document",
  "sticker",
  "location",
  "contacts",
  "interactive",
  "template",
];

const proxy = await startProxy();
Object.assign(process.env, {
  NODE_ENV: "production", // else it looks for a package that it does not declare
  WA_BASE_URL: "localhost",
  WA_PHONE_NUMBER_ID: number,
  CLOUD_API_VERSION: "v24.0",
  CLOUD_API_ACCESS_TOKEN: token,
  M4D_APP_SECRET: APP_SECRET,
});
const { default: WhatsApp } = await import("whatsapp");
const client = new WhatsApp(number);
client.requester.port = proxy.port;
client.requester.client.agent.options.ca = proxy.certificate;

async function startProxy() {
  const { private: key, cert } = await generate([{ name: "commonName", value: "localhost" }]);
  const server = createServer({ key, cert }, (incoming, outgoing) => {
    const { method, url, headers } = incoming;
    const passed = request(SIMULATOR + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: server.address().port, certificate: cert, close: () => server.close() };
}

for (const [operation, { type, context, ...message }] of MESSAGES) {
  if (!METHODS.includes(type)) continue;
  await attempt(operation, async () => {
    const sent = await client.messages[type](message[type], person.slice(1), context?.message_id);
    const answer = await sent.responseBodyToJSON();
    if (sent.statusCode() !== 200) throw new Error(JSON.stringify(answer));
    expectEqual(
      [answer.messages[0].id.startsWith("wamid."), answer.contacts[0].wa_id],
      [true, person.slice(1)],
      "the answer",
    );
  });
}
await attempt("mark as read", async () => {
  const answer = await client.messages.status({ status: "read", message_id: inbound });
  expectEqual(await answer.responseBodyToJSON(), { success: true }, "the answer");
});
await attempt("refusal is an error with its code", async () => {
  const template = { name: "no_such", language: { code: "en_US" } };
  const { error } = await (await client.messages.template(template, person.slice(1))).responseBodyToJSON();
  expectEqual([error.code, typeof error.fbtrace_id], [132001, "string"], "the error");
});
// Its receiver ends the process at each callback: it joins what it has read as text, and then as buffers.
for (const { name } of callbacks()) notOffered(`parse ${name}`);
othersNotOffered(OPERATIONS);
client.requester.client.clearSockets();
proxy.close();
