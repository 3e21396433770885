// @great-detail/whatsapp: messages as the documentation has them, media, templates, numbers, accounts and signatures of callbacks.
import { Client } from "@great-detail/whatsapp";
import { MESSAGES } from "./bodies.mjs";
import { OPERATIONS } from "./operations.mjs";
import {
  APP_SECRET,
  account,
  attempt,
  CALLBACK_URL,
  callbacks,
  expectEqual,
  inbound,
  number,
  othersNotOffered,
  PNG,
  person,
  SIMULATOR,
  token,
  VERIFY_TOKEN,
} from "./report.mjs";

const client = new Client({
  prefixUrl: SIMULATOR,
  graphVersion: "v24.0",
  request: { headers: { Authorization: `Bearer ${token}` } },
});
const { businessProfile, media, message: messages, phoneNumbers, subscribedApps, template: templates } = client;
const ofNumber = { phoneNumberID: number };
/** Id of the template order_ready. */
const ORDER_READY = "1689556908129832";
const success = async (answer) => expectEqual((await (await answer).json()).success, true, "success");
const read = async (answer) => await (await answer).json();

const send = (operation, message) =>
  attempt(operation, async () => {
    const answer = await read(messages.createMessage({ ...ofNumber, to: person.slice(1), ...message }));
    if (!answer.messages[0].id.startsWith("wamid.")) throw new Error("the answer has no message id");
    expectEqual(answer.contacts[0].wa_id, person.slice(1), "the recipient");
  });

async function useMedia() {
  const mediaID = await attempt("upload media", async () => {
    const file = new Blob([PNG], { type: "image/png" });
    return (await read(media.upload({ ...ofNumber, file, filename: "a.png", mimeType: "image/png" }))).id;
  });
  await send("send image by id", { type: "image", image: { id: mediaID } });
  const mediaURL = await attempt("read media", async () => {
    const found = await read(media.getURL({ mediaID, ...ofNumber }));
    expectEqual([found.mime_type, String(found.file_size)], ["image/png", String(PNG.length)], "the media");
    return found.url;
  });
  await attempt("download media", async () => {
    const bytes = Buffer.from(await (await media.download({ mediaURL })).arrayBuffer());
    expectEqual(bytes.toString("hex"), PNG.toString("hex"), "the bytes");
  });
  await attempt("delete media", async () => await success(media.delete({ mediaID, ...ofNumber })));
}

async function answerPeople() {
  const seen = { ...ofNumber, status: "read", message_id: inbound };
  await attempt("mark as read", async () => await success(messages.createStatus(seen)));
  const typing = { ...seen, typing_indicator: { type: "text" } };
  await attempt("show typing", async () => await success(messages.createStatus(typing)));
  await attempt("refusal is an error with its code", async () => {
    const template = { name: "no_such", language: { code: "en_US" } };
    const refused = await messages
      .createMessage({ ...ofNumber, to: person, type: "template", template })
      .catch((thrown) => thrown);
    const { error } = await refused.response.json();
    expectEqual([error.code, typeof error.fbtrace_id], [132001, "string"], "the error");
  });
}

async function manageTemplates() {
  await attempt("list templates", async () => {
    const { data } = await read(templates.list(account, { status: "PAUSED" }));
    expectEqual(
      data.map(({ name }) => name),
      ["paused_notice"],
      "the names",
    );
  });
  await attempt("read template", async () => {
    const { name } = await read(templates.get(ORDER_READY, { fields: ["name", "status"] }));
    expectEqual(name, "order_ready", "the name");
  });
  const components = [{ type: "BODY", text: "Hi {{1}}, it is on its way.", example: { body_text: [["Ana"]] } }];
  const made = { name: "client_made", language: "en_US" };
  await attempt("create template", async () => {
    const { status } = await read(templates.create(account, { ...made, category: "UTILITY", components }));
    expectEqual(status, "PENDING", "the status");
  });
  await attempt("edit template", async () => {
    const edited = [{ type: "BODY", text: "Your order is here." }];
    await success(templates.update(ORDER_READY, { components: edited }));
    expectEqual((await read(templates.get(ORDER_READY, {}))).status, "PENDING", "the status");
  });
  await attempt("delete template", async () => await success(templates.delete(account, { name: made.name })));
}

async function manageAccount() {
  await attempt("list numbers", async () => {
    const fields = ["id", "verified_name"];
    const { data } = await read(phoneNumbers.listPhoneNumbers({ businessAccountID: account, fields }));
    expectEqual([data.length, data[0].verified_name], [1, "Demo Shop"], "the numbers");
  });
  await attempt("read account", async () => {
    const { name } = await read(client.whatsappBusinessAccount.get(account, { fields: ["id", "name"] }));
    expectEqual(name, "Demo Shop", "the name");
  });
  await attempt("write business profile", async () => {
    const profile = { about: "Open all day", email: "a@shop.example" };
    await success(businessProfile.updateBusinessProfile({ ...ofNumber, ...profile }));
  });
  await attempt("read business profile", async () => {
    const { data } = await read(businessProfile.getBusinessProfile({ ...ofNumber, fields: ["about", "email"] }));
    expectEqual(data[0].about, "Open all day", "the text");
  });
  await attempt("subscribe with a callback URL", async () => {
    const businessAccountID = account;
    const subscription = { override_callback_uri: CALLBACK_URL, verify_token: VERIFY_TOKEN };
    await success(subscribedApps.createSubscription({ businessAccountID, ...subscription }));
    const { data } = await read(subscribedApps.listSubscriptions({ businessAccountID }));
    expectEqual(data.length, 1, "the apps");
  });
}

const notified = (body, signature) =>
  client.webhook.eventNotification({ method: "POST", headers: { "x-hub-signature-256": signature }, body });

/** It hands a callback on as it is, when its signature is right. */
async function parse() {
  const [one, other] = callbacks();
  await attempt("check signatures", async () => {
    const found = [];
    for (const signature of [one.signature, other.signature])
      found.push(await (await notified(one.body, signature)).checkSignature(APP_SECRET));
    expectEqual(found, [true, false], "right and wrong");
  });
  for (const { name, body, signature } of callbacks()) {
    await attempt(`parse ${name}`, async () => {
      const found = await notified(body, signature);
      await found.verifySignature(APP_SECRET);
      expectEqual(found.eventNotification, JSON.parse(body), "the callback");
    });
  }
}

for (const [operation, message] of MESSAGES) await send(operation, message);
await useMedia();
await answerPeople();
await manageTemplates();
await manageAccount();
await parse();
othersNotOffered(OPERATIONS);
