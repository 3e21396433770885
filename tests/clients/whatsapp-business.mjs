// whatsapp-business: messages as the documentation has them, media, numbers and the business profile; its receiver is an Express app.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { WABAClient } from "whatsapp-business";
import { webhookHandler } from "whatsapp-business/dist/src/webhooks/helpers.js";
import { MESSAGES } from "./bodies.mjs";
import { OPERATIONS } from "./operations.mjs";
import {
  account,
  attempt,
  callbacks,
  expectEqual,
  inbound,
  notOffered,
  number,
  othersNotOffered,
  PNG,
  person,
  SIMULATOR,
  token,
} from "./report.mjs";

const client = new WABAClient({ apiToken: token, phoneId: number, accountId: account });
// It has the provider's address built in; everything behind the host stays as it is.
const { defaults } = client.restClient.fetch;
defaults.baseURL = SIMULATOR + new URL(defaults.baseURL).pathname;
const success = (answer) => expectEqual(answer.success, true, "success");

const send = (operation, message) =>
  attempt(operation, async () => {
    const answer = await client.sendMessage({ to: person.slice(1), ...message });
    if (!answer.messages[0].id.startsWith("wamid.")) throw new Error("the answer has no message id");
    expectEqual(answer.contacts[0].wa_id, person.slice(1), "the recipient");
  });

async function useMedia() {
  const folder = mkdtempSync(join(tmpdir(), "whatsapp-business-"));
  const [given, taken] = [join(folder, "a.png"), join(folder, "b.png")];
  writeFileSync(given, PNG);
  const id = await attempt(
    "upload media",
    async () => (await client.uploadMedia({ file: given, type: "image/png" })).id,
  );
  await send("send image by id", { type: "image", image: { id } });
  const url = await attempt("read media", async () => {
    const media = await client.getMedia(id);
    expectEqual([media.mime_type, String(media.file_size)], ["image/png", String(PNG.length)], "the media");
    return media.url;
  });
  await attempt("download media", async () => {
    await finished(await client.downloadMedia(url, taken));
    expectEqual(readFileSync(taken).toString("hex"), PNG.toString("hex"), "the bytes");
  });
  await attempt("delete media", async () => success(await client.deleteMedia(id)));
  rmSync(folder, { recursive: true });
}

async function manageAccount() {
  await attempt("mark as read", async () => success(await client.markMessageAsRead(inbound)));
  await attempt("refusal is an error with its code", async () => {
    const template = { name: "no_such", language: { code: "en_US" } };
    const error = await client.sendMessage({ to: person, type: "template", template }).catch((thrown) => thrown);
    expectEqual([error.code, typeof error.fbtrace_id], [132001, "string"], "the error");
  });
  await attempt("list numbers", async () => {
    const { data } = await client.getBusinessPhoneNumbers();
    expectEqual([data.length, data[0].verified_name], [1, "Demo Shop"], "the numbers");
  });
  await attempt("write business profile", async () =>
    success(await client.updateBusinessProfile({ about: "Open all day", email: "a@shop.example" })),
  );
  await attempt("read business profile", async () => {
    expectEqual((await client.getBusinessProfile()).data[0].about, "Open all day", "the text");
  });
  await attempt("register number", async () =>
    success(await client.registerPhone({ phoneNumberId: number, pin: "123456" })),
  );
}

/** It checks no signatures, and reads messages, which have contacts beside them, and statuses. */
async function parse() {
  for (const { name, body } of callbacks()) {
    const payload = JSON.parse(body);
    const values = payload.entry.flatMap(({ changes }) => changes ?? []).map(({ value }) => value ?? {});
    const ids = (key) => values.flatMap((value) => (Array.isArray(value[key]) ? value[key] : [])).map(({ id }) => id);
    if (ids("messages").length + ids("statuses").length === 0) {
      notOffered(`parse ${name}`);
      continue;
    }
    await attempt(`parse ${name}`, async () => {
      const found = { messages: [], statuses: [] };
      webhookHandler(payload, {
        onMessageReceived: ({ id }) => found.messages.push(id),
        onStatusReceived: ({ id }) => found.statuses.push(id),
      });
      expectEqual(found, { messages: ids("messages"), statuses: ids("statuses") }, "what was heard");
    });
  }
}

for (const [operation, message] of MESSAGES) await send(operation, message);
await useMedia();
await manageAccount();
await parse();
othersNotOffered(OPERATIONS);
