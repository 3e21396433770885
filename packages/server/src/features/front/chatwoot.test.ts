import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { PATIENCE } from "../../testing/patience.ts";
import { type CloudReceiver, startCloudReceiver } from "../webhooks/testing/cloud-receiver.ts";
import { expectGraphError } from "./testing/front.ts";

// The requests of Chatwoot's channel for the Cloud API, and what its receiver reads of callbacks, as its source has them: its versions, its
// places of parameters, its JSON within JSON.

const SECRET = "the-app-secret-of-the-channel";
const TO = "15557770001";

let gateway: Gateway;
let mine: Sender;
let receiver: CloudReceiver;

beforeAll(async () => {
  gateway = await startGateway({ FRONT_WAIT: "20", EGRESS_ALLOW_CIDRS: "127.0.0.0/8" });
  mine = await gateway.sender();
  receiver = await startCloudReceiver(SECRET);
  await mine.call("PATCH", "/v1/workspace", { body: { front_app_secret: SECRET } });
  const path = `/v22.0/${mine.account.wabaId}/subscribed_apps`;
  const body = { override_callback_uri: receiver.url, verify_token: receiver.token };
  expect((await mine.call("POST", path, { body })).body).toEqual({ success: true });
  await mine.inbound(`+${TO}`);
});
afterAll(async () => {
  await receiver.close();
  await gateway.stop();
});

const ofPhone = (rest: string): string => `/v13.0/${mine.account.providerPhoneNumberId}${rest}`;
const ofBusiness = (rest: string): string => `/v14.0/${mine.account.wabaId}${rest}`;

/** Its answer is `messages.first.id`. */
async function expectSent(body: object): Promise<string> {
  const sent = await mine.call("POST", ofPhone("/messages"), { body: { messaging_product: "whatsapp", ...body } });
  expect([sent.status, sent.text]).toEqual([200, expect.stringContaining("wamid.")]);
  return sent.body.messages[0].id;
}

describe("it sends", () => {
  test("a text, and one that quotes", async () => {
    const id = await expectSent({ context: {}, to: TO, text: { body: "Hello" }, type: "text" });
    await expectSent({ context: { message_id: id }, to: TO, text: { body: "Again" }, type: "text" });
  });

  test("a template", async () => {
    const language = { policy: "deterministic", code: "en_US" };
    const template = { name: "order_ready", language, components: [] };
    await expectSent({ recipient_type: "individual", to: TO, type: "template", template });
  });

  test("files by their address", async () => {
    const link = "https://chat.example/a";
    await expectSent({ context: {}, to: TO, type: "image", image: { link, caption: "One" } });
    await expectSent({ context: {}, to: TO, type: "audio", audio: { link } });
    await expectSent({ context: {}, to: TO, type: "document", document: { link, caption: "Two", filename: "a.pdf" } });
  });

  test("choices, whose action is a text of JSON", async () => {
    const reply = { type: "reply", reply: { id: "one", title: "One" } };
    const buttons = { type: "button", body: { text: "Choose" }, action: JSON.stringify({ buttons: [reply] }) };
    await expectSent({ to: TO, interactive: buttons, type: "interactive" });
    const rows = [1, 2, 3, 4].map((id) => ({ id, title: `Row ${id}` }));
    const action = JSON.stringify({ button: "Choose an item", sections: [{ rows }] });
    await expectSent({ to: TO, interactive: { type: "list", body: { text: "Choose" }, action }, type: "interactive" });
  });

  test("and shows the error's message", async () => {
    const body = { messaging_product: "whatsapp", to: "15557779999", text: { body: "Hello" }, type: "text" };
    const refused = await mine.call("POST", ofPhone("/messages"), { body });
    expectGraphError(refused, 400, 131047);
    expect(refused.body.error.message).toContain("24-hour window");
  });
});

test("it reads templates page by page; with its key in the address it is refused", async () => {
  const { body } = await mine.call("GET", ofBusiness("/message_templates"));
  expect(body.data).toContainEqual(
    expect.objectContaining({ name: "order_ready", status: "APPROVED", language: "en_US" }),
  );
  const reply = await gateway.as(null)("GET", ofBusiness(`/message_templates?access_token=${mine.key}`));
  expectGraphError(reply, 401, 104);
});

test("it receives messages with their files, and the statuses of what it has sent", async () => {
  const valueOf = ({ body }: CloudReceiver["received"][number]) => body.entry[0].changes[0].value;
  const source = await expectSent({ context: {}, to: TO, text: { body: "Status" }, type: "text" });
  for (const status of ["sent", "delivered", "read"] as const) {
    gateway.simulator.status({ id: source, status });
    const isThat = (value: ReturnType<typeof valueOf>) =>
      value.statuses?.[0]?.id === source && value.statuses[0].status === status;
    await expect.poll(() => receiver.received.map(valueOf).some(isThat), PATIENCE).toBe(true);
  }

  gateway.simulator.inbound({
    phone_number_id: mine.account.providerPhoneNumberId,
    from: `+${TO}`,
    sample: "image",
  });
  const isImage = (value: ReturnType<typeof valueOf>) => value.messages?.[0]?.type === "image";
  await expect.poll(() => receiver.received.map(valueOf).some(isImage), PATIENCE).toBe(true);
  const value = receiver.received.map(valueOf).find(isImage);
  expect(value.metadata).toEqual({
    display_phone_number: mine.account.phone.slice(1),
    phone_number_id: mine.account.providerPhoneNumberId,
  });
  expect(value.contacts[0]).toMatchObject({ wa_id: TO });
  const { id } = value.messages[0].image;
  // It asks for the address at once, and downloads with its headers.
  const { body } = await mine.call("GET", `/v13.0/${id}`);
  const headers = { authorization: `Bearer ${mine.key}` };
  const file = await fetch(gateway.url + new URL(body.url).pathname, { headers });
  expect([file.status, (await file.arrayBuffer()).byteLength]).toEqual([200, Number(body.file_size)]);
  expect(receiver.refused).toBe(0);
});
