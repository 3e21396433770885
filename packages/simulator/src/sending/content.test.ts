import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { golden } from "../testing/golden.ts";
import { type Pair, startPair } from "../testing/provider.ts";
import type { TemplateInput } from "../world/template.ts";

let pair: Pair;
beforeAll(async () => {
  pair = await startPair();
});
afterAll(() => pair.close());
beforeEach(async () => {
  pair.simulator.reset();
  pair.simulator.setSettings({ outsideWindow: "allowed", pairLimit: false });
  for (const made of golden("templates").payload as TemplateInput[])
    pair.simulator.addTemplate({ waba_id: "9001", ...made });
  await pair.simulator.idle();
  pair.receiver.posts.length = 0;
});

const UNTITLED = { product_items: [{ product_retailer_id: "sku" }] };
const LONG = "x".repeat(5_000);
const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id: `r${id}`, title: "Row" }));
const replies = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ type: "reply", reply: { id: `r${id}`, title: `Row ${id}` } }));

const quickReplies = (count: number) =>
  Array.from({ length: count }, (_, id) => ({ type: "quick_reply", quick_reply: { id: `q${id}`, title: "More" } }));

/** The golden request with the value at a path replaced, or without it. */
function changed(name: string, path: string, value: unknown): Record<string, unknown> {
  const request = structuredClone(golden(`request-${name}`).payload) as Record<string, unknown>;
  const steps = path.split(".");
  const last = steps.pop() ?? "";
  let holder = request;
  for (const step of steps) holder = holder[step] as Record<string, unknown>;
  if (value === undefined) delete holder[last];
  else holder[last] = value;
  return request;
}

const BODY = "interactive.body.text";
const ACTION = "interactive.action";
const PARAMETERS = `${ACTION}.parameters`;
const COMPONENTS = "template.components";

/** What is wrong with a golden request that was changed there, and the code that it is refused with. */
describe("content that the provider refuses", () => {
  test.each<[name: string, path: string, value: unknown, code: number]>([
    ["image", "image.caption", LONG, 131009],
    ["image", "image.link", "ftp://cdn.example/a.jpg", 131009],
    ["video", "video.link", undefined, 131009],
    ["audio", "audio.caption", "Listen", 131009],
    ["sticker", "sticker.id", "17", 131009],
    ["contacts", "contacts", Array(258).fill({}), 131009],
    ["contacts", "contacts", [], 131008],
    ["contacts", "contacts.0.name", { formatted_name: "Ana" }, 131009],
    ["location", "location.latitude", "", 131009],
    ["location", "location.latitude", true, 131009],
    ["location", "location.latitude", "0x10", 131009],
    ["location", "location.longitude", "180.1", 131009],
    ["location", "location.longitude", undefined, 131009],
    ["reaction", "reaction.message_id", undefined, 131008],
    ["reaction", "context", { message_id: "wamid.A" }, 131009],
    ["interactive-button", "interactive.type", undefined, 131008],
    ["interactive-button", BODY, LONG, 131009],
    ["interactive-button", "interactive.body", undefined, 131008],
    ["interactive-button", `${ACTION}.buttons`, replies(4), 131009],
    ["interactive-button", `${ACTION}.buttons.1.reply.id`, "yes", 131009],
    ["interactive-button", `${ACTION}.buttons.1.reply.title`, "Yes", 131009],
    ["interactive-button-image", "interactive.header.image", {}, 131009],
    ["interactive-button-image", "interactive.footer.text", LONG, 131009],
    ["interactive-list", `${ACTION}.button`, "x".repeat(21), 131009],
    ["interactive-list", `${ACTION}.sections.0.rows`, rows(11), 131009],
    ["interactive-list", `${ACTION}.sections.0.rows.0.description`, LONG, 131009],
    ["interactive-list-sections", `${ACTION}.sections.1.title`, undefined, 131008],
    ["interactive-list-sections", `${ACTION}.sections.1.rows`, rows(10), 131009],
    ["interactive-list-sections", "interactive.header", { type: "image", image: { id: "1" } }, 131009],
    ["interactive-cta-url", `${PARAMETERS}.display_text`, "x".repeat(21), 131009],
    ["interactive-cta-url", `${PARAMETERS}.url`, "shop.example", 131009],
    ["interactive-flow", `${PARAMETERS}.flow_name`, "booking", 131009],
    ["interactive-flow", `${PARAMETERS}.flow_cta`, "x".repeat(31), 131009],
    ["interactive-flow", `${PARAMETERS}.flow_action_payload`, { screen: "A", data: {} }, 131009],
    ["interactive-product", "interactive.header", { type: "text", text: "A" }, 131009],
    ["interactive-product", `${ACTION}.catalog_id`, undefined, 131008],
    ["interactive-product-list", "interactive.header", undefined, 131008],
    ["interactive-product-list", `${ACTION}.sections.0.product_items`, [], 131009],
    ["interactive-catalog", `${ACTION}.name`, "catalog", 131009],
    ["interactive-catalog", PARAMETERS, "sku", 131009],
    ["interactive-location-request", `${ACTION}.name`, "location", 131009],
    ["interactive-location-request", BODY, "", 131008],
    ["interactive-address", `${PARAMETERS}.country`, "India", 131009],
    ["interactive-address", PARAMETERS, undefined, 131008],
    ["interactive-voice-call", `${PARAMETERS}.ttl_minutes`, 43_201, 131009],
    ["interactive-voice-call", `${PARAMETERS}.display_text`, "x".repeat(21), 131009],
    ["interactive-call-permission", `${ACTION}.name`, "call", 131009],
    ["interactive-call-permission", ACTION, undefined, 131008],
    ["interactive-carousel", `${ACTION}.cards`, [], 131009],
    ["interactive-carousel", `${ACTION}.cards.1.card_index`, 0, 131009],
    ["interactive-carousel", `${ACTION}.cards.1.card_index`, 2, 131009],
    ["interactive-carousel", `${ACTION}.cards.1.body.text`, "Tea\n\n\n2", 131009],
    ["interactive-carousel", `${ACTION}.cards.1.action`, {}, 131008],
    ["interactive-carousel-replies", `${ACTION}.cards.1.action`, {}, 131009],
    ["interactive-carousel-replies", `${ACTION}.cards.0.action`, {}, 131008],
    ["interactive-carousel-replies", `${ACTION}.cards.1.action.buttons.0.quick_reply.id`, "more-0", 131009],
    ["interactive-button", `${ACTION}.buttons.1.reply.id`, " no", 131009],
    ["interactive-carousel-replies", `${ACTION}.cards.1.action.buttons`, quickReplies(2), 131009],
    ["interactive-carousel", `${ACTION}.cards.1.header`, { type: "video", video: { id: "1" } }, 131009],
    ["interactive-carousel", `${ACTION}.cards.1.body.text`, "x".repeat(161), 131009],
    ["interactive-carousel-replies", `${ACTION}.cards.1.action.buttons.0.quick_reply.title`, "x".repeat(21), 131009],
    ["interactive-contact-request", `${ACTION}.name`, "contact", 131009],
    ["interactive-contact-request", BODY, LONG, 131009],
    ["template-header-text", COMPONENTS, [], 132000],
    ["template-header-video", `${COMPONENTS}.0.parameters.0.video`, {}, 131009],
    ["template-header-document", `${COMPONENTS}.0.parameters.0.type`, "image", 132012],
    ["template-header-location", COMPONENTS, [], 132012],
    ["template-header-location", `${COMPONENTS}.0.parameters.0.location.latitude`, "NaN", 131009],
    ["template-header-location", `${COMPONENTS}.0.parameters.0.location`, {}, 131009],
    ["template-header-named", `${COMPONENTS}.0.parameters.0.parameter_name`, undefined, 132012],
    ["template-copy-code", `${COMPONENTS}.1.parameters.0.coupon_code`, "x".repeat(21), 131009],
    ["template-copy-code", `${COMPONENTS}.1.parameters`, [], 131008],
    ["template-flow", `${COMPONENTS}.0.parameters.0.action`, "data", 132012],
    ["template-flow", `${COMPONENTS}.0.index`, "1", 132018],
    ["template-catalog", `${COMPONENTS}.0.sub_type`, "url", 132018],
    ["template-products", `${COMPONENTS}.0.parameters.0.action.sections`, undefined, 131008],
    ["template-products", `${COMPONENTS}.0.parameters.0.action.thumbnail_product_retailer_id`, undefined, 131008],
    ["template-products", `${COMPONENTS}.0.parameters`, [], 131008],
    ["template-products", `${COMPONENTS}.0.parameters.0.action.sections`, [UNTITLED, UNTITLED], 131008],
    ["template-offer", `${COMPONENTS}.2`, { type: "footer" }, 131008],
    ["template-offer", `${COMPONENTS}.2.parameters.0.limited_time_offer.expiration_time_ms`, "soon", 131009],
    // In seconds, and in microseconds.
    ["template-offer", `${COMPONENTS}.2.parameters.0.limited_time_offer.expiration_time_ms`, 1_893_456_000, 131009],
    ["template-offer", `${COMPONENTS}.2.parameters.0.limited_time_offer.expiration_time_ms`, 1_893_456_000e6, 131009],
    ["template-flow", COMPONENTS, [], 131009],
    ["template-catalog", COMPONENTS, [], 131008],
    ["template-carousel", `${COMPONENTS}.1.cards.1.card_index`, 0, 131009],
    ["template-carousel", `${COMPONENTS}.1.cards.1.components`, [], 132012],
    ["template-carousel", `${COMPONENTS}.1`, { type: "footer" }, 131008],
    [
      "template-otp",
      `${COMPONENTS}.1.parameters`,
      [
        { type: "text", text: "1" },
        { type: "text", text: "2" },
      ],
      132000,
    ],
  ])("%s: %s", async (name, path, value, code) => {
    const { status, body } = await pair.send(changed(name, path, value));
    expect([status, body.error?.code]).toEqual([400, code]);
  });
});

test.each([
  ["flow", "template-flow"],
  ["CATALOG", "template-catalog"],
])("a %s button is named in each send, and needs no parameter", async (sub_type, name) => {
  for (const more of [{}, { parameters: null }, { parameters: [] }])
    expect(
      (await pair.send(changed(name, COMPONENTS, [{ type: "button", sub_type, index: "0", ...more }]))).status,
    ).toBe(200);
});

test("a button that each send names is missed in a card too", async () => {
  const buttons = { type: "BUTTONS", buttons: [{ type: "FLOW", text: "Book", flow_id: "1" }] };
  const card = { components: [{ type: "HEADER", format: "IMAGE" }, { type: "BODY", text: "Tea" }, buttons] };
  const carousel = { type: "CAROUSEL", cards: [card, card] };
  pair.simulator.addTemplate({
    waba_id: "9001",
    name: "flows",
    language: "en_US",
    category: "MARKETING",
    components: [{ type: "BODY", text: "Teas" }, carousel],
  });
  const image = { type: "header", parameters: [{ type: "image", image: { link: "https://cdn.example/a.jpg" } }] };
  const button = { type: "button", sub_type: "flow", index: "0" };
  const codeOf = async (...last: object[]) => {
    const cards = [
      { card_index: 0, components: [image, button] },
      { card_index: 1, components: [image, ...last] },
    ];
    const template = { name: "flows", language: { code: "en_US" }, components: [{ type: "carousel", cards }] };
    return (await pair.send({ to: "+15550001111", type: "template", template })).body.error?.code ?? null;
  };
  expect([await codeOf(), await codeOf(button)]).toEqual([131009, null]);
});

/** Fields that a request may leave out: a null says the same. */
test.each([
  ["text", "context"],
  ["text", "text.preview_url"],
  ["text", "recipient"],
  ["text", "recipient_type"],
  ["text", "biz_opaque_callback_data"],
  ["image", "image.id"],
  ["image", "image.caption"],
  ["document-link", "document.filename"],
  ["audio", "audio.caption"],
  ["location", "location.name"],
  ["contacts", "contacts.0.phones"],
  ["contacts", "contacts.0.name.suffix"],
  ["interactive-button", "interactive.header"],
  ["interactive-button", "interactive.footer"],
  ["interactive-list", `${ACTION}.sections.0.title`],
  ["interactive-list", `${ACTION}.sections.0.rows.0.description`],
  ["interactive-product", "interactive.body"],
  ["interactive-product", "interactive.header"],
  ["interactive-flow", `${PARAMETERS}.flow_name`],
  ["interactive-flow", `${PARAMETERS}.mode`],
  ["interactive-flow", `${PARAMETERS}.flow_action_payload`],
  ["interactive-catalog", PARAMETERS],
  ["interactive-voice-call", `${PARAMETERS}.ttl_minutes`],
  ["interactive-carousel", `${ACTION}.cards.0.body`],
  ["interactive-carousel-replies", `${ACTION}.cards.0.body`],
  ["template-plain", COMPONENTS],
  ["template-positional", `${COMPONENTS}.1.parameters.0.parameter_name`],
  ["template-flow", `${COMPONENTS}.0.parameters`],
  ["template-header-document", `${COMPONENTS}.0.parameters.0.document.id`],
])("%s: a null at %s is as good as nothing", async (name, path) => {
  const { status, body } = await pair.send(changed(name, path, null));
  expect([body.error, status]).toEqual([undefined, 200]);
});

/** The provider says what is wrong with a value that is there, and names its field. */
test.each<[name: string, path: string, value: unknown, field: string]>([
  ["text", "text.body", 17, "body"],
  ["text", "text.preview_url", "yes", "preview_url"],
  ["text", "to", 15_550_001_111, "to"],
  ["image", "image.link", true, "link"],
  ["image", "image.caption", ["Look"], "caption"],
  ["document-link", "document.filename", 7, "filename"],
  ["audio", "audio.voice", "true", "voice"],
  ["location", "location.name", 5, "name"],
  ["contacts", "contacts", {}, "contacts"],
  ["contacts", "contacts.0", "Ana", "contacts'][0"],
  ["contacts", "contacts.0.name.first_name", 1, "first_name"],
  ["contacts", "contacts.0.phones.0.phone", 15_550_001_111, "phone"],
  ["reaction", "reaction.message_id", 17, "message_id"],
  ["reaction", "reaction.emoji", 1, "emoji"],
  ["interactive-button", BODY, 17, "text"],
  ["interactive-button", "interactive.footer", "Bye", "footer"],
  ["interactive-button", `${ACTION}.buttons`, {}, "buttons"],
  ["interactive-button", `${ACTION}.buttons.0.reply.title`, 1, "title"],
  ["interactive-list", `${ACTION}.sections.0.rows.0.id`, 1, "id"],
  ["interactive-list", `${ACTION}.sections.0.rows.0`, null, "rows'][0"],
  ["interactive-flow", `${PARAMETERS}.flow_cta`, { text: "Book" }, "flow_cta"],
  ["interactive-voice-call", `${PARAMETERS}.ttl_minutes`, "5", "ttl_minutes"],
  ["interactive-carousel", `${ACTION}.cards.1.card_index`, "1", "card_index"],
  ["template-plain", "template.name", 17, "name"],
  ["template-plain", "template.language", "en_US", "language"],
  ["template-plain", "template.language.code", 7, "code"],
  ["template-positional", `${COMPONENTS}.1.parameters.0.text`, 17, "text"],
])("%s: another type at %s is said so", async (name, path, value, field) => {
  const { status, body } = await pair.send(changed(name, path, value));
  expect([status, body.error?.code]).toEqual([400, 131009]);
  expect((body.error as { error_data?: { details: string } } | undefined)?.error_data?.details).toContain(field);
  expect(JSON.stringify(body)).not.toMatch(/is required|missing/i);
});

test("a text of 4,096 characters is accepted, whatever they take", async () => {
  const codeOf = async (body: string) =>
    (await pair.send({ to: "+15550001111", type: "text", text: { body } })).body.error?.code ?? null;
  expect([await codeOf("🎉".repeat(4_096)), await codeOf("🎉".repeat(4_097))]).toEqual([null, 100]);
});

test("degrees are accepted as texts", async () => {
  const texts = { latitude: "37.48", longitude: "-122.15" };
  for (const [name, path] of [
    ["location", "location"],
    ["template-header-location", `${COMPONENTS}.0.parameters.0.location`],
  ] as const)
    expect((await pair.send(changed(name, path, texts))).status).toBe(200);
});

test("a button of a kind that is not known here takes what it is given", async () => {
  const components = [
    { type: "BODY", text: "Go." },
    { type: "BUTTONS", buttons: [{ type: "APP", text: "Open" }] },
  ];
  pair.simulator.addTemplate({ waba_id: "9001", name: "app", language: "en_US", category: "UTILITY", components });
  const button = { type: "button", sub_type: "app", index: "0", parameters: [{ type: "payload", payload: "17" }] };
  const template = { name: "app", language: { code: "en_US" }, components: [button] };
  expect((await pair.send({ to: "+15550001111", type: "template", template })).status).toBe(200);
});

test("a header of a kind that is not known here takes what it is given", async () => {
  const components = [
    { type: "HEADER", format: "HOLOGRAM" },
    { type: "BODY", text: "Look." },
  ];
  pair.simulator.addTemplate({
    waba_id: "9001",
    name: "new_header",
    language: "en_US",
    category: "UTILITY",
    components,
  });
  const header = { type: "header", parameters: [{ type: "hologram", hologram: {} }] };
  const template = { name: "new_header", language: { code: "en_US" }, components: [header] };
  expect((await pair.send({ to: "+15550001111", type: "template", template })).status).toBe(200);
});

test("a template with a code is submitted without a text, which the provider writes, and takes the code", async () => {
  const components = [
    { type: "BODY", add_security_recommendation: true },
    { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "ZERO_TAP" }] },
  ];
  const code = { name: "bare_one", language: "en_US", category: "AUTHENTICATION", components };
  pair.simulator.addTemplate({ waba_id: "9001", ...code });
  const { body } = await pair.call("GET", "/v26.0/9001/message_templates?name=bare_one");
  expect(body["data"]).toMatchObject([{ components: [{ type: "BODY", text: expect.stringContaining("{{1}}") }, {}] }]);
  const parameters = [{ type: "text", text: "123456" }];
  const sent = [
    { type: "body", parameters },
    { type: "button", sub_type: "url", index: "0", parameters },
  ];
  const template = { name: "bare_one", language: { code: "en_US" }, components: sent };
  expect((await pair.send({ to: "+15550001111", type: "template", template })).status).toBe(200);
});

test("kinds that are not known here are accepted", async () => {
  const interactive = { type: "order_details", body: { text: "Pay" }, action: { name: "review_and_pay" } };
  const { status } = await pair.send({ to: "+15550001111", type: "interactive", interactive });
  expect(status).toBe(200);
});

describe("a reaction", () => {
  const react = async (messageId: string) =>
    (await pair.send({ to: "+15550001111", type: "reaction", reaction: { message_id: messageId, emoji: "👍" } })).body;
  const reported = async () => {
    await pair.simulator.idle();
    return pair.receiver.statuses().map(({ status }) => status);
  };

  test("is only reported as sent", async () => {
    const { id } = pair.simulator.inbound({ phone_number_id: "1055", from: "+15550001111", text: "hi" });
    await react(id);
    expect(await reported()).toEqual(["sent"]);
  });

  test("to a message of no chat of the number fails later", async () => {
    await react("wamid.nothing");
    expect(await reported()).toEqual(["failed"]);
    expect(pair.receiver.statuses()[0]).toMatchObject({ errors: [{ code: 131009 }] });
  });
});
