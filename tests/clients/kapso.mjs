// @kapso/whatsapp-cloud-api: messages, media, templates, numbers and callbacks; what it has no method for goes through its
// own `request`, which it offers for that.
import { buildTemplateSendPayload, GraphApiError, WhatsAppClient } from "@kapso/whatsapp-cloud-api";
import { normalizeWebhook, verifySignature } from "@kapso/whatsapp-cloud-api/server";
import {
  APP_SECRET,
  account,
  attempt,
  CALLBACK_URL,
  callbacks,
  expectEqual,
  IMAGE,
  inbound,
  notOffered,
  number,
  PNG,
  person,
  SIMULATOR,
  token,
  VERIFY_TOKEN,
} from "./report.mjs";

const client = new WhatsAppClient({ accessToken: token, baseUrl: SIMULATOR, graphVersion: "v24.0" });
const { messages, media, templates, phoneNumbers } = client;
const ask = (method, path, options = {}) => client.request(method, path, { ...options, responseType: "json" });
/** Id of the template order_ready. */
const ORDER_READY = "1689556908129832";
const success = (answer) => expectEqual(answer.success, true, "success");

async function send(operation, method, content) {
  return await attempt(operation, async () => {
    const answer = await messages[method]({ phoneNumberId: number, to: person, ...content });
    if (!answer.messages[0].id.startsWith("wamid.")) throw new Error("the answer has no message id");
    expectEqual(answer.contacts[0].waId, person.slice(1), "the recipient");
  });
}

async function sendContent() {
  await send("send text", "sendText", { body: "Hello" });
  await send("send text that quotes", "sendText", { body: "Hello", contextMessageId: inbound });
  await send("send image by link", "sendImage", { image: { link: IMAGE, caption: "A" } });
  await send("send video by link", "sendVideo", { video: { link: "https://cdn.example/a.mp4" } });
  await send("send audio by link", "sendAudio", { audio: { link: "https://cdn.example/a.ogg" } });
  const document = { link: "https://cdn.example/a.pdf", filename: "a.pdf" };
  await send("send document by link", "sendDocument", { document });
  await send("send sticker by link", "sendSticker", { sticker: { link: "https://cdn.example/a.webp" } });
  await send("send location", "sendLocation", { location: { latitude: -34.6, longitude: -58.38, name: "Obelisk" } });
  const card = { name: { formattedName: "Ana Diaz", firstName: "Ana" }, phones: [{ phone: "+15550001111" }] };
  await send("send contacts", "sendContacts", { contacts: [card] });
  await send("send reaction", "sendReaction", { reaction: { messageId: inbound, emoji: "👍" } });
  await send("take reaction back", "sendReaction", { reaction: { messageId: inbound, emoji: "" } });
}

async function sendInteractive() {
  const bodyText = "Choose one";
  const buttons = [{ id: "yes", title: "Yes" }];
  await send("send reply buttons", "sendInteractiveButtons", { bodyText, buttons });
  const rows = [{ id: "a", title: "A", description: "First" }];
  await send("send list", "sendInteractiveList", { bodyText, buttonText: "Open", sections: [{ title: "One", rows }] });
  const link = { displayText: "Open", url: "https://shop.example/a" };
  await send("send link button", "sendInteractiveCtaUrl", { bodyText, parameters: link });
  const flow = { flowId: "123456", flowCta: "Book", flowMessageVersion: "3", flowToken: "token" };
  await send("send flow", "sendInteractiveFlow", { bodyText, parameters: flow });
  const product = { catalogId: "cat-1", productRetailerId: "sku-1" };
  await send("send product", "sendInteractiveProduct", { bodyText, ...product });
  const sections = [{ title: "One", productItems: [{ productRetailerId: "sku-1" }] }];
  const header = { type: "text", text: "Ours" };
  await send("send products", "sendInteractiveProductList", { bodyText, header, catalogId: "cat-1", sections });
  const thumbnail = { thumbnailProductRetailerId: "sku-1" };
  await send("send catalog", "sendInteractiveCatalogMessage", { bodyText, parameters: thumbnail });
  const card = { header: { type: "image", image: { link: IMAGE } }, bodyText: "A", action: link };
  const cards = [0, 1].map((cardIndex) => ({ cardIndex, ...card }));
  await send("send carousel", "sendInteractiveCarousel", { bodyText, cards });
  const parameters = { requestMessage: bodyText };
  await send("ask for location", "sendInteractiveLocationRequest", { bodyText, parameters });
  await send("ask for address", "sendInteractiveAddress", { bodyText, parameters: { country: "IN" } });
  await send("ask for call permission", "sendInteractiveCallPermission", {
    bodyText,
    parameters: { phoneNumber: number },
  });
}

async function sendTemplates() {
  const template = (operation, name, content = {}) =>
    send(operation, "sendTemplate", {
      template: buildTemplateSendPayload({ name, language: "en_US", ...content }),
    });
  const text = (value, parameterName) => ({ type: "text", text: value, ...(parameterName && { parameterName }) });
  await template("send template", "order_ready");
  await template("send template, positional", "order_update", { body: [text("Ana"), text("A17")] });
  const named = [text("A17", "order_no"), text("Ana", "first_name")];
  await template("send template, named", "order_update_named", { body: named });
  await template("send template, media and buttons", "client_photo", {
    header: { type: "image", image: { link: IMAGE } },
    body: [text("Ana")],
    buttons: [
      { type: "button", subType: "url", index: 0, parameters: [text("A17")] },
      { type: "button", subType: "quick_reply", index: 1, parameters: [{ type: "payload", payload: "STOP" }] },
    ],
  });
  await template("send template, authentication", "client_code", {
    body: [text("123456")],
    buttons: [{ type: "button", subType: "url", index: 0, parameters: [text("123456")] }],
  });
}

async function useMedia() {
  const mediaId = await attempt("upload media", async () => {
    const file = new Blob([PNG], { type: "image/png" });
    return (await media.upload({ phoneNumberId: number, type: "image", file, fileName: "a.png" })).id;
  });
  await send("send image by id", "sendImage", { image: { id: mediaId } });
  await attempt("read media", async () => {
    const { mimeType, fileSize } = await media.get({ mediaId, phoneNumberId: number });
    expectEqual([mimeType, String(fileSize)], ["image/png", String(PNG.length)], "the media");
  });
  await attempt("download media", async () => {
    const bytes = Buffer.from(await media.download({ mediaId, auth: "always" }));
    expectEqual(bytes.toString("hex"), PNG.toString("hex"), "the bytes");
  });
  await attempt("delete media", async () => success(await media.delete({ mediaId })));
}

async function answerPeople() {
  const read = { phoneNumberId: number, messageId: inbound };
  await attempt("mark as read", async () => success(await messages.markRead(read)));
  const typing = { ...read, typingIndicator: { type: "text" } };
  await attempt("show typing", async () => success(await messages.markRead(typing)));
  await attempt("refusal is an error with its code", async () => {
    const template = { name: "no_such", language: { code: "en_US" } };
    const error = await messages
      .sendTemplate({ phoneNumberId: number, to: person, template })
      .catch((thrown) => thrown);
    expectEqual([error instanceof GraphApiError, error.code], [true, 132001], "the error");
  });
}

async function manageTemplates() {
  const businessAccountId = account;
  await attempt("list templates", async () => {
    const { data } = await templates.list({ businessAccountId, status: "PAUSED" });
    expectEqual(
      data.map(({ name }) => name),
      ["paused_notice"],
      "the names",
    );
  });
  await attempt("page through templates", async () => {
    const names = [];
    let after;
    do {
      const { data, paging } = await templates.list({ businessAccountId, limit: 3, after });
      names.push(...data.map(({ name }) => name));
      after = paging.next === undefined ? undefined : paging.cursors.after;
    } while (after !== undefined);
    expectEqual([names.length, new Set(names).size], [8, 8], "the names");
  });
  await attempt("read template", async () => {
    const { name } = await templates.get({ businessAccountId, templateId: ORDER_READY });
    expectEqual(name, "order_ready", "the name");
  });
  const made = { businessAccountId, name: "client_made", language: "en_US" };
  await attempt("create template", async () => {
    const components = [
      { type: "HEADER", format: "TEXT", text: "Order {{1}}", example: { headerText: ["A17"] } },
      { type: "BODY", text: "Hi {{1}}, it is on its way.", example: { bodyText: [["Ana"]] } },
      { type: "FOOTER", text: "Thanks" },
      { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "Stop" }] },
    ];
    const { status } = await templates.create({ ...made, category: "UTILITY", components });
    expectEqual(status, "PENDING", "the status");
  });
  await attempt("edit template", async () => {
    const components = [{ type: "BODY", text: "Your order is here." }];
    success(await ask("POST", ORDER_READY, { body: { components } }));
    expectEqual((await ask("GET", ORDER_READY)).status, "PENDING", "the status");
  });
  await attempt("delete template", async () => success(await templates.delete(made)));
}

async function manageAccount() {
  await attempt("list numbers", async () => {
    const { data } = await ask("GET", `${account}/phone_numbers`);
    expectEqual([data.length, data[0].verifiedName ?? data[0].verified_name], [1, "Demo Shop"], "the numbers");
  });
  await attempt("read account", async () => {
    expectEqual((await ask("GET", account, { query: { fields: "id,name" } })).name, "Demo Shop", "the name");
  });
  const profile = { phoneNumberId: number };
  await attempt("write business profile", async () => {
    success(await phoneNumbers.businessProfile.update({ ...profile, about: "Open all day", email: "a@shop.example" }));
  });
  await attempt("read business profile", async () => {
    const { data } = await phoneNumbers.businessProfile.get({ ...profile, fields: "about,email" });
    expectEqual(data[0].about, "Open all day", "the text");
  });
  await attempt("register number", async () => success(await phoneNumbers.register({ ...profile, pin: "123456" })));
  const path = `${account}/subscribed_apps`;
  await attempt("subscribe with a callback URL", async () => {
    const body = { overrideCallbackUri: CALLBACK_URL, verifyToken: VERIFY_TOKEN };
    success(await ask("POST", path, { body }));
    const { data } = await ask("GET", path);
    expectEqual(data.length, 1, "the apps");
  });
  await attempt("unsubscribe", async () => success(await ask("DELETE", path)));
}

async function checkSignatures() {
  const [{ body, signature }, other] = callbacks();
  await attempt("check signatures", async () => {
    const found = [signature, other.signature].map((signatureHeader) =>
      verifySignature({ appSecret: APP_SECRET, rawBody: body, signatureHeader }),
    );
    expectEqual(found, [true, false], "right and wrong");
  });
}

/** It gathers messages, statuses and calls of all entries, and every other field as it came. */
async function parse() {
  for (const { name, body, signature } of callbacks()) {
    await attempt(`parse ${name}`, async () => {
      expectEqual(
        verifySignature({ appSecret: APP_SECRET, rawBody: body, signatureHeader: signature }),
        true,
        "verified",
      );
      const payload = JSON.parse(body);
      const values = payload.entry
        .flatMap(({ changes }) => changes ?? [])
        .filter(({ field }) => field === "messages" || field === "calls")
        .map(({ value }) => value);
      // One of the documented payloads has something in place of a list, which no reader may stumble over.
      const ids = (key) => values.flatMap((value) => (Array.isArray(value[key]) ? value[key] : [])).map(({ id }) => id);
      const parsed = normalizeWebhook(payload);
      const found = (list) => list.map(({ id }) => id);
      const missed = ids("messages").filter((id) => !found(parsed.messages).includes(id));
      expectEqual([missed, found(parsed.statuses)], [[], ids("statuses")], "messages that are missing, and statuses");
    });
  }
}

await sendContent();
await sendInteractive();
await sendTemplates();
await useMedia();
await answerPeople();
await manageTemplates();
await manageAccount();
await checkSignatures();
await parse();
for (const one of [
  "ask for contact",
  "send call button",
  "create template with a sample",
  "read number, all its fields",
  "list accounts of the business",
]) {
  notOffered(one);
}
