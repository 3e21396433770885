// whatsapp-api-js: messages, media and callbacks of messages, statuses and calls; nothing of management.
import { WhatsAppAPI } from "whatsapp-api-js";
import * as m from "whatsapp-api-js/messages";
import { OPERATIONS } from "./operations.mjs";
import {
  APP_SECRET,
  attempt,
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
} from "./report.mjs";

/** The library has the provider's address built in; everything behind the host stays as it is. */
const redirected = (input, init) => {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input);
  return fetch(SIMULATOR + pathname + search, init);
};
const api = new WhatsAppAPI({ token, appSecret: APP_SECRET, v: "v24.0", ponyfill: { fetch: redirected } });

async function send(operation, make, context) {
  return await attempt(operation, async () => {
    const answer = await api.sendMessage(number, person, make(), context, "opaque");
    if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error));
    if (!answer.messages[0].id.startsWith("wamid.")) throw new Error("the answer has no message id");
    return answer.messages[0].id;
  });
}

const text = new m.Body("Choose one");
const product = new m.Product("sku-1");

async function sendContent() {
  await send("send text", () => new m.Text("Hello"));
  await send("send text that quotes", () => new m.Text("Hello"), inbound);
  await send("send image by link", () => new m.Image(IMAGE, false, "A"));
  await send("send video by link", () => new m.Video("https://cdn.example/a.mp4"));
  await send("send audio by link", () => new m.Audio("https://cdn.example/a.ogg"));
  await send("send document by link", () => new m.Document("https://cdn.example/a.pdf", false, "A", "a.pdf"));
  await send("send sticker by link", () => new m.Sticker("https://cdn.example/a.webp"));
  await send("send location", () => new m.Location(-58.38, -34.6, "Obelisk", "Buenos Aires"));
  await send(
    "send contacts",
    () => new m.Contacts([new m.Name("Ana Diaz", "Ana"), new m.Phone("+15550001111", "CELL", "15550001111")]),
  );
  await send("send reaction", () => new m.Reaction(inbound, "👍"));
  await send("take reaction back", () => new m.Reaction(inbound));
}

async function sendInteractive() {
  const interactive = (operation, action, body = text, header) =>
    send(operation, () => new m.Interactive(action(), body, header, undefined));
  await interactive(
    "send reply buttons",
    () => new m.ActionButtons(new m.Button("yes", "Yes"), new m.Button("no", "No")),
  );
  await interactive(
    "send list",
    () => new m.ActionList("Open", new m.ListSection("One", new m.Row("a", "A", "First"))),
  );
  await interactive("send link button", () => new m.ActionCTA("Open", "https://shop.example/a"));
  await interactive("send flow", () => new m.ActionNavigateFlow("token", "123456", "Book", "FIRST"));
  await interactive("send product", () => new m.ActionProduct(new m.CatalogProduct("sku-1", "cat-1")));
  const sections = () => new m.ActionProductList("cat-1", new m.ProductSection("One", product));
  await interactive("send products", sections, text, new m.Header("Ours"));
  await interactive("send catalog", () => new m.ActionCatalog(product));
  await interactive("ask for location", () => new m.ActionLocation());
  await interactive("ask for contact", () => new m.ActionContactRequest());
  await interactive("ask for call permission", () => new m.ActionCallPermission());
}

async function sendTemplates() {
  const template = (operation, name, ...components) =>
    send(operation, () => new m.Template(name, "en_US", ...components));
  const value = (written, name) => new m.BodyParameter(written, name);
  await template("send template", "order_ready");
  await template("send template, positional", "order_update", new m.BodyComponent(value("Ana"), value("A17")));
  const named = new m.BodyComponent(value("A17", "order_no"), value("Ana", "first_name"));
  await template("send template, named", "order_update_named", named);
  await template(
    "send template, media and buttons",
    "client_photo",
    new m.HeaderComponent(new m.HeaderParameter(new m.Image(IMAGE))),
    new m.BodyComponent(value("Ana")),
    new m.URLComponent("A17"),
    new m.PayloadComponent("STOP"),
  );
  const code = [new m.BodyComponent(value("123456")), new m.URLComponent("123456")];
  await template("send template, authentication", "client_code", ...code);
}

async function useMedia() {
  const id = await attempt("upload media", async () => {
    const form = new FormData();
    form.set("file", new Blob([PNG], { type: "image/png" }));
    return (await api.uploadMedia(number, form)).id;
  });
  await send("send image by id", () => new m.Image(String(id), true));
  const url = await attempt("read media", async () => {
    const media = await api.retrieveMedia(id, number);
    expectEqual([media.mime_type, media.file_size], ["image/png", String(PNG.length)], "the media");
    return media.url;
  });
  await attempt("download media", async () => {
    const bytes = Buffer.from(await (await api.fetchMedia(url)).arrayBuffer());
    expectEqual(bytes.toString("hex"), PNG.toString("hex"), "the bytes");
  });
  await attempt("delete media", async () => expectEqual(await api.deleteMedia(id), { success: true }, "the answer"));
}

async function answerPeople() {
  const success = { success: true };
  await attempt("mark as read", async () => expectEqual(await api.markAsRead(number, inbound), success, "the answer"));
  await attempt("show typing", async () =>
    expectEqual(await api.markAsRead(number, inbound, "text"), success, "the answer"),
  );
  await attempt("refusal is an error with its code", async () => {
    const { error } = await api.sendMessage(number, person, new m.Template("no_such", "en_US"));
    expectEqual([error.code, typeof error.fbtrace_id], [132001, "string"], "the error");
  });
}

async function checkSignatures() {
  const [{ body, signature }, other] = callbacks();
  await attempt("check signatures", async () => {
    const found = [];
    for (const one of [signature, other.signature]) found.push(await api.verifyRequestSignature(body, one));
    expectEqual(found, [true, false], "right and wrong");
  });
}

/** It reads the first change of the first entry only, and of three kinds. */
async function parse() {
  let called;
  api.on.message = (given) => (called = given.message.id);
  api.on.status = (given) => (called = given.id);
  for (const event of ["connect", "terminate"]) api.on.call[event] = (given) => (called = given.call.id);
  api.on.call.status = (given) => (called = given.id);
  for (const { name, body, signature } of callbacks()) {
    const operation = `parse ${name}`;
    const { field, value } = JSON.parse(body).entry[0].changes[0];
    const [first] = value.messages ?? value.statuses ?? value.calls ?? [];
    if ((field !== "messages" && field !== "calls") || first === undefined) {
      notOffered(operation);
      continue;
    }
    await attempt(operation, async () => {
      called = undefined;
      await api.post(JSON.parse(body), body, signature);
      expectEqual(called, first.id, "what the handler was called with");
    });
  }
}

await sendContent();
await sendInteractive();
await sendTemplates();
await useMedia();
await answerPeople();
await checkSignatures();
await parse();
const management = OPERATIONS.slice(OPERATIONS.indexOf("list templates"), OPERATIONS.indexOf("check signatures"));
for (const operation of ["ask for address", "send call button", "send carousel", ...management]) {
  notOffered(operation);
}
