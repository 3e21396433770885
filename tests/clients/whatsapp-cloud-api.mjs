// whatsapp-cloud-api: a bot's messages, without answers to one; its receiver is an Express app of its own.
import { once } from "node:events";
import { createRequire } from "node:module";
import express from "express";
import { createBot } from "whatsapp-cloud-api";
import { OPERATIONS } from "./operations.mjs";
import {
  attempt,
  callbacks,
  expectEqual,
  IMAGE,
  notOffered,
  number,
  othersNotOffered,
  person,
  SIMULATOR,
  token,
} from "./report.mjs";

/** The instance that it uses itself. */
const axios = createRequire(import.meta.url)("axios");
const BUILT_IN = "https://graph.facebook.com";
// It has the provider's address built in; everything behind the host stays as it is.
axios.interceptors.request.use((config) => ({ ...config, url: config.url.replace(BUILT_IN, SIMULATOR) }));
const bot = createBot(number, token, { version: "v24.0" });
const to = person.slice(1);

const send = (operation, method, ...content) =>
  attempt(operation, async () => {
    const { messageId, phoneNumber, whatsappId } = await bot[method](to, ...content);
    expectEqual([messageId.startsWith("wamid."), phoneNumber, whatsappId], [true, to, to], "the answer");
  });

async function sendContent() {
  await send("send text", "sendText", "Hello", { preview_url: true });
  await send("send image by link", "sendImage", IMAGE, { caption: "A" });
  await send("send video by link", "sendVideo", "https://cdn.example/a.mp4");
  await send("send audio by link", "sendAudio", "https://cdn.example/a.ogg");
  await send("send document by link", "sendDocument", "https://cdn.example/a.pdf", { filename: "a.pdf" });
  await send("send sticker by link", "sendSticker", "https://cdn.example/a.webp");
  await send("send location", "sendLocation", -34.6, -58.38, { name: "Obelisk" });
  const card = { name: { formatted_name: "Ana Diaz", first_name: "Ana" }, phones: [{ phone: "+15550001111" }] };
  await send("send contacts", "sendContacts", [card]);
  await send(
    "send reply buttons",
    "sendReplyButtons",
    "Choose one",
    { yes: "Yes", no: "No" },
    { footerText: "Thanks" },
  );
  const rows = [{ id: "a", title: "A", description: "First" }];
  await send("send list", "sendList", "Open", "Choose one", { One: rows });
}

async function sendTemplates() {
  const template = (operation, name, components) => send(operation, "sendTemplate", name, "en_US", components);
  const body = (...values) => ({ type: "body", parameters: values.map((text) => ({ type: "text", text })) });
  const button = (sub_type, index, parameter) => ({ type: "button", sub_type, index, parameters: [parameter] });
  await template("send template", "order_ready");
  await template("send template, positional", "order_update", [body("Ana", "A17")]);
  await template("send template, media and buttons", "client_photo", [
    { type: "header", parameters: [{ type: "image", image: { link: IMAGE } }] },
    body("Ana"),
    button("url", 0, { type: "text", text: "A17" }),
    button("quick_reply", 1, { type: "payload", payload: "STOP" }),
  ]);
  const code = [body("123456"), button("url", 0, { type: "text", text: "123456" })];
  await template("send template, authentication", "client_code", code);
  await attempt("refusal is an error with its code", async () => {
    const { error } = await bot.sendTemplate(to, "no_such", "en_US").catch((thrown) => thrown);
    expectEqual([error.code, typeof error.fbtrace_id], [132001, "string"], "the error");
  });
}

const HEARD_WITHIN_MS = 5_000;
/** The kinds of message that its receiver has an event for. It reads the first message of a callback. */
const HEARD = ["text", "image", "document", "audio", "video", "sticker", "location", "contacts"];

/** It checks no signatures. */
async function parse() {
  const app = express();
  await bot.startExpressServer({ app, webhookVerifyToken: "unused" });
  const server = app.listen(0);
  await once(server, "listening");
  const url = `http://127.0.0.1:${server.address().port}/webhook/whatsapp`;
  for (const { name, body } of callbacks()) {
    const { messages, statuses, metadata } = JSON.parse(body).entry[0].changes?.[0].value ?? {};
    const [message] = Array.isArray(messages) && statuses === undefined ? messages : [];
    if (!HEARD.includes(message?.type)) notOffered(`parse ${name}`);
    else await attempt(`parse ${name}`, () => hear(url, body, { of: metadata.phone_number_id, id: message.id }));
  }
  server.close();
}

/** Its events come after its answer. */
async function hear(url, body, { of, id }) {
  const receiver = createBot(of, token);
  let subscribed;
  const heard = new Promise((resolve) => {
    subscribed = receiver.on("message", (message) => resolve(message.id));
  });
  const late = new Promise((resolve) => setTimeout(resolve, HEARD_WITHIN_MS, "nothing").unref());
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  expectEqual([response.ok, await Promise.race([heard, late])], [true, id], "what was heard");
  receiver.unsubscribe(subscribed);
}

await sendContent();
await sendTemplates();
await parse();
othersNotOffered(OPERATIONS);
